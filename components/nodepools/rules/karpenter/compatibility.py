"""Features that not every current Karpenter supports, and settings with an unexpected meaning. Facts: docs/facts/eks.md § 3.2, § 4.7, § 5.3."""

import re
from collections.abc import Iterator, Sequence

from nodepools.model.aks.cluster import AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.eks.node_class import AutoMode, EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.kubernetes.label import POOL_LABEL, Taint, domain, integer
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.maintenance import Budget, Disruption
from nodepools.rules.engine.finding import FixLike, PartFinding, certain, ref, remove, set_to
from nodepools.rules.engine.registry import DECLARED_FIELDS, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import aks_pool, auto_mode, eks_pool

_DISRUPTION = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
_HEALTH = ("Unhealthy", "NodeNotHealthy")
"""Reasons that not every NodePool CRD has."""
_HOUR = 3600
_BALANCED_BY_DEFAULT = (1, 37)
_KNOWN = ("amazonaws.com", "azure.com", "k8s.aws", "k8s.io", "karpenter.sh", "kubernetes.io")
_OF_A_CLAIM = 100
_GENERATED = frozenset({"karpenter.sh/nodepool", "node.kubernetes.io/instance-type", "karpenter.sh/capacity-type", POOL_LABEL, "the node class"})
"""Labels that Karpenter puts on every NodeClaim, and the label of this library."""


