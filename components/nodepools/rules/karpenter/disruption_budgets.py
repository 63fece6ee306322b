"""Disruption budgets of NodePools that limit less, or more, than they seem to. Facts: docs/facts/eks.md P6 to P9."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from nodepools.model.active_minutes import active_minutes
from nodepools.model.clusters import AnyCluster
from nodepools.model.disruption import REASONS, Budget, BudgetNodes, Disruption, Reason
from nodepools.model.disruption_calendar import DisruptionCalendar, State, disruption_calendar
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.cron import Schedule
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.maintenance import AnyWindow
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import add
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import eks_pool

DISRUPTION: Final = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
DONE: Final[Mapping[Reason, str]] = {
    "Drifted": "replaces drifted nodes",
    "Empty": "removes empty nodes",
    "Underutilized": "consolidates underutilized nodes",
}
"""What Karpenter does for each reason."""
_ALLOWED: Final = "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.0/pkg/apis/v1/nodepool.go (2026-11)"
_AT: Final = ("disruption", "budgets")
_MOVING: Final[tuple[Reason, ...]] = ("Drifted", "Underutilized")
"""The reasons for which Karpenter moves running pods."""
_KNOWN: Final = 256
"""Budgets whose year is remembered: many pools have the same ones."""
_MANY: Final = 100
"""With so many nodes, percentages are counts."""
_MONDAY: Final = datetime(2026, 1, 5, tzinfo=UTC)
_YEAR: Final = datetime(2026, 1, 1, tzinfo=UTC)
_MINUTES: Final = 365 * 24 * 60
_WEEKDAYS_REPEAT: Final = range(2024, 2024 + 28)
"""Years in which every date falls on every weekday."""


@rule(
    "KAR025",
    Severity.WARNING,
    source=f"{_ALLOWED}: GetAllowedDisruptionsByReason; an empty list names no reason, and a window of no length is never active",
    sample=Sample("budgets[1].reasons", lambda: Disruption(budgets=[Budget(), Budget(nodes="0", reasons=[])])),
)
def budget_without_effect(budget: Budget) -> Iterator[PartFinding]:
    """A disruption budget with an empty list of reasons, or with a duration of 0, limits nothing."""
    if not budget.is_readable or _never_starts(budget):  # another rule reports the budget, and it does have an effect
        return
    if budget.reasons is not None and not budget.reasons:
        fix = f"Remove {ref('reasons')} (default: the budget is for every reason), or remove the budget"
        yield finding(budget, f"The budget limits nothing: its {ref('reasons')} are an empty list", path="reasons", fix=fix)
    if budget.duration is not None and seconds(budget.duration) == 0:
        fix = f"Set {ref('duration')} to how long the budget stays active after each start, such as {literal('8h')}, or remove the budget"
        yield finding(budget, f"The budget limits nothing: with a {ref('duration')} of 0, it is never active", path="duration", fix=fix)


@rule(
    "KAR026",
    Severity.WARNING,
    source=f"{_ALLOWED}: IsActive; Go's robfig/cron returns the zero time if there is no start in five years",
    sample=Sample("budgets[0].schedule", lambda: Disruption(budgets=[Budget(nodes="5", schedule="0 0 30 2 *", duration="8h")])),
)
def budget_schedule_never_starts(budget: Budget) -> Iterator[PartFinding]:
    """If the schedule of a disruption budget never starts, such as on February 30, Karpenter applies the budget at all times."""
    if _never_starts(budget):
        message = f"Karpenter applies this budget at all times: no date matches its schedule `{budget.schedule}`"
        fix = f"Correct the day and the month in {ref('schedule')}, or remove {ref('schedule')} and {ref('duration')} if that is intended"
        yield finding(budget, message, path="schedule", fix=fix)


@rule(
    "KAR027",
    Severity.WARNING,
    source=f"{DISRUPTION}: the most restrictive budget wins (2026-11); kubernetes-sigs/karpenter#8247",
    sample=Sample(
        "disruption.budgets[0].duration", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="0", schedule="@hourly", duration="1h")]))
    ),
)
def budgets_without_open_time(pool: NodePool) -> Iterator[PartFinding]:
    """If budgets of 0 nodes follow each other without a gap, such as 1 hour in every hour, Karpenter never disrupts the nodes."""
    budgets = _own(pool)
    locks = {index: budget for index, budget in enumerate(budgets) if _is_timed_lock(budget)}
    if sum(map(_most_minutes, locks.values())) < _MINUTES:
        return
    always = {reason for budget in budgets if _is_lock(budget) and budget.schedule is None for reason in REASONS if budget.limits(reason)}
    blocked = blocked_reasons(Disruption(budgets=[*locks.values()])) - always
    never: list[Reason] = [reason for reason in _happening(pool) if reason in blocked]
    if never:
        alone = [index for index, budget in locks.items() if blocked_reasons(Disruption(budgets=[budget])).issuperset(never)]
        of = "" if len(never) == len(_happening(pool)) else f" for {_listed([f'`{reason}`' for reason in never], 'or')}"
        yield _locked(pool, alone[0] if alone else None, f"Karpenter never disrupts these nodes{of}")


@rule(
    "KAR028",
    Severity.WARNING,
    source=f"{_ALLOWED}: without a budget for the reason, the number is unlimited; the default of 10% is for NodePools without budgets",
    sample=Sample("disruption.budgets", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="1", reasons=["Drifted"])]))),
)
def reason_without_budget(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter disrupts any number of nodes at a time for a reason that no disruption budget names: the default of 10% no longer applies."""
    if pool.disruption.budgets is None:
        return
    unlimited: list[Reason] = [reason for reason in _moving(pool) if not any(budget.limits(reason) for budget in _own(pool))]
    if unlimited and all(one.is_readable for one in _own(pool)):
        does = _listed([DONE[reason] for reason in unlimited], "and")
        message = f"No budget limits {_listed([f'`{reason}`' for reason in unlimited], 'or')}: Karpenter {does}, any number at a time"
        yield finding(pool, message, path=_AT, fix=add(_AT, Budget(nodes="10%", reasons=unlimited)))


