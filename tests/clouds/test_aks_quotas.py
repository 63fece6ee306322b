"""vCPUs of AKS clusters by family and region, and nodes of node auto provisioning, which nothing counts beforehand."""

import pytest

from nodepools import AksNodeClass, AksNodePool, Autoscale, NodeProvisioning, Requirement, Spot
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.item import Counter, ExistingStock, Stock
from nodepools.needs.platform_capacity import capacity
from tests.needs.declared import FLAT, aks, items, key, platform, system, user

FAMILY = "standardDDSv5Family in westeurope"
CORES, SPOT = "cores in westeurope", "lowPriorityCores in westeurope"
LINUX = Requirement("kubernetes.io/os", "In", ["linux"])
ON_DEMAND = Requirement("karpenter.sh/capacity-type", "In", ["on-demand"])


def nap(**pools):
    return NodeProvisioning(default_node_pools="None", node_pools=pools)


def test_the_server_counts_count_and_nodes_take_the_maximum_with_surge():
    item = items(aks(system_pool=system(count=3), pools={"web": user(scale=Autoscale(2, 10), count=None)}))
    for name in (FAMILY, CORES):
        assert item["vcpus", name, "server"].needed == (3 + 2) * 2
        assert item["vcpus", name, "true_use"].needed == (13 + 1) * 2
        assert item["vcpus", name, "planning"].needed == (13 + 2) * 2
        assert item["vcpus", name, "server"].verdict == "unknown"


def test_spot_nodes_have_one_counter_whatever_their_family():
    item = items(aks(pools={"a": user(count=2, spot=Spot()), "b": user(vm_size="Standard_E4ds_v5", spot=Spot())}))
    assert item["spot_vcpus", SPOT, "server"].needed == 2 * 2 + 4
    assert item["vcpus", FAMILY, "server"].needed == 2
    assert item["vcpus", CORES, "server"].needed == 2


@pytest.mark.parametrize(
    ("size", "name", "needed"),
    [
        pytest.param("Standard_E4-2ds_v5", "standardEDSv5Family in westeurope", 2, id="constrained: its own vCPUs, the family of the base size"),
        pytest.param("standard_d2DS_V5", FAMILY, 4, id="in any case"),
    ],
)
def test_the_family_of_a_size(size, name, needed):
    assert items(aks(pools={"web": user(vm_size=size)}))["vcpus", name, "server"].needed == needed


def test_an_unknown_size_makes_the_sum_unknown_and_no_family():
    item = items(aks(pools={"web": user(vm_size="Standard_New")}))
    assert item["vcpus", CORES, "server"].needs == Amount(2, None)
    assert item["vcpus", FAMILY, "server"].needs == Amount(2, None)  # it can be one of the family
    assert item["vcpus", FAMILY, "true_use"].needs == Amount(4, None)
    assert len([one for one in item if one[0] == "vcpus"]) == 2 * 3


@pytest.mark.parametrize(
    ("fields", "minimum"),
    [
        pytest.param({}, exactly(2 + 2), id="removed nodes are deleted"),
        pytest.param({"scale_down_mode": "Deallocate"}, Amount(2 + 2, 2 + 8), id="nodes that are stopped keep their vCPUs"),
    ],
)
def test_stopped_machines_count(fields, minimum):
    item = items(aks(pools={"web": user(scale=Autoscale(1, 4), count=None, **fields)}))
    assert item["vcpus", FAMILY, "server"].sizes.minimum == minimum


def test_evicted_machines_that_are_kept_count():
    item = items(aks(pools={"web": user(scale=Autoscale(1, 4), count=None, spot=Spot(eviction="Deallocate"))}))
    assert item["spot_vcpus", SPOT, "server"].sizes.minimum == Amount(2, 8)


