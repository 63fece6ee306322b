"""Fields of services that no other test here has: the real engine creates each cluster, and a second `up` does nothing."""

import pytest

from tests.pulumi.conftest import Engine

AKS = """Platform(name="dev", clusters={{"weu": AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    entra=Entra(deployer_is_admin=False),
    admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
    {fields}
)}})
"""
EKS = """Platform(name="dev", clusters={{"use1": EksClusterArgs(
    region="us-east-1",
    kubernetes_version="1.35",
    auto_mode=AutoMode(built_in_node_pools=["general-purpose"]),
    {fields}
)}})
"""
GIVEN = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers"
PROGRAMS = {
    "a network isolated cluster": (
        AKS,
        f"""
    network=AksNetworkArgs(cidr="10.10.0.0/16"),
    api_server=ApiServer(private=True),
    private_dns_zone="{GIVEN}/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io",
    fqdn_subdomain="shop",
    network_profile=NetworkProfile(outbound_type="none"),
    image_cache=ImageCache(registry_id="{GIVEN}/Microsoft.ContainerRegistry/registries/cache"),
    run_command=False,
    node_resource_group_restriction="ReadOnly",
    force_upgrade_until="2036-12-01T06:00:00Z",
    """,
    ),
    "a gateway that AKS manages, and an identity of nodes that exists": (
        AKS,
        f"""
    network=ManagedAksNetwork(),
    network_profile=NetworkProfile(outbound_type="managedNATGateway", nat_gateway=ManagedNatGateway(managed_outbound_ips=2, idle_timeout="10m")),
    identity="{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/cluster",
    kubelet_identity=KubeletIdentity(
        id="{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/nodes",
        client_id="22222222-2222-2222-2222-222222222222",
        object_id="33333333-3333-3333-3333-333333333333",
    ),
    """,
    ),
    "routes to a firewall": (
        AKS,
        f"""
    network=AksNetworkArgs(cidr="10.10.0.0/16", route_table_id="{GIVEN}/Microsoft.Network/routeTables/firewall"),
    network_profile=NetworkProfile(outbound_type="userDefinedRouting"),
    """,
    ),
    "two families, own addresses, reserved capacity": (
        AKS,
        f"""
    network=AksNetworkArgs(cidr="10.10.0.0/16", cidr_v6="fd00:10::/56"),
    network_profile=NetworkProfile(
        ip_families=["IPv4", "IPv6"],
        load_balancer=LoadBalancer(
            outbound_ip_ids=["{GIVEN}/Microsoft.Network/publicIPAddresses/egress"], backend_pool_type="NodeIPConfiguration",
        ),
    ),
    pools={{"web": UserPool(
        vm_size="Standard_D4ds_v5", count=2, capacity_reservation_group_id="{GIVEN}/Microsoft.Compute/capacityReservationGroups/web",
    )}},
    """,
    ),
    "rules of an organization": (
        EKS,
        """
    role_names="regional",
    security_group_ids=["sg-0123456789abcdef0"],
    objects=ClusterObjects(ingress_class=IngressClass(default=False, scheme="internal"), network_policies=True),
    """,
    ),
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_a_second_up_does_nothing(engine: Engine, title: str) -> None:
    program, fields = PROGRAMS[title]
    engine.declare(program.format(fields=fields))
    assert engine.up() != []
    assert engine.up() == []
