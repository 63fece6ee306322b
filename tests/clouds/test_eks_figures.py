"""Every figure of docs/facts/capacity.md about EKS: addresses of nodes and subnets, vCPUs by class, Elastic IPs and NAT gateways."""

from types import SimpleNamespace

import pytest

from nodepools import AutoMode, EksNetworkArgs, EksNodeClass, EksNodePool, ExistingEksNetwork, Requirement
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.eks.resources import most_pods, node_addresses, prefix_addresses, single_addresses
from nodepools.clouds.item import Counter, ExistingStock, Stock, SubnetStock
from nodepools.data.eks_instance_types import Interfaces, ec2_interfaces
from nodepools.needs.platform_capacity import capacity
from tests.needs.declared import eks, items, platform

C5A_LARGE = ec2_interfaces()["c5a.large"]
ON_DEMAND = Requirement("karpenter.sh/capacity-type", "In", ["on-demand"])
STANDARD = "Standard in us-east-1"


def typed(*names):
    return Requirement("node.kubernetes.io/instance-type", "In", names)


def auto(node_classes=None, **pools):
    return AutoMode(built_in_node_pools=(), node_pools=pools, node_classes=node_classes if node_classes is not None else {})


@pytest.mark.parametrize(
    ("instance_type", "apart", "pods"),
    [
        pytest.param("c5a.large", False, 27, id="one real node: 3 interfaces of 10"),
        pytest.param("c5a.large", True, 18, id="pod subnets: the primary interface has no pods"),
        pytest.param("m5.24xlarge", False, 110, id="at most 110"),
    ],
)
def test_most_pods(instance_type, apart, pods):
    assert most_pods(ec2_interfaces()[instance_type], apart=apart) == pods


@pytest.mark.parametrize(
    ("of_node", "pods", "amount"),
    [
        pytest.param(prefix_addresses, 0, Amount(1, 51), id="prefixes: an address without pods; 3 + 16 x (2 + 1) at most"),
        pytest.param(prefix_addresses, 1, Amount(17, 51), id="a prefix for the first pod"),
        pytest.param(prefix_addresses, 17, Amount(33, 51), id="another one for the 17th"),
        pytest.param(single_addresses, 5, Amount(6, 3 + 29 + 1), id="single addresses, one spare; the number of pods can be off by two"),
    ],
)
def test_a_node_takes_addresses_between_two_bounds(of_node, pods, amount):
    assert of_node(C5A_LARGE, pods) == amount


def test_a_type_with_unknown_interfaces_has_no_upper_bound():
    known, newer = SimpleNamespace(name="c5a.large"), SimpleNamespace(name="trn2.48xlarge")
    assert node_addresses([known]) == Amount(1, 51)
    assert node_addresses([known, newer]) == Amount(1, None)
    assert node_addresses([]) == exactly(1)
    assert prefix_addresses(Interfaces(1, 2), 100).minimum <= prefix_addresses(Interfaces(1, 2), 100).maximum


@pytest.mark.parametrize(
    ("network", "region", "subnets"),
    [
        pytest.param({}, "us-east-1", {"zone 1": (8171, 8187), "zone 2": (8171, 8187), "zone 3": (8171, 8187)}, id="an eighth of a /16: a /19"),
        pytest.param({}, "us-west-1", {"zone 1": (8171, 8187), "zone 2": (8171, 8187)}, id="a region with two zones"),
        pytest.param(
            {"cidr": "10.0.0.0/20", "zones": ["us-east-1a", "us-east-1c"]},
            "us-east-1",
            {"us-east-1a": (491, 507), "us-east-1c": (491, 507)},
            id="a /20",
        ),
    ],
)
def test_each_zone_has_a_subnet(network, region, subnets):
    item = items(eks(region=region, network=EksNetworkArgs(**network)))
    found = {name: (one.room.minimum, one.room.maximum) for (what, name, _), one in item.items() if what == "node_subnet"}
    assert found == subnets


