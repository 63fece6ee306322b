"""`nodepools explain`: what a person reads, and what a program reads."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Pods = Callable[..., str]

POD = """
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: shop}
spec:
  nodeSelector: {tier: web}
  containers: [{name: main, resources: {requests: {cpu: 100m}}}]
"""
DEPLOYMENT = """
kind: Deployment
metadata: {name: lost}
spec: {template: {spec: {nodeSelector: {tier: wbe}, containers: [{name: main}]}}}
"""


@pytest.fixture
def pods(tmp_path: Path) -> Pods:
    def write(text: str, name: str = "pods.yaml") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def test_text_names_the_pool_and_why_not_the_others(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--stack", "dev", pods(POD), cwd=project)
    assert answer.status == 0
    head, *lines = answer.out.splitlines()
    assert head == "dev: one (Pod) fits weu/web; not in neu, use1; nothing to change"
    assert "  ✔ weu/web  first choice: has at least 1 node" in lines
    assert "  ✘ 8 pools  without label `tier=web`" in lines


def _deployment(name: str, replicas: int = 1, **spec: object) -> str:
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main"}], **spec}}
    return json.dumps({"kind": "Deployment", "metadata": {"name": name}, "spec": {"replicas": replicas, "template": template}})


def _requests(**amounts: object) -> dict[str, object]:
    return {"containers": [{"name": "main", "resources": {"requests": amounts, "limits": {}}}]}


GPU = {"containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}
SPREAD = [{"maxSkew": 1, "topologyKey": "example.com/rack", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}}}]
_WEB = {"matchLabels": {"app": "web"}}
APART = [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule", "minDomains": 3, "labelSelector": _WEB}]
_OWN_NODE = {"topologyKey": "kubernetes.io/hostname", "labelSelector": _WEB}
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
EACH_ALONE = {"podAntiAffinity": {_REQUIRED: [_OWN_NODE]}}
ANY_OF_THREE = "fits weu/web, neu/general or use1/compute; nothing to change"
FIRST_LINES = [
    pytest.param(
        _deployment("web", 6, nodeSelector={"tier": "web"}),
        0,
        "dev: web (Deployment ×6) fits weu/web; not in neu, use1; nothing to change",
        [],
        id="fits",
    ),
    pytest.param(_deployment("web", 2), 0, f"dev: web (Deployment ×2) {ANY_OF_THREE}", [], id="fits in each cluster"),
    pytest.param(_deployment("none", 0), 0, "dev: none (Deployment ×0) has no pods to schedule; nothing to change", [], id="no pods"),
    pytest.param(
        _deployment("misspelt", 2, nodeSelector={"tier": "wbe"}),
        1,
        "dev: misspelt (Deployment ×2) stays Pending everywhere: label tier=wbe, weu/web has tier=web",
        ["PODS:1: Change `tier=wbe` to `tier=web`: then it fits `weu/web`"],
        id="a typo",
    ),
    pytest.param(
        _deployment("train", **GPU),
        1,
        "dev: train (Deployment) stays Pending everywhere: no pool has an NVIDIA GPU",
        ["stacks/dev.py: Add a pool that has an NVIDIA GPU: no change of the pods is known to make them fit one"],
        id="a pool is missing",
    ),
    pytest.param(
        _deployment("lost", nodeSelector={"team": "ml"}),
        1,
        "dev: lost (Deployment) stays Pending everywhere: no pool has label team=ml",
        ["PODS:1: Remove the selector `team=ml`: then it fits `weu/web`, `neu/default`, `neu/general` and 1 more"],
        id="equal candidates are all named, those of the system and of spot never",
    ),
    pytest.param(
        _deployment("arm", nodeSelector={"kubernetes.io/arch": "arm64"}),
        1,
        "dev: arm (Deployment) stays Pending everywhere: 8 pools without label kubernetes.io/arch=arm64; 1 pool with taint CriticalAddonsOnly",
        [
            "stacks/dev.py: Add a pool of `arm64` machines: `arm` requires it",
            "PODS:1: Change `kubernetes.io/arch=arm64` to `kubernetes.io/arch=amd64`, if the image runs on it: then it fits `weu/web`",
        ],
        id="another image is not a change of the pod, and a pool of the system is no advice",
    ),
    pytest.param(
        _deployment("web", 100, nodeSelector={"tier": "web"}, **_requests(cpu="500m")),
        1,
        "dev: web (Deployment ×100): 10 to 15 of 100 are scheduled: room on weu/web at most 15 (at most 5 nodes with at most 3 each, 10 certain)",
        ["stacks/dev.py:34: Raise `scale.max` of `weu/web` from 5 to at least 50 nodes (to be certain; 34 at best) for Deployment `web`"],
        id="partly",
    ),
    pytest.param(
        _deployment("zoned", nodeSelector={"tier": "web", "topology.kubernetes.io/zone": "westeurope-1"}),
        1,
        "dev: zoned (Deployment) stays Pending everywhere: 8 pools without label topology.kubernetes.io/zone=westeurope-1; "
        "1 pool with taint CriticalAddonsOnly",
        ["stacks/dev.py:34: Set `zones` of the pool to `[1]`: its nodes are in no zone: then it fits `weu/web`"],
        id="zones of a pool are set where it is declared",
    ),
    pytest.param(
        _deployment("stamped", nodeSelector={"kubernetes.azure.com/node-image-version": "x", "tier": "web"}),
        0,
        "dev: unknown whether stamped (Deployment) fits: weu/web may lack label kubernetes.azure.com/node-image-version=x",
        ["nodepools explain PODS --details  # changes nothing; shows what keeps stamped from their pools"],
        id="one pool decides",
    ),
]


@pytest.mark.parametrize(("text", "status", "first", "steps"), FIRST_LINES)
def test_the_first_line_is_the_answer_and_the_fix_follows(
    nodepools: Run, project: Path, pods: Pods, text: str, status: int, first: str, steps: list[str]
) -> None:
    answer = nodepools("explain", pods(text), cwd=project)
    found = answer.out.splitlines()
    assert (answer.status, found[0]) == (status, first)
    steps = [step.replace("PODS", pods(text)) for step in steps]
    assert [line[6:] for line in found if line.startswith(("next: ", "then: ", "  or: "))] == steps
    read = nodepools("explain", pods(text), "--format", "json", cwd=project).json
    [workload] = read["workloads"]
    assert (read["answer"], [step.removeprefix("or: ") for step in read["next"]]) == (first, steps)
    words = {"fits": "fits", "cannot": "stays Pending", "partly": "of 100 are scheduled", "unknown": "unknown whether "}
    assert words[workload["verdict"]] in first or not workload["scheduled"]["maximum"]
    assert nodepools("explain", "--strict", pods(text), cwd=project).status == (workload["verdict"] != "fits")


def test_pools_that_fit_come_first_and_one_cluster_is_enough(nodepools: Run, project: Path, pods: Pods) -> None:
    lines = nodepools("explain", pods(_deployment("web", 2)), cwd=project).out.splitlines()
    at = lines.index("Pools that fit, first choice first; one cluster that runs the pods is enough")
    assert lines[at + 1].startswith("  ✔ weu/web ")
    assert at < lines.index("Other pools, by reason")
    assert "  ✘ 4 pools    taint `CriticalAddonsOnly`" in lines


def test_details_have_every_pool_with_all_reasons_and_changes(nodepools: Run, project: Path) -> None:
    said = nodepools("explain", "--stack", "prod", "--details", "examples/workloads/large.yaml", cwd=project).out
    assert "Insufficient cpu: pod requests 2 cpu, `Standard_D2ds_v5` has 1900m" in said
    tolerate = "add toleration `kubernetes.azure.com/scalesetpriority=spot:NoSchedule`"
    assert f"→ {tolerate}; request at most `1300m` cpu; request at most `4426Mi` memory" in said
    of_system = said.partition("✘ weu/system\n")[2].splitlines()
    assert "did not tolerate taint" in of_system[0]
    assert "→" not in "".join(of_system[:2])


def test_a_change_after_which_it_is_still_unknown_says_so(nodepools: Run, project: Path, pods: Pods) -> None:
    text = POD.replace("{tier: web}", "{tier: wbe, kubernetes.azure.com/node-image-version: x}")
    answer = nodepools("explain", pods(text), "--details", cwd=project).out
    assert "→ change `tier=wbe` to `tier=web` (whether it then fits is unknown offline)" in answer
    assert ": Change `tier" not in answer


MANY = "---\n".join(
    [
        _deployment("fits", 2, nodeSelector={"tier": "web"}) + "\n",
        _deployment("misspelt", nodeSelector={"tier": "wbe"}) + "\n",
        _deployment("train", **GPU) + "\n",
        _deployment("any") + "\n",
    ]
)


def test_of_several_workloads_the_failing_ones_come_first(nodepools: Run, project: Path, pods: Pods) -> None:
    lines = nodepools("explain", pods(MANY), cwd=project).out.splitlines()
    assert lines[0] == "dev: 2 of 4 workloads fit; misspelt, train stay Pending everywhere"
    assert lines[1] == f"next: {pods(MANY)}:3: Change `tier=wbe` to `tier=web` in misspelt: then it fits `weu/web`"
    rows = [line.split()[2] for line in lines if line.startswith(("  ✘ Pending", "  ✔ fits")) and "(" in line]
    assert rows == ["misspelt", "train", "fits", "any"]
    alone = nodepools("explain", pods(MANY.partition("---")[0] + "---\n" + _deployment("misspelt", nodeSelector={"tier": "wbe"})), cwd=project)
    assert alone.out.startswith("dev: 1 of 2 workloads fits; misspelt stays Pending everywhere: label tier=wbe, weu/web has tier=web\n")


def test_json_holds_the_contract_and_stands_alone(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", pods(POD + "---" + DEPLOYMENT), "--format", "json", cwd=project)
    assert (answer.status, answer.err) == (1, "")
    assert [(one["name"], one["verdict"], one["pools"]) for one in answer.json["workloads"]] == [("one", "fits", ["weu/web"]), ("lost", "cannot", [])]
    assert {(one["name"], one["cluster"]) for one in answer.json["pods"]} == {
        (name, key) for name in ("one", "lost") for key in ("weu", "neu", "use1")
    }
    first = answer.json["pods"][0]
    assert {"name", "namespace", "kind", "cluster", "verdict", "pool", "pools", "notices"} <= set(first)
    assert (first["namespace"], first["kind"], first["verdict"], first["pool"]) == ("shop", "Pod", "fits", "weu/web")
    kinds = {"taint", "label", "requirement", "instance", "resources", "limit", "unschedulable", "pods", "preference"}
    for one in answer.json["pods"]:
        for judged in one["pools"]:
            assert judged["verdict"] in {"fits", "cannot", "unknown"}
            assert all({"kind", "message"} <= set(reason) and reason["kind"] in kinds for reason in judged["reasons"])


def test_pods_that_stay_pending_everywhere_end_with_1(nodepools: Run, project: Path, pods: Pods) -> None:
    assert nodepools("explain", "--strict", pods(POD), cwd=project).status == 0
    assert nodepools("explain", pods(DEPLOYMENT), cwd=project).status == 1


def test_the_table_has_the_pools_of_all_workloads_and_counts_what_is_all_no(nodepools: Run, project: Path, pods: Pods) -> None:
    lines = nodepools("explain", pods(MANY), cwd=project).out.splitlines()
    at = lines.index("Workloads and pools")
    assert lines[at + 1].split() == ["fits", "any"]
    assert "weu/web first first" in [" ".join(line.split()) for line in lines[at:]]
    assert any(line.startswith("  ✘ 5 pools fit no workload: weu/batch, weu/system, neu/system") for line in lines)
    assert "  ✘ 2 workloads fit no pool: misspelt, train" in lines
    assert not any(line.startswith("Workloads and pools") for line in nodepools("explain", pods(POD), cwd=project).out.splitlines())
    assert "Workloads and pools" in nodepools("explain", "--matrix", pods(POD), cwd=project).out


def test_a_table_that_is_too_wide_becomes_a_list(nodepools: Run, project: Path, pods: Pods) -> None:
    many = "".join(f"---\n{_deployment(f'workload-number-{number}')}\n" for number in range(12))
    wide = nodepools("explain", "--all", "--matrix", pods(many), cwd=project).out
    assert "workload            fits" in wide
    assert all(len(line) <= 100 for line in wide.partition("Workloads and pools\n")[2].partition("\n\n")[0].splitlines())


def test_markdown_has_the_answer_first(nodepools: Run, project: Path, pods: Pods) -> None:
    lines = nodepools("explain", "--format", "markdown", pods(POD), cwd=project).out.splitlines()
    assert lines[0] == "**dev: one (Pod) fits weu/web; not in neu, use1; nothing to change**"
    assert "| ✔ weu/web | first choice: has at least 1 node |" in lines


def test_one_pool_alone(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--pool", "weu/batch", "--format", "json", pods(POD), cwd=project)
    [one] = answer.json["pods"]
    assert [judged["pool"] for judged in one["pools"]] == ["weu/batch"]
    every = nodepools("explain", "--format", "json", pods(POD), cwd=project).json["pods"]
    [whole] = [other for other in every if other["cluster"] == "weu"]
    assert {**one, "pools": whole["pools"]} == whole, "a pool that is selected changes neither an answer nor a number"
    assert (one["verdict"], one["pool"]) == ("fits", "weu/web")


def test_standard_input_and_folders(nodepools: Run, project: Path, tmp_path: Path, pods: Pods) -> None:
    pods(POD, "a.yaml")
    pods(DEPLOYMENT, "b.yml")
    pods("not: read", "c.txt")
    pods("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n", "d.yaml")
    (tmp_path / "named-like-a-file.yaml").mkdir()
    assert len(json.loads(nodepools("explain", str(tmp_path), "--format", "json", cwd=project).out)["pods"]) == 6
    assert nodepools("explain", "-", cwd=project, stdin=POD).out.startswith("dev: one (Pod) fits")
    assert "stdin: can be read once: save it in a file" in nodepools("explain", "-", "--existing", "-", cwd=project, stdin=POD).err


@pytest.mark.parametrize("command", ["explain", "diagram"])
def test_a_folder_without_any_workload(nodepools: Run, project: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "other.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")
    answer = nodepools(command, str(tmp_path), cwd=project)
    assert answer.status == 2
    assert (answer.out == "") == (command == "explain"), "a diagram without workloads shows the pools"
    assert answer.err.startswith(f"error: {tmp_path}: contains no pod or workload (Pod, ")


def test_every_stack_at_once(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--all", pods(POD), "--format", "json", cwd=project)
    assert {(one["cluster"], one["pool"]) for one in answer.json["pods"] if one["pool"]} == {
        (f"{stack}/weu", f"{stack}/weu/web") for stack in ("dev", "staging", "prod")
    }
    [one] = nodepools("explain", "--all", "--pool", "prod/weu/web", "--format", "json", pods(POD), cwd=project).json["pods"]
    assert [judged["pool"] for judged in one["pools"]] == ["prod/weu/web"]


GPU_POD = """
apiVersion: v1
kind: Pod
metadata: {name: gpu}
spec:
  tolerations: [{key: sku, operator: Exists}]
  containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]
