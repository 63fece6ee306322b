"""Everything that is wrong with a declaration of which some is not well formed: its faults of shape, and what the rules say of the rest."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from nodepools.model.base import Model
from nodepools.model.faulty import declared_class, error_of
from nodepools.rules.fault import DeclarationError, Fault, Severity
from nodepools.rules.judge import check
from nodepools.rules.path import spelled
from nodepools.rules.shape import shape_faults
from nodepools.rules.validated import readable


def faults_of(part: Model, path: str = "", today: date | None = None) -> list[Fault]:
    """All faults of a part that was kept as written; `path` is where it stands."""
    kind = declared_class(type(part))
    shape = [replace(fault, path=spelled(fault.steps, path)) for fault in shape_faults(error_of(part), kind)]
    return [*shape, *_of_the_rest(readable(kind, vars(part)), path, today)]


def refused(shape: list[Fault], kind: type[Model], written: Mapping[str, object]) -> DeclarationError:
    """The refusal of a declaration of class `kind` that was `written` with faults of `shape`; with the errors that rules find in the rest."""
    rest = readable(kind, written)
    return DeclarationError([*shape, *(fault for fault in _of_the_rest(rest) if fault.severity is Severity.ERROR)], rest=rest)


def judged_again(error: DeclarationError, today: date | None) -> list[Fault]:
    """What `check` reports of a declaration that was refused: warnings and notes too, for the day that is asked for."""
    shape = [fault for fault in error.faults if fault.code.startswith("CFG")]
    return [*shape, *_of_the_rest(error.rest, today=today)]


def _of_the_rest(rest: Model | None, path: str = "", today: date | None = None) -> list[Fault]:
    return check(rest, path, today) if rest is not None else []
