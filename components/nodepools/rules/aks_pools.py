"""What AKS asks of agent pools: names, sizes, taints, spot."""

import re
from collections.abc import Iterator
from decimal import Decimal

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_parts import Autoscale, Spot
from nodepools.model.aks.pools import AgentPool, SystemPool, UserPool
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_KEY = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_SYSTEM_NODES = 2
_PRICE_DECIMALS = 5


@rule(
    "AKS001",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/create-node-pools: names of node pools",
    sample=lambda: aks(pools={"Web_1": UserPool(vm_size=SIZE)}),
)
def impossible_pool_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The key of an agent pool begins its name and is the value of a label: lower-case letters, digits and hyphens, a letter first, 63 at most."""
    for key in cluster.pools:
        if not _KEY.fullmatch(key):
            yield finding(
                cluster,
                "cannot name an agent pool",
                at=("pools", key),
                value=key,
                fix="use lower-case letters, digits and hyphens, a letter first and no hyphen last, 63 at most",
            )


@rule(
    "AKS002",
    Severity.ERROR,
    source="nodepools: `system` is the key of `system_pool`",
    sample=lambda: aks(pools={"system": UserPool(vm_size=SIZE)}),
)
def key_of_the_first_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`system` is the key of `system_pool`, which is a pool as the others are."""
    if "system" in cluster.pools:
        yield finding(cluster, "is the key of system_pool", at=("pools", "system"), value="system", fix="give this pool another key")


@rule(
    "AKS010",
    Severity.ERROR,
    source="https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update: minCount, maxCount",
    sample=lambda: UserPool(vm_size=SIZE, scale=Autoscale(3, 2)),
)
def least_above_most(scale: Autoscale) -> Iterator[PartFinding]:
    """The fewest nodes of a scale cannot be more than the most."""
    if scale.min > scale.max:
        yield finding(scale, f"is more than the most, {scale.max}", at="min", fix=f"write Autoscale({scale.max}, {scale.min})")


@rule(
    "AKS011",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/cluster-autoscaler: the count must lie within the range",
    sample=lambda: UserPool(vm_size=SIZE, count=9, scale=Autoscale(1, 5)),
)
def count_outside_of_scale(pool: AgentPool) -> Iterator[PartFinding]:
    """The first size of an autoscaled pool lies within its scale; the autoscaler does not bring a pool into range by itself."""
    if pool.count is not None and pool.scale is not None and pool.scale.min <= pool.scale.max and not pool.scale.min <= pool.count <= pool.scale.max:
        yield finding(
            pool,
            f"lies outside of the scale, {pool.scale.min} to {pool.scale.max}",
            at="count",
            fix="leave count out: the pool begins with scale.min",
        )


@rule(
    "AKS012",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: count of a system pool is 1 to 1000",
    sample=lambda: SystemPool(vm_size=SIZE, scale=Autoscale(0, 3)),
)
def empty_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """A system pool never has zero nodes, neither at first nor by scaling."""
    if pool.count == 0:
        yield finding(pool, "leaves a system pool without nodes", at="count", fix="write 2 or more")
    if pool.scale is not None and pool.scale.min == 0:
        yield finding(pool.scale, "lets a system pool be scaled to zero", at="min", fix="write 2 or more")


