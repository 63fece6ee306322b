"""An owner that no cloud gets changes nothing; one that is sent as a label or tag does what the label or tag does."""

import pytest

from nodepools import EksNodePool, Platform, derive, diff
from nodepools.rules.engine.samples import SIZE, aks, auto_mode, platform

LABEL = "example.com/owner"
ROLLS = "clusters.use1.auto_mode.node_pools.web.labels.example.com/owner"


def declared(owner: str, **owners: str) -> Platform:
    weu = aks(owner="core", pools={"web": {"kind": "UserPool", "vm_size": SIZE, "owner": owner}})
    use1 = derive(auto_mode({"web": EksNodePool(owner=owner)}), owner="core", network={"cidr": "10.9.0.0/16"})
    return derive(platform(weu=weu, use1=use1), owners=owners)


@pytest.mark.parametrize(
    ("owners", "effects"),
    [
        pytest.param({}, {"none"}, id="not sent"),
        pytest.param({"label": LABEL}, {"in_place", "rolls"}, id="a label: nodes of NodePools are replaced"),
        pytest.param({"tag": "owner"}, {"in_place", "none"}, id="a tag: of the agent pool; a NodePool has none"),
    ],
)
def test_another_owner(owners: dict[str, str], effects: set[str]) -> None:
    found = diff(declared("shop", **owners), declared("data", **owners)).all
    assert {change.effect.value for change in found} == effects
    assert all("owner" in change.path for change in found)
    assert len(found) == 2  # one of each pool: no edit is told twice


def test_the_owner_of_a_cluster_that_is_sent_as_a_tag() -> None:
    old = declared("shop", tag="owner")
    found = diff(old, derive(old, clusters={"weu": {"owner": "else"}})).all
    assert {change.effect.value for change in found} == {"in_place"}


def test_a_label_that_is_sent_from_now_on() -> None:
    [worst, *others] = diff(declared("shop"), declared("shop", label=LABEL)).all
    assert (worst.effect.value, worst.at) == ("rolls", "use1/web")
    assert {change.effect.value for change in others} == {"in_place"}
