"""Clusters with both IP families in a network of ours: ranges of both, everywhere."""

import pytest

from nodepools import AksNetworkArgs, ExistingAksNetwork, UserPool, testing
from nodepools.aks import NetworkProfile
from nodepools.aks.network import AksNetwork

SIZE = "Standard_D4ds_v5"
DUAL = NetworkProfile(ip_families=["IPv4", "IPv6"])
POOLS = {"web": "10.224.64.0/24", "batch": "10.224.65.0/28", "data": "10.224.65.16/28"}


def profile_of(graph):
    return graph.one("ManagedCluster").inputs["networkProfile"]


def subnets_of(graph):
    return {node.inputs["subnetName"].partition("-")[0]: list(node.inputs.get("addressPrefixes", ())) for node in graph.all("Subnet")}


def test_pods_and_services_have_ranges_of_both_families(deploy, preview):
    profile = profile_of(deploy(network_profile=DUAL, preview=preview))
    assert list(profile["ipFamilies"]) == ["IPv4", "IPv6"]
    assert list(profile["podCidrs"]) == ["10.244.0.0/16", "fd12:3456:789a::/64"]
    assert list(profile["serviceCidrs"]) == ["10.0.0.0/16", "fd12:3456:789a:1::/108"]
    assert profile["dnsServiceIP"] == "10.0.0.10"
    assert not {"podCidr", "serviceCidr"} & set(profile)


def test_the_network_and_the_subnet_of_the_nodes_too(deploy, preview):
    graph = deploy(network_profile=DUAL, preview=preview)
    assert graph.one("VirtualNetwork").inputs["addressSpace"] == {"addressPrefixes": ["10.224.0.0/16", "fd12:3456:789b::/48"]}
    assert subnets_of(graph) == {"nodes": ["10.224.0.0/18", "fd12:3456:789b::/64"]}
    assert "addressPrefix" not in graph.one("Subnet").inputs


def test_each_subnet_has_the_range_that_lies_where_its_own_does(deploy):
    graph = deploy(network_profile=DUAL, network=AksNetworkArgs(pool_subnets=POOLS), pools={key: UserPool(vm_size=SIZE) for key in POOLS})
    assert subnets_of(graph) == {
        "nodes": ["10.224.0.0/18", "fd12:3456:789b::/64"],
        "web": ["10.224.64.0/24", "fd12:3456:789b:4000::/64"],
        "batch": ["10.224.65.0/28", "fd12:3456:789b:4100::/64"],
        "data": ["10.224.65.16/28", "fd12:3456:789b:4110::/64"],
    }


def test_subnets_come_and_go_and_the_others_stay_as_they_are(deploy):
    few = {"data": POOLS["data"]}
    all_of = deploy(network_profile=DUAL, network=AksNetworkArgs(pool_subnets=POOLS), pools={key: UserPool(vm_size=SIZE) for key in POOLS})
    some = deploy(network_profile=DUAL, network=AksNetworkArgs(pool_subnets=few), pools={"data": UserPool(vm_size=SIZE)})
    assert subnets_of(some).items() <= subnets_of(all_of).items()


def test_ranges_are_those_that_are_declared(deploy):
    graph = deploy(
        network=AksNetworkArgs(cidr="10.1.0.0/20", cidr_v6="fd00:10:0:ff00::/56", pool_subnets={"web": "10.1.8.0/24"}),
        network_profile=NetworkProfile(ip_families=["IPv4", "IPv6"], pod_cidr_v6="fd00:20::/64", service_cidr_v6="fd00:30::/112"),
        pools={"web": UserPool(vm_size=SIZE)},
    )
    assert list(profile_of(graph)["podCidrs"])[1] == "fd00:20::/64"
    assert list(profile_of(graph)["serviceCidrs"])[1] == "fd00:30::/112"
    assert subnets_of(graph) == {"nodes": ["10.1.0.0/22", "fd00:10:0:ff00::/64"], "web": ["10.1.8.0/24", "fd00:10:0:ff80::/64"]}


def test_with_one_family_nothing_is_said_of_another(deploy):
    graph = deploy()
    assert graph.one("Subnet").inputs["addressPrefix"] == "10.224.0.0/18"
    assert graph.one("VirtualNetwork").inputs["addressSpace"] == {"addressPrefixes": ["10.224.0.0/16"]}
    assert not {"podCidrs", "serviceCidrs"} & set(profile_of(graph))


def test_no_pool_is_renamed_and_no_subnet_replaced_when_the_second_family_is_added(deploy):
    fields = {"network": AksNetworkArgs(pool_subnets={"web": POOLS["web"]}), "pools": {"web": UserPool(vm_size=SIZE)}}
    waves = deploy(**fields, network_profile=DUAL).waves(since=deploy(**fields))
    assert not waves.creates
    assert not waves.deletes


def test_in_a_network_that_exists_ranges_of_pods_and_services_are_of_both(deploy):
    subnet = "/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub/subnets/aks"
    profile = profile_of(deploy(network=ExistingAksNetwork(subnet_id=subnet), network_profile=DUAL))
    assert [len(profile["podCidrs"]), len(profile["serviceCidrs"])] == [2, 2]


@pytest.mark.parametrize(
    ("fields", "pods"),
    [
        pytest.param({}, None, id="the plugin has ranges of its own"),
        pytest.param({"pod_cidr": "10.9.0.0/16"}, ["10.9.0.0/16", "fd12:3456:789a::/64"], id="it is told"),
    ],
)
def test_a_plugin_that_is_brought(deploy, fields, pods):
    profile = profile_of(deploy(network_profile=NetworkProfile(plugin="none", ip_families=["IPv4", "IPv6"], **fields)))
    assert (list(profile["podCidrs"]) if "podCidrs" in profile else None) == pods
    assert len(profile["serviceCidrs"]) == 2


def test_a_network_alone_may_have_both():
    program = lambda: AksNetwork("net", AksNetworkArgs(cidr_v6="fd00:10::/48"), resource_group_name="group", location="westeurope")  # noqa: E731
    assert subnets_of(testing.run(program)) == {"nodes": ["10.224.0.0/18", "fd00:10::/64"]}


def test_pods_have_a_subnet_of_one_family(deploy):
    network = AksNetworkArgs(cidr_v6="fd00:10::/48", pod_subnet_cidr="10.224.128.0/17")
    graph = deploy(network=network, network_profile={"plugin_mode": None})
    assert subnets_of(graph) == {"nodes": ["10.224.0.0/18", "fd00:10::/64"], "pods": []}
