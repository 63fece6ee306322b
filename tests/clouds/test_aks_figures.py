"""Every figure of docs/facts/capacity.md about AKS: what servers compute, with the public reports that state it, and what nodes take."""

import pytest

from nodepools import Autoscale, GpuPool, Spot, UpgradeSettings
from nodepools.aks import LoadBalancer, NetworkProfile
from nodepools.clouds.aks.agent_pool_nodes import (
    AgentNodes,
    automatic_step,
    counted,
    dynamic_addresses,
    flat_addresses,
    outbound_addresses,
    planned_flat_addresses,
    static_blocks,
    surge,
)
from nodepools.clouds.amounts import Amount, exactly
from tests.needs.declared import FLAT, aks, items, system, user

NODES, PODS = ("node_subnet", "nodes"), ("pod_subnet", "pods")
KUBENET = {"network_profile": {"plugin": "kubenet"}}
BALANCER = ("outbound_ports", "load_balancer")
BALANCED = "network_profile.load_balancer"


@pytest.mark.parametrize(
    ("cidr", "usable"),
    [
        pytest.param("10.0.0.0/24", 251, id="a /24: 256 less 5"),
        pytest.param("10.0.0.0/27", 27, id="InsufficientSubnetSize: '29 exceeds IPs available 27'"),
        pytest.param("10.0.0.0/28", 11, id="InsufficientSubnetSize: '29 exceeds IPs available 11'"),
        pytest.param("10.0.0.0/31", 0, id="a range that is smaller than what Azure reserves"),
    ],
)
def test_azure_reserves_five_addresses_of_a_subnet(cidr, usable):
    item = items(aks(network={"cidr": "10.0.0.0/16", "node_subnet_cidr": cidr}, network_profile=FLAT, system_pool=system(max_pods=30)))
    assert item[*NODES, "server"].available == usable
    assert item[*NODES, "server"].needed == 29


@pytest.mark.parametrize(
    ("pods", "counted_by_aks", "planned"),
    [
        pytest.param(30, 29, 31, id="azure-docs#120064: one node with 30 pods: 29"),
        pytest.param(110, 109, 111, id="110 pods"),
        pytest.param(250, 249, 251, id="250 pods"),
    ],
)
def test_a_flat_node_takes_an_address_for_each_pod_but_two(pods, counted_by_aks, planned):
    assert flat_addresses(pods) == counted_by_aks
    assert planned_flat_addresses(pods) == planned


def test_ten_flat_nodes_are_ten_times_as_many_and_the_manuals_add_surge():
    item = items(aks(network_profile=FLAT, system_pool=system(scale=Autoscale(1, 10), count=None)))
    assert item[*NODES, "server"].needed == 10 * 29
    assert item[*NODES, "true_use"].needed == 11 * 29
    assert item[*NODES, "planning"].needed == 11 * 31
    assert "; AKS counts 290, and before an upgrade up to 319, with the surge of each pool" in item[*NODES, "planning"].message


@pytest.mark.parametrize(
    ("pods", "addresses"),
    [
        pytest.param(0, 16, id="a fresh node: azure-docs#97370"),
        pytest.param(8, 16, id="8 are left"),
        pytest.param(9, 32, id="fewer than 8 are left: 16 more"),
        pytest.param(24, 32, id="24 of 32"),
        pytest.param(25, 48, id="25 of 32"),
    ],
)
def test_a_node_takes_batches_of_a_pod_subnet(pods, addresses):
    assert dynamic_addresses(pods) == addresses


@pytest.mark.parametrize(("pods", "blocks"), [(15, 1), (16, 2), (30, 2), (31, 2), (110, 7), (250, 16)])
def test_static_blocks(pods, blocks):
    """configure-azure-cni-static-block-allocation: ceil((max_pods + 1) / 16); best is 16N - 1."""
    assert static_blocks(pods) == blocks


def test_the_server_counts_a_batch_a_node_and_static_nodes_take_more():
    static = {"pod_ip_allocation": "StaticBlock", "max_pods": 31}
    item = items(
        aks(
            network={"cidr": "10.0.0.0/16", "pod_subnet_cidr": "10.0.128.0/26"},
            network_profile=FLAT,
            system_pool=system(count=2, **static),
            pools={"web": user(name="web", **static)},
        )
    )
    assert (item[*PODS, "server"].needed, item[*PODS, "server"].available, item[*PODS, "server"].verdict) == (48, 59, "fits")
    taken = item[*PODS, "true_use"]
    assert (taken.room, taken.needed, taken.verdict) == (Amount(32, 64), 4 * 32, "does_not_fit")
    assert taken.fix is not None
    assert (taken.sizes.maximum, taken.sizes.rotation) == (exactly(96), exactly(96))


