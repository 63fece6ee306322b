"""Tries the operations of each fix on a copy of the declaration, before the fix is offered."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from nodepools.model.base import Model
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Operation
from nodepools.rules.fix_application import applied

Outcome: TypeAlias = tuple[str, Severity]
"""The code and the severity of a finding."""
Again: TypeAlias = Callable[[Model], Sequence[Outcome]]
"""Checks a declaration, without trying fixes."""
_ALONE: Final = 8
"""If a rule has more fixes than this, they are first tried together."""
_FAILURES: Final = 32
"""After this many failed trials, the remaining fixes of a rule are not offered: trying them would take minutes and rarely help."""


def tried(found: list[Finding], declaration: Model, again: Again) -> list[Finding]:
    """`found`, without fixes that do not clear their finding, or that cause another one that is as severe.

    Args:
        found: the findings of `declaration`.
        declaration: what was checked.
        again: repeats the check on a copy.
    """
    trial = _Trial(declaration, again, Counter(candidate.code for candidate in found))
    by_code: dict[str, list[Finding]] = {}
    for candidate in found:
        if _suggested(candidate):
            by_code.setdefault(candidate.code, []).append(candidate)
    helping = {id(candidate) for group in by_code.values() for candidate in _helping(trial, group)}
    return [candidate if id(candidate) in helping else _without_untried(candidate) for candidate in found]


def without_untried(found: Iterable[Finding]) -> list[Finding]:
    """`found`, without fixes that have operations: these are offered only if they were tried."""
    return list(map(_without_untried, found))


@dataclass(frozen=True, slots=True)
class _Trial:
    """Checks copies of a declaration."""

    declaration: Model
    again: Again
    before: Counter[str]
    """Number of findings of each code in the declaration."""

    def helps(self, findings: Sequence[Finding]) -> bool:
        """The fixes of `findings`, which all have the same code, clear all of them and cause none that is as severe."""
        first = findings[0]
        copy = self.declaration
        try:
            for finding in reversed(findings):  # removing an entry moves the entries after it
                copy = applied(copy, _suggested(finding))
            after = self.again(copy)
        except LookupError:
            return False
        counts = Counter(code for code, _ in after)
        more = [severity for code, severity in after if counts[code] > self.before[code]]
        return counts[first.code] <= self.before[first.code] - len(findings) and all(severity.rank > first.severity.rank for severity in more)


def _helping(trial: _Trial, findings: list[Finding]) -> Iterator[Finding]:
    """The findings whose fix helps. All `findings` have the same code.

    Each trial checks the whole declaration again. A few fixes are tried one by one; many are tried together, and in halves if that fails.
    """
    pending = [[finding] for finding in findings] if len(findings) <= _ALONE else [findings]
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


def _without_untried(finding: Finding) -> Finding:
    if not _suggested(finding):
        return finding
    texts = finding.texts._replace(fix=None) if finding.texts is not None else None
    return replace(finding, fix=None, texts=texts)


def _suggested(finding: Finding) -> Sequence[Operation]:
    """What the fix says to do, certain or not."""
    return finding.fix.operations if finding.fix is not None else ()
