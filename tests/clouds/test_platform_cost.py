"""What pools come to, with prices that are easy to reckon with: a cluster's minimum and maximum follow from its declaration alone."""

import pytest

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodePool,
    GpuPool,
    NodeProvisioning,
    Platform,
    Requirement,
    Spot,
    StackOutput,
    SystemPool,
    UserPool,
    WindowsPool,
    keys,
)
from nodepools.aks import WindowsProfile
from nodepools.clouds.aks.agent_pool_cost import agent_pool_costs
from nodepools.clouds.prices import HOURS, Amount, PriceList, ShippedPrices, unbounded, unknown
from nodepools.clouds.registry import pool_costs

D4, D2, GPU = "Standard_D4ds_v5", "Standard_D2ds_v5", "Standard_NC24ads_A100_v4"
AKS = {
    "location": "westeurope",
    "kubernetes_version": "1.35",
    "network": AksNetworkArgs(cidr="10.10.0.0/16"),
    "system_pool": SystemPool(vm_size=D4, count=2),
}
PRICES = PriceList.model_validate(
    {
        "azure": {
            "westeurope": {
                D4: {"on_demand": 2, "windows": 3},
                D2: {"on_demand": 1, "spot": 0.25},
                GPU: 40,
                "Standard_E4s_v5": 5,
            }
        },
        "aws": {
            "us-east-1": {
                "m5.large": {"on_demand": 1, "spot": 0.5},
                "m5.xlarge": {"on_demand": 2, "spot": 1},
                "r5.large": 4,
                "g5.xlarge": 10,
            }
        },
    }
)
PASSWORD = StackOutput("acme/base/dev", "password")
ON_DEMAND = keys.eks.capacity_type.one_of("on-demand")
ANY_SPOT = "spot prices are unknown: pass yours with `--prices`"


def months(amount: float) -> Amount:
    return Amount(amount * HOURS)


def minimum(amount: float, reason: str) -> Amount:
    return Amount(None, reason, minimum=amount * HOURS)


def aks(prices=PRICES, **fields):
    """Costs of a cluster, by pool; its own system pool apart."""
    cluster = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        network=AksNetworkArgs(cidr="10.10.0.0/16"),
        system_pool=SystemPool(vm_size=D4, count=2),
        **fields,
    )
    return {cost.pool: cost for cost in pool_costs(Platform(name="dev", clusters={"weu": cluster}), prices)}


def eks(prices=PRICES, *, region="us-east-1", built_in=(), **pools):
    cluster = EksClusterArgs(
        region=region,
        kubernetes_version="1.35",
        network=EksNetworkArgs(cidr="10.30.0.0/16"),
        auto_mode=AutoMode(built_in_node_pools=built_in, node_pools=pools),
    )
    return {cost.pool: cost for cost in pool_costs(Platform(name="dev", clusters={"use1": cluster}), prices)}


def types(*names: str) -> Requirement:
    return keys.eks.instance_type.one_of(*names)


def test_the_system_pool_is_among_them():
    assert (aks()["weu/system"].min, aks()["weu/system"].max) == (months(4), months(4))


