"""An `up` that is killed between the creation of a resource and the answer of the cloud: cancel, recover, and the next `up` is complete."""

import json
from pathlib import Path

import pytest

from nodepools.state.deployment import state_of
from tests.pulumi.prerequisites import AT_ONCE
from tests.pulumi.simulated_clouds import Project, SimulatedClouds

AKS = """AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
    pools={"web": UserPool(name="web", vm_size="Standard_D4ds_v5", scale=Autoscale(1, 5)),
           "jobs": UserPool(name="jobs", vm_size="Standard_D4ds_v5", count=2)},
)"""
EKS = """EksClusterArgs(
    region="eu-central-1", kubernetes_version="1.35", network=EksNetworkArgs(zones=["eu-central-1a", "eu-central-1b"]),
    auto_mode=AutoMode(node_pools={"web": EksNodePool(requirements=[keys.eks.capacity_type.one_of("on-demand"), keys.eks.arch.one_of("arm64")])}),
)"""
CASES: dict[str, tuple[str, str, str]] = {
    "an agent pool": (AKS, "AgentPool", "dev-it-web"),
    "an AKS cluster": (AKS, "ManagedCluster", "dev-it"),
    "an EKS cluster": (EKS, "Cluster", "dev-it"),
    "a NodePool": (EKS, "NodePool", "dev-it-web"),
}
GUIDE = (Path(__file__).parents[2] / "docs/guides/interrupted-up.md").read_text(encoding="utf-8")
GUIDE_COMMANDS = GUIDE.partition("```bash\n")[2].partition("```")[0].splitlines()


def declared(cluster: str) -> str:
    names = "from nodepools import *; from nodepools.aks import *; from nodepools.eks import *\n"
    return f'{names}{AT_ONCE}PLATFORM = Platform(name="dev", protect=False, clusters={{"it": {cluster}}})\n'


@pytest.mark.parametrize("title", CASES)
def test_the_next_up_is_complete(clouds: SimulatedClouds, title: str):
    cluster, kind, name = CASES[title]
    project = clouds.project("shop", declared=declared(cluster))
    project.killed(kind, name)
    project.shell("pulumi cancel")
    failed = project.tried("up", "--yes", "--skip-preview")
    assert failed.returncode != 0, "without a recovery, the cloud rejects a second creation"
    recover(project)
    updated = [operation for operation, of in project.operations("up", "--yes", "--skip-preview") if of == name and operation != "create"]
    assert updated == []
    assert project.operations("up", "--yes", "--skip-preview") == []
    assert state_of(project.state()).pending == ()
    project.pulumi("destroy", "--yes", "--skip-preview")
    assert list(clouds.objects()) == []


def recover(project: Project) -> None:
    """The commands of the guide, except for the last one."""
    *commands, last = GUIDE_COMMANDS
    for command in commands:
        project.shell(command)
    assert last == "pulumi up"
    told = project.nodepools("adopt", "settle", "state.json", "--format", "json")
    assert json.loads(told.stdout)["changes"] == []
