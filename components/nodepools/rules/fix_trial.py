"""Tries the operations of each fix on a copy, before anybody is told to apply them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from nodepools.model.base import Model
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Operation
from nodepools.rules.fix_application import applied

Again = Callable[[Model], Sequence[Finding]]
"""Checks a declaration, without trying fixes."""


def tried(found: list[Finding], whole: Model, again: Again) -> list[Finding]:
    """`found`, without the fixes that do not clear their finding, or that cause one that is as severe.

    Args:
        found: in `whole`, by `again`.
        whole: what was checked.
        again: the same check.
    """
    before = Counter(one.code for one in found)
    return [one if not _operations(one) or _helps(one, whole, again, before) else _without_fix(one) for one in found]


def _helps(finding: Finding, whole: Model, again: Again, before: Counter[str]) -> bool:
    """One finding less of this code, and none more that is as severe."""
    try:
        after = again(applied(whole, _operations(finding)))
    except LookupError:
        return False
    counts = Counter(one.code for one in after)
    more = [one for one in after if counts[one.code] > before[one.code]]
    return counts[finding.code] < before[finding.code] and all(_ORDER[one.severity] > _ORDER[finding.severity] for one in more)


def _operations(finding: Finding) -> Sequence[Operation]:
    return finding.fix.operations if finding.fix is not None else ()


def _without_fix(finding: Finding) -> Finding:
    texts = finding.texts._replace(fix=None) if finding.texts is not None else None
    return replace(finding, fix=None, texts=texts)


_ORDER = {severity: number for number, severity in enumerate(Severity)}