"""


def test_strict_of_every_stack_wants_a_pool_in_each(nodepools: Run, project: Path, pods: Pods) -> None:
    assert nodepools("explain", "--strict", "--stack", "prod", pods(GPU_POD), cwd=project).status == 0
    assert nodepools("explain", "--strict", "--all", pods(GPU_POD), cwd=project).status == 1, "dev has no GPUs"
    assert nodepools("explain", "--strict", "--all", pods(POD), cwd=project).status == 0


def test_of_several_stacks_equal_answers_share_a_row(nodepools: Run, project: Path, pods: Pods) -> None:
    lines = nodepools("explain", "--all", pods(MANY), cwd=project).out.splitlines()
    assert lines[0] == "all stacks: 2 of 4 workloads fit in every stack; misspelt, train stay Pending in some stack"
    assert any(" ".join(line.split()).startswith("✘ Pending misspelt (Deployment) in dev, prod, staging label") for line in lines)


DAEMON_SET = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: logs}
spec: {template: {spec: {tolerations: [{key: CriticalAddonsOnly, operator: Exists}], containers: [{name: main}]}}}
"""


def test_a_daemon_set_names_the_pools_that_it_does_not_run_on(nodepools: Run, project: Path, pods: Pods) -> None:
    out = nodepools("explain", "--stack", "prod", pods(DAEMON_SET), cwd=project).out
    assert out.startswith("prod: logs (DaemonSet) runs on 10 of 12 pools, not on weu/batch, weu/train; nothing to change\n")
    everywhere = DAEMON_SET.replace("key: CriticalAddonsOnly, ", "")
    assert nodepools("explain", "--stack", "prod", pods(everywhere), cwd=project).out.startswith(
        "prod: logs (DaemonSet) runs on every pool; nothing to change\n"
    )
    nowhere = DAEMON_SET.replace("{tolerations", "{nodeSelector: {lost: label}, tolerations")
    answer = nodepools("explain", pods(nowhere), cwd=project)
    assert (answer.status, answer.out.splitlines()[0]) == (0, "dev: logs (DaemonSet) runs on no pool: no pool has label lost=label")


