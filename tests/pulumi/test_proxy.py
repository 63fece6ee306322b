"""Hosts that AKS adds to those that are reached without an HTTP proxy are no difference, whoever looks."""

import os
import shutil
from pathlib import Path

import pytest

from tests.pulumi.cloud_copies import CLOUDS, Clouds

DECLARED = """from nodepools import *

PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            http_proxy=HttpProxy(http="http://proxy.example.com:3128", no_proxy=[".corp"]),
        ),
    },
)
"""


@pytest.fixture
def clouds(tmp_path: Path) -> Clouds:
    """Clouds without resources."""
    if os.environ.get("ENGINE") != "required":
        pytest.skip("`make test-engine` runs the real engine")
    if CLOUDS is None:
        pytest.skip("the simulated clouds are next to the project only where it is developed")
    if shutil.which("pulumi") is None:
        pytest.fail("ENGINE=required, and there is no pulumi on PATH")
    return Clouds.new(tmp_path / "clouds")


def changed(clouds: Clouds, stack: str) -> list[str]:
    run = clouds.up(stack)
    assert not run.failed, run.output
    return sorted(map(str, run.done))


def test_what_aks_adds_is_no_difference(clouds: Clouds) -> None:
    assert "create ManagedCluster/dev-weu" in changed(clouds, DECLARED)
    assert "konnectivity" in (clouds.state / "cloud" / "state.json").read_text()
    assert changed(clouds, DECLARED) == []
    clouds.refresh()
    assert changed(clouds, DECLARED) == []


def test_one_host_more_is_an_update(clouds: Clouds) -> None:
    changed(clouds, DECLARED)
    clouds.refresh()
    more = DECLARED.replace('[".corp"]', '[".corp", ".example.com"]')
    assert changed(clouds, more) == ["update ManagedCluster/dev-weu"]
    assert changed(clouds, more) == []
