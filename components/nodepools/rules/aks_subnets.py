"""Pod subnets, outbound types, and private API servers, as AKS requires them. Facts: docs/facts/aks.md § 2.7, § 8."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.nat_gateway import ManagedNatGateway, NatGateway
from nodepools.model.aks.network import AksNetworkArgs, LoadBalancer
from nodepools.model.aks.pool_settings import HostPorts
from nodepools.model.aks.pools import UserPool
from nodepools.model.cidr import inside, overlap
from nodepools.model.kubernetes.duration import seconds
from nodepools.rules.aks_api_server import subnet_ids
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, FixLike, Operation, remove, set_to
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/{}/subnets/a"
_PRIVATE = "https://learn.microsoft.com/azure/aks/private-clusters"
_KEPT_BY_AZURE = 5
_SMALLEST_SUBNET = 29
_MINUTE, _IDLE = 60, (4, 120)


@rule(
    "AKS048",
    Severity.ERROR,
    source="Azure API reference, podIPAllocationMode: must be used with a pod subnet",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, pod_ip_allocation="StaticBlock")}),
)
def pod_ip_allocation_without_subnet(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts an IP allocation mode only for pools whose pods have a pod subnet."""
    if pool.pod_ip_allocation is not None and pool.pod_subnet_id is None and not _has_pod_subnet(cluster):
        message = f"{ref('pod_ip_allocation')} requires a pod subnet, and this pool has none"
        yield finding(pool, message, path="pod_ip_allocation", fix=remove("pod_ip_allocation"))