PORTS = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: ports}
spec:
  replicas: 3
  template:
    spec: {containers: [{name: main, ports: [{containerPort: 80, hostPort: 80}]}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: more}
spec: {replicas: 2, template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}
"""
TWO_NODES = "".join(
    f"""
apiVersion: v1
kind: Node
metadata: {{name: node-{number}}}
status: {{allocatable: {{cpu: 1900m, pods: "30"}}}}
---"""
    for number in (1, 2)
)
IDLE = """
kind: Pod
metadata: {name: idle}
spec: {nodeName: another, containers: [{name: main}]}
"""
"""A pod: without any in the files, the room on nodes is unknown."""


def test_replicas_are_counted_over_all_pools(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    nodes, workloads = pods(TWO_NODES + IDLE, "nodes.yaml"), pods(PORTS)
    answer = nodepools("explain", "--strict", "--existing", nodes, workloads, cwd=tmp_path)
    assert answer.status == 1
    assert " 1 of 2 workloads fits; ports: 2 of 3 are scheduled on the nodes in the input: room on node-1" in answer.out.splitlines()[0]
    one, more = nodepools("explain", "--existing", nodes, workloads, "--format", "json", cwd=tmp_path).json["pods"]
    assert (one["verdict"], one["replicas"], one["scheduled"]) == ("partly", 3, {"minimum": 2, "maximum": 2})
    assert [(reason["kind"], reason["minimum"], reason["maximum"]) for reason in one["pending"]] == [("room", 1, 1)]
    assert (more["verdict"], more["pending"]) == ("fits", [])
    table = nodepools("explain", "--matrix", "--existing", nodes, workloads, cwd=tmp_path).out.splitlines()
    assert ["pods", "2/3", "2/2"] in [line.split() for line in table]


def test_strict_fails_if_not_all_replicas_are_certain(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    crowded = (
        PORTS.replace("{replicas: 2", "{replicas: 3")
        .replace("  replicas: 3", "  replicas: 2")
        .replace("cpu: 1}", "cpu: 600m}")
        .replace("[{name: main, ports", "[{name: main, resources: {requests: {cpu: 900m}}, ports")
    )
    files = ["--existing", pods(TWO_NODES + IDLE, "nodes.yaml"), pods(crowded)]
    assert [nodepools("explain", *files, *options, cwd=tmp_path).status for options in ([], ["--strict"])] == [0, 1]
    assert [one["verdict"] for one in nodepools("explain", *files, "--format", "json", cwd=tmp_path).json["workloads"]] == ["unknown", "unknown"]


NODES = """
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: aks-web-1, labels: {tier: web}}
  spec: {}
  status: {allocatable: {cpu: 1900m, memory: 5Gi, pods: "30"}}
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: compute}
  spec:
    template:
      metadata: {labels: {tier: web}}
      spec:
        nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
        requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
"""


def test_raw_pools_stand_in_for_a_declaration(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--existing", pods(f"{NODES}---{IDLE}", "pools.yaml"), pods(POD), "--format", "json", cwd=tmp_path)
    [one] = answer.json["pods"]
    assert (one["cluster"], one["verdict"], one["pool"]) == (None, "fits", "aks-web-1")
    assert [judged["pool"] for judged in one["pools"]] == ["aks-web-1", "compute"]


UNREADABLE = [
    pytest.param([], "kind: ConfigMap\nmetadata: {name: a}\n", "contains no pod or workload", id="nothing that makes pods"),
    pytest.param([], "- 1\n", "should be a Kubernetes object, not a list", id="no objects"),
    pytest.param([], "a: b\n", "should be a Kubernetes object: it has no kind", id="an object without a kind"),
    pytest.param([], "a: [\n", "pods.yaml:2:1", id="no YAML, with its place"),
    pytest.param(
        [], DEPLOYMENT.replace("tier: wbe", "tier: 1"), "Deployment/lost: `spec.template.spec.nodeSelector.tier` is", id="a faulty pod, by name"
    ),
    pytest.param(["--pool", "nowhere"], POD, "pool `nowhere` not found (available: `weu/system`", id="an unknown pool lists the known"),
    pytest.param(["--pool", "system"], POD, "pool `system` is ambiguous: use one of `weu/system`", id="a name of several pools"),
    pytest.param(["--format", "xml"], POD, "`--format` must be one of `text`, `json`, `markdown`", id="an unknown format"),
    pytest.param(["--stack", "prodd"], POD, "stack `prodd` not found", id="an unknown stack"),
    pytest.param(["--all", "--existing", "x.yaml"], POD, "x.yaml: No such file", id="what exists, next to declarations"),
]


@pytest.mark.parametrize(("options", "text", "said"), UNREADABLE)
def test_what_cannot_be_read_is_one_line_and_status_2(nodepools: Run, project: Path, pods: Pods, options: str, text: str, said: str) -> None:
    answer = nodepools("explain", pods(text), *options, cwd=project)
    assert (answer.status, answer.out) == (2, "")
    assert len([line for line in answer.err.splitlines() if not line.startswith("next: ")]) == 1
    assert said in answer.err


def test_of_several_files_those_that_can_be_read_are_explained(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", pods(POD), "missing.yaml", "--format", "json", cwd=project)
    assert (answer.status, answer.json["complete"], {one["name"] for one in answer.json["pods"]}) == (2, False, {"one"})
    [problem] = answer.json["problems"]
    assert problem["path"] == "missing.yaml"
    assert problem["message"].startswith("No such file or directory")


BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
"""
GUARDED = """
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {karpenter.sh/nodepool: compute}, containers: [{name: main}]}}}
"""


