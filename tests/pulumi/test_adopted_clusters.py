"""Clusters of another program are adopted: nothing changes that the report does not name, and from then on an edit is one change."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.pulumi import raw_eks
from tests.pulumi.simulated_clouds import Project, SimulatedClouds

RAW_AKS = """
import pulumi
from pulumi_azure_native import containerservice as aks, resources

group = resources.ResourceGroup("group", resource_group_name="rg-erp", location="northeurope")
cluster = aks.ManagedCluster(
    "cluster", resource_name_="erp_Prod", resource_group_name=group.name, location="northeurope", kubernetes_version="1.35", dns_prefix="erp-dns",
    identity={"type": "SystemAssigned"}, sku={"name": "Base", "tier": "Standard"}, tags={"owner": "erp"},
    agent_pool_profiles=[{"name": "first", "mode": "System", "count": 2, "vm_size": "Standard_D4ds_v5", "type": "VirtualMachineScaleSets",
                          "os_type": "Linux"}],
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay", "network_dataplane": "cilium", "network_policy": "cilium"},
)
web = aks.AgentPool(
    "web", agent_pool_name="web", resource_name_=cluster.name, resource_group_name=group.name, vm_size="Standard_D8ds_v5", mode="User", count=3,
    enable_auto_scaling=True, min_count=1, max_count=10, node_labels={"team": "web"}, type="VirtualMachineScaleSets", os_type="Linux",
)
aks.AgentPool(
    "jobs", agent_pool_name="jobs", resource_name_=cluster.name, resource_group_name=group.name, vm_size="Standard_D4ds_v5", mode="User", count=2,
    node_taints=["dedicated=jobs:NoSchedule"], tags={"cost": "1000"}, type="VirtualMachineScaleSets", os_type="Linux",
    opts=pulumi.ResourceOptions(depends_on=[web]),
)
"""
REPLACES = {"replace", "create-replacement", "delete-replaced"}
_ARM = "Microsoft.ContainerService/managedClusters"


def azure_exports(clouds: SimulatedClouds, folder: Path) -> None:
    """What `az aks show` and `az aks nodepool list` print."""
    folder.mkdir()
    clusters = {ident: one["outputs"] for ident, one in clouds.objects().items() if one["type"].endswith(":ManagedCluster")}
    pools = {ident: one["outputs"] for ident, one in clouds.objects().items() if one["type"].endswith(":AgentPool")}
    [(ident, cluster)] = clusters.items()
    (folder / "show.json").write_text(json.dumps({**cluster, "id": ident, "type": _ARM}))
    listed = [_pool(ident, outputs) for ident, outputs in pools.items()]
    (folder / "nodepool-list.json").write_text(json.dumps(listed))


def _pool(ident: str, outputs: Mapping[str, Any]) -> dict[str, Any]:
    return {**outputs, "id": ident, "type": f"{_ARM}/agentPools", "typePropertiesType": outputs["type"]}


GUIDE = (Path(__file__).parents[2] / "docs/guides/adopt.md").read_text(encoding="utf-8")


COMMANDS = GUIDE.partition("## Import\n")[2].partition("```bash\n")[2].partition("```")[0].splitlines()


def imported(project: Project) -> str:
    """Runs the commands of the guide before its preview, without those for files that are not there. Returns what `adopt settle` has printed."""
    *commands, preview, up = COMMANDS
    assert (preview, up) == ("pulumi preview", "pulumi up")
    there = [command for command in commands if "-objects.json" not in command or (project.folder / "import-objects.json").exists()]
    said = {command: project.shell(command) for command in there}
    return next(text for command, text in said.items() if command.startswith("nodepools adopt settle"))


def test_an_aks_cluster_of_another_program(clouds: SimulatedClouds):
    other = clouds.project("raw", RAW_AKS)
    other.up()
    project = clouds.project("erp", stack="prod")
    azure_exports(clouds, project.folder / "live")
    adopted = project.nodepools("adopt", "live", "-o", "stacks/prod.py", "--import", "import.json")
    assert (adopted.returncode, adopted.stderr) == (0, ""), adopted.stdout + adopted.stderr
    assert imported(project) in GUIDE
    assert project.differing() == []
    assert [one["protect"] for one in project.state()["deployment"]["resources"] if "id" in one and "providers" not in one["type"]] == [True] * 3
    assert project.up() == []
    assert project.up() == []
    assert project.operations("refresh", "--yes", "--skip-preview") == []
    assert project.differing() == []
    declared = project.folder / "stacks/prod.py"
    declared.write_text(
        declared.read_text()
        .replace("Autoscale(min=1, max=10)", "Autoscale(min=1, max=12)")
        .replace('name="erp_Prod"', 'protect=False, name="erp_Prod"')
    )
    assert project.differing() == ["prod-erp-prod-web: maxCount"]
    assert project.up() == [("update", "prod-erp-prod-web")]
    other.pulumi("state", "delete", "--all", "--force", "--yes")
    deleted = [name for _, name in project.operations("destroy", "--yes", "--skip-preview")]
    assert deleted[:3] == ["prod-erp-prod-jobs", "prod-erp-prod-web", "prod-erp-prod"], "pools one after the other, then the cluster"


SETTLED_OBJECTS = """\
data: pulumi up changes 2 values of 2 imported resources; wrote settled.json
next: pulumi stack import --file settled.json  # changes only the state of Pulumi
then: pulumi preview  # changes nothing; must show no create, no replace and no delete
then: pulumi up  # changes the cloud; only if the preview shows no create, no replace and no delete

  NodeClass data-shop-nvme  pulumi up changes metadata.annotations
  NodePool data-shop-spark  pulumi up changes metadata.annotations
