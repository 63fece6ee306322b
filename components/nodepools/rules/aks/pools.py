"""Agent pools: keys, sizes, taints, spot."""

import re
from collections.abc import Iterator
from decimal import Decimal

from nodepools.model.aks.agent_pool import AgentPool, Autoscale, Spot
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import SystemPool, UserPool
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, Operation, remove, rename, sentence, set_to
from nodepools.rules.engine.registry import NAMES_OF_RESOURCES, Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks

_KEY = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_SYSTEM_NODES = 2
_NODES_IN_PRODUCTION = 3
_PRICE_DECIMALS = 5


@rule(
    "AKS001",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/create-node-pools: names of node pools",
    sample=Sample("pools.Web_1", lambda: aks(pools={"Web_1": UserPool(vm_size=SIZE)})),
    limits=(NAMES_OF_RESOURCES,),
)
def invalid_agent_pool_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The key of an agent pool is part of its name and a label value: at most 63 lowercase letters, digits and hyphens, a letter first."""
    for key in cluster.pools:
        if not _KEY.fullmatch(key):
            message = f"`{key}` cannot be the key of an agent pool: a key is part of the name of the pool"
            fix = "Use at most 63 lowercase letters, digits and hyphens, with a letter first and no hyphen at the end"
            yield finding(cluster, message, path=("pools", key), value=key, fix=fix)


@rule(
    "AKS002",
    Severity.ERROR,
    source="nodepools: `system` is the key of `system_pool`",
    sample=Sample("pools.system", lambda: aks(pools={"system": UserPool(vm_size=SIZE)})),
    limits=(NAMES_OF_RESOURCES,),
)
def reserved_pool_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The key `system` belongs to `system_pool`."""
    if "system" in cluster.pools:
        message = f"The key `system` is taken: it is the key of {ref('system_pool')}"
        yield finding(cluster, message, path=("pools", "system"), value="system", fix=rename(("pools", "system"), _free_key(cluster)))


@rule(
    "AKS010",
    Severity.ERROR,
    source="https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update: minCount, maxCount",
    sample=Sample("scale.min", lambda: UserPool(vm_size=SIZE, scale=Autoscale(3, 2))),
)
def min_above_max(scale: Autoscale) -> Iterator[PartFinding]:
    """The autoscaling minimum of a pool cannot be greater than its maximum."""
    if scale.min > scale.max:
        message = f"{ref('min')} ({scale.min}) is greater than {ref('max')} ({scale.max})"
        yield finding(scale, message, path="min", fix=f"Lower {ref('min')} to {literal(scale.max)}, or raise {ref('max')} to {literal(scale.min)}")


@rule(
    "AKS011",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/cluster-autoscaler: the count must lie within the range",
    sample=Sample("count", lambda: UserPool(vm_size=SIZE, count=9, scale=Autoscale(1, 5))),
)
def count_outside_autoscale_range(pool: AgentPool) -> Iterator[PartFinding]:
    """The cluster autoscaler does not correct the size of a pool that is created outside its autoscaling range."""
    if pool.count is not None and pool.scale is not None and pool.scale.min <= pool.scale.max and not pool.scale.min <= pool.count <= pool.scale.max:
        bounds = f"{pool.scale.min} to {pool.scale.max}"
        message = f"{ref('count')} ({pool.count}) is outside the autoscaling range {bounds}, and the autoscaler does not correct it"
        yield finding(pool, message, path="count", fix=set_to("count", max(pool.scale.min, min(pool.count, pool.scale.max))))


@rule(
    "AKS012",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: count of a system pool is 1 to 1000",
    sample=Sample("scale.min", lambda: SystemPool(vm_size=SIZE, scale=Autoscale(0, 3))),
)
def empty_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS requires at least one node in a system pool."""
    if pool.count == 0:
        message = f"{ref('count')} is 0: AKS requires at least one node in a system pool"
        yield finding(pool, message, path="count", fix=_of_which_one_can_fail(set_to("count", _SYSTEM_NODES)))
    if pool.scale is not None and pool.scale.min == 0:
        message = "This system pool can scale to zero: AKS requires at least one node in a system pool"
        least = set_to("min", _SYSTEM_NODES)
        both = (least, set_to("max", _SYSTEM_NODES)) if pool.scale.max < _SYSTEM_NODES else (least,)
        yield finding(pool.scale, message, path="min", fix=_of_which_one_can_fail(*both))


def _of_which_one_can_fail(*least: Operation) -> Fix:
    return Fix(f"{sentence(least)} (AKS accepts 1, but cluster DNS then fails with its node)", least)


@rule(
    "AKS013",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: at least two nodes, three recommended",
    sample=Sample("system_pool", lambda: aks(system_pool={"count": 1})),
)
def single_system_node(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires at least two nodes in the system pools of a cluster and recommends three: cluster DNS and metrics fail with a single node."""
    if _system_nodes(cluster) == 1:
        message = "The only system pool of the cluster can have a single node: if it fails, cluster DNS and metrics fail with it"
        yield finding(cluster, message, path="system_pool", fix=_two_nodes(cluster))


@rule(
    "AKS104",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: three nodes are recommended in production",
    sample=Sample("system_pool", lambda: aks(system_pool={"count": 2})),
)
def two_system_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure recommends three nodes in the system pools of a production cluster."""
    if _system_nodes(cluster) == _SYSTEM_NODES:
        message = f"The system pools together can have only {_SYSTEM_NODES} nodes: Azure recommends {_NODES_IN_PRODUCTION} in production"
        yield finding(cluster, message, path="system_pool")


@rule(
    "AKS014",
    Severity.ERROR,
    source="AKS API error SystemPoolHasRestrictedTaint (Azure/AKS#2578)",
    sample=Sample("taints[0]", lambda: SystemPool(vm_size=SIZE, taints=[Taint("dedicated", "system")])),
)
def hard_taint_on_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS rejects NoSchedule and NoExecute taints on system pools, except `CriticalAddonsOnly`."""
    for taint in pool.taints:
        if taint.is_hard and taint.key != "CriticalAddonsOnly":
            message = f"AKS rejects the taint `{taint}` on a system pool (SystemPoolHasRestrictedTaint)"
            soft = "Move the taint to a user pool, or set its effect to `PreferNoSchedule`, which only discourages other pods"
            yield finding(taint, message, fix=Fix(soft, (set_to("effect", "PreferNoSchedule"),)))


