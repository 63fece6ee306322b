"""What exports report: quotas and subnets in use. Running nodes of the clusters are not counted twice."""

import pytest

from nodepools import ExistingEksNetwork
from nodepools.clouds.aks import existing_usage
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.eks import existing_quotas
from nodepools.clouds.item import Counter, ExistingStock, Stock, SubnetStock
from nodepools.needs.platform_capacity import capacity
from tests.needs.declared import FLAT, aks, eks, items, platform, system, user

CORES = "cores in westeurope"
ONE, OTHER = "0000000A-0000-0000-0000-000000000000", "0000000b-0000-0000-0000-000000000000"
EXISTING = {"kind": "ExistingAksNetwork", "subnet_id": "/N", "pod_subnet_id": "/P"}


def quota(stock, *, account=None, name="cores", what="vcpus", region="westeurope"):
    return ExistingStock({Counter(what, name, region, account): stock})


@pytest.mark.parametrize(
    ("stock", "room", "told"),
    [
        pytest.param(Stock(100), Amount(0, 100), "is 100; how much of it is in use is not known", id="use is not reported"),
        pytest.param(Stock(100, 0), exactly(100), "is 100, of which 0 are in use", id="nothing is in use"),
        pytest.param(Stock(100, 40), Amount(60, 100), "is 100, of which 40 are in use", id="the clusters or others use 40"),
        pytest.param(
            Stock(100, 40, Amount(30, None)),
            Amount(90, 100),
            "is 100, of which 40 are in use, 30 or more of them by nodes of the clusters",
            id="nodes of the clusters use 30 of the 40",
        ),
        pytest.param(Stock(100, 40, Amount(50, None)), exactly(100), None, id="nodes that are newer than the usage"),
        pytest.param(Stock(100, 40, Amount(0, 10)), Amount(60, 70), None, id="others use at least 30"),
        pytest.param(Stock(10, 40), Amount(0, 10), None, id="a quota that was lowered below its use"),
    ],
)
def test_room(stock, room, told):
    assert stock.room == room
    assert told is None or str(stock) == told


@pytest.mark.parametrize(
    ("stock", "answer"),
    [
        pytest.param(Stock(100, 98), "unknown", id="18 to create: 2 are free, and the 98 can be the cluster's own"),
        pytest.param(Stock(100, 98, Amount(16, None)), "fits", id="16 of them are the cluster's own"),
        pytest.param(Stock(100, 98, Amount(0, 10)), "does_not_fit", id="at most 10 are"),
    ],
)
def test_running_nodes_are_not_counted_twice(stock, answer):
    item = items(aks(pools={"web": user(count=8)}), quota(stock))["vcpus", CORES, "server"]
    assert (item.needed, item.verdict) == (18, answer)


@pytest.mark.parametrize(
    ("declared", "exported", "is_known"),
    [
        pytest.param(None, None, True, id="neither names one"),
        pytest.param(ONE, ONE.lower(), True, id="the same one, in any case"),
        pytest.param(ONE, None, True, id="usage without a subscription"),
        pytest.param(None, ONE.lower(), True, id="the provider's subscription: the only exported one"),
        pytest.param(OTHER, ONE.lower(), False, id="another one"),
    ],
)
def test_a_quota_belongs_to_a_subscription(declared, exported, is_known):
    item = items(aks(subscription_id=declared), quota(Stock(7, 0), account=exported))["vcpus", CORES, "server"]
    assert (item.available == 7) is is_known


def test_two_subscriptions_for_the_provider_s_are_ambiguous():
    keys = [Counter("vcpus", "cores", "westeurope", account) for account in ("a", "b")]
    assert items(aks(), ExistingStock(dict.fromkeys(keys, Stock(7, 0))))["vcpus", CORES, "server"].room is None


def test_one_quota_of_nat_gateways_applies_to_each_zone():
    found = items(eks(), quota(Stock(3), what="nat_gateways", name="", region="us-east-1"))
    assert [(item.room, item.verdict) for (what, _, _), item in found.items() if what == "nat_gateways"] == [(Amount(0, 3), "unknown")] * 3


@pytest.mark.parametrize(
    ("used", "own", "answer"),
    [
        pytest.param(0, exactly(0), "fits", id="an empty /29"),
        pytest.param(2, exactly(0), "does_not_fit", id="others use two of three"),
        pytest.param(2, Amount(), "unknown", id="two in use by anyone"),
    ],
)
def test_an_existing_node_subnet_of_aks(used, own, answer):
    subnets = {"/n": SubnetStock("10.0.0.0/29", Stock(3, used, own))}
    network = {"kind": "ExistingAksNetwork", "subnet_id": "/N"}
    item = items(aks(network=network, pools={"web": user(count=2)}), ExistingStock(subnets=subnets))["node_subnet", "/n", "server"]
    assert (item.needed, item.verdict) == (3, answer)
    assert "`10.0.0.0/29`" in item.message