def test_a_budget_that_allows_no_eviction_is_a_warning(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    files = ["--existing", pods(NODES, "pools.yaml"), pods(GUARDED), pods(BUDGET, "budget.yaml")]
    answer = nodepools("explain", *files, cwd=tmp_path)
    assert answer.status == 0
    assert "\nWarnings\n  PodDisruptionBudget `web` (`minAvailable: 2`) never allows an eviction with 2 replicas. Karpenter" in answer.out
    assert "\n    fix: Set only `maxUnavailable: 1`\n" in answer.out
    [warning] = nodepools("explain", *files, "--format", "json", cwd=tmp_path).json["pods"][0]["warnings"]
    assert (warning["kind"], warning["fix"]) == ("disruption_budget", "Set only `maxUnavailable: 1`")


def test_objects_without_a_workload_are_a_problem(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", pods(BUDGET), cwd=project)
    assert answer.status == 2
    assert "contains no pod or workload" in answer.err


NO_POOLS = [
    pytest.param(
        "kind: NodePool\napiVersion: karpenter.sh/v1\nmetadata: {name: x}\nspec: 7\n", "`spec` must be an object", id="a spec that is a number"
    ),
    pytest.param("kind: Secret\n", "there is no Node, no NodePool, no node group and no agent pool in it", id="no pools"),
    pytest.param("- a\n", "should be a Kubernetes object, not a list", id="no objects"),
]


@pytest.mark.parametrize(("text", "said"), NO_POOLS)
def test_files_without_a_pool_are_one_line(nodepools: Run, tmp_path: Path, pods: Pods, text: str, said: str) -> None:
    answer = nodepools("explain", "--existing", pods(text, "pools.yaml"), pods(POD), cwd=tmp_path)
    assert (answer.status, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert said in answer.err


RAW = [
    pytest.param(NODES.replace("operator: In", "operator: in"), "NodePool/compute", id="a NodePool that is none"),
    pytest.param(NODES.replace("labels: {tier: web}", "labels: [web]", 1), "`labels` must be an object", id="a node that is none"),
]


@pytest.mark.parametrize(("text", "said"), RAW)
def test_a_raw_pool_that_is_invalid_is_a_problem_and_the_others_are_explained(
    nodepools: Run, tmp_path: Path, pods: Pods, text: str, said: str
) -> None:
    answer = nodepools("explain", "--existing", pods(text, "pools.yaml"), pods(POD), "--format", "json", cwd=tmp_path)
    assert (answer.status, answer.json["complete"], len(answer.json["problems"])) == (2, False, 1)
    assert said in answer.err
    assert len(answer.json["pods"][0]["pools"]) == 1


def test_of_several_files_of_pools_those_that_can_be_read_are_used(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    broken = NODES.partition("---")[0] + "---\na: [\n"
    files = [option for name in ("gone.yaml", pods(broken, "broken.yaml"), pods(NODES, "pools.yaml")) for option in ("--existing", name)]
    answer = nodepools("explain", *files, pods(POD), "--format", "json", cwd=tmp_path)
    assert (answer.status, answer.json["complete"]) == (2, False)
    assert [problem["path"].rpartition("/")[2].partition(":")[0] for problem in answer.json["problems"]] == ["gone.yaml", "broken.yaml"]
    assert {one["pool"] for one in answer.json["pods"][0]["pools"]} == {"aks-web-1", "compute"}


NODE = """
kind: Node
metadata: {name: n1, labels: {tier: web}}
status: {allocatable: {cpu: 1930m, pods: "29"}}
"""
ONE_CPU = """
kind: Pod
metadata: {name: new}
spec: {containers: [{resources: {requests: {cpu: "1"}}}]}
"""
BUSY = """
kind: Pod
metadata: {name: busy}
spec: {nodeName: n1, containers: [{resources: {requests: {cpu: 1800m}}}]}
"""
FINISHED = BUSY + "status: {phase: Succeeded}"
WAITING = BUSY.replace("nodeName: n1, ", "")
FREE = BUSY.replace("1800m", "100m")
REPORT = """
status: {conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/1 nodes are available}]}
"""

RUNNING = [
    pytest.param([NODE, BUSY], "cannot", {"minimum": 0, "maximum": 0}, id="a pod uses the room of a node"),
    pytest.param([NODE, FREE], "fits", {"minimum": 1, "maximum": 1}, id="a small one does not"),
    pytest.param([NODE, FINISHED], "fits", {"minimum": 1, "maximum": 1}, id="nor does one that is finished"),
    pytest.param([NODE, BUSY.replace("busy", "new")], "fits", {"minimum": 1, "maximum": 1}, id="nor the pod itself"),
    pytest.param([NODE, FREE, WAITING.replace("busy", "waiting")], "unknown", {"minimum": 0, "maximum": 1}, id="another pod that waits may be first"),
    pytest.param([NODE], "unknown", {"minimum": 0, "maximum": 1}, id="no pods: its room is not known"),
]


ALIKE = "\n---\n".join(
    f"{{apiVersion: v1, kind: Node, metadata: {{name: {name}, labels: {{size: {size}}}}}, "
    "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '30'}}}"
    for name, size in (("a-1", "small"), ("a-2", "small"), ("a-3", "small"), ("b-1", "large"))
)
LARGE = "apiVersion: v1\nkind: Pod\nmetadata: {name: chosen}\nspec: {nodeSelector: {size: large}, containers: [{name: c}]}"


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        pytest.param((), ["✔ b-1  first choice: its nodes are running", "✘ 3 nodes  nodes didn't match"], id="as text"),
        pytest.param(("--matrix",), ["  b-1  first", "✘ 1 pool fits no workload: a-1 and 2 more"], id="as a matrix"),
        pytest.param(("--format", "markdown"), ["| ✘ 3 nodes | nodes didn't match"], id="as Markdown"),
    ],
)
def test_nodes_with_the_same_answer_share_a_row(nodepools: Run, tmp_path: Path, pods: Pods, options: str, shown: str) -> None:
    text = nodepools("explain", "--existing", pods(f"{ALIKE}\n---{IDLE}", "nodes.yaml"), *options, pods(LARGE), cwd=tmp_path).out
    assert all(line in text for line in shown)
    assert "a-2" not in text or "a-1, a-2, a-3" in text


def test_json_has_each_node(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--existing", pods(f"{ALIKE}\n---{IDLE}", "nodes.yaml"), "--format", "json", pods(LARGE), cwd=tmp_path).json
    assert [pool["pool"] for pool in answer["pods"][0]["pools"]] == ["b-1", "a-1", "a-2", "a-3"]


@pytest.mark.parametrize(("export", "verdict", "scheduled"), RUNNING)
def test_a_running_cluster(nodepools: Run, tmp_path: Path, pods: Pods, export: str, verdict: str, scheduled: str) -> None:
    found = ["--existing", pods("---".join(export), "export.yaml")]
    [one] = nodepools("explain", pods(ONE_CPU), *found, "--format", "json", cwd=tmp_path).json["pods"]
    assert (one["verdict"], one["scheduled"]) == (verdict, scheduled)


ON_BOTH = f"{NODE}---{NODE.replace('n1', 'n2')}"
ALONE = (
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: h, labelSelector: {matchLabels: {app: web}}}]}}, "
)


def _set(kind: str, cpu: str = "1", more: str = "", replicas: int = 2) -> str:
    spec = f"{{metadata: {{labels: {{app: web}}}}, spec: {{{more}containers: [{{name: c, resources: {{requests: {{cpu: '{cpu}'}}}}}}]}}}}"
    return f"\nkind: {kind}\nmetadata: {{name: web}}\nspec: {{replicas: {replicas}, template: {spec}}}\n"


def _own(ordinal: int, node: str, owner: str = "ReplicaSet, name: web-5d8", more: str = "", status: str = "\n") -> str:
    owners = f"[{{apiVersion: apps/v1, controller: true, kind: {owner}}}]" if owner else "[]"
    metadata = f"{{name: web-{ordinal}, labels: {{app: web, pod-template-hash: 5d8}}, ownerReferences: {owners}}}"
    spec = f"{{nodeName: '{node}', {more}containers: [{{name: c, resources: {{requests: {{cpu: '1'}}}}}}]}}"
    return f"\nkind: Pod\nmetadata: {metadata}\nspec: {spec}{status}"


BOTH = [_own(0, "n1"), _own(1, "n2")]
OF_SET = [_own(0, "n1", "StatefulSet, name: web"), _own(1, "n2", "StatefulSet, name: web")]
OWN = [
    pytest.param(_set("Deployment"), BOTH, 0, "web (Deployment ×2) fits (2 already run)", id="a Deployment that runs"),
    pytest.param(_set("Deployment"), [*BOTH, _set("ReplicaSet").replace("web}", "web-5d8}", 1)], 0, "fits (2 already run)", id="with its ReplicaSet"),
    pytest.param(_set("StatefulSet"), OF_SET, 0, "web (StatefulSet ×2) fits (2 already run)", id="a StatefulSet that runs"),
    pytest.param(
        _set("Deployment", more=ALONE),
        [_own(0, "n1", more=ALONE), _own(1, "n2", more=ALONE)],
        0,
        "fits (2 already run)",
        id="its pods keep away from each other",
    ),
    pytest.param(
        _set("Deployment", replicas=3),
        BOTH,
        1,
        "2 of 3 are scheduled on the nodes in the input (2 already run): no pool",
        id="the third pod has no room",
    ),
    pytest.param(_set("Deployment", cpu="1100m"), BOTH, 1, " fit, up to 2 of 2 are scheduled", id="a rollout is not certain"),
    pytest.param(
        _set("Deployment"),
        [_own(0, "n1", ""), _own(1, "n2", "")],
        1,
        "stays Pending on the nodes in the input: no pool has enough cpu (1)",
        id="pods without an owner are others",
    ),
    pytest.param(
        _set("Deployment", replicas=3),
        [*BOTH, _own(2, "", status=REPORT)],
        1,
        "kube-scheduler reported in the pod's status: 0/1 nodes are available",
        id="kube-scheduler's report on its pod",
    ),
]


