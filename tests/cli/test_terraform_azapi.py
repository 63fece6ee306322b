"""Clusters of azapi: pools in the body of a cluster, and actions."""

import pytest

from tests.terraform_plans import AKS, CLUSTER_ID, change, cluster, plan, text

SYSTEM = {"name": "system", "mode": "System", "count": 3, "vmSize": "Standard_D4ds_v5"}
WEB = {"name": "web", "mode": "User", "count": 2, "vmSize": "Standard_D4ds_v5"}


def body(*pools):
    properties = {"kubernetesVersion": "1.35.1", "dnsPrefix": "shop", "agentPoolProfiles": list(pools)}
    return {
        "type": "Microsoft.ContainerService/managedClusters@2025-10-01",
        "name": "shop",
        "location": "westeurope",
        "parent_id": "/subscriptions/s/resourceGroups/rg",
        "id": CLUSTER_ID,
        "identity": [{"type": "SystemAssigned", "identity_ids": None}],
        "body": {"sku": {"name": "Base", "tier": "Standard"}, "properties": properties},
    }


@pytest.fixture
def effects(nodepools, tmp_path):
    def run(before, after, *, actions=None):
        """The status, and the path and effect of each change."""
        (tmp_path / "plan.json").write_text(text(plan(change("azapi_resource", before, after, actions=actions))))
        answer = nodepools("diff", "plan.json", "--format", "json", cwd=tmp_path)
        return answer.status, {(one["path"].removeprefix("azapi_resource.this"), one["effect"]) for one in answer.json["changes"]}

    return run


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([WEB], [{**WEB, "vmSize": "Standard_D8ds_v5"}], (1, {('.agentPoolProfiles["web"].vmSize', "unknown")})),
        ([WEB], [{**WEB, "count": 1}], (1, {('.agentPoolProfiles["web"].count', "removes_nodes")})),
        ([WEB], [{**WEB, "nodeLabels": {"a": "b"}}], (0, {('.agentPoolProfiles["web"].nodeLabels.a', "in_place")})),
        ([WEB], [], (1, {('.agentPoolProfiles["web"]', "unknown")})),
        ([], [WEB], (1, {('.agentPoolProfiles["web"]', "refused")})),
        ([WEB, {**WEB, "name": "api"}], [{**WEB, "name": "api"}, WEB], (0, {(".other arguments", "in_place")})),
        ([WEB], [WEB], (0, set())),
        ([WEB], [{**WEB, "gpuProfile": {"driverType": "GRID"}}], (1, {('.agentPoolProfiles["web"].gpuProfile.driverType', "unknown")})),
    ],
)
def test_each_pool_in_a_body_is_compared(effects, before, after, found):
    """The rows of a cluster have its first pool only."""
    assert effects(body(SYSTEM, *before), body(SYSTEM, *after)) == found


@pytest.mark.parametrize(
    "part", [{"gpuProfile": {"driverType": "GRID"}}, {"upgradeSettings": {"maxBlockedNodes": "1"}}, {"linuxOSConfig": {"sysctls": {"mystery": 1}}}]
)
def test_an_argument_that_no_row_has_is_unknown_at_any_depth(effects, part):
    [(name, inside)] = part.items()
    path = f"{name}.{next(iter(inside))}{'.mystery' if name == 'linuxOSConfig' else ''}"
    assert effects(body(SYSTEM), body({**SYSTEM, **part})) == (1, {(f".body.properties.agentPoolProfiles[0].{path}", "unknown")})
    assert effects(body(SYSTEM, WEB), body(SYSTEM, {**WEB, **part})) == (1, {(f'.agentPoolProfiles["web"].{path}', "unknown")})


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ([WEB, SYSTEM], (0, {(".other arguments", "in_place")})),
        ([WEB], (1, {('.agentPoolProfiles["system"]', "unknown")})),
        ([{**WEB, "name": "new"}, SYSTEM, WEB], (1, {('.agentPoolProfiles["new"]', "refused")})),
    ],
)
def test_another_pool_is_the_first_in_a_body(effects, after, found):
    assert effects(body(SYSTEM, WEB), body(*after)) == found


def test_pools_in_a_body_are_created_and_deleted_with_their_cluster(effects):
    assert effects(None, body(SYSTEM, WEB)) == (0, {("", "creates")})
    status, found = effects(body(SYSTEM, WEB), None)
    assert (status, ("", "deletes") in found) == (1, True)


@pytest.mark.parametrize(
    ("of", "is_read"),
    [
        ("Microsoft.Compute/sshPublicKeys@2022-11-01", True),
        ("Microsoft.ContainerRegistry/registries@2023-07-01", True),
        ("Microsoft.ContainerService/managedClusters@2025-05-01", False),
        ("Microsoft.Compute/virtualMachineScaleSets@2024-07-01", False),
        (None, False),
    ],
)
def test_an_action_of_azapi_is_about_nodes_or_not(nodepools, tmp_path, of, is_read):
    """A generated SSH key is in the first example of Microsoft's documentation for AKS and Terraform."""
    action = change("azapi_resource_action", None, {"type": of} if of else {}, unknown={} if of else {"type": True})
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, None, cluster()), action)))
    answer = nodepools("check", "plan.json", cwd=tmp_path)
    assert (answer.status, "azapi_resource_action" in answer.err) == ((0, False) if is_read else (2, True))


def test_the_autoscaler_in_a_body_has_the_names_of_the_api(effects):
    """Names with hyphens: https://learn.microsoft.com/azure/templates/microsoft.containerservice/managedclusters, 2026-11."""

    def scaled(**profile):
        made = body(SYSTEM)
        made["body"]["properties"]["autoScalerProfile"] = {name.replace("_", "-"): value for name, value in profile.items()}
        return made

    path = ".body.properties.autoScalerProfile.scan-interval"
    assert effects(scaled(scan_interval="10s"), scaled(scan_interval="30s")) == (0, {(path, "in_place")})


@pytest.mark.parametrize("profile", [{"virtualMachinesProfile": {"scale": {"manual": [{"count": 3}]}}}, {"orchestratorVersion": "newest"}])
def test_a_value_that_azure_rejects_ends_no_command(effects, nodepools, tmp_path, profile):
    status, _ = effects(body({**SYSTEM, **profile}), body({**SYSTEM, **profile, "count": 4}))
    assert status in (0, 1)
    assert nodepools("check", "plan.json", cwd=tmp_path).status in (0, 1)
