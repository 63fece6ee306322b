"""Workloads and pools from raw objects: a row a kind."""

from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.manifests.workloads import workload_file
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.validated_part import InvalidWorkloadError
from nodepools.placement.explain import Explainer
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, worst
from nodepools.placement.workloads.pod_changes import AddToleration
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.replicas.explained import explain_replicas

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
    answer = Explainer(read_existing_pools([(text, "pools.yaml") for text in files])).answer(UNTOLERATING)
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
        ("other", "node.kubernetes.io/disk-pressure, effect: NoSchedule", "unknown"),
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
    pools = read_existing_pools([(NODE_POOL.replace("metadata: {name: general}", part), "pools.yaml")])
    [judged] = Explainer(pools).answer(UNTOLERATING).pools
    assert judged.verdict is Verdict.UNKNOWN
    assert why in judged.reasons[-1].message


def test_a_node_pool_whose_class_is_not_among_those_that_were_exported() -> None:
    other = "---\napiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: other}\n"
    [found] = Explainer(read_existing_pools([(NODE_POOL + other, "pools.yaml")])).answer(UNTOLERATING).pools
    assert found.verdict is Verdict.UNKNOWN
    assert "its AKSNodeClass `default` is not in the export" in found.reasons[-1].message


@pytest.mark.parametrize(
    ("limit", "used", "pods", "expected"),
    [
        pytest.param("8", "8", 3, (Verdict.UNKNOWN, 0, 3), id="no node more, and those that run may have room"),
        pytest.param("10", "8", 3, (Verdict.FITS, 1, 3), id="a small node more"),
        pytest.param("1000", "8", 3, (Verdict.FITS, 3, 3), id="enough for all"),
        pytest.param("1000", "0", 3, (Verdict.FITS, 3, 3), id="nothing runs"),
    ],
)
def test_what_the_status_says_of_the_limits_is_used(limit: str, used: str, pods: int, expected: tuple[Verdict, int, int]) -> None:
    pool = f'{NODE_POOL}  limits: {{cpu: "{limit}"}}\nstatus: {{resources: {{cpu: "{used}", pods: "110"}}}}\n'
    spec = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}
    workload = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": pods, "template": {"spec": spec}}}
    [explained] = explain_replicas(list(read_workloads([workload])), [read_existing_pools([(pool, "pools.yaml")])])
    scheduled = explained.count.scheduled
    assert (explained.answer.verdict, scheduled.minimum, scheduled.maximum) == expected


def test_pods_that_fit_no_node_whatever_is_used() -> None:
    pool = f'{NODE_POOL}  limits: {{cpu: "4"}}\nstatus: {{resources: {{cpu: "4"}}}}\n'
    workload = {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "9"}}}]}}
    [explained] = explain_replicas(list(read_workloads([workload])), [read_existing_pools([(pool, "pools.yaml")])])
    assert explained.answer.verdict is Verdict.CANNOT


def test_a_status_that_is_none() -> None:
    with pytest.raises(TextError, match="NodePool/general: `cpu` must be a quantity"):
        read_existing_pools([(f'{NODE_POOL}  limits: {{cpu: "8"}}\nstatus: {{resources: {{cpu: x}}}}\n', "pools.yaml")])


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
        read_existing_pools([(text, "pools.yaml")])


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


LEVELS = ("metadata", "spec", "spec.template", "spec.template.metadata", "spec.template.spec", "spec.template.spec.containers.0")


def deployment(at: str = "", /, **fields: Any) -> dict[str, Any]:
    """A Deployment, with fields at a path."""
    container: dict[str, Any] = {"name": "c", "image": "i"}
    made: dict[str, Any] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"template": {"metadata": {}, "spec": {"containers": [container]}}},
    }
    place: Any = made
    for step in at.split(".") if at else ():
        place = place[int(step) if step.isdigit() else step]
    place.update(fields)
    return made


