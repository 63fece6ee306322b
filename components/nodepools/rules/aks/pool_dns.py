"""LocalDNS: which nodes can run it, and the zones that the API server accepts. Facts: docs/facts/aks.md § 2.7, § 3.4."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.node_provisioning import AksNodeClass
from nodepools.model.aks.node_settings import LocalDns, LocalDnsOverride
from nodepools.model.aks.pools import UserPool
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import Fix, FixLike, add, remove
from nodepools.rules.engine.registry import Sample, finding, rule

_PAGE = "https://learn.microsoft.com/azure/aks/localdns-custom"
_CPUS = 4
_ZONES: Final[Mapping[str, Literal["VnetDNS", "ClusterCoreDNS"]]] = {".": "VnetDNS", "cluster.local": "ClusterCoreDNS"}
"""Zones that each list of overrides needs, and the server that resolves them by default."""


@rule(
    "AKS057",
    Severity.WARNING,
    source=f"{_PAGE}: 4 vCPUs, Azure Linux or Ubuntu; server blocks for `.` and `cluster.local`",
    sample=Sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Preferred"))),
)
def ineffective_local_dns(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Preferred` has no effect on nodes that cannot run it; its overrides must include the zones `.` and `cluster.local`."""
    if pool.local_dns is None or pool.local_dns.mode == "Disabled":
        return
    for why, fix in _obstacles(pool) if pool.local_dns.mode == "Preferred" else ():
        yield finding(pool, f"LocalDNS has no effect here: {why}", path="local_dns", fix=fix)
    for field, overrides in (("vnet_dns", pool.local_dns.vnet_dns), ("kube_dns", pool.local_dns.kube_dns)):
        missing = [zone for zone in _ZONES if zone not in [override.zone for override in overrides]]
        if overrides and missing:
            at = ("local_dns", field)
            message = f"{ref(at)} has no override for {' and '.join(f'`{zone}`' for zone in missing)}"
            fix = [add(at, LocalDnsOverride(zone=zone, forward_destination=_ZONES[zone])) for zone in missing]
            yield finding(pool, message, path=at, fix=fix)


@rule(
    "AKS182",
    Severity.ERROR,
    source=f"{_PAGE} (2026-07): with `Required`, the deployment fails where the requirements are not met: 4 vCPUs, Azure Linux or Ubuntu",
    sample=Sample("local_dns", lambda: UserPool(vm_size="Standard_D2ds_v5", local_dns=_dns("Required"))),
)
def required_local_dns_unsupported(pool: AgentPool) -> Iterator[PartFinding]:
    """LocalDNS in mode `Required` fails the deployment of a pool whose nodes cannot run it."""
    for why, fix in _obstacles(pool) if pool.local_dns is not None and pool.local_dns.mode == "Required" else ():
        yield finding(pool, f"AKS rejects LocalDNS in the mode `Required` here: {why}", path="local_dns", fix=fix)


def _obstacles(pool: AgentPool) -> Iterator[tuple[str, FixLike]]:
    """Why the nodes cannot run it, and the fix."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.cpu is not None and size.cpu < _CPUS:
        fix = Fix(f"Remove {ref('local_dns')}, or use a size with at least {_CPUS} vCPUs", (remove("local_dns"),))
        yield f"it requires nodes with {_CPUS} vCPUs, and `{pool.vm_size}` has {size.cpu}", fix
    if pool.os_type == "Windows":
        yield f"it runs on Azure Linux and Ubuntu only, not on `{pool.os_sku}`", remove("local_dns")


def _dns(mode: Literal["Preferred", "Required"]) -> LocalDns:
    zones = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
    return LocalDns(mode=mode, vnet_dns=zones, kube_dns=zones)


_CRD = "AKSNodeClass CRD (karpenter.azure.com/v1beta1)"
_ZONE = re.compile(r"\.|{label}(\.{label})*\.?".replace("{label}", "[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"))


@rule("NAP050", Severity.ERROR, source=f"{_CRD}: the pattern of zone", sample=Sample("local_dns.vnet_dns[1].zone", lambda: _with("*.example.com")))
def invalid_local_dns_zone(override: LocalDnsOverride, _: AksNodeClass) -> Iterator[PartFinding]:
    """A zone of local DNS is `.` or a DNS name: parts of up to 63 letters, digits, `-` and `_`, with dots between them."""
    if not _ZONE.fullmatch(override.zone):
        message = f"`{override.zone}` is not a DNS name: the API server rejects it as a zone of local DNS"
        yield finding(override, message, path="zone", fix="Use a name such as `example.com`, or `.` for all other names")


@rule(
    "NAP051",
    Severity.ERROR,
    source=f"{_CRD}: overrides are a map by zone",
    sample=Sample("local_dns.vnet_dns[2]", lambda: _with("example.com", "example.com")),
)
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