@rule(
    "AKS049",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/configure-azure-cni-dynamic-ip-allocation: pod subnets are not for overlay",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, pod_subnet_id="subnet")}),
)
def pod_subnet_in_overlay(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS does not support pod subnets with overlay networking, where pods have a range outside the virtual network."""
    if cluster.network_profile.plugin_mode != "overlay" or cluster.network_profile.plugin != "azure":
        return
    for key, pool in cluster.all_pools():
        if pool.pod_subnet_id is not None:
            message = f"AKS does not support {ref('pod_subnet_id')} with overlay networking"
            allocation = pool.pod_ip_allocation is not None and not _has_pod_subnet(cluster)
            removed = (remove("pod_subnet_id"), *([remove("pod_ip_allocation")] if allocation else []))
            yield finding(pool, message, path="pod_subnet_id", fix=removed, value=key)
    if _has_pod_subnet(cluster):
        at = ("network", "pod_subnet_cidr" if isinstance(cluster.network, AksNetworkArgs) else "pod_subnet_id")
        message = "AKS does not support a pod subnet with overlay networking"
        yield finding(cluster, message, path=at, fix=(remove(at), *_without_allocation(cluster)))


@rule(
    "AKS050",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-pools: all subnets of a cluster's pools are of one virtual network",
    sample=lambda: aks(
        pools={
            "web": UserPool(vm_size=SIZE, vnet_subnet_id=_SUBNET.format("one")),
            "api": UserPool(vm_size=SIZE, vnet_subnet_id=_SUBNET.format("two")),
        }
    ),
)
def subnets_of_two_networks(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """All subnets of a cluster must be in one virtual network."""
    first: str | None = None
    for steps, subnet in (*subnet_ids(cluster), *_of_the_server(cluster)):
        network, named, name = subnet.lower().partition("/subnets/")
        first = first if first is not None or not named else network
        if named and network != first:
            message = f"The subnet `{name}` is in another virtual network than the cluster's other subnets: AKS requires one network for all of them"
            yield finding(cluster, message, path=steps, fix=f"Set {ref(steps)} to a subnet of that virtual network")


@rule(
    "AKS144",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: the smallest subnet is a /29, of which Azure keeps 5 addresses",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "node_subnet_cidr": "10.10.0.0/31"}),
)
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


@rule(
    "AKS053",
    Severity.WARNING,
    source="Azure API reference, loadBalancerProfile: of outbound type loadBalancer; one kind of outbound address",
    sample=lambda: aks(network_profile={"load_balancer": LoadBalancer(managed_outbound_ips=2, outbound_ip_ids=["ip"])}),
)
def conflicting_outbound_addresses(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A load balancer has outbound addresses of one kind: managed by AKS, public IPs or prefixes. With a NAT gateway they have no effect."""
    balancer, outbound = cluster.network_profile.load_balancer, cluster.network_profile.outbound_type
    if balancer is None:
        return
    kinds = [field for field in ("managed_outbound_ips", "outbound_ip_ids", "outbound_ip_prefix_ids") if getattr(balancer, field) not in (None, ())]
    if len(kinds) > 1:
        names = " and ".join(map(ref, kinds))
        message = f"{names} are different kinds of outbound addresses: a load balancer has one kind"
        yield finding(balancer, message, fix=f"Keep one of {names}")
    if outbound not in ("loadBalancer", "userDefinedRouting") and kinds:  # routes do not even go together with it: AKS208
        message = f"The outbound addresses of the load balancer have no effect with the outbound type `{outbound}`"
        yield finding(balancer, message, fix=[remove(field) for field in kinds])


@rule(
    "AKS054",
    Severity.ERROR,
    source="Azure API reference, ManagedClusterLoadBalancerProfile: idleTimeoutInMinutes, 4 to 120",
    sample=lambda: LoadBalancer(idle_timeout="2m"),
)
def invalid_idle_timeout(balancer: LoadBalancer | NatGateway | ManagedNatGateway) -> Iterator[PartFinding]:
    """The idle timeout of outbound flows must be 4 to 120 minutes."""
    idle = seconds(balancer.idle_timeout) if balancer.idle_timeout is not None else _IDLE[0] * _MINUTE
    if idle % _MINUTE or not _IDLE[0] <= idle // _MINUTE <= _IDLE[1]:
        message = f"{ref('idle_timeout')} ({balancer.idle_timeout}) must be a whole number of minutes, {_IDLE[0]} to {_IDLE[1]}"
        yield finding(balancer, message, path="idle_timeout", fix=set_to("idle_timeout", f"{min(max(-(-idle // _MINUTE), _IDLE[0]), _IDLE[1])}m"))


@rule(
    "AKS055",
    Severity.ERROR,
    source=f"{_PRIVATE}: a private DNS zone is of a private cluster",
    sample=lambda: aks(private_dns_zone="system"),
)
def private_dns_zone_without_private_api(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Settings of a private DNS zone and of a public DNS name are valid only for a private API server."""
    for field in ("private_dns_zone", "private_public_fqdn"):
        if getattr(cluster, field) is not None and not cluster.api_server.private:
            fix = Fix(f"Remove {ref(field)}, or set {ref('api_server.private')} to {literal(value=True)}", (remove(field),))
            yield finding(cluster, f"{ref(field)} is only valid with a private API server", path=field, fix=fix)


@rule(
    "AKS056",
    Severity.ERROR,
    source="Azure API reference: nodePublicIPPrefixID needs enableNodePublicIP",
    sample=lambda: UserPool(vm_size=SIZE, node_public_ip_prefix_id="prefix"),
)
def public_ip_prefix_without_public_ip(pool: AgentPool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """A prefix and tags of public IPs require nodes that have public IPs."""
    without = cluster is not None and cluster.node_provisioning is not None  # which allows no public IPs: NAP011
    for field in ("node_public_ip_prefix_id", "node_public_ip_tags"):
        if getattr(pool, field) not in (None, {}) and not pool.node_public_ip:
            fix = remove(field) if without else set_to("node_public_ip", value=True)
            yield finding(pool, f"{ref(field)} requires nodes with public IPs", path=field, fix=fix)


@rule(
    "AKS058",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges: node public IPs of prefixes only",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, node_public_ip=True)}),
)
def public_nodes_outside_authorized_ranges(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes with public IPs reach the API server from these IPs: authorized ranges must contain them, and only a prefix makes them predictable."""
    if pool.node_public_ip and pool.node_public_ip_prefix_id is None and cluster.api_server.authorized_ip_ranges:
        ranges = ref("api_server.authorized_ip_ranges", part=AksClusterArgs)
        message = f"These nodes reach the API server from public IPs that {ranges} does not contain: they can fail to join"
        fix = f"Set {ref('node_public_ip_prefix_id')}, and add the range of that prefix to {ranges}"
        yield finding(pool, message, path="node_public_ip", fix=fix)


@rule("AKS059", Severity.ERROR, source="Azure API reference, PortRange", sample=lambda: HostPorts(443, 80))
def reversed_port_range(ports: HostPorts) -> Iterator[PartFinding]:
    """The first port of a range must not be greater than the last."""
    if ports.start > ports.end:
        message = f"The port range is reversed: {ref('start')} ({ports.start}) is greater than {ref('end')} ({ports.end})"
        yield finding(ports, message, path="start", fix=f"Lower {ref('start')}, or raise {ref('end')}")


@rule(
    "AKS097",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.0.0/20"}, network_profile={"plugin_mode": None}),
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