POD = "spec.template.spec"
REJECTED = [
    pytest.param(POD, {"nodeSelektor": {}}, f"`{POD}.nodeSelektor` is not a field: use `nodeSelector`", id="a misspelt field"),
    pytest.param(POD, {"toleration": []}, f"`{POD}.toleration` is not a field: use `tolerations`", id="the singular"),
    pytest.param("spec", {"containers": []}, "`spec.containers` is not a field here: move it to `spec.template.spec.containers`", id="a level below"),
    pytest.param(
        "spec", {"nodeSelector": {}}, f"`spec.nodeSelector` is not a field here: move it to `{POD}.nodeSelector`", id="below, and like `selector`"
    ),
    pytest.param(f"{POD}.containers.0", {"port": 80}, f"`{POD}.containers[0].port` is not a field: use `ports`", id="the singular of another branch"),
    pytest.param(POD, {"replicas": 3}, f"`{POD}.replicas` is not a field here: move it to `spec.replicas`", id="a level above"),
    pytest.param(POD, {"ports": []}, f"`{POD}.ports` is not a field here: move it to `{POD}.containers[].ports`", id="of each container"),
    pytest.param("spec.template", {"kind": "Pod"}, "`spec.template.kind` is not a field here: remove it", id="a template has no kind"),
    pytest.param("spec", {"serviceName": "a"}, "`spec.serviceName` is not a field here: remove it", id="of a StatefulSet"),
    pytest.param(POD, {"nodeSelector": {"a": 1}}, f"`{POD}.nodeSelector.a` is `1`, and must be text: put it in quotes", id="a number as text"),
    pytest.param(POD, {"hostNetwork": "yes"}, f'`{POD}.hostNetwork` is `"yes"`, and must be `true` or `false`', id="text as a flag"),
    pytest.param(POD, {"tolerations": {}}, f"`{POD}.tolerations` is `{{}}`, and must be a list", id="an object as a list"),
    pytest.param(POD, {"affinity": []}, f"`{POD}.affinity` is `[]`, and must be an object", id="a list as an object"),
    pytest.param(f"{POD}.containers.0", {"args": [80]}, f"`{POD}.containers[0].args[0]` is `80`, and must be text: put it in quotes", id="in a list"),
    pytest.param(
        f"{POD}.containers.0",
        {"resources": {"request": {"cpu": "1"}}},
        f"`{POD}.containers[0].resources.request` is not a field: use `requests`",
        id="in an object of a container",
    ),
    pytest.param(
        f"{POD}.containers.0",
        {"ports": [{"containerPort": "80"}]},
        f'`{POD}.containers[0].ports[0].containerPort` is `"80"`, and must be a number without quotes',
        id="a number in quotes",
    ),
    pytest.param(
        f"{POD}.containers.0",
        {"ports": [{"resources": {}}]},
        f"`{POD}.containers[0].ports[0].resources` is not a field here: move it to `{POD}.containers[].resources`",
        id="of the container, in one of its ports",
    ),
    pytest.param("metadata", {"creationTimestamp": 3}, "`metadata.creationTimestamp` is `3`, and must be a time", id="a time"),
]


@pytest.mark.parametrize(("at", "fields", "said"), REJECTED)
def test_fields_that_strict_validation_rejects(at: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidWorkloadError) as error:
        list(read_workloads(deployment(at, **fields)))
    assert str(error.value) == f"Deployment/web: {said}"


def test_all_of_them_are_named() -> None:
    raw = deployment(POD, nodeSelektor={}, toleration=[])
    raw["spec"]["replica"] = 3
    with pytest.raises(InvalidWorkloadError, match=r"nodeSelektor.*toleration.*replica") as error:
        list(read_workloads(raw))
    assert error.value.path == ("spec", "template", "spec", "nodeSelektor")


ACCEPTED = [
    pytest.param(deployment("metadata", creationTimestamp=None, labels=None), id="fields that are not set"),
    pytest.param(deployment(f"{POD}.containers.0", resources={"limits": {"cpu": 1, "memory": "1Gi"}}), id="amounts are numbers or text"),
    pytest.param(deployment(f"{POD}.containers.0", livenessProbe={"httpGet": {"port": 80}}), id="a port is a number"),
    pytest.param(deployment(f"{POD}.containers.0", livenessProbe={"httpGet": {"port": "http"}}), id="or a name"),
    pytest.param(deployment("", status={"replicas": 3, "later": 1}), id="the status, which controllers write"),
    pytest.param(deployment("metadata", uid="a", later=1), id="what a cluster has accepted"),
]


@pytest.mark.parametrize("raw", ACCEPTED)
def test_fields_that_strict_validation_accepts(raw: dict[str, Any]) -> None:
    [found] = read_workloads(raw)
    assert not found.holds


def test_a_field_of_another_branch_is_not_what_was_meant() -> None:
    volume = {"name": "v", "storageos": {"volumeName": "v", "pool": "a"}}
    [found] = read_workloads(deployment(POD, volumes=[volume]))
    assert "`spec.template.spec.volumes[0].storageos.pool` is not a known field" in found.holds[0].message


@pytest.mark.parametrize("at", LEVELS)
def test_a_field_that_is_in_no_table_can_be_a_later_one(at: str) -> None:
    [found] = read_workloads(deployment(at, zzyzx={"any": "thing"}))
    [hold] = found.holds
    assert ".zzyzx` is not a known field of Kubernetes 1." in hold.message
    assert hold.maximum is None


