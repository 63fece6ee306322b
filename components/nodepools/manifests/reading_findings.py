"""What was not understood of an object, as findings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, spelled
from nodepools.wire.reading import Left, Why
from nodepools.wire.strict_reading import unknown_names

_NO_MAPPING: Final = ("should be a mapping of names to values", "write names with their values")
_TOLD: Final[Mapping[Why, tuple[str, str, str]]] = {
    Why.MISSING: ("CFG001", "is required", "add {name}"),
    Why.NO_SUCH_FIELD: ("CFG002", "is not a field here: the cluster drops it in silence", "remove it"),
    Why.FOREIGN: ("CFG002", "is a field of {known}: there is none like it here", "remove it"),
    Why.ANOTHER_WORD: ("CFG003", "should be {known}", "write {known}"),
    Why.NO_PART: ("CFG003", *_NO_MAPPING),
    Why.NO_MAPPING: ("CFG004", *_NO_MAPPING),
    **{why: ("CFG006", why.value, "remove it") for why in (Why.EMPTY, Why.UNREADABLE, Why.LEFT)},
}
"""Code, message and fix for each reason; `{name}` is the field, `{known}` what belongs there."""


@dataclass(slots=True)
class Misread:
    """Findings of one object: what no model can hold of it."""

    source: str
    """Who says what belongs there."""
    foreign: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields that people bring from elsewhere, and from where."""
    findings: list[Finding] = field(default_factory=list[Finding])

    def finding(self, code: str, at: tuple[Step, ...], value: object, message: str, fix: str) -> None:
        """Adds a finding."""
        self.findings.append(Finding(code, Severity.ERROR, spelled(at), value, message, Fix(fix), self.source, steps=at))

    def only(self, written: Mapping[str, object], known: Sequence[str], at: tuple[Step, ...]) -> None:
        """Adds the fields that are not among those that are `known`."""
        self.left(unknown_names(written, known, at, self.foreign))

    def left(self, left: Iterable[Left]) -> None:
        """Adds what was not understood."""
        for one in left:
            code, message, fix = _TOLD[one.why]
            if one.why is Why.NO_SUCH_FIELD and one.known is not None:
                fix = "did you mean {known}?"
            told = {"name": one.steps[-1], "known": one.known}
            self.finding(code, one.steps, one.value, message.format(**told), fix.format(**told))
