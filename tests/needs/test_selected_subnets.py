"""Addresses of self-managed Karpenter: `limits` bound them, and nothing else does."""

import pytest

from nodepools.clouds.amounts import Amount
from nodepools.clouds.eks.nodes_of_others import Classes, selected_subnets
from nodepools.clouds.item import Item, Stock, SubnetStock
from nodepools.manifests.existing.existing_pools import read_existing_pools
from tests.clouds.test_eks_self_managed import LINUX

NAMED = "values: [c]}, {key: node.kubernetes.io/instance-type, operator: In, values: [c5.large]}"
LIMITED = LINUX.rstrip() + "\n  limits: {nodes: '3'}\n"
TYPED = LIMITED.replace("values: [c]}", NAMED)
SECOND = TYPED.replace("name: web", "name: api")
NEWER = LIMITED.replace("values: [c]}", NAMED.replace("c5.large", "c99.large"))
AUTO = LINUX.replace("karpenter.k8s.aws, kind: EC2NodeClass", "eks.amazonaws.com, kind: NodeClass")
A = SubnetStock("10.0.0.0/24", Stock(251, 51), tags={"team": "shop"})
B = SubnetStock("10.0.1.0/24", Stock(251, 1), tags={"team": "shop", "tier": "web"})
C = SubnetStock("10.0.2.0/24", Stock(251, 0))
KNOWN = {"subnet-0a1": A, "subnet-0b2": B, "subnet-0c3": C}
NOT_ALL_KNOWN = "`limits` allow at most 3 nodes; how many addresses a node takes is not known for all instance types that are allowed"


def items(*texts: str, terms: list[object] | None = None) -> list[Item]:
    places = read_existing_pools([(text, f"{number}.yaml") for number, text in enumerate(texts)]).provisioned
    classes: Classes = {} if terms is None else {place.name: ("default", {"subnetSelectorTerms": terms}) for place in places}
    return list(selected_subnets(places, classes, KNOWN))


@pytest.mark.parametrize(
    ("texts", "most", "said"),
    [
        pytest.param((LINUX,), None, "without `limits` of `web`, the number of nodes and addresses has no upper bound", id="no limits"),
        pytest.param((LIMITED,), None, NOT_ALL_KNOWN, id="limits, and instance types that are not in the tables"),
        pytest.param((NEWER,), None, NOT_ALL_KNOWN, id="an instance type that is not in the tables"),
        pytest.param((TYPED,), 1305, "`limits` allow at most 3 nodes, which take at most 1,305 addresses", id="limits and an instance type"),
        pytest.param((TYPED, SECOND), 2610, "`limits` allow at most 6 nodes, which take at most 2,610 addresses", id="two NodePools, one class"),
    ],
)
def test_what_bounds_the_addresses(texts: tuple[str, ...], most: int | None, said: str) -> None:
    [item] = items(*texts)
    assert (item.needs.maximum, item.message) == (most, f"EC2NodeClass `default` selects the subnets of its nodes: {said}")


def test_other_clouds_have_no_such_subnets() -> None:
    assert items(AUTO) == []


@pytest.mark.parametrize(
    ("terms", "room"),
    [
        pytest.param(None, None, id="its EC2NodeClass is not in the input"),
        pytest.param([{"id": "subnet-0C3"}], Amount(251, 251), id="by id"),
        pytest.param([{"tags": {"tier": "web"}}], Amount(250, None), id="by a tag, which subnets that were not exported can also have"),
        pytest.param([{"tags": {"team": "*"}}], Amount(450, None), id="any value of a tag"),
        pytest.param([{"tags": {"team": "s*p"}}], Amount(450, None), id="a pattern of values"),
        pytest.param([{"tags": {"team": "shop", "tier": "web"}}], Amount(250, None), id="both tags"),
        pytest.param([{"tags": {"tier": "web"}}, {"id": "subnet-0c3"}], Amount(501, None), id="one term or the other"),
        pytest.param([{"id": "subnet-0a1"}, {"id": "subnet-0c3"}], Amount(451, 502), id="two ids"),
        pytest.param([{"id": "subnet-0a1"}, {"id": "subnet-0d4"}], Amount(200, None), id="an id that was not exported"),
        pytest.param([{"id": "subnet-0c3", "tags": {"tier": "web"}}], Amount(251, 251), id="Karpenter ignores tags next to an id"),
        pytest.param([{"tags": {"team": "other"}}], None, id="subnets that were not exported"),
        pytest.param([dict[str, str]()], None, id="an empty term selects nothing"),
    ],
)
def test_what_the_selected_subnets_have(terms: list[object] | None, room: Amount | None) -> None:
    [item] = items(TYPED, terms=terms)
    assert item.room == room
