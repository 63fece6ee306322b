"""Checks a declaration that is partly invalid: reports its schema findings, and the findings of the rules about the rest."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from nodepools.model.base import Model
from nodepools.model.invalid_parts import declared_class, error_of
from nodepools.rules.engine.finding import DeclarationError, Finding, Severity, without_secrets
from nodepools.rules.engine.partial_validation import readable
from nodepools.rules.engine.path import path_text
from nodepools.rules.engine.runner import RuleFailedError, check
from nodepools.rules.engine.schema_findings import shape_findings


def findings_of(
    part: Model, path: str = "", today: date | None = None, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None
) -> list[Finding]:
    """Returns all findings about an invalid part that was kept as written, at `path`."""
    kind = declared_class(type(part))
    shape = [replace(finding, path=path_text(finding.steps, path)) for finding in shape_findings(error_of(part), kind)]
    rest = readable(kind, vars(part))
    return without_secrets([*shape, *(check(rest, path, today, own=own, failed=failed) if rest is not None else ())], part)


def declaration_error(shape: list[Finding], kind: type[Model], written: Mapping[str, object]) -> DeclarationError:
    """Returns the error for a declaration of class `kind`: its schema findings `shape`, and the errors that rules report about the rest."""
    rest = readable(kind, written)
    found = check(rest, own=False) if rest is not None else ()
    report = [*shape, *(finding for finding in found if finding.severity is Severity.ERROR)]
    return DeclarationError(without_secrets(report, written), rest=rest)


def recheck(error: DeclarationError, today: date | None, failed: Callable[[RuleFailedError], None] | None = None) -> list[Finding]:
    """Returns all findings about an invalid declaration, including warnings and notes, for the given date."""
    shape = [finding for finding in error.findings if finding.code.startswith("CFG")]
    return [*shape, *(check(error.rest, today=today, failed=failed) if error.rest is not None else ())]