@pytest.mark.parametrize(("workload", "export", "status", "shown"), OWN)
def test_pods_of_the_workload_that_run(nodepools: Run, tmp_path: Path, pods: Pods, workload: str, export: str, status: int, shown: str) -> None:
    found = pods("---".join([ON_BOTH, *export]), "export.yaml")
    answer = nodepools("explain", pods(workload), "--existing", found, "--strict", cwd=tmp_path)
    assert answer.status == status
    assert shown in answer.out


@pytest.mark.parametrize(
    ("cpu", "step"),
    [
        pytest.param("100m", ": Use `preferredDuringSchedulingIgnoredDuringExecution` for Deployment `web`", id="only other pods decide"),
        pytest.param("9", "next: Add a pool that the pods fit, and use `preferredDuringSchedulingIgnoredDuringExecution` for", id="and the room"),
    ],
)
def test_where_pods_that_run_decide_the_term_is_named(nodepools: Run, tmp_path: Path, pods: Pods, cpu: str, step: str) -> None:
    node = NODE.replace("labels: {", "labels: {h: n1, ", 1)
    runs = _own(0, "n1", "").replace("cpu: '1'", "cpu: 1m")
    found = pods(f"{node}---{runs}", "export.yaml")
    out = nodepools("explain", pods(_set("Deployment", cpu, ALONE, 1)), "--existing", found, cwd=tmp_path).out
    assert step in out
    assert "no change of the pods" not in out


PORT = "ports: [{containerPort: 80, hostPort: 80}], "
ON_NODE = _own(0, "n1", "").replace("cpu: '1'", "cpu: 1m")
SPREAD = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}], "
KEPT_OFF = [
    pytest.param(
        _set("Deployment", "100m", replicas=1).replace("{name: c, ", f"{{name: c, {PORT}"),
        ON_NODE.replace("{name: c, ", f"{{name: c, {PORT}"),
        "pods.yaml:2: Use another `hostPort` for Deployment `web`",
        id="by a host port",
    ),
    pytest.param(
        _set("Deployment", "100m", replicas=1),
        _own(0, "n1", "", ALONE).replace("cpu: '1'", "cpu: 1m"),
        "next: Change the anti-affinity of pod `web-0` for Deployment `web`",
        id="by the anti-affinity of another pod",
    ),
    pytest.param(_set("Deployment", "100m", SPREAD, 1), ON_NODE, "next: Set the label `rack` on a pool", id="by a spread over a label"),
]


@pytest.mark.parametrize(("workload", "runs", "step"), KEPT_OFF)
def test_the_change_that_helps_is_of_what_keeps_pods_off(nodepools: Run, tmp_path: Path, pods: Pods, workload: str, runs: str, step: str) -> None:
    found = pods(f"{NODE.replace('labels: {', 'labels: {h: n1, ', 1)}---{runs}", "export.yaml")
    answer = nodepools("explain", pods(workload), "--existing", found, cwd=tmp_path)
    assert answer.status == 1
    assert step in answer.out
    assert "preferredDuring" not in answer.out


