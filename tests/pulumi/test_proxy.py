"""Hosts that AKS adds to those that are reached without an HTTP proxy are no difference, whoever looks."""

from tests.pulumi.cloud_copies import Clouds

DECLARED = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

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


def changed(clouds: Clouds, stack: str) -> list[str]:
    run = clouds.up(stack)
    assert not run.failed, run.output
    return sorted(map(str, run.done))


def test_what_aks_adds_is_no_difference(empty_clouds: Clouds) -> None:
    assert "create ManagedCluster/dev-weu" in changed(empty_clouds, DECLARED)
    assert "konnectivity" in (empty_clouds.state / "cloud" / "state.json").read_text()
    assert changed(empty_clouds, DECLARED) == []
    empty_clouds.refresh()
    assert changed(empty_clouds, DECLARED) == []


def test_one_host_more_is_an_update(empty_clouds: Clouds) -> None:
    changed(empty_clouds, DECLARED)
    empty_clouds.refresh()
    more = DECLARED.replace('[".corp"]', '[".corp", ".example.com"]')
    assert changed(empty_clouds, more) == ["update ManagedCluster/dev-weu"]
    assert changed(empty_clouds, more) == []
