"""Subnets of nodes and pods: their outbound types, private API servers, and the addresses that nodes and pods have.

Facts: docs/facts/aks.md § 2.7, § 8.
"""

from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Network
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import (
    BATCH,
    OWN_PODS,
    PODS_IN_A_SUBNET,
    RESERVED,
    in_pod_subnets,
    is_flat,
    max_pods,
    node_subnets,
    own_pod_subnet,
    static_blocks,
    surge,
)
from nodepools.model.aks.agent_pool import AgentPool, Autoscale, HostPorts, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, LoadBalancer, ManagedAksNetwork, ManagedNatGateway, NatGateway
from nodepools.model.cidr import inside, overlap
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.platform import Platform
from nodepools.model.steps import Step, Steps
from nodepools.rules.aks.cluster import node_network, subnet_ids
from nodepools.rules.engine.finding import REPLACES, Fix, FixLike, Operation, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import API_VERSIONS, NETWORKS, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import ADDRESS, PODS, PREFIX, SIZE, SUBNET, aks
from nodepools.wire.aks.network import network_id

_SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/{}/subnets/a"
_PRIVATE = "https://learn.microsoft.com/azure/aks/private-clusters"
_KEPT_BY_AZURE = 5
_SMALLEST_SUBNET = 29
_MINUTE, _IDLE = 60, (4, 120)


