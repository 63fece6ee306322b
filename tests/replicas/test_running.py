"""How many replicas run in a cluster with other pods."""

import json
from dataclasses import replace
from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.own_pods import with_own_pods
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.explained import explain_replicas
from tests.replicas.clusters import HOST, ZONE, apart, near, spread, told, web

BOUND = {"phase": "Bound"}
WAITING = {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2 nodes are available"}]}


def node(name: str) -> StaticPool:
    labels = {HOST: name, ZONE: "a"}
    return StaticPool(name, (labels,), offers={"cpu": Bounds(1930, 1930)}, names=frozenset({name}), max_pods=30)


def running(name: str, cpu: str, labels: dict[str, str] | None = None, **spec: Any) -> Workload:
    containers = [{"resources": {"requests": {"cpu": cpu}}}]
    metadata = {"name": f"on-{name}", "labels": labels or {}}
    return next(iter(read_workloads({"kind": "Pod", "metadata": metadata, "spec": {"nodeName": name, "containers": containers, **spec}})))


def cpu(replicas: int, amount: str, **spec: Any) -> dict[str, Any]:
    return web(replicas, requests={"cpu": amount}, **spec)


FULL = [running("n1", "1800m"), running("n2", "1800m")]
OF_WEB = [running("n1", "10m", {"app": "web"})]
SELF = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "main"}]}, "status": WAITING}

TEAM = {"matchLabels": {"team": "a"}}


def named(namespace: str) -> dict[str, Any]:
    return {"matchLabels": {"kubernetes.io/metadata.name": namespace}}


ROWS = [
    pytest.param(cpu(1, "1"), [], ("fits", 1, 1, []), id="room on both nodes"),
    pytest.param(cpu(3, "1"), [], ("partly", 2, 2, ["room"]), id="one pod on each"),
    pytest.param(cpu(1, "1"), FULL, ("cannot", 0, 0, ["no_pool"]), id="a node of 1930m with a pod of 1800m has no room for another of 1 CPU"),
    pytest.param(cpu(3, "1"), FULL[:1], ("partly", 1, 1, ["room"]), id="room on the other node"),
    pytest.param(cpu(1, "1"), None, ("unknown", 0, 1, ["no_pool"]), id="no pods in the input"),
    pytest.param(cpu(2, "10m", **spread(HOST)), OF_WEB, ("unknown", 0, 2, ["spread"]), id="a spread counts pods that run"),
    pytest.param(cpu(2, "10m", **apart(HOST)), OF_WEB, ("partly", 1, 1, ["anti_affinity"]), id="a node that a pod keeps from others"),
    pytest.param(cpu(2, "10m"), [running("n1", "10m", **apart(HOST))], ("fits", 2, 2, []), id="a pod keeps others out of its own node only"),
    pytest.param(
        cpu(2, "10m", **apart(HOST)),
        [running("n1", "10m", **apart(HOST))],
        ("partly", 1, 1, ["anti_affinity", "anti_affinity"]),
        id="next to their own anti-affinity",
    ),
    pytest.param(cpu(2, "10m"), [running("n1", "10m", **apart(ZONE))], ("cannot", 0, 0, ["no_pool"]), id="anti-affinity of a pod that runs"),
    pytest.param(cpu(2, "10m", labels={}, **near(ZONE)), OF_WEB, ("fits", 2, 2, []), id="affinity to a pod that runs"),
    pytest.param(cpu(3, "10m", **apart(HOST, namespaceSelector=TEAM)), [], ("unknown", 2, 3, ["anti_affinity"]), id="its own namespace or not"),
    pytest.param(cpu(3, "10m", **apart(HOST, namespaceSelector=named("default"))), [], ("partly", 2, 2, ["anti_affinity"]), id="its own namespace"),
    pytest.param(cpu(3, "10m", **apart(HOST, namespaceSelector=named("b"))), [], ("fits", 3, 3, []), id="another namespace"),
    pytest.param(
        cpu(1, "10m", **apart(HOST, namespaceSelector={}, labelSelector={})), [], ("unknown", 0, 1, ["anti_affinity"]), id="pods of the cloud too"
    ),
    pytest.param(cpu(1, "10m", **apart(HOST, namespaceSelector={})), [], ("fits", 1, 1, []), id="but none with its labels"),
    pytest.param(cpu(1, "10m", **apart(ZONE, namespaceSelector=named("b"))), OF_WEB, ("fits", 1, 1, []), id="a pod of another namespace"),
    pytest.param(
        cpu(2, "10m", **near(ZONE, namespaceSelector=TEAM)), [], ("unknown", 0, 2, ["affinity", "unknown"]), id="affinity in its own namespace or not"
    ),
    pytest.param(SELF, OF_WEB, ("unknown", 0, 1, ["unknown"]), id="kube-scheduler reports that the pod is unschedulable"),
    pytest.param(SELF, [], ("fits", 1, 1, []), id="in a cluster without pods it is not"),
]