@rule(
    "KAR029",
    Severity.WARNING,
    source=f"{_ALLOWED}: a budget counts while it is active; kubernetes-sigs/karpenter#7026, #8290",
    sample=Sample("disruption.budgets", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="20%", schedule="0 1 * * *", duration="4h")]))),
)
def unlimited_outside_schedule(pool: NodePool, cluster: AnyCluster | None, platform: Platform | None) -> Iterator[PartFinding]:
    """A disruption budget with a schedule limits nothing at other times; a budget of 0 nodes for those times would keep the nodes."""
    scheduled: list[Reason] = [reason for reason in _moving(pool) if _permits_in_windows(reason, _own(pool))]
    window = window_of(pool, cluster, platform)
    outside: list[Reason] = [reason for reason in scheduled if window is None or reason not in window.reasons]
    unlimited: list[Reason] = [
        reason for reason in outside if all(one.is_readable for one in _own(pool)) and not _is_always_limited(reason, _own(pool))
    ]
    if unlimited:
        reasons = ", ".join(f"`{reason}`" for reason in unlimited)
        message = f"Karpenter disrupts any number of nodes at a time ({reasons}) when no budget is active: {_first_gap(unlimited[0], _own(pool))}"
        fix = "Add a budget of 0 nodes for the other times, or a budget without a schedule"
        yield finding(pool, message, path=_AT, fix=fix)


@rule(
    "KAR089",
    Severity.WARNING,
    source=f"{DISRUPTION}: the most restrictive of the active budgets wins (2026-11)",
    sample=Sample(
        "disruption.budgets[1]",
        lambda: eks_pool(disruption=Disruption(budgets=[Budget(), Budget(nodes="33%", schedule="0 1 * * sat", duration="8h")])),
    ),
)
def budget_below_another(pool: NodePool) -> Iterator[PartFinding]:
    """A disruption budget has no effect if a lower one is active at all its times: the most restrictive budget wins."""
    for index, other in useless_budgets(pool.disruption):
        budget, lower = _own(pool)[index], _own(pool)[other]
        when = "at all times" if lower.schedule is None else "whenever this one is"
        message = f"The budget of `{budget.nodes}` has no effect: one of `{lower.nodes}` is active {when}, and the lowest wins"
        fix = f"Remove this budget, or add {ref('schedule')} or {ref('reasons')} to {ref((*_AT, other))} so that it leaves these times open"
        yield finding(pool, message, path=(*_AT, index), value=budget.nodes, fix=fix)


@lru_cache(maxsize=_KNOWN)
def useless_budgets(disruption: Disruption) -> Sequence[tuple[int, int]]:
    """The budgets that never decide, each with one that is lower at its times: for each minute of a year, and each reason that happens."""
    return tuple(_useless_budgets(disruption))


def _useless_budgets(disruption: Disruption) -> Iterator[tuple[int, int]]:
    budgets = disruption.budgets if disruption.budgets is not None else ()
    pairs = {index: [other for other, one in enumerate(budgets) if _is_lower(one, budget)] for index, budget in enumerate(budgets)}
    if not any(pairs.values()) or not all(one.is_readable for one in budgets):
        return
    never = blocked_reasons(disruption)  # other rules report that
    for index, lower in pairs.items():
        limited: list[Reason] = [reason for reason in disruption.active_reasons if budgets[index].limits(reason) and reason not in never]
        if (
            lower
            and limited
            and all(_is_covered(budgets[index], [budgets[one] for one in lower if budgets[one].limits(reason)]) for reason in limited)
        ):
            yield index, lower[0]


def _is_lower(one: Budget, other: Budget) -> bool:
    """`one` permits fewer nodes than `other`, or as few, whatever the number of nodes."""
    low, high = BudgetNodes(one.nodes), BudgetNodes(other.nodes)
    if low.is_none or high.is_unlimited:
        return not (high.is_none or low.is_unlimited)
    counts = low.of(_MANY), high.of(_MANY)
    return low.is_percentage is high.is_percentage and counts[0] is not None and counts[1] is not None and counts[0] < counts[1]


