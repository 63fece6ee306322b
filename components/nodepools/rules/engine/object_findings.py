"""Findings about an object of a cluster as a whole: its kind, its version, the objects next to it."""

from nodepools.rules.engine.codes import OBJECT_CODES
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.fix import fix_of
from nodepools.rules.engine.path import Step, path_text


def object_finding(code: str, path: tuple[Step, ...], message: str, *, fix: str | None, source: str, value: object = None) -> Finding:
    """Returns a finding about an object, with the severity of its code."""
    return Finding(code, OBJECT_CODES[code].severity, path_text(path), value, message, fix_of(fix), source, steps=path)
