"""Disruption budgets of NodePools that limit less, or more, than they seem to, and how fast nodes are replaced. Facts: docs/facts/eks.md P6 to P9."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from nodepools.keys import eks as keys
from nodepools.model.disruption_calendar import DisruptionCalendar, State, active_minutes, disruption_calendar
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.cron import Schedule
from nodepools.model.kubernetes.duration import NEVER, seconds
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import counted
from nodepools.model.maintenance import MOST_BUDGETS, REASONS, AnyWindow, Budget, BudgetNodes, Disruption, Reason
from nodepools.model.platform import AnyCluster, Platform
from nodepools.rules.engine.finding import Fix, PartFinding, add, literal, ref, set_to
from nodepools.rules.engine.registry import finding, note, sample, warning
from nodepools.rules.engine.samples import AMD64, aks_pool, eks_pool
from nodepools.rules.platform.labels import allowed_values

DISRUPTION: Final = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
DONE: Final[Mapping[Reason, str]] = {
    "Drifted": "replaces drifted nodes",
    "Empty": "removes empty nodes",
    "Underutilized": "consolidates underutilized nodes",
}
"""What Karpenter does for each reason."""
_ALLOWED: Final = "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.0/pkg/apis/v1/nodepool.go (2026-11)"
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


@warning("KAR025", f"{_ALLOWED}: GetAllowedDisruptionsByReason; an empty list names no reason, and a window of no length is never active")
@sample("budgets[1].reasons", lambda: Disruption(budgets=[Budget(), Budget(nodes="0", reasons=[])]))
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


@warning("KAR026", f"{_ALLOWED}: IsActive; Go's robfig/cron returns the zero time if there is no start in five years")
@sample("budgets[0].schedule", lambda: Disruption(budgets=[Budget(nodes="5", schedule="0 0 30 2 *", duration="8h")]))
def budget_schedule_never_starts(budget: Budget) -> Iterator[PartFinding]:
    """If the schedule of a disruption budget never starts, such as on February 30, Karpenter applies the budget at all times."""
    if _never_starts(budget):
        message = f"Karpenter applies this budget at all times: no date matches its schedule `{budget.schedule}`"
        fields = str(budget.schedule).split()
        exists = literal(" ".join([*fields[:2], "28", *fields[3:]]))
        fix = f"Set {ref('schedule')} to a date that exists, such as {exists}, or remove {ref('schedule')} and {ref('duration')} if that is intended"
        yield finding(budget, message, path="schedule", fix=fix)


@warning("KAR027", f"{DISRUPTION}: the most restrictive budget wins (2026-11); kubernetes-sigs/karpenter#8247")
@sample("disruption.budgets[0].duration", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="0", schedule="@hourly", duration="1h")])))
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


@warning("KAR095", f"{DISRUPTION} (2026-11): a budget of 0 nodes with reasons blocks these reasons only; expired nodes ignore budgets")
@sample(
    "disruption.budgets[0].nodes",
    lambda: aks_pool(expire_after=NEVER, disruption=Disruption(budgets=[Budget(nodes="0", reasons=["Drifted"]), Budget()])),
)
def nodes_never_upgraded(pool: NodePool) -> Iterator[PartFinding]:
    """If a budget of 0 nodes always blocks drift, and nodes do not expire, running nodes never get a new image."""
    if pool.expires_after != NEVER or isinstance(pool, EksNodePool):  # Auto Mode replaces nodes after 21 days
        return
    for index, budget in enumerate(_own(pool)):
        is_partial = budget.limits("Drifted") and not all(map(budget.limits, REASONS))  # KAR022 is about every reason
        if is_partial and _is_lock(budget) and budget.schedule is None:
            message = f"Running nodes never get a new image: this budget of 0 nodes blocks `Drifted`, and {ref('expire_after')} is `{NEVER}`"
            fix = f"Add {ref((*_AT, index, 'schedule'))} and {ref((*_AT, index, 'duration'))}, or set {ref('expire_after')} to {literal('720h')}"
            yield finding(pool, message, path=(*_AT, index, "nodes"), fix=fix)


@warning("KAR028", f"{_ALLOWED}: without a budget for the reason, the number is unlimited; the default of 10% is for NodePools without budgets")
@sample("disruption.budgets", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="1", reasons=["Drifted"])])))
def reason_without_budget(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter disrupts any number of nodes at a time for a reason that no disruption budget names: the default of 10% no longer applies."""
    if pool.disruption.budgets is None:
        return
    unlimited: list[Reason] = [reason for reason in _moving(pool) if not any(budget.limits(reason) for budget in _own(pool))]
    if unlimited and all(one.is_readable for one in _own(pool)):
        does = _listed([DONE[reason] for reason in unlimited], "and")
        message = f"No budget limits {_listed([f'`{reason}`' for reason in unlimited], 'or')}: Karpenter {does}, any number at a time"
        yield finding(pool, message, path=_AT, fix=add(_AT, Budget(nodes="10%", reasons=unlimited)))