def _is_covered(budget: Budget, others: Sequence[Budget]) -> bool:
    """At each minute of a year at which `budget` is active, one of the others is."""
    minutes = active_minutes(budget, _YEAR, _MINUTES)
    for other in others:
        minutes &= ~active_minutes(other, _YEAR, _MINUTES)
    return not minutes and (budget.duration is None or seconds(budget.duration) > 0)


def window_of(pool: NodePool, cluster: AnyCluster | None, platform: Platform | None) -> AnyWindow | None:
    """The maintenance window of a NodePool: its own, or the one of its cluster, or of the platform."""
    around = [parent.maintenance for parent in (pool, cluster, platform) if parent is not None and parent.maintenance is not None]
    return around[0] if around else None


def happens(reason: Reason, pool: NodePool) -> bool:
    """Karpenter disrupts nodes of the pool for this reason. It does not consolidate static pools."""
    return reason in pool.disruption.active_reasons and (reason == "Drifted" or pool.replicas is None)


def of_a_year(disruption: Disruption) -> DisruptionCalendar:
    """The states of each minute of a year."""
    return disruption_calendar(disruption, _YEAR, _YEAR + timedelta(days=365))


@lru_cache(maxsize=_KNOWN)
def blocked_reasons(disruption: Disruption) -> frozenset[Reason]:
    """The reasons for which Karpenter can disrupt no node at any time of a year."""
    calendar = of_a_year(disruption)
    return frozenset(reason for reason in REASONS if calendar.is_never_open(reason))


def _locked(pool: NodePool, alone: int | None, effect: str) -> PartFinding:
    """The finding about the budget at `alone`, or about several budgets together."""
    if alone is None:
        fix = "Shorten a budget, so that nodes can be disrupted between the budgets"
        return finding(pool, f"{effect}: together its budgets of 0 nodes cover all times", path=_AT, fix=fix)
    budget = _own(pool)[alone]
    message = f"{effect}: this budget of 0 nodes starts again (`{budget.schedule}`) before its window ends"
    fix = f"Set {ref((*_AT, alone, 'duration'))} to less than the time between two starts"
    return finding(pool, message, path=(*_AT, alone, "duration"), fix=fix)


def _own(pool: NodePool) -> Sequence[Budget]:
    return pool.disruption.budgets if pool.disruption.budgets is not None else ()


def _happening(pool: NodePool) -> list[Reason]:
    return [reason for reason in REASONS if happens(reason, pool)]


def _moving(pool: NodePool) -> list[Reason]:
    return [reason for reason in _MOVING if happens(reason, pool)]


def _never_starts(budget: Budget) -> bool:
    if budget.schedule is None or not budget.is_readable:
        return False
    schedule = Schedule.parse(budget.schedule)
    return not any(schedule.last_day(year) for year in _WEEKDAYS_REPEAT)


def _most_minutes(budget: Budget) -> int:
    """The budget is active in at most this many minutes of a year: a bound without looking at each day."""
    if budget.schedule is None or budget.duration is None or _never_starts(budget):
        return _MINUTES
    started_before = 1
    return (Schedule.parse(budget.schedule).most_starts + started_before) * (seconds(budget.duration) // 60)


def _is_always_limited(reason: Reason, budgets: Sequence[Budget]) -> bool:
    limiting = [budget for budget in budgets if budget.limits(reason)]
    return sum(map(_most_minutes, limiting)) >= _MINUTES and of_a_year(Disruption(budgets=limiting)).is_always_limited(reason)


def _is_lock(budget: Budget) -> bool:
    return BudgetNodes(budget.nodes).is_none


def _is_timed_lock(budget: Budget) -> bool:
    return _is_lock(budget) and budget.schedule is not None and budget.is_readable and not _never_starts(budget)


def _permits_in_windows(reason: Reason, budgets: Sequence[Budget]) -> bool:
    """Every budget for the reason has a schedule, and some permit nodes: with locks alone, the other times are meant to be open."""
    limiting = [budget for budget in budgets if budget.limits(reason)]
    return all(budget.schedule is not None for budget in limiting) and not all(map(_is_lock, limiting))


def _first_gap(reason: Reason, budgets: Sequence[Budget]) -> str:
    """The first time of a week at which no budget limits the reason, for the end of a sentence."""
    calendar = disruption_calendar(Disruption(budgets=[budget for budget in budgets if budget.limits(reason)]), _MONDAY, _MONDAY + timedelta(days=14))
    gaps = [(one.start, one.end) for one in calendar.intervals() if one.states[reason] is State.OPEN]
    whole = [(start, end) for start, end in gaps if start != calendar.start]
    if not whole:
        return "outside their schedules"
    (start, end), *_ = whole
    return f"{start:%a %H:%M} to {end:%a %H:%M} UTC and at other times" if len(gaps) > 1 else f"from {start:%a %H:%M} UTC on"


def _listed(words: Sequence[str], conjunction: str) -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}" if len(words) > 1 else words[0]
