"""`upgrade` and `capacity` with `--existing` alone: what a cluster needs, and its upgrade."""

import json
from pathlib import Path

import pytest

FILES = "examples/node-groups/exports"
BUDGET = """
kind: PodDisruptionBudget
apiVersion: policy/v1
metadata: {name: web, namespace: shop}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
"""


def test_the_plan_of_the_example(nodepools, project):
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, "--format", "json", cwd=project)
    found = json.loads(answer.out)
    [cluster] = found["clusters"]
    assert answer.status == 0
    assert [step["name"] for step in cluster["steps"]] == ["shop", "batch", "system", "web", "general"]
    assert (cluster["from"], cluster["to"]) == ("1.34", "1.35")
    assert found["coverage"] == {"nodes": None, "covered": 5, "without_pool": 0}


def test_a_budget_fails_the_update_of_a_node_group(nodepools, project, tmp_path):
    (tmp_path / "budget.yaml").write_text(BUDGET)
    workloads = ["--workloads", "examples/node-groups/workloads.yaml", "--workloads", str(tmp_path / "budget.yaml")]
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, *workloads, cwd=project)
    assert answer.status == 1
    assert answer.out.splitlines()[0] == "shop to 1.35: blocked by 1 error (shop: PDB shop/web)"
    assert "PodDisruptionBudget `shop/web` (`maxUnavailable: 0`) never allows an eviction" in answer.out


def test_the_runbook(nodepools, project):
    answer = nodepools("upgrade", "--to", "1.35", "--existing", FILES, "--format", "markdown", cwd=project)
    assert "aws eks update-nodegroup-version --cluster-name shop --nodegroup-name web" in answer.out


WRONG = [
    pytest.param(["--existing", FILES], "add `--to VERSION`", id="no version"),
    pytest.param(["--existing", FILES, "--to", "1.33"], "must be at least 1.34", id="a lower version"),
    pytest.param(["--existing", FILES, "--to", "1.99"], "newer than the newest known versions: 1.37 of AKS", id="a version that does not exist"),
    pytest.param(["--existing", f"{FILES}/web.json", "--to", "1.35"], "the version of the control plane is not in the files", id="no control plane"),
    pytest.param(["--existing", "nowhere", "--to", "1.35"], "nowhere", id="no file"),
    pytest.param(["--existing", "pyproject.toml", "--to", "1.35"], "pyproject.toml", id="another file"),
]


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_what_cannot_be_planned_is_one_line(nodepools, project, words, told):
    answer = nodepools("upgrade", *words, cwd=project)
    assert answer.status == 2
    assert told in answer.err


def test_recorded_agent_pools_are_planned(nodepools, project):
    folder = Path(project).parent / "shared/data/observed/erp_Prod"
    if not folder.exists():
        pytest.skip("the recordings are not at hand")
    answer = nodepools("upgrade", "--to", "1.34", "--existing", str(folder), cwd=project)
    assert "az aks nodepool upgrade" in answer.out, answer.err


def test_capacity_of_the_example(nodepools, project):
    answer = nodepools("capacity", "--existing", FILES, "--existing", f"{FILES}/subnets.json", "--format", "json", cwd=project)
    found = json.loads(answer.out)
    assert answer.status == 0
    assert {item["what"] for item in found["clusters"][0]["items"]} == {"node_subnet", "vcpus", "spot_vcpus"}
    assert [room["pool"] for room in found["rooms"]] == ["batch", "system", "web", "general", "general"]
    assert found["coverage"] == {"nodes": None, "covered": 5, "without_pool": 0}


def test_capacity_of_files_without_a_cluster(nodepools, project):
    assert "there is no Node" in nodepools("capacity", "--existing", f"{FILES}/subnets.json", cwd=project).err


NODES = """
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Node
    metadata: {name: node-1, labels: {eks.amazonaws.com/nodegroup: web, tier: web}}
    status: {allocatable: {cpu: "2", memory: 7Gi, pods: "29"}}
"""


def test_node_groups_next_to_a_running_cluster(nodepools, project, tmp_path):
    (tmp_path / "nodes.yaml").write_text(NODES)
    files = ["--existing", str(tmp_path / "nodes.yaml"), "--existing", f"{FILES}/web.json"]
    answer = nodepools("explain", "examples/node-groups/workloads.yaml", "--existing", f"{FILES}/karpenter.yaml", *files, cwd=project)
    assert "? web" in answer.out
    assert "more nodes than those that run are not certain to be added" in answer.out
    assert "The answer covers 1 of 1 nodes" in answer.out


def test_nodes_alone_have_no_capacity_to_count(nodepools, tmp_path):
    labels = {"kubernetes.io/os": "linux", "node.kubernetes.io/instance-type": "m5.large"}
    status = {"allocatable": {"cpu": "2", "memory": "8Gi", "pods": "30"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": labels}, "spec": {}, "status": status}
    (tmp_path / "nodes.json").write_text(json.dumps(node))
    answer = nodepools("capacity", "--existing", "nodes.json", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "nodes alone do not say what their pools can need: add `kubectl get nodepools -o yaml`" in answer.err