def test_what_kube_scheduler_reports_is_shown(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    found = ["--existing", pods(f"{NODE}---{FREE}", "export.yaml"), "--pool", "n1"]
    [one] = nodepools("explain", pods(ONE_CPU + REPORT), *found, "--format", "json", cwd=tmp_path).json["pods"]
    assert (one["verdict"], one["notices"]) == ("unknown", ["kube-scheduler reported in the pod's status: 0/1 nodes are available"])


def test_pods_that_already_run_are_counted_and_not_explained(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    export = pods(f"{NODE}---{BUSY}---{ONE_CPU}", "export.yaml")
    answer = nodepools("explain", export, "--existing", export, "--format", "json", cwd=tmp_path)
    assert [(one["name"], one["verdict"]) for one in answer.json["pods"]] == [("new", "cannot")]
    assert [note["message"] for note in answer.json["notices"]] == ["pods that already run on nodes are counted, not explained (1)"]


def test_lines_of_a_markdown_list_are_not_indented(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    apart = pods(ONE_CPU.replace("kind: Pod", "kind: Deployment").replace("spec: {", "spec: {replicas: 3, template: {spec: {")[:-1] + "}}\n")
    answer = nodepools("explain", apart, "--existing", pods(NODE, "pools.yaml"), "--format", "markdown", cwd=tmp_path)
    assert "\n  * 2 are Pending: " in answer.out


def test_a_node_that_is_not_ready_in_a_cluster_without_node_pools(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    export = pods(f"{NODE}spec: {{taints: [{{key: node.kubernetes.io/not-ready, effect: NoSchedule}}]}}\n---{FREE}", "export.yaml")
    [one] = nodepools("explain", pods(ONE_CPU), "--existing", export, "--format", "json", cwd=tmp_path).json["pods"]
    assert {pool["pool"]: pool["verdict"] for pool in one["pools"]} == {"n1": "unknown"}


NOT_RUNNING = [
    pytest.param("kind: Secret", "--existing: there is no Node, no NodePool, no node group and no agent pool in it", id="no pools"),
    pytest.param(f"{NODE}---\nkind: Pod\nstatus: []\n", "`status` must be an object", id="a pod that is none"),
    pytest.param(f"{NODE}---\nkind: Pod\nspec: []\n", "`spec` must be an object", id="a pod without a spec"),
    pytest.param(f"{NODE}---\nkind: PersistentVolume\nspec: 1\n", "`spec` must be an object", id="a volume that is none"),
    pytest.param("- a", "should be a Kubernetes object, not a list", id="no objects"),
]


@pytest.mark.parametrize(("text", "said"), NOT_RUNNING)
def test_what_cannot_be_read_of_a_running_cluster(nodepools: Run, tmp_path: Path, pods: Pods, text: str, said: str) -> None:
    answer = nodepools("explain", pods(ONE_CPU), "--existing", pods(text, "export.yaml"), cwd=tmp_path)
    assert (answer.status, len(answer.err.splitlines())) == (2, 1)
    assert said in answer.err


def test_node_pools_of_a_running_cluster(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    export = pods(f"{NODE}---{BUSY}---{NODES}", "export.yaml")
    [one] = nodepools("explain", pods(ONE_CPU), "--existing", export, "--format", "json", cwd=tmp_path).json["pods"]
    assert {pool["pool"]: pool["verdict"] for pool in one["pools"]} == {"n1": "cannot", "aks-web-1": "fits", "compute": "fits"}


def _in(region: str, group: str) -> str:
    """The nodes and NodePools of one export, in a place."""
    labels = f"labels: {{tier: web, topology.kubernetes.io/region: {region}}}"
    machine = f"spec: {{providerID: 'azure:///subscriptions/s/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachines/n'}}"
    return NODES.replace("labels: {tier: web}", labels, 1).replace("spec: {}", machine)


HERE = _in("eastus", "MC_a")
OF_SEVERAL = [
    pytest.param(HERE, _in("eastus", "mc_A"), "", id="one cluster"),
    pytest.param(HERE, NODES, "", id="one does not say"),
    pytest.param(HERE, _in("westus", "MC_a"), "nodes of several clusters (`eastus`, `westus`): pass those of one", id="regions"),
    pytest.param(HERE, _in("eastus", "MC_b"), "nodes of several clusters (`azure:///subscriptions/s/resourcegroups/mc_a`", id="resource groups"),
    pytest.param(NODES, NODES.replace("[amd64]", "[arm64]"), "NodePool `compute` is there twice, with other contents", id="a NodePool that differs"),
]


@pytest.mark.parametrize(("one", "other", "said"), OF_SEVERAL)
def test_exports_without_a_declaration_are_of_one_cluster(nodepools: Run, tmp_path: Path, pods: Pods, one: str, other: str, said: str) -> None:
    """An object that two files have is one object: its limits count once."""
    second = other.replace("name: aks-web-1", "name: aks-web-2")
    files = [word for name, text in (("a.yaml", one), ("b.yaml", second)) for word in ("--existing", pods(f"{text}---{IDLE}", name))]
    answer = nodepools("explain", pods(ONE_CPU), *files, "--format", "json", cwd=tmp_path)
    if said:
        assert (answer.status, said in answer.err) == (2, True)
    else:
        assert [pool["pool"] for pool in answer.json["pods"][0]["pools"]] == ["aks-web-1", "aks-web-2", "compute"]


def test_the_declared_cluster_that_runs_is_found_by_identity(nodepools: Run, project: Path, pods: Pods) -> None:
    for file, told in (("export.yaml", "put the key of the cluster into the name of the file"), ("weu.yaml", "")):
        answer = nodepools("explain", pods(ONE_CPU), "--stack", "prod", "--existing", pods(NODE, file), cwd=project)
        assert (answer.status, told in answer.err, "weu/" in answer.out) == (2 if told else 0, True, not told)


def test_files_of_two_clusters_are_not_one_that_runs(nodepools: Run, project: Path, pods: Pods) -> None:
    files = [word for file in ("weu.yaml", "neu.yaml") for word in ("--existing", pods(NODE, file))]
    answer = nodepools("explain", pods(ONE_CPU), "--stack", "prod", *files, cwd=project)
    assert (answer.status, "the files are of several clusters (`weu`, `neu`): pass those of one" in answer.err) == (2, True)


@pytest.mark.parametrize("command", ["check", "explain"])
def test_the_name_of_a_stack_is_not_a_file(nodepools, project, command):
    answer = nodepools(command, "prod", cwd=project)
    assert (answer.status, answer.err) == (2, "error: prod: No such file or directory: `prod` is a stack: use `--stack prod`\n")


def test_a_kind_that_its_api_group_does_not_have_is_not_skipped(nodepools, project, tmp_path):
    (tmp_path / "w.yaml").write_text(
        "apiVersion: apps/v1\nkind: Deploymnet\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: ControllerRevision\nrevision: 1\n"
    )
    answer = nodepools("explain", str(tmp_path / "w.yaml"), cwd=project)
    assert answer.status == 2
    assert "w.yaml:2:1: `apps/v1` does not have a kind `Deploymnet`: use `Deployment`\n" in answer.err
    assert "ControllerRevision" not in answer.err


def test_a_node_is_uncordoned_for_a_workload(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    cordoned = pods(NODE + "spec: {unschedulable: true}\n---" + BUSY.replace("n1", "none"), "n.yaml")
    both = pods(f"{ONE_CPU}---{ONE_CPU.replace('new', 'other')}")
    answer = nodepools("explain", both, "--existing", cordoned, cwd=tmp_path)
    assert "next: Uncordon the node for new: then it fits `n1`\n" in answer.out


def test_a_declaration_whose_own_workloads_stay_pending_is_explained(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    """`check` reports them, and says that `explain` lists every reason."""
    size = "vm_size: Standard_D4ds_v5"
    pools = f"system_pool: {{{size}, count: 3}}, pools: {{a: {{kind: UserPool, {size}, count: 2}}}}"
    own = "[{kind: Pod, metadata: {name: own}, spec: {nodeSelector: {tier: x}, containers: [{name: c}]}}]"
    clusters = f"{{weu: {{kind: AksCluster, location: westeurope, kubernetes_version: '1.35', {pools}}}}}"
    platform = pods(f"name: p\nmust_fit: {own}\nclusters: {clusters}\n", "p.yaml")
    assert "PLT030" in nodepools("check", "--file", platform, cwd=tmp_path).out
    assert nodepools("explain", pods(_deployment("web", 1)), "--file", platform, cwd=tmp_path).status == 0
    wrong = pods(f"name: p\nmust_fit: [{{kind: Secret}}]\nclusters: {clusters}\n", "p.yaml")
    assert "no answer: 1 error" in nodepools("explain", pods(_deployment("web", 1)), "--file", wrong, cwd=tmp_path).err


@pytest.mark.parametrize("nodes", ["count: 0", "count: 2, power_state: Stopped"])
def test_a_pool_that_lacks_only_nodes_gets_some(nodepools: Run, tmp_path: Path, pods: Pods, nodes: str) -> None:
    size = "vm_size: Standard_D4ds_v5"
    pools = f"a: {{kind: UserPool, {size}, {nodes}, labels: {{tier: a}}}}, b: {{kind: UserPool, {size}, labels: {{tier: b}}}}"
    cluster = f"kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {{{size}, count: 3}}"
    platform = pods(f"name: p\nclusters: {{weu: {{{cluster}, pools: {{{pools}}}}}}}\n", "p.yaml")
    answer = nodepools("explain", pods(_deployment("web", 1, nodeSelector={"tier": "a"})), "--file", platform, cwd=tmp_path)
    assert f"next: {platform}:2: Give `weu/a` nodes (start it if it is stopped) for Deployment `web`\n" in answer.out


@pytest.mark.parametrize(
    ("api_version", "kind", "told"),
    [
        ("extensions/v1beta1", "Deployment", "no version of Kubernetes from 1.16 serves `extensions/v1beta1`: use `apps/v1`"),
        ("batch/v1beta1", "CronJob", "no version of Kubernetes from 1.25 serves `batch/v1beta1`: use `batch/v1`"),
        ("policy/v1beta1", "PodDisruptionBudget", "no version of Kubernetes from 1.25 serves `policy/v1beta1`: use `policy/v1`"),
    ],
)
def test_a_version_that_no_cluster_serves_is_not_placed(nodepools, project, tmp_path, api_version, kind, told):
    pods = {"kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    old = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "b"}, "spec": {"template": pods}}
    (tmp_path / "w.json").write_text(json.dumps({"kind": "List", "items": [old, pods]}))
    answer = nodepools("explain", str(tmp_path / "w.json"), cwd=project)
    assert (answer.status, f"{kind}/b: {told}" in answer.err, "a (Pod) fits" in answer.out) == (2, True, True)


_TWICE = "Deployment/web: `{}` is set in line {}, too: the API server drops the first value"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("replicas: 1", "replicas: 1\n  replicas: 9", _TWICE.format("replicas", 5)),
        ("apiVersion: apps/v1", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: lost}\napiVersion: apps/v1", _TWICE.format("apiVersion", 1)),
        ("labels: {app: web}", "labels: {app: web, app: web}", ""),
        ("replicas: 1", "replicas: 1", ""),
    ],
)
def test_a_key_that_is_there_twice(nodepools, project, pods, old, new, told):
    written = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: "b:1"}]}}
"""
    answer = nodepools("explain", pods(written.replace(old, new, 1)), cwd=project)
    assert (answer.status, told in answer.err, "web (Deployment" in answer.out) == (2 if told else 0, True, True)


def test_a_workload_without_pods_fits_no_pool_and_needs_none(nodepools, project, tmp_path):
    none = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "none"}}
    spec = {"replicas": 0, "template": {"spec": {"nodeSelector": {"tier": "nosuch"}, "containers": [{"name": "a", "image": "b"}]}}}
    others = [{"kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [{"name": "a", "image": "b"}]}} for name in "abc"]
    (tmp_path / "w.json").write_text(json.dumps({"kind": "List", "items": [{**none, "spec": spec}, *others]}))
    answer = nodepools("explain", str(tmp_path / "w.json"), cwd=project)
    assert (answer.status, answer.out.splitlines()[0]) == (0, "dev: all 4 workloads fit; nothing to change")
    assert "- none  none (Deployment ×0)  no pods to schedule" in answer.out
    assert "fits no pool" not in answer.out


def test_workloads_that_share_a_pool_without_room_for_all(nodepools: Run, project: Path, pods: Pods) -> None:
    one = _deployment("web", 4, nodeSelector={"tier": "web"}, **_requests(cpu="1"))
    answer = nodepools("explain", "--stack", "dev", pods("\n---\n".join([one, one.replace('"web"', '"api"', 1)])), cwd=project)
    assert answer.status == 1
    head = answer.out.splitlines()[0]
    assert head == "dev: no workload of 2 is certain to fit; web, api are unknown; at least 3 of the 8 pods of web and api stay Pending"
    assert "  ✘ `weu/web` runs at most 5 of the 8 pods of `web` and `api`: at least 3 stay Pending" in answer.out.splitlines()


def test_files_of_one_object_are_not_counted_together(nodepools: Run, project: Path, pods: Pods) -> None:
    few, many = (_deployment("web", many, nodeSelector={"nodepools/name": "web"}, **_requests(cpu="1500m")) for many in (3, 5))
    copies = nodepools("explain", "--format", "json", pods(few), pods(few, "copy.yaml"), cwd=project).json
    assert [(one["name"], one["verdict"]) for one in copies["workloads"]] == [("web", "unknown")]
    answer = " ".join(nodepools("explain", "--details", pods(few), pods(many, "many.yaml"), cwd=project).out.split())
    assert "a cluster has one `default/Deployment/web`, and the input has 2 that differ" in answer
    assert "of the 8 pods" not in answer


def test_the_name_of_a_stack_is_no_part_of_a_cluster(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    cluster = {
        "kind": "AksCluster",
        "location": "westeurope",
        "kubernetes_version": "1.35",
        "system_pool": {"vm_size": "Standard_D4ds_v5", "count": 2},
    }
    web = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "count": 3}
    files = [pods(json.dumps({"name": name, "clusters": {"weu": {**cluster, "pools": {"web": web}}}}), f"{name}.json") for name in ("t", "u")]
    wants = _deployment("fuse", containers=[{"name": "main", "resources": {"limits": {"smarter-devices/fuse": 1}}}])
    answer = nodepools("explain", "--file", files[0], "--file", files[1], pods(wants), cwd=tmp_path).out
    assert "in t, u  `weu/web` may lack" in answer


def test_nodes_are_missing_before_pods_are_too_large(nodepools: Run, project: Path, pods: Pods) -> None:
    one = _deployment("web", 5, nodeSelector={"tier": "web"}, **_requests(cpu="1500m"))
    found = nodepools("explain", "--stack", "dev", "--format", "json", pods("\n---\n".join([one, one.replace('"web"', '"api"', 1)])), cwd=project)
    assert found.json["next"][0] == "stacks/dev.py:34: Allow more nodes in `weu/web` for Deployment `web`"
    assert found.json["next"][1].endswith("Request at most `1300m` cpu in web: then up to 5 of 5 fit `weu/web`")


PINNED = """
kind: PersistentVolume
apiVersion: v1
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  csi: {driver: disk.csi.azure.com, volumeHandle: disk}
  claimRef: {name: data, namespace: default}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: In, values: [web]}]}]}}
