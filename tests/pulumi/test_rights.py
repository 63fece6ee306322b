"""What the real engine does with identities, rights and gateways of AKS clusters."""

from tests.pulumi.test_services import AKS, kinds

GIVEN = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/net/providers"
REGISTRY = f'registries=["{GIVEN}/Microsoft.ContainerRegistry/registries/shop"],'
WORKLOAD = f'workload_identities={{"dns": WorkloadIdentity("dns", "external-dns", roles=[AzureRole("Reader", "{GIVEN}")])}},'
SUBNETS = 'network_rights="subnets",'


def test_nodes_get_an_identity_that_may_pull_before_the_cluster(engine):
    engine.declare(AKS.format(fields=REGISTRY))
    made = kinds(engine.up())
    assert made.count("UserAssignedIdentity") == 2
    assert max(index for index, kind in enumerate(made) if kind == "RoleAssignment" and index < made.index("ManagedCluster")) < made.index(
        "ManagedCluster"
    )
    assert made[: made.index("ManagedCluster")].count("RoleAssignment") == 4
    assert engine.up() == []


def test_a_registry_for_a_cluster_that_exists_is_one_update_of_it(engine):
    engine.declare(AKS.format(fields=""))
    engine.up()
    engine.declare(AKS.format(fields=REGISTRY))
    assert [line.split()[0] for line in engine.up() if "ManagedCluster" in line] == ["update"]
    assert engine.up() == []


def test_workloads_come_and_go_without_the_cluster(engine):
    engine.declare(AKS.format(fields=""))
    engine.up()
    engine.declare(AKS.format(fields=WORKLOAD))
    assert sorted(kinds(engine.up())) == ["FederatedIdentityCredential", "RoleAssignment", "UserAssignedIdentity"]
    assert engine.up() == []
    gone = kinds(engine.destroy())
    assert gone.index("FederatedIdentityCredential") < gone.index("ManagedCluster")


def test_rights_on_subnets_come_before_the_right_on_the_network_goes(engine):
    engine.declare(AKS.format(fields=""))
    engine.up()
    engine.declare(AKS.format(fields=SUBNETS))
    assert [line.split()[0] for line in engine.up()] == ["create", "delete"]
    assert engine.up() == []


def test_a_gateway_is_made_before_its_subnets_and_goes_after_them(engine):
    behind = AKS.replace('AksNetworkArgs(cidr="10.10.0.0/16")', 'AksNetworkArgs(cidr="10.10.0.0/16", nat=NatGateway(addresses=2))')
    fields = 'network_profile=NetworkProfile(outbound_type="userAssignedNATGateway"), api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),'
    engine.declare(behind.format(fields=fields))
    made = kinds(engine.up())
    assert made.index("NatGateway") < made.index("Subnet") < made.index("ManagedCluster")
    assert engine.up() == []
    gone = kinds(engine.destroy())
    assert gone.index("Subnet") < gone.index("NatGateway") < gone.index("PublicIPAddress")
