"""Features that AKS does not support in clusters with IPv4 and IPv6. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork, NetworkProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import FixLike, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_DUAL = "https://learn.microsoft.com/azure/aks/configure-dual-stack"
_LIMITS = "https://learn.microsoft.com/azure/aks/azure-cni-overlay#dual-stack-networking-limitations (2026-07-31)"
_BOTH: Final = ("IPv4", "IPv6")
_ENGINES: Final[Mapping[str, str]] = {"azure": "Azure network policies", "calico": "Calico network policies"}
"""Network policy engines that support only IPv4."""
_GATEWAYS: Final = ("userAssignedNATGateway", "managedNATGateway")
"""Outbound types whose gateway may have the Standard SKU, which supports only IPv4."""
_EXISTING: Final = ExistingAksNetwork(subnet_id="subnet")


@rule(
    "AKS200",
    Severity.ERROR,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6; IPv6 alone is not supported",
    sample=lambda: NetworkProfile(ip_families=["IPv6"]),
)
def ipv6_only_cluster(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A cluster has IPv4, or IPv4 and IPv6: AKS does not support IPv6 alone."""
    families = tuple(profile.ip_families)
    if families and (len(set(families)) < len(families) or "IPv4" not in families):
        message = f"AKS rejects {literal(list(families))}: a cluster has IPv4, or IPv4 and IPv6"
        both = f"Set {ref('ip_families')} to {literal(list(_BOTH))} or {literal(['IPv4'])}"
        fix: FixLike = both if "IPv6" in families else set_to("ip_families", ["IPv4"])
        yield finding(profile, message, path="ip_families", fix=fix)


@rule(
    "AKS201",
    Severity.WARNING,
    source=f"{_DUAL}: only ipv4 or ipv4,ipv6 are supported, and ranges follow that order",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": ["IPv6", "IPv4"]}),
)
def reversed_ip_families(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS documents IPv4 as the first of two IP families."""
    if tuple(profile.ip_families) == ("IPv6", "IPv4"):
        message = "AKS documents `IPv4` as the first of two IP families, and can reject `IPv6` before it"
        yield finding(profile, message, path="ip_families", fix=set_to("ip_families", list(_BOTH)))


@rule(
    "AKS202",
    Severity.ERROR,
    source=f"{_LIMITS}: Azure and Calico network policies are not supported with dual-stack networking",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": _BOTH, "dataplane": "azure", "policy": "calico"}),
)
def network_policy_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """AKS supports Azure and Calico network policies with IPv4 only; with IPv6 Cilium enforces them."""
    engine = _ENGINES.get(profile.policy) if profile.policy is not None and profile.plugin == "azure" else None
    if engine is not None and is_dual(profile) and profile.dataplane != "cilium":  # where it is, AKS045 tells it
        message = f"AKS does not support {engine} with IPv6, which {ref('ip_families')} adds"
        fix = f"Remove {ref('policy')} and set {ref('dataplane')} to {literal('cilium')}, or set {ref('ip_families')} to {literal(['IPv4'])}"
        yield finding(profile, message, path="policy", fix=fix)


@rule(
    "AKS203",
    Severity.ERROR,
    source=f"{_DUAL}: Azure CNI Overlay is required; Azure/AKS CHANGELOG, 2026-06-19: static blocks of a pod subnet too",
    sample=lambda: aks(network=_EXISTING, network_profile={"ip_families": _BOTH, "plugin_mode": None}),
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
    sample=lambda: aks(
        network=_EXISTING, api_server=ApiServer(private=True), network_profile={"ip_families": _BOTH, "outbound_type": "userAssignedNATGateway"}
    ),
)
def nat_gateway_without_ipv6(profile: NetworkProfile) -> Iterator[PartFinding]:
    """A NAT gateway of the Standard SKU translates IPv4 only; one of the StandardV2 SKU translates both families."""
    if is_dual(profile) and profile.outbound_type in _GATEWAYS:
        message = f"With `{profile.outbound_type}` IPv6 has no outbound route if the gateway has the Standard SKU, which translates IPv4 only"
        fix = f"Use a gateway of the StandardV2 SKU, or set {ref('outbound_type')} to {literal('loadBalancer')}"
        yield finding(profile, message, path="outbound_type", fix=fix)


def is_dual(profile: NetworkProfile) -> bool:
    """The cluster has both IP families."""
    return set(profile.ip_families) == {"IPv4", "IPv6"}
