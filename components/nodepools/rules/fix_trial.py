"""Tries the operations of each fix on a copy, before anybody is told to apply them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.model.base import Model
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Operation
from nodepools.rules.fix_application import applied

Again = Callable[[Model], Sequence[Finding]]
"""Checks a declaration, without trying fixes."""
_ALONE: Final = 8
"""More fixes of one rule than this are tried together first."""
_FAILURES: Final = 32
"""After so many failed trials the fixes of a rule that are left are not offered: they would take minutes, and rarely help."""


def tried(found: list[Finding], whole: Model, again: Again) -> list[Finding]:
    """`found`, without the fixes that do not clear their finding, or that cause one that is as severe.

    Args:
        found: in `whole`, by `again`.
        whole: the declaration that was checked.
        again: the same check.
    """
    trial = _Trial(whole, again, Counter(one.code for one in found))
    by_code: dict[str, list[Finding]] = {}
    for one in found:
        if _operations(one):
            by_code.setdefault(one.code, []).append(one)
    helping = {id(one) for group in by_code.values() for one in _helping(trial, group)}
    return [one if not _operations(one) or id(one) in helping else _without_fix(one) for one in found]


@dataclass(frozen=True, slots=True)
class _Trial:
    """Checks copies of a declaration."""

    declaration: Model
    again: Again
    before: Counter[str]
    """How many findings of each code the declaration has."""

    def helps(self, findings: Sequence[Finding]) -> bool:
        """The fixes of `findings`, which have one code, clear as many of them and cause none that is as severe."""
        first = findings[0]
        copy = self.declaration
        try:
            for finding in reversed(findings):  # an entry that is removed moves those behind it
                copy = applied(copy, _operations(finding))
            after = self.again(copy)
        except LookupError:
            return False
        counts = Counter(one.code for one in after)
        more = [one for one in after if counts[one.code] > self.before[one.code]]
        return counts[first.code] <= self.before[first.code] - len(findings) and all(_ORDER[one.severity] > _ORDER[first.severity] for one in more)


def _helping(trial: _Trial, findings: list[Finding]) -> Iterator[Finding]:
    """Those of `findings`, which have one code, whose fix helps.

    Each trial is another check of everything. A few are tried alone; many are tried together, and in halves where that fails.
    """
    pending = [[one] for one in findings] if len(findings) <= _ALONE else [findings]
    failures = 0
    while pending and failures < _FAILURES:
        together = pending.pop()
        if trial.helps(together):
            yield from together
            continue
        failures += 1
        if len(together) > 1:
            middle = len(together) // 2
            pending += [together[middle:], together[:middle]]


def _operations(finding: Finding) -> Sequence[Operation]:
    return finding.fix.operations if finding.fix is not None else ()


def _without_fix(finding: Finding) -> Finding:
    texts = finding.texts._replace(fix=None) if finding.texts is not None else None
    return replace(finding, fix=None, texts=texts)


_ORDER = {severity: number for number, severity in enumerate(Severity)}
