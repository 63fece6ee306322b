"""Clusters with IPv4 and IPv6: the IPv6 ranges that Azure requires, and features that AKS does not support.

Facts: docs/facts/aks.md § 2.11, § 2.13.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from ipaddress import IPv6Network
from itertools import combinations
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, NetworkProfile
from nodepools.model.cidr import inside, overlap, twin
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, FixLike, remove, set_to
from nodepools.rules.engine.registry import NETWORKS, Sample, finding, rule
from nodepools.rules.engine.samples import aks

_DUAL: Final = "https://learn.microsoft.com/azure/aks/configure-dual-stack"
_SUBNETS: Final = "https://learn.microsoft.com/azure/virtual-network/ip-services/ipv6-overview: IPv6 subnets are exactly /64"
_BOTH: Final = {"ip_families": ["IPv4", "IPv6"]}
_LARGEST_SERVICES, _OF_A_NODE, _SUBNET, _NETWORK = 108, 80, 64, 48


@rule(
    "AKS133",
    Severity.WARNING,
    source=f"{_DUAL}: one range for each of the IP families",
    sample=Sample("service_cidr_v6", lambda: NetworkProfile(service_cidr_v6="fd00:20::/112")),
)
def ipv6_range_without_dual_stack(profile: NetworkProfile) -> Iterator[PartFinding]:
    """IPv6 ranges of pods and services have an effect only in clusters with both IP families."""
    for field in ("pod_cidr_v6", "service_cidr_v6"):
        if getattr(profile, field) is not None and not profile.is_dual:
            fix = Fix(f"Remove {ref(field)}, or set {ref('ip_families')} to {literal(['IPv4', 'IPv6'])}", (remove(field),))
            yield finding(profile, f"{ref(field)} has no effect: the cluster has IPv4 addresses only", path=field, fix=fix)


@rule(
    "AKS134",
    Severity.ERROR,
    source=f"{_DUAL}: the IPv6 range of services is at most a /108",
    sample=Sample("network_profile.service_cidr_v6", lambda: aks(network_profile={**_BOTH, "service_cidr_v6": "fd00:20::/64"})),
)
def ipv6_service_cidr_too_large(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a /108 or smaller as the IPv6 range of services."""
    services = cluster.service_cidr_v6
    if services is not None and IPv6Network(services).prefixlen < _LARGEST_SERVICES:
        smaller = str(next(IPv6Network(services).subnets(new_prefix=_LARGEST_SERVICES)))
        at = ("network_profile", "service_cidr_v6")
        message = f"AKS rejects `{services}` as the IPv6 range of services: it is larger than a /{_LARGEST_SERVICES}"
        yield finding(cluster, message, path=at, value=services, fix=set_to(at, smaller))


