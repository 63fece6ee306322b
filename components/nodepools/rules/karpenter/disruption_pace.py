"""How fast Karpenter replaces the nodes of a NodePool: too slowly in its windows, or faster than its settings seem to say."""

from collections.abc import Iterator, Sequence
from typing import Final

from nodepools.keys import eks as keys
from nodepools.model.clusters import AnyCluster
from nodepools.model.disruption import MOST_BUDGETS, Budget, BudgetNodes, Disruption
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import NEVER, seconds
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import counted
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import AMD64, eks_pool
from nodepools.rules.karpenter.disruption_budgets import DISRUPTION, of_a_year, window_of
from nodepools.rules.platform.labels import allowed_values

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


@rule(
    "KAR074",
    Severity.WARNING,
    source=f"{DISRUPTION}: a budget bounds the nodes that are disrupted at the same time (2026-11); kubernetes-sigs/karpenter#6911",
    sample=Sample(
        "disruption.budgets",
        lambda: eks_pool(
            replicas=500, disruption=Disruption(budgets=[Budget(nodes="1"), Budget(nodes="0", schedule="0 3 * * sun", duration="166h")])
        ),
    ),
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


@rule(
    "KAR075",
    Severity.NOTE,
    source="https://github.com/kubernetes-sigs/karpenter/blob/v1.14.0/pkg/apis/v1/nodepool.go (2026-11): GetScaledValueFromIntOrPercent, rounded up",
    sample=Sample("disruption.budgets[0].nodes", lambda: eks_pool(replicas=3, disruption=Disruption(budgets=[Budget(nodes="10%")]))),
)
def percentage_below_one_node(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter rounds percentages in disruption budgets up: 1% of 3 nodes is 1 node, a third of them."""
    most, is_exact = _most_nodes(pool)
    for index, budget in enumerate(pool.disruption.budgets if pool.disruption.budgets is not None else ()):
        nodes = BudgetNodes(budget.nodes)
        if most is not None and nodes.is_percentage and 0 < int(budget.nodes[:-1]) * most < _WHOLE:
            of = f"{'' if is_exact else 'at most '}{counted(most, 'node')}"
            message = f"`{budget.nodes}` of {of} is less than one node: Karpenter rounds it up to 1 node at a time"
            yield finding(pool, message, path=(*_AT, index, "nodes"))


@rule(
    "KAR076",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/disruption/#expiration (2026-11): expiration is forceful, no budget applies to it",
    sample=Sample("expire_after", lambda: eks_pool(expire_after="10m")),
)
def node_expiry_below_one_day(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter drains each node at its age in `expire_after`, whatever the disruption budgets: nodes launched together expire together."""
    age = pool.expire_after
    if age is not None and age != NEVER and seconds(age) < _DAY:
        message = f"Karpenter drains each node {age} after its launch, whatever the disruption budgets: nodes launched together expire together"
        fix = Fix(f"Set {ref('expire_after')} to more than the longest run of a pod, such as {literal('24h')}", (set_to("expire_after", "24h"),))
        yield finding(pool, message, path="expire_after", fix=fix)


@rule(
    "KAR077",
    Severity.NOTE,
    source="https://karpenter.sh/docs/concepts/disruption/#consolidation (2026-11): consolidateAfter, by default 0s",
    sample=Sample("disruption.consolidate_after", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("reserved")])),
)
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
