"""After `nodepools eject`, the real engine finds nothing to change: the same stack, the same state, another program."""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.pulumi.cloud_copies import Clouds
from tests.pulumi.simulated_clouds import Project, SimulatedClouds

DECLARED = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", protect=False, tags={{"team": "web"}}, clusters={{
    "weu": AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", {entra} system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, {scale}),
        pools={{"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(1, 5))}},
    ),
    "euc1": EksClusterArgs(
        region="eu-central-1", kubernetes_version="1.35", network=EksNetworkArgs(zones=["eu-central-1a", "eu-central-1b"]),
        auto_mode=AutoMode(node_pools={{"web": EksNodePool(requirements=[keys.eks.capacity_type.one_of("on-demand")])}}),
    ),
}})
"""
AUTOSCALED = """from nodepools import *

PLATFORM = Platform(name="dev", tags={{"team": "{team}"}}, clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=None, protect=False,
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, scale=Autoscale(3, 6)), pools={{}},
)}})
"""
ADMINS = """from nodepools import *; from nodepools.aks import *

PLATFORM = Platform(name="dev", clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", protect=False, system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3), pools={{}}, {admins}
)}})
"""
OTHER = "11111111-2222-3333-4444-555555555555"
SCALE = "scale=Autoscale(3, 6)"
CASES = {
    "without Entra ID": ("entra=None,", ""),
    "an autoscaled first pool": ("entra=None,", SCALE),
    "the deployer gets a role": ("", ""),
}


def ejected(shop: Project, *options: str) -> Project:
    """The plain program, as docs/guides/leaving.md says."""
    done = shop.nodepools("eject", "plain", "--stack", "dev", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    plain = replace(shop, folder=shop.folder / "plain")
    shutil.copy(shop.folder / "Pulumi.dev.yaml", plain.folder)
    assert "nodepools" not in "".join(line for line in (plain.folder / "__main__.py").read_text().splitlines() if "import" in line)
    return plain


def deployer(clouds: SimulatedClouds) -> str:
    """The principal of the role assignment of the identity that deploys."""
    assigned = [one["inputs"] for one in clouds.objects().values() if one["type"].endswith(":RoleAssignment")]
    [found] = {inputs["principalId"] for inputs in assigned if not inputs.get("principalType")}
    return found


def resources(shop: Project) -> dict[str, object]:
    """The inputs of all resources, by URN, but for the stack and the provider with which a component reads the state."""
    left_out = ("pulumi:pulumi:Stack", "pulumi:providers:pulumi")
    return {one["urn"]: one.get("inputs") for one in shop.state()["deployment"]["resources"] if one["type"] not in left_out}


@pytest.mark.parametrize("case", CASES)
def test_nothing_changes(clouds: SimulatedClouds, case: str) -> None:
    entra, scale = CASES[case]
    shop = clouds.project("shop", declared=DECLARED.format(entra=entra, scale=scale))
    assert shop.up()
    before, objects = resources(shop), clouds.objects()
    plain = ejected(shop, *([] if entra else ["--deployer", deployer(clouds)]))
    left = [("delete", "default")] if scale else []  # the provider with which the component read the state: it has no object in a cloud
    assert plain.operations("preview") == left
    assert plain.up() == left
    assert plain.operations("preview") == []
    assert (resources(plain), clouds.objects()) == (before, objects)


def test_a_count_that_the_autoscaler_moved_stays(empty_clouds: Clouds) -> None:
    """The state has the count of the last request, which is not the declared one."""
    project = empty_clouds.folder / "project"
    last = AUTOSCALED.format(team="shop")
    assert not empty_clouds.up(AUTOSCALED.format(team="web")).failed
    empty_clouds.set_in_cloud("/agentPools/system", count=5)
    assert "update ManagedCluster/dev-weu" in map(str, empty_clouds.up(last).done)
    command = [sys.executable, "-m", "nodepools", "eject", "plain", "--stack", "dev"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(project / "plain" / "__main__.py", project)
    assert empty_clouds.differing(last) == {"pulumi/default": []}
    ended = empty_clouds.up(last)
    assert (ended.done, ended.failed) == ((), frozenset())
    assert empty_clouds.in_cloud("/agentPools/system")["count"] == 5
    assert empty_clouds.differing(last) == {}


def test_a_deployer_who_is_an_admin_too_has_one_role_assignment(clouds: SimulatedClouds) -> None:
    shop = clouds.project("shop", declared=ADMINS.format(admins=""))
    assert shop.up()
    name = deployer(clouds)
    (shop.folder / "stacks/dev.py").write_text(ADMINS.format(admins=f'admins=[{{"object_id": "{name}", "principal_type": "ServicePrincipal"}}],'))
    shop.up()
    assert ejected(shop, "--deployer", name).operations("preview") == []
    shutil.rmtree(shop.folder / "plain")
    other = ejected(shop, "--deployer", OTHER).operations("preview")
    assert [kind for kind, _ in other] == ["create"]