EXCLUDED = {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["a"]}]}
BY_HASH = {"matchExpressions": [{"key": "pod-template-hash", "operator": "In", "values": ["5d9f"]}]}
IN_NAMESPACES = [
    pytest.param(apart(HOST, namespaceSelector=TEAM), "a", ("partly", 2, 2, ["anti_affinity"]), "", id="its own namespace"),
    pytest.param(apart(HOST, namespaceSelector=TEAM), "b", ("fits", 3, 3, []), "", id="another team"),
    pytest.param(
        apart(HOST, namespaceSelector=EXCLUDED), "a", ("unknown", 2, 3, ["anti_affinity"]), "the version of kube-scheduler", id="an exclusion"
    ),
    pytest.param(apart(HOST, mismatchLabelKeys=["pod-template-hash"]), "a", ("fits", 3, 3, []), "", id="other revisions"),
    pytest.param(
        spread(HOST, labelSelector=BY_HASH), "a", ("unknown", 2, 3, ["spread"]), "labels that their controller adds", id="a hash that is not known"
    ),
]


@pytest.mark.parametrize(("spec", "team", "expected", "why"), IN_NAMESPACES)
def test_labels_of_the_namespace(spec: dict[str, Any], team: str, expected: tuple[object, ...], why: str) -> None:
    objects = read_workload_objects([{"kind": "Namespace", "metadata": {"name": "default", "labels": {"team": team}}}])
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods())
    [explained] = explain_replicas(list(read_workloads(cpu(3, "10m", **spec))), [pools], objects)
    assert told(explained.count) == expected
    assert why in " ".join(pending.message for pending in explained.count.pending)


OWN = [
    pytest.param(cpu(2, "1"), FULL, {"running": 2}, (2, 2, 2, []), id="all pods run: none is to be placed"),
    pytest.param(cpu(3, "1"), FULL[:1], {"running": 2}, (3, 3, 3, []), id="two of three run, and the third has room"),
    pytest.param(cpu(3, "1"), FULL, {"running": 2}, (3, 2, 2, ["no_pool"]), id="two of three run, and the third has none"),
    pytest.param(cpu(2, "1"), FULL, {"unsure": True}, (2, 0, 2, ["no_pool", "unknown"]), id="a rollout: its pods make room"),
    pytest.param(cpu(2, "1"), [], {"unsure": True}, (2, 2, 2, []), id="a rollout next to the pods that run"),
]


@pytest.mark.parametrize(("workload", "bound", "own", "expected"), OWN)
def test_pods_of_the_workload_that_run(workload: dict[str, Any], bound: list[Workload], own: dict[str, Any], expected: tuple[object, ...]) -> None:
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods(tuple(bound)))
    [read] = read_workloads(workload)
    [explained] = explain_replicas([replace(read, **own)], [pools])
    count = explained.count
    found = (count.wanted, count.scheduled.minimum, count.scheduled.maximum, [pending.kind.value for pending in count.pending])
    assert found == expected


