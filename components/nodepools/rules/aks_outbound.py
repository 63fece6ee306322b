"""How AKS nodes reach the internet: ports of the load balancer, other ways out, and none. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, LoadBalancer, ManagedAksNetwork
from nodepools.model.aks.pools import UserPool, WindowsPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.path import Step
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks
from nodepools.rules.surge import surge

_BALANCER = "https://learn.microsoft.com/azure/aks/configure-load-balancer-standard"
_EGRESS = "https://learn.microsoft.com/azure/aks/egress-outboundtype"
_ISOLATED = "https://learn.microsoft.com/azure/aks/concepts-network-isolated#limitations (2026-06-15)"
_PORTS: Final = 64_000
"""Of one outbound address."""
_UNIT: Final = 8
_OF_THE_SUBNET: Final[Mapping[str, str]] = {"userDefinedRouting": "a route table", "userAssignedNATGateway": "a NAT gateway"}
"""Outbound types, and what the subnet of the nodes must have."""
_EXISTING: Final = ExistingAksNetwork(subnet_id="subnet")
_CACHE: Final[Mapping[str, object]] = {"bootstrap_profile": {"artifact_source": "Cache"}}
_ALONE: Final[Mapping[str, object]] = {
    "network": _EXISTING,
    "network_profile": {"outbound_type": "none", "dataplane": "azure"},
    "api_server": {"private": True, "authorized_ip_ranges": []},
    "overrides": _CACHE,
}
"""A network isolated cluster with nothing wrong."""


@rule(
    "AKS046",
    Severity.ERROR,
    source=f"{_EGRESS}: the subnet has its route table, or NAT gateway, before the cluster is made; ExistingRouteTableNotAssociatedWithSubnet",
    sample=lambda: aks(network_profile={"outbound_type": "userDefinedRouting"}),
)
def no_aks_outbound_route(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Routes and NAT gateways of your own are on the subnet before the cluster is: a network that is made with the cluster has none."""
    outbound = cluster.network_profile.outbound_type
    wanted = _OF_THE_SUBNET.get(outbound)
    if wanted is not None and isinstance(cluster.network, AksNetworkArgs | ManagedAksNetwork):
        message = f"AKS rejects `{outbound}` in a subnet without {wanted}, and the subnet that is created with the cluster has none"
        fix = f'Set `network` to an `ExistingAksNetwork` whose subnet has {wanted}, or `outbound_type` to `"loadBalancer"`'
        yield finding(cluster, message, at=("network_profile", "outbound_type"), fix=fix)


@rule(
    "AKS205",
    Severity.ERROR,
    source=f"{_BALANCER}: the value for outbound ports must be a multiple of 8",
    sample=lambda: LoadBalancer(allocated_outbound_ports=1001),
)
def outbound_ports_not_multiple_of_eight(balancer: LoadBalancer) -> Iterator[PartFinding]:
    """Outbound ports of a node are a multiple of 8."""
    ports = balancer.allocated_outbound_ports
    if ports is not None and ports % _UNIT:
        fix = f"Set `allocated_outbound_ports` to `{ports - ports % _UNIT}`"
        yield finding(balancer, f"`{ports}` is not a multiple of {_UNIT}: AKS rejects it", at="allocated_outbound_ports", fix=fix)


