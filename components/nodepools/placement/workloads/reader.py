"""Reads pods and workloads from raw Kubernetes objects."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from nodepools.model.kubernetes.pod import Pod, read_pod
from nodepools.model.kubernetes.pod_lifecycle import read_lifecycle
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text
from nodepools.model.kubernetes.topology import read_topology
from nodepools.model.kubernetes.validated_part import InvalidWorkloadError
from nodepools.model.kubernetes.workload_validation import invalid_fields
from nodepools.placement.workloads.workload import Controller, Hold, Workload

_TEMPLATED = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
_GANG = "scheduling.x-k8s.io/pod-group"
_QUEUE = "kueue.x-k8s.io/queue-name"
_BUILT_IN = ("apps/v1", "batch/v1", "v1")
KINDS = ("Pod", *_TEMPLATED, "CronJob")
"""Kinds of pods, and of objects that create pods."""


def read_workloads(raw: object, *, existing: bool = False) -> Iterator[Workload]:
    """The workloads in an object, in a list of objects, or in a Kubernetes List; objects that create no pods are ignored.

    The API server has accepted those that are `existing`.

    Raises:
        PodError: it is not a Kubernetes object, or the API server rejects one of its pods.
    """
    if raw is None:
        return
    if isinstance(raw, list | tuple):
        for item in cast("list[object]", raw):
            yield from read_workloads(item, existing=existing)
        return
    if not isinstance(raw, Mapping):
        raise PodError(f"a Kubernetes object is required, not `{raw!r:.60}`")
    yield from _of_object(cast("Mapping[str, object]", raw), existing=existing)


def _of_object(raw: Mapping[str, object], *, existing: bool) -> Iterator[Workload]:
    kind = text(raw.get("kind"), "kind")
    if not kind:
        raise PodError("`kind` is missing")
    if kind.endswith("List") and "items" in raw:
        for item in entries(raw, "items"):
            yield from read_workloads(item if "kind" in item else {"kind": kind.removesuffix("List"), **item}, existing=existing)
        return
    template = _template(kind, raw)
    if template is None:
        return
    metadata = mapping(raw, "metadata")
    name = text(metadata.get("name"), "name") or text(metadata.get("generateName"), "generateName")
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    try:
        invalid = () if existing else tuple(invalid_fields(kind, raw))
    except PodError as wrong:
        raise PodError(f"{kind}/{name}: {wrong}") from None
    if invalid:
        raise InvalidWorkloadError(f"{kind}/{name}", invalid)
    try:
        pod = read_pod(mapping(template, "spec"), of_daemon_set=kind == "DaemonSet")
        lifecycle = read_lifecycle(template, mapping(raw, "spec"))
        topology, (ordered, first) = read_topology(template, namespace, kind, text(metadata.get("name"), "name")), _order(kind, mapping(raw, "spec"))
        controllers = _controllers(metadata) if kind == "Pod" else ()
        replicas, report = _replicas(kind, raw), _unschedulable(kind, raw)
        exists = existing or (kind == "Pod" and metadata.get("uid") is not None)
        holds = (*_pauses(kind, raw), *_holds(pod, template, metadata, exists=exists))
        found = Workload(name, namespace, kind, pod, replicas, lifecycle, topology, ordered, report, first, controllers, template)
        yield replace(found, holds=holds, exists=exists)
    except PodError as wrong:
        raise PodError(f"{kind}/{name}: {wrong}") from None


def _template(kind: str, raw: Mapping[str, object]) -> Mapping[str, object] | None:
    """The pod, or its template, in an object with this `kind`; `None` if it creates no pods."""
    if kind not in KINDS:
        return None
    if kind == "Pod":
        return raw
    return mapping(_job_spec(kind, raw), "template")


def _job_spec(kind: str, raw: Mapping[str, object]) -> Mapping[str, object]:
    spec = mapping(raw, "spec")
    return mapping(mapping(spec, "jobTemplate"), "spec") if kind == "CronJob" else spec


def _replicas(kind: str, raw: Mapping[str, object]) -> int | None:
    if kind == "DaemonSet":
        return None
    spec = _job_spec(kind, raw)
    if kind not in ("Job", "CronJob"):
        return _number(spec.get("replicas"))
    return min(_number(spec.get("parallelism")), _number(spec.get("completions"), unset=sys.maxsize))


def _order(kind: str, spec: Mapping[str, object]) -> tuple[bool, int]:
    """Whether pods are created one after another, and the ordinal of the first."""
    if kind != "StatefulSet":
        return False, 0
    return spec.get("podManagementPolicy") != "Parallel", _number(mapping(spec, "ordinals").get("start"), unset=0)


def _pauses(kind: str, raw: Mapping[str, object]) -> Iterator[Hold]:
    """`paused` of a Deployment, and `suspend` of a CronJob, and of a Job or its template."""
    if kind == "Deployment" and mapping(raw, "spec").get("paused") is True:
        yield Hold("the Deployment is paused: it creates no ReplicaSet for this template before `paused` is `false`", "Remove `paused`")
    if kind == "CronJob" and mapping(raw, "spec").get("suspend") is True:
        yield Hold("the CronJob is suspended: it creates no Jobs before `suspend` is `false`", "Set `suspend: false`")
    if kind in ("Job", "CronJob") and _job_spec(kind, raw).get("suspend") is True:
        yield Hold("the Job is suspended: it creates no pods before `suspend` is `false`", "Set `suspend: false`")


def _holds(pod: Pod, template: Mapping[str, object], owner: Mapping[str, object], *, exists: bool) -> Iterator[Hold]:
    """What decides whether pods are scheduled, and is not modeled."""
    labels = {**mapping(mapping(template, "metadata"), "labels"), **mapping(owner, "labels")}
    if pod.gated:
        yield Hold("the pods have scheduling gates: they stay Pending until these are removed", "Remove `schedulingGates`")
    if pod.scheduler != "default-scheduler":
        yield Hold(f"`spec.schedulerName` is `{pod.scheduler}`: its decisions cannot be determined offline")
    if pod.node_name and not exists:
        yield Hold(f"`spec.nodeName` is `{pod.node_name}`: the pods run there if that node exists and has room, and no scheduler is involved")
    if mapping(template, "spec").get("schedulingGroup") is not None or _GANG in labels:
        yield Hold("the pods belong to a group that is scheduled as a whole or not at all: whether it is cannot be determined offline")
    if _QUEUE in labels:
        yield Hold(f"Kueue admits the pods in queue `{labels[_QUEUE]}`: its quota cannot be determined offline")
    if any(toleration.operator in ("Gt", "Lt") for toleration in pod.tolerations):
        yield Hold("tolerations with `Gt` or `Lt` need Kubernetes 1.37: older API servers reject the pods", "Use `Equal` or `Exists`")


def _unschedulable(kind: str, raw: Mapping[str, object]) -> str:
    """The condition that kube-scheduler writes into a pod."""
    for condition in entries(mapping(raw, "status"), "conditions") if kind == "Pod" else ():
        if (condition.get("type"), condition.get("reason"), condition.get("status")) == ("PodScheduled", "Unschedulable", "False"):
            return text(condition.get("message"), "message")
    return ""


def _controllers(metadata: Mapping[str, object]) -> tuple[Controller, ...]:
    """What created a pod: its controller, and what created the controller, which its name tells."""
    for owner in entries(metadata, "ownerReferences"):
        if owner.get("controller") is True:
            kind, name = text(owner.get("kind"), "kind"), text(owner.get("name"), "name")
            built_in = owner.get("apiVersion") in _BUILT_IN
            above, _, suffix = name.rpartition("-")
            creators = {"ReplicaSet": "Deployment", "Job": "CronJob"}
            certain = built_in and suffix == mapping(metadata, "labels").get("pod-template-hash")
            of_above = (Controller(creators[kind], above, certain),) if kind in creators and above else ()
            return (Controller(kind, name, built_in), *of_above)
    return ()


def _number(written: object, unset: int = 1) -> int:
    return written if isinstance(written, int) else unset