def test_pods_that_run_are_counted_once_next_to_a_volume() -> None:
    volume = {"kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": {"claimRef": {"namespace": "default", "name": "data"}}, "status": BOUND}
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {"volumeName": "v", "accessModes": ["ReadWriteMany"]}}
    in_zone = {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["a"]}]}]}}
    volume["spec"] |= {"nodeAffinity": in_zone}
    workload = cpu(5, "10m", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}])
    pools = existing_pools(ClusterPools(None), [node("n1")], ExistingPods())
    [explained] = explain_replicas([replace(next(iter(read_workloads(workload))), running=2)], [pools], read_workload_objects([volume, claim]))
    assert (explained.count.scheduled.minimum, explained.count.scheduled.maximum) == (5, 5)


def test_notes_are_about_the_pods_to_place() -> None:
    pools = existing_pools(ClusterPools(None), [node("n1")], ExistingPods())
    five, three = (replace(read, running=running) for running, read in enumerate([next(iter(read_workloads(cpu(5, "10m"))))] * 3) if running != 1)
    notes = [explained.answer.notices for explained in explain_replicas([five, three], [pools])]
    assert [any(note.startswith(f"{number} pods need") for note in found) for number, found in zip((5, 3), notes, strict=True)] == [True, True]


@pytest.mark.parametrize(("workload", "bound", "expected"), ROWS)
def test_running_clusters(workload: dict[str, Any], bound: list[Workload] | None, expected: tuple[object, ...]) -> None:
    pods = None if bound is None else ExistingPods(tuple(bound))
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], pods)
    [explained] = explain_replicas(list(read_workloads(workload)), [pools])
    assert told(explained.count) == expected


def test_a_missing_node_class_and_the_pool_that_holds_up_a_spread_are_named() -> None:
    def pool(name: str, *slots: str) -> dict[str, Any]:
        reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
        nodes = {"nodeClassRef": reference, "requirements": [{"key": "slot", "operator": "In", "values": [*slots]}]}
        spec = {"template": {"metadata": {"labels": {"pool": name}}, "spec": nodes}}
        return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}

    pools = read_existing_pools([(json.dumps({"apiVersion": "v1", "kind": "List", "items": [pool("a", "1"), pool("b", "2", "3")]}), "pools")])
    [explained] = explain_replicas(list(read_workloads(cpu(3, "1", nodeSelector={"pool": "a"}, **spread("slot")))), [pools])
    reasons = [reason.message for evaluated in explained.answer.pools if evaluated.pool == "a" for reason in evaluated.reasons]
    assert reasons == ["pod requests 1 cpu: EC2NodeClass `default` is not in the input, and decides how much of a node is left for pods"]
    [held_up] = [pending for pending in explained.count.pending if pending.kind == "spread"]
    assert held_up.message.endswith("and Karpenter also counts `2`, `3` of `b`, which the pods cannot use")
    assert held_up.fix == "Require the values of `slot` on the pools that the pods can use, with node affinity"


def daemon(amount: str = "100m", name: str = "agent", **spec: Any) -> dict[str, Any]:
    return web(kind="DaemonSet", name=name, requests={"cpu": amount}, **spec)


