"""Access to the API server of an AKS cluster: networks, addresses and DNS names. Facts: docs/facts/aks.md § 2.11."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork
from nodepools.model.cidr import first_address
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import aks

_AUTHORIZED = "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges#limitations-and-considerations"
_PRIVATE = "https://learn.microsoft.com/azure/aks/private-clusters"
_INTEGRATED = "https://learn.microsoft.com/azure/aks/api-server-vnet-integration"
_RANGES: Final = 200
_RANGES_IN_THE_NETWORK: Final = 2000
_BALANCER_ALONE: Final = "0.0.0.0/32"
"""Azure replaces this range by the outbound address of the cluster, and accepts no other range next to it."""
_NOT_INTEGRATED: Final = ("qatarcentral",)
_PUBLIC_CLOUD: Final = "azmk8s.io"
_HIDDEN: Final = ApiServer(private=True)
_ZONE: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/"
_SUBNETS: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/"


@rule(
    "AKS212",
    Severity.ERROR,
    source=f"{_AUTHORIZED}: up to 200 ranges, 2,000 with API server VNet integration",
    sample=Sample(
        "api_server.authorized_ip_ranges", lambda: aks(api_server=ApiServer(authorized_ip_ranges=[f"203.0.113.{number}/32" for number in range(201)]))
    ),
)
def too_many_authorized_ranges(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts at most 200 authorized IP ranges, or 2,000 with API server VNet integration."""
    most = _RANGES if cluster.api_server_subnet_id is None else _RANGES_IN_THE_NETWORK
    count = len(cluster.api_server.authorized_ip_ranges)
    if count > most:
        at = ("api_server", "authorized_ip_ranges")
        message = f"{ref(at)} has {count:,} entries: AKS accepts at most {most:,}"
        yield finding(cluster, message, path=at, value=count, fix=f"Merge or remove ranges until at most {most:,} are left")


