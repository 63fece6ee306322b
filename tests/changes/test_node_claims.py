"""Nodes that drift because a node class selects other images or subnets, as far as exported NodeClaims and subnets show it."""

from dataclasses import replace

import pytest

from nodepools.changes.platform_changes import request_set_changes, requests_of
from nodepools.clouds.amounts import NOTHING, Amount, exactly
from nodepools.clouds.change import ExistingSubnet, NodeClaim, drifted_with_class
from nodepools.placement.cloud_labels import ZONE
from tests.changes.declared import PLATFORM, agent_pool, eks_class, nap_pool

SUBNETS = {
    "subnet-a": ExistingSubnet("us-east-1a", {"tier": "private"}),
    "subnet-a2": ExistingSubnet("us-east-1a", {"tier": "more"}),
    "subnet-b": ExistingSubnet("us-east-1b", {"tier": "private", "team": "web"}),
}
CLAIMS = [
    *(NodeClaim({ZONE: "us-east-1a"}, "ami-1") for _ in range(3)),
    *(NodeClaim({ZONE: "us-east-1b"}, "ami-2") for _ in range(2)),
]


def ids(*names: str) -> dict[str, object]:
    return {"subnetSelectorTerms": [{"id": name} for name in names]}


def tags(**wanted: str) -> dict[str, object]:
    return {"subnetSelectorTerms": [{"tags": wanted}]}


def images(*terms: dict[str, object]) -> dict[str, object]:
    return {"amiSelectorTerms": list(terms)}


EDITS = {
    "the only subnet of a zone is no longer selected": (ids("subnet-a", "subnet-b"), ids("subnet-a"), exactly(2)),
    "one of two subnets of a zone is no longer selected": (ids("subnet-a", "subnet-a2", "subnet-b"), ids("subnet-a", "subnet-b"), Amount(0, 3)),
    "a subnet more": (ids("subnet-a", "subnet-b"), ids("subnet-a", "subnet-a2", "subnet-b"), NOTHING),
    "another subnet of the zone, in which nodes can be already": (ids("subnet-a"), ids("subnet-a2"), Amount(0, 5)),
    "tags instead of ids": (ids("subnet-a", "subnet-b"), tags(tier="private"), NOTHING),
    "tags of one subnet": (tags(tier="private"), tags(tier="private", team="*"), exactly(3)),
    "a subnet that was not exported": (ids("subnet-a"), ids("subnet-c"), None),
    "a term that selects by something else": (ids("subnet-a"), {"subnetSelectorTerms": [{"name": "a"}]}, None),
    "the image of some nodes": (images({"alias": "al2023@latest"}), images({"id": "ami-1"}), exactly(2)),
    "two images by id": (images({"id": "ami-1"}), images({"id": "ami-1"}, {"id": "ami-2"}), NOTHING),
    "images by alias": (images({"id": "ami-1"}), images({"alias": "al2023@latest"}), None),
    "images and subnets": ({**images({"id": "a"}), **ids("subnet-a")}, {**images({"id": "b"}), **ids("subnet-b")}, None),
}


@pytest.mark.parametrize(("old", "new", "number"), EDITS.values(), ids=EDITS)
def test_nodes_that_drift(old, new, number):
    assert drifted_with_class(old, new, CLAIMS, SUBNETS) == number


def test_a_node_whose_image_is_not_exported_may_drift():
    assert drifted_with_class(images({"id": "a"}), images({"id": "b"}), [NodeClaim({})], {}) == Amount(0, 1)


def test_a_node_class_is_counted_with_the_claims_of_its_pools():
    old, new = (requests_of(eks_class(subnets=[{"id": name}])) for name in ("subnet-b", "subnet-a"))
    claims = {"use1": {"compute": CLAIMS}}
    [found] = request_set_changes(*(replace(side, claims=claims, subnets=SUBNETS) for side in (old, new))).all
    assert (found.effect.value, found.nodes, found.extra_nodes) == ("rolls_some", Amount(2, 5), Amount(0, 1))
    [none] = request_set_changes(*(replace(side, claims={"use1": {}}, subnets=SUBNETS) for side in (old, new))).all
    assert (none.nodes, none.extra_nodes) == (NOTHING, NOTHING)
    [bounds] = request_set_changes(old, new).all
    assert bounds.nodes == Amount(0, 6)


def test_node_claims_are_the_nodes_of_a_pool_of_karpenter_and_of_no_other() -> None:
    old, new = requests_of(nap_pool("general", labels={"a": "b"})), requests_of(nap_pool("general", labels={"a": "c"}))
    known = replace(new, claims={"nap": {"general": CLAIMS[:2]}, "weu": {}})
    assert [change.nodes for change in request_set_changes(old, known).all] == [exactly(2)]
    reimaged = replace(requests_of(agent_pool("fixed", fips=True)), claims={"weu": {}})
    assert [change.nodes for change in request_set_changes(requests_of(PLATFORM), reimaged).all] == [exactly(3)]