@rule(
    "AKS135",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: the ranges must not overlap",
    sample=Sample(
        "network_profile.pod_cidr_v6", lambda: aks(network={"cidr_v6": "fd00:10::/48"}, network_profile={**_BOTH, "pod_cidr_v6": "fd00:10:0:1::/64"})
    ),
)
def overlapping_ipv6_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The IPv6 ranges of the virtual network, the pods and the services of a cluster must not overlap."""
    for (other, taken, _), (name, cidr, at) in combinations(_ranges(cluster), 2):
        if overlap(taken, cidr):
            message = f"The IPv6 range of the {name} (`{cidr}`) overlaps the IPv6 range of the {other} (`{taken}`)"
            yield finding(cluster, message, path=at, value=cidr, fix=f"Set {ref(at)} to a range outside `{taken}`")


@rule(
    "AKS136", Severity.ERROR, source=_SUBNETS, sample=Sample("network.cidr_v6", lambda: aks(network={"cidr_v6": "fd00:10::/96"})), limits=(NETWORKS,)
)
def ipv6_network_too_small(network: AksNetworkArgs) -> Iterator[PartFinding]:
    """Azure accepts IPv6 subnets of exactly /64, and each subnet of nodes needs its own inside the virtual network."""
    cluster = network.cidr_v6
    if cluster is None:
        return
    if IPv6Network(cluster).prefixlen > _SUBNET:
        message = f"The virtual network `{cluster}` is smaller than a /{_SUBNET}, the size of every IPv6 subnet in Azure"
        larger = IPv6Network(cluster).supernet(new_prefix=_NETWORK)
        yield finding(network, message, path="cidr_v6", fix=f"Set {ref('cidr_v6')} to a larger range, such as {literal(str(larger))}")
        return
    own = [cidr for cidr in (network.node_range, *network.pool_subnets.values()) if inside(cidr, network.cidr)]
    shared = [of for of, times in Counter(twin(cidr, network.cidr, cluster) for cidr in own).items() if times > 1]
    if shared:
        message = f"The virtual network `{cluster}` has too few /{_SUBNET} ranges for its node subnets: two of them would both get `{shared[0]}`"
        yield finding(
            network,
            message,
            path="cidr_v6",
            fix=f"Set {ref('cidr_v6')} to a larger range, such as a /{_NETWORK}, or use fewer and larger IPv4 subnets",
        )


@rule(
    "AKS137",
    Severity.WARNING,
    source=f"{_DUAL}: each node has a /80 of the IPv6 range of pods",
    sample=Sample("network_profile.pod_cidr_v6", lambda: aks(network_profile={**_BOTH, "pod_cidr_v6": "fd00:20::/79"})),
)
def ipv6_pod_cidr_too_small(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Each node takes a /80 of the IPv6 range of the pods, which limits the number of nodes."""
    pods = cluster.pod_cidr_v6
    if pods is None:
        return
    room = 1 << max(_OF_A_NODE - IPv6Network(pods).prefixlen, 0) if IPv6Network(pods).prefixlen <= _OF_A_NODE else 0
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if nodes > room:
        at = ("network_profile", "pod_cidr_v6")
        message = f"The IPv6 range of the pods (`{pods}`) is enough for {room:,} nodes (a /{_OF_A_NODE} each), and the pools can have {nodes:,}"
        yield finding(cluster, message, path=at, value=pods, fix=f"Set {ref(at)} to a larger range, such as a /{_SUBNET}")


def _ranges(cluster: AksClusterArgs) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """Everything with an IPv6 range: its name, the range, and the path of the field."""
    network = cluster.applied_network
    if isinstance(network, AksNetworkArgs) and network.cidr_v6 is not None:
        yield "network", network.cidr_v6, ("network", "cidr_v6")
    if cluster.pod_cidr_v6 is not None:
        yield "pods", cluster.pod_cidr_v6, ("network_profile", "pod_cidr_v6")
    if cluster.service_cidr_v6 is not None:
        yield "services", cluster.service_cidr_v6, ("network_profile", "service_cidr_v6")


_LIMITS = "https://learn.microsoft.com/azure/aks/azure-cni-overlay#dual-stack-networking-limitations (2026-07-31)"
_FAMILIES: Final = ("IPv4", "IPv6")
_ENGINES: Final[Mapping[str, str]] = {"azure": "Azure network policies", "calico": "Calico network policies"}
"""Network policy engines that support only IPv4."""
_GATEWAYS: Final = ("userAssignedNATGateway", "managedNATGateway")
"""Outbound types whose gateway may have the Standard SKU, which supports only IPv4."""
_EXISTING: Final = ExistingAksNetwork(subnet_id="subnet")


