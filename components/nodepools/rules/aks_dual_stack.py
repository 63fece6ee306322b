"""What AKS clusters with IPv4 and IPv6 cannot have. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork, NetworkProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_DUAL = "https://learn.microsoft.com/azure/aks/configure-dual-stack"
_LIMITS = "https://learn.microsoft.com/azure/aks/azure-cni-overlay#dual-stack-networking-limitations (2026-07-31)"
_BOTH: Final = ("IPv4", "IPv6")
_ENGINES: Final[Mapping[str, str]] = {"azure": "Azure network policies", "calico": "Calico network policies"}
"""Who enforces network policies, for IPv4 alone."""
_GATEWAYS: Final = ("userAssignedNATGateway", "managedNATGateway")
"""Outbound types whose gateway may be of the Standard SKU, which is for IPv4 alone."""
_EXISTING: Final = ExistingAksNetwork(subnet_id="subnet")


@rule(
    "AKS200",
    Severity.ERROR,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6; IPv6 alone is not supported",
    sample=lambda: NetworkProfile(ip_families=["IPv6"]),
)
def ipv6_only_cluster(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A cluster has IPv4, or IPv4 and IPv6: IPv6 alone is not supported."""
    families = tuple(profile.ip_families)
    if families and (len(set(families)) < len(families) or "IPv4" not in families):
        message = f"`{list(families)}` is not a set of IP families that AKS supports: IPv6 alone and repeated families are rejected"
        yield finding(profile, message, at="ip_families", fix='Set `ip_families` to `["IPv4"]` or `["IPv4", "IPv6"]`')


@rule(
    "AKS201",
    Severity.WARNING,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6 are supported, and ranges follow that order",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": ["IPv6", "IPv4"]}),
)
def reversed_ip_families(profile: NetworkProfile) -> Iterator[PartFinding]:
    """Of two IP families IPv4 is the first."""
    if tuple(profile.ip_families) == ("IPv6", "IPv4"):
        message = "AKS documents `IPv4` as the first of two IP families, and can reject `IPv6` before it"
        yield finding(profile, message, at="ip_families", fix='Set `ip_families` to `["IPv4", "IPv6"]`')


@rule(
    "AKS202",
    Severity.ERROR,
    source=f"{_LIMITS}: Azure and Calico network policies are not supported with dual-stack networking",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": _BOTH, "dataplane": "azure", "policy": "calico"}),
)
def network_policy_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """With IPv6 network policies are enforced by Cilium: the engines of Azure and Calico are for IPv4 alone."""
    engine = _ENGINES.get(profile.policy) if profile.policy is not None and profile.plugin == "azure" else None
    if engine is not None and is_dual(profile) and profile.dataplane != "cilium":  # where it is, AKS045 tells it
        message = f"{engine} are not supported with IPv6, which `ip_families` adds"
        fix = 'Remove `policy` and set `dataplane` to `"cilium"`, or set `ip_families` to `["IPv4"]`'
        yield finding(profile, message, at="policy", fix=fix)


@rule(
    "AKS203",
    Severity.ERROR,
    source=f"{_DUAL}: Azure CNI Overlay is required; Azure/AKS CHANGELOG, 2026-06-19: static blocks of a pod subnet too",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": _BOTH, "plugin_mode": None}),
)
def flat_network_without_ipv6(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Pods get an IPv6 address in overlay, or in static blocks of a pod subnet: not in the nodes' subnet, nor one by one."""
    profile = cluster.network_profile
    if not is_dual(profile) or profile.plugin != "azure" or profile.plugin_mode == "overlay":
        return
    if any(pool.pod_ip_allocation != "StaticBlock" for _, pool in cluster.all_pools()):
        message = "IPv6 needs overlay networking, or static blocks of a pod subnet: without them the cluster is rejected"
        fix = 'Set `plugin_mode` to `"overlay"`, or `ip_families` to `["IPv4"]`'
        yield finding(cluster, message, at=("network_profile", "ip_families"), fix=fix)


@rule(
    "AKS204",
    Severity.WARNING,
    source=f"{_LIMITS}: a Standard NAT gateway supports IPv4 only, StandardV2 supports both",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": _BOTH, "outbound_type": "userAssignedNATGateway"}),
)
def nat_gateway_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A NAT gateway of the SKU Standard translates IPv4 alone; one of the SKU StandardV2 translates both."""
    if is_dual(profile) and profile.outbound_type in _GATEWAYS:
        message = f"IPv6 has no way out by `{profile.outbound_type}` where the gateway has the SKU Standard, which translates IPv4 only"
        fix = 'Set `outbound_type` to `"loadBalancer"`, or use a gateway of the SKU StandardV2'
        yield finding(profile, message, at="outbound_type", fix=fix)


def is_dual(profile: NetworkProfile) -> bool:
    """It has both families."""
    return set(profile.ip_families) == {"IPv4", "IPv6"}
