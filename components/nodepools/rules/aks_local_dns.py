"""Zones of local DNS: the names that the API server accepts. Facts: docs/facts/aks.md § 3.4."""

import re
from collections.abc import Iterator

from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.node_settings import LocalDns, LocalDnsOverride
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.fix import remove
from nodepools.rules.registry import finding, rule

_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_ZONE = re.compile(r"\.|{label}(\.{label})*\.?".replace("{label}", "[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"))


@rule("NAP050", Severity.ERROR, source=f"{_CRD}: the pattern of zone", sample=lambda: _with("*.example.com"))
def invalid_local_dns_zone(override: LocalDnsOverride, _: AksNodeClass) -> Iterator[PartFinding]:
    """A zone of local DNS is `.` or a DNS name: parts of up to 63 letters, digits, `-` and `_`, with dots between them."""
    if not _ZONE.fullmatch(override.zone):
        message = f"`{override.zone}` is not a DNS name: the API server rejects it as a zone of local DNS"
        yield finding(override, message, path="zone", fix="Use a name such as `example.com`, or `.` for all other names")


@rule("NAP051", Severity.ERROR, source=f"{_CRD}: overrides are a map by zone", sample=lambda: _with("example.com", "example.com"))
def duplicate_local_dns_zone(dns: LocalDns) -> Iterator[PartFinding]:
    """Each list of local DNS overrides has one entry for a zone."""
    for field, overrides in (("vnet_dns", dns.vnet_dns), ("kube_dns", dns.kube_dns)):
        zones = [override.zone for override in overrides]
        for index, zone in enumerate(zones):
            if zone in zones[:index]:
                message = f"The zone `{zone}` is listed twice: the API server rejects the AKSNodeClass"
                yield finding(dns, message, path=(field, index), value=zone, fix=remove((field, index)))


def _with(*zones: str) -> AksNodeClass:
    """A node class whose pods resolve `zones`, too, with the DNS servers of the virtual network."""
    cluster = LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")
    outside = [LocalDnsOverride(zone=zone, forward_destination="VnetDNS") for zone in (".", *zones)]
    return AksNodeClass(local_dns=LocalDns(vnet_dns=[*outside, cluster], kube_dns=[outside[0], cluster]))
