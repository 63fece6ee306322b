"""AKS Automatic: what AKS requires, and what it has fixed."""

from collections.abc import Mapping

import pytest

from nodepools import AksClusterArgs, ExistingAksNetwork, NodeProvisioning, SystemPool, UserPool, check
from nodepools.aks import ManagedAksNetwork, WindowsProfile
from nodepools.model.derive import derive
from nodepools.rules.engine.samples import NIGHTLY_MAINTENANCE
from tests.azure_ids import SUBNET

WHOLE: Mapping[str, object] = {
    "location": "westeurope",
    "kubernetes_version": "1.36",
    "api_version": "2026-05-01",
    "sku": "Automatic",
    "hosted_system": True,
    "network": ManagedAksNetwork(),
    "network_profile": {"outbound_type": "managedNATGateway"},
    "node_provisioning": NodeProvisioning(),
    "auto_upgrade": "stable",
    "node_os_upgrade": "NodeImage",
    "node_resource_group_restriction": "ReadOnly",
    "maintenance_configurations": NIGHTLY_MAINTENANCE,
}
OWN = SystemPool(vm_size="Standard_D4ds_v5", count=3)
EXISTING: Mapping[str, object] = {"network": ExistingAksNetwork(subnet_id=SUBNET), "network_profile": {"outbound_type": "loadBalancer"}}
SUBNETS = {"hosted_system_subnet_id": f"{SUBNET}-system", "api_server_subnet_id": f"{SUBNET}-api"}


def found(**changes: object) -> set[tuple[str, str]]:
    cluster = derive(AksClusterArgs.model_validate(WHOLE), changes)
    return {(one.code, one.path) for one in check(cluster) if one.code[:5] in ("AKS37", "AKS38") and one.code != "AKS380"}


CASES: list[tuple[Mapping[str, object], set[tuple[str, str]]]] = [
    ({}, set()),
    ({"system_pool": OWN}, {("AKS382", "system_pool")}),
    ({"system_pool": OWN, "hosted_system": False}, {("AKS382", "hosted_system")}),
    ({**EXISTING, **SUBNETS, "system_pool": OWN, "hosted_system": None}, {("AKS383", "hosted_system_subnet_id")}),
    ({"hosted_system": False}, {("AKS373", "system_pool")}),
    ({"sku": "Base"}, {("AKS374", "hosted_system")}),
    ({**EXISTING, **SUBNETS}, set()),
    (EXISTING, {("AKS375", "hosted_system_subnet_id")}),
    (SUBNETS, {("AKS375", "hosted_system_subnet_id")}),
    ({"tier": "Premium"}, {("AKS376", "tier")}),
    ({"image_cleaner": {"enabled": False}}, {("AKS376", "image_cleaner.enabled")}),
    ({"image_cleaner": {}}, set()),
    ({"entra": None}, {("AKS376", "entra")}),
    ({"entra": {"local_accounts": True}}, {("AKS376", "entra.local_accounts")}),
    ({"node_provisioning": None}, {("AKS376", "node_provisioning")}),
    ({"network_profile": {"outbound_type": "loadBalancer"}}, {("AKS376", "network_profile.outbound_type")}),
    ({"node_os_upgrade": None}, {("AKS377", "sku")}),
    ({"windows_profile": WindowsProfile(admin_username="nodes")}, {("AKS378", "windows_profile")}),
    ({"location": "westus"}, {("AKS379", "location")}),
    ({"location": "North Central US"}, set()),
    ({"pools": {"jobs": UserPool(vm_size="Standard_D4ds_v5", count=1)}}, set()),
]


@pytest.mark.parametrize(("changes", "expected"), CASES)
def test_cases(changes: Mapping[str, object], expected: set[tuple[str, str]]) -> None:
    assert found(**changes) == expected


@pytest.mark.parametrize(("part", "written"), [("entra", "Entra()"), ("node_provisioning", "NodeProvisioning()")])
def test_the_fix_of_a_missing_part_says_what_to_write(part: str, written: str) -> None:
    cluster = derive(AksClusterArgs.model_validate(WHOLE), {part: None})
    [fix] = [one.fix for one in check(cluster) if one.code == "AKS376"]
    assert fix is not None
    assert fix.text == f"Set `{part}` to `{written}`"


@pytest.mark.parametrize("hosted", [True, False])
def test_one_system_node_is_enough_next_to_those_of_aks(*, hosted: bool) -> None:
    one = {"spare": SystemPool(vm_size="Standard_D4ds_v5", count=1)}
    codes = {
        one.code
        for one in check(
            derive(
                AksClusterArgs.model_validate(WHOLE), hosted_system=hosted, system_pool=None if hosted else one["spare"], pools=one if hosted else {}
            )
        )
    }
    assert ("AKS013" in codes) is not hosted


IMAGE = "AKSUbuntu-2204gen2containerd-202610.12.0"


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"support_plan": "AKSLongTermSupport"}, "support_plan"),
        ({"pools": {"jobs": UserPool(vm_size="Standard_D4ds_v5", count=1, node_image_version=IMAGE)}}, "pools.jobs.node_image_version"),
    ],
)
def test_no_fix_sets_what_is_fixed(changes: Mapping[str, object], path: str) -> None:
    fixes = [one.fix for one in check(derive(AksClusterArgs.model_validate(WHOLE), changes)) if one.path == path and one.fix is not None]
    assert {fix.text for fix in fixes} == {f"Remove `{path.rpartition('.')[2]}`"}


def test_a_base_cluster_has_none_of_them() -> None:
    base = AksClusterArgs(location="westus", kubernetes_version="1.36", system_pool=OWN, tier="Premium", keda=False)
    assert not {one.code for one in check(base)} & {f"AKS{number}" for number in range(373, 386)}
