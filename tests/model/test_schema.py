"""A part is validated by its own class, which is built when the first part of it is declared."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.platform import Platform
from nodepools.model.schema import STRICT, own_schema

BUILT = """
from nodepools import AksClusterArgs, AksNetworkArgs, Platform, SystemPool, WindowsPool, EksClusterArgs
Platform(name="dev", clusters={"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", network=AksNetworkArgs(cidr="10.10.0.0/16"),
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2), pools={})})
print([kind.__name__ for kind in (SystemPool, WindowsPool, EksClusterArgs) if kind.__pydantic_complete__])
"""


def test_a_declaration_builds_the_classes_that_it_uses() -> None:
    done = subprocess.run([sys.executable, "-c", BUILT], capture_output=True, text=True, check=True)
    assert done.stdout == "['SystemPool']\n"


def test_an_error_in_a_part_of_a_part_has_the_whole_path() -> None:
    pool = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "kubelet": {"cpu_cfs_quota": "perhaps"}}
    cluster = {"kind": "AksCluster", "location": "westeurope", "kubernetes_version": "1.35", "system_pool": pool, "network": {"cidr": "10.0.0.0/16"}}
    with pytest.raises(ValidationError) as raised:
        Platform.__pydantic_validator__.validate_python({"name": "dev", "clusters": {"weu": {**cluster, "pools": {"web": pool}}}})
    paths = {".".join(map(str, error["loc"])) for error in raised.value.errors()}
    assert "clusters.weu.AksCluster.pools.web.UserPool.kubelet.cpu_cfs_quota" in paths


def test_a_part_of_a_strict_object_is_strict_too() -> None:
    written = {"vm_size": "Standard_D4ds_v5", "kubelet": {"image_gc_high_threshold": "80"}}
    assert UserPool.model_validate(written).kubelet is not None
    with pytest.raises(ValidationError, match="image_gc_high_threshold"):
        UserPool.model_validate(written, strict=True, context=STRICT)


def test_only_schemas_of_parts_have_a_class() -> None:
    assert own_schema({"type": "str"}) is None
    assert own_schema({"type": "str", "metadata": {"part": UserPool}}) is not None
