"""Rights of clusters and of their nodes: what is refused or in vain beside what works."""

from datetime import date

import pytest

from nodepools import ApiServer, ExistingAksNetwork, StackOutput, UserPool
from nodepools.aks import (
    AzureRole,
    ImageCache,
    KubeletIdentity,
    ManagedAksNetwork,
    ManagedNatGateway,
    NatGateway,
    WorkloadIdentity,
)
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks
from tests.azure_ids import SUBNET as OWN

GIVEN = "/subscriptions/s/resourceGroups/g/providers"
IDENTITY = f"{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/shop"
REGISTRY = f"{GIVEN}/Microsoft.ContainerRegistry/registries/shop"
RESERVED = f"{GIVEN}/Microsoft.Compute/capacityReservationGroups/web"
OURS = KubeletIdentity(id=IDENTITY, client_id="c", object_id="o")
EXISTING = ExistingAksNetwork(subnet_id=f"{GIVEN}/Microsoft.Network/virtualNetworks/v/subnets/nodes")
BY_ADDRESS = {"load_balancer": {"backend_pool_type": "NodeIP"}}
BY_INTERFACE = {"load_balancer": {"backend_pool_type": "NodeIPConfiguration"}}

REGISTRIES = [
    pytest.param(aks(registries=[REGISTRY]), [], id="a registry"),
    pytest.param(aks(registries=[StackOutput("acme/images/dev", "registry")]), [], id="one of another stack"),
    pytest.param(aks(registries=["shop.azurecr.io"]), ["AKS263 registries[0]"], id="the name of a server"),
    pytest.param(aks(registries=[REGISTRY, "shop"]), ["AKS263 registries[1]"], id="the name of a registry"),
    pytest.param(aks(network=EXISTING, identity="system", registries=[REGISTRY]), ["AKS260 registries"], id="with the identity that AKS assigns"),
    pytest.param(
        aks(network=EXISTING, identity="system", kubelet_identity=OURS), ["AKS260 kubelet_identity"], id="the same with one that is brought"
    ),
    pytest.param(aks(network=EXISTING, identity="system"), [], id="neither"),
    pytest.param(aks(identity=IDENTITY, registries=[REGISTRY]), ["AKS262 identity"], id="with an identity that is brought"),
    pytest.param(aks(identity=IDENTITY, registries=[REGISTRY], kubelet_identity=OURS), [], id="with both brought"),
    pytest.param(aks(kubelet_identity=KubeletIdentity()), [], id="an identity that is made"),
    pytest.param(aks(kubelet_identity=KubeletIdentity(id=IDENTITY)), ["AKS261 kubelet_identity.client_id"], id="one id of three"),
    pytest.param(aks(kubelet_identity=KubeletIdentity(object_id="o", client_id="c")), ["AKS261 kubelet_identity.id"], id="two ids of three"),
]
NETWORKS = [
    pytest.param(aks(network_rights="subnets"), [], id="subnets of a new network"),
    pytest.param(aks(network=EXISTING, network_rights="subnets"), ["AKS266 network_rights"], id="subnets of an existing one"),
    pytest.param(aks(network_rights="subnets", network_profile=BY_ADDRESS), ["AKS264 network_rights"], id="backends by address"),
    pytest.param(aks(network_rights="subnets", network_profile=BY_INTERFACE), [], id="backends by interface"),
    pytest.param(aks(network_profile=BY_ADDRESS), [], id="backends by address in the whole network"),
    pytest.param(aks(network_rights="subnets", identity=IDENTITY, network_profile=BY_ADDRESS), ["AKS267 network_rights"], id="no rights at all"),
    pytest.param(aks(network_rights="subnets", api_server=ApiServer(private=True)), ["AKS265 network_rights"], id="a zone to link"),
    pytest.param(aks(network_rights="subnets", api_server=ApiServer(private=True), private_dns_zone="none"), [], id="no zone to link"),
    pytest.param(aks(api_server=ApiServer(private=True)), [], id="a zone and the whole network"),
    pytest.param(aks(network=ManagedAksNetwork(), network_rights="subnets"), ["AKS267 network_rights"], id="a network of AKS"),
]
RESERVATIONS = [
    pytest.param(
        aks(pools={"web": UserPool(vm_size=SIZE, capacity_reservation_group_id=RESERVED)}),
        ["AKS268 pools.web.capacity_reservation_group_id"],
        id="a role that is new",
    ),
    pytest.param(
        aks(identity=IDENTITY, pools={"web": UserPool(vm_size=SIZE, capacity_reservation_group_id=RESERVED)}), [], id="roles of another program"
    ),
    pytest.param(
        aks(system_pool={"capacity_reservation_group_id": RESERVED}), ["AKS268 system_pool.capacity_reservation_group_id"], id="the first pool"
    ),
]


@pytest.mark.parametrize(("declared", "found"), [*REGISTRIES, *NETWORKS, *RESERVATIONS])
def test_rights(declared: Model, found: list[str]) -> None:
    assert [f"{one.code} {one.path}" for one in check(declared)] == found


