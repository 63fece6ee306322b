"""VM sizes of agent pools and of NodePools that Azure no longer provisions, or spells otherwise; regions and percentages that AKS rejects."""

import re
from datetime import date

import pytest

from nodepools import AksNodePool, Requirement, SystemPool, UserPool
from nodepools.data.aks_images import retirement_of
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.keys import aks as keys
from nodepools.model.aks.agent_pool import UpgradeSettings
from nodepools.model.base import Model
from nodepools.rules.engine.finding import Severity
from nodepools.rules.engine.registry import About, all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import ON_DEMAND, SIZE, aks, aks_pool, provisioning
from tests.rules.test_samples import DAY

CODES = (
    "AKS047",
    "AKS140",
    "AKS328",
    "AKS329",
    "AKS330",
    "AKS331",
    "AKS333",
    "AKS334",
    "AKS335",
    "AKS337",
    "AKS340",
    "NAP073",
    "NAP074",
    "NAP075",
    "NAP009",
    "NAP034",
    "PLT051",
)
ZONE = "topology.kubernetes.io/zone"


def told(declared: Model, day: date = DAY) -> list[str]:
    return [f"{found.code} {found.path}" for found in check(declared, today=day) if found.code in CODES]


def of_arm(*more: Requirement) -> AksNodePool:
    return aks_pool(requirements=[ON_DEMAND, keys.arch.one_of("arm64"), *more])


def named(arch: str, *names: str) -> AksNodePool:
    return aks_pool(requirements=[ON_DEMAND, keys.arch.one_of(arch), keys.sku_name.one_of(*names)])


def size(name: str, **fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": name, **fields})


def in_zone(zone: str, **fields: object) -> Model:
    pool = aks_pool(Requirement(ZONE, "In", [zone]))
    return aks(node_provisioning={"node_pools": {"web": pool}}, **fields)


def scoped(scope: str, zone: str) -> Model:
    return aks_pool(Requirement(keys.placement_scope.name, "In", [scope]), keys.zone.one_of(zone))


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(size("Standard_NC6s_v3"), ["AKS330 vm_size"], id="retired"),
        pytest.param(size("standard_nc24rs_v3"), ["AKS328 vm_size", "AKS330 vm_size"], id="retired, in another case"),
        pytest.param(size("Standard_NV12s_v3"), ["AKS331 vm_size"], id="planned to be retired by now"),
        pytest.param(size("Standard_M192is_v2"), ["AKS331 vm_size"], id="within a year"),
        pytest.param(size("Standard_D4_v2"), [], id="in more than a year"),
        pytest.param(size("Standard_D4s_v5"), [], id="a series that stays"),
        pytest.param(size("D4_v2"), [], id="without the first word"),
        pytest.param(SystemPool(vm_size="Standard_D2_v2", count=3), ["AKS047 vm_size"], id="the vCPUs of D2_v2 are known"),
        pytest.param(SystemPool(vm_size="Standard_DS3_v2", count=3), [], id="those of DS3_v2 are enough"),
        pytest.param(size("Standard_D4pds_v6", os_disk_type="Ephemeral"), ["AKS333 os_disk_type"], id="seen rejected"),
        pytest.param(size("Standard_NV12ads_V710_v5", os_disk_type="Ephemeral"), ["AKS333 os_disk_type"], id="so is V710"),
        pytest.param(size("Standard_D4pds_v6", os_disk_type="Managed"), [], id="with a managed disk"),
        pytest.param(size("Standard_D4pds_v5", os_disk_type="Ephemeral"), [], id="the version before"),
        pytest.param(
            aks_pool(Requirement("karpenter.azure.com/sku-name", "In", ["Standard_NC6s_v3"])), ["NAP034 requirements[2].values[0]"], id="NAP"
        ),
        pytest.param(aks(location="westus", pools={"web": size(SIZE, zones=[1])}), ["AKS329 pools.web.zones"], id="zones in a region without"),
        pytest.param(aks(location="North Central US", system_pool={"zones": [1, 2]}), ["AKS329 system_pool.zones"], id="by its display name"),
        pytest.param(aks(location="westus2", pools={"web": size(SIZE, zones=[1])}), [], id="zones in a region with zones"),
        pytest.param(aks(location="westus9", pools={"web": size(SIZE, zones=[1])}), ["AKS140 location"], id="a region that is not known"),
        pytest.param(
            in_zone("westus-1", location="westus"), ["NAP009 node_provisioning.node_pools.web.requirements[2].values"], id="NAP in such a region"
        ),
        pytest.param(in_zone("0", location="westus"), [], id="NAP without a zone there"),
        pytest.param(in_zone("westeurope-1"), [], id="NAP in a region with zones"),
        pytest.param(
            aks_pool(Requirement(ZONE, "In", ["westus-1"])), ["NAP009 requirements[2].values"], id="the zone of a region without, in a file"
        ),
        pytest.param(aks(pools={"arm": size("Standard_D4ps_v5")}), ["AKS340 pools.arm.taints"], id="arm64 next to amd64"),
        pytest.param(aks(pools={"arm": size("Standard_D4ps_v5", taints=["arch=arm64:NoSchedule"])}), [], id="arm64 with a taint"),
        pytest.param(aks(pools={"arm": size("Standard_D4ps_v5", count=0)}), [], id="arm64 without nodes"),
        pytest.param(aks(pools={"own": size("Standard_Own_v9")}), [], id="a size that is not known"),
        pytest.param(aks(system_pool={"vm_size": "Standard_D4ps_v5"}, pools={"web": size("Standard_D4ps_v5")}), [], id="arm64 everywhere"),
        pytest.param(aks(pools={f"p{n}": size(SIZE) for n in range(98)}), [], id="100 pools"),
        pytest.param(aks(pools={f"p{n}": size(SIZE) for n in range(99)}), ["AKS335 pools"], id="101 pools"),
        pytest.param(
            aks(pools={f"p{n}": size(SIZE, **({"previous": size("Standard_D8ds_v5")} if n == 0 else {})) for n in range(98)}),
            ["AKS335 pools"],
            id="a previous generation counts",
        ),
        pytest.param(size(SIZE, os_sku="AzureContainerLinux"), ["AKS337 secure_boot", "AKS337 vtpm"], id="no trusted launch"),
        pytest.param(size(SIZE, os_sku="AzureContainerLinux", secure_boot=True, vtpm=False), ["AKS337 vtpm"], id="half of it"),
        pytest.param(size(SIZE, os_sku="AzureContainerLinux", secure_boot=True, vtpm=True), [], id="with trusted launch"),
        pytest.param(size(SIZE, os_sku="AzureLinux"), [], id="another image needs none"),
        pytest.param(scoped("regional", "westeurope-1"), ["NAP073 requirements"], id="regional in a zone"),
        pytest.param(scoped("regional", "0"), [], id="regional without a zone"),
        pytest.param(scoped("zonal", "0"), ["NAP073 requirements"], id="zonal without a zone"),
        pytest.param(scoped("zonal", "westeurope-1"), [], id="zonal in a zone"),
        pytest.param(aks_pool(keys.placement_scope.one_of("zonal")), [], id="zonal in any zone"),
        pytest.param(aks_pool(keys.placement_scope.one_of("regional")), [], id="regional alone"),
        pytest.param(aks_pool(keys.placement_scope.one_of("regional", "zonal"), keys.zone.one_of("0")), [], id="both scopes"),
        pytest.param(named("arm64", "Standard_D4ds_v5"), ["NAP074 requirements"], id="an amd64 size on arm64"),
        pytest.param(named("arm64", "Standard_D4ds_v5", "Standard_D4pds_v5"), [], id="one size of arm64"),
        pytest.param(named("arm64", "Standard_D4ds_v5", "Standard_Own_v9"), [], id="one size that is not known"),
        pytest.param(
            aks_pool(keys.sku_name.one_of("Standard_D4ds_v5", "Standard_E8ds_v5"), keys.sku_family.one_of("E"), keys.sku_cpu.one_of(4)),
            ["NAP074 requirements"],
            id="each size excluded by another requirement",
        ),
        pytest.param(aks_pool(keys.sku_name.one_of("Standard_NC24ads_A100_v4"), keys.sku_gpu_count.one_of(1)), [], id="a GPU size"),
        pytest.param(of_arm(keys.sku_family.one_of("F", "M")), ["NAP075 requirements"], id="families without arm64"),
        pytest.param(of_arm(keys.sku_family.one_of("D")), [], id="a family with arm64"),
        pytest.param(aks_pool(keys.sku_name.not_in("Standard_D4ds_v5"), keys.sku_family.one_of("D")), [], id="sizes that are excluded by name"),
        pytest.param(aks_pool(keys.sku_family.one_of("D"), keys.sku_version.one_of("99")), ["NAP075 requirements"], id="a version that is not there"),
        pytest.param(aks(location="estus"), ["PLT051 location"], id="a region that is near to two"),
        pytest.param(UpgradeSettings(max_surge="100%"), [], id="all nodes"),
        pytest.param(UpgradeSettings(max_surge="101%"), ["AKS334 max_surge"], id="more than all nodes"),
        pytest.param(UpgradeSettings(max_surge="0", max_unavailable="200%"), ["AKS334 max_unavailable"], id="more unavailable than there are"),
        pytest.param(UpgradeSettings(max_surge="150"), [], id="a number of nodes"),
    ],
)
def test_what_azure_does_not_provision_is_told(declared: Model, expected: list[str]) -> None:
    assert told(declared) == expected