@rule(
    "AKS015",
    Severity.ERROR,
    source="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1: taints are unique by key and effect",
    sample=Sample("taints[1]", lambda: UserPool(vm_size=SIZE, taints=[Taint("team", "ml"), Taint("team", "web")])),
)
def duplicate_agent_pool_taint(pool: AgentPool) -> Iterator[PartFinding]:
    """A node cannot have two taints with the same key and effect; the taints that its kind of pool adds count too."""
    first = {(taint.key, taint.effect): taint for taint in pool.own_taints}
    for index, taint in enumerate(pool.taints):
        other = first.setdefault((taint.key, taint.effect), taint)
        if other != taint:
            message = f"The taint `{taint}` has the same key and effect as `{other}`: a node can have only one of them"
            yield finding(pool, message, path=("taints", index), fix=remove(("taints", index)))


@rule(
    "AKS016",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: -1, or positive with up to five decimal places",
    sample=Sample("spot.max_price", lambda: UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot(max_price=0))),
)
def invalid_spot_price(spot: Spot) -> Iterator[PartFinding]:
    """The maximum spot price is -1 (the on-demand price) or positive, with at most five decimals."""
    price = Decimal(str(spot.max_price))
    if not price.is_finite() or (price != -1 and (price <= 0 or round(price, _PRICE_DECIMALS) != price)):
        message = f"{ref('max_price')} ({spot.max_price}) must be -1 (the on-demand price) or a positive price with at most five decimals"
        yield finding(spot, message, path="max_price", fix=set_to("max_price", -1))


@rule(
    "AKS017",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: the cluster autoscaler is recommended",
    sample=Sample("spot", lambda: UserPool(vm_size=SIZE, count=3, spot=Spot())),
)
def fixed_size_spot_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """Only the cluster autoscaler replaces evicted spot nodes."""
    if pool.scale is None and getattr(pool, "spot", None) is not None:
        message = f"Nodes that Azure evicts are not replaced: this spot pool has a fixed {ref('count')}"
        yield finding(pool, message, path="spot", fix=_autoscaled(pool))


@rule(
    "AKS018",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: B series are not supported for system node pools",
    sample=Sample("vm_size", lambda: SystemPool(vm_size="Standard_B4ms")),
)
def burstable_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS does not support VM sizes of the B series for system pools."""
    if re.match(r"Standard_B[0-9]", pool.vm_size, re.IGNORECASE):
        message = f"`{pool.vm_size}` is burstable (B series), which AKS does not support for system pools"
        yield finding(pool, message, path="vm_size", fix="Use a size of the D series, such as `Standard_D4ds_v5`")


@rule(
    "AKS008",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: CriticalAddonsOnly keeps applications off",
    sample=Sample("system_pool.isolated", lambda: aks(system_pool={"isolated": False})),
)
def system_pool_not_isolated(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without the taint `CriticalAddonsOnly` application pods can also run on system pools."""
    elsewhere = cluster.node_provisioning is not None or any(not isinstance(pool, SystemPool) for pool in cluster.pools.values())
    for key, pool in cluster.all_pools():
        if elsewhere and isinstance(pool, SystemPool) and not pool.isolated:
            path = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
            message = f"Application pods can run on the system pool `{key}` and take the capacity that cluster DNS needs"
            yield finding(cluster, message, path=(*path, "isolated"))


@rule(
    "AKS009",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview: one pool a zone, balance_similar_node_groups",
    sample=Sample("pools.web.zones", lambda: aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 5), zones=[1, 2])})),
)
def autoscaled_multi_zone_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """The cluster autoscaler does not choose the zone of a new node: pods with a volume in one zone can stay Pending."""
    if pool.scale is not None and len(pool.zones) > 1:
        message = (
            f"A pod with a volume in one zone can stay Pending: the pool spans {len(pool.zones)} zones, "
            "and the autoscaler cannot choose the zone of a new node"
        )
        yield finding(pool, message, path="zones")


def _free_key(cluster: AksClusterArgs) -> str:
    return next(key for number in range(2, len(cluster.pools) + 3) if (key := f"system{number}") not in cluster.pools)


def _two_nodes(cluster: AksClusterArgs) -> tuple[Operation, ...]:
    """Gives the first system pool at least two nodes."""
    pool = cluster.system_pool
    if pool.scale is None:
        return (set_to("system_pool.count", _SYSTEM_NODES),)
    least = set_to("system_pool.scale.min", _SYSTEM_NODES)
    return (least, set_to("system_pool.scale.max", _SYSTEM_NODES)) if pool.scale.max < _SYSTEM_NODES else (least,)


def _autoscaled(pool: AgentPool) -> tuple[Operation, ...]:
    """Replaces a fixed number of nodes by autoscaling up to the same number."""
    most = pool.count if pool.count else 1
    return (set_to("scale", Autoscale(0, most)), *((remove("count"),) if pool.count is not None else ()))


def _system_nodes(cluster: AksClusterArgs) -> int:
    """The fewest nodes that its system pools have together."""
    return sum(pool.fewest_nodes for _, pool in cluster.all_pools() if isinstance(pool, SystemPool))
