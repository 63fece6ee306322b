"""The way out of a new network: a gateway or routes, before the subnets; its addresses, where they are needed."""

import pytest

from nodepools import AksNetworkArgs, ApiServer, StackOutput, UserPool, testing
from nodepools.aks import ImageCache, NatGateway

GIVEN = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/net/providers"
BEHIND = {"network_profile": {"outbound_type": "userAssignedNATGateway"}}
ROUTED = {"network_profile": {"outbound_type": "userDefinedRouting"}}


def network(**fields):
    return AksNetworkArgs(cidr="10.10.0.0/16", pool_subnets={"web": "10.10.64.0/24"}, **fields)


WEB = {"pools": {"web": UserPool(vm_size="Standard_D4ds_v5")}}


def test_every_subnet_has_the_gateway_before_there_is_a_node(deploy, preview):
    graph = deploy(network=network(nat=NatGateway(addresses=2)), **BEHIND, **WEB, preview=preview)
    gateway = graph.one("NatGateway")
    assert [node.name for node in graph.all("PublicIPAddress")] == ["dev-weu-nat-1", "dev-weu-nat-2"]
    for subnet in graph.all("Subnet"):
        assert subnet.depends_on(gateway)
        if not preview:
            assert subnet.inputs["natGateway"] == {"id": "dev-weu-nat-id"}
    assert graph.deletes("Subnet/dev-weu-nodes").before("NatGateway")
    assert graph.deletes("NatGateway").before("PublicIPAddress/dev-weu-nat-1")


def test_addresses_are_static_and_of_one_zone(deploy):
    graph = deploy(network=network(nat=NatGateway(zone=2, idle_timeout="10m")), **BEHIND, **WEB)
    gateway, address = graph.one("NatGateway"), graph.one("PublicIPAddress")
    assert (gateway.inputs["zones"], address.inputs["zones"]) == (["2"], ["2"])
    assert (gateway.inputs["idleTimeoutInMinutes"], gateway.inputs["sku"]) == (10, {"name": "Standard"})
    assert (address.inputs["publicIPAllocationMethod"], address.inputs["sku"]) == ("Static", {"name": "Standard"})
    assert gateway.inputs["tags"] == address.inputs["tags"] == {"platform": "dev"}


def test_another_address_leaves_the_first_as_it_is(deploy):
    one, two = (deploy(network=network(nat=NatGateway(addresses=number)), **BEHIND, **WEB) for number in (1, 2))
    waves = two.waves(since=one)
    assert [len(waves.creates), len(waves.deletes)] == [1, 0]


def test_its_addresses_reach_the_api_server(deploy):
    ranges = ApiServer(authorized_ip_ranges=["203.0.113.0/24"])
    graph = deploy(network=network(nat=NatGateway()), api_server=ranges, **BEHIND, **WEB)
    assert graph.one("ManagedCluster").inputs["apiServerAccessProfile"]["authorizedIPRanges"] == ["203.0.113.0/24", "192.0.2.1/32"]


def test_its_addresses_are_told(deploy):
    fields = {"network": network(nat=NatGateway(addresses=2)), **BEHIND, **WEB}
    graph = deploy(**fields)
    assert graph.one("AksCluster/dev-weu").outputs["outbound_ip_ids"] == ["dev-weu-nat-1-id", "dev-weu-nat-2-id"]
    assert graph.one("AksNetwork/dev-weu").outputs["nat_addresses"] == ["192.0.2.1", "192.0.2.1"]
    assert deploy(**fields, preview=True).one("AksNetwork/dev-weu").outputs["nat_addresses"] == testing.UNKNOWN


def test_without_a_gateway_there_is_none(deploy):
    graph = deploy(network=network(), **WEB)
    assert not graph.all("NatGateway")
    assert graph.one("AksNetwork/dev-weu").outputs["nat_addresses"] == []
    assert all("natGateway" not in node.inputs and "routeTable" not in node.inputs for node in graph.all("Subnet"))


@pytest.mark.parametrize(
    "ref", [f"{GIVEN}/Microsoft.Network/routeTables/out", StackOutput("acme/net/dev", "routes")], ids=["an id", "of another stack"]
)
def test_every_subnet_has_the_routes(deploy, ref):
    graph = deploy(
        network=network(route_table_id=ref), **ROUTED, **WEB, stacks={"acme/net/dev": {"routes": f"{GIVEN}/Microsoft.Network/routeTables/out"}}
    )
    assert {node.inputs["routeTable"]["id"].rpartition("/")[2] for node in graph.all("Subnet")} == {"out"}


def test_nodes_may_pull_from_the_registry_of_their_images(deploy):
    graph = deploy(image_cache=ImageCache(registry_id=f"{GIVEN}/Microsoft.ContainerRegistry/registries/cache"))
    assert graph.one("ManagedCluster").inputs["bootstrapProfile"]["artifactSource"] == "Cache"
    assert len([node for node in graph.all("RoleAssignment") if node.inputs["scope"].endswith("registries/cache")]) == 2
    assert graph.one("UserAssignedIdentity/dev-weu-kubelet")
