"""What AKS asks of pod subnets, outbound ways, and private API servers. Facts: docs/facts/aks.md § 2.7, § 8."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from nodepools.model.address import inside, meet
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, LoadBalancer
from nodepools.model.aks.pool_parts import HostPorts
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.model.kubernetes.duration import seconds
from nodepools.rules.aks_api_server import subnet_ids
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

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
    """How addresses of a pod subnet are given out is said where there is one."""
    if pool.pod_ip_allocation is not None and pool.pod_subnet_id is None and not _has_pod_subnet(cluster):
        yield finding(pool, "needs a pod subnet", at="pod_ip_allocation", fix="add pod_subnet_id, or pod_subnet_cidr to the network")


@rule(
    "AKS049",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/configure-azure-cni-dynamic-ip-allocation: pod subnets are not for overlay",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, pod_subnet_id="subnet")}),
)
def pod_subnet_in_overlay(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pods have a range of their own, in overlay, or a subnet: not both."""
    if cluster.network_profile.plugin_mode != "overlay" or cluster.network_profile.plugin == "none":
        return
    fix = "write plugin_mode=None in the network_profile, or remove it"
    for key, pool in cluster.all_pools():
        if pool.pod_subnet_id is not None:
            yield finding(pool, "is not possible in overlay", at="pod_subnet_id", fix=fix, value=key)
    if _has_pod_subnet(cluster):
        at = "pod_subnet_cidr" if isinstance(cluster.network, AksNetworkArgs) else "pod_subnet_id"
        yield finding(cluster, "is not possible in overlay", at=("network", at), fix=fix)