@warning("KAR014", "https://docs.aws.amazon.com/eks/latest/userguide/auto-static-capacity.html: limits.nodes above replicas, for replacing")
@sample("limits.nodes", lambda: eks_pool(replicas=3, limits={"nodes": 3}))
def no_room_to_replace_static_node(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter launches the replacement of a node in a static NodePool first, which needs room in `limits.nodes`."""
    if pool.replicas and "nodes" in pool.limits and amount(str(pool.limits["nodes"])) == pool.replicas:
        at = ("limits", "nodes")
        message = f"Karpenter cannot launch replacements for nodes: {ref(at)} equals {ref('replicas')} ({pool.replicas})"
        yield finding(pool, message, path=at, fix=set_to(at, str(pool.replicas + 1)))


@warning("KAR023", f"{_DISRUPTION}: every start of a schedule lasts as long as duration says")
@sample("budgets[0].schedule", lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9-17 * * mon-fri", duration="8h")]))
def overlapping_budget_windows(budget: Budget) -> Iterator[PartFinding]:
    """A schedule says when a window starts: `0 9-17` starts nine windows a day, and with 8h the last one ends at 01:00."""
    fields = budget.schedule.split() if budget.schedule is not None else []
    hours = fields[1] if len(fields) == 5 else ""  # noqa: PLR2004  # cron
    spans = re.fullmatch(r"[0-9]+-[0-9]+", hours) is not None
    if spans and budget.duration is not None and seconds(budget.duration) > _HOUR:
        once = " ".join([fields[0], hours.partition("-")[0], *fields[2:]])
        message = f"`{budget.schedule}` starts a window of {budget.duration} in every hour of {hours}, not one window over these hours"
        yield finding(budget, message, path="schedule", fix=set_to("schedule", once))


@error("KAR024", "NodePool CRDs of node auto provisioning and of Karpenter 1.15: reasons")
@sample("disruption.budgets[1].reasons", lambda: aks_pool(disruption=Disruption(budgets=[Budget(), Budget(reasons=["NodeNotHealthy"])])))
def rejected_budget_reason(budget: Budget, pool: NodePool, _: AksNodePool | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Node auto provisioning accepts the reasons Underutilized, Empty and Drifted; self-managed Karpenter 1.15 accepts Unhealthy, too."""
    for reason in _HEALTH:
        if reason in _reasons(budget) and reason not in pool.further_reasons:
            message = f"`{reason}` is not a disruption reason of this Karpenter: the API server rejects the NodePool"
            yield finding(budget, message, path="reasons", fix=_without(reason, budget))


@error("KAR080", "NodePool CRDs of node auto provisioning and of Karpenter 1.15: reasons, a set")
@sample("disruption.budgets[1].reasons[1]", lambda: aks_pool(disruption=Disruption(budgets=[Budget(), Budget(reasons=["Drifted", "Drifted"])])))
def duplicate_budget_reason(budget: Budget, _: AksNodePool | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Node auto provisioning and self-managed Karpenter reject a budget that lists a reason twice."""
    for index, reason in enumerate(_reasons(budget)):
        if reason in _reasons(budget)[:index]:
            message = f"The reason `{reason}` is listed twice: the API server rejects the budget"
            yield finding(budget, message, path=("reasons", index), fix=certain(remove(("reasons", index))))


@warning("EKS056", "NodePool CRD of EKS Auto Mode, 2024-12: NodeNotHealthy, in no release of Karpenter; CRD of Karpenter 1.15: Unhealthy")
@sample("disruption.budgets[1].reasons", lambda: eks_pool(disruption=Disruption(budgets=[Budget(), Budget(reasons=["NodeNotHealthy"])])))
def undocumented_budget_reason(budget: Budget, _: EksNodePool) -> Iterator[PartFinding]:
    """AWS documents neither `Unhealthy` of Karpenter 1.15 nor `NodeNotHealthy` of 2024-12 as a disruption reason of Auto Mode."""
    for reason, origin in zip(_HEALTH, ("Karpenter has it since 1.15", "Auto Mode had it in 2024-12"), strict=True):
        if reason in _reasons(budget):
            message = f"EKS may reject the disruption reason `{reason}` ({origin}), which AWS does not document"
            yield finding(budget, message, path="reasons", fix=_without(reason, budget))


@note(
    "EKS189", "https://docs.aws.amazon.com/eks/latest/userguide/auto-change.html, 2026-10-01: from 1.37, new NodePools without a policy get Balanced"
)
@limited(DECLARED_FIELDS)
@sample("auto_mode.node_pools.web.disruption", lambda: derive(auto_mode({"web": eks_pool()}), kubernetes_version="1.37"))
def policy_of_older_versions(pool: EksNodePool, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """From EKS 1.37, new NodePools get `Balanced` if they have no policy. NodePools of a declaration always have one: `WhenEmptyOrUnderutilized`."""
    is_newer = tuple(map(int, cluster.kubernetes_version.split("."))) >= _BALANCED_BY_DEFAULT
    if is_newer and "consolidation_policy" not in pool.disruption.model_fields_set:
        message = "The NodePool keeps `WhenEmptyOrUnderutilized`; from EKS 1.37, new ones without a policy get `Balanced`, which moves fewer pods"
        yield finding(pool, message, path="disruption")


@warning("EKS057", "Karpenter 1.9, 2026-01-28; in the user guide of Auto Mode since 2026-06, in no CRD of it that was published")
@sample("requirements[2].operator", lambda: eks_pool(Requirement("eks.amazonaws.com/instance-cpu", "Gte", ["4"])))
def recent_requirement_operator(requirement: Requirement, _: EksNodePool) -> Iterator[PartFinding]:
    """Auto Mode has the operators `Gte` and `Lte` since 2026; every version has `Gt` and `Lt`."""
    if requirement.operator in ("Gte", "Lte"):
        bound = int(requirement.values[0])
        operator, value = ("Gt", bound - 1) if requirement.operator == "Gte" else ("Lt", bound + 1)
        has_bound = 0 <= value == integer(str(value))
        same = (set_to("operator", operator), set_to("values", [str(value)])) if has_bound else (set_to("operator", "Exists"), remove("values"))
        message = f"Older versions of Auto Mode reject the operator `{requirement.operator}`"
        yield finding(requirement, message, path="operator", fix=certain(same))


@error("KAR049", "NodeClaim CRD: 100 requirements, those that Karpenter adds among them")
@sample("requirements", lambda: eks_pool(*(Requirement(f"example.com/l{number}", "In", ["x"]) for number in range(95))))
def too_many_labels(pool: NodePool) -> Iterator[PartFinding]:
    """A NodeClaim holds at most 100 requirements: those of the NodePool, its labels, and what Karpenter adds."""
    count = len({*(requirement.key for requirement in pool.requirements), *pool.labels, *_GENERATED})
    if count > _OF_A_CLAIM:
        message = (
            f"The NodePool has {count} requirements and labels, including those that Karpenter adds; a NodeClaim can have at most {_OF_A_CLAIM}: "
            "no node is ever launched"
        )
        yield finding(pool, message, path="requirements", value=None, fix=f"Remove at least {count - _OF_A_CLAIM} of the requirements and labels")


@note("KAR050", "https://karpenter.sh/docs/concepts/scheduling/: a custom label without values is given one at random")
@sample("requirements[2].operator", lambda: eks_pool(Requirement("team", "Exists")))
def label_exists_requirement(requirement: Requirement, _: NodePool) -> Iterator[PartFinding]:
    """If a NodePool only requires a custom label to exist, its nodes get the value that a pod selects, or a random number."""
    if requirement.operator == "Exists" and not requirement.values and not domain(requirement.key).endswith(_KNOWN):
        message = f"The requirement sets no value of `{requirement.key}`: nodes get the one that a pod selects, or a random number"
        yield finding(requirement, message, path="operator")


@note("KAR051", "Karpenter, pkg/scheduling/taints.go: every taint must be tolerated; relaxed last")
@sample("taints[0].effect", lambda: eks_pool(taints=[Taint("team", "ml", "PreferNoSchedule")]))
def soft_taint(taint: Taint, pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter treats `PreferNoSchedule` as a hard taint at first, and launches nodes in other NodePools before this one."""
    if taint.effect == "PreferNoSchedule" and taint in pool.taints:
        message = f"Pods that do not tolerate `{taint}` get nodes of other NodePools first: at the first try Karpenter reads it as `NoSchedule`"
        yield finding(taint, message, path="effect")


@note("KAR052", "Karpenter, OrderByWeight: higher weight first, then the name later in the alphabet")
@sample("auto_mode.node_pools.arm", lambda: auto_mode({"arm": eks_pool(weight=10), "web": eks_pool(weight=10)}))
def equal_weights(parent: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """Of NodePools with the same weight, Karpenter tries the one whose name is last in alphabetical order first."""
    last: dict[object, str] = {}
    for name, pool in parent.node_pools.items():
        last[_rivalry(pool)] = max(name, last.get(_rivalry(pool), name))
    for name, pool in parent.node_pools.items():
        first = last[_rivalry(pool)]
        if first != name and pool.replicas is None:
            message = f"The NodePools `{name}` and `{first}` have the same weight: Karpenter tries `{first}` first (last name in alphabetical order)"
            yield finding(parent, message, path=("node_pools", name), value=name)


def _rivalry(pool: NodePool) -> object:
    """The properties that NodePools for the same pods share."""
    return (pool.weight, pool.taints, pool.labels, pool.replicas is None)


def _reasons(budget: Budget) -> Sequence[str]:
    return budget.reasons if budget.reasons is not None else ()


def _without(unsupported: str, budget: Budget) -> FixLike:
    """The same budget without a reason; a budget without reasons would apply to all of them."""
    places = [place for place, reason in enumerate(_reasons(budget)) if reason == unsupported]
    if all(reason in _HEALTH for reason in _reasons(budget)):
        return "Remove the budget, or use the reasons `Underutilized`, `Empty` or `Drifted`"
    return tuple(remove(("reasons", place)) for place in reversed(places))
