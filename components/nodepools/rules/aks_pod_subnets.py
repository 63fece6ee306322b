"""Pods in a subnet of their own, and how many nodes and pods a subnet has addresses for. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Network
from typing import Final

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.pool_settings import Autoscale
from nodepools.model.aks.pools import UserPool, WindowsPool
from nodepools.model.steps import Steps
from nodepools.needs.aks_pod_addresses import BATCH, PODS_IN_A_SUBNET, RESERVED, is_flat, max_pods, static_blocks
from nodepools.needs.aks_subnets import OWN_PODS, in_pod_subnets, node_subnets, own_pod_subnet
from nodepools.needs.aks_surge import surge
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, remove, set_to
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_STATIC = "https://learn.microsoft.com/azure/aks/configure-azure-cni-static-block-allocation#limitations"
_DYNAMIC = "https://learn.microsoft.com/azure/aks/configure-azure-cni-dynamic-ip-allocation"
_POD_SUBNET = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-pod-subnet"
_FULL = "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-insufficientsubnetsize"
_LARGEST_STATIC: Final = 12
_WITH_RESERVED: Final = 2
"""Blocks of a subnet that contain addresses reserved by Azure: the first and the last."""
_SMALLEST: Final = 29
"""Prefix length of the smallest subnet of Azure."""
_FLAT: Final[Mapping[str, object]] = {"plugin_mode": None}


@rule(
    "AKS224",
    Severity.ERROR,
    source=f"{_STATIC}: at most a /12; one mode of allocation a subnet; no Windows Server 2019",
    sample=lambda: aks(
        network=ExistingAksNetwork(subnet_id="nodes", pod_subnet_id="pods"),
        network_profile=_FLAT,
        pools={"web": UserPool(vm_size=SIZE, pod_ip_allocation="StaticBlock")},
    ),
)
def pod_subnet_allocation_conflict(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pod subnet has one allocation mode for all its pools, and static blocks need a /12 or smaller; Windows Server 2019 is not supported."""
    first: dict[str, str] = {}
    for nodes, subnet in in_pod_subnets(cluster):
        key, pool = nodes.key, nodes.pool
        mode = pool.pod_ip_allocation or "DynamicIndividual"
        if mode != first.setdefault(subnet, mode):
            at = (*_parent(cluster, key, pool), "pod_ip_allocation")
            message = f"`{key}` has the IP allocation mode `{mode}`, but other pools of its pod subnet have `{first[subnet]}`: a subnet has one mode"
            text = f"Set {ref(at)} to {literal(first[subnet])}, or {ref((*at[:-1], 'pod_subnet_id'))} to another subnet"
            yield finding(cluster, message, path=at, value=mode, fix=Fix(text, (set_to(at, first[subnet]),)))
        if isinstance(pool, WindowsPool) and pool.os_sku == "Windows2019":
            message = f"AKS does not support Windows Server 2019 with pod subnets, and the pods of `{key}` have one"
            yield finding(cluster, message, path=("pools", key, "os_sku"), fix=set_to(("pools", key, "os_sku"), "Windows2022"))
    own = cluster.network.pod_subnet_cidr if isinstance(cluster.network, AksNetworkArgs) else None
    if own is not None and first.get(OWN_PODS) == "StaticBlock" and IPv4Network(own).prefixlen < _LARGEST_STATIC:
        at = ("network", "pod_subnet_cidr")
        message = f"The pod subnet `{own}` is too large for static blocks: AKS accepts a /{_LARGEST_STATIC} or smaller"
        smaller = f"{IPv4Network(own).network_address}/{_LARGEST_STATIC}"
        yield finding(cluster, message, path=at, fix=set_to(at, smaller))


@rule(
    "AKS225",
    Severity.ERROR,
    source=f"{_POD_SUBNET}: a node starts with 16 addresses, or has a /28 for each 16 pods; SubnetIsFull",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/26"}, network_profile=_FLAT),
)
def pod_subnet_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes that get no addresses from their pod subnet never become ready: it needs enough for the minimum sizes of its pools."""
    yield from _crowded(cluster, lambda pool: pool.fewest_nodes, certain=True)


@rule(
    "AKS226",
    Severity.WARNING,
    source=f"{_POD_SUBNET}: a node starts with 16 addresses, or has a /28 for each 16 pods; InsufficientSubnetSize, with max counts",
    sample=lambda: aks(
        network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/25"},
        network_profile=_FLAT,
        pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 9))},
    ),
)
def pod_subnet_too_small_at_max_scale(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pools cannot scale out beyond the addresses of their pod subnet."""
    if not any(_crowded(cluster, lambda pool: pool.fewest_nodes, certain=True)):
        yield from _crowded(cluster, lambda pool: pool.most_nodes, certain=False)


