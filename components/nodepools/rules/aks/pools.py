"""Agent pools: keys, sizes, taints, labels, spot, and placement. Facts: docs/facts/aks.md § 2.3, § 2.7."""

import re
from collections.abc import Iterator
from decimal import Decimal

from nodepools.clouds.aks.agent_pool_nodes import is_spot
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.regions import azure_regions
from nodepools.model.aks.agent_pool import AgentPool, Autoscale, Spot, SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, free_key
from nodepools.model.kubernetes.label import Taint, domain
from nodepools.model.name_limits import azure_name
from nodepools.rules.engine.finding import Fix, Operation, PartFinding, literal, ref, remove, rename, sentence, set_to
from nodepools.rules.engine.registry import NAMES_OF_RESOURCES, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import NEAR, RESERVED, SIZE, aks
from nodepools.rules.platform.labels import invalid_labels, invalid_taint

_KUBELETS_OWN = re.compile(r"(.+\.)?(kubelet|node)\.kubernetes\.io")
_SET_BY_AKS = frozenset({"node.kubernetes.io/instance-type", "topology.kubernetes.io/region", "topology.kubernetes.io/zone"})
_LEGACY = frozenset({"agentpool", "storageprofile", "storagetier", "accelerator"})
_LABELS_PAGE = "https://learn.microsoft.com/azure/aks/use-labels"