def listening(made: dict[str, Any]) -> dict[str, Any]:
    made["spec"]["template"]["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
    return made


OTHER = {"labels": {"app": "other"}}
HIGH = {"priorityClassName": "high"}
POLITE = {"priorityClassName": "polite"}
CLASSES = [
    {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000},
    {"kind": "PriorityClass", "metadata": {"name": "polite"}, "value": 1000, "preemptionPolicy": "Never"},
]
DAEMONS = [
    pytest.param([daemon()], "fits", id="alone"),
    pytest.param([daemon(), cpu(1, "100m", **OTHER)], "fits", id="room for both"),
    pytest.param([daemon("1"), cpu(1, "1", **OTHER)], "unknown", id="the other may be first"),
    pytest.param([daemon("1", **HIGH), cpu(1, "1", **OTHER)], "fits", id="it evicts the other"),
    pytest.param([daemon("1", **POLITE), cpu(1, "1", **OTHER)], "unknown", id="it evicts none"),
    pytest.param([daemon("1", priorityClassName="system-node-critical"), cpu(1, "1", **HIGH)], "fits", id="a class that every cluster has"),
    pytest.param([daemon("1"), daemon("1", "second", **OTHER)], "unknown", id="two that do not fit one node"),
    pytest.param([listening(daemon()), listening(cpu(1, "10m", **OTHER))], "unknown", id="the same host port"),
    pytest.param([daemon(**spread(HOST))], "fits", id="a spread over nodes"),
    pytest.param([daemon(**spread(ZONE))], "unknown", id="a spread over zones"),
    pytest.param([daemon(**spread(HOST)), cpu(1, "10m")], "unknown", id="a spread over nodes that counts others"),
    pytest.param([daemon(**apart(HOST))], "fits", id="anti-affinity over nodes"),
    pytest.param([daemon(**apart(ZONE))], "unknown", id="anti-affinity over zones"),
    pytest.param([daemon(**near(HOST))], "unknown", id="affinity"),
    pytest.param([daemon(), cpu(1, "10m", **OTHER, **apart(HOST))], "unknown", id="anti-affinity of another"),
    pytest.param([daemon(volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}])], "unknown", id="a claim that is not known"),
]


@pytest.mark.parametrize(("workloads", "expected"), DAEMONS)
def test_a_daemon_set_fits_only_if_each_node_is_certain_to_run_it(workloads: list[dict[str, Any]], expected: str) -> None:
    objects = read_workload_objects(CLASSES)
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods())
    first = explain_replicas(list(read_workloads(workloads)), [pools], objects)[0]
    assert first.count.verdict.value == expected
    assert {evaluated.verdict.value for evaluated in first.answer.pools} == {expected}


LOW = [running("n1", "1800m", priority=-10), running("n2", "1800m", priority=0)]
EVICTED = [
    pytest.param({}, LOW, (0, 1), id="the default priority"),
    pytest.param({}, FULL, (0, 0), id="none has a lower priority"),
    pytest.param({"preemptionPolicy": "Never"}, LOW, (0, 0), id="it evicts none"),
    pytest.param(HIGH, LOW, (0, 2), id="a high priority"),
    pytest.param(POLITE, LOW, (0, 0), id="a class whose pods evict none"),
    pytest.param({"priorityClassName": "unknown"}, LOW, (0, 2), id="a class that is not in the input"),
]


@pytest.mark.parametrize(("spec", "bound", "expected"), EVICTED)
def test_pods_of_lower_priority_can_be_evicted(spec: dict[str, Any], bound: list[Workload], expected: tuple[int, int]) -> None:
    objects = read_workload_objects(CLASSES)
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods(tuple(bound)))
    [explained] = explain_replicas(list(read_workloads(cpu(2, "1", **spec))), [pools], objects)
    assert (explained.count.scheduled.minimum, explained.count.scheduled.maximum) == expected


def test_the_default_class_and_the_last_place_on_a_node() -> None:
    default = read_workload_objects([{"kind": "PriorityClass", "metadata": {"name": "usual"}, "value": 5, "globalDefault": True}])
    small = replace(node("n1"), max_pods=1)
    full = existing_pools(ClusterPools(None), [small], ExistingPods((running("n1", "10m"),)))
    [evicting] = explain_replicas(list(read_workloads(cpu(1, "10m"))), [full], default)
    [waiting] = explain_replicas(list(read_workloads(cpu(1, "10m"))), [full])
    assert (told(evicting.count)[0], told(waiting.count)[0]) == ("unknown", "cannot")
    both = [cpu(1, "10m"), daemon("10m", **OTHER)]
    found = explain_replicas(list(read_workloads(both)), [existing_pools(ClusterPools(None), [small], ExistingPods())])
    assert [one.count.verdict.value for one in found] == ["unknown", "unknown"]