@pytest.mark.parametrize(("left", "answer"), [(11, "does_not_fit"), (12, "fits")])
def test_clusters_of_a_region_share_a_quota(left, answer):
    """`left regional vcpu quota A, requested quota B`: the sum over all clusters of the subscription and region, in any case."""
    counter = Counter("vcpus", "StandardDDSv5Family", "WestEurope")
    two = platform(a=aks(), b=aks(location="West Europe", pools={"web": user(count=4)}), c=aks(location="northeurope"))
    first, second, third = (
        {key(item): item for item in one.items} for one in capacity(two, existing=ExistingStock({counter.key: Stock(left + 5, 5, exactly(0))}))
    )
    found = first["vcpus", FAMILY, "server"]
    assert found == second["vcpus", FAMILY, "server"]
    assert (found.needed, found.available, found.verdict) == (12, left, answer)
    assert "2 clusters together need 12" in found.message
    assert third["vcpus", "standardDDSv5Family in northeurope", "server"].needed == 2


def test_subscriptions_have_quotas_of_their_own():
    one, other = capacity(platform(a=aks(), b=aks(subscription_id="00000000-0000-0000-0000-00000000000A")))
    assert {item.needed for found in (one, other) for item in found.items if key(item) == ("vcpus", FAMILY, "server")} == {2}


def test_platforms_share_quotas_too():
    found = capacity(platform("dev", a=aks()), platform("qa", a=aks()))
    assert [one.cluster for one in found] == ["dev/a", "qa/a"]
    assert [item.needed for one in found for item in one.items if key(item) == ("vcpus", FAMILY, "server")] == [4, 4]


def test_without_limits_the_answer_is_how_many_nodes_there_is_room_for():
    item = items(aks(network={"node_subnet_cidr": "10.224.0.0/24"}, node_provisioning=NodeProvisioning()))
    subnet, pods = item["node_subnet", "nodes", "true_use"], item["pod_cidr", "pods", "true_use"]
    assert (subnet.needed, subnet.verdict, pods.verdict) == (None, "unknown", "unknown")
    assert "there is room for 249 of their nodes with 1 address each" in subnet.message
    assert "there is room for 254 of their nodes with 256 addresses each" in pods.message
    assert item["node_subnet", "nodes", "server"].needed == 1
    assert item["vcpus", CORES, "true_use"].verdict == "unknown"


@pytest.mark.parametrize(
    ("limits", "nodes"),
    [
        pytest.param({"nodes": "3"}, 3, id="nodes"),
        pytest.param({"cpu": "9"}, 4, id="the smallest sizes have two vCPUs"),
        pytest.param({"cpu": "100", "nodes": "3"}, 3, id="the smaller of two limits"),
        pytest.param({"nvidia.com/gpu": "1"}, None, id="a resource that not all sizes have"),
    ],
)
def test_limits_bound_the_nodes(limits, nodes):
    item = items(aks(node_provisioning=nap(web=AksNodePool(limits=limits, requirements=[ON_DEMAND]))))
    assert item["nodes", "cluster", "true_use"].sizes.maximum == Amount(1, None if nodes is None else 1 + nodes)


@pytest.mark.parametrize(
    ("cpu", "nodes"),
    [pytest.param("9", 2, id="floor(limit / vCPUs)"), pytest.param("3", 0, id="no size is within the limit")],
)
def test_the_smallest_size_counts(cpu, nodes):
    sized = Requirement("karpenter.azure.com/sku-name", "In", ["Standard_D4ds_v5", "Standard_D8ds_v5"])
    item = items(aks(node_provisioning=nap(web=AksNodePool(limits={"cpu": cpu}, requirements=[sized]))))
    assert item["nodes", "cluster", "true_use"].sizes.maximum == Amount(1, 1 + nodes)


def test_memory_counts_less_than_its_nominal_size():
    sized = Requirement("karpenter.azure.com/sku-name", "In", ["Standard_D4ds_v5"])
    item = items(aks(node_provisioning=nap(web=AksNodePool(limits={"memory": "160Gi"}, requirements=[sized]))))
    assert item["nodes", "cluster", "true_use"].sizes.maximum == Amount(1, 1 + 11)