@pytest.mark.parametrize(
    ("pool", "minimum", "maximum"),
    [
        pytest.param(UserPool(vm_size=D4, count=3), months(6), months(6), id="a fixed number"),
        pytest.param(UserPool(vm_size=D4.lower(), count=3), months(6), months(6), id="a size in another case, which Azure accepts"),
        pytest.param(UserPool(vm_size=D4, scale=Autoscale(1, 5)), months(2), months(10), id="a range"),
        pytest.param(UserPool(vm_size=D4, scale=Autoscale(0, 5)), months(0), months(10), id="a range from nothing"),
        pytest.param(UserPool(vm_size=D4, count=3, power_state="Stopped"), months(0), months(0), id="stopped, it has no machines"),
        pytest.param(GpuPool(vm_size=GPU, scale=Autoscale(0, 2)), months(0), months(80), id="GPUs"),
        pytest.param(UserPool(vm_size=D2, scale=Autoscale(1, 4), spot=Spot()), months(0.25), months(1), id="spot, with a price for it"),
        pytest.param(UserPool(vm_size=D4, scale=Autoscale(1, 4), spot=Spot()), unknown(ANY_SPOT), unknown(ANY_SPOT), id="spot, without"),
        pytest.param(UserPool(vm_size=D4, scale=Autoscale(0, 4), spot=Spot()), months(0), unknown(ANY_SPOT), id="none of it at the least"),
        pytest.param(UserPool(vm_size=D4, scale=Autoscale(0, 4), spot=Spot(max_price=0.5)), months(0), months(2), id="a bid is a maximum"),
        pytest.param(WindowsPool(vm_size=D4, count=1), months(3), months(3), id="Windows, by its own price"),
        pytest.param(
            WindowsPool(vm_size=D2, count=1),
            unknown("prices with a Windows license are unknown: pass yours with `--prices`"),
            unknown("prices with a Windows license are unknown: pass yours with `--prices`"),
            id="Windows, without one",
        ),
        pytest.param(
            UserPool(vm_size="Standard_D8ds_v5", count=1),
            unknown("no price of `Standard_D8ds_v5` in `westeurope`: pass it with `--prices`"),
            unknown("no price of `Standard_D8ds_v5` in `westeurope`: pass it with `--prices`"),
            id="no price",
        ),
    ],
)
def test_an_agent_pool(pool, minimum, maximum):
    found = aks(pools={"web": pool}, windows_profile=WindowsProfile(admin_password=PASSWORD))["weu/web"]
    assert (found.min, found.max) == (minimum, maximum)


def test_with_hybrid_benefit_windows_nodes_cost_what_linux_nodes_cost():
    found = aks(pools={"win": WindowsPool(vm_size=D4, count=1)}, windows_profile=WindowsProfile(admin_password=PASSWORD, hybrid_benefit=True))
    assert found["weu/win"].max == months(2)


def test_a_bid_is_in_dollars_and_says_nothing_in_another_currency():
    euros = PriceList.model_validate({**PRICES.model_dump(), "currency": "EUR"})
    found = aks(euros, pools={"batch": UserPool(vm_size=D4, scale=Autoscale(0, 4), spot=Spot(max_price=0.5))})
    assert found["weu/batch"].max == unknown(ANY_SPOT)


def test_a_generation_that_goes_is_paid_for_too():
    found = aks(pools={"web": UserPool(vm_size=D4, count=1, previous=UserPool(vm_size=D2, count=4))})
    assert (found["weu/web"].max, found["weu/web (previous)"].max) == (months(2), months(4))


