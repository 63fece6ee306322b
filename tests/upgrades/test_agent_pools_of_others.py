"""Agent pools of others in a declared AKS cluster: which they are, their steps, and the share of the nodes that the plan covers."""

from typing import Any

import pytest

from nodepools import AksClusterArgs, Platform
from nodepools.cli.existing.cloud_exports import export_document
from nodepools.cli.existing.fleet_exports import FleetExports
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.fleet import Fleet, FleetNode, PoolNow
from nodepools.clouds.item import ExistingStock
from nodepools.model.listing import saved
from nodepools.placement.coverage import EXPORT
from nodepools.reading.yaml_documents import documents
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.wire.aks.generation import is_of_others, pool_name
from tests.upgrades.declared import SIZE, aks, budget, deployment, eks, plan, pool, steps, told

ID = "/subscriptions/s/resourceGroups/dev-weu/providers/Microsoft.ContainerService/managedClusters/dev-weu"

TWO_MACHINES = "{scale: {manual: [{size: Standard_D4s_v5, count: 2}]}}"


def others(version: str = "1.35.2", name: str = "blue", **fields: Any) -> ExistingAgentPool:
    known: dict[str, Any] = {"count": 3, "least": 1, "most": 4, "labels": {"tier": name}, "surge": "1", **fields}
    return ExistingAgentPool(name=name, cluster="dev-weu", vm_sizes=(SIZE,), version=version, **known)


def fleet(*pools: ExistingAgentPool, **known: Any) -> Fleet:
    return Fleet(agent_pools=pools, resource_group="rg", **known)


def planned(found: Fleet, *objects: Any, to: str = "1.36") -> ClusterUpgrade:
    return plan(aks(), to, *objects, fleets={("dev", "weu"): found})


OWN = {"nodepools/name": "web"}


def declared(**fields: Any) -> AksClusterArgs:
    found = aks(**fields).clusters["weu"]
    assert isinstance(found, AksClusterArgs)
    return found


@pytest.mark.parametrize(
    ("fields", "name", "labels", "expected"),
    [
        pytest.param({}, "blue", {}, True, id="neither its name nor a label is of a declared pool"),
        pytest.param({}, "system", {}, False, id="the first system pool"),
        pytest.param({}, pool_name(declared(), "web"), {}, False, id="the current generation"),
        pytest.param({}, "web00000000", OWN, False, id="an old generation has the label"),
        pytest.param({}, "blue", {"nodepools/name": "gone"}, False, id="the label of a pool that is not declared any more"),
        pytest.param({"pools": {"web": pool(labeled=False, name="old")}}, "old", {}, False, id="a pool without the label has a fixed name"),
        pytest.param({"pools": {"web": pool(overrides={"node_labels": {}})}}, "blue", {}, False, id="overrides can have removed the label"),
    ],
)
def test_pools_of_others(fields: dict[str, Any], name: str, labels: dict[str, str], expected: bool) -> None:  # noqa: FBT001  # a row
    assert is_of_others(declared(**fields), name, labels) is expected


REST = ["control_plane weu 1.35 → 1.36", "pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"]
STAYS = "first_pool system 1.34 → 1.35"
"""No request has its version, so it can be behind."""
PATCH = ["control_plane weu 1.35 → 1.35.7", "pool web 1.35 → 1.35.7", "first_pool system 1.35 → 1.35.7"]
AFTER = "pool blue (not declared) 1.35 → 1.36"


@pytest.mark.parametrize(
    ("found", "to", "expected"),
    [
        pytest.param(fleet(others()), "1.36", [*REST, AFTER], id="after the declared ones"),
        pytest.param(fleet(others("")), "1.36", [*REST, AFTER], id="its version is not known"),
        pytest.param(
            fleet(others("1.33.1")),
            "1.36",
            ["pool blue (not declared) 1.33 → 1.34", "pool blue (not declared) 1.34 → 1.35", *REST, AFTER],
            id="one that is behind comes first, and skips no version",
        ),
        pytest.param(fleet(others("1.34.0")), "1.35", ["pool blue (not declared) 1.34 → 1.35", STAYS], id="only it is certainly behind"),
        pytest.param(fleet(others()), "1.35", [STAYS], id="only the first pool can be behind"),
        pytest.param(fleet(others()), "1.36.2", [one.replace("1.36", "1.36.2") for one in [*REST, AFTER]], id="a patch version of another minor"),
        pytest.param(
            fleet(others("1.35.2"), others("1.35.9", "green"), others("", "red")),
            "1.35.7",
            [*PATCH, "pool blue (not declared) 1.35.2 → 1.35.7", "pool red (not declared) 1.35 → 1.35.7"],
            id="a patch version: those that can be lower",
        ),
        pytest.param(
            fleet(others("1.33.1"), others("1.34.0", "green")),
            "1.35.7",
            [
                "pool blue (not declared) 1.33 → 1.34",
                *PATCH,
                "pool blue (not declared) 1.34 → 1.35.7",
                "pool green (not declared) 1.34 → 1.35.7",
            ],
            id="a patch version: those that are behind are drained once for it",
        ),
        pytest.param(fleet(others(name="web")), "1.36", [*REST, "pool web (not declared) 1.35 → 1.36"], id="its name is the key of a declared pool"),
    ],
)
def test_steps(found: Fleet, to: str, expected: list[str]) -> None:
    assert steps(planned(found, to=to)) == expected


def test_pools_of_others_that_alone_have_a_lower_patch_version() -> None:
    known = fleet(others("1.35.2"), others("1.35.7", "green"), pools={"system": PoolNow("1.35.7")})
    assert steps(plan(aks(kubernetes_version="1.35.7"), "1.35.7", fleets={("dev", "weu"): known})) == ["pool blue (not declared) 1.35.2 → 1.35.7"]


