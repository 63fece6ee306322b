"""The pods of a running cluster that are those of an explained workload."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.own_pods import once_each, with_numbers, with_own_pods, without_owned
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload

CONTAINER = {"name": "c", "image": "x:1", "args": ["--a", "--b"], "resources": {"requests": {"cpu": "1000m"}}}
DEFAULTED = {**CONTAINER, "resources": {"requests": {"cpu": "1"}}, "imagePullPolicy": "Always"}
ENDING = {"spec": {"restartPolicy": "Never", "containers": [CONTAINER]}}
WAITS = {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2 nodes"}]}


def one(raw: dict[str, Any]) -> Workload:
    [found] = read_workloads(raw)
    return found


def web(kind: str = "Deployment", replicas: int = 2, labels: dict[str, str] | None = None, **spec: Any) -> Workload:
    template = {"metadata": {"labels": labels or {"app": "web"}}, "spec": {"hostNetwork": False, "containers": [CONTAINER], **spec}}
    template["spec"] |= {"restartPolicy": "Never"} if kind == "Job" else {}
    number = {"parallelism": replicas} if kind == "Job" else {} if kind == "DaemonSet" else {"replicas": replicas}
    return one({"kind": kind, "metadata": {"name": "web"}, "spec": {**number, "template": template}})


def pod(name: str, owner: tuple[str, str] | None, node: str = "n", group: str = "apps/v1", **more: Any) -> Workload:
    labels = {"app": "web", "pod-template-hash": more.pop("revision", "5d8")}
    owners = [{"kind": "Other"}, {"apiVersion": group, "kind": owner[0], "name": owner[1], "controller": True}] if owner else []
    metadata = {"name": name, "labels": labels, "ownerReferences": owners, **more.pop("metadata", {})}
    spec = {"nodeName": node, "containers": [DEFAULTED], "tolerations": [{"key": "a", "operator": "Exists"}], **more}
    return one({"kind": "Pod", "metadata": metadata, "spec": spec, "status": {} if node else WAITS})


SET = ("ReplicaSet", "web-5d8")
ROWS = [
    pytest.param(web(), [pod("a", SET), pod("b", SET)], (2, False), id="both pods of a Deployment"),
    pytest.param(web(replicas=1), [pod("a", SET), pod("b", SET)], (1, False), id="more than it declares"),
    pytest.param(web(), [pod("a", SET)], (1, False), id="one of two"),
    pytest.param(web(), [pod("a", SET), pod("b", ("ReplicaSet", "web-7f9"), revision="7f9")], (0, True), id="two revisions: one replaces the other"),
    pytest.param(web(), [pod("a", None)], (0, False), id="a pod without an owner"),
    pytest.param(web(), [pod("a", ("ReplicaSet", "other-5d8"))], (0, False), id="a pod of another Deployment"),
    pytest.param(web(), [pod("a", ("ReplicaSet", "web-api-5d8"))], (0, False), id="a Deployment whose name starts with that of this one"),
    pytest.param(web(), [pod("a", ("ReplicaSet", "web"))], (0, False), id="a ReplicaSet that no Deployment named"),
    pytest.param(web(), [pod("a", SET, metadata={"namespace": "other"})], (0, False), id="another namespace"),
    pytest.param(web(), [pod("a", SET, revision="other")], (0, True), id="a ReplicaSet whose name does not end with the hash"),
    pytest.param(web(), [pod("a", SET, group="argoproj.io/v1")], (0, True), id="a ReplicaSet that is not that of Kubernetes"),
    pytest.param(web(), [pod("a", SET, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})], (0, True), id="a pod that is deleted"),
    pytest.param(web(), [pod("a", SET, containers=[{**DEFAULTED, "image": "x:2"}])], (0, True), id="another image"),
    pytest.param(web(), [pod("a", SET, containers=[{**DEFAULTED, "args": ["--b", "--a"]}])], (0, True), id="arguments in another order"),
    pytest.param(web(nodeSelector={"a": "b"}), [pod("a", SET)], (0, True), id="a selector that the pods do not have"),
    pytest.param(web(labels={"tier": "1"}), [pod("a", SET)], (0, True), id="a label that the pods do not have"),
    pytest.param(web(tolerations=[{"key": "b"}]), [pod("a", SET)], (0, True), id="a toleration that the pods do not have"),
    pytest.param(web("ReplicaSet"), [pod("a", ("ReplicaSet", "web"))], (1, False), id="a ReplicaSet"),
    pytest.param(web("StatefulSet"), [pod("web-0", ("StatefulSet", "web"))], (1, False), id="the first pod of a StatefulSet"),
    pytest.param(web("StatefulSet"), [pod("web-1", ("StatefulSet", "web"))], (0, True), id="the second pod of a StatefulSet only"),
    pytest.param(web("Job"), [pod("a", ("Job", "web"))], (0, True), id="a Job, which needs fewer pods near its end"),
    pytest.param(
        one({"kind": "CronJob", "metadata": {"name": "web"}, "spec": {"jobTemplate": {"spec": {"template": ENDING}}}}),
        [pod("a", ("Job", "web-29300000"), group="batch/v1")],
        (0, True),
        id="a CronJob: its pods belong to an earlier run",
    ),
]


@pytest.mark.parametrize(("workload", "bound", "expected"), ROWS)
def test_pods_that_run(workload: Workload, bound: list[Workload], expected: tuple[int, bool]) -> None:
    [found], pods = with_own_pods([workload], ExistingPods(tuple(bound)))
    assert (found.running, found.unsure) == expected
    is_rolled = found.unsure and workload.kind == "Deployment"
    assert pods.bound == tuple(replace(one, ends=True) if is_rolled else one for one in bound)


def test_room_of_pods_that_a_rollout_replaces_can_become_free() -> None:
    large = {**CONTAINER, "resources": {"requests": {"cpu": "900m"}}}
    old = pod("a", SET, containers=[{**DEFAULTED, "resources": large["resources"]}])
    [found], pods = with_own_pods([web(replicas=1, labels={"app": "web", "version": "2"}, containers=[large])], ExistingPods((old,)))
    node = StaticPool("n", ({},), offers={"cpu": Bounds(1000, 1000)}, names=frozenset({"n"}), max_pods=9)
    [full] = existing_pools(ClusterPools(None), [node], pods).static
    assert full.evaluate(found.pod).verdict is Verdict.UNKNOWN


def test_the_next_pod_of_a_stateful_set_has_the_next_ordinal() -> None:
    [found], _ = with_own_pods([web("StatefulSet", 3)], ExistingPods((pod("web-0", ("StatefulSet", "web")),)))
    assert (found.first, found.unplaced) == (1, 2)


@pytest.mark.parametrize(
    ("kind", "written", "bound", "waiting", "expected"),
    [
        ("Deployment", {}, [pod("a", SET), pod("b", SET)], [pod("c", SET, node="")], (3, 1)),
        ("Deployment", {}, [pod("a", SET)], [], (1, None)),
        ("Deployment", {"replicas": 1}, [pod("a", SET), pod("b", SET)], [], (1, None)),
        ("Deployment", {}, [pod("a", SET), pod("b", SET, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})], [], (1, None)),
        ("StatefulSet", {}, [pod("web-0", ("StatefulSet", "web")), pod("web-1", ("StatefulSet", "web"))], [], (2, 1)),
        ("DaemonSet", {}, [pod("a", ("DaemonSet", "web")), pod("b", ("DaemonSet", "web"))], [], (None, None)),
    ],
)
def test_a_workload_without_a_number_keeps_that_of_the_cluster(
    kind: str, written: dict[str, Any], bound: list[Workload], waiting: list[Workload], expected: tuple[int | None, int | None]
) -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [CONTAINER]}}
    asked = one({"kind": kind, "metadata": {"name": "web"}, "spec": {**written, "template": template}})
    [found] = with_numbers([asked], ExistingPods(tuple(bound), tuple(waiting)))
    assert (found.replicas, found.declared) == expected


def test_a_daemon_set_is_placed_on_each_node_again() -> None:
    [found], pods = with_own_pods([web("DaemonSet")], ExistingPods((pod("a", ("DaemonSet", "web")), pod("b", SET))))
    assert (found.running, found.unsure, [left.name for left in pods.bound]) == (0, False, ["b"])


def test_a_workload_stays_the_same_one_with_its_pods_and_another_of_its_name_is_another() -> None:
    workload = web()
    [found], _ = with_own_pods([workload], ExistingPods((pod("a", SET),)))
    assert found.running
    assert found.identity == workload.identity != web().identity


def test_pods_that_are_not_kept_as_they_are_written_are_not_certain() -> None:
    [found], _ = with_own_pods([web()], ExistingPods((replace(pod("a", SET), template=None),)))
    assert found.unsure


REPORTED = [
    pytest.param(web(), pod("a", SET, ""), ("0/2 nodes", []), id="a pod of the workload"),
    pytest.param(web(), pod("a", SET, "", revision="old"), ("0/2 nodes", ["a"]), id="perhaps of an earlier template: it waits too"),
    pytest.param(web(), pod("a", None, ""), ("", ["a"]), id="a pod of others"),
    pytest.param(
        one({"kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{}]}}),
        pod("a", None, ""),
        ("0/2 nodes", ["a"]),
        id="the pod itself",
    ),
]


@pytest.mark.parametrize(("workload", "waiting", "expected"), REPORTED)
def test_what_kube_scheduler_reports(workload: Workload, waiting: Workload, expected: tuple[str, list[str]]) -> None:
    [found], pods = with_own_pods([workload], ExistingPods(waiting=(waiting,)))
    assert (found.unschedulable, [left.name for left in pods.waiting]) == expected


def test_owners_that_are_none_are_refused() -> None:
    with pytest.raises(PodError, match="ownerReferences"):
        one({"kind": "Pod", "metadata": {"ownerReferences": 1}, "spec": {"containers": [CONTAINER]}})


def owned(kind: str, name: str, by: tuple[str, str], group: str = "apps/v1") -> Workload:
    metadata = {"name": name, "ownerReferences": [{"apiVersion": group, "kind": by[0], "name": by[1], "controller": True}]}
    spec = {"template": {"spec": {"restartPolicy": "Never" if kind == "Job" else "Always", "containers": [CONTAINER]}}}
    return one({"kind": kind, "metadata": metadata, "spec": spec})


OWNED = [
    pytest.param([web(), owned("ReplicaSet", "web-5d8", ("Deployment", "web")), pod("a", SET), pod("b", SET)], ["web"], id="a Deployment"),
    pytest.param([pod("a", SET), web()], ["web"], id="its pods, without its ReplicaSet, and before it"),
    pytest.param([owned("ReplicaSet", "web-5d8", ("Deployment", "web")), pod("a", SET)], ["web-5d8"], id="a ReplicaSet, without its Deployment"),
    pytest.param([web("StatefulSet"), pod("web-0", ("StatefulSet", "web"))], ["web"], id="a StatefulSet"),
    pytest.param([web("DaemonSet"), pod("a", ("DaemonSet", "web"))], ["web"], id="a DaemonSet"),
    pytest.param([web("Job"), pod("a", ("Job", "web"), group="batch/v1")], ["web"], id="a Job"),
    pytest.param([pod("a", SET), pod("b", None)], ["a", "b"], id="pods without what creates them"),
    pytest.param([web("StatefulSet"), pod("a", ("StatefulSet", "db"))], ["web", "a"], id="pods of another"),
    pytest.param([web("StatefulSet"), pod("a", ("StatefulSet", "web"), group="apps.kruise.io/v1")], ["web", "a"], id="of another API group"),
]


@pytest.mark.parametrize(("found", "expected"), OWNED)
def test_what_a_workload_of_the_input_creates_is_not_another_one(found: list[Workload], expected: list[str]) -> None:
    assert [workload.name for workload in without_owned(found)] == expected


def again(name: str, cpu: str = "1", place: str = "", **metadata: str) -> Workload:
    container = {**CONTAINER, "resources": {"requests": {"cpu": cpu}}}
    return replace(one({"kind": "Pod", "metadata": {"name": name, **metadata}, "spec": {"containers": [container]}}), place=place)


DIFFER = "a cluster has one `default/Pod/a`, and the input has 2 that differ"
COPIES = [
    pytest.param([again("a", place="x.yaml:1"), again("a", place="y.yaml:1")], ["a"], [], id="a file twice"),
    pytest.param([again("a"), again("a", namespace="b"), again("b")], ["a", "a", "b"], [], id="of two namespaces"),
    pytest.param([again("a"), again("b"), again("a", "2"), again("a")], ["a", "b", "a"], [DIFFER], id="others of the name"),
    pytest.param([again("a", "1", "x.yaml:1"), again("a", "2", "y.yaml:1")], ["a", "a"], [f"{DIFFER}, in `x.yaml:1`, `y.yaml:1`"], id="in files"),
    pytest.param([again("", generateName="a-"), again("", generateName="a-")], ["a-", "a-"], [], id="generated names"),
    pytest.param([again(""), again(""), again("", "2")], ["", "", ""], [], id="without a name"),
    pytest.param([again("", generateName="a"), again("", "2", generateName="a")], ["a-", "a-"], [], id="generated names without a hyphen"),
]


@pytest.mark.parametrize(("found", "expected", "messages"), COPIES)
def test_a_cluster_has_an_object_once(found: list[Workload], expected: list[str], messages: list[str]) -> None:
    kept = once_each(found)
    assert [workload.name for workload in kept] == expected
    assert list(dict.fromkeys(hold.message for workload in kept for hold in workload.holds)) == messages


FINISHED = [
    ("Pod", {"phase": "Succeeded"}, 0),
    ("Pod", {"phase": "Failed"}, 0),
    ("Pod", {"phase": "Running"}, 1),
    ("Job", {"conditions": [{"type": "Complete", "status": "True"}]}, 0),
    ("Job", {"conditions": [{"type": "Failed", "status": "True"}]}, 0),
    ("Job", {"conditions": [{"type": "Suspended", "status": "True"}, {"type": "Failed", "status": "False"}]}, 1),
]


@pytest.mark.parametrize(("kind", "status", "expected"), FINISHED)
def test_what_has_run_has_no_pods_to_place(kind: str, status: dict[str, Any], expected: int) -> None:
    pods = {"restartPolicy": "Never", "containers": [CONTAINER]}
    spec = pods if kind == "Pod" else {"template": {"spec": pods}}
    assert one({"kind": kind, "metadata": {"name": "web"}, "spec": spec, "status": status}).unplaced == expected