status: {phase: Bound}
---
kind: PersistentVolumeClaim
apiVersion: v1
metadata: {name: data, namespace: default, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {volumeName: disk, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
status: {phase: Bound}
---
kind: Pod
metadata: {name: new}
spec:
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
  containers: [{resources: {requests: {cpu: CPU}}}]
"""


@pytest.mark.parametrize(
    ("amount", "step"),
    [
        pytest.param("1", "Request at most `130m` cpu: then it fits `n1`", id="the node of the volume is full: the pod can be smaller"),
        pytest.param("100m", "", id="it fits"),
    ],
)
def test_a_volume_is_not_blamed_for_a_node_that_is_full(nodepools: Run, tmp_path: Path, pods: Pods, amount: str, step: str) -> None:
    other = NODE.replace("n1", "n2").replace("tier: web", "tier: api")
    export = pods(f"{NODE}---{other}---{BUSY}", "export.yaml")
    found = nodepools("explain", "--existing", export, "--format", "json", pods(PINNED.replace("CPU", amount)), cwd=tmp_path).json
    assert [text.partition(": ")[2] for text in found["next"]] == [step][: len(step)]


def test_of_nodes_none_lacks_the_room_that_others_have(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    both = pods(f"{NODE}---{NODE.replace('n1', 'n2')}---{FREE}", "export.yaml")
    answer = nodepools("explain", "--existing", both, pods(_deployment("web", 2, **_requests(cpu="1"))), cwd=tmp_path)
    assert "web (Deployment ×2) fits n1" in answer.out
    assert "it has at most" not in answer.out


@pytest.mark.parametrize(
    ("limits", "spec", "step"),
    [
        pytest.param("cpu: '32'", {"topologySpreadConstraints": APART}, "(cpu 32)", id="a node for each zone is a matter of limits, not of requests"),
        pytest.param("nodes: '2'", {"affinity": EACH_ALONE}, "(nodes 2)", id="a node for each pod too"),
    ],
)
def test_limits_keep_nodes_away(nodepools: Run, tmp_path: Path, pods: Pods, limits: str, spec: dict[str, object], step: str) -> None:
    pool = f"{{limits: {{{limits}}}, requirements: [{{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}]}}"
    cluster = "kind: EksCluster, region: us-east-1, kubernetes_version: '1.35'"
    auto = f"auto_mode: {{built_in_node_pools: [system], node_pools: {{a: {pool}}}}}"
    platform = pods(f"name: p\nclusters: {{use1: {{{cluster}, {auto}}}}}\n", "p.yaml")
    found = nodepools("explain", "--file", platform, "--format", "json", pods(_deployment("web", 3, **_requests(cpu="100m"), **spec)), cwd=tmp_path)
    assert found.json["next"][0] == f"{platform}:2: Raise `limits` of NodePool `use1/a` {step} for Deployment `web`"


@pytest.mark.parametrize(
    ("most", "raised"),
    [
        pytest.param(5, "`replicas` of NodePool `use1/a` (2)", id="its limits are no obstacle"),
        pytest.param(1, "`limits` of NodePool `use1/a` (nodes 1)", id="it has no more nodes than its limits allow"),
    ],
)
def test_a_static_pool_has_its_replicas_within_its_limits(nodepools: Run, tmp_path: Path, pods: Pods, most: int, raised: str) -> None:
    pool = f"{{replicas: 2, limits: {{nodes: '{most}'}}, requirements: [{{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}]}}"
    cluster = "kind: EksCluster, region: us-east-1, kubernetes_version: '1.35'"
    auto = f"auto_mode: {{built_in_node_pools: [system], node_pools: {{a: {pool}}}}}"
    platform = pods(f"name: p\nclusters: {{use1: {{{cluster}, {auto}}}}}\n", "p.yaml")
    web = pods(_deployment("web", 3, **_requests(cpu="100m"), affinity=EACH_ALONE))
    found = nodepools("explain", "--file", platform, "--format", "json", web, cwd=tmp_path)
    assert found.json["next"][0] == f"{platform}:2: Raise {raised} for Deployment `web`"
    assert found.json["workloads"][0]["scheduled"] == {"minimum": min(most, 2), "maximum": min(most, 2)}


CORDONED = f"{NODE.replace('n1', 'n3')}spec: {{unschedulable: true}}\n"


@pytest.mark.parametrize(
    ("policy", "verdict", "step"),
    [
        pytest.param({"nodeTaintsPolicy": "Honor"}, "unknown", "", id="a cordoned node has a taint, and does not count"),
        pytest.param({}, "partly", "Set `nodeTaintsPolicy: Honor` for Deployment `web`", id="it counts otherwise"),
    ],
)
def test_a_spread_next_to_a_cordoned_node(nodepools: Run, tmp_path: Path, pods: Pods, policy: dict[str, object], verdict: str, step: str) -> None:
    nodes = pods("---".join([NODE, NODE.replace("n1", "n2"), CORDONED, FREE]), "export.yaml")
    over_nodes = [{**APART[0], "topologyKey": "kubernetes.io/hostname", "minDomains": 1, **policy}]
    web = pods(_deployment("web", 4, **_requests(cpu="100m"), topologySpreadConstraints=over_nodes))
    found = nodepools("explain", "--existing", nodes, "--format", "json", web, cwd=tmp_path).json
    assert found["workloads"][0]["verdict"] == verdict
    assert step in found["next"][0]


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({"topologySpreadConstraints": [{**APART[0], "topologyKey": "rack", "minDomains": 1}]}, id="spread"),
        pytest.param({"affinity": {"podAffinity": {_REQUIRED: [{"topologyKey": "rack", "labelSelector": _WEB}]}}}, id="affinity"),
    ],
)
def test_nodes_without_the_label_of_a_spread_do_not_fit(nodepools: Run, tmp_path: Path, pods: Pods, spec: dict[str, object]) -> None:
    nodes = pods("---".join([NODE.replace("tier: web", "rack: r1"), NODE.replace("n1", "n2"), FREE]), "export.yaml")
    found = nodepools("explain", "--existing", nodes, "--format", "json", pods(_deployment("web", 2, **_requests(cpu="100m"), **spec)), cwd=tmp_path)
    verdicts = {pool["pool"]: pool["verdict"] for pool in found.json["pods"][0]["pools"]}
    assert verdicts == {"n1": "fits", "n2": "cannot"}


def test_the_share_of_a_daemon_set_is_of_the_node_and_not_of_what_others_leave(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    sized = NODE.replace("status: {", "status: {capacity: {cpu: '2'}, ")
    nodes = pods(f"{sized}---{BUSY.replace('1800m', '1500m')}", "export.yaml")
    daemon = {"template": {"spec": _requests(cpu="300m")}}
    agent = pods(json.dumps({"kind": "DaemonSet", "metadata": {"name": "agent"}, "spec": daemon}))
    answer = nodepools("explain", "--existing", nodes, agent, cwd=tmp_path)
    assert "runs on every pool; nothing to change" in answer.out


def test_pods_of_others_occupy_no_more_nodes_than_there_are_pods(nodepools: Run, tmp_path: Path, pods: Pods) -> None:
    away = {"podAntiAffinity": {_REQUIRED: [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "api"}}}]}}
    nodes = pods(f"{NODE}---{FREE}", "export.yaml")
    both = pods("\n---\n".join([_deployment("web", 1, **_requests(cpu="100m"), affinity=away), _deployment("api", 1, **_requests(cpu="100m"))]))
    found = nodepools("explain", "--existing", nodes, "--format", "json", both, cwd=tmp_path).json
    assert any("which can occupy 1 node" in workload["message"] for workload in found["workloads"])


def test_the_types_that_the_pods_require_are_too_small(nodepools: Run, project: Path, pods: Pods) -> None:
    small = {"nodeSelector": {"eks.amazonaws.com/instance-cpu": "2"}}
    answer = nodepools("explain", pods(_deployment("web", 1, **_requests(cpu="6"), **small)), cwd=project)
    assert "enough cpu (6) on types with eks.amazonaws.com/instance-cpu=2" in " ".join(answer.out.split())


OWNED = """
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, template: {spec: {nodeSelector: {nodepools/name: web}, containers: [{name: main, ports: [{hostPort: 80, containerPort: 80}]}]}}}
---
kind: ReplicaSet
metadata: {name: web-5d8, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]}
spec: {replicas: 2, template: {spec: {nodeSelector: {nodepools/name: web}, containers: [{name: main, ports: [{hostPort: 80, containerPort: 80}]}]}}}
"""


def test_what_a_workload_creates_is_not_counted_again(nodepools: Run, project: Path, pods: Pods) -> None:
    answer = nodepools("explain", "--format", "json", pods(OWNED), cwd=project)
    assert [one["name"] for one in json.loads(answer.out)["workloads"]] == ["web"]
    assert "what the input has twice, or creates itself, is not counted again (1)" in answer.err + answer.out


JOB = """
kind: Job
apiVersion: batch/v1
metadata: {{name: later}}
spec:
  suspend: true
  parallelism: 3
  template: {{spec: {{restartPolicy: Never, {pod}, containers: [{{name: main, resources: {{requests: {{cpu: 100m}}}}}}]}}}}