def test_families_that_agent_pools_use_include_what_karpenter_launches():
    item = items(aks(node_provisioning=nap(web=AksNodePool(limits={"cpu": "64"}, requirements=[ON_DEMAND]))))
    assert item["vcpus", FAMILY, "server"].needed == 2
    assert item["vcpus", FAMILY, "true_use"].needs == Amount(4, 4 + 64)
    assert ("spot_vcpus", SPOT, "server") not in item


def test_node_pools_without_a_capacity_type_can_launch_spot_nodes():
    item = items(aks(node_provisioning=nap(web=AksNodePool(limits={"cpu": "64"}))))
    assert item["spot_vcpus", SPOT, "true_use"].needs == Amount(0, 64)


@pytest.mark.parametrize(
    ("pool", "classes", "taken"),
    [
        pytest.param(AksNodePool(limits={"nodes": "2"}), {}, 2 * 30, id="flat: an address for each pod, host-network pods too"),
        pytest.param(AksNodePool(limits={"nodes": "2"}, node_class="a"), {"a": AksNodeClass(max_pods=50)}, 100, id="max_pods of the node class"),
        pytest.param(AksNodePool(limits={"nodes": "2"}, node_class="a"), {"a": AksNodeClass(vnet_subnet_id="/other")}, 0, id="another subnet"),
    ],
)
def test_flat_nodes_of_karpenter_take_max_pods_addresses(pool, classes, taken):
    provisioning = NodeProvisioning(default_node_pools="None", node_pools={"web": pool}, node_classes=classes)
    item = items(aks(network_profile=FLAT, node_provisioning=provisioning))
    assert item["node_subnet", "nodes", "true_use"].sizes.maximum == Amount(29, 29 + taken)
    assert item["node_subnet", "nodes", "server"].needed == 29


def test_ports_of_karpenter_nodes_are_taken_and_not_counted_by_aks():
    balancer = {"load_balancer": {"allocated_outbound_ports": 1024}}
    item = items(aks(network_profile=balancer, node_provisioning=nap(web=AksNodePool(limits={"nodes": "70"}))))
    assert item["outbound_ports", "load_balancer", "server"].verdict == "fits"
    assert item["outbound_ports", "load_balancer", "true_use"].needs == Amount(2 * 1024, 72 * 1024)


def test_a_static_pool_keeps_its_nodes():
    static = AksNodePool(replicas=3, limits={"nodes": "4"}, requirements=[ON_DEMAND])
    figures = items(aks(node_provisioning=nap(web=static)))["nodes", "cluster", "true_use"].sizes
    assert (figures.minimum, figures.maximum) == (exactly(4), Amount(4, 5))
    unbounded = items(aks(node_provisioning=nap(web=AksNodePool(replicas=3, requirements=[ON_DEMAND]))))
    assert unbounded["nodes", "cluster", "true_use"].sizes.maximum == Amount(4, None)


def test_overrides_of_limits_are_not_read():
    pool = AksNodePool(limits={"nodes": "1"}, overrides={"limits": {"nodes": 100}}, requirements=[ON_DEMAND])
    item = items(aks(node_provisioning=nap(web=pool)))
    assert item["nodes", "cluster", "true_use"].sizes.maximum == Amount(1, None)
    assert item["vcpus", CORES, "true_use"].needs == Amount(4, None)


def test_a_cluster_is_plain_data():
    (found,) = capacity(platform(one=aks()))
    plain = found.to_json()
    assert plain["cluster"] == "one"
    assert plain["items"][0] == {
        "what": "node_subnet",
        "name": "nodes",
        "checked_by": "server",
        "needed": 1,
        "available": 16379,
        "verdict": "fits",
        "minimum": {"minimum": 1, "maximum": 1},
        "maximum": {"minimum": 1, "maximum": 1},
        "upgrade": {"minimum": 2, "maximum": 2},
        "rotation": {"minimum": 1, "maximum": 1},
        "message": "The node subnet `10.224.0.0/18` has 16,379 usable addresses; AKS counts 1 for its agent pools at their maximum sizes",
        "fix": None,
    }
