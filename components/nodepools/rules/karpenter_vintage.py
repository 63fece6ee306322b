"""What not every Karpenter of today takes, and what a declaration means otherwise than it seems. Facts: docs/facts/eks.md § 3.2, § 4.7, § 5.3."""

import re
from collections.abc import Iterator

from nodepools.model.aks.provisioning import AksNodePool, NodeProvisioning
from nodepools.model.disruption import Budget, Disruption
from nodepools.model.eks.auto_mode import AutoMode, EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.kubernetes.label import POOL_LABEL, domain
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks_pool, auto_mode, eks_pool

_DISRUPTION = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
_HOUR = 3600
_KNOWN = ("amazonaws.com", "azure.com", "k8s.aws", "k8s.io", "karpenter.sh", "kubernetes.io")
_OF_A_CLAIM = 100
_GENERATED = frozenset({"karpenter.sh/nodepool", "node.kubernetes.io/instance-type", "karpenter.sh/capacity-type", POOL_LABEL, "the node class"})
"""Labels that Karpenter puts on every claim, and our own."""


@rule(
    "KAR014",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-static-capacity.html: limits.nodes above replicas, for replacing",
    sample=lambda: eks_pool(replicas=3, limits={"nodes": 3}),
)
def no_room_to_replace_static_node(pool: NodePool) -> Iterator[PartFinding]:
    """A static pool has a node to spare above its replicas: replacing one starts the new one first."""
    if pool.replicas and "nodes" in pool.limits and amount(str(pool.limits["nodes"])) == pool.replicas:
        yield finding(pool, "leaves no room to replace a node", at=("limits", "nodes"), fix=f"write {pool.replicas + 1} or more")


@rule(
    "KAR023",
    Severity.WARNING,
    source=f"{_DISRUPTION}: every start of a schedule lasts as long as duration says",
    sample=lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9-17 * * mon-fri", duration="8h")]),
)
def overlapping_budget_windows(budget: Budget) -> Iterator[PartFinding]:
    """A schedule says when a budget begins: `0 9-17` begins nine times a day, and with 8h holds until 01:00."""
    hours = budget.schedule.split()[1] if budget.schedule is not None and len(budget.schedule.split()) == 5 else ""  # noqa: PLR2004  # cron
    spans = re.fullmatch(r"[0-9]+-[0-9]+", hours) is not None
    if spans and budget.duration is not None and seconds(budget.duration) > _HOUR:
        first = hours.partition("-")[0]
        fix = f'name the first hour alone: "{first}", with the whole duration'
        yield finding(budget, f"begins in each hour of {hours}, and holds {budget.duration} from the last", at="schedule", fix=fix)


@rule(
    "KAR024",
    Severity.ERROR,
    source="NodePool CRD of node auto provisioning: reasons",
    sample=lambda: aks_pool(disruption=Disruption(budgets=[Budget(reasons=["NodeNotHealthy"])])),
)
def budget_reason_rejected_by_aks(budget: Budget, _: AksNodePool) -> Iterator[PartFinding]:
    """AKS knows the reasons Underutilized, Empty and Drifted."""
    if "NodeNotHealthy" in budget.reasons:
        yield finding(budget, "is no reason of node auto provisioning", at="reasons", fix="remove NodeNotHealthy")


@rule(
    "KAR080",
    Severity.ERROR,
    source="NodePool CRD of node auto provisioning: reasons, a set",
    sample=lambda: aks_pool(disruption=Disruption(budgets=[Budget(reasons=["Drifted", "Drifted"])])),
)
def duplicate_budget_reason(budget: Budget, _: AksNodePool) -> Iterator[PartFinding]:
    """Node auto provisioning rejects a budget that names a reason twice."""
    for index, reason in enumerate(budget.reasons):
        if reason in budget.reasons[:index]:
            yield finding(budget, f"`{reason}` is listed twice: the API server rejects it", at=("reasons", index), fix="Remove one of the two")


@rule(
    "EKS056",
    Severity.WARNING,
    source="NodePool CRD of EKS Auto Mode, 2024-12: NodeNotHealthy; in no release of Karpenter",
    sample=lambda: eks_pool(disruption=Disruption(budgets=[Budget(reasons=["NodeNotHealthy"])])),
)
def undocumented_budget_reason(budget: Budget, _: EksNodePool) -> Iterator[PartFinding]:
    """NodeNotHealthy was a reason of Auto Mode in 2024-12; whether it still is, is not documented."""
    if "NodeNotHealthy" in budget.reasons:
        yield finding(budget, "was a reason in 2024-12, and may be refused today", at="reasons", fix="remove NodeNotHealthy")