@rule(
    "AKS343",
    Severity.WARNING,
    source=f"{_AUTHORIZED} (2026-11): a range begins with its first address",
    sample=Sample("api_server.authorized_ip_ranges[0]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["203.0.113.9/24"]))),
)
def range_within_a_range(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS documents that an authorized range begins with its first address."""
    for index, text in enumerate(cluster.api_server.authorized_ip_ranges):
        whole = first_address(text)
        if whole is not None and whole != text:
            at = ("api_server", "authorized_ip_ranges", index)
            message = f"AKS can reject the range `{text}`: its documentation requires that a range begins with its first address"
            yield finding(cluster, message, path=at, fix=set_to(at, whole))


@rule(
    "AKS213",
    Severity.ERROR,
    source="https://github.com/Azure/terraform-azurerm-aks/issues/378: InvalidParameter, 0.0.0.0/32 is not allowed with other IP ranges",
    sample=Sample("api_server.authorized_ip_ranges[1]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24", "0.0.0.0/32"]))),
)
def cluster_only_range_with_others(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The range `0.0.0.0/32` stands for the outbound address of the cluster; AKS rejects it together with other ranges."""
    ranges = cluster.api_server.authorized_ip_ranges
    if _BALANCER_ALONE in ranges and len(ranges) > 1:
        at = ("api_server", "authorized_ip_ranges", list(ranges).index(_BALANCER_ALONE))
        message = f"AKS rejects `{_BALANCER_ALONE}` (only the outbound address of the cluster) together with other ranges"
        yield finding(cluster, message, path=at, fix=Fix(f"Remove `{_BALANCER_ALONE}`", (remove(at),)))


def is_service_tag(text: str) -> bool:
    """`text` names a group of Azure's own addresses, such as `AzureCloud` or `AzureCloud.westeurope`."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?", text) is not None


@rule(
    "AKS236",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/api-server-service-tags#limitations: only one service tag (preview)",
    sample=Sample("api_server.authorized_ip_ranges[1]", lambda: aks(api_server=ApiServer(authorized_ip_ranges=["AzureCloud", "AzureDevOps"]))),
)
def several_service_tags(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts at most one service tag among the authorized IP ranges."""
    tags = [(index, text) for index, text in enumerate(cluster.api_server.authorized_ip_ranges) if is_service_tag(text)]
    for index, text in tags[1:]:
        at = ("api_server", "authorized_ip_ranges", index)
        message = f"`{tags[0][1]}` and `{text}` are both service tags: the authorized IP ranges can contain only one"
        yield finding(cluster, message, path=at, value=text, fix=Fix(f"Remove `{text}` or `{tags[0][1]}`", (remove(at),)))


@rule(
    "AKS214",
    Severity.ERROR,
    source=f"{_PRIVATE}#limitations-for-private-aks-clusters-with-custom-dns: privateDNSZone none without the public FQDN is not supported",
    sample=Sample("private_public_fqdn", lambda: aks(api_server=_HIDDEN, private_dns_zone="none", private_public_fqdn=False)),
)
def private_api_server_without_dns_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS requires that a private API server has a name in a private DNS zone or in public DNS."""
    zone = cluster.private_dns_zone
    if isinstance(zone, str) and zone.lower() == "none" and cluster.private_public_fqdn is False:
        message = "AKS rejects an API server without a DNS name: this one has no private DNS zone, and its public name is off"
        text = f"Set {ref('private_public_fqdn')} to {literal(value=True)}, or set {ref('private_dns_zone')} to {literal('system')}"
        yield finding(cluster, message, path="private_public_fqdn", fix=Fix(text, (set_to("private_public_fqdn", True),)))


@rule(
    "AKS215",
    Severity.ERROR,
    source=f"{_PRIVATE}#configuration-options-for-private-dns: [SUBZONE.]privatelink.REGION.azmk8s.io; InvalidPrivateDNSZoneResourceID",
    sample=Sample("private_dns_zone", lambda: aks(api_server=_HIDDEN, private_dns_zone=f"{_ZONE}example.com")),
)
def private_dns_zone_name_mismatch(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts private DNS zones named `privatelink.REGION.azmk8s.io`, `private.…` with VNet integration, and subzones of these."""
    zone, region = cluster.private_dns_zone, cluster.location.lower().replace(" ", "")
    if not isinstance(zone, str) or zone.lower() in ("system", "none"):
        return
    name = zone.lower().rpartition("/")[2]
    if not re.fullmatch(rf"([a-z0-9-]{{1,32}}\.)?private(link)?\.{re.escape(region)}\.[a-z0-9.-]+", name):
        message = f"AKS rejects the private DNS zone `{name}`: the name must be `privatelink.{region}.{_PUBLIC_CLOUD}` or a subzone of it"
        fix = f"Use a zone with that name, or remove {ref('private_dns_zone')} (default: `system`, a zone that AKS creates)"
        yield finding(cluster, message, path="private_dns_zone", fix=fix)


@rule(
    "AKS216",
    Severity.ERROR,
    source=f"{_INTEGRATED}#availability: all GA public cloud regions except qatarcentral",
    sample=Sample("api_server_subnet_id", lambda: aks(location="qatarcentral", api_server_subnet_id="subnet")),
)
def region_without_vnet_integration(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """API server VNet integration is available in every public region except `qatarcentral`."""
    region = cluster.location.lower().replace(" ", "")
    if cluster.api_server_subnet_id is not None and region in _NOT_INTEGRATED:
        message = f"API server VNet integration is not available in `{region}`"
        fix = Fix(f"Remove {ref('api_server_subnet_id')}, or use another region", (remove("api_server_subnet_id"),))
        yield finding(cluster, message, path="api_server_subnet_id", fix=fix)


@rule(
    "AKS217",
    Severity.ERROR,
    source=f"{_INTEGRATED}: the delegated subnet is for no other workload; concepts-network-cni-overview: no pool in a delegated subnet",
    sample=Sample(
        "network.subnet_id", lambda: aks(network=ExistingAksNetwork(subnet_id=f"{_SUBNETS}nodes"), api_server_subnet_id=f"{_SUBNETS}Nodes")
    ),
)
def api_server_subnet_shared(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The subnet of the API server is delegated to it: AKS rejects nodes and pods there."""
    own = cluster.api_server_subnet_id
    if not isinstance(own, str):
        return
    for steps, subnet in subnet_ids(cluster):
        if subnet.lower() == own.lower():
            message = f"AKS rejects nodes and pods in the subnet `{subnet.rpartition('/')[2]}`, which is delegated to the API server"
            yield finding(cluster, message, path=steps, fix=f"Set {ref('api_server_subnet_id')} to a subnet that nothing else uses")


def subnet_ids(cluster: AksClusterArgs) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The subnets of nodes and pods that are given by id, each with the path of its field."""
    if not isinstance(cluster.network, AksNetworkArgs):
        for field in ("subnet_id", "pod_subnet_id"):
            subnet = getattr(cluster.network, field)
            if isinstance(subnet, str):
                yield ("network", field), subnet
    for key, pool in cluster.all_pools():
        parent: tuple[Step, ...] = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
        for field in ("vnet_subnet_id", "pod_subnet_id"):
            subnet = getattr(pool, field)
            if isinstance(subnet, str):
                yield (*parent, field), subnet
