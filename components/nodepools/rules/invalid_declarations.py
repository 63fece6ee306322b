"""Everything that is wrong with a declaration of which some is not well formed: its findings of shape, and what the rules say of the rest."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from nodepools.model.base import Model
from nodepools.model.invalid_parts import declared_class, error_of
from nodepools.rules.finding import DeclarationError, Finding, Severity
from nodepools.rules.partial_validation import readable
from nodepools.rules.path import spelled
from nodepools.rules.runner import RuleFailedError, check
from nodepools.rules.schema_findings import shape_findings


def findings_of(
    part: Model, path: str = "", today: date | None = None, *, own: bool = True, failed: Callable[[RuleFailedError], None] | None = None
) -> list[Finding]:
    """All findings of a part that was kept as written; `path` is where it stands."""
    kind = declared_class(type(part))
    shape = [replace(finding, path=spelled(finding.steps, path)) for finding in shape_findings(error_of(part), kind)]
    rest = readable(kind, vars(part))
    return [*shape, *(check(rest, path, today, own=own, failed=failed) if rest is not None else ())]


def refused(shape: list[Finding], kind: type[Model], written: Mapping[str, object]) -> DeclarationError:
    """The refusal of a declaration of class `kind` that was `written` with findings of `shape`; with the errors that rules find in the rest."""
    rest = readable(kind, written)
    found = check(rest, own=False) if rest is not None else ()
    return DeclarationError([*shape, *(finding for finding in found if finding.severity is Severity.ERROR)], rest=rest)


def judged_again(error: DeclarationError, today: date | None, failed: Callable[[RuleFailedError], None] | None = None) -> list[Finding]:
    """What `check` reports of a declaration that was refused: warnings and notes too, for the day that is asked for."""
    shape = [finding for finding in error.findings if finding.code.startswith("CFG")]
    return [*shape, *(check(error.rest, today=today, failed=failed) if error.rest is not None else ())]
