"""What a first `pulumi up` would change is told as `diff` tells it."""

from dataclasses import replace
from datetime import date

import pytest

from nodepools.adoption.adopted import Adopted, first_changes
from nodepools.adoption.proof import Difference
from nodepools.clouds.change import Change
from tests.adoption.existing import cluster, pool
from tests.adoption.existing_eks import ADMIN, described, entry, policies
from tests.adoption.test_adopted import SYSTEM, adopted
from tests.adoption.test_adopted_eks import adopted as adopted_eks

WEB = ("pools", "web")
FOUND = {
    "an argument of the cluster": (
        Difference((), ("sku", "tier"), "Free", "Standard"),
        ("west", "clusters.west.tier", "Free", "Standard", "in_place"),
    ),
    "an argument that AKS does not change": (
        Difference(("system_pool",), ("vm_size",), "a", "b"),
        ("west/system", "clusters.west.system_pool.vm_size", "a", "b", "refused"),
    ),
    "an argument of a pool": (Difference(WEB, ("count",), 3, 5), ("west/web", "clusters.west.pools.web.count", 3, 5, "in_place")),
    "a value that Azure has not": (
        Difference(WEB, ("tags",), None, {"team": "web"}),
        ("west/web", "clusters.west.pools.web.tags.team", None, "web", "in_place"),
    ),
    "an argument without a row": (Difference(WEB, ("mystery",), 1, 2), ("west/web", "clusters.west.pools.web.mystery", 1, 2, "unknown")),
    "an argument that cannot be compared": (Difference(WEB, ("mystery",), 1, 1), ("west/web", "clusters.west.pools.web.mystery", 1, 1, "unknown")),
}

DAY = date(2026, 11, 26)


def _with(difference: Difference) -> Adopted:
    one = adopted(cluster(), SYSTEM, pool("web"))
    [about] = [item for item in one.compared if tuple(map(str, item.request.steps[2:])) == (WEB if difference.resource == WEB else ())]
    return replace(one, compared=(replace(about, differences=(difference,)),))


@pytest.mark.parametrize("title", FOUND)
def test_a_difference_has_its_effect(title: str) -> None:
    difference, expected = FOUND[title]
    [change] = first_changes(_with(difference), DAY)
    assert (change.at, change.path, change.old, change.new, change.effect.value) == expected
    assert change.message
    assert change.source


def test_what_explains_a_difference_is_its_reason() -> None:
    [change] = first_changes(_with(Difference((), ("sku", "tier"), "Free", "Standard", "as was agreed")), DAY)
    assert change.message == "as was agreed"


def test_a_pool_that_does_not_exist_is_created_with_its_nodes() -> None:
    one = adopted(cluster(), SYSTEM, pool("web", count=4))
    own, web = (item for item in one.compared if item.request.subject in ("cluster", "pool"))
    [change] = first_changes(replace(one, compared=(own, replace(web, import_id=None))), DAY)
    assert _told(change) == ("west/web", "creates", "Pulumi creates the pool")
    assert change.to_json()["extra_nodes"] == {"minimum": 4, "maximum": 4}


def test_tags_of_an_entry_are_updated_in_place() -> None:
    one = adopted_eks(described(), entry(ADMIN, tags={"owner": "ops"}), policies(ADMIN, "AmazonEKSClusterAdminPolicy"))
    [change] = first_changes(one, DAY)
    assert change.effect.value == "in_place"
    assert change.message == "tags become those that the field `tags` of the cluster declares, in place (without `owner`)"


def test_an_entry_that_does_not_exist_is_created() -> None:
    one = adopted_eks(described(), entry(ADMIN), policies(ADMIN, "AmazonEKSClusterAdminPolicy"))
    missing = tuple(replace(item, import_id=None) if item.request.subject == "access entry" else item for item in one.compared)
    [change] = first_changes(replace(one, compared=missing), DAY)
    assert change.effect.value == "creates"
    assert change.message


def _told(change: Change) -> tuple[str, str, str]:
    return change.at, change.effect.value, change.message