@rule(
    "AKS050",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-pools: all subnets of a cluster's pools are of one virtual network",
    sample=lambda: aks(
        pools={"web": UserPool(vm_size=SIZE, vnet_subnet_id="/v/one/subnets/a"), "api": UserPool(vm_size=SIZE, vnet_subnet_id="/v/two/subnets/a")}
    ),
)
def subnets_of_two_networks(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """All subnets of a cluster are of one virtual network."""
    first: str | None = None
    for steps, subnet in (*subnet_ids(cluster), *_of_the_server(cluster)):
        network, named, _ = subnet.lower().partition("/subnets/")
        first = first if first is not None or not named else network
        if named and network != first:
            yield finding(cluster, "is of another virtual network than the other subnets", at=steps, fix="name subnets of one virtual network")


@rule(
    "AKS144",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: the smallest subnet is a /29, of which Azure keeps 5 addresses",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "node_subnet_cidr": "10.10.0.0/31"}),
)
def subnet_below_azure_minimum(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """A subnet is a /29 or larger: Azure keeps 5 addresses of each."""
    node_field = "node_subnet_cidr" if network.node_subnet_cidr is not None else "cidr"
    ranges: list[tuple[tuple[Step, ...], str]] = [((node_field,), network.node_range)]
    ranges += [(("pod_subnet_cidr",), network.pod_subnet_cidr)] if network.pod_subnet_cidr is not None else []
    ranges += [(("pool_subnets", key), cidr) for key, cidr in network.pool_subnets.items()]
    for at, cidr in ranges:
        if IPv4Network(cidr).prefixlen > _SMALLEST_SUBNET:
            message = f"Azure rejects the subnet `{cidr}`: the smallest is a /{_SMALLEST_SUBNET}, of which Azure keeps {_KEPT_BY_AZURE} addresses"
            yield finding(network, message, at=at, fix="Use a larger range, such as a /24 for each subnet")


@rule(
    "AKS053",
    Severity.WARNING,
    source="Azure API reference, loadBalancerProfile: of outbound type loadBalancer; one kind of outbound address",
    sample=lambda: aks(network_profile={"load_balancer": LoadBalancer(managed_outbound_ips=2, outbound_ip_ids=["ip"])}),
)
def conflicting_outbound_addresses(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Outbound addresses of the load balancer are made by AKS, or are addresses or prefixes of your own; a NAT gateway has none of them."""
    balancer, outbound = cluster.network_profile.load_balancer, cluster.network_profile.outbound_type
    if balancer is None:
        return
    kinds = [balancer.managed_outbound_ips is not None, bool(balancer.outbound_ip_ids), bool(balancer.outbound_ip_prefix_ids)]
    if sum(kinds) > 1:
        yield finding(cluster, "names outbound addresses of more than one kind", at=("network_profile", "load_balancer"), fix="keep one kind")
    if outbound not in ("loadBalancer", "userDefinedRouting") and any(kinds):  # routes do not even go together with it: AKS208
        yield finding(
            cluster, f"is not the way out: outbound_type is {outbound}", at=("network_profile", "load_balancer"), fix="remove the addresses"
        )


@rule(
    "AKS054",
    Severity.ERROR,
    source="Azure API reference, ManagedClusterLoadBalancerProfile: idleTimeoutInMinutes, 4 to 120",
    sample=lambda: LoadBalancer(idle_timeout="2m"),
)
def invalid_idle_timeout(balancer: LoadBalancer) -> Iterator[PartFinding]:
    """Idle flows are forgotten after 4 to 120 minutes."""
    idle = seconds(balancer.idle_timeout) if balancer.idle_timeout is not None else _IDLE[0] * _MINUTE
    if idle % _MINUTE or not _IDLE[0] <= idle // _MINUTE <= _IDLE[1]:
        yield finding(balancer, "should be whole minutes, 4 to 120", at="idle_timeout", fix="write 4m to 120m")


@rule(
    "AKS055",
    Severity.ERROR,
    source=f"{_PRIVATE}: a private DNS zone is of a private cluster",
    sample=lambda: aks(private_dns_zone="system"),
)
def private_dns_zone_without_private_api(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """DNS of a private API server is said of a private one."""
    for field in ("private_dns_zone", "private_public_fqdn"):
        if getattr(cluster, field) is not None and not cluster.api_server.private:
            yield finding(cluster, "is of a private API server", at=field, fix="remove it, or write api_server=ApiServer(private=True)")


@rule(
    "AKS056",
    Severity.ERROR,
    source="Azure API reference: nodePublicIPPrefixID needs enableNodePublicIP",
    sample=lambda: UserPool(vm_size=SIZE, node_public_ip_prefix_id="prefix"),
)
def public_ip_prefix_without_public_ip(pool: AgentPool) -> Iterator[PartFinding]:
    """A public IP prefix, and tags, are of nodes with public addresses."""
    for field in ("node_public_ip_prefix_id", "node_public_ip_tags"):
        if getattr(pool, field) not in (None, {}) and not pool.node_public_ip:
            yield finding(pool, "needs public addresses of nodes", at=field, fix="add node_public_ip=True")


@rule(
    "AKS058",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges: node public IPs of prefixes only",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, node_public_ip=True)}),
)
def public_nodes_outside_authorized_ranges(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes with public addresses reach the API server by them: with authorized ranges, those must be of a prefix that is one of the ranges."""
    if pool.node_public_ip and pool.node_public_ip_prefix_id is None and cluster.api_server.authorized_ip_ranges:
        message = "Nodes with public addresses reach an API server with authorized ranges only by addresses of a prefix that is one of them"
        fix = "Set `node_public_ip_prefix_id`, and add the range of that prefix to `authorized_ip_ranges`"
        yield finding(pool, message, at="node_public_ip", fix=fix)


@rule("AKS059", Severity.ERROR, source="Azure API reference, PortRange", sample=lambda: HostPorts(443, 80))
def reversed_port_range(ports: HostPorts) -> Iterator[PartFinding]:
    """The first port of a range is not after the last."""
    if ports.start > ports.end:
        yield finding(ports, f"is after the last, {ports.end}", at="start", fix=f"write HostPorts({ports.end}, {ports.start})")


@rule(
    "AKS097",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: subnets lie inside their network and do not overlap",
    sample=lambda: aks(network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.0.0/20"}, network_profile={"plugin_mode": None}),
)
def misplaced_pod_subnet(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """The subnet of the pods lies inside the network, and beside those of the nodes."""
    pods = network.pod_subnet_cidr
    if pods is None:
        return
    if not inside(pods, network.cidr):
        yield finding(network, f"lies outside of the network, {network.cidr}", at="pod_subnet_cidr", fix=f"choose a range inside {network.cidr}")
    for whose, cidr in {"all nodes": network.node_range, **network.pool_subnets}.items():
        if meet(pods, cidr):
            yield finding(network, f"meets the subnet of {whose}, {cidr}", at="pod_subnet_cidr", fix="give them ranges that do not meet")


def _has_pod_subnet(cluster: AksClusterArgs) -> bool:
    network = cluster.network
    return (network.pod_subnet_cidr if isinstance(network, AksNetworkArgs) else network.pod_subnet_id) is not None


def _of_the_server(cluster: AksClusterArgs) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The subnet of the API server, which is in the network of the nodes."""
    if isinstance(cluster.api_server_subnet_id, str):
        yield ("api_server_subnet_id",), cluster.api_server_subnet_id