@pytest.mark.parametrize(
    ("pool", "classes", "needs", "answer"),
    [
        pytest.param(EksNodePool(limits={"nodes": "9"}, requirements=[typed("c5a.large")]), {}, Amount(0, 9 * 51), "fits", id="few nodes"),
        pytest.param(EksNodePool(limits={"nodes": "10"}, requirements=[typed("c5a.large")]), {}, Amount(0, 510), "unknown", id="perhaps too many"),
        pytest.param(EksNodePool(requirements=[typed("c5a.large")]), {}, Amount(0, None), "unknown", id="no limits"),
        pytest.param(
            EksNodePool(limits={"nodes": "10"}, requirements=[typed("c5a.large")], node_class="a"),
            {"a": EksNodeClass(advanced_networking={"ipv4_prefix_size": "32"})},
            Amount(0, 330),
            "fits",
            id="single addresses",
        ),
        pytest.param(
            EksNodePool(node_class="a"), {"a": EksNodeClass(subnets=[{"id": "subnet-1"}])}, exactly(0), "fits", id="a node class in other subnets"
        ),
        pytest.param(
            EksNodePool(limits={"nodes": "1"}, overrides={"limits": {}}, requirements=[typed("c5a.large")]),
            {},
            Amount(0, None),
            "unknown",
            id="overrides are not read",
        ),
    ],
)
def test_all_nodes_can_be_in_one_zone(pool, classes, needs, answer):
    network = EksNetworkArgs(cidr="10.0.0.0/20", zones=["us-east-1a", "us-east-1b"])
    item = items(eks(network=network, auto_mode=auto(web=pool, node_classes=classes)))["node_subnet", "us-east-1a", "true_use"]
    assert (item.needs, item.verdict) == (needs, answer)


def test_without_limits_the_answer_is_how_many_nodes_there_is_room_for():
    pool = EksNodePool(requirements=[typed("c5a.large")])
    item = items(eks(network=EksNetworkArgs(cidr="10.0.0.0/20"), auto_mode=auto(web=pool)))["node_subnet", "zone 1", "true_use"]
    assert "there is room for 9 nodes of 51 addresses" in item.message
    newer = EksNodePool(requirements=[typed("trn2.48xlarge")])
    unknown = items(eks(network=EksNetworkArgs(cidr="10.0.0.0/20"), auto_mode=auto(web=newer)))["node_subnet", "zone 1", "true_use"]
    assert "room for" not in unknown.message


def test_ipv4_addresses_of_an_ipv6_cluster_are_not_bounded():
    pool = EksNodePool(limits={"nodes": "1"}, requirements=[typed("c5a.large")])
    declared = eks(network=EksNetworkArgs(cidr="10.0.0.0/20", ipv6=True), auto_mode=auto(web=pool), ip_family="IPv6")
    item = items(declared)["node_subnet", "zone 1", "true_use"]
    assert (item.needs, item.verdict) == (Amount(0, None), "unknown")


def test_the_subnets_of_an_existing_network_are_not_known():
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1"])
    item = items(eks(network=network))
    assert {what for what, _, _ in item} == {"vcpus", "node_subnet"}
    subnet = item["node_subnet", "subnet-1", "true_use"]
    assert (subnet.room, subnet.verdict) == (None, "unknown")
    assert subnet.message.endswith("cannot be determined offline; NodePools without `limits` have no upper bound")


@pytest.mark.parametrize(
    ("free", "answer"),
    [
        pytest.param(None, "unknown", id="not exported"),
        pytest.param(6, "fits", id="6 to create a cluster"),
        pytest.param(5, "unknown", id="enough for a version update of a cluster that exists"),
    ],
)
def test_the_control_plane_needs_addresses_in_each_of_its_subnets(free, answer):
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1"], control_plane_subnet_ids=["subnet-A"])
    known = {} if free is None else {"subnet-a": SubnetStock("10.0.0.0/28", Stock(11, 11 - free))}
    item = items(eks(network=network), ExistingStock(subnets=known))["control_plane_subnet", "subnet-A", "true_use"]
    assert (item.needs, item.verdict, item.fix) == (Amount(0, 6), answer, None)