@error("AKS021", f"{_LABELS_PAGE}: reserved system labels and prefixes")
@sample('labels["kubernetes.azure.com/mode"]', lambda: UserPool(vm_size=SIZE, labels={"kubernetes.azure.com/mode": "user"}))
def reserved_label(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects labels under `kubernetes.azure.com/` and `kubernetes.io/`, and labels that it sets itself."""
    for key, value in pool.labels.items():
        if (domain(key) in ("kubernetes.azure.com", "kubernetes.io") or key in _SET_BY_AKS) and pool.own_labels.get(key) != value:
            message = f"AKS rejects the label `{key}`: the key is reserved"
            yield finding(pool, message, path=("labels", key), fix=_own_prefix(key))


@error(
    "AKS022", "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction; the kubelet does not start with others"
)
@sample('labels["node-role.kubernetes.io/worker"]', lambda: UserPool(vm_size=SIZE, labels={"node-role.kubernetes.io/worker": "true"}))
def kubelet_restricted_label(pool: AgentPool) -> Iterator[PartFinding]:
    """Nodes cannot set labels under `*.kubernetes.io` and `*.k8s.io` on themselves, except `node.kubernetes.io` and `kubelet.kubernetes.io`."""
    for key in pool.labels:
        where = domain(key)
        of_kubernetes = where == "k8s.io" or where.endswith((".kubernetes.io", ".k8s.io"))
        if (
            of_kubernetes
            and key not in _SET_BY_AKS
            and not _KUBELETS_OWN.fullmatch(where)
            and not re.fullmatch(r"(failure-domain\.)?beta\.kubernetes\.io", where)
        ):
            message = f"The kubelet does not start with the label `{key}`: nodes cannot set labels under `{where}` on themselves"
            yield finding(pool, message, path=("labels", key), fix=_own_prefix(key))


@error("AKS023", "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set")
@sample("labels.team", lambda: UserPool(vm_size=SIZE, labels={"team": "web & mobile"}))
def invalid_agent_pool_label(pool: AgentPool) -> Iterator[PartFinding]:
    """A label has a qualified name as its key and a value of at most 63 letters, digits, `-`, `_` and `.`."""
    yield from invalid_labels(pool)


@error("AKS024", "https://learn.microsoft.com/azure/aks/use-node-taints: validated as upstream Kubernetes does")
@sample("taints[0].key", lambda: UserPool(vm_size=SIZE, taints=[Taint("team!", "ml")]))
def invalid_agent_pool_taint(taint: Taint, _: AgentPool) -> Iterator[PartFinding]:
    """A taint has a qualified name as its key and a label value, or no value."""
    yield from invalid_taint(taint)


@warning("AKS025", f"{_LABELS_PAGE}: deprecated labels")
@sample("labels.agentpool", lambda: UserPool(vm_size=SIZE, labels={"agentpool": "web"}))
def legacy_label(pool: AgentPool) -> Iterator[PartFinding]:
    """`agentpool`, `storageprofile`, `storagetier` and `accelerator` are legacy labels that AKS sets itself."""
    for key in pool.labels:
        if key in _LEGACY:
            fix = f"Remove the label, or use a prefix of your own, such as `example.com/{key}`"
            yield finding(pool, f"`{key}` is a legacy label whose value AKS sets itself", path=("labels", key), fix=fix)


def _own_prefix(key: str) -> str:
    return f"Use a prefix of your own, such as `example.com/{key.rpartition('/')[2]}`"


_RESERVATIONS = "https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview (2026-02)"


@error("AKS038", "https://learn.microsoft.com/azure/aks/reduce-latency-ppg: a proximity placement group requires a node pool to use only one zone")
@sample("proximity_placement_group_id", lambda: UserPool(vm_size=SIZE, zones=[1, 2], proximity_placement_group_id=NEAR))
def multi_zone_proximity_placement_group(pool: AgentPool) -> Iterator[PartFinding]:
    """A proximity placement group is in one zone, and so are the pools that use it."""
    if pool.proximity_placement_group_id is not None and len(pool.zones) > 1:
        message = f"A proximity placement group is in one zone: AKS rejects it for a pool in {len(pool.zones)} zones"
        fix = f"Set {ref('zones')} to one zone, or remove {ref('proximity_placement_group_id')}"
        yield finding(pool, message, path="proximity_placement_group_id", fix=fix)


@error("AKS329", "https://learn.microsoft.com/azure/reliability/regions-list: regions without availability zones (2026-08)")
@sample("pools.web.zones", lambda: aks(location="westus", pools={"web": UserPool(vm_size=SIZE, zones=[1])}))
def zones_in_region_without(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Some regions of Azure have no availability zones: AKS rejects zones there (AvailabilityZoneNotSupported)."""
    if pool.zones and azure_name(cluster.location) in azure_regions().without_zones:
        message = f"`{cluster.location}` has no availability zones: AKS rejects {ref('zones')} there (AvailabilityZoneNotSupported)"
        yield finding(pool, message, path="zones", fix=f"Remove {ref('zones')}, or deploy to a region with availability zones")


@warning("AKS188", "Azure's SKU list of 2025-06: LowPriorityCapable=False for sizes of the Bv1 series")
@sample("vm_size", lambda: UserPool(vm_size="Standard_B4ms", scale=Autoscale(0, 5), spot=Spot()))
def burstable_spot_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure does not sell sizes of the first B series as spot capacity."""
    size = azure_vm_sizes().get(pool.vm_size)
    if is_spot(pool) and size is not None and not size.is_sold_as_spot:
        message = f"Azure lists `{pool.vm_size}` as not available for spot: AKS can reject the pool"
        yield finding(pool, message, path="vm_size", fix=f"Use a size such as `{SIZE}`, or remove {ref('spot')}")


@error("AKS190", f"{_RESERVATIONS}: spot VMs, dedicated hosts, proximity placement groups and ultra disks are not supported")
@sample("capacity_reservation_group_id", lambda: UserPool(vm_size=SIZE, capacity_reservation_group_id=RESERVED, proximity_placement_group_id=NEAR))
def unsupported_capacity_reservation(pool: AgentPool) -> Iterator[PartFinding]:
    """Capacity reservations do not support spot, dedicated hosts, proximity placement groups and ultra disks."""
    for field, what in _unreserved(pool) if pool.capacity_reservation_group_id is not None else ():
        message = f"Azure does not support {what} together with a capacity reservation group"
        fix = f"Remove {ref('capacity_reservation_group_id')} or {ref(field)}"
        yield finding(pool, message, path="capacity_reservation_group_id", fix=fix)


def _unreserved(pool: AgentPool) -> Iterator[tuple[str, str]]:
    """Fields of a pool that capacity reservations do not support, and what they mean."""
    if is_spot(pool):
        yield "spot", "spot capacity"
    if pool.host_group_id is not None:
        yield "host_group_id", "dedicated hosts"
    if pool.proximity_placement_group_id is not None:
        yield "proximity_placement_group_id", "a proximity placement group"
    if pool.ultra_ssd:
        yield "ultra_ssd", "ultra disks"


_KEY = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
_SYSTEM_NODES = 2
_NODES_IN_PRODUCTION = 3
_PRICE_DECIMALS = 5


@error("AKS001", "https://learn.microsoft.com/azure/aks/create-node-pools: names of node pools")
@limited(NAMES_OF_RESOURCES)
@sample("pools.Web_1", lambda: aks(pools={"Web_1": UserPool(vm_size=SIZE)}))
def invalid_agent_pool_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The key of an agent pool is part of its name and a label value: at most 63 lowercase letters, digits and hyphens, a letter first."""
    for key in cluster.pools:
        if not _KEY.fullmatch(key):
            message = f"`{key}` cannot be the key of an agent pool: a key is part of the name of the pool"
            fix = "Use at most 63 lowercase letters, digits and hyphens, with a letter first and no hyphen at the end"
            yield finding(cluster, message, path=("pools", key), value=key, fix=fix)


@error("AKS002", "nodepools: `system` is the key of `system_pool`")
@limited(NAMES_OF_RESOURCES)
@sample("pools.system", lambda: aks(pools={"system": UserPool(vm_size=SIZE)}))
def reserved_pool_key(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The key `system` belongs to `system_pool`."""
    if "system" in cluster.pools:
        message = f"The key `system` is taken: it is the key of {ref('system_pool')}"
        yield finding(cluster, message, path=("pools", "system"), value="system", fix=rename(("pools", "system"), free_key(cluster.pools)))


@error("AKS010", "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update: minCount, maxCount")
@sample("scale.min", lambda: UserPool(vm_size=SIZE, scale=Autoscale(3, 2)))
def min_above_max(scale: Autoscale) -> Iterator[PartFinding]:
    """The autoscaling minimum of a pool cannot be greater than its maximum."""
    if scale.min > scale.max:
        message = f"{ref('min')} ({scale.min}) is greater than {ref('max')} ({scale.max})"
        yield finding(scale, message, path="min", fix=f"Lower {ref('min')} to {literal(scale.max)}, or raise {ref('max')} to {literal(scale.min)}")


@warning("AKS011", "https://learn.microsoft.com/azure/aks/cluster-autoscaler: the count must lie within the range")
@sample("count", lambda: UserPool(vm_size=SIZE, count=9, scale=Autoscale(1, 5)))
def count_outside_autoscale_range(pool: AgentPool) -> Iterator[PartFinding]:
    """The cluster autoscaler does not correct the size of a pool that is created outside its autoscaling range."""
    if pool.count is not None and pool.scale is not None and pool.scale.min <= pool.scale.max and not pool.scale.min <= pool.count <= pool.scale.max:
        bounds = f"{pool.scale.min} to {pool.scale.max}"
        message = f"{ref('count')} ({pool.count}) is outside the autoscaling range {bounds}, and the autoscaler does not correct it"
        yield finding(pool, message, path="count", fix=set_to("count", max(pool.scale.min, min(pool.count, pool.scale.max))))


@error("AKS012", "https://learn.microsoft.com/azure/aks/use-system-pools: count of a system pool is 1 to 1000")
@sample("scale.min", lambda: SystemPool(vm_size=SIZE, scale=Autoscale(0, 3)))
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


@warning("AKS013", "https://learn.microsoft.com/azure/aks/use-system-pools: at least two nodes, three recommended")
@sample("system_pool", lambda: aks(system_pool={"count": 1}))
def single_system_node(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires at least two nodes in the system pools of a cluster and recommends three: cluster DNS and metrics fail with a single node."""
    if _system_nodes(cluster) == 1:
        message = "The only system pool of the cluster can have a single node: if it fails, cluster DNS and metrics fail with it"
        yield finding(cluster, message, path="system_pool", fix=_two_nodes(cluster))


@note("AKS104", "https://learn.microsoft.com/azure/aks/use-system-pools: three nodes are recommended in production")
@sample("system_pool", lambda: aks(system_pool={"count": 2}))
def two_system_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure recommends three nodes in the system pools of a production cluster."""
    if _system_nodes(cluster) == _SYSTEM_NODES:
        message = f"The system pools together can have only {_SYSTEM_NODES} nodes: Azure recommends {_NODES_IN_PRODUCTION} in production"
        yield finding(cluster, message, path="system_pool")


@error("AKS014", "AKS API error SystemPoolHasRestrictedTaint (Azure/AKS#2578)")
@sample("taints[0]", lambda: SystemPool(vm_size=SIZE, taints=[Taint("dedicated", "system")]))
def hard_taint_on_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS rejects NoSchedule and NoExecute taints on system pools, except `CriticalAddonsOnly`."""
    for taint in pool.taints:
        if taint.is_hard and taint.key != "CriticalAddonsOnly":
            message = f"AKS rejects the taint `{taint}` on a system pool (SystemPoolHasRestrictedTaint)"
            soft = "Move the taint to a user pool, or set its effect to `PreferNoSchedule`, which only discourages other pods"
            yield finding(taint, message, fix=Fix(soft, (set_to("effect", "PreferNoSchedule"),)))


@error("AKS015", "https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/node-v1: taints are unique by key and effect")
@sample("taints[1]", lambda: UserPool(vm_size=SIZE, taints=[Taint("team", "ml"), Taint("team", "web")]))
def duplicate_agent_pool_taint(pool: AgentPool) -> Iterator[PartFinding]:
    """A node cannot have two taints with the same key and effect; the taints that its kind of pool adds count too."""
    first = {(taint.key, taint.effect): taint for taint in pool.own_taints}
    for index, taint in enumerate(pool.taints):
        other = first.setdefault((taint.key, taint.effect), taint)
        if other != taint:
            message = f"The taint `{taint}` has the same key and effect as `{other}`: a node can have only one of them"
            yield finding(pool, message, path=("taints", index), fix=remove(("taints", index)))


@error("AKS016", "https://learn.microsoft.com/azure/aks/spot-node-pool: -1, or positive with up to five decimal places")
@sample("spot.max_price", lambda: UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot(max_price=0)))
def invalid_spot_price(spot: Spot) -> Iterator[PartFinding]:
    """The maximum spot price is -1 (the on-demand price) or positive, with at most five decimals."""
    price = Decimal(str(spot.max_price))
    if not price.is_finite() or (price != -1 and (price <= 0 or round(price, _PRICE_DECIMALS) != price)):
        message = f"{ref('max_price')} ({spot.max_price}) must be -1 (the on-demand price) or a positive price with at most five decimals"
        yield finding(spot, message, path="max_price", fix=set_to("max_price", -1))


@warning("AKS017", "https://learn.microsoft.com/azure/aks/spot-node-pool: the cluster autoscaler is recommended")
@sample("spot", lambda: UserPool(vm_size=SIZE, count=3, spot=Spot()))
def fixed_size_spot_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """Only the cluster autoscaler replaces evicted spot nodes."""
    if pool.scale is None and is_spot(pool):
        message = f"Nodes that Azure evicts are not replaced: this spot pool has a fixed {ref('count')}"
        yield finding(pool, message, path="spot", fix=_autoscaled(pool))


@warning("AKS018", "https://learn.microsoft.com/azure/aks/use-system-pools: B series are not supported for system node pools")
@sample("vm_size", lambda: SystemPool(vm_size="Standard_B4ms"))
def burstable_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS does not support VM sizes of the B series for system pools."""
    if re.match(r"Standard_B[0-9]", pool.vm_size, re.IGNORECASE):
        message = f"`{pool.vm_size}` is burstable (B series), which AKS does not support for system pools"
        yield finding(pool, message, path="vm_size", fix="Use a size of the D series, such as `Standard_D4ds_v5`")


@note("AKS008", "https://learn.microsoft.com/azure/aks/use-system-pools: CriticalAddonsOnly keeps applications off")
@sample("system_pool.isolated", lambda: aks(system_pool={"isolated": False}))
def system_pool_not_isolated(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without the taint `CriticalAddonsOnly` application pods can also run on system pools."""
    elsewhere = cluster.node_provisioning is not None or any(not isinstance(pool, SystemPool) for pool in cluster.pools.values())
    for key, pool in cluster.all_pools():
        if elsewhere and isinstance(pool, SystemPool) and not pool.isolated:
            path = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
            message = f"Application pods can run on the system pool `{key}` and take the capacity that cluster DNS needs"
            yield finding(cluster, message, path=(*path, "isolated"))


@note("AKS009", "https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview: one pool a zone, balance_similar_node_groups")
@sample("pools.web.zones", lambda: aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 5), zones=[1, 2])}))
def autoscaled_multi_zone_pool(pool: AgentPool) -> Iterator[PartFinding]:
    """The cluster autoscaler does not choose the zone of a new node: pods with a volume in one zone can stay Pending."""
    if pool.scale is not None and len(pool.zones) > 1:
        message = (
            f"A pod with a volume in one zone can stay Pending: the pool spans {len(pool.zones)} zones, "
            "and the autoscaler cannot choose the zone of a new node"
        )
        yield finding(pool, message, path="zones")


def _two_nodes(cluster: AksClusterArgs) -> tuple[Operation, ...]:
    """Gives the first system pool at least two nodes."""
    pool = cluster.system_pool
    if pool is None or pool.scale is None:
        return (set_to("system_pool.count", _SYSTEM_NODES),)
    least = set_to("system_pool.scale.min", _SYSTEM_NODES)
    return (least, set_to("system_pool.scale.max", _SYSTEM_NODES)) if pool.scale.max < _SYSTEM_NODES else (least,)


def _autoscaled(pool: AgentPool) -> tuple[Operation, ...]:
    """Replaces a fixed number of nodes by autoscaling up to the same number."""
    most = pool.count if pool.count else 1
    return (set_to("scale", Autoscale(0, most)), *((remove("count"),) if pool.count is not None else ()))


def _system_nodes(cluster: AksClusterArgs) -> int:
    """The fewest nodes that its system pools have together; 0 without a first one, which is another finding, or AKS's."""
    return (
        0
        if cluster.hosted_system or cluster.system_pool is None
        else sum(pool.fewest_nodes for _, pool in cluster.all_pools() if isinstance(pool, SystemPool))
    )