@rule(
    "AKS200",
    Severity.ERROR,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6; IPv6 alone is not supported",
    sample=Sample("ip_families", lambda: NetworkProfile(ip_families=["IPv6"])),
)
def ipv6_only_cluster(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A cluster has IPv4, or IPv4 and IPv6: AKS does not support IPv6 alone."""
    families = tuple(profile.ip_families)
    if families and (len(set(families)) < len(families) or "IPv4" not in families):
        message = f"AKS rejects {literal(list(families))}: a cluster has IPv4, or IPv4 and IPv6"
        both = f"Set {ref('ip_families')} to {literal(list(_FAMILIES))} or {literal(['IPv4'])}"
        fix: FixLike = both if "IPv6" in families else set_to("ip_families", ["IPv4"])
        yield finding(profile, message, path="ip_families", fix=fix)


@rule(
    "AKS201",
    Severity.WARNING,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6 are supported, and ranges follow that order",
    sample=Sample("network_profile.ip_families", lambda: aks(network=_EXISTING, network_profile={"ip_families": ["IPv6", "IPv4"]})),
)
def reversed_ip_families(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS documents IPv4 as the first of two IP families."""
    if tuple(profile.ip_families) == ("IPv6", "IPv4"):
        message = "AKS documents `IPv4` as the first of two IP families, and can reject `IPv6` before it"
        yield finding(profile, message, path="ip_families", fix=set_to("ip_families", list(_FAMILIES)))


@rule(
    "AKS202",
    Severity.ERROR,
    source=f"{_LIMITS}: Azure and Calico network policies are not supported with dual-stack networking",
    sample=Sample(
        "network_profile.policy", lambda: aks(network=_EXISTING, network_profile={"ip_families": _FAMILIES, "dataplane": "azure", "policy": "calico"})
    ),
)
def network_policy_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS supports Azure and Calico network policies with IPv4 only; with IPv6 Cilium enforces them."""
    engine = _ENGINES.get(profile.policy) if profile.policy is not None and profile.plugin == "azure" else None
    if engine is not None and is_dual(profile) and profile.dataplane != "cilium":  # where it is, AKS045 tells it
        message = f"AKS does not support {engine} with IPv6 ({ref('ip_families')})"
        fix = f"Remove {ref('policy')} and set {ref('dataplane')} to {literal('cilium')}, or set {ref('ip_families')} to {literal(['IPv4'])}"
        yield finding(profile, message, path="policy", fix=fix)


@rule(
    "AKS203",
    Severity.ERROR,
    source=f"{_DUAL}: Azure CNI Overlay is required; Azure/AKS CHANGELOG, 2026-06-19: static blocks of a pod subnet too",
    sample=Sample("network_profile.ip_families", lambda: aks(network=_EXISTING, network_profile={"ip_families": _FAMILIES, "plugin_mode": None})),
)
def flat_network_without_ipv6(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS gives pods IPv6 addresses with overlay networking, or in static blocks of a pod subnet."""
    profile = cluster.network_profile
    if not is_dual(profile) or profile.plugin != "azure" or profile.plugin_mode == "overlay":
        return
    if any(pool.pod_ip_allocation != "StaticBlock" for _, pool in cluster.all_pools()):
        message = "AKS rejects IPv6 without overlay networking or a pod subnet with static blocks"
        fix = f"Set {ref('plugin_mode')} to {literal('overlay')}, or {ref('ip_families')} to {literal(['IPv4'])}"
        yield finding(profile, message, path="ip_families", fix=fix)


@rule(
    "AKS204",
    Severity.WARNING,
    source=f"{_LIMITS}: a Standard NAT gateway supports IPv4 only, StandardV2 supports both",
    sample=Sample(
        "network_profile.outbound_type",
        lambda: aks(
            network=_EXISTING,
            api_server=ApiServer(private=True),
            network_profile={"ip_families": _FAMILIES, "outbound_type": "userAssignedNATGateway"},
        ),
    ),
)
def nat_gateway_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A NAT gateway of the Standard SKU translates IPv4 only; one of the StandardV2 SKU translates both families."""
    if is_dual(profile) and profile.outbound_type in _GATEWAYS:
        message = "IPv6 traffic cannot leave the cluster if the NAT gateway has the Standard SKU, which translates IPv4 only"
        fix = f"Use a gateway of the StandardV2 SKU, or set {ref('outbound_type')} to {literal('loadBalancer')}"
        yield finding(profile, message, path="outbound_type", fix=fix)


def is_dual(profile: NetworkProfile) -> bool:
    """The cluster has both IP families."""
    return set(profile.ip_families) == {"IPv4", "IPv6"}