def test_a_size_is_told_within_a_year_of_its_retirement() -> None:
    assert told(size("Standard_D4_v2"), date(2027, 4, 30)) == []
    assert told(size("Standard_D4_v2"), date(2027, 5, 3)) == ["AKS331 vm_size"]


def test_sizes_of_the_first_series_have_vcpus_and_memory_and_retired_series_have_sizes() -> None:
    first = [one for name, one in azure_vm_sizes().items() if re.match("Standard_DS?[0-9]", name)]
    assert [one.name for one in first if one.cpu is None or one.memory_gib is None] == []
    assert retirement_of("Standard_D4ds_v5") is None
    assert {row.name for name in azure_vm_sizes() if (row := retirement_of(name)) is not None} >= {"the Dv2 and DSv2 series", "the NCv3 series"}


def test_the_zone_of_a_region_without_zones_is_not_offered_as_a_fix() -> None:
    [found] = [found for found in check(in_zone("1", location="westus"), today=DAY) if found.code == "NAP009"]
    assert found.fix is not None
    assert found.fix.text == "Remove the requirement, or deploy to a region with zones"
    assert provisioning({}).location == "westeurope"


def test_rules_about_creation_are_findable() -> None:
    """What exists was created already: adopted clusters and pools are not judged by them."""
    codes = {rule.code for rule in all_rules().values() if rule.about is About.CREATION}
    assert codes == {"AKS142", "AKS160", "AKS164", "AKS167", "AKS328", "AKS330", "AKS379", "AKS382", "EKS001"}


def test_an_error_about_something_new_is_about_its_creation() -> None:
    errors = [rule for rule in all_rules().values() if rule.severity is Severity.ERROR]
    said = {rule.code: rule.about for rule in errors if re.search(r"\bnew (\w+ )?(clusters|pools)", rule.summary)}
    assert said.keys() >= {"AKS142", "AKS167"}
    assert set(said.values()) == {About.CREATION}
