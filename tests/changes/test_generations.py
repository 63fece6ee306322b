"""Generations of a pool and of a node class: what exists stays, whichever of both is the field `previous` of the other."""

from itertools import permutations

import pytest

from nodepools import EksNodeClass, derive
from nodepools.changes.platform_changes import diff, requests_of
from nodepools.clouds.change import AGENT_POOL, EKS_NODE_CLASS
from nodepools.wire.table import Effect
from tests.changes.declared import PLATFORM

SMALL = PLATFORM.clusters["weu"].pools["web"]
LARGE = derive(SMALL, vm_size="Standard_D4ds_v5")
OLD, NEW = EksNodeClass(role="nodes-2025"), EksNodeClass(role="nodes-2026")


def with_pool(pool):
    return derive(PLATFORM, clusters={"weu": {"pools": {"web": pool}}})


def with_class(declared):
    return derive(PLATFORM, clusters={"use1": {"auto_mode": {"node_classes": {"own": declared}}}})


@pytest.mark.parametrize(
    ("declared", "one", "other", "of_type"), [(with_pool, SMALL, LARGE, AGENT_POOL), (with_class, OLD, NEW, EKS_NODE_CLASS)], ids=["pool", "class"]
)
def test_only_what_one_side_has_is_created_or_deleted(declared, one, other, of_type):
    """Of each step from generation to generation, forth and back, with and without `previous`."""
    states = [declared(state) for state in (one, other, derive(one, previous=other), derive(other, previous=one))]
    for old, new in permutations(states, 2):
        has, gets = ({request.resource.name for request in requests_of(side).all if request.resource.type == of_type} for side in (old, new))
        found, kind = diff(old, new), of_type.rpartition(":")[2]
        steps = {step for wave in found.order for step in wave if f" {kind}/" in step}
        assert {step for step in steps if not step.startswith("update")} == {
            *(f"create {kind}/{name}" for name in gets - has),
            *(f"delete {kind}/{name}" for name in has - gets),
        }
        rows = [change for change in found.all if change.resource.type == of_type]
        gone = {change.resource.name for change in rows if change.effect in (Effect.DELETES, Effect.REMOVES_NODES)}
        made = {change.resource.name for change in rows if change.effect is Effect.CREATES}
        assert gone <= has - gets
        assert made <= gets - has
        assert gone == has - gets or gets - has, "nothing takes its place, so a row says that it goes"