def test_a_dynamic_pod_subnet_has_bounds_with_the_one_more_that_was_seen():
    """azure-container-networking#2462: 17 and 33."""
    item = items(aks(network={"pod_subnet_cidr": "10.224.128.0/24"}, network_profile=FLAT, system_pool=system(max_pods=26)))
    assert item[*PODS, "true_use"].sizes.minimum == Amount(16, 33)
    assert item[*PODS, "true_use"].available == 251
    assert (*NODES, "planning") not in item


def test_the_existing_pod_subnet_of_a_cluster():
    network = {"kind": "ExistingAksNetwork", "subnet_id": "/n", "pod_subnet_id": "/P"}
    item = items(aks(network=network, network_profile=FLAT))
    assert (item["pod_subnet", "/p", "server"].needed, item["pod_subnet", "/p", "server"].available) == (16, None)


def test_pod_subnets_that_exist_are_told_apart():
    item = items(aks(network_profile=FLAT, system_pool=system(pod_subnet_id="/A"), pools={"web": user(pod_subnet_id="/b")}))
    assert [item["pod_subnet", name, "server"].available for name in ("/a", "/b")] == [None, None]
    assert item["pod_subnet", "/a", "true_use"].verdict == "unknown"


@pytest.mark.parametrize(
    ("cidr", "nodes", "needed", "available", "answer"),
    [
        pytest.param("192.168.0.0/20", 16, 4096, 4096, "fits", id="networkProfile.podCIDR: available 4096 for a /20, none reserved"),
        pytest.param("192.168.0.0/22", 5, 1280, 1024, "does_not_fit", id="Azure/AKS-Construction#701: 1280 against a /22"),
        pytest.param("192.168.0.0/20", 17, 4352, 4096, "does_not_fit", id="one node too many"),
    ],
)
def test_a_node_takes_256_addresses_of_the_pod_cidr(cidr, nodes, needed, available, answer):
    item = items(aks(network_profile={"pod_cidr": cidr}, system_pool=system(scale=Autoscale(1, nodes), count=None, max_pods=30)))
    server = item["pod_cidr", "pods", "server"]
    assert (server.needed, server.available, server.verdict) == (needed, available, answer)
    assert item["pod_cidr", "pods", "true_use"].needs.minimum == needed + 256


def test_overlay_takes_one_address_of_the_node_subnet_for_each_node():
    item = items(aks(system_pool=system(count=3), pools={"web": user(scale=Autoscale(2, 7), count=None)}))
    assert item[*NODES, "server"].needed == 10
    assert item[*NODES, "true_use"].needed == 11
    assert item[*NODES, "server"].sizes.minimum == exactly(5)
    assert item[*NODES, "server"].sizes.rotation == exactly(17)


def test_a_network_plugin_of_your_own_divides_its_range_itself():
    assert not [key for key in items(aks(network_profile={"plugin": "none", "pod_cidr": "10.244.0.0/16"})) if key[0] == "pod_cidr"]


@pytest.mark.parametrize(
    ("network", "pools", "subnets"),
    [
        pytest.param({"pool_subnets": {"web": "10.224.128.0/24"}}, {"web": user()}, {"nodes": 16379, "web": 251}, id="a subnet of a pool"),
        pytest.param({}, {"web": user(vnet_subnet_id="/V/S")}, {"nodes": 16379, "/v/s": None}, id="an existing subnet of a pool"),
        pytest.param({"kind": "ExistingAksNetwork", "subnet_id": "/S"}, {"web": user()}, {"/s": None}, id="an existing subnet of the cluster"),
        pytest.param({"kind": "ManagedAksNetwork"}, {"web": user()}, {"managed": None}, id="the subnet that AKS creates"),
    ],
)
def test_each_subnet_has_its_own_items(network, pools, subnets):
    item = items(aks(network=network, pools=pools))
    assert {name: one.available for (what, name, by), one in item.items() if (what, by) == ("node_subnet", "server")} == subnets


def test_the_subnet_of_another_first_pool():
    item = items(aks(system_pool=system(vnet_subnet_id="/first"), pools={"web": user()}))
    assert item["node_subnet", "/first", "server"].needed == 1


def test_a_private_api_server_takes_an_address_of_the_first_pool():
    private = items(aks(api_server={"private": True, "authorized_ip_ranges": []}))
    assert (private[*NODES, "server"].needed, private[*NODES, "true_use"].needed) == (1, 3)


def test_the_api_server_needs_nine_addresses_in_its_subnet():
    item = items(aks(api_server_subnet_id="/api"))["api_server_subnet", "/api", "true_use"]
    assert (item.needed, item.available, item.verdict, item.fix) == (9, None, "unknown", None)