CONTAINERS: Any = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}
OF_CONTROLLERS = [
    pytest.param(
        "jobset.x-k8s.io/v1alpha2", "JobSet", {"replicatedJobs": [{"template": {"spec": {"template": {"spec": CONTAINERS}}}}]}, id="a JobSet"
    ),
    pytest.param(
        "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", {"leaderWorkerTemplate": {"workerTemplate": {"spec": CONTAINERS}}}, id="a LeaderWorkerSet"
    ),
    pytest.param("argoproj.io/v1alpha1", "Rollout", {"replicas": 3, "template": {"spec": CONTAINERS}}, id="a Rollout"),
    pytest.param("batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"template": {"spec": CONTAINERS}}]}, id="a Job of another group"),
    pytest.param("apps.example.com/v1", "Deployment", {"later": 1, "template": {"spec": CONTAINERS}}, id="a Deployment of another group"),
]


@pytest.mark.parametrize(("version", "kind", "spec"), OF_CONTROLLERS)
def test_only_its_controller_knows_the_pods(version: str, kind: str, spec: dict[str, Any]) -> None:
    [found] = read_workloads({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec})
    assert (found.kind, dict(found.pod.requests), [hold.maximum for hold in found.holds]) == (kind, {"cpu": 1000}, [None])
    assert found.holds[0].message.startswith(f"the controller of {kind} creates the pods")
    assert f"`kubectl get {GETS.get(kind, f'{kind.lower()} -n default a -o yaml')}" in found.holds[0].fix


def test_of_several_templates_the_first_is_named() -> None:
    head = {"spec": {**CONTAINERS, "nodeSelector": {"tier": "web"}}}
    spec = {"headGroupSpec": {"template": head}, "workerGroupSpecs": [{"template": {"spec": CONTAINERS}}, {"template": {"spec": CONTAINERS}}]}
    [found] = read_workloads({"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "a"}, "spec": spec})
    assert found.pod.node_selector == (("tier", "web"),)
    assert found.holds[0].message.endswith("; the pools are those of the first of its 3 templates of pods")


@pytest.mark.parametrize(("declared", "expected"), [({}, 1), ({"replicas": 4}, 4), ({"replicas": 0}, 1)], ids=str)
def test_a_rollout_has_its_replicas(declared: dict[str, Any], expected: int) -> None:
    raw = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "a"}, "spec": {**declared, "template": {"spec": CONTAINERS}}}
    [found] = read_workloads(raw)
    assert (found.replicas, found.uncounted) == (expected, True)


@pytest.mark.parametrize(
    ("owner", "labels", "expected"),
    [
        (("ReplicaSet", "a-6b"), {"rollouts-pod-template-hash": "6b"}, ("Rollout", "a", True)),
        (("ReplicaSet", "a-6b"), {"pod-template-hash": "6b"}, ("Deployment", "a", True)),
        (("Job", "a-workers-0"), {"jobset.sigs.k8s.io/jobset-name": "a"}, ("JobSet", "a", False)),
        (("StatefulSet", "a-0"), {"leaderworkerset.sigs.k8s.io/name": "a"}, ("LeaderWorkerSet", "a", False)),
    ],
    ids=str,
)
def test_pods_that_run_are_of_what_created_their_controller(owner: tuple[str, str], labels: dict[str, str], expected: tuple[str, str, bool]) -> None:
    version = "batch/v1" if owner[0] == "Job" else "apps/v1"
    references = [{"apiVersion": version, "kind": owner[0], "name": owner[1], "controller": True}]
    metadata = {"name": "p", "uid": "u", "labels": labels, "ownerReferences": references}
    [found] = read_workloads({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": CONTAINERS}, existing=True)
    of = found.controllers[-1]
    assert (of.kind, of.name, of.certain) == expected


GETS = {
    "JobSet": "jobs -n default -l jobset.sigs.k8s.io/jobset-name=a -o yaml",
    "LeaderWorkerSet": "statefulsets -n default -l leaderworkerset.sigs.k8s.io/name=a -o yaml",
}


def test_what_decides_in_kueue_is_named() -> None:
    queued = {"kind": "Pod", "metadata": {"name": "p", "namespace": "ml", "labels": {"kueue.x-k8s.io/queue-name": "a"}}, "spec": CONTAINERS}
    [found] = read_workloads(queued)
    assert "`kubectl get workloads.kueue.x-k8s.io,localqueues,clusterqueues -n ml -o yaml`" in found.holds[0].fix


@pytest.mark.parametrize("spec", [None, [], {"template": {"spec": {"taints": []}}}, {"containers": []}], ids=str)
def test_other_objects_create_no_pods(spec: Any) -> None:
    assert list(read_workloads({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec})) == []


def test_templates_of_others_are_read_too() -> None:
    wrong = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "x"}}}]}}
    with pytest.raises(PodError, match="Rollout/a: "):
        list(read_workloads({"apiVersion": "argoproj.io/v1", "kind": "Rollout", "metadata": {"name": "a"}, "spec": {"template": wrong}}))