@warning("KAR029", f"{_ALLOWED}: a budget counts while it is active; kubernetes-sigs/karpenter#7026, #8290")
@sample("disruption.budgets", lambda: eks_pool(disruption=Disruption(budgets=[Budget(nodes="20%", schedule="0 1 * * *", duration="4h")])))
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
        message = f"No budget limits {reasons} at times ({_first_gap(unlimited[0], _own(pool))}): Karpenter then disrupts any number of nodes at once"
        fix = "Add a budget of 0 nodes for the other times, or a budget without a schedule"
        yield finding(pool, message, path=_AT, fix=fix)


@warning("KAR089", f"{DISRUPTION}: the most restrictive of the active budgets wins (2026-11)")
@sample(
    "disruption.budgets[1]", lambda: eks_pool(disruption=Disruption(budgets=[Budget(), Budget(nodes="33%", schedule="0 1 * * sat", duration="8h")]))
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
            alone = [one for one in lower if all(map(budgets[one].limits, limited)) and _is_covered(budgets[index], [budgets[one]])]
            yield index, (alone or lower)[0]


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


_AT: Final = ("disruption", "budgets")
_DAY: Final = 24 * 3600
_REPLACEMENT: Final = 2
"""Minutes in which a node is replaced at best: the new one starts and becomes ready, the old one drains."""
_DAYS, _WEEKS, _MONTHS = 365, 52, 12
_WHOLE: Final = 100
_MINUTE: Final = 60
_ACCELERATED: Final = ("eks.amazonaws.com/instance-gpu-", "eks.amazonaws.com/instance-accelerator-")
_REQUIRING: Final = ("In", "Exists", "Gt", "Gte")
_AFTER: Final = ("disruption", "consolidate_after")


@warning("KAR074", f"{DISRUPTION}: a budget bounds the nodes that are disrupted at the same time (2026-11); kubernetes-sigs/karpenter#6911")
@sample(
    "disruption.budgets",
    lambda: eks_pool(replicas=500, disruption=Disruption(budgets=[Budget(nodes="1"), Budget(nodes="0", schedule="0 3 * * sun", duration="166h")])),
)
def window_too_short_for_node_count(pool: NodePool, cluster: AnyCluster | None, platform: Platform | None) -> Iterator[PartFinding]:
    """Budgets limit how many nodes are replaced at the same time: with short windows, it takes months until every node has a new image."""
    if not pool.replicas:
        return
    window = window_of(pool, cluster, platform)
    of_window = window.disruption_budgets() if window is not None else ()
    budgets = [*pool.disruption.applied_budgets, *of_window][:MOST_BUDGETS]
    at_once = _at_once(budgets, pool.replicas)
    calendar = of_a_year(Disruption(budgets=budgets)) if at_once and any(budget.schedule is not None for budget in budgets) else None
    minutes = calendar.open_minutes("Drifted") if calendar is not None else 0
    if calendar is None or at_once is None or minutes in (0, calendar.minutes):
        return
    a_year = at_once * (minutes // _REPLACEMENT + calendar.openings("Drifted"))
    if a_year < pool.replicas * _MONTHS:
        hours = f"{minutes / 60 / _WEEKS:.1f}".removesuffix(".0")
        pace = f"{at_once} at a time, {hours} hours a week, {_REPLACEMENT} minutes each"
        message = f"Karpenter needs at least {pool.replicas * _DAYS // a_year} days to replace all {pool.replicas} nodes once ({pace})"
        fix = "Raise the number of nodes in the budgets, or leave more time open"
        yield finding(pool, message, path="maintenance" if pool.maintenance is not None else _AT, value=None, fix=fix)


@note(
    "KAR075",
    "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.0/pkg/apis/v1/nodepool.go (2026-11): GetScaledValueFromIntOrPercent, rounded up",
)
@sample("disruption.budgets[0].nodes", lambda: eks_pool(replicas=3, disruption=Disruption(budgets=[Budget(nodes="10%")])))
def percentage_below_one_node(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter rounds percentages in disruption budgets up: 1% of 3 nodes is 1 node, a third of them."""
    most, is_exact = _most_nodes(pool)
    for index, budget in enumerate(pool.disruption.budgets if pool.disruption.budgets is not None else ()):
        nodes = BudgetNodes(budget.nodes)
        if most is not None and nodes.is_percentage and 0 < int(budget.nodes[:-1]) * most < _WHOLE:
            of = f"{'' if is_exact else 'at most '}{counted(most, 'node')}"
            message = f"`{budget.nodes}` of {of} is less than one node: Karpenter rounds it up to 1 node at a time"
            yield finding(pool, message, path=(*_AT, index, "nodes"))


@warning("KAR076", "https://karpenter.sh/docs/concepts/disruption/#expiration (2026-11): expiration is forceful, no budget applies to it")
@sample("expire_after", lambda: eks_pool(expire_after="10m"))
def node_expiry_below_one_day(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter drains each node at its age in `expire_after`, whatever the disruption budgets: nodes launched together expire together."""
    age = pool.expire_after
    if age is not None and age != NEVER and seconds(age) < _DAY:
        message = f"Karpenter drains each node {age} after its launch, whatever the disruption budgets: nodes launched together expire together"
        fix = Fix(f"Set {ref('expire_after')} to more than the longest run of a pod, such as {literal('24h')}", (set_to("expire_after", "24h"),))
        yield finding(pool, message, path="expire_after", fix=fix)


@note("KAR077", "https://karpenter.sh/docs/concepts/disruption/#consolidation (2026-11): consolidateAfter, by default 0s")
@sample("disruption.consolidate_after", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("reserved")]))
def costly_nodes_consolidated_within_seconds(pool: EksNodePool) -> Iterator[PartFinding]:
    """By default, Karpenter consolidates nodes as soon as a pod ends: also reserved ones, billed while unused, and those with GPUs, hard to get."""
    after = pool.disruption.consolidate_after
    if pool.replicas is not None or after == NEVER or seconds(after) >= _MINUTE:
        return
    capacity = allowed_values(pool, keys.capacity_type.name)
    if not capacity.complement and capacity.members == frozenset({"reserved"}):
        why = "this saves nothing, because a reservation is billed while it is unused"
        yield finding(pool, f"Karpenter can consolidate reserved nodes {after} after a pod ends: {why}", path=_AFTER)
    elif any(requirement.key.startswith(_ACCELERATED) and requirement.operator in _REQUIRING for requirement in pool.requirements):
        why = "the next pod waits for a new node, which can be hard to get"
        yield finding(pool, f"Karpenter can consolidate nodes with accelerators {after} after a pod ends: {why}", path=_AFTER)


def _at_once(budgets: Sequence[Budget], nodes: int) -> int | None:
    """How many drifted nodes the budgets permit at all times, at most; `None` is unlimited."""
    counts = [BudgetNodes(budget.nodes).of(nodes) for budget in budgets if budget.schedule is None and budget.limits("Drifted")]
    return min((count for count in counts if count is not None), default=None)


def _most_nodes(pool: NodePool) -> tuple[int | None, bool]:
    """The largest number of nodes, and whether the pool always has that number; `None` if nothing bounds it."""
    if pool.replicas is not None:
        return pool.replicas, True
    return (int(amount(str(pool.limits["nodes"]))) if "nodes" in pool.limits else None), False