@pytest.mark.parametrize(
    ("pool", "minimum", "maximum"),
    [
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "m5.xlarge"), keys.eks.capacity_type.one_of("on-demand")], limits={"cpu": 100}),
            months(0),
            months(50),
            id="a limit of cpu: the same for all types of a price per cpu",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "r5.large"), keys.eks.capacity_type.one_of("on-demand")], limits={"cpu": 100}),
            months(0),
            months(200),
            id="a limit of cpu: the dearest per cpu",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.xlarge"), keys.eks.capacity_type.one_of("on-demand")], limits={"cpu": 10}),
            months(0),
            months(4),
            id="no part of a node",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "m5.xlarge"), ON_DEMAND], limits={"cpu": 7}),
            months(0),
            months(3),
            id="no part of a node of any type",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "g5.xlarge"), ON_DEMAND], limits={"cpu": 6}),
            months(0),
            months(11),
            id="the rest of the limit has room for another type",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "m5.xlarge"), ON_DEMAND], limits={"memory": "20Gi", "cpu": 7}),
            months(0),
            months(2),
            id="no part of a node within memory",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.xlarge"), ON_DEMAND], limits={"cpu": 4002}),
            months(0),
            months(2001),
            id="of a thousand nodes, a part of one does not matter",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "r5.large"), keys.eks.capacity_type.one_of("on-demand")], limits={"cpu": 100, "nodes": 10}),
            months(0),
            months(40),
            id="of several limits the tightest",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "g5.xlarge"), ON_DEMAND], limits={"cpu": 20, "nvidia.com/gpu": 2}),
            months(0),
            months(26),
            id="two with a GPU and six without: the limit of cpu alone allows five with one",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "g5.xlarge", "c5.large"), ON_DEMAND], limits={"cpu": 20, "nvidia.com/gpu": 2}),
            months(0),
            minimum(26, "1 machine type has no price in `us-east-1` and can cost more: pass all prices with `--prices`"),
            id="both limits, and a type without a price",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large"), keys.eks.capacity_type.one_of("on-demand")], limits={"memory": "72Gi"}),
            months(0),
            months(10),
            id="a limit of memory: a machine may keep a tenth of its own for itself",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "g5.xlarge")], limits={"nvidia.com/gpu": 4}),
            months(0),
            unbounded("its `limits` do not restrict the machine types that it allows"),
            id="a limit of GPUs does not hold back machines without",
        ),
        pytest.param(
            EksNodePool(requirements=[types("g5.xlarge")], limits={"nvidia.com/gpu": 4}), months(0), months(40), id="it holds back those with GPUs"
        ),
        pytest.param(EksNodePool(requirements=[types("m5.large")]), months(0), unbounded("no `limits`"), id="no limits"),
        pytest.param(
            EksNodePool(requirements=[types("m5.large"), keys.eks.capacity_type.one_of("spot")], limits={"cpu": 10}),
            months(0),
            months(2.5),
            id="spot alone, with prices for it",
        ),
        pytest.param(
            EksNodePool(requirements=[types("r5.large"), keys.eks.capacity_type.one_of("spot")], limits={"cpu": 10}),
            months(0),
            unknown(ANY_SPOT),
            id="spot alone, without",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large"), keys.eks.capacity_type.one_of("spot", "on-demand")], limits={"cpu": 10}),
            months(0),
            months(5),
            id="spot or on demand: no more than on demand",
        ),
        pytest.param(
            EksNodePool(replicas=3, requirements=[types("m5.large", "m5.xlarge"), keys.eks.capacity_type.one_of("on-demand")]),
            months(3),
            months(6),
            id="static: from the cheapest to the dearest",
        ),
        pytest.param(
            EksNodePool(replicas=3, requirements=[types("r5.large")]),
            unknown(ANY_SPOT),
            months(12),
            id="static, of a capacity that is not said: it may be spot",
        ),
        pytest.param(EksNodePool(requirements=[types("m5.large")], limits={"cpu": 1}), months(0), months(0), id="limits below the smallest node"),
        pytest.param(
            EksNodePool(requirements=[types("c5.large")], limits={"cpu": 8}),
            months(0),
            unknown("no prices of its machine types in `us-east-1`: pass them with `--prices`"),
            id="no prices of its types",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "r5.large", "c5.large", "c5.xlarge")], limits={"cpu": 100}),
            months(0),
            minimum(200, "2 machine types have no price in `us-east-1` and can cost more: pass all prices with `--prices`"),
            id="some of its types have no price: they can be the dearest",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "m99.large")], limits={"cpu": 100}),
            months(0),
            minimum(50, "`m99.large` is not in the tables, and can cost more"),
            id="a type that the tables do not have",
        ),
        pytest.param(
            EksNodePool(requirements=[keys.eks.instance_family.one_of("m98", "m99")], limits={"cpu": 100}),
            unknown("`m98`, `m99` are not in the tables, and can cost more"),
            unknown("`m98`, `m99` are not in the tables, and can cost more"),
            id="families alone that the tables do not have",
        ),
        pytest.param(
            EksNodePool(requirements=[keys.eks.instance_generation.more_than(80)], limits={"cpu": 100}),
            unknown("`eks.amazonaws.com/instance-generation above 8` is not in the tables, and can cost more"),
            unknown("`eks.amazonaws.com/instance-generation above 8` is not in the tables, and can cost more"),
            id="a generation that the tables do not have yet",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m99.large")], limits={"cpu": 0}), months(0), months(0), id="a type that is not known, and no node of it"
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "c5.large")], limits={"nvidia.com/gpu": 4}),
            months(0),
            unbounded("its `limits` do not restrict the machine types that it allows"),
            id="no limit that holds: a missing price changes nothing",
        ),
        pytest.param(
            EksNodePool(requirements=[types("m5.large", "r5.large"), keys.eks.capacity_type.one_of("spot")], limits={"cpu": 10}),
            months(0),
            minimum(2.5, ANY_SPOT),
            id="spot alone, with a price for one of two",
        ),
        pytest.param(
            EksNodePool(replicas=3, requirements=[types("m5.large", "c5.large"), keys.eks.capacity_type.one_of("on-demand")]),
            unknown("1 machine type has no price in `us-east-1` and can cost more: pass all prices with `--prices`"),
            minimum(3, "1 machine type has no price in `us-east-1` and can cost more: pass all prices with `--prices`"),
            id="static, of types with and without a price: neither end is certain",
        ),
        pytest.param(
            EksNodePool(replicas=5, limits={"nodes": 3}, requirements=[types("m5.large"), ON_DEMAND]),
            months(3),
            months(3),
            id="static, within its limit",
        ),
        pytest.param(
            EksNodePool(replicas=2, requirements=[types("c5.large")]),
            unknown("no prices of its machine types in `us-east-1`: pass them with `--prices`"),
            unknown("no prices of its machine types in `us-east-1`: pass them with `--prices`"),
            id="static, no prices",
        ),
    ],
)
def test_a_node_pool(pool, minimum, maximum):
    found = eks(web=pool)["use1/web"]
    assert (found.min, found.max) == (minimum, maximum)


