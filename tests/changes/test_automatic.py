"""AKS Automatic and hosted system nodes: what AKS supports in one direction alone."""

import pytest

from nodepools import AksClusterArgs, Platform, SystemPool, derive
from nodepools.changes.platform_changes import diff
from nodepools.wire.table import Effect

OWN = AksClusterArgs(
    location="westeurope", kubernetes_version="1.36", api_version="2026-05-01", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3)
)


@pytest.mark.parametrize(
    ("before", "after", "effect"),
    [
        ({"sku": "Base"}, {"sku": "Automatic"}, Effect.REFUSED),
        ({"sku": "Automatic"}, {"sku": "Base"}, Effect.UNKNOWN),
        ({"hosted_system": None}, {"hosted_system": True}, Effect.UNKNOWN),
        ({"hosted_system": True}, {"hosted_system": False}, Effect.REFUSED),
    ],
)
def test_directions(before: dict[str, object], after: dict[str, object], effect: Effect) -> None:
    sides = [Platform(name="dev", clusters={"weu": derive(OWN, fields)}) for fields in (before, after)]
    assert {change.effect for change in diff(*sides).all} == {effect}


def test_what_becomes_of_a_system_pool_is_not_known() -> None:
    hosted = derive(OWN, sku="Automatic", hosted_system=True)
    sides = [Platform(name="dev", clusters={"weu": one}) for one in (hosted, derive(hosted, system_pool=None))]
    for changes in (diff(*sides), diff(*reversed(sides))):
        assert [(change.effect, change.steps[2:]) for change in changes.all] == [(Effect.UNKNOWN, ("system_pool",))]


def test_a_cluster_that_becomes_base_loses_what_only_automatic_has() -> None:
    automatic = derive(OWN, sku="Automatic", hosted_system=True)
    sides = [Platform(name="dev", clusters={"weu": one}) for one in (automatic, derive(automatic, sku="Base", hosted_system=None))]
    assert {change.effect for change in diff(*sides).all} == {Effect.UNKNOWN}