RUNNING = [
    pytest.param({}, (2, 2), id="the same priority"),
    pytest.param({**HIGH, "tolerations": []}, (0, 2), id="a higher priority"),
    pytest.param(POLITE, (2, 2), id="it evicts none"),
    pytest.param({"priorityClassName": "unknown"}, (0, 2), id="a class that is not in the input"),
    pytest.param({"nodeSelector": {"tier": "none"}, **HIGH}, (2, 2), id="it fits no node"),
]


@pytest.mark.parametrize(("spec", "expected"), RUNNING)
def test_pods_that_run_can_be_evicted(spec: dict[str, Any], expected: tuple[int, int]) -> None:
    objects = read_workload_objects(CLASSES)
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods(tuple(FULL)))
    own, other = read_workloads([cpu(2, "1800m"), web(1, name="other", labels={}, requests={"cpu": "1"}, **spec)])
    [found, _] = explain_replicas([replace(own, running=2), other], [pools], objects)
    assert (found.count.scheduled.minimum, found.count.scheduled.maximum) == expected


def csi_node(*counts: int | None) -> dict[str, Any]:
    drivers = [{"name": f"csi{number}", **({} if count is None else {"allocatable": {"count": count}})} for number, count in enumerate(counts)]
    return {"kind": "CSINode", "metadata": {"name": "n1"}, "spec": {"drivers": drivers}}


ATTACHING = [
    pytest.param(3, [], "fits", id="each node attaches four"),
    pytest.param(4, [], "unknown", id="a fifth is not certain"),
    pytest.param(1, [csi_node(1)], "unknown", id="its CSINode allows one"),
    pytest.param(4, [csi_node(None, 8)], "fits", id="its CSINode allows eight"),
    pytest.param(4, [csi_node(None)], "unknown", id="its CSINode names no limit"),
    pytest.param(4, [csi_node(8, 4)], "unknown", id="one driver allows four"),
]


@pytest.mark.parametrize(("disks", "nodes", "expected"), ATTACHING)
def test_a_node_attaches_so_many_disks_for_certain(disks: int, nodes: list[dict[str, Any]], expected: str) -> None:
    volumes = [{"name": f"v{number}", "persistentVolumeClaim": {"claimName": f"v{number}"}} for number in range(disks)]
    own = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    classes = {"kind": "StorageClass", "metadata": {"name": "disk"}, "provisioner": "disk.csi.azure.com", "volumeBindingMode": "WaitForFirstConsumer"}
    workload = cpu(1, "10m", volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": own}}}])
    pools = existing_pools(ClusterPools(None), [node("n1")], ExistingPods((running("n1", "10m", volumes=volumes),)))
    [explained] = explain_replicas(list(read_workloads(workload)), [pools], read_workload_objects([classes, *nodes]))
    assert explained.count.verdict.value == expected
    assert ("CSINode" in next((pending.message for pending in explained.count.pending), "")) is (expected == "unknown")


def test_a_pod_that_keeps_others_from_the_zone_of_their_volume_is_named() -> None:
    """Nodes are in that zone: another pool there does not help."""
    terms = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["a"]}]}]
    spec = {"csi": {"driver": "disk.csi.azure.com"}, "nodeAffinity": {"required": {"nodeSelectorTerms": terms}}}
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": {"volumeName": "v", "accessModes": ["ReadWriteOnce"]}}
    objects = read_workload_objects([claim, {"kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": spec}])
    bound = ExistingPods((running("n1", "10m", {"app": "db"}, **apart(ZONE)),))
    mounting = cpu(1, "10m", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}])
    [explained] = explain_replicas(list(read_workloads(mounting)), [existing_pools(ClusterPools(None), [node("n1")], bound)], objects)
    [pending] = [one for one in explained.count.pending if one.kind == "volume"]
    assert (pending.minimum, pending.fix) == (1, "Change the anti-affinity of pod `on-n1`")
    assert "on-n1" in pending.message


