"""Two plans of one stack, before and after a change that Azure cannot make in place: only a pool more and a pool less."""

import shutil

import pytest

from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run

pytestmark = pytest.mark.program

BEFORE = '"web": UserPool(vm_size="Standard_D2ds_v5"'
AFTER = '"web": UserPool(vm_size="Standard_D4ds_v5"'


@pytest.fixture(scope="module")
def plans(project, planned, tmp_path_factory):
    """The resources of both, by URN."""
    folder = tmp_path_factory.mktemp("rotation")
    for name in ("__main__.py", "Pulumi.yaml", "Pulumi.dev.yaml"):
        shutil.copy(project / name, folder)
    shutil.copytree(project / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    stack = folder / "stacks" / "dev.py"
    assert BEFORE in stack.read_text()
    stack.write_text(stack.read_text().replace(BEFORE, AFTER))
    settings = read_project(folder, "dev")
    after = run(Program(settings.directory, settings.name, "dev", settings.config, settings.secret_keys), timeout=120)
    return [{resource["urn"]: resource for resource in plan.to_json()["resources"]} for plan in (planned(".", "dev"), after)]


def test_one_pool_comes_and_one_goes(plans):
    before, after = plans
    [gone], [come] = before.keys() - after.keys(), after.keys() - before.keys()
    old, new = before[gone], after[come]
    assert (old["type"], new["type"]) == ("azure-native:containerservice:AgentPool",) * 2
    assert old["inputs"]["agentPoolName"] != new["inputs"]["agentPoolName"]
    assert {name: value for name, value in old["inputs"].items() if name not in ("vmSize", "agentPoolName")} == {
        name: value for name, value in new["inputs"].items() if name not in ("vmSize", "agentPoolName")
    }
    assert new["inputs"]["nodeLabels"]["nodepools/name"] == "web"


def test_nothing_else_changes_but_an_edge_and_the_name_that_is_told(plans):
    before, after = plans
    changed = [after[urn] for urn in before.keys() & after.keys() if before[urn]["inputs"] != after[urn]["inputs"]]
    assert changed == []
