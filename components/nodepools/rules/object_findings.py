"""What can be wrong with an object of a cluster as such: its kind, its version, what is said beside it."""

from nodepools.rules.codes import OBJECT_CODES
from nodepools.rules.finding import Finding
from nodepools.rules.fix import fix_of
from nodepools.rules.path import Step, spelled


def object_finding(code: str, path: tuple[Step, ...], message: str, *, fix: str | None, source: str, value: object = None) -> Finding:
    """A finding of an object, as bad as its code is."""
    return Finding(code, OBJECT_CODES[code].severity, spelled(path), value, message, fix_of(fix), source, steps=path)
