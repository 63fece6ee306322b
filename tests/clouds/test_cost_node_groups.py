"""What managed node groups cost: the cheapest and the most expensive of their instance types, and what is not known."""

import pytest

from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.node_pool_cost import node_group_cost
from nodepools.clouds.prices import PriceList


def cost(*types, **values):
    prices = PriceList.model_validate({"aws": {"us-east-1": {"a": {"on_demand": 1.0, "spot": 0.5, "windows": 2.0}, "b": 3.0}}})
    given = {"ami_type": "AL2023_x86_64_STANDARD", "least": 1, "desired": 1, "most": 2, **values}
    return node_group_cost(NodeGroup(name="web", cluster="shop", region="us-east-1", instance_types=types, **given), prices)


@pytest.mark.parametrize(
    ("types", "values", "least", "most"),
    [
        (("a",), {}, 730.0, 1460.0),
        (("a", "b"), {}, 730.0, 4380.0),
        (("a",), {"capacity_type": "SPOT"}, 365.0, 730.0),
        (("a",), {"ami_type": "WINDOWS_CORE_2022_x86_64"}, 1460.0, 2920.0),
    ],
)
def test_a_group_costs_between_its_cheapest_and_its_dearest_type(types, values, least, most):
    found = cost(*types, **values)
    assert (found.min.figure, found.max.figure) == (least, most)


@pytest.mark.parametrize(
    ("types", "values", "message"),
    [
        (("a", "x"), {}, "no price of an instance type of `web`"),
        (("b",), {"capacity_type": "SPOT"}, "spot prices are unknown"),
        (("b",), {"ami_type": "WINDOWS_CORE_2022_x86_64"}, "Windows license"),
        ((), {}, "names an instance type"),
    ],
)
def test_what_is_not_known_has_no_figure(types, values, message):
    assert message in cost(*types, **values).max.message


def test_a_group_says_its_nodes_and_types():
    assert cost("a", least=2, most=2).description == "2 x `a`"
    assert cost("a", capacity_type="SPOT").description == "1 to 2 x `a` spot"
    assert cost().description == "1 to 2 x unknown instance types"
