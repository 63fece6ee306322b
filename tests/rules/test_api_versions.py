"""Fields that are newer than the version of the AKS API that is sent, and what AKS says of their values."""

import pytest

from nodepools import GpuPool, SystemPool, UserPool
from nodepools.clouds.aks.agent_pools import NVIDIA, gpu_offers
from nodepools.data.argument_types import Source
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.placement.machine_index import Bounds
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.agent_pool import POOL

A100 = "Standard_NC24ads_A100_v4"
IMAGE = "AKSUbuntu-2204gen2containerd-202610.12.0"


def gpus(**fields: object) -> AksClusterArgs:
    """A cluster with a managed GPU pool."""
    return aks(pools={"web": UserPool(vm_size=SIZE), "train": GpuPool(vm_size=A100, management="Managed")}, **fields)


def rolled_back(**fields: object) -> AksClusterArgs:
    """A cluster with a pool that is rolled back."""
    return aks(pools={"web": UserPool(vm_size=SIZE, node_image_version=IMAGE)}, **fields)


def test_the_table_has_no_version_that_is_sent_by_default() -> None:
    sent = Source.AZURE.origin.partition("(API ")[2].rstrip(")")
    assert sent == "2025-09-01"
    assert all(way.since > sent for way in POOL.leaves if way.since)


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(UserPool(vm_size=SIZE, artifact_streaming=True), "`artifact_streaming` needs version 2026-03-01", id="a field"),
        pytest.param(UserPool(vm_size=SIZE, artifact_streaming=False), "`artifact_streaming` needs version 2026-03-01", id="its default is sent too"),
        pytest.param(SystemPool(vm_size=SIZE, ssh_access="EntraId"), '`ssh_access` (`"EntraId"`) needs version 2026-06-01', id="a value of a field"),
        pytest.param(GpuPool(vm_size=A100, management="Managed"), "`management` needs version 2026-08-01", id="no azure-native sends it"),
        pytest.param(UserPool(vm_size=SIZE, ssh_access="Disabled"), None, id="another value"),
        pytest.param(UserPool(vm_size=SIZE), None, id="none"),
    ],
)
def test_a_field_of_a_newer_version_names_both(pool: AgentPool, found: str | None) -> None:
    said = [one for one in check(pool) if one.code == "AKS344"]
    expected = [] if found is None else [f"{found} of the AKS API: pulumi-azure-native 3.29.0 (API 2025-09-01) does not send it"]
    assert [one.message for one in said] == expected
    assert all(one.fix is not None and one.fix.operations[0].op == "remove" for one in said)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(pools={"web": UserPool(vm_size="Standard_D4pds_v5", artifact_streaming=True)}), ["AKS345"], id="arm64"),
        pytest.param(
            aks(pools={"web": UserPool(vm_size="Standard_D4s_v3", os_sku="AzureLinux", workload_runtime="KataVmIsolation", artifact_streaming=True)}),
            ["AKS345"],
            id="sandboxes",
        ),
        pytest.param(
            aks(pools={"web": UserPool(vm_size=SIZE, os_sku="AzureContainerLinux", secure_boot=True, vtpm=True, artifact_streaming=True)}),
            ["AKS345"],
            id="Azure Container Linux",
        ),
        pytest.param(aks(pools={"web": UserPool(vm_size=SIZE, artifact_streaming=True)}), [], id="amd64"),
        pytest.param(aks(pools={"web": UserPool(vm_size="Standard_D4pds_v5", artifact_streaming=False)}), [], id="turned off"),
        pytest.param(rolled_back(auto_upgrade="patch", node_os_upgrade="None"), ["AKS346"], id="upgrades"),
        pytest.param(rolled_back(node_os_upgrade="NodeImage"), ["AKS347"], id="images"),
        pytest.param(rolled_back(node_os_upgrade=None), ["AKS347"], id="the cloud default"),
        pytest.param(rolled_back(auto_upgrade="none", node_os_upgrade="None"), [], id="no channel"),
        pytest.param(gpus(), [], id="a managed GPU pool"),
        pytest.param(gpus(gpu_operator=True), ["AKS084"], id="two device plugins"),
    ],
)
def test_values_of_newer_fields(declared: AksClusterArgs, found: list[str]) -> None:
    said = {one.code for one in check(declared)} & {"AKS084", "AKS345", "AKS346", "AKS347"}
    assert sorted(said) == found


def test_a_managed_pool_offers_its_gpus() -> None:
    cluster, size = gpus(), azure_vm_sizes()[A100]
    whole = gpu_offers(cluster, cluster.pools["train"], size)
    assert whole[NVIDIA] == Bounds(1000, 1000)
    assert gpu_offers(cluster, GpuPool(vm_size=A100, management="Managed", mig="MIG1g"), size) == {}


def test_the_device_plugin_of_the_cluster_does_not_run_on_managed_pools() -> None:
    assert gpus().own_device_plugin is None
    mixed = aks(pools={"web": UserPool(vm_size=SIZE), "own": GpuPool(vm_size=A100), "managed": GpuPool(vm_size=A100, management="Managed")})
    assert list(mixed.plugged_pools) == ["own"]
