"""What every Karpenter NodePool must obey: names, size, budgets, taints and labels."""

import re
from collections.abc import Iterator

from nodepools.model.aks.provisioning import NodeProvisioning
from nodepools.model.disruption import Budget, Disruption
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.cron import unreadable
from nodepools.model.kubernetes.label import is_key, is_value
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.labels import in_domain, misspelt_labels, misspelt_taint, named_labels
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks_pool

_CRD = "NodePool CRD (karpenter.sh/v1)"
_VALIDATION = "https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/apis/v1/nodepool_validation.go"
_DISRUPTION = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_NAME_LENGTH = 63
_LEAST_CPU = 2


@rule(
    "KAR001",
    Severity.ERROR,
    source="https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names; 63, since it is the value of a label",
    sample=lambda: auto_mode({"Web": eks_pool()}),
)
def invalid_object_name(holder: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """NodePools and node classes are named in lower-case letters, digits, hyphens and dots, 63 at most."""
    for field, names in (("node_pools", holder.node_pools), ("node_classes", holder.node_classes)):
        for name in names:
            if len(name) > _NAME_LENGTH or not _NAME.fullmatch(name):
                fix = "use lower-case letters, digits and hyphens, a letter or digit at both ends, 63 at most"
                yield finding(holder, "cannot name an object in the cluster", at=(field, name), value=name, fix=fix)


@rule(
    "KAR002",
    Severity.NOTE,
    source="Karpenter, nodeclaimtemplate.go: claims are called by their pool and a random word",
    sample=lambda: auto_mode({"web.eu": eks_pool()}),
)
def dot_in_node_pool_name(holder: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """NodePools are better named without dots, though they may have some: their claims are named after them, and labels carry the name."""
    for name in holder.node_pools:
        if "." in name:
            yield finding(holder, "has a dot, and so has the name of every claim of it", at=("node_pools", name), value=name, fix="write a hyphen")


@rule("KAR010", Severity.ERROR, source=f"{_CRD}: 'weight' is not supported on static NodePools", sample=lambda: eks_pool(replicas=3, weight=10))
def weight_of_static_pool(pool: NodePool) -> Iterator[PartFinding]:
    """A static pool, one with `replicas`, has no weight."""
    if pool.replicas is not None and pool.weight is not None:
        yield finding(pool, "is refused beside replicas", at="weight", fix="remove weight, or replicas")


@rule(
    "KAR011",
    Severity.ERROR,
    source=f"{_CRD}: only 'limits.nodes' is supported on static NodePools",
    sample=lambda: eks_pool(replicas=3, limits={"cpu": 100}),
)
def limits_of_static_pool(pool: NodePool) -> Iterator[PartFinding]:
    """A static pool may limit `nodes`, nothing else."""
    for resource in pool.limits:
        if pool.replicas is not None and resource != "nodes":
            yield finding(pool, "is refused beside replicas: only nodes can be limited", at=("limits", resource), fix="limit nodes, or remove it")


@rule(
    "KAR012",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/nodepools: static NodePools, limits.nodes bounds replicas",
    sample=lambda: eks_pool(replicas=3, limits={"nodes": 2}),
)
def replicas_above_node_limit(pool: NodePool) -> Iterator[PartFinding]:
    """A static pool never has more nodes than `limits.nodes`."""
    if pool.replicas is not None and "nodes" in pool.limits and amount(str(pool.limits["nodes"])) < pool.replicas:
        yield finding(
            pool, f"is less than the {pool.replicas} replicas", at=("limits", "nodes"), fix=f"write {pool.replicas + 1}: one to spare, for replacing"
        )


@rule(
    "KAR013",
    Severity.ERROR,
    source="Karpenter adds no node beyond limits; neither EKS Auto Mode nor node auto provisioning offers sizes of less than 2 vCPU",
    sample=lambda: eks_pool(limits={"cpu": "1500m"}),
)
def limit_below_one_node(pool: NodePool) -> Iterator[PartFinding]:
    """A limit is 0, which turns the pool off, or room for one node at least; a negative one is admitted, and never works."""
    for resource, quantity in pool.limits.items():
        limit = amount(str(quantity))
        if limit < 0 or (resource == "cpu" and 0 < limit < _LEAST_CPU):
            yield finding(
                pool, "is less than any node has: none is ever started", at=("limits", resource), fix="raise it, or write 0 to turn the pool off"
            )


@rule(
    "KAR020",
    Severity.ERROR,
    source=f"{_CRD}: 'schedule' must be set with 'duration'",
    sample=lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9 * * mon-fri")]),
)
def budget_schedule_without_duration(budget: Budget) -> Iterator[PartFinding]:
    """A budget has a schedule and a duration, or neither."""
    if (budget.schedule is None) is not (budget.duration is None):
        field, other = ("schedule", "duration") if budget.duration is None else ("duration", "schedule")
        yield finding(budget, f"needs a {other}", at=field, fix=f"add {other}, or remove {field}")


@rule(
    "KAR021",
    Severity.ERROR,
    source=f"{_DISRUPTION}; Go's robfig/cron, ParseStandard: a schedule that it cannot read allows no disruption at all",
    sample=lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9 * * sat-sun", duration="8h")]),
)
def invalid_budget_schedule(budget: Budget) -> Iterator[PartFinding]:
    """A schedule is five cron fields, UTC, Sunday 0 and first; the cluster admits any other, and then disrupts nothing, ever."""
    why = unreadable(budget.schedule) if budget.schedule is not None else None
    if why is not None:
        yield finding(
            budget, f"{why}: nothing would ever be disrupted", at="schedule", fix='write five fields, days 0-6 from Sunday: "0 9 * * sat,sun"'
        )


@rule(
    "KAR022",
    Severity.WARNING,
    source=f"{_DISRUPTION}: the most restrictive budget wins",
    sample=lambda: Disruption(budgets=[Budget(nodes="0")]),
)
def budget_always_zero(budget: Budget) -> Iterator[PartFinding]:
    """A budget of zero without a schedule forbids consolidation and upgrades for good, whatever the others say."""
    if budget.nodes.rstrip("%").strip("0") == "" and budget.schedule is None and not budget.reasons:
        yield finding(
            budget,
            "forbids every disruption for good: nodes are not upgraded until they expire",
            at="nodes",
            fix="add schedule and duration, or reasons",
        )


@rule(
    "KAR030",
    Severity.ERROR,
    source=f"{_VALIDATION}: duplicate taint Key/Effect pair",
    sample=lambda: eks_pool(taints=[Taint("team", "ml")], startup_taints=[Taint("team", "web")]),
)
def duplicate_node_pool_taint(pool: NodePool) -> Iterator[PartFinding]:
    """A key and effect stands once in taints and startup_taints together; else the pool is never ready."""
    seen: set[tuple[str, str]] = set()
    for field, taints in (("taints", pool.taints), ("startup_taints", pool.startup_taints)):
        for index, taint in enumerate(taints):
            if (taint.key, taint.effect) in seen:
                yield finding(pool, f"is there twice: {taint.key} with {taint.effect}", at=(field, index), fix="keep one of them")
            seen.add((taint.key, taint.effect))


@rule("KAR031", Severity.ERROR, source=f"{_VALIDATION}: labels", sample=lambda: eks_pool(labels={"team": "web & mobile"}))
def invalid_node_pool_label(pool: NodePool) -> Iterator[PartFinding]:
    """Labels of nodes are a qualified name and up to 63 letters, digits, `-`, `_` and `.`; else the pool is never ready."""
    yield from misspelt_labels(pool)


@rule("KAR032", Severity.ERROR, source=f"{_VALIDATION}: taints", sample=lambda: eks_pool(taints=[Taint("team!", "ml")]))
def invalid_node_pool_taint(taint: Taint, _: NodePool) -> Iterator[PartFinding]:
    """A taint has a qualified name as key, and the value of a label, or none."""
    yield from misspelt_taint(taint)


@rule("KAR033", Severity.ERROR, source=f"{_VALIDATION}: requirements", sample=lambda: eks_pool(Requirement("team", "In", ["web & mobile"])))
def invalid_requirement(requirement: Requirement) -> Iterator[PartFinding]:
    """A requirement has a qualified name as key, and values that labels can have; else the pool is never ready."""
    if not is_key(requirement.key):
        yield finding(requirement, "is not the name of a label", at="key", fix="write team, or example.com/team")
    for index, value in enumerate(requirement.values):
        if not is_value(value):
            yield finding(requirement, "is not the value of a label", at=("values", index), fix="use letters, digits, -, _ and ., 63 at most")


@rule(
    "KAR034",
    Severity.ERROR,
    source="https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/apis/v1/labels.go: restricted labels",
    sample=lambda: eks_pool(labels={"karpenter.sh/nodepool": "web"}),
)
def reserved_karpenter_label(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter sets its labels itself, `karpenter.sh/capacity-type` aside, and any whose domain ends as its own; a host name cannot be asked for."""
    for key, at in named_labels(pool):
        if (in_domain(key, "karpenter.sh") and key != "karpenter.sh/capacity-type") or key == "kubernetes.io/hostname":
            yield finding(pool, "is no label that a NodePool may name", at=at, value=key, fix="remove it")