@pytest.mark.parametrize(
    ("upgrade", "minimum", "maximum"),
    [
        pytest.param(None, 1, 1, id="one node, and 10 %: the same up to ten nodes"),
        pytest.param(UpgradeSettings(max_surge="33%"), 4, 4, id="percent, rounded up"),
        pytest.param(UpgradeSettings(max_surge="5"), 5, 5, id="a number"),
        pytest.param(UpgradeSettings(max_unavailable="1"), 0, 0, id="unavailable nodes instead"),
        pytest.param(UpgradeSettings(max_surge="20"), 10, 20, id="at most the nodes to upgrade"),
    ],
)
def test_surge_of_ten_nodes(upgrade, minimum, maximum):
    assert AgentNodes("web", user(count=10, upgrade=upgrade)).surge == Amount(minimum, maximum)


def test_the_two_documented_defaults_differ_from_eleven_nodes_on():
    assert AgentNodes("web", user(count=30)).surge == Amount(1, 3)
    assert AgentNodes("web", user(count=10, spot=Spot())).surge == Amount(0, 1)
    assert (surge(user(count=0), minimum=True), counted(None)) == (0, 0)


@pytest.mark.parametrize(
    ("fields", "minimum", "maximum"),
    [
        pytest.param({"count": 3, "max_surge": "20"}, 3, 20, id="more than the nodes to upgrade"),
        pytest.param({"count": 3, "spot": Spot(), "max_surge": "2"}, 0, 2, id="a spot pool"),
    ],
)
def test_a_declared_surge_that_azure_need_not_apply_is_not_certain(fields, minimum, maximum):
    pool = user(**{key: value for key, value in fields.items() if key != "max_surge"}, upgrade=UpgradeSettings(max_surge=fields["max_surge"]))
    assert (surge(pool, minimum=True), surge(pool, minimum=False)) == (minimum, maximum)


@pytest.mark.parametrize(
    ("nodes", "step"),
    [(1, (50, 1024)), (50, (50, 1024)), (51, (100, 512)), (200, (200, 256)), (400, (400, 128)), (800, (800, 64)), (1000, (1000, 32)), (1001, None)],
)
def test_ports_of_a_node_by_the_size_of_the_backend(nodes, step):
    assert automatic_step(nodes) == step


@pytest.mark.parametrize(
    ("balancer", "addresses"),
    [
        (LoadBalancer(), 1),
        (LoadBalancer(managed_outbound_ips=3), 3),
        (LoadBalancer(outbound_ip_ids=["a", "b"]), 2),
        (LoadBalancer(outbound_ip_prefix_ids=["p"]), None),
    ],
)
def test_outbound_addresses(balancer, addresses):
    assert outbound_addresses(balancer) == addresses


@pytest.mark.parametrize(
    ("balancer", "pools", "needed", "available", "answer"),
    [
        pytest.param({"allocated_outbound_ports": 16000}, 3, 64000, 64000, "fits", id="three nodes are counted as four"),
        pytest.param({"allocated_outbound_ports": 16008}, 3, 64032, 64000, "does_not_fit", id="a little more"),
        pytest.param({"allocated_outbound_ports": 16008, "outbound_ip_prefix_ids": ["p"]}, 3, 64032, None, "unknown", id="prefixes"),
    ],
)
def test_allocated_ports_with_the_surge_of_every_pool(balancer, pools, needed, available, answer):
    item = items(aks(system_pool=system(count=pools), network_profile={"load_balancer": balancer}))[*BALANCER, "server"]
    assert (item.needed, item.available, item.verdict) == (needed, available, answer)


def test_each_pool_adds_its_own_surge_even_at_create():
    """jenkins-infra/helpdesk#4046, azure-cli#22374."""
    item = items(aks(pools={"a": user(), "b": user()}, network_profile={"load_balancer": {"allocated_outbound_ports": 1024}}))
    assert item[*BALANCER, "server"].needed == 6 * 1024


def test_without_allocation_ports_get_fewer_as_nodes_grow():
    few, many = (items(aks(pools={"web": user(scale=Autoscale(1, most), count=None)}))[*BALANCER, "planning"] for most in (20, 90))
    assert (few.verdict, few.available, many.verdict, many.available) == ("fits", 50, "does_not_fit", 50)
    assert "each gets 1,024 up to 50 nodes" in many.message
    assert many.fix == f"Set `{BALANCED}.managed_outbound_ips` to `2` and `allocated_outbound_ports` to `1024`, or use a NAT gateway in a new cluster"
    own = aks(pools={"web": user(count=60)}, network_profile={"load_balancer": {"outbound_ip_ids": ["a"]}})
    assert str(items(own)[*BALANCER, "planning"].remedy).startswith("Add outbound addresses and set `allocated_outbound_ports`, or ")
    full = items(aks(pools={"a": user(count=1000), "b": user(count=10)}))[*BALANCER, "planning"]
    assert (full.available, full.verdict) == (None, "unknown")


