"""The examples of AKS: each previews, and shows what it says."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run

pytestmark = [pytest.mark.program, pytest.mark.usefixtures("hosts")]

SCRIPT = Path(sys.executable).with_name("nodepools")
Kinds = dict[str, list[dict[str, Any]]]
Planned = Callable[[str], Kinds]


@pytest.fixture(scope="module")
def plan(project: Path) -> Planned:
    """The registration plan of an example, by kind."""
    known: dict[str, Kinds] = {}

    def planned(example: str) -> Kinds:
        if example not in known:
            settings = read_project(project / "examples" / example, "dev")
            made = run(Program(settings.directory, settings.name, "dev", settings.config, settings.secret_keys), timeout=120)
            assert not [one for one in made.diagnostics if one.severity == "error"]
            known[example] = {}
            resources: Any = made.to_json()["resources"]
            for resource in resources:
                known[example].setdefault(resource["type"].rpartition(":")[2], []).append(resource)
        return known[example]

    return planned


def findings(project: Path, example: str) -> str:
    code = "from nodepools import check, load; print([f'{f.code} {f.path}' for f in check(load('dev')) if f.severity != 'note'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=project / "examples" / example, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def by_key(plan: Kinds) -> dict[str, Any]:
    return {pool["inputs"]["nodeLabels"]["nodepools/name"]: pool["inputs"] for pool in plan["AgentPool"]}


@pytest.mark.parametrize("example", ["aks-pools", "aks-existing-network", "aks-automatic"])
def test_nothing_is_wrong_with_it(project: Path, example: str) -> None:
    assert findings(project, example) == "[]"


def test_every_kind_of_pool_is_registered_one_after_another(plan: Planned) -> None:
    made = plan("aks-pools")
    pools = by_key(made)
    assert list(pools) != []
    assert set(pools) == {"web", "batch", "batch-fallback", "train", "win", "env-dev", "env-test", "env-qa"}
    assert pools["train"]["gpuInstanceProfile"] == "MIG1g"
    assert pools["batch"]["scaleSetPriority"] == "Spot"
    assert (pools["win"]["osType"], pools["win"]["osSKU"], len(pools["win"]["agentPoolName"])) == ("Windows", "Windows2022", 6)
    edges = sorted(sum("AgentPool" in urn for urn in pool["dependencies"]) for pool in made["AgentPool"])
    assert edges == list(range(8))


@pytest.mark.parametrize("name", ["dev", "test", "qa"])
def test_a_pool_of_an_environment_is_fenced_off_and_labelled(plan: Planned, name: str) -> None:
    pool = by_key(plan("aks-pools"))[f"env-{name}"]
    assert pool["nodeTaints"] == [f"environment={name}:NoSchedule"]
    assert pool["nodeLabels"]["environment"] == name


def test_spot_is_preferred_by_a_config_map_of_names_in_azure(plan: Planned) -> None:
    made = plan("aks-pools")
    [config] = made["ConfigMap"]
    names = {key: pool["agentPoolName"] for key, pool in by_key(made).items()}
    assert config["inputs"]["data"]["priorities"] == f"50:\n  - ^aks-{names['batch']}-.*\n10:\n  - ^aks-{names['batch-fallback']}-.*\n"
    assert made["ManagedCluster"][0]["inputs"]["autoScalerProfile"] == {"expander": "priority"}


def test_windows_of_the_cluster_are_maintenance_configurations(plan: Planned) -> None:
    names = {one["inputs"]["configName"] for one in plan("aks-pools")["MaintenanceConfiguration"]}
    assert names == {"default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"}


def test_the_password_of_windows_is_not_in_the_plan(plan: Planned) -> None:
    [cluster] = plan("aks-pools")["ManagedCluster"]
    assert cluster["inputs"]["windowsProfile"]["adminUsername"] == "azureuser"
    assert isinstance(cluster["inputs"]["windowsProfile"]["adminPassword"], dict)


def test_provisioning_in_practice_registers_two_node_pools_after_the_role_on_the_network(plan: Planned) -> None:
    made = plan("aks-nap")
    pools = {pool["inputs"]["metadata"]["name"]: pool for pool in made["NodePool"]}
    assert set(pools) == {"my-node", "my-node-comp"}
    assert pools["my-node"]["inputs"]["spec"]["weight"] == 10
    asked = pools["my-node-comp"]["inputs"]["spec"]["template"]["spec"]["requirements"]
    assert asked == [{"key": "karpenter.azure.com/sku-memory", "operator": "In", "values": ["131072"]}]
    [cluster] = made["ManagedCluster"]
    assert cluster["inputs"]["nodeProvisioningProfile"] == {"mode": "Auto", "defaultNodePools": "Auto"}
    assert all(any("network" in urn for urn in pool["dependencies"]) for pool in pools.values())


def test_the_pool_that_asks_for_memory_alone_is_warned_about(project: Path) -> None:
    at = "clusters.nap.node_provisioning.node_pools.my-node-comp.requirements"
    assert findings(project, "aks-nap") == str([f"KAR045 {at}", f"KAR046 {at}"])


def test_pods_are_placed_by_weight_and_by_what_they_select(project: Path) -> None:
    words = ["explain", "pods/plain.yaml", "pods/selecting.yaml", "--format", "json"]
    done = subprocess.run([SCRIPT, *words], cwd=project / "examples" / "aks-nap", capture_output=True, text=True, check=False)
    placed = {pod["name"]: pod["pool"] for pod in json.loads(done.stdout)["pods"]}
    assert placed == {"plain": "nap/my-node", "selecting": "nap/my-node-comp"}


def test_a_cluster_whose_system_nodes_aks_runs_has_no_agent_pool(plan: Planned) -> None:
    made = plan("aks-automatic")
    [cluster] = made["ManagedCluster"]
    assert cluster["inputs"]["hostedSystemProfile"] == {"enabled": True}
    assert cluster["inputs"]["sku"] == {"name": "Automatic", "tier": "Standard"}
    assert "agentPoolProfiles" not in cluster["inputs"]
    assert "AgentPool" not in made
    assert [pool["inputs"]["metadata"]["name"] for pool in made["NodePool"]] == ["batch"]


def test_no_pod_is_placed_on_the_system_nodes_that_aks_runs(project: Path) -> None:
    """`system-surge` is there next to them: Azure/terraform-azurerm-avm-res-containerservice-managedcluster#296 (2026-08-25)."""
    folder = project / "examples/aks-automatic"
    done = subprocess.run([SCRIPT, "explain", "pods", "--format", "json"], cwd=folder, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)["pods"]
    assert {pod["name"]: pod["pool"] for pod in answer} == {"plain": "auto/default", "batch": "auto/batch", "on-system": "auto/system-surge"}
    assert {one["pool"] for pod in answer for one in pod["pools"]} == {"auto/batch", "auto/default", "auto/system-surge"}


def test_in_a_network_of_someone_elses_nothing_is_made_but_cluster_pools_and_what_lets_people_in(plan: Planned) -> None:
    made = plan("aks-existing-network")
    logs = {"DataCollectionRule", "DataCollectionRuleAssociation", "DiagnosticSetting"}
    kinds = {kind for kind in made if kind not in ("Stack", "AksCluster", "StackReference")}
    assert kinds == {"ManagedCluster", "AgentPool", "RoleAssignment", *logs}
    profile = made["ManagedCluster"][0]["inputs"]["apiServerAccessProfile"]
    assert (profile["enablePrivateCluster"], profile["disableRunCommand"], profile["enablePrivateClusterPublicFQDN"]) == (True, True, False)
    assert all(pool["enableEncryptionAtHost"] for key, pool in by_key(made).items() if key == "web")