def test_the_command_has_the_names_in_azure() -> None:
    found = planned(fleet(others("1.34.0")), to="1.35")
    assert found.steps[0].how == "az aks nodepool upgrade --resource-group rg --cluster-name dev-weu --name blue --kubernetes-version 1.35"
    assert found.old == "1.34"
    assert found.progress is not None
    assert any("--name blue --query provisioningState" in line for line in found.progress.stop)


def test_the_state_of_the_pool() -> None:
    found = planned(fleet(others("1.34.0"), control_plane="1.35", pools={"blue": PoolNow("1.34.0", "Succeeded")}), to="1.35")
    assert found.progress is not None
    assert found.progress.stop == ("No operation runs (`Succeeded`), so there is nothing to stop",)


def test_the_room_has_the_nodes_of_others() -> None:
    def room(*pools: ExistingAgentPool) -> dict[str, str]:
        found = plan(aks(), "1.36", existing=ExistingStock(agent_pools=pools))
        return {f"{one.what} {one.name}": str(one.needed) for one in found.room}

    assert room()["vcpus cores in westeurope"] == "24"
    assert room(others())["vcpus cores in westeurope"] == "40"
    assert room(others())["nodes blue (not declared)"] == "5"


def test_a_budget_that_blocks_the_pool() -> None:
    web = deployment(nodeSelector={"tier": "blue"})
    [step] = [step for step in planned(fleet(others()), web, budget(maxUnavailable=0)).steps if step.name.startswith("blue")]
    assert any("UpgradeFailed" in line for line in told(step.blocked_by))


@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        pytest.param({"zones": ("1", "2", "3")}, True, id="one extra node for three zones"),
        pytest.param({"zones": ("1", "2", "3"), "surge": ""}, True, id="the default of AKS"),
        pytest.param({"zones": ("1", "2", "3"), "surge": "75%"}, False, id="as many as zones"),
        pytest.param({"zones": ("1", "2", "3"), "surge": "0"}, False, id="none: nodes stay in their zone"),
        pytest.param({"zones": ("1",)}, False, id="one zone"),
        pytest.param({"zones": ("1", "2", "3"), "is_counted": False}, False, id="how many nodes it has is not known"),
    ],
)
def test_a_disk_in_one_zone(fields: dict[str, Any], warned: bool) -> None:  # noqa: FBT001  # a row
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "shop"}, "spec": {"storageClassName": "own"}}
    own = {"kind": "StorageClass", "metadata": {"name": "own"}, "provisioner": "disk.csi.azure.com"}
    web = deployment(nodeSelector={"tier": "blue"}, volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])
    [step] = [step for step in planned(fleet(others(**fields)), web, claim, own).steps if step.name.startswith("blue")]
    assert ("warning zonal-volume" in told(step.blocked_by)) is warned


def node(name: str, agent_pool: str) -> FleetNode:
    return FleetNode(name=name, labels={"kubernetes.azure.com/agentpool": agent_pool})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(fleet(), None, id="nothing but the declaration"),
        pytest.param(
            fleet(others()),
            f"The answer covers 3 of 3 nodes, without nodes that Karpenter launched. "
            f"Optional, to count what is missing: {saved(EXPORT, existing=True)}",
            id="agent pools without nodes",
        ),
        pytest.param(fleet(others(), nodes=(node("a", "system"), node("b", "blue"))), "The answer covers 2 of 2 nodes", id="all of them"),
        pytest.param(
            fleet(nodes=(node("a", "system"), node("b", "blue"))),
            "The answer covers 1 of 2 nodes; pools of 1 of them are not in the input, and can add more",
            id="an agent pool that was not exported",
        ),
    ],
)
def test_the_share_of_the_nodes(found: Fleet, said: str | None) -> None:
    coverage = planned(found).coverage
    assert (None if coverage is None else str(coverage)) == said


def exported(name: str, platform: Platform | None = None, cluster: str = ID, **fields: str) -> list[ExistingAgentPool]:
    """What is read of `az aks nodepool list` with one pool."""
    found = FleetExports.of([platform if platform is not None else aks()])
    values = {"id": f"{cluster}/agentPools/{name}", "name": name, "vmSize": SIZE, "count": "3", "mode": "User", **fields}
    [document] = documents("\n".join(["-", *(f"  {key}: {value}" for key, value in values.items())]), "pools.yaml")
    assert found.add(document, export_document(document.value, "pools.yaml"), "pools.yaml", None)
    return [pool for one in found.found.values() for pool in one.agent_pools]


def test_exports() -> None:
    assert [one.name for one in exported("blue")] == ["blue"]
    assert exported("system") == []
    assert exported("blue", nodeLabels="{nodepools/name: web}") == []
    assert exported("blue", typePropertiesType="VirtualMachines") == []  # how many nodes it can have is not known
    assert [one.most for one in exported("blue", typePropertiesType="VirtualMachines", virtualMachinesProfile=TWO_MACHINES)] == [2]
    assert exported("blue", cluster=ID.replace("dev-weu", "shop")) == []
    assert exported("blue", platform=eks(), cluster=ID.replace("dev-weu", "dev-use1")) == []


def test_exports_of_the_same_pool_are_one() -> None:
    joined = fleet(others("1.34.1")).joined(Fleet()).joined(fleet(others("1.35.1")))
    assert [(one.name, one.version) for one in joined.agent_pools] == [("blue", "1.35.1")]
    assert joined.resource_group == "rg"