@error("AKS048", "Azure API reference, podIPAllocationMode: must be used with a pod subnet")
@sample("pools.web.pod_ip_allocation", lambda: aks(pools={"web": UserPool(vm_size=SIZE, pod_ip_allocation="StaticBlock")}))
def pod_ip_allocation_without_subnet(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts an IP allocation mode only for pools whose pods have a pod subnet."""
    if pool.pod_ip_allocation is not None and pool.pod_subnet_id is None and not _has_pod_subnet(cluster):
        message = f"AKS rejects {ref('pod_ip_allocation')} without a pod subnet, and this pool has none"
        yield finding(pool, message, path="pod_ip_allocation", fix=remove("pod_ip_allocation"))


@error("AKS049", "https://learn.microsoft.com/azure/aks/configure-azure-cni-dynamic-ip-allocation: pod subnets are not for overlay")
@sample("pools.web.pod_subnet_id", lambda: aks(pools={"web": UserPool(vm_size=SIZE, pod_subnet_id=PODS)}))
def pod_subnet_in_overlay(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support pod subnets with overlay networking, where pods have a range outside the virtual network."""
    if cluster.network_profile.plugin_mode != "overlay" or cluster.network_profile.plugin != "azure":
        return
    first = next((pool.pod_subnet_id for _, pool in cluster.all_pools()), None)
    for key, pool in cluster.all_pools():
        if pool.pod_subnet_id is not None:
            message = f"AKS does not support {ref('pod_subnet_id')} with overlay networking"
            allocation = pool.pod_ip_allocation is not None and not _has_pod_subnet(cluster)
            removed = (remove("pod_subnet_id"), *([remove("pod_ip_allocation")] if allocation else []))
            yield finding(pool, message, path="pod_subnet_id", fix=removed, value=key)
    of_resources = first is not None and getattr(cluster.network, "pod_subnet_id", None) == first  # their first pool has both
    if _has_pod_subnet(cluster) and not of_resources:
        at = ("network", "pod_subnet_cidr" if isinstance(cluster.network, AksNetworkArgs) else "pod_subnet_id")
        message = "AKS does not support a pod subnet with overlay networking"
        yield finding(cluster, message, path=at, fix=(remove(at), *_without_allocation(cluster)))


@error("AKS050", "https://learn.microsoft.com/azure/aks/node-pools: all subnets of a cluster's pools are of one virtual network")
@sample(
    "pools.api.vnet_subnet_id",
    lambda: aks(
        network=ExistingAksNetwork(subnet_id=_SUBNET.format("one")), pools={"api": UserPool(vm_size=SIZE, vnet_subnet_id=_SUBNET.format("two"))}
    ),
)
def subnets_of_two_networks(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """All subnets of a cluster must be in one virtual network."""
    first = node_network(cluster, platform)
    for steps, subnet in (*subnet_ids(cluster), *_of_the_server(cluster)):
        network, name = network_id(subnet).lower(), subnet.lower().rpartition("/")[2]
        if network == subnet.lower():  # no id of a subnet
            continue
        first = network if first is None else first
        if not network.endswith(first):
            message = f"The subnet `{name}` is in another virtual network than the cluster's other subnets: AKS requires one network for all of them"
            yield finding(cluster, message, path=steps, fix=f"Set {ref(steps)} to a subnet of that virtual network")


@error(
    "AKS144", "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: the smallest subnet is a /29, of which Azure keeps 5 addresses"
)
@limited(NETWORKS)
@sample("network.node_subnet_cidr", lambda: aks(network={"cidr": "10.10.0.0/16", "node_subnet_cidr": "10.10.0.0/31"}))
def subnet_below_azure_minimum(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """The smallest subnet of Azure is a /29; Azure reserves 5 addresses of each subnet."""
    node_field = "node_subnet_cidr" if network.node_subnet_cidr is not None else "cidr"
    ranges: list[tuple[tuple[Step, ...], str]] = [((node_field,), network.node_range)]
    ranges += [(("pod_subnet_cidr",), network.pod_subnet_cidr)] if network.pod_subnet_cidr is not None else []
    ranges += [(("pool_subnets", key), cidr) for key, cidr in network.pool_subnets.items()]
    for at, cidr in ranges:
        if IPv4Network(cidr).prefixlen > _SMALLEST_SUBNET:
            message = f"Azure rejects the subnet `{cidr}`: the smallest is a /{_SMALLEST_SUBNET}, of which Azure reserves {_KEPT_BY_AZURE} addresses"
            yield finding(network, message, path=at, fix=f"Set {ref(at)} to a larger range, such as a /24")


@warning("AKS053", "Azure API reference, loadBalancerProfile: of outbound type loadBalancer; one kind of outbound address")
@sample(
    "network_profile.load_balancer", lambda: aks(network_profile={"load_balancer": LoadBalancer(managed_outbound_ips=2, outbound_ip_ids=[ADDRESS])})
)
def conflicting_outbound_addresses(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A load balancer has outbound addresses of one kind: managed by AKS, public IPs or prefixes. With a NAT gateway they have no effect."""
    balancer, outbound = cluster.network_profile.load_balancer, cluster.network_profile.outbound_type
    if balancer is None:
        return
    kinds = [field for field in ("managed_outbound_ips", "outbound_ip_ids", "outbound_ip_prefix_ids") if getattr(balancer, field) not in (None, ())]
    if len(kinds) > 1:
        names = " and ".join(map(ref, kinds))
        message = f"{names} cannot be set together: a load balancer has one kind of outbound address"
        yield finding(balancer, message, fix=f"Keep one of {names}")
    if outbound not in ("loadBalancer", "userDefinedRouting") and kinds:  # routes do not even go together with it: AKS208
        message = f"The outbound addresses of the load balancer have no effect with the outbound type `{outbound}`"
        yield finding(balancer, message, fix=[remove(field) for field in kinds])


@error("AKS054", "Azure API reference, ManagedClusterLoadBalancerProfile: idleTimeoutInMinutes, 4 to 120")
@sample("idle_timeout", lambda: LoadBalancer(idle_timeout="2m"))
def invalid_idle_timeout(balancer: LoadBalancer | NatGateway | ManagedNatGateway) -> Iterator[PartFinding]:
    """The idle timeout of outbound flows must be 4 to 120 minutes."""
    idle = seconds(balancer.idle_timeout) if balancer.idle_timeout is not None else _IDLE[0] * _MINUTE
    if idle % _MINUTE or not _IDLE[0] <= idle // _MINUTE <= _IDLE[1]:
        message = f"{ref('idle_timeout')} ({balancer.idle_timeout}) must be a whole number of minutes, {_IDLE[0]} to {_IDLE[1]}"
        yield finding(balancer, message, path="idle_timeout", fix=set_to("idle_timeout", f"{min(max(-(-idle // _MINUTE), _IDLE[0]), _IDLE[1])}m"))


@error("AKS055", f"{_PRIVATE}: a private DNS zone is of a private cluster")
@sample("private_dns_zone", lambda: aks(private_dns_zone="system"))
def private_dns_zone_without_private_api(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Settings of a private DNS zone and of a public DNS name are valid only for a private API server."""
    for field in ("private_dns_zone", "private_public_fqdn"):
        if getattr(cluster, field) is not None and not cluster.api_server.private:
            fix = Fix(f"Remove {ref(field)}, or set {ref('api_server.private')} to {literal(value=True)}", (remove(field),))
            yield finding(cluster, f"{ref(field)} is only valid with a private API server", path=field, fix=fix)


@error("AKS056", "Azure API reference: nodePublicIPPrefixID needs enableNodePublicIP")
@sample("node_public_ip_prefix_id", lambda: UserPool(vm_size=SIZE, node_public_ip_prefix_id=PREFIX))
def public_ip_prefix_without_public_ip(pool: AgentPool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A prefix and tags of public IPs require nodes that have public IPs."""
    without = cluster is not None and cluster.node_provisioning is not None  # which allows no public IPs: NAP011
    for field in ("node_public_ip_prefix_id", "node_public_ip_tags"):
        if getattr(pool, field) not in (None, {}) and not pool.node_public_ip:
            public = f"or set {ref('node_public_ip')} to {literal(value=True)} (each node then has a public address)"
            fix = remove(field) if without else f"{sentence([remove(field)])}, {public}"
            yield finding(pool, f"AKS rejects {ref(field)} on nodes without public IPs", path=field, fix=fix)


@warning("AKS058", "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges: node public IPs of prefixes only")
@sample("pools.web.node_public_ip", lambda: aks(pools={"web": UserPool(vm_size=SIZE, node_public_ip=True)}))
def public_nodes_outside_authorized_ranges(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes with public IPs reach the API server from these IPs: authorized ranges must contain them, and only a prefix makes them predictable."""
    if pool.node_public_ip and pool.node_public_ip_prefix_id is None and cluster.api_server.authorized_ip_ranges:
        ranges = ref("api_server.authorized_ip_ranges", part=AksClusterArgs)
        message = f"These nodes can fail to join: they reach the API server from public IPs that {ranges} does not contain"
        fix = f"Set {ref('node_public_ip_prefix_id')}, and add the range of that prefix to {ranges}"
        yield finding(pool, message, path="node_public_ip", fix=fix)


@error("AKS059", "Azure API reference, PortRange")
@sample("start", lambda: HostPorts(443, 80))
def reversed_port_range(ports: HostPorts) -> Iterator[PartFinding]:
    """The first port of a range must not be greater than the last."""
    if ports.start > ports.end:
        message = f"The port range is reversed: {ref('start')} ({ports.start}) is greater than {ref('end')} ({ports.end})"
        yield finding(ports, message, path="start", fix=f"Lower {ref('start')}, or raise {ref('end')}")


@error("AKS097", "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap")
@limited(NETWORKS)
@sample(
    "network.pod_subnet_cidr", lambda: aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.0.0/20"}, network_profile={"plugin_mode": None})
)
def misplaced_pod_subnet(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """The pod subnet must be inside the virtual network and must not overlap the subnets of the nodes."""
    pods = network.pod_subnet_cidr
    if pods is None:
        return
    if not inside(pods, network.cidr):
        message = f"The pod subnet `{pods}` is outside the virtual network `{network.cidr}`"
        yield finding(network, message, path="pod_subnet_cidr", fix=_free_pod_subnet(network, pods))
    for whose, cidr in (("of the nodes", network.node_range), *((f"of the pool `{key}`", cidr) for key, cidr in network.pool_subnets.items())):
        if overlap(pods, cidr):
            message = f"The pod subnet `{pods}` overlaps the subnet `{cidr}` {whose}"
            yield finding(network, message, path="pod_subnet_cidr", fix=_free_pod_subnet(network, pods))


def _free_pod_subnet(network: AksNetworkArgs, pods: str) -> FixLike:
    """The first range of the same size in the network that no subnet has."""
    declaration, length = IPv4Network(network.cidr), IPv4Network(pods).prefixlen
    taken = (network.node_range, *network.pool_subnets.values())
    candidates = map(str, declaration.subnets(new_prefix=length)) if length > declaration.prefixlen else iter(())
    free = next((cidr for cidr in candidates if not any(overlap(cidr, other) for other in taken)), None)
    otherwise = f"Set {ref('pod_subnet_cidr')} to a smaller range of `{network.cidr}`, one that overlaps no other subnet"
    return set_to("pod_subnet_cidr", free) if free is not None else otherwise


def _without_allocation(cluster: AksClusterArgs) -> Iterator[Operation]:
    """Removes `pod_ip_allocation` from pools without their own pod subnet, where it is not allowed."""
    for key, pool in cluster.all_pools():
        if pool.pod_ip_allocation is not None and pool.pod_subnet_id is None:
            parent = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
            yield remove((*parent, "pod_ip_allocation"))


def _has_pod_subnet(cluster: AksClusterArgs) -> bool:
    network = cluster.network
    return (network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else network.pod_subnet_id) is not None


def _of_the_server(cluster: AksClusterArgs) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The subnet of the API server, which is in the network of the nodes."""
    if isinstance(cluster.api_server_subnet_id, str):
        yield ("api_server_subnet_id",), cluster.api_server_subnet_id


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


@error("AKS224", f"{_STATIC}: at most a /12; one mode of allocation a subnet; no Windows Server 2019")
@sample(
    "pools.web.pod_ip_allocation",
    lambda: aks(
        network=ExistingAksNetwork(subnet_id=SUBNET, pod_subnet_id=PODS),
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
            at = (*(("system_pool",) if pool is cluster.system_pool else ("pools", key)), "pod_ip_allocation")
            message = f"Pools in one pod subnet must have the same IP allocation mode: `{key}` has `{mode}`, others have `{first[subnet]}`"
            text = f"Set {ref(at)} to {literal(first[subnet])}, or {ref((*at[:-1], 'pod_subnet_id'))} to another subnet"
            yield finding(cluster, message, path=at, value=mode, fix=Fix(text, (set_to(at, first[subnet]),)))
        if isinstance(pool, WindowsPool) and pool.os_sku == "Windows2019":
            message = f"AKS does not support Windows Server 2019 (`{key}`) with pod subnets"
            yield finding(cluster, message, path=("pools", key, "os_sku"), fix=set_to(("pools", key, "os_sku"), "Windows2022"))
    own = cluster.network.pod_subnet_cidr if isinstance(cluster.network, AksNetworkArgs) else None
    if own is not None and first.get(OWN_PODS) == "StaticBlock" and IPv4Network(own).prefixlen < _LARGEST_STATIC:
        at = ("network", "pod_subnet_cidr")
        message = f"The pod subnet `{own}` is too large for static blocks: AKS accepts a /{_LARGEST_STATIC} or smaller"
        smaller = f"{IPv4Network(own).network_address}/{_LARGEST_STATIC}"
        yield finding(cluster, message, path=at, fix=set_to(at, smaller))


@error("AKS225", f"{_POD_SUBNET}: a node starts with 16 addresses, or has a /28 for each 16 pods; SubnetIsFull")
@limited(NETWORKS)
@sample("network.pod_subnet_cidr", lambda: aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/26"}, network_profile=_FLAT))
def pod_subnet_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes that get no addresses from their pod subnet never become ready: it needs enough for the minimum sizes of its pools."""
    yield from _crowded(cluster, lambda pool: pool.fewest_nodes, certain=True)


@warning("AKS226", f"{_POD_SUBNET}: a node starts with 16 addresses, or has a /28 for each 16 pods; InsufficientSubnetSize, with max counts")
@limited(NETWORKS)
@sample(
    "network.pod_subnet_cidr",
    lambda: aks(
        network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/25"},
        network_profile=_FLAT,
        pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 9))},
    ),
)
def pod_subnet_too_small_at_max_scale(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pools cannot scale out beyond the addresses of their pod subnet."""
    if not any(_crowded(cluster, lambda pool: pool.fewest_nodes, certain=True)):
        yield from _crowded(cluster, lambda pool: pool.most_nodes, certain=False)


@error("AKS227", f"{_FULL}: nodes and their pods, with max counts, are more than the addresses of the subnet: the request is rejected")
@limited(NETWORKS)
@sample(
    "network.node_subnet_cidr", lambda: aks(network={"cidr": "10.10.0.0/24"}, network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, count=5)})
)
def node_subnet_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects a node subnet with too few addresses for all nodes that its pools can have, and for their pods if these have no own range."""
    for at, cidr, room, pools in _node_subnets(cluster):
        requested = sum(pool.most_nodes * each for pool, each in pools)
        if requested > room:
            message = f"AKS rejects the node subnet `{cidr}`: it has {room:,} usable addresses, and nodes{_with_pods(cluster)} can need {requested:,}"
            yield finding(cluster, message, path=at, value=cidr, fix=_larger(cluster, at))


@warning("AKS052", f"{_FULL}: nodes of an upgrade need addresses too")
@limited(NETWORKS)
@sample(
    "network.node_subnet_cidr", lambda: aks(network={"cidr": "10.10.0.0/22"}, network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, count=5)})
)
def node_subnet_too_small_for_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The surge nodes of an upgrade also take addresses of the node subnet, and so do their pods if these have no range of their own."""
    for at, cidr, room, pools in _node_subnets(cluster):
        requested = sum(pool.most_nodes * each for pool, each in pools)
        more = max(surge(pool, minimum=True) * each for pool, each in pools)
        if requested <= room < requested + more:
            needs = f"nodes{_with_pods(cluster)} can then need {requested + more:,}"
            message = f"An upgrade can fail: the node subnet `{cidr}` has {room:,} usable addresses, and {needs}"
            yield finding(cluster, message, path=at, value=cidr, fix=_larger(cluster, at))


@warning(
    "AKS228", f"{_DYNAMIC}#azure-cni-pod-subnet---dynamic-ip-allocation-and-enhanced-subnet-support-faqs: the entire cluster uses one type of CNI"
)
@sample("pools.web.pod_subnet_id", lambda: aks(network_profile=_FLAT, pools={"web": UserPool(vm_size=SIZE, pod_subnet_id=PODS)}))
def mixed_pod_subnets(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents one kind of pod networking for a cluster: all pools have pod subnets, or none has."""
    if not is_flat(cluster) or own_pod_subnet(cluster) is not None:
        return
    apart = [key for key, pool in cluster.all_pools() if pool.pod_subnet_id is not None]
    if apart and len(apart) <= len(cluster.pools):
        message = f"AKS can reject the pool `{apart[0]}`: it has a pod subnet and other pools have none; AKS documents all or none"
        at = (*(("pools", apart[0]) if apart[0] in cluster.pools else ("system_pool",)), "pod_subnet_id")
        yield finding(cluster, message, path=at, fix=f"Remove {ref(at)}, or set it on all pools")


@error("AKS234", "https://github.com/Azure/AKS/issues/2927: cannot use a custom subnet because another agent pool is using a managed subnet")
@sample("pools.web.vnet_subnet_id", lambda: aks(pools={"web": UserPool(vm_size=SIZE, vnet_subnet_id=SUBNET)}, network=ManagedAksNetwork()))
def subnet_in_managed_network(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects custom subnets in a cluster whose first pool is in a subnet that AKS manages."""
    if isinstance(cluster.network, ManagedAksNetwork):
        for key, pool in cluster.pools.items():
            if pool.vnet_subnet_id is not None:
                at = ("pools", key, "vnet_subnet_id")
                message = f"AKS rejects a subnet of your own for `{key}`: the first pool of the cluster is in a subnet that AKS manages"
                yield finding(cluster, message, path=at, fix=Fix(f"Remove {ref(at)}, or set it on the first pool too", (remove(at),)))


def _crowded(cluster: AksClusterArgs, size: Callable[[AgentPool], int], *, certain: bool) -> Iterator[PartFinding]:
    """A finding if pools of this `size` need more blocks than the created pod subnet has."""
    pools = [nodes.pool for nodes, subnet in in_pod_subnets(cluster) if subnet == OWN_PODS]
    cidr = cluster.network.pod_subnet_cidr if isinstance(cluster.network, AksNetworkArgs) else None
    if not pools or cidr is None or IPv4Network(cidr).prefixlen > _SMALLEST:  # AKS144 tells it
        return
    addresses = IPv4Network(cidr).num_addresses
    is_static = any(pool.pod_ip_allocation == "StaticBlock" for pool in pools)
    room = addresses // BATCH - (0 if certain else _WITH_RESERVED) if is_static else (addresses - RESERVED) // BATCH
    requested = sum(
        size(pool) * (static_blocks(max_pods(pool, PODS_IN_A_SUBNET)) if pool.pod_ip_allocation == "StaticBlock" else 1) for pool in pools
    )
    if requested > room:
        verb = "need" if certain else "can need"
        at = ("network", "pod_subnet_cidr")
        message = (
            f"The pod subnet `{cidr}` is too small: it has {max(room, 0):,} blocks of {BATCH} addresses, and its nodes {verb} {requested:,} blocks"
        )
        yield finding(cluster, message, path=at, value=cidr, fix=f"Set {ref(at)} to a larger range")


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
    overlay = f", or {ref('network_profile.plugin_mode')} to {literal('overlay')}{REPLACES}" if is_flat(cluster) else ""
    return f"Set {ref(path)} to a larger range{overlay}"


@warning("AKS383", "https://pypi.org/project/azure-mgmt-containerservice/41.8.0: the subnet of the system nodes that AKS runs")
@limited(API_VERSIONS)
@sample("hosted_system_subnet_id", lambda: aks(hosted_system_subnet_id=SUBNET, api_version="2026-02-01"))
def subnet_without_hosted_system(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The subnet of managed system nodes has no effect without such nodes."""
    if cluster.hosted_system_subnet_id is not None and not cluster.hosted_system:
        message = f"{ref('hosted_system_subnet_id')} has no effect without {ref('hosted_system')}"
        yield finding(cluster, message, path="hosted_system_subnet_id", fix=remove("hosted_system_subnet_id"))