@pytest.mark.parametrize(
    ("pool", "what", "name", "needs"),
    [
        pytest.param(
            EksNodePool(limits={"cpu": "64"}, requirements=[typed("m5.large"), ON_DEMAND]), "vcpus", STANDARD, Amount(0, 64), id="up to the limit"
        ),
        pytest.param(EksNodePool(requirements=[typed("m5.large"), ON_DEMAND]), "vcpus", STANDARD, Amount(0, None), id="no limit"),
        pytest.param(
            EksNodePool(limits={"nodes": "3"}, requirements=[typed("m5.large", "m5.xlarge"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(0, 12),
            id="three nodes of the largest type",
        ),
        pytest.param(
            EksNodePool(limits={"nvidia.com/gpu": "4"}, requirements=[typed("g6.xlarge", "g6.16xlarge", "g6.24xlarge"), ON_DEMAND]),
            "vcpus",
            "G and VT in us-east-1",
            Amount(0, 256),
            id="four nodes of 64 vCPUs and one GPU: four of 96 have sixteen GPUs",
        ),
        pytest.param(
            EksNodePool(limits={"cpu": "64", "memory": "72Gi"}, requirements=[typed("m5.large", "m5.xlarge"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(0, 20),
            id="memory for ten nodes of 2 vCPUs",
        ),
        pytest.param(
            EksNodePool(replicas=3, limits={"nodes": "4"}, requirements=[typed("m5.large"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(6, 8),
            id="static: always three nodes of 2 vCPUs",
        ),
        pytest.param(
            EksNodePool(replicas=5, limits={"nodes": "3"}, requirements=[typed("m5.large"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(6, 6),
            id="static: no more nodes than its limit",
        ),
        pytest.param(
            EksNodePool(replicas=3, limits={"nodes": "4"}, requirements=[typed("m5.large", "g5.xlarge"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(0, 8),
            id="static, of two classes",
        ),
        pytest.param(
            EksNodePool(replicas=3, limits={"nodes": "4"}, requirements=[typed("m5.large")]), "spot_vcpus", STANDARD, Amount(0, 8), id="spot or not"
        ),
        pytest.param(
            EksNodePool(
                replicas=3, limits={"nodes": "4"}, requirements=[typed("m5.large"), Requirement("karpenter.sh/capacity-type", "NotIn", ["spot"])]
            ),
            "vcpus",
            STANDARD,
            Amount(0, 8),
            id="on-demand or reserved",
        ),
        pytest.param(
            EksNodePool(limits={"cpu": "4"}, overrides={"limits": {}}, requirements=[typed("m5.large"), ON_DEMAND]),
            "vcpus",
            STANDARD,
            Amount(0, None),
            id="overrides are not read",
        ),
        pytest.param(
            EksNodePool(limits={"cpu": "192"}, requirements=[typed("p5.48xlarge")]), "spot_vcpus", "P5 in us-east-1", Amount(0, 192), id="P5 on spot"
        ),
    ],
)
def test_vcpus_by_class(pool, what, name, needs):
    assert items(eks(auto_mode=auto(web=pool)))[what, name, "true_use"].needs == needs


def test_types_without_a_spot_quota_are_left_out():
    item = items(eks(auto_mode=auto(web=EksNodePool(requirements=[typed("hpc8a.96xlarge")]))))
    assert "spot_vcpus" not in {what for what, _, _ in item}
    assert ("vcpus", "HPC in us-east-1", "true_use") in item


@pytest.mark.parametrize(
    ("nat", "addresses", "gateways"),
    [pytest.param("per-zone", 3, 3, id="one for each zone"), pytest.param("single", 1, 1, id="one"), pytest.param(None, None, 0, id="none")],
)
def test_a_network_takes_elastic_ips_and_nat_gateways(nat, addresses, gateways):
    item = items(eks(network=EksNetworkArgs(nat=nat)))
    elastic = item.get(("elastic_ips", "Elastic IPs in us-east-1", "planning"))
    assert (elastic.needed if elastic is not None else None) == addresses
    assert sum(what == "nat_gateways" for what, _, _ in item) == gateways


@pytest.mark.parametrize(
    ("accounts", "needed", "answer"),
    [
        pytest.param((None, None), 6, "does_not_fit", id="a second cluster goes over the default of 5"),
        pytest.param(("111111111111", "222222222222"), 3, "unknown", id="in another account"),
    ],
)
def test_clusters_of_a_region_share_elastic_ips(accounts, needed, answer):
    of = [{"account": {"id": account}} if account is not None else {} for account in accounts]
    found = capacity(platform(a=eks(**of[0]), b=eks(**of[1])))
    elastic = [item for one in found for item in one.items if item.what == "elastic_ips"]
    assert [(item.needed, item.room, item.verdict) for item in elastic] == [(needed, Amount(0, 5), answer)] * 2
    assert "default quota" in elastic[0].message


@pytest.mark.parametrize(
    ("quota", "checked_by", "verdict", "severity"),
    [
        pytest.param(2, "server", "does_not_fit", "error", id="AWS rejects the third"),
        pytest.param(3, "planning", "unknown", None, id="how much others use is not known"),
        pytest.param(None, "planning", "unknown", None, id="neither of a default quota"),
    ],
)
def test_a_known_quota_takes_the_place_of_the_default(quota, checked_by, verdict, severity):
    known = {Counter("elastic_ips", "Elastic IPs", "us-east-1").key: Stock(quota)} if quota is not None else {}
    item = items(eks(), ExistingStock(known))["elastic_ips", "Elastic IPs in us-east-1", checked_by]
    assert (item.room, item.verdict, item.severity) == (Amount(0, quota if quota is not None else 5), verdict, severity)
    assert quota is None or f"is {quota}; how much of it is in use is not known; the cluster needs 3" in item.message
