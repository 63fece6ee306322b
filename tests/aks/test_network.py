"""The network of a cluster, made or found."""

import pulumi
import pytest

from nodepools import AksNetworkArgs, ExistingAksNetwork, StackOutput, UserPool, testing
from nodepools.aks import ManagedAksNetwork
from nodepools.aks.network import AksNetwork
from tests.azure_ids import SUBNET as OWN

VNET = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub"
SUBNET = f"{VNET}/subnets/aks"
TWO = {"web": "10.224.64.0/24", "batch": "10.224.65.0/24"}
SIZE = "Standard_D2ds_v5"


def made(*, preview=False, **fields):
    program = lambda: AksNetwork("net", AksNetworkArgs(**fields), resource_group_name="group", location="westeurope", tags={"a": "b"})  # noqa: E731
    return testing.run(program, preview=preview)


def test_nodes_get_the_first_quarter():
    assert made(cidr="10.1.0.0/16").one("Subnet/net-nodes").inputs["addressPrefix"] == "10.1.0.0/18"


def test_nodes_get_the_range_that_is_declared():
    assert made(cidr="10.1.0.0/16", node_subnet_cidr="10.1.8.0/24").one("Subnet/net-nodes").inputs["addressPrefix"] == "10.1.8.0/24"


def test_the_network_has_its_names_and_tags():
    network = made().one("VirtualNetwork/net")
    assert network.inputs["virtualNetworkName"] == "net"
    assert network.inputs["addressSpace"] == {"addressPrefixes": ["10.224.0.0/16"]}
    assert network.inputs["tags"] == {"a": "b"}


def test_subnets_are_made_one_after_another_and_go_so(preview):
    graph = made(preview=preview, pool_subnets=TWO)
    assert len(graph.all("Subnet")) == 3
    assert [len(wave) for wave in graph.waves().creates] == [1, 1, 1, 1]
    assert [len(wave) for wave in graph.waves().deletes] == [1, 1, 1, 1]


def test_subnets_that_are_no_neighbours_do_not_go_at_once():
    old, new = made(pool_subnets={**TWO, "gpu": "10.224.66.0/24"}), made(pool_subnets={"batch": TWO["batch"]})
    assert [len(wave) for wave in new.waves(since=old).deletes] == [1, 1]


def test_another_range_is_another_subnet_which_is_there_before_the_old_one_goes():
    old, new = made(pool_subnets={"web": "10.224.64.0/24"}), made(pool_subnets={"web": "10.224.80.0/24"})
    waves = new.waves(since=old)
    assert [len(waves.creates), len(waves.deletes)] == [1, 1]
    assert waves.creates != waves.deletes


def test_its_outputs_are_ids():
    outputs = made(pool_subnets={"web": "10.224.64.0/24"}).one("AksNetwork/net").outputs
    assert outputs["vnet_id"].endswith("/virtualNetworks/net")
    assert outputs["node_subnet_id"].endswith("/subnets/nodes")
    assert list(outputs["pool_subnet_ids"]) == ["web"]


def test_a_network_without_subnets_of_pools_has_an_empty_mapping_of_them():
    assert made().one("AksNetwork/net").outputs["pool_subnet_ids"] == {}


def test_each_pool_is_where_it_is_declared_to_be(deploy):
    pools = {"web": UserPool(vm_size=SIZE), "batch": UserPool(vm_size=SIZE), "own": UserPool(vm_size=SIZE, vnet_subnet_id=SUBNET)}
    graph = deploy(pools=pools, network=AksNetworkArgs(pool_subnets={"web": "10.224.64.0/24"}))
    assert graph.one("AgentPool/dev-weu-web????").depends_on(graph.one("Subnet/dev-weu-web-????"))
    assert graph.one("AgentPool/dev-weu-batch????").depends_on("Subnet/dev-weu-nodes")
    assert graph.one("AgentPool/dev-weu-own????").inputs["vnetSubnetID"] == SUBNET
    assert graph.one("ManagedCluster").depends_on("Subnet/dev-weu-nodes")


def test_the_system_pool_may_have_a_subnet_of_its_own(deploy):
    graph = deploy(network=AksNetworkArgs(pool_subnets={"system": "10.224.64.0/24"}))
    (pool,) = graph.one("ManagedCluster").inputs["agentPoolProfiles"]
    assert "/subnets/system-" in pool["vnetSubnetID"]


REFS = [
    pytest.param(SUBNET, id="text"),
    pytest.param(StackOutput("acme/net/dev", "subnet"), id="an output of another stack"),
    pytest.param(lambda: pulumi.Output.from_input(SUBNET), id="a Pulumi output"),
]


@pytest.mark.parametrize("ref", REFS)
def test_an_existing_subnet_is_used_and_none_is_made(deploy, ref):
    network = (lambda: ExistingAksNetwork(subnet_id=ref())) if callable(ref) else ExistingAksNetwork(subnet_id=ref)
    graph = deploy(network=network, stacks={"acme/net/dev": {"subnet": SUBNET}})
    assert not graph.all("VirtualNetwork")
    assert not graph.all("Subnet")
    (pool,) = graph.one("ManagedCluster").inputs["agentPoolProfiles"]
    assert pool["vnetSubnetID"] == SUBNET
    assert graph.one("RoleAssignment/dev-weu-network").inputs["scope"] == VNET


PODS = {"network": AksNetworkArgs(pod_subnet_cidr="10.224.128.0/17"), "network_profile": {"plugin_mode": None}}


def test_pods_may_have_a_subnet_of_their_own_for_all_pools(deploy, preview):
    graph = deploy(**PODS, pools={"web": UserPool(vm_size=SIZE), "own": UserPool(vm_size=SIZE, pod_subnet_id=OWN)}, preview=preview)
    [subnet] = graph.all("Subnet/dev-weu-pods-????")
    assert subnet.inputs["addressPrefix"] == "10.224.128.0/17"
    assert graph.one("AgentPool/dev-weu-web????").depends_on(subnet)
    assert graph.one("AgentPool/dev-weu-own????").inputs["podSubnetID"] == OWN
    assert graph.one("ManagedCluster").depends_on(subnet)
    assert "networkPluginMode" not in graph.one("ManagedCluster").inputs["networkProfile"]


def test_a_subnet_for_pods_may_exist(deploy):
    network = ExistingAksNetwork(subnet_id=SUBNET, pod_subnet_id=f"{VNET}/subnets/pods")
    graph = deploy(network=network, network_profile={"plugin_mode": None}, pools={"web": UserPool(vm_size=SIZE)})
    assert graph.one("AgentPool").inputs["podSubnetID"] == f"{VNET}/subnets/pods"


@pytest.mark.parametrize("identity", [None, "system"])
def test_a_network_of_aks_is_in_no_request(deploy, identity, preview):
    graph = deploy(network=ManagedAksNetwork(), identity=identity, pools={"web": UserPool(vm_size=SIZE)}, preview=preview)
    assert not any(graph.all(kind) for kind in ("VirtualNetwork", "Subnet", "RoleAssignment/dev-weu-network"))
    (pool,) = graph.one("ManagedCluster").inputs["agentPoolProfiles"]
    assert "vnetSubnetID" not in pool
    assert "vnetSubnetID" not in graph.one("AgentPool").inputs
