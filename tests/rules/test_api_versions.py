"""Fields that are newer than the version of the AKS API that is sent (docs/guides/api-versions.md), and what AKS says of their values."""

import pytest

from nodepools import GpuPool, SystemPool, UserPool
from nodepools.clouds.aks.agent_pools import NVIDIA, gpu_offers
from nodepools.data.argument_types import Source, aks_versions, arguments, installed_versions, sendable_versions
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.table_files import day_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.placement.machine_index import Bounds
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER
from nodepools.wire.rows import Note
from nodepools.wire.table import Table

DEFAULT = "of the AKS API: the cluster is sent with 2025-09-01, the default of pulumi-azure-native 3.29.0"
NEVER = "of the AKS API: pulumi-azure-native 3.29.0 cannot send it"
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
        pytest.param(UserPool(vm_size=SIZE, artifact_streaming=True), f"`artifact_streaming` needs version 2026-03-01 {DEFAULT}", id="a field"),
        pytest.param(UserPool(vm_size=SIZE, artifact_streaming=False), f"`artifact_streaming` needs version 2026-03-01 {DEFAULT}", id="its default"),
        pytest.param(
            SystemPool(vm_size=SIZE, ssh_access="EntraId"), f'`ssh_access` (`"EntraId"`) needs version 2026-06-01 {NEVER}', id="a value of a field"
        ),
        pytest.param(GpuPool(vm_size=A100, management="Managed"), f"`management` needs version 2026-08-01 {NEVER}", id="no azure-native sends it"),
        pytest.param(UserPool(vm_size=SIZE, ssh_access="Disabled"), None, id="another value"),
        pytest.param(UserPool(vm_size=SIZE), None, id="none"),
    ],
)
def test_a_field_of_a_newer_version_names_both(pool: AgentPool, found: str | None) -> None:
    said = [one for one in check(pool) if one.code == "AKS344"]
    assert [one.message for one in said] == ([] if found is None else [found])
    assert all(one.fix is not None and one.fix.text.startswith("Remove" if NEVER in one.message else "Set `api_version` of") for one in said)


WITH_FIELDS = UserPool(vm_size=SIZE, artifact_streaming=True)


@pytest.mark.parametrize(
    ("cluster", "found"),
    [
        pytest.param(aks(pools={"web": WITH_FIELDS}, api_version="2026-03-01"), [], id="the version of the field"),
        pytest.param(aks(pools={"web": WITH_FIELDS}, api_version="2026-05-01"), [], id="a newer one"),
        pytest.param(aks(pools={"web": WITH_FIELDS}, api_version="2026-02-01"), ["AKS344"], id="an older one"),
        pytest.param(aks(api_version="2025-09-01"), [], id="the default"),
        pytest.param(aks(api_version="2026-06-01"), ["AKS350"], id="no azure-native sends it"),
        pytest.param(aks(api_version="2026-05-02-preview"), ["AKS350"], id="a preview version"),
        pytest.param(aks(api_version="latest"), ["AKS350"], id="no version"),
        pytest.param(aks(api_version="2099-01-01"), ["AKS381"], id="newer than the table"),
        pytest.param(aks(api_version="20990101"), ["AKS350"], id="another spelling of a day"),
        pytest.param(aks(api_version="2099-01-01-preview"), ["AKS350"], id="a newer preview version"),
        pytest.param(aks(overrides={"new_word": 1}, api_version="2099-01-01"), ["AKS381", "PLT023"], id="a version newer than the table can have it"),
        pytest.param(aks(overrides={"hosted_system_profile": {"enabled": True}}), ["PLT022"], id="an override of a newer version"),
        pytest.param(aks(overrides={"hosted_system_profile": {"enabled": True}}, api_version="2026-02-01"), [], id="an override of its version"),
        pytest.param(aks(overrides={"hosted_system_profile": {"enabled": "yes"}}, api_version="2026-02-01"), ["PLT024"], id="of another type"),
        pytest.param(aks(overrides={"enable_fips": True}, api_version="2026-05-01"), ["PLT022"], id="an override that cannot be sent"),
        pytest.param(aks(overrides={"pod_identity_profile": {"enabled": True, "user_assigned_identities": []}}), ["PLT022"], id="refused, once"),
        pytest.param(aks(overrides={"network_profile": {"network_mode": "bridge"}}), ["PLT022"], id="refused inside"),
    ],
)
def test_the_version_of_a_cluster_decides_what_can_be_declared(cluster: AksClusterArgs, found: list[str]) -> None:
    codes = {"AKS344", "AKS350", "AKS381", "PLT022", "PLT023", "PLT024"}
    assert [one.code for one in check(cluster) if one.code in codes] == found


def test_a_message_names_the_version_that_is_needed_and_the_one_that_is_sent() -> None:
    said = {one.code: one.message for one in check(aks(overrides={"hosted_system_profile": {}, "kind": "x"}, api_version="2026-01-01"))}
    assert said["PLT022"] == "`hosted_system_profile` needs version 2026-02-01 of the AKS API: the cluster is sent with 2026-01-01"
    [refused] = [one.message for one in check(aks(api_version="2026-06-01")) if one.code == "AKS350"]
    assert refused == "pulumi-azure-native 3.29.0 cannot send version 2026-06-01 of the API of AKS: 2026-05-01 is the newest that it can send"


def test_a_version_newer_than_the_table_is_told_with_the_day_of_the_table_and_without_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = aks(api_version="2099-01-01", overrides={"new_word": 1})
    [said, unknown] = [one for one in check(newer) if one.code in {"AKS381", "PLT023"}]
    known = f"newer than `nodepools` knows (table of {day_of('argument_types.txt')}, up to {aks_versions()[-1]})"
    assert said.message.startswith(f"AKS API 2099-01-01 is {known}: its fields are unchecked; ")
    assert said.message.endswith(f"sends at most {sendable_versions()[-1]}")
    assert said.fix is None
    assert unknown.message == f"`new_word` is not an argument of `ManagedCluster`, unless it is {known}"
    monkeypatch.setattr("nodepools.data.argument_types.installed_versions", lambda: ("2099-01-01",))
    [sent] = [one.message for one in check(newer) if one.code == "AKS381"]
    assert sent.endswith(" can send it")


def test_the_versions_of_another_azure_native_are_read_from_its_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodepools.data.argument_types.version", {"pulumi-azure-native": "3.28.0"}.__getitem__)
    installed_versions.cache_clear()
    try:
        assert installed_versions() == sendable_versions()
    finally:
        installed_versions.cache_clear()


@pytest.mark.parametrize("table", [pytest.param((POOL, "AgentPool"), id="pools"), pytest.param((CLUSTER, "ManagedCluster"), id="clusters")])
def test_the_version_in_a_row_is_the_one_in_the_table(table: tuple[Table, str]) -> None:
    rows, type_ = table
    for way in rows.leaves:
        since, at = "", type_
        for step in (str(one) for one in way.wire):
            argument = (arguments(at) or {}).get(step)
            since, at = (max(since, argument.since), argument.type.strip("[]{}")) if argument is not None else (since, "")
        assert way.since == since or way.wire[:1] == ("agentPoolProfiles",) or isinstance(way.row, Note), way.wire


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
