"""Sizes of node groups that EKS rejects, switches that Terraform writes the other way round, and the key that a cluster creates."""

import pytest

from nodepools.model.eks.cluster import NewKey
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.azurerm import CLUSTER
from nodepools.wire.aks.cluster import CLUSTER as REQUEST
from nodepools.wire.eks.cluster import SECRETS_KEY
from nodepools.wire.eks.terraform import rejected_size
from nodepools.wire.paths import is_opposite
from nodepools.wire.reading import write


def group(least: int, wanted: int, most: int) -> dict[str, object]:
    return {"scalingConfig": {"minSize": least, "desiredSize": wanted, "maxSize": most}}


@pytest.mark.parametrize(
    ("sizes", "desired", "said"),
    [
        ((1, 2, 3), True, ""),
        ((4, 2, 3), True, "EKS rejects `minSize` above `maxSize`: 4 is more than 3"),
        ((1, 5, 3), True, "EKS rejects `desiredSize` above `maxSize`: 5 is more than 3"),
        ((1, 5, 3), False, ""),
    ],
)
def test_sizes(sizes: tuple[int, int, int], desired: bool, said: str) -> None:  # noqa: FBT001
    assert rejected_size(group(*sizes), desired=desired).startswith(said)
    assert bool(rejected_size(group(*sizes), desired=desired)) == bool(said)


def test_a_size_is_rejected_because_of_what_changes() -> None:
    assert rejected_size(group(4, 4, 3), ("scalingConfig", "maxSize"))
    assert not rejected_size(group(4, 4, 3), ("updateConfig", "maxUnavailable"))


@pytest.mark.parametrize(("name", "described"), [("shop", "Secrets of the EKS cluster shop"), (UNKNOWN, UNKNOWN)])
def test_the_key_of_secrets(name: object, described: object) -> None:
    sent = write(SECRETS_KEY, NewKey(), name)
    assert (sent["description"], sent["enableKeyRotation"]) == (described, True)


def test_a_switch_that_terraform_turns_the_other_way_round() -> None:
    switch = ("apiServerAccessProfile", "disableRunCommand")
    assert is_opposite(REQUEST, switch)
    assert CLUSTER.is_opposite(switch)
    assert not is_opposite(REQUEST, ("kubernetesVersion",))
    assert not is_opposite(REQUEST, ("nowhere",))
    assert not CLUSTER.is_opposite(("nowhere",))
