"""The storage classes of a declared cluster."""

from typing import Any

import pytest

from nodepools import Platform
from nodepools.clouds.registry import catalog
from nodepools.eks import ClusterObjects, StorageClass
from nodepools.model.derive import derive
from nodepools.placement.must_fit import objects_of
from tests.placement.conftest import aks, eks

ROWS = [
    pytest.param(eks(), {"auto-ebs": True}, id="the one of Auto Mode"),
    pytest.param(
        derive(eks(), objects=ClusterObjects(storage_class=StorageClass(name="fast", default=False))), {"fast": False}, id="under another name"
    ),
    pytest.param(derive(eks(), objects=ClusterObjects(storage_class=None)), {}, id="none"),
]


@pytest.mark.parametrize(("cluster", "expected"), ROWS)
def test_classes_of_an_eks_cluster(cluster: Any, expected: dict[str, bool]) -> None:
    [pools] = catalog(Platform(name="dev", clusters={"c": cluster}))
    assert {found.name: found.is_default for found in pools.classes} == expected


def test_classes_that_aks_creates() -> None:
    [pools] = catalog(Platform(name="dev", clusters={"c": aks()}))
    assert [found.name for found in pools.classes if found.is_default] == ["default"]
    assert {found.immediate for found in pools.classes if found.driver == "disk.csi.azure.com"} == {False}


def test_objects_of_must_fit() -> None:
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}}
    unreadable = {"kind": "PersistentVolumeClaim", "metadata": {"name": 1}}
    platform = Platform.model_validate({"name": "dev", "clusters": {"c": aks()}, "must_fit": [claim, unreadable]})
    assert list(objects_of(platform).claims) == [("default", "data")]
