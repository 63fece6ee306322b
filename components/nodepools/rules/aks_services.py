"""The range of services, the address of the DNS service, and the pod range with its nodes. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Iterator, Mapping
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import Final, cast

from nodepools.model.address import meet
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_parts import Autoscale
from nodepools.model.aks.pools import UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks
from nodepools.rules.surge import surge

_PLANNING = "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning"
_OVERLAY = "https://learn.microsoft.com/azure/aks/concepts-network-azure-cni-overlay#ip-address-planning"
_CHANGES = "https://github.com/Azure/AKS/blob/master/CHANGELOG.md"
_LARGEST: Final = 12
"""Prefix length of the largest range of services; AKS asks for a smaller one, Kubernetes takes it."""
_SMALLEST: Final = 28
"""Prefix length of the smallest range that has the tenth address, which is that of DNS."""
_DNS: Final = 10
_RESERVED: Final = 2
"""The first addresses of the range of services: that of the range itself, and that of the service `kubernetes`."""
_BITS: Final = 32
_NODE: Final = 24
"""Prefix length of the range that each node takes."""
_NOWHERE: Final = ("127.0.0.0/8", "224.0.0.0/4", "255.255.255.255/32")
"""Of no network: loopback, multicast and broadcast."""


@rule(
    "AKS218",
    Severity.ERROR,
    source=f"{_PLANNING}: smaller than /12; the tenth address is that of the DNS service",
    sample=lambda: aks(network_profile={"service_cidr": "10.64.0.0/10"}),
)
def invalid_service_cidr_size(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The range of services is smaller than a /12, and has the address of the DNS service."""
    prefix, at = IPv4Network(cluster.service_cidr).prefixlen, ("network_profile", "service_cidr")
    if prefix < _LARGEST:
        message = f"A /{prefix} is too large for services: the range must be smaller than a /{_LARGEST}"
        yield finding(cluster, message, at=at, value=cluster.service_cidr, fix="Set `service_cidr` to a smaller range, such as a /16")
    elif prefix > _SMALLEST and _dns_service_ip(cluster) is None:
        message = f"A /{prefix} is too small for services: address {_DNS} of the range is that of the DNS service"
        yield finding(cluster, message, at=at, value=cluster.service_cidr, fix=f"Set `service_cidr` to a /{_SMALLEST} or larger")


@rule(
    "AKS219",
    Severity.WARNING,
    source=f"{_PLANNING}: smaller than /12; kube-apiserver: a mask of 12 bits or more",
    sample=lambda: aks(network_profile={"service_cidr": "10.96.0.0/12"}),
)
def service_cidr_at_size_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """By the documentation a range of services is smaller than a /12; Kubernetes itself takes a /12."""
    if IPv4Network(cluster.service_cidr).prefixlen == _LARGEST:
        message = f"AKS documents that the range of services must be smaller than a /{_LARGEST}, and can reject this one"
        at = ("network_profile", "service_cidr")
        yield finding(cluster, message, at=at, value=cluster.service_cidr, fix="Set `service_cidr` to a smaller range, such as a /16")


