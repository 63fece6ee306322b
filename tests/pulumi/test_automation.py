"""Inline programs, as in docs/guides/fleets.md: ten stacks at once, in a process that has imported nothing before, are as one after another."""

import json
import subprocess
import sys

CERTAIN_END = 900
PROGRAM = """
import json, runpy, sys
from concurrent.futures import ThreadPoolExecutor
from nodepools import AutoMode, EksNodeClass, EksNodePool, check, derive

example = runpy.run_path(sys.argv[1])
aks, _, eks = example["PLATFORMS"]
aks = derive(aks, clusters={"aks": {"entra": None}})
own = AutoMode(node_classes={"private": EksNodeClass()}, node_pools={"compute": EksNodePool(node_class="private")})
eks = derive(eks, clusters={"eks": {"auto_mode": own}})
platforms = [derive(base, name=f"{base.name}-s{number}") for number in range(5) for base in (aks, eks)]


def resources(platform):
    stack = example["stack_of"](platform)
    changed = [stack.up().summary.resource_changes for _ in range(2)]
    found = stack.export_stack().deployment["resources"]
    again = {kind: number for kind, number in changed[1].items() if kind != "same"}
    return {"again": again, "urns": sorted(one["urn"] for one in found), "outputs": sorted(stack.outputs())}


with ThreadPoolExecutor(len(platforms)) as pool:
    made = dict(zip([one.name for one in platforms], pool.map(resources, platforms)))
print(json.dumps(made))
"""


def test_ten_stacks_at_once(clouds, project):
    command = [sys.executable, "-c", PROGRAM, str(project / "examples/automation/deploy_all.py")]
    done = subprocess.run(command, env=clouds.environment, capture_output=True, text=True, check=False, timeout=CERTAIN_END)
    assert done.returncode == 0, done.stdout + done.stderr
    made = json.loads(done.stdout)
    assert len(made) == 10
    for name, stack in made.items():
        base, _, number = name.rpartition("-")
        assert stack["again"] == {}, name
        assert stack["outputs"] == ["clusters", "kubeconfig-aks" if base == "weu" else "kubeconfig-eks"]
        assert [urn.replace(f"-{number}", "-s0") for urn in stack["urns"]] == made[f"{base}-s0"]["urns"]
        assert all(urn.startswith(f"urn:pulumi:{name}::") for urn in stack["urns"])
