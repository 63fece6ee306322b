"""Gateways, routes and names that an AKS cluster declares for its outbound traffic and for its API server. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.nat_gateway import ManagedNatGateway, NatGateway
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, NetworkProfile
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import certain, remove, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_EGRESS: Final = f"{_PAGES}/egress-outboundtype"
_TYPE: Final = ("network_profile", "outbound_type")
_RANGES: Final = ("api_server", "authorized_ip_ranges")
_OF_THE_NETWORK: Final = ("userAssignedNATGateway", "userDefinedRouting")
_EXISTING: Final = ExistingAksNetwork(subnet_id="subnet")


@rule(
    "AKS320",
    Severity.WARNING,
    source=f"{_EGRESS}: the outbound type of a NAT gateway or a route table of your own",
    sample=lambda: aks(network={"nat": NatGateway()}),
)
def egress_of_another_outbound_type(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A NAT gateway and a route table of the network each have an outbound type; with another one, AKS creates a second outbound route."""
    network, outbound = cluster.network, cluster.network_profile.outbound_type
    if not isinstance(network, AksNetworkArgs):
        return
    for field, held, of_field in (("nat", network.nat, _OF_THE_NETWORK[0]), ("route_table_id", network.route_table_id, _OF_THE_NETWORK[1])):
        if held is not None and outbound not in _OF_THE_NETWORK:
            message = f"{ref(('network', field))} is for the outbound type `{of_field}`; with `{outbound}` AKS creates another outbound route"
            yield finding(cluster, message, path=_TYPE, fix=set_to(_TYPE, of_field))


@rule(
    "AKS321",
    Severity.NOTE,
    source=f"{_PAGES}/api-server-authorized-ip-ranges: AKS adds the address of its own load balancer, not that of a NAT gateway or a firewall",
    sample=lambda: aks(network=_EXISTING, network_profile={"outbound_type": "userAssignedNATGateway"}),
)
def authorized_ranges_without_egress_address(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes reach a public API server from the address of their NAT gateway or firewall; whether its authorized ranges have it is unknown offline."""
    access, outbound, network = cluster.api_server, cluster.network_profile.outbound_type, cluster.network
    is_added = isinstance(network, AksNetworkArgs) and network.nat is not None and outbound == _OF_THE_NETWORK[0]
    is_public = access.authorized_ip_ranges and not access.private and cluster.api_server_subnet_id is None
    if is_public and outbound in _OF_THE_NETWORK and not is_added:
        message = f"Nodes reach the API server only if {ref(_RANGES)} has the address of their egress: AKS does not add it with `{outbound}`"
        yield finding(cluster, message, path=_RANGES)


@rule(
    "AKS322",
    Severity.WARNING,
    source=f"{_PAGES}/nat-gateway: settings of the outbound type managedNATGateway",
    sample=lambda: aks(network_profile={"nat_gateway": ManagedNatGateway(managed_outbound_ips=2)}),
)
def managed_nat_gateway_without_effect(profile: NetworkProfile) -> Iterator[PartFinding]:
    """Settings of a managed NAT gateway have an effect only with the outbound type `managedNATGateway`."""
    if profile.nat_gateway is not None and profile.outbound_type != "managedNATGateway":
        message = f"{ref('nat_gateway')} has no effect with the outbound type `{profile.outbound_type}`"
        yield finding(profile, message, path="nat_gateway", fix=remove("nat_gateway"))


@rule(
    "AKS323",
    Severity.ERROR,
    source=f"{_PAGES}/private-clusters: --fqdn-subdomain with a private DNS zone of your own; either dnsPrefix or fqdnSubdomain",
    sample=lambda: aks(fqdn_subdomain="shop"),
)
def fqdn_subdomain_without_own_zone(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS accepts a subdomain only for a private API server in a private DNS zone of your own, and not together with a DNS prefix."""
    if cluster.fqdn_subdomain is None:
        return
    zone = cluster.private_dns_zone
    if not cluster.api_server.private or zone is None or zone in ("system", "none"):
        message = f"AKS accepts {ref('fqdn_subdomain')} only with a private API server in a private DNS zone of your own"
        yield finding(cluster, message, path="fqdn_subdomain", fix=remove("fqdn_subdomain"))
    elif cluster.dns_prefix is not None:
        message = f"{ref('dns_prefix')} and {ref('fqdn_subdomain')} cannot both be set"
        yield finding(cluster, message, path="dns_prefix", fix=remove("dns_prefix"))


@rule(
    "AKS324",
    Severity.WARNING,
    source=f"{_PAGES}/stop-cluster-upgrade-api-breaking-changes: until applies to the start of an upgrade",
    sample=lambda: aks(force_upgrade_until="2026-01-01T00:00:00Z"),
)
def force_upgrade_over(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
    """A time in the past forces no upgrade."""
    until = cluster.force_upgrade_until
    if until is not None and until[:10] < today.isoformat():
        message = f"Upgrades were forced until {literal(until)}, which is over: AKS checks for removed APIs again"
        yield finding(cluster, message, path="force_upgrade_until", fix=certain(remove("force_upgrade_until")))