"""


@pytest.mark.parametrize(
    ("pod", "answer"),
    [
        pytest.param("nodeSelector: {tier: web}", "when it is resumed, a pod fits weu/web", id="fits"),
        pytest.param(
            "nodeSelector: {tier: wbe}", "when it is resumed, they stay Pending everywhere: label tier=wbe, weu/web has tier=web", id="fits none"
        ),
        pytest.param("schedulerName: volcano", "whether they are scheduled when it is resumed is unknown: spec.schedulerName", id="not known"),
    ],
)
def test_a_suspended_job_has_no_pods(nodepools: Run, project: Path, pods: Pods, pod: str, answer: str) -> None:
    found = nodepools("explain", "--strict", "--stack", "dev", pods(JOB.format(pod=pod)), cwd=project)
    assert found.status == ("they stay Pending" in answer)
    assert nodepools("explain", "--stack", "dev", pods(JOB.format(pod=pod)), cwd=project).status == 0
    assert f"later (Job) has no pods while it is suspended; {answer}" in " ".join(found.out.split())


LIMITS = """
---
apiVersion: v1
kind: LimitRange
metadata: {name: small}
spec: {limits: [{type: Container, max: {cpu: 50m}}]}
"""


def test_a_suspended_job_whose_pods_are_rejected_stays_pending(nodepools: Run, project: Path, pods: Pods) -> None:
    found = nodepools("explain", "--stack", "dev", pods(JOB.format(pod="nodeSelector: {tier: web}") + LIMITS), cwd=project)
    assert "when it is resumed, they stay Pending everywhere: the API server rejects the pods" in " ".join(found.out.split())


def test_suspended_workloads_are_not_counted_as_those_that_fit(nodepools: Run, project: Path, pods: Pods) -> None:
    job = JOB.format(pod="nodeSelector: {tier: wbe}")
    found = nodepools("explain", "--stack", "dev", pods(f"{job}---\n{job.replace('later', 'never')}"), cwd=project)
    assert found.out.splitlines()[0] == "dev: later, never have no pods while suspended; later, never would stay Pending when resumed"


def test_suspended_workloads_among_others(nodepools: Run, project: Path, pods: Pods) -> None:
    found = nodepools("explain", "--stack", "dev", pods(f"{POD}---{JOB.format(pod='nodeSelector: {tier: wbe}')}"), cwd=project)
    assert found.status == 0
    assert found.out.splitlines()[0].endswith(
        ": 1 workload fits, not each in every cluster; later has no pods while suspended; later would stay Pending when resumed"
    )


@pytest.mark.parametrize("options", [(), ("--details",), ("--matrix",), ("--without", "each"), ("--without", "zone=1"), ("--format", "markdown")])
def test_workloads_of_one_name_are_named_with_their_namespaces(nodepools: Run, project: Path, pods: Pods, options: tuple[str, ...]) -> None:
    """Wherever a text names one of them; a name that is unique stays as it is."""
    spaces = {"red": {"tier": "wbe"}, "blue": {"tier": "web"}, "gray": {}}
    each = [json.loads(_deployment("api", 900, nodeSelector=wanted, **_requests(cpu="1"))) for wanted in spaces.values()]
    written = [{**one, "metadata": {"name": "api", "namespace": space}} for one, space in zip(each, spaces, strict=True)]
    shown = nodepools(
        "explain", "--stack", "dev", *options, pods(json.dumps({"kind": "List", "items": [*written, json.loads(_deployment("one"))]})), cwd=project
    ).out
    assert all(f"{space}/api" in shown for space in spaces)
    assert re.findall(r"(?<![/\w])(?:[A-Z]\w+/)?api\b", shown) == []
    assert "default/one" not in shown