@rule(
    "EKS057",
    Severity.WARNING,
    source="Karpenter 1.9, 2026-01-28; in the user guide of Auto Mode since 2026-06, in no CRD of it that was published",
    sample=lambda: eks_pool(Requirement("eks.amazonaws.com/instance-cpu", "Gte", ["4"])),
)
def recent_requirement_operator(requirement: Requirement, _: EksNodePool) -> Iterator[PartFinding]:
    """Gte and Lte are operators since 2026; Gt and Lt are in every Auto Mode."""
    if requirement.operator in ("Gte", "Lte"):
        bound = int(requirement.values[0])
        same = f'Gt "{bound - 1}"' if requirement.operator == "Gte" else f'Lt "{bound + 1}"'
        fix = f"write {same}, which every version takes" if bound or requirement.operator == "Lte" else "write Exists"
        yield finding(requirement, "is an operator that older versions of Auto Mode refuse", at="operator", fix=fix)


@rule(
    "KAR049",
    Severity.ERROR,
    source="NodeClaim CRD: 100 requirements, those that Karpenter adds among them",
    sample=lambda: eks_pool(*(Requirement(f"example.com/l{number}", "In", ["x"]) for number in range(95))),
)
def too_many_labels(pool: NodePool) -> Iterator[PartFinding]:
    """Requirements and labels together, with those that Karpenter adds, are 100 labels at most: its claims for nodes hold no more."""
    count = len({*(requirement.key for requirement in pool.requirements), *pool.labels, *_GENERATED})
    if count > _OF_A_CLAIM:
        message = f"ask for {count} labels with those that Karpenter adds: no node can be claimed"
        yield finding(pool, message, at="requirements", value=None, fix=f"leave out {count - _OF_A_CLAIM}")


@rule(
    "KAR050",
    Severity.NOTE,
    source="https://karpenter.sh/docs/concepts/scheduling/: a custom label without values is given one at random",
    sample=lambda: eks_pool(Requirement("team", "Exists")),
)
def label_exists_requirement(requirement: Requirement, _: NodePool) -> Iterator[PartFinding]:
    """A label of your own that merely exists is whatever a pod asks for, or a random number where none does."""
    if requirement.operator == "Exists" and not requirement.values and not domain(requirement.key).endswith(_KNOWN):
        yield finding(
            requirement, "gives nodes the value that a pod asks for, or a random number", at="operator", fix="write In with the values that are meant"
        )


@rule(
    "KAR051",
    Severity.NOTE,
    source="Karpenter, pkg/scheduling/taints.go: every taint must be tolerated; relaxed last",
    sample=lambda: eks_pool(taints=[Taint("team", "ml", "PreferNoSchedule")]),
)
def soft_taint(taint: Taint, pool: NodePool) -> Iterator[PartFinding]:
    """To Karpenter PreferNoSchedule is as hard as the others, until nothing else is left: it starts nodes in other pools first."""
    if taint.effect == "PreferNoSchedule" and taint in pool.taints:
        yield finding(taint, "keeps Karpenter from starting nodes here until no other pool will do", at="effect", fix="keep it where that is meant")


@rule(
    "KAR052",
    Severity.NOTE,
    source="Karpenter, OrderByWeight: higher weight first, then the name later in the alphabet",
    sample=lambda: auto_mode({"arm": eks_pool(weight=10), "web": eks_pool(weight=10)}),
)
def equal_weights(holder: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """Of pools with one weight the name later in the alphabet is tried first."""
    last: dict[object, str] = {}
    for name, pool in holder.node_pools.items():
        last[_rivalry(pool)] = max(name, last.get(_rivalry(pool), name))
    for name, pool in holder.node_pools.items():
        first = last[_rivalry(pool)]
        if first != name and pool.replicas is None:
            message = f"comes after {first}, of the same weight: the later name is tried first"
            yield finding(holder, message, at=("node_pools", name), value=name, fix="give them weights, if their order matters")


def _rivalry(pool: NodePool) -> object:
    """What pools have in common that the same pods could go to; a static one has none."""
    return (pool.weight, pool.taints, pool.labels, pool.replicas is None)