def test_other_outbound_types_have_no_ports_for_each_node():
    assert not [key for key in items(aks(network_profile=NetworkProfile(outbound_type="userAssignedNATGateway"))) if key[0] == "outbound_ports"]


@pytest.mark.parametrize(
    ("pool", "needed", "answer"),
    [
        pytest.param(user(count=990, upgrade=UpgradeSettings(max_surge="10")), 1000, "fits", id="1,000 with surge"),
        pytest.param(user(count=990, upgrade=UpgradeSettings(max_surge="11")), 1001, "does_not_fit", id="surge nodes count"),
    ],
)
def test_a_pool_has_a_thousand_nodes(pool, needed, answer):
    item = items(aks(pools={"web": pool}))["nodes", "web", "server"]
    assert (item.needed, item.available, item.verdict) == (needed, 1000, answer)


@pytest.mark.parametrize(
    ("fields", "what", "by", "needs", "available", "answer"),
    [
        pytest.param(
            {"pools": {f"p{n}": user(count=1000) for n in range(5)}}, "nodes", "true_use", exactly(5001), 5000, "does_not_fit", id="5,000 nodes"
        ),
        pytest.param({"pools": {"web": user(count=399)}, **KUBENET}, "nodes", "true_use", exactly(400), 400, "fits", id="400 nodes with kubenet"),
        pytest.param(
            {"pools": {"web": user(count=400)}, **KUBENET}, "nodes", "true_use", exactly(401), 400, "does_not_fit", id="a route for each, and 400"
        ),
        pytest.param({"pools": {f"p{n}": user() for n in range(99)}}, "agent_pools", "server", exactly(100), 100, "fits", id="100 agent pools"),
        pytest.param({"pools": {f"p{n}": user() for n in range(100)}}, "agent_pools", "server", exactly(101), 100, "does_not_fit", id="101 of them"),
        pytest.param({"pools": {"web": user(count=799)}}, "pods", "true_use", Amount(0, 200_000), 200_000, "fits", id="room for 200,000 pods"),
        pytest.param({"pools": {"web": user(count=800)}}, "pods", "true_use", Amount(0, 200_250), 200_000, "unknown", id="workloads decide"),
        pytest.param(
            {"pools": {"web": user(count=800, max_pods=110)}}, "pods", "true_use", Amount(0, 88_250), 200_000, "fits", id="fewer pods on each node"
        ),
    ],
)
def test_limits_of_a_cluster(fields, what, by, needs, available, answer):
    item = items(aks(**fields))[what, "cluster", by]
    assert (item.needs, item.available, item.verdict) == (needs, available, answer)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"network_profile": FLAT}, id="flat networking: addresses end first"),
        pytest.param({"node_provisioning": {}}, id="NodePools without limits"),
    ],
)
def test_pods_are_not_counted(fields):
    assert ("pods", "cluster", "true_use") not in items(aks(**fields))


def test_both_generations_exist_at_the_same_time():
    item = items(aks(pools={"web": user(count=3, previous=user(count=4, os_disk_size_gb=64))}))
    assert item[*NODES, "server"].needed == 8
    assert item["nodes", "web (previous)", "server"].needed == 5
    assert item[*NODES, "server"].sizes.rotation == exactly(8)


def test_a_stopped_pool_may_be_started():
    item = items(aks(pools={"web": user(count=3, power_state="Stopped")}))
    assert item[*NODES, "server"].needs == Amount(1, 4)
    assert item["nodes", "web", "server"].sizes.minimum == exactly(0)


def test_overrides_are_not_read():
    item = items(aks(pools={"web": user(overrides={"count": 5000})}))
    assert (item[*NODES, "server"].needs, item[*NODES, "server"].verdict) == (Amount(1, None), "unknown")
    assert item["nodes", "web", "server"].verdict == "unknown"
    assert item["vcpus", "standardDDSv5Family in westeurope", "server"].needs == Amount(2, None)


def test_gpu_pools_count_too():
    assert items(aks(pools={"g": GpuPool(vm_size="Standard_NC4as_T4_v3")}))["vcpus", "Standard NCASv3_T4 Family in westeurope", "server"].needed == 4


@pytest.mark.parametrize(("cidr", "verdict"), [("10.0.0.0/29", "does_not_fit"), ("10.0.0.0/16", "unknown"), (None, "unknown")])
def test_an_existing_subnet_is_not_larger_than_its_network(cidr, verdict):
    network = {"kind": "ExistingAksNetwork", "subnet_id": "/s", "cidr": cidr}
    item = items(aks(network=network, pools={"web": user(count=20)}))["node_subnet", "/s", "server"]
    assert item.verdict == verdict