@pytest.mark.parametrize(
    ("stock", "room"),
    [
        pytest.param(Stock(59, 0), Amount(2 * 16, 4 * 16), id="a /26 has 4 blocks, two of them with reserved addresses"),
        pytest.param(Stock(59, 1, exactly(0)), Amount(1 * 16, 4 * 16), id="an address of others can occupy a block"),
        pytest.param(Stock(59, 40, exactly(0)), Amount(0, 2 * 16), id="19 free addresses are in two blocks at most"),
    ],
)
def test_an_existing_pod_subnet_with_static_blocks(stock, room):
    cluster = aks(network=EXISTING, network_profile=FLAT, pools={"web": user(pod_ip_allocation="StaticBlock")})
    found = items(cluster, ExistingStock(subnets={"/p": SubnetStock("10.0.0.0/26", stock)}))
    assert found["pod_subnet", "/p", "true_use"].room == room


@pytest.mark.parametrize(("limit", "used", "answer"), [(11, 0, "fits"), (11, 3, "does_not_fit")])
def test_the_subnet_of_the_api_server_needs_nine_addresses(limit, used, answer):
    subnets = {"/api": SubnetStock("10.0.0.0/28", Stock(limit, used, exactly(0)))}
    cluster = aks(network={"kind": "ExistingAksNetwork", "subnet_id": "/N"}, api_server_subnet_id="/API")
    assert items(cluster, ExistingStock(subnets=subnets))["api_server_subnet", "/api", "true_use"].verdict == answer


@pytest.mark.parametrize(
    ("limit", "counts", "verdicts", "severities"),
    [
        pytest.param(40, (15, 15), {"fits"}, {None}, id="both fit"),
        pytest.param(31, (15, 15), {"fits", "does_not_fit"}, {None, "warning"}, id="both with a surge node do not"),
        pytest.param(27, (15, 15), {"does_not_fit"}, {"error"}, id="each fits, and both do not"),
        pytest.param(11, (3, 15), {"does_not_fit"}, {"error"}, id="one alone does not fit"),
    ],
)
def test_clusters_in_one_subnet_are_added(limit: int, counts: tuple[int, int], verdicts: set[str], severities: set[str | None]) -> None:
    """What the cloud checks for each of them is `server` only if one alone does not fit."""
    network = {"kind": "ExistingAksNetwork", "subnet_id": "/N"}
    several = {f"c{count}{number}": aks(network=network, system_pool=system(count=count)) for number, count in enumerate(counts)}
    found = capacity(platform(**several), existing=ExistingStock(subnets={"/n": SubnetStock("10.0.0.0/27", Stock(limit, 0, exactly(0)))}))
    shared = [[item for item in one.items if item.what == "node_subnet"] for one in found]
    assert shared[0] == shared[1]
    assert ({item.verdict for item in shared[0]}, {item.severity for item in shared[0]}) == (verdicts, severities)
    assert all("2 clusters in this subnet together need" in item.message for item in shared[0])
    assert any(item.checked_by == "server" for item in shared[0]) == (limit != 27)


def test_clusters_in_one_subnet_of_the_api_server_are_added():
    cluster = aks(network={"kind": "ExistingAksNetwork", "subnet_id": "/N"}, api_server_subnet_id="/API")
    existing = ExistingStock(subnets={"/api": SubnetStock("10.0.0.0/28", Stock(11))})
    for one in capacity(platform(a=cluster, b=cluster), existing=existing):
        [item] = [item for item in one.items if item.what == "api_server_subnet"]
        assert (item.needed, item.room, item.verdict) == (18, Amount(0, 11), "does_not_fit")


def test_an_existing_subnet_of_eks():
    network = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-A"])
    existing = ExistingStock(subnets={"subnet-a": SubnetStock("10.0.0.0/24", Stock(251, 151))})
    item = items(eks(network=network), existing)["node_subnet", "subnet-A", "true_use"]
    assert item.room == Amount(100, 251)
    assert "The subnet `10.0.0.0/24` has 100 to 251 addresses for nodes and pods; there is room for" in item.message


@pytest.mark.parametrize(
    ("limit", "what", "severities"),
    [
        pytest.param(100, "cores", {"server": None, "true_use": None, "planning": None}, id="everything fits"),
        pytest.param(17, "cores", {"server": "error", "true_use": "error", "planning": "note"}, id="Azure rejects the create"),
        pytest.param(18, "cores", {"server": None, "true_use": "warning", "planning": "note"}, id="only upgrades find no room"),
    ],
)
def test_severity(limit, what, severities):
    found = items(aks(pools={"web": user(count=8)}), quota(Stock(limit, 0), name=what))
    assert {who: found["vcpus", CORES, who].severity for who in severities} == severities


def test_what_terraform_has_of_subnets_is_their_size():
    of_aws = existing_quotas.subnets({"Subnets": [{"SubnetId": "subnet-A", "CidrBlock": "10.0.0.0/24"}]})
    of_azure = existing_usage.subnets({"id": "/x/subnets/A", "addressPrefixes": ["10.0.0.0/24"], "ipConfigurations": "not in a state"})
    assert of_aws is not None
    assert of_azure is not None
    assert of_aws["subnet-a"].addresses == Stock(251)
    assert of_azure["/x/subnets/a"].addresses == Stock(251)