@rule(
    "AKS013",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: at least two nodes, three recommended",
    sample=lambda: aks(system_pool={"count": 1}),
)
def single_system_node(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The system pools of a cluster have two nodes at least, better three: on one, DNS and metrics go with it."""
    if _system_nodes(cluster) == 1:
        yield finding(cluster, "is the only system pool, and may have a single node", at="system_pool", fix="set count, or scale.min, to 2 or more")


@rule(
    "AKS104",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: three nodes are recommended in production",
    sample=lambda: aks(system_pool={"count": 2}),
)
def two_system_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The system pools of a cluster in production have three nodes."""
    if _system_nodes(cluster) == _SYSTEM_NODES:
        yield finding(cluster, "may have two nodes: three are recommended in production", at="system_pool", fix="set count, or scale.min, to 3")


@rule(
    "AKS014",
    Severity.ERROR,
    source="AKS API error SystemPoolHasRestrictedTaint (Azure/AKS#2578)",
    sample=lambda: SystemPool(vm_size=SIZE, taints=[Taint("dedicated", "system")]),
)
def hard_taint_on_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS refuses NoSchedule and NoExecute taints on system pools, `CriticalAddonsOnly` aside."""
    for taint in pool.taints:
        if taint.is_hard and taint.key != "CriticalAddonsOnly":
            yield finding(taint, "is refused on a system pool", fix="remove it, or use PreferNoSchedule")


@rule(
    "AKS015",
    Severity.ERROR,
    source="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1: taints are unique by key and effect",
    sample=lambda: UserPool(vm_size=SIZE, taints=[Taint("team", "ml"), Taint("team", "web")]),
)
def taint_given_twice(pool: AgentPool) -> Iterator[PartFinding]:
    """A node has one taint of a key and effect; those that come with the kind of pool count."""
    first = {(taint.key, taint.effect): taint for taint in pool.own_taints}
    for taint in pool.taints:
        other = first.setdefault((taint.key, taint.effect), taint)
        if other != taint:
            yield finding(taint, f"has the key and the effect of {other}", fix="keep one of them")


@rule(
    "AKS016",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: -1, or positive with up to five decimal places",
    sample=lambda: UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot(max_price=0)),
)
def impossible_spot_price(spot: Spot) -> Iterator[PartFinding]:
    """The most to pay for spot capacity is -1, the on-demand price, or positive, with five decimals at most."""
    price = Decimal(str(spot.max_price))
    if not price.is_finite() or (price != -1 and (price <= 0 or round(price, _PRICE_DECIMALS) != price)):
        yield finding(
            spot, "is no price: Azure takes -1, or a positive price of five decimals at most", at="max_price", fix="write -1, or such a price"
        )


@rule(
    "AKS017",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: the cluster autoscaler is recommended",
    sample=lambda: UserPool(vm_size=SIZE, count=3, spot=Spot()),
)
def spot_pool_of_fixed_size(pool: AgentPool) -> Iterator[PartFinding]:
    """Evicted spot nodes come back by the autoscaler only: a pool of a fixed size melts away."""
    if pool.scale is None and getattr(pool, "spot", None) is not None:
        yield finding(pool, "has a fixed size: nodes that are evicted do not come back", at="spot", fix="add scale=Autoscale(0, …)")


@rule(
    "AKS018",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: B series are not supported for system node pools",
    sample=lambda: SystemPool(vm_size="Standard_B4ms"),
)
def burstable_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """VM sizes of the B series are not supported for system pools."""
    if re.match(r"Standard_B[0-9]", pool.vm_size, re.IGNORECASE):
        yield finding(pool, "is burstable, and not supported for system pools", at="vm_size", fix="take a D series, such as Standard_D4ds_v5")


@rule(
    "AKS008",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/use-system-pools: CriticalAddonsOnly keeps applications off",
    sample=lambda: aks(system_pool={"isolated": False}),
)
def applications_beside_the_system(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Where there are pools for applications, those of the system are better left to it."""
    elsewhere = cluster.node_provisioning is not None or any(not isinstance(pool, SystemPool) for pool in cluster.pools.values())
    for key, pool in cluster.all_pools():
        if elsewhere and isinstance(pool, SystemPool) and not pool.isolated:
            holder = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
            yield finding(cluster, "lets applications crowd out pods of the system", at=(*holder, "isolated"), fix="leave it out")


@rule(
    "AKS009",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview: one pool a zone, balance_similar_node_groups",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 5), zones=[1, 2])}),
)
def scaled_across_zones(pool: AgentPool) -> Iterator[PartFinding]:
    """The autoscaler does not choose the zone within a pool: pods with a volume in one zone may wait for a node in it."""
    if pool.scale is not None and len(pool.zones) > 1:
        yield finding(pool, "is scaled without regard to zones", at="zones", fix="for pods with volumes make a pool a zone; else know it")


def _system_nodes(cluster: AksClusterArgs) -> int:
    """The fewest nodes that its system pools have together."""
    return sum(pool.fewest_nodes for _, pool in cluster.all_pools() if isinstance(pool, SystemPool))