@rule(
    "AKS227",
    Severity.ERROR,
    source=f"{_FULL}: nodes and their pods, with max counts, are more than the addresses of the subnet: the request is rejected",
    sample=lambda: aks(network={"cidr": "10.10.0.0/24"}, network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, count=5)}),
)
def node_subnet_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects a node subnet with too few addresses for all nodes that its pools can have, and for their pods if these have no own range."""
    for at, cidr, room, pools in _node_subnets(cluster):
        requested = sum(pool.most_nodes * each for pool, each in pools)
        if requested > room:
            message = f"AKS rejects the node subnet `{cidr}`: it has {room:,} usable addresses, and nodes{_with_pods(cluster)} can need {requested:,}"
            yield finding(cluster, message, path=at, value=cidr, fix=_larger(cluster, at))


@rule(
    "AKS052",
    Severity.WARNING,
    source=f"{_FULL}: nodes of an upgrade need addresses too",
    sample=lambda: aks(network={"cidr": "10.10.0.0/22"}, network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, count=5)}),
)
def node_subnet_too_small_for_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The surge nodes of an upgrade also take addresses of the node subnet, and so do their pods if these have no range of their own."""
    for at, cidr, room, pools in _node_subnets(cluster):
        requested = sum(pool.most_nodes * each for pool, each in pools)
        more = max(surge(pool, at_least=True) * each for pool, each in pools)
        if requested <= room < requested + more:
            needs = f"during an upgrade nodes{_with_pods(cluster)} can need {requested + more:,}"
            message = f"The node subnet `{cidr}` has {room:,} usable addresses; {needs}"
            yield finding(cluster, message, path=at, value=cidr, fix=_larger(cluster, at))


@rule(
    "AKS228",
    Severity.WARNING,
    source=f"{_DYNAMIC}#azure-cni-pod-subnet---dynamic-ip-allocation-and-enhanced-subnet-support-faqs: the entire cluster uses one type of CNI",
    sample=lambda: aks(network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, pod_subnet_id="pods")}),
)
def mixed_pod_subnets(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents one kind of pod networking for a cluster: all pools have pod subnets, or none has."""
    if not is_flat(cluster) or own_pod_subnet(cluster) is not None:
        return
    apart = [key for key, pool in cluster.all_pools() if pool.pod_subnet_id is not None]
    if apart and len(apart) <= len(cluster.pools):
        message = (
            f"The pool `{apart[0]}` has a pod subnet, and other pools have none: "
            "according to its documentation, AKS requires one on all pools or on none"
        )
        at = (*(("pools", apart[0]) if apart[0] in cluster.pools else ("system_pool",)), "pod_subnet_id")
        yield finding(cluster, message, path=at, fix=f"Remove {ref(at)}, or set it on all pools")


@rule(
    "AKS234",
    Severity.ERROR,
    source="https://github.com/Azure/AKS/issues/2927: cannot use a custom subnet because another agent pool is using a managed subnet",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, vnet_subnet_id="subnet")}, network=ManagedAksNetwork()),
)
def subnet_in_managed_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects custom subnets in a cluster whose first pool is in a subnet that AKS manages."""
    if isinstance(cluster.network, ManagedAksNetwork):
        for key, pool in cluster.pools.items():
            if pool.vnet_subnet_id is not None:
                at = ("pools", key, "vnet_subnet_id")
                message = f"AKS rejects a custom subnet for `{key}`: the first pool of the cluster is in a subnet that AKS manages"
                yield finding(cluster, message, path=at, fix=Fix(f"Remove {ref(at)}, or set it on the first pool too", (remove(at),)))


def _parent(cluster: AksClusterArgs, key: str, pool: AgentPool) -> tuple[Step, ...]:
    return ("system_pool",) if pool is cluster.system_pool else ("pools", key)


def _crowded(cluster: AksClusterArgs, size: Callable[[AgentPool], int], *, certain: bool) -> Iterator[PartFinding]:
    """A finding if pools of this `size` need more blocks than the created pod subnet has."""
    pools = [nodes.pool for nodes, subnet in in_pod_subnets(cluster) if subnet == OWN_PODS]
    cidr = cluster.network.pod_subnet_cidr if isinstance(cluster.network, AksNetworkArgs) else None
    if not pools or cidr is None or IPv4Network(cidr).prefixlen > _SMALLEST:  # AKS144 tells it
        return
    addresses = IPv4Network(cidr).num_addresses
    is_static = any(pool.pod_ip_allocation == "StaticBlock" for pool in pools)
    room = addresses // BATCH - (0 if certain else _WITH_RESERVED) if is_static else (addresses - RESERVED) // BATCH
    requested = sum(size(pool) * _blocks(pool) for pool in pools)
    if requested > room:
        verb = "need" if certain else "can need"
        at = ("network", "pod_subnet_cidr")
        message = f"The pod subnet `{cidr}` has {max(room, 0):,} batches of {BATCH} addresses; the nodes of its pools {verb} {requested:,} batches"
        yield finding(cluster, message, path=at, value=cidr, fix=f"Set {ref(at)} to a larger range")


def _blocks(pool: AgentPool) -> int:
    """Batches of addresses that a node reserves at once."""
    return static_blocks(max_pods(pool, PODS_IN_A_SUBNET)) if pool.pod_ip_allocation == "StaticBlock" else 1


def _node_subnets(cluster: AksClusterArgs) -> Iterator[tuple[Steps, str, int, list[tuple[AgentPool, int]]]]:
    """Subnets that are created for nodes: path, range, usable addresses, and the pools with the addresses that each of their nodes needs."""
    if not isinstance(cluster.network, AksNetworkArgs):
        return
    for subnet in node_subnets(cluster):
        if subnet.cidr is not None and subnet.usable is not None and IPv4Network(subnet.cidr).prefixlen <= _SMALLEST:
            yield subnet.at, subnet.cidr, subnet.usable, [(nodes.pool, subnet.each(nodes.pool)) for nodes in subnet.nodes]


def _with_pods(cluster: AksClusterArgs) -> str:
    return " and pods" if is_flat(cluster) else ""


def _larger(cluster: AksClusterArgs, path: tuple[Step, ...]) -> str:
    overlay = f", or {ref('network_profile.plugin_mode')} to {literal('overlay')}" if is_flat(cluster) else ""
    return f"Set {ref(path)} to a larger range{overlay}"