def test_a_device_that_pods_use_is_not_said_to_be_missing() -> None:
    gpu = {"limits": {"nvidia.com/gpu": "1"}}
    user = next(iter(read_workloads({"kind": "Pod", "metadata": {"name": "x"}, "spec": {"nodeName": "n1", "containers": [{"resources": gpu}]}})))
    offers = {"nvidia.com/gpu": Bounds(1000, 1000)}
    nodes = [replace(node("n1"), offers=offers, counts={"nvidia.com/gpu": 1000}), replace(node("n2"), offers={"nvidia.com/gpu": Bounds(0, 0)})]
    pools = existing_pools(ClusterPools(None), nodes, ExistingPods((user,)))
    [found] = explain_replicas(list(read_workloads(web(1, containers=[{"name": "c", "resources": gpu}]))), [pools])
    reasons = {one.pool: one.reasons[0].subject for one in found.answer.pools}
    assert reasons == {"n1": "an NVIDIA GPU that is free", "n2": "an NVIDIA GPU"}


REVISIONS = [
    pytest.param("Deployment", "ReplicaSet", "web-5d8", "pod-template-hash", id="a Deployment"),
    pytest.param("StatefulSet", "StatefulSet", "web", "controller-revision-hash", id="a StatefulSet"),
    pytest.param("Deployment", "ReplicaSet", "other-5d8", "", id="the pods of another"),
]


@pytest.mark.parametrize(("kind", "owner", "name", "label"), REVISIONS)
def test_a_spread_counts_the_pods_of_the_former_revision(kind: str, owner: str, name: str, label: str) -> None:
    of = [{"apiVersion": "apps/v1", "kind": owner, "name": name, "controller": True}]
    metadata = {"name": "web-0", "namespace": "default", "labels": {"app": "web", "pod-template-hash": "5d8"}, "ownerReferences": of}
    [pod] = read_workloads({"kind": "Pod", "metadata": metadata, "spec": {"nodeName": "n1", "containers": [{"name": "c"}]}})
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods((pod,)))
    [found] = explain_replicas(list(read_workloads(cpu(2, "10m", kind=kind, **spread(HOST)))), [pools])
    [held_up] = [pending for pending in found.count.pending if pending.kind == "spread"]
    assert held_up.fix.startswith(f"Add `matchLabelKeys: [{label}]`" if label else "Select a label that only the pods of this workload have")


def test_a_label_of_revisions_does_not_tell_the_pods_of_this_one_from_the_new_ones() -> None:
    """After a loss, pods of the revision that runs are placed again: `matchLabelKeys` counts all of them."""
    of = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5d8", "controller": True}]
    metadata = {"name": "web-0", "namespace": "default", "labels": {"app": "web", "pod-template-hash": "5d8"}, "ownerReferences": of}
    [pod] = read_workloads({"kind": "Pod", "metadata": metadata, "spec": {"nodeName": "n1", "containers": [{"name": "c"}]}})
    pools = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods((pod,)))
    workloads = [replace(one, running=1) for one in read_workloads(cpu(3, "10m", **spread(HOST)))]
    [found] = explain_replicas(workloads, [pools])
    [held_up] = [pending for pending in found.count.pending if pending.kind == "spread"]
    assert ("pods of the workload that run now" in held_up.message, "matchLabelKeys" in held_up.fix) == (True, False)