def test_of_a_ceiling_it_is_said_which_machine_makes_it():
    pool = EksNodePool(requirements=[types("m5.large", "r5.large", "c5.large")], limits={"cpu": 100})
    assert eks(web=pool)["use1/web"].details == ("the maximum is for nodes of `r5.large`, the most expensive type that it allows per unit of `cpu`",)


DEAREST = "the maximum is for nodes of `m5.xlarge`, the most expensive type that it allows per unit"


@pytest.mark.parametrize(
    ("limits", "note"),
    [
        ({"cpu": 7}, "no nodes cost more within `cpu`: there are no parts of nodes"),
        (
            {"nodes": 3},
            f"{DEAREST} of `nodes`; Karpenter can exceed it, because it does not count the nodes of one batch of pods",
        ),
    ],
)
def test_a_ceiling_says_what_it_rests_on(limits, note):
    assert eks(web=EksNodePool(requirements=[types("m5.large", "m5.xlarge"), ON_DEMAND], limits=limits))["use1/web"].details == (note,)


def test_of_two_limits_no_single_machine_makes_the_ceiling():
    pool = EksNodePool(requirements=[types("m5.large", "g5.xlarge"), ON_DEMAND], limits={"cpu": 20, "nvidia.com/gpu": 2})
    assert eks(web=pool)["use1/web"].details == ("no mixture of machine types costs more within its limits together: `cpu`, `nvidia.com/gpu`",)


@pytest.mark.parametrize("spot", [0.5, 1.5])
@pytest.mark.parametrize("requirements", [[], [keys.eks.capacity_type.one_of("spot")], [keys.eks.capacity_type.one_of("spot", "on-demand")]])
@pytest.mark.parametrize("number", [{"replicas": 2}, {"limits": {"nodes": 2}}])
def test_no_minimum_is_above_its_maximum(spot, requirements, number):
    prices = PriceList.model_validate({"aws": {"us-east-1": {"m5.large": {"on_demand": 1, "spot": spot}}}})
    cost = eks(prices, web=EksNodePool(requirements=[types("m5.large"), *requirements], **number))["use1/web"]
    assert 0 <= cost.min.figure <= cost.max.figure


