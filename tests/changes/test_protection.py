"""What `diff` says about protection, and about edits that Pulumi refuses because of it."""

import pytest

from nodepools import Platform, derive, diff
from nodepools.rules.engine.samples import aks, eks
from nodepools.wire.table import Effect

REFUSED = "Protected: `pulumi up` rejects this until `protect` is false and applied"


def platform(**fields: object) -> Platform:
    return derive(Platform(name="dev", clusters={"weu": aks(), "use1": eks()}), fields)


def told(old: Platform, new: Platform) -> dict[str, str]:
    """The reasons by path."""
    found: dict[str, str] = {}
    for change in diff(old, new).all:
        found[change.path] = f"{found.get(change.path, '')}{change.message}\n"
    return found


@pytest.mark.parametrize(
    ("old", "new", "paths"),
    [
        ({}, {"protect": False}, {"clusters.weu.protect": (True, False), "clusters.use1.protect": (True, False)}),
        ({"protect": False}, {}, {"clusters.weu.protect": (False, True), "clusters.use1.protect": (False, True)}),
        ({}, {"clusters": {"weu": {"protect": False}}}, {"clusters.weu.protect": (True, False)}),
        ({"protect": False}, {"protect": False, "clusters": {"use1": {"deletion_protection": True}}}, {"clusters.use1.protect": (False, True)}),
    ],
    ids=["the platform", "the default again", "a cluster", "protection by AWS"],
)
def test_protection_changes_the_state_alone(old, new, paths):
    found = {change.path: change for change in diff(platform(**old), platform(**new)).all if change.path.endswith(".protect")}
    assert {path: (change.old, change.new) for path, change in found.items()} == paths
    for change in found.values():
        assert change.effect is Effect.NONE
        assert change.message.startswith("Only the state of Pulumi changes")
        assert change.resource.name == f"dev-{change.at}"


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        ({"clusters": {"weu": {"location": "northeurope"}}}, "clusters.weu.location"),
        ({"clusters": {"use1": {"service_cidr": "10.100.0.0/16"}}}, "clusters.use1.service_cidr"),
        ({"clusters": {"use1": {"region": "us-west-2"}}}, "clusters.use1.region"),
        ({"name": "other"}, "clusters.weu"),
    ],
)
def test_a_replacement_of_what_is_protected_is_refused_by_pulumi(edit, path):
    old = platform()
    assert REFUSED in told(old, derive(old, edit))[path]
    assert REFUSED in told(old, derive(old, edit, protect=False))[path]  # the state still has it
    unprotected = platform(protect=False)
    assert REFUSED not in told(unprotected, derive(unprotected, edit))[path]


def test_so_is_the_removal_of_a_cluster():
    old = platform()
    assert REFUSED in told(old, Platform(name="dev", clusters={"weu": aks()}))["clusters.use1"]


def test_pools_can_go():
    old = platform(clusters={"weu": {"pools": {"web": {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "count": 2}}}})
    removed = [change for change in diff(old, platform()).all if change.effect is Effect.REMOVES_NODES]
    assert [REFUSED in change.message for change in removed] == [False]