@rule(
    "AKS220",
    Severity.ERROR,
    source=f"{_PLANNING}: the DNS service IP is in the range of services, and is not its first address",
    sample=lambda: aks(network_profile={"service_cidr": "10.96.0.0/16"}, overrides={"network_profile": {"dns_service_ip": "10.0.0.10"}}),
)
def dns_service_ip_outside_service_cidr(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The DNS service has an address of the range of services, other than its first: that is of the service `kubernetes`."""
    address = _dns_service_ip(cluster)
    if address is None:
        return
    services, at = IPv4Network(cluster.service_cidr), ("overrides", "network_profile", "dns_service_ip")
    fix = f"Use `{services[min(_DNS, services.num_addresses - 1)]}`"
    if address not in services:
        yield finding(cluster, f"`{address}` is outside of the range of services, `{services}`: AKS rejects it", at=at, fix=fix)
    elif int(address) - int(services.network_address) < _RESERVED:
        yield finding(cluster, f"`{address}` is taken: the first addresses of `{services}` are not for the DNS service", at=at, fix=fix)


@rule(
    "AKS221",
    Severity.WARNING,
    source=f"{_CHANGES}, 2023-10-01: AKS validates, and blocks if necessary, ranges of services in public address ranges",
    sample=lambda: aks(network_profile={"service_cidr": "8.8.0.0/16"}),
)
def public_service_cidr(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Services have private addresses: a public range hides what is there from the pods, and AKS can reject it."""
    services = IPv4Network(cluster.service_cidr)
    if services.is_global and not any(meet(cluster.service_cidr, other) for other in _NOWHERE):
        message = f"`{services}` is a public range: AKS can reject it, and pods cannot reach its owners"
        fix = "Set `service_cidr` to a private range, such as `10.96.0.0/16`"
        yield finding(cluster, message, at=("network_profile", "service_cidr"), value=cluster.service_cidr, fix=fix)


@rule(
    "AKS222",
    Severity.ERROR,
    source=f"{_CHANGES}, 2023-10-01, and https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: multicast, broadcast and loopback",
    sample=lambda: aks(network_profile={"service_cidr": "224.0.0.0/16"}),
)
def multicast_or_loopback_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """No network, pod or service has an address for multicast or loopback."""
    ranges = {
        ("network", "cidr"): cluster.network.cidr,
        ("network_profile", "pod_cidr"): cluster.pod_cidr,
        ("network_profile", "service_cidr"): cluster.service_cidr,
    }
    for at, cidr in ranges.items():
        taken = [other for other in _NOWHERE if cidr is not None and meet(cidr, other)]
        if taken:
            message = f"`{cidr}` overlaps `{taken[0]}`, which no host can have an address of"
            yield finding(cluster, message, at=at, value=cidr, fix="Use a private range, such as one of `10.0.0.0/8`")


@rule(
    "AKS051",
    Severity.ERROR,
    source=f"{_OVERLAY}: each node takes a /24 of the pod range; InsufficientSubnetSize, networkProfile.podCIDR, with max counts",
    sample=lambda: aks(network_profile={"pod_cidr": "192.168.0.0/22"}, pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 5))}),
)
def pod_cidr_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """In overlay each node takes a /24 of the range of the pods: AKS counts all nodes that the pools may have, and rejects what does not fit."""
    nodes, room = _nodes_and_blocks(cluster)
    if room is not None and nodes > room:
        message = f"`{cluster.pod_cidr}` has a /{_NODE} for {room} node{'s' * (room != 1)}, and the pools can have {nodes}: AKS rejects it"
        fix = f"Set `pod_cidr` to a /{_NODE - (nodes + _surge(cluster) - 1).bit_length()} or larger, or lower the sizes of the pools"
        yield finding(cluster, message, at=("network_profile", "pod_cidr"), value=cluster.pod_cidr, fix=fix)


@rule(
    "AKS223",
    Severity.WARNING,
    source=f"{_OVERLAY}: leave room for new nodes; a surge node takes a /24 too",
    sample=lambda: aks(network_profile={"pod_cidr": "192.168.0.0/22"}),
)
def pod_cidr_too_small_for_upgrades(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The range of the pods has a /24 for the nodes of an upgrade too: pools are upgraded one after another."""
    nodes, room = _nodes_and_blocks(cluster)
    more = _surge(cluster)
    if room is not None and nodes <= room < nodes + more:
        left = f"at their largest sizes the pools leave {room - nodes}, and an upgrade needs {more}"
        message = f"`{cluster.pod_cidr}` has a /{_NODE} for {room} nodes: {left}"
        fix = f"Set `pod_cidr` to a /{_NODE - (nodes + more - 1).bit_length()} or larger"
        yield finding(cluster, message, at=("network_profile", "pod_cidr"), value=cluster.pod_cidr, fix=fix)


def _surge(cluster: AksClusterArgs) -> int:
    """Nodes that an upgrade adds: pools are upgraded one after another."""
    return max(surge(pool, at_least=True) for _, pool in cluster.all_pools())


def _nodes_and_blocks(cluster: AksClusterArgs) -> tuple[int, int | None]:
    """Nodes that the pools may have, and how many have a range for their pods; a plugin that is brought divides its range as it likes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if cluster.network_profile.plugin != "azure" or cluster.pod_cidr is None:
        return nodes, None
    return nodes, IPv4Network(cluster.pod_cidr).num_addresses >> (_BITS - _NODE)


def _dns_service_ip(cluster: AksClusterArgs) -> IPv4Address | None:
    """What overrides say of it."""
    profile = cluster.overrides.get("network_profile")
    said = cast("Mapping[str, object]", profile).get("dns_service_ip") if isinstance(profile, Mapping) else None
    try:
        return IPv4Address(said) if isinstance(said, str) else None
    except AddressValueError:
        return None
