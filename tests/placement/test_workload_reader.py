"""Workloads and pools from raw objects: a row a kind."""

from typing import Any

import pytest

from nodepools.manifests.existing.live_pools import read_live_pools
from nodepools.manifests.workloads import workload_file
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.kubernetes.validated_part import InvalidWorkloadError
from nodepools.placement.explain import Explainer
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, worst
from nodepools.placement.workloads.pod_changes import AddToleration
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import TextError

ONE = "spec: {containers: [{}]}\n"
SPEC = {"nodeSelector": {"a": "b"}, "containers": [{"name": "main"}]}
TEMPLATE = {"template": {"spec": SPEC}}
ENDING = {"template": {"spec": {**SPEC, "restartPolicy": "Never"}}}
KINDS = [
    pytest.param({"kind": "Pod", "spec": SPEC}, 1, id="a pod is one"),
    pytest.param({"kind": "Deployment", "spec": {**TEMPLATE, "replicas": 3}}, 3, id="a deployment has replicas"),
    pytest.param({"kind": "StatefulSet", "spec": TEMPLATE}, 1, id="one when left out"),
    pytest.param({"kind": "ReplicaSet", "spec": TEMPLATE}, 1, id="a replica set"),
    pytest.param({"kind": "DaemonSet", "spec": TEMPLATE}, None, id="a daemon set has one a node"),
    pytest.param({"kind": "Job", "spec": {**ENDING, "parallelism": 4}}, 4, id="a job has parallelism"),
    pytest.param({"kind": "CronJob", "spec": {"jobTemplate": {"spec": {**ENDING, "parallelism": 2}}}}, 2, id="a cron job has a job"),
    pytest.param({"kind": "List", "items": [{"kind": "Pod", "spec": SPEC}]}, 1, id="a list"),
    pytest.param({"kind": "PodList", "items": [{"spec": SPEC}]}, 1, id="a list of one kind leaves it out of its items"),
    pytest.param([None, {"kind": "Secret"}, {"kind": "Pod", "spec": SPEC}], 1, id="what makes no pods is passed over"),
]


@pytest.mark.parametrize(("raw", "replicas"), KINDS)
def test_kinds(raw: Any, replicas: int | None) -> None:
    [workload] = read_workloads(raw)
    assert workload.replicas == replicas
    assert workload.pod.node_selector == (("a", "b"),)


ORDERS = [
    pytest.param("StatefulSet", {}, (True, 0), id="a stateful set creates one pod after another"),
    pytest.param("StatefulSet", {"podManagementPolicy": "Parallel", "ordinals": {"start": 3}}, (False, 3), id="or all at once"),
    pytest.param("Deployment", {}, (False, 0), id="a deployment has no order"),
]


@pytest.mark.parametrize(("kind", "spec", "expected"), ORDERS)
def test_order(kind: str, spec: Any, expected: tuple[bool, int]) -> None:
    [workload] = read_workloads({"kind": kind, "spec": {**TEMPLATE, **spec}})
    assert (workload.ordered, workload.first) == expected


def test_names_and_namespaces() -> None:
    [named, made] = workload_file(
        f"kind: Pod\nmetadata: {{name: a, namespace: b}}\n{ONE}---\nkind: Pod\nmetadata: {{generateName: c-}}\n{ONE}---\n", "x.yaml"
    ).workloads
    assert [(one.name, one.namespace) for one in (named, made)] == [("a", "b"), ("c-", "default")]


def test_one_document_within_another_file_is_told_with_its_place() -> None:
    with pytest.raises(TextError, match=r"x\.yaml:4:1"):
        workload_file("kind: ConfigMap\n---\na: [\n", "x.yaml")
    with pytest.raises(TextError, match="nested too deeply"):
        workload_file("[" * 4000 + "]" * 4000, "x.yaml")
    with pytest.raises(TextError, match="characters are not allowed"):
        workload_file("a: \x07\n", "x.yaml")


NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-family, operator: In, values: [D]}]
"""
NODES = """
kind: NodeList
items:
- {metadata: {name: tainted, labels: {a: b}}, spec: {taints: [{key: team, value: ml, effect: NoSchedule}]}}
- {metadata: {name: starting}, spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]}}
"""
UNTOLERATING = Workload("p", "default", "Pod", next(iter(read_workloads({"kind": "Pod", "spec": {"containers": [{"name": "main"}]}}))).pod)


def verdicts(*files: str) -> dict[str, str]:
    answer = Explainer(read_live_pools([(text, "pools.yaml") for text in files])).answer(UNTOLERATING)
    return {one.pool: one.verdict.value for one in answer.pools}


def test_pools_as_a_cluster_holds_them() -> None:
    assert verdicts(NODE_POOL, NODES, "---\n") == {"general": "fits", "tainted": "cannot", "starting": "unknown"}


STARTUP = NODE_POOL.replace(
    "      requirements:",
    "      startupTaints: [{key: cni/wait, value: a, effect: NoExecute}, {key: s, effect: PreferNoSchedule}]\n      requirements:",
)


@pytest.mark.parametrize(
    ("pool", "taint", "verdict"),
    [
        ("general", "cni/wait, effect: NoExecute", "unknown"),
        ("general", "cni/wait, effect: NoSchedule", "cannot"),
        ("general", "s, effect: PreferNoSchedule", "fits"),
        ("other", "cni/wait, effect: NoExecute", "cannot"),
        ("other", "karpenter.sh/unregistered, effect: NoExecute", "unknown"),
        ("other", "readiness.k8s.io/network, effect: NoSchedule", "unknown"),
    ],
)
def test_a_node_with_a_startup_taint(pool: str, taint: str, verdict: str) -> None:
    node = f"kind: Node\nmetadata: {{name: n1, labels: {{karpenter.sh/nodepool: {pool}}}}}\nspec: {{taints: [{{key: {taint}}}]}}\n"
    assert verdicts(STARTUP, node)["n1"] == verdict


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("metadata: {name: general, deletionTimestamp: '2026-11-26T00:00:00Z'}", "the NodePool is being deleted in the export"),
        ("metadata: {name: general}\nstatus: {conditions: [{type: Ready, status: 'False', reason: NodeClassNotReady}]}", "(NodeClassNotReady)"),
        ("metadata: {name: general}\nstatus: {conditions: [{type: Ready, status: Unknown}]}", "the NodePool is not ready in the export: Karpenter"),
    ],
)
def test_a_node_pool_for_which_karpenter_launches_no_node(part: str, why: str) -> None:
    pools = read_live_pools([(NODE_POOL.replace("metadata: {name: general}", part), "pools.yaml")])
    [judged] = Explainer(pools).answer(UNTOLERATING).pools
    assert judged.verdict is Verdict.UNKNOWN
    assert why in judged.reasons[-1].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("a", "should be a Kubernetes object", id="a word"),
        pytest.param("kind: Pod\n", "no Node, no NodePool, no node group", id="no pools"),
        pytest.param(NODE_POOL.replace("operator: In", "operator: in"), "NodePool/general", id="a NodePool that is none"),
        pytest.param("kind: Node\nmetadata: {name: 1}\n", "`name` must be text", id="a node that is none"),
    ],
)
def test_pools_that_are_none(text: str, said: str) -> None:
    with pytest.raises(TextError, match=said):
        read_live_pools([(text, "pools.yaml")])


def test_what_is_no_object_is_no_workload() -> None:
    with pytest.raises(PodError, match="a Kubernetes object is required, not `3`"):
        list(read_workloads([3]))
    with pytest.raises(PodError, match="`kind` is missing"):
        list(read_workloads({"apiVersion": "v1"}))


def test_a_preference_that_is_not_met_takes_nothing_away() -> None:
    assert worst([Reason(Kind.PREFERENCE, "nodes didn't match the preference `a`", verdict=Verdict.FITS)]) is Verdict.FITS


def test_json_of_a_judgement() -> None:
    tolerate = AddToleration(Taint("b"))
    judged = PoolVerdict("a", Verdict.CANNOT, (Reason(Kind.TAINT, "no", tolerate), Reason(Kind.LIMIT, "none")), ("m5.large",))
    assert judged.to_json({tolerate: tolerate}) == {
        "pool": "a",
        "verdict": "cannot",
        "reasons": [{"kind": "taint", "message": "no", "fix": "add toleration `b:NoSchedule`"}, {"kind": "limit", "message": "none"}],
        "instance_types": ["m5.large"],
    }


def test_a_workload_that_the_api_server_rejects_is_not_read() -> None:
    with pytest.raises(InvalidWorkloadError, match="Pod/web: ") as caught:
        list(read_workloads({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": []}}))
    assert caught.value.path