BEHIND = {"outbound_type": "userAssignedNATGateway"}
ROUTED = {"outbound_type": "userDefinedRouting"}
GATEWAY = {"nat": NatGateway()}
TABLE = {"route_table_id": f"{GIVEN}/Microsoft.Network/routeTables/out"}
AS_ZONE = f"{GIVEN}/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io"
EGRESS = [
    pytest.param(aks(network=GATEWAY, network_profile=BEHIND), [], id="a gateway and its type"),
    pytest.param(aks(network=TABLE, network_profile=ROUTED), ["AKS321 api_server.authorized_ip_ranges"], id="routes and their type"),
    pytest.param(aks(network=TABLE, network_profile=ROUTED, api_server=ApiServer(private=True)), [], id="routes and a private API server"),
    pytest.param(aks(network=GATEWAY), ["AKS320 network_profile.outbound_type"], id="a gateway of another type"),
    pytest.param(aks(network=TABLE), ["AKS320 network_profile.outbound_type"], id="routes of another type"),
    pytest.param(
        aks(network=TABLE, network_profile=BEHIND, api_server=ApiServer(private=True)), ["AKS046 network_profile.outbound_type"], id="no gateway"
    ),
    pytest.param(
        aks(network=GATEWAY, network_profile=ROUTED, api_server=ApiServer(private=True)), ["AKS046 network_profile.outbound_type"], id="no routes"
    ),
    pytest.param(
        aks(network=ManagedAksNetwork(), network_profile=ROUTED, api_server=ApiServer(private=True)),
        ["AKS046 network_profile.outbound_type"],
        id="routes in a network of AKS",
    ),
    pytest.param(aks(network=EXISTING, network_profile=BEHIND), ["AKS321 api_server.authorized_ip_ranges"], id="a gateway of others"),
    pytest.param(aks(network=EXISTING, network_profile=BEHIND, api_server_subnet_id=OWN), [], id="an API server in the network"),
    pytest.param(aks(network_profile={"nat_gateway": ManagedNatGateway()}), ["AKS322 network_profile.nat_gateway"], id="settings of no gateway"),
    pytest.param(
        aks(network=ManagedAksNetwork(), network_profile={"outbound_type": "managedNATGateway", "nat_gateway": ManagedNatGateway()}),
        [],
        id="a gateway of AKS",
    ),
    pytest.param(aks(network={"nat": NatGateway(idle_timeout="2m")}, network_profile=BEHIND), ["AKS054 network.nat.idle_timeout"], id="too short"),
    pytest.param(aks(fqdn_subdomain="shop"), ["AKS323 fqdn_subdomain"], id="a name of a public API server"),
    pytest.param(
        aks(fqdn_subdomain="shop", api_server=ApiServer(private=True), private_dns_zone="system"), ["AKS323 fqdn_subdomain"], id="in AKS's zone"
    ),
    pytest.param(aks(fqdn_subdomain="shop", api_server=ApiServer(private=True), private_dns_zone=AS_ZONE), [], id="in a zone of the user's own"),
    pytest.param(
        aks(fqdn_subdomain="shop", dns_prefix="shop", api_server=ApiServer(private=True), private_dns_zone=AS_ZONE),
        ["AKS323 dns_prefix"],
        id="two names",
    ),
    pytest.param(aks(force_upgrade_until="2026-11-20T00:00:00Z"), ["AKS324 force_upgrade_until"], id="forced until yesterday"),
    pytest.param(aks(force_upgrade_until="2026-11-21T00:00:00Z"), [], id="forced until today"),
    pytest.param(aks(image_cache=ImageCache()), [], id="images from a cache"),
]


@pytest.mark.parametrize(("declared", "found"), EGRESS)
def test_egress(declared: Model, found: list[str]) -> None:
    assert [f"{one.code} {one.path}" for one in check(declared, today=date(2026, 11, 21)) if one.severity != "note"] == found


DNS = WorkloadIdentity("dns", "external-dns")
JOBS = {f"job{number}": WorkloadIdentity("jobs", f"job{number}", identity=IDENTITY) for number in range(21)}
WORKLOADS = [
    pytest.param({"dns": DNS}, {}, [], id="an identity"),
    pytest.param({"dns": DNS}, {"workload_identity": False}, ["AKS271 workload_identity"], id="no token"),
    pytest.param({"dns": DNS}, {"workload_identity": False, "oidc_issuer": False}, ["AKS270 oidc_issuer"], id="no issuer"),
    pytest.param({"dns": WorkloadIdentity("a", "b", roles=[AzureRole("Reader", "/subscriptions/s")])}, {}, [], id="a role by name"),
    pytest.param({"dns": WorkloadIdentity("a", "b", roles=[AzureRole("0" * 8 + "-0000" * 3 + "-" + "0" * 12, "/s")])}, {}, [], id="a role by id"),
    pytest.param(
        {"dns": WorkloadIdentity("a", "b", roles=[AzureRole("Butler", "/s")])}, {}, ["AKS273 workload_identities.dns.roles[0].role"], id="no role"
    ),
    pytest.param({"dns": DNS, "more": DNS}, {}, ["AKS274 workload_identities.more"], id="two of one service account"),
    pytest.param(JOBS, {}, ["AKS275 workload_identities"], id="too many of one identity"),
    pytest.param(dict(list(JOBS.items())[:20]), {}, [], id="as many as there may be"),
]


@pytest.mark.parametrize(("identities", "fields", "found"), WORKLOADS)
def test_workload_identities(identities: dict[str, WorkloadIdentity], fields: dict[str, object], found: list[str]) -> None:
    assert [f"{one.code} {one.path}" for one in check(aks(workload_identities=identities, **fields))] == found