def test_a_spot_price_above_the_price_on_demand_counts():
    prices = PriceList.model_validate({"aws": {"us-east-1": {"m5.large": {"on_demand": 1, "spot": 1.5}}}})
    assert eks(prices, web=EksNodePool(requirements=[types("m5.large")], limits={"nodes": 2}))["use1/web"].max == months(3)


@pytest.mark.parametrize(
    ("limits", "maximum"),
    [
        pytest.param({"memory": "28.8Gi"}, minimum(4, "1 machine type has an unknown amount of `memory` and can cost more per unit"), id="one limit"),
        pytest.param({"memory": "32Gi", "nodes": 3}, months(24), id="a limit that is certain for all of them comes first"),
    ],
)
def test_a_size_of_which_the_memory_is_not_known_can_cost_more(limits, maximum):
    prices = PriceList.model_validate({"azure": {"westeurope": {D4: 2, "Standard_E128ads_v7": 8}}})
    pool = AksNodePool(requirements=[keys.aks.sku_name.one_of(D4, "Standard_E128ads_v7")], limits=limits)
    assert aks(prices, node_provisioning=NodeProvisioning(node_pools={"general": pool}))["weu/general"].max == maximum


def test_the_pools_that_the_clouds_make_have_no_ceiling():
    found = aks(node_provisioning=NodeProvisioning()) | eks(built_in=["system", "general-purpose"])
    for pool in ("weu/default", "weu/system-surge", "use1/system", "use1/general-purpose"):
        assert found[pool].max == unbounded("no `limits`")


def test_shipped_prices_are_of_a_few_regions_and_say_so():
    pool = EksNodePool(requirements=[types("m5.large"), keys.eks.capacity_type.one_of("on-demand")], limits={"cpu": 2})
    assert eks(ShippedPrices(), web=pool)["use1/web"].max == months(0.096)
    elsewhere = eks(ShippedPrices(), region="eu-west-1", web=pool)["use1/web"].max
    assert elsewhere == unknown("no prices of its machine types in `eu-west-1`: pass them with `--prices`")
    assert ShippedPrices().currency == "USD"
    assert "2026-07-20" in ShippedPrices().origin


@pytest.mark.parametrize("overrides", [{"count": 40}, {"vm_size": D2}, {"power_state": {"code": "Stopped"}}, {"scale_set_priority": "Spot"}])
def test_overrides_of_an_agent_pool_that_decide_its_cost_leave_it_unknown(overrides):
    pool = UserPool(vm_size=D4, count=4, overrides=overrides)
    [cost] = agent_pool_costs("weu/web", AksClusterArgs(**AKS, pools={"web": pool}), pool, PRICES)
    assert (cost.min.figure, cost.max.figure, cost.is_overridden) == (None, None, True)
    assert f"`{next(iter(overrides))}`" in cost.max.message
    [told] = agent_pool_costs("weu/web", AksClusterArgs(**AKS), UserPool(vm_size=D4, count=4, overrides={"tags": {"a": "b"}}), PRICES)
    assert told.max == Amount(4 * 2 * HOURS)


def test_overrides_of_a_node_pool_that_decide_its_cost_leave_it_unknown():
    mode = AutoMode(node_pools={"compute": EksNodePool(limits={"cpu": 100}, overrides={"limits": {"cpu": 0}})})
    cluster = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=EksNetworkArgs(cidr="10.30.0.0/16"), auto_mode=mode)
    costs = {cost.pool: cost for cost in pool_costs(Platform(name="dev", clusters={"use1": cluster}), PRICES)}
    assert costs["use1/compute"].is_overridden