BY_REVISION = {"matchLabelKeys": ["pod-template-hash"]}
FURTHER = [
    pytest.param(apart(HOST, **BY_REVISION), {"n1": "cannot", "n2": "fits"}, id="away from those that run"),
    pytest.param(near(HOST, **BY_REVISION), {"n1": "fits", "n2": "cannot"}, id="next to those that run"),
    pytest.param(near(HOST, mismatchLabelKeys=["pod-template-hash"]), {"n1": "unknown", "n2": "unknown"}, id="next to other revisions"),
    pytest.param(spread(HOST, **BY_REVISION), {"n1": "unknown", "n2": "unknown"}, id="a spread counts those that run"),
]


@pytest.mark.parametrize(("related", "expected"), FURTHER)
def test_further_pods_are_of_the_revision_that_runs(related: dict[str, Any], expected: dict[str, str]) -> None:
    of = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5d8", "controller": True}]
    metadata = {"name": "a", "labels": {"app": "web", "pod-template-hash": "5d8"}, "ownerReferences": of}
    spec = {**cpu(1, "10m", **related)["spec"]["template"]["spec"], "nodeName": "n1"}
    bound = tuple(read_workloads({"kind": "Pod", "metadata": metadata, "spec": spec}))
    own, pods = with_own_pods(list(read_workloads(cpu(2, "10m", **related))), ExistingPods(bound))
    [explained] = explain_replicas(own, [existing_pools(ClusterPools(None), [node("n1"), node("n2")], pods)])
    assert {pool.pool: pool.verdict.value for pool in explained.answer.pools} == expected
    assert not [reason.fix for reason in explained.count.pending if "matchLabelKeys" in reason.fix]


def _with_status(**status: Any) -> list[Workload]:
    raw = {"kind": "Pod", "metadata": {"name": "p", "uid": "p"}, "spec": {"nodeName": "n1", "containers": [_RESIZED]}, "status": status}
    return list(read_workloads(raw, existing=True))


_RESIZED = {"name": "c", "resources": {"requests": {"cpu": "500m"}}}
_INFEASIBLE = [{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}]
RESIZED = [
    ({}, 500),
    ({"containerStatuses": [{"name": "other", "allocatedResources": {"cpu": "1"}}]}, 500),
    ({"containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "1500m"}}]}, 1500),
    ({"containerStatuses": [{"name": "c", "resources": {"requests": {"cpu": "1200m"}}, "allocatedResources": {"cpu": "1"}}]}, 1200),
    ({"containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "100m"}}]}, 500),
    ({"containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "100m"}}], "conditions": _INFEASIBLE}, 100),
]


@pytest.mark.parametrize(("status", "expected"), RESIZED)
def test_a_pod_uses_what_it_still_has_while_it_is_resized(status: dict[str, Any], expected: int) -> None:
    [pod] = _with_status(**status)
    assert dict(pod.pod.requests) == {"cpu": expected}


def test_a_container_of_a_running_pod_without_requests() -> None:
    found = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}, "status": {"containerStatuses": [{"name": "c"}]}}
    [pod] = read_workloads(found, existing=True)
    assert pod.pod.requests == ()


@pytest.mark.parametrize(("ends", "expected"), [(False, (0, 0)), (True, (0, 1))])
def test_a_pod_that_is_being_deleted_makes_room(*, ends: bool, expected: tuple[int, int]) -> None:
    pod = running("n1", "1800m")
    pools = existing_pools(ClusterPools(None), [replace(node("n1"), max_pods=1)], ExistingPods((replace(pod, ends=ends),)))
    [explained] = explain_replicas(list(read_workloads(cpu(1, "1"))), [pools])
    assert (explained.count.scheduled.minimum, explained.count.scheduled.maximum) == expected


def test_pods_that_share_a_label_prove_no_room() -> None:
    [pool, _] = existing_pools(ClusterPools(None), [node("n1"), node("n2")], ExistingPods(label="app")).static
    assert "a label `app`" in pool.unknown_use