@rule(
    "AKS206",
    Severity.ERROR,
    source=f"{_BALANCER}: 64,000 ports an address, surge nodes included; InvalidLoadBalancerProfileAllocatedOutboundPorts, InsufficientOutboundPorts",
    sample=lambda: aks(network_profile={"load_balancer": LoadBalancer(allocated_outbound_ports=16_000)}),
)
def outbound_ports_exhausted(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Outbound addresses have the ports of all nodes, at the largest size of their pools and during upgrades: 64,000 each."""
    yield from _short(cluster, at_least=True)


@rule(
    "AKS207",
    Severity.WARNING,
    source=f"{_BALANCER}: one node of surge, where nothing is said; the API reference: 10 %",
    sample=lambda: aks(
        pools={"web": UserPool(vm_size=SIZE, count=20)}, network_profile={"load_balancer": LoadBalancer(allocated_outbound_ports=2560)}
    ),
)
def outbound_ports_exhausted_by_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Where the surge of a pool is not set, sources differ on its size: the ports are enough by one and too few by the other."""
    if not any(_short(cluster, at_least=True)):
        yield from _short(cluster, at_least=False)


@rule(
    "AKS208",
    Severity.ERROR,
    source=f"{_EGRESS}: UserDefinedRouting and load balancer profile are mutually exclusive; InvalidUserDefinedRoutingWithLoadBalancerProfile",
    sample=lambda: aks(network=_EXISTING, network_profile={"outbound_type": "userDefinedRouting", "load_balancer": LoadBalancer(idle_timeout="4m")}),
)
def load_balancer_with_user_defined_routing(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Where routes of your own are the way out, nothing is said of the load balancer."""
    profile = cluster.network_profile
    if profile.load_balancer is not None and profile.outbound_type == "userDefinedRouting":
        message = "AKS rejects a load balancer profile together with the outbound type `userDefinedRouting`"
        yield finding(cluster, message, at=("network_profile", "outbound_type"), fix="Remove `load_balancer`")


@rule(
    "AKS209",
    Severity.ERROR,
    source=f'{_EGRESS}: none is for network isolated clusters only; InvalidNetworkIsolatedClusterConfiguration, artifactSource must be "Cache"',
    sample=lambda: aks(**{**_ALONE, "overrides": {}}),
)
def outbound_none_without_image_cache(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without a way out nodes start from a cache of images: AKS rejects `outbound_type="none"` without it."""
    profile = cluster.overrides.get("bootstrap_profile")
    source = cast("Mapping[str, object]", profile).get("artifact_source") if isinstance(profile, Mapping) else None
    if cluster.network_profile.outbound_type == "none" and source != "Cache":
        message = "AKS rejects the outbound type `none` unless the nodes start from a cache of images (network isolated cluster)"
        fix = 'Set `overrides={"bootstrap_profile": {"artifact_source": "Cache"}}`, or set `outbound_type` to `"loadBalancer"`'
        yield finding(cluster, message, at=("network_profile", "outbound_type"), fix=fix)


@rule(
    "AKS210",
    Severity.ERROR,
    source=f"{_ISOLATED}: the Unmanaged channel, Windows node pools and kubenet are not supported",
    sample=lambda: aks(node_os_upgrade="Unmanaged", **_ALONE),
)
def unsupported_isolated_cluster(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A network isolated cluster has no Windows pools, and no packages from outside."""
    if cluster.network_profile.outbound_type != "none":
        return
    if cluster.node_os_upgrade == "Unmanaged":
        message = "A network isolated cluster does not support `Unmanaged`: its nodes reach no source of packages"
        yield finding(cluster, message, at="node_os_upgrade", fix='Set `node_os_upgrade` to `"NodeImage"`')
    for key, pool in cluster.pools.items():
        if isinstance(pool, WindowsPool):
            message = f"`{key}` is a Windows pool: a network isolated cluster does not support Windows"
            fix = f"Remove `{key}`, or use another outbound type"
            yield finding(cluster, message, at=("pools", key), value=key, fix=fix)


@rule(
    "AKS211",
    Severity.WARNING,
    source=f"{_ISOLATED}: only the channels NodeImage and None; the API server by private link, or in the virtual network",
    sample=lambda: aks(node_os_upgrade="SecurityPatch", **_ALONE),
)
def incomplete_network_isolation(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The nodes of a network isolated cluster take images as they come, and reach an API server that is in the network."""
    if cluster.network_profile.outbound_type == "none":
        for asked, at, message, fix in _HALVES:
            if asked(cluster):
                yield finding(cluster, message, at=at, fix=fix)


def _is_reached_from_outside(cluster: AksClusterArgs) -> bool:
    return not cluster.api_server.private and cluster.api_server_subnet_id is None


_HALVES: Final[tuple[tuple[Callable[[AksClusterArgs], bool], tuple[Step, ...], str, str], ...]] = (
    (
        lambda cluster: cluster.node_os_upgrade == "SecurityPatch",
        ("node_os_upgrade",),
        "AKS documents `NodeImage` and `None` alone for network isolated clusters, which `outbound_type` asks for",
        'Set `node_os_upgrade` to `"NodeImage"`',
    ),
    (
        _is_reached_from_outside,
        ("api_server", "private"),
        "Nodes without a way out can fail to join: the API server is outside of their network",
        "Set `private` to true and remove `authorized_ip_ranges`, or set `api_server_subnet_id`",
    ),
)
"""What a network isolated cluster should be, with what is said where it is not."""


def _short(cluster: AksClusterArgs, *, at_least: bool) -> Iterator[PartFinding]:
    profile, balancer = cluster.network_profile, cluster.network_profile.load_balancer
    if balancer is None or profile.outbound_type != "loadBalancer" or not balancer.allocated_outbound_ports:
        return
    ports, addresses = balancer.allocated_outbound_ports, _addresses(balancer)
    nodes = _most_nodes(cluster, at_least=at_least)
    if addresses is not None and ports * nodes > _PORTS * addresses:
        least = _PORTS * addresses // _most_nodes(cluster, at_least=False) // _UNIT * _UNIT  # enough by either figure
        needs = f"{nodes} nodes, surge included, {'need' if at_least else 'can need'} {ports * nodes:,} outbound ports"
        message = f"{needs}: {addresses} outbound {'addresses have' if addresses > 1 else 'address has'} {_PORTS * addresses:,}"
        fix = f"Set `allocated_outbound_ports` to at most `{least}`, or add outbound addresses"
        yield finding(cluster, message, at=("network_profile", "load_balancer", "allocated_outbound_ports"), fix=fix)


def _most_nodes(cluster: AksClusterArgs, *, at_least: bool) -> int:
    """All nodes at the largest size of their pools, and those that an upgrade adds."""
    return sum(pool.most_nodes + surge(pool, at_least=at_least) for _, pool in cluster.all_pools())


def _addresses(balancer: LoadBalancer) -> int | None:
    """How many outbound addresses there are; nobody knows how many a prefix has."""
    if balancer.outbound_ip_prefix_ids:
        return None
    managed = balancer.managed_outbound_ips if balancer.managed_outbound_ips is not None else 0
    return managed + len(balancer.outbound_ip_ids) or 1