"""


def test_an_eks_cluster_with_node_pools_of_another_program(clouds: SimulatedClouds):
    clouds.project("raw", raw_eks.PROGRAM).up()
    project = clouds.project("nodes", stack="data")
    raw_eks.aws_exports(clouds, project.folder / "live")
    adopted = project.nodepools("adopt", "live", "-o", "stacks/data.py", "--import", "import.json")
    assert (adopted.returncode, adopted.stderr) == (0, ""), adopted.stdout + adopted.stderr
    assert imported(project) == SETTLED_OBJECTS
    assert not {operation for operation, _ in project.operations("preview")} & {"create", *REPLACES}
    named = "annotation `pulumi.com/waitFor` of objects"
    assert named in adopted.stdout
    in_state_only = {f"data-shop-secrets-key: {name}" for name in ("deletionWindowInDays", "keyId")}  # the simulated cloud takes the id
    assert {*project.differing()} == {"data-shop-nvme: metadata.annotations", *in_state_only, "data-shop-spark: metadata.annotations"}
    project.up()
    assert project.up() == []
    assert project.operations("refresh", "--yes", "--skip-preview") == []
    declared = project.folder / "stacks/data.py"
    declared.write_text(declared.read_text().replace("weight=50", "weight=60").replace('name="shop"', 'protect=False, name="shop"'))
    assert project.differing() == ["data-shop-spark: spec.weight"]
    assert project.up() == [("update", "data-shop-spark")]
    deleted = [name for _, name in project.operations("destroy", "--yes", "--skip-preview")]
    assert deleted[:2] == ["data-shop-spark", "data-shop-nvme"], "the NodePool before its class, and both before the cluster"


def test_without_settling_the_cluster_would_be_replaced_unless_it_is_protected(clouds: SimulatedClouds):
    clouds.project("raw", RAW_AKS).up()
    project = clouds.project("erp", stack="prod")
    azure_exports(clouds, project.folder / "live")
    project.nodepools("adopt", "live", "-o", "stacks/prod.py", "--import", "import.json")
    project.shell(COMMANDS[0])
    there = set(clouds.objects())
    for command in (("preview",), ("up", "--yes", "--skip-preview")):
        stopped = project.tried(*command)
        assert stopped.returncode != 0
        assert "protect" in stopped.stdout + stopped.stderr
    assert set(clouds.objects()) == there
    declared = project.folder / "stacks/prod.py"
    declared.write_text(declared.read_text().replace('name="erp_Prod"', 'protect=False, name="erp_Prod"'))
    assert REPLACES & {operation for operation, _ in project.operations("preview")}, "the protection of an import alone does not stop it"
