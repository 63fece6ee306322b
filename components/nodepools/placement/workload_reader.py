"""Workloads from raw Kubernetes objects: the output of any tool will do."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.model.kubernetes.pod import read_pod
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text
from nodepools.placement.workload import Workload

_TEMPLATED = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
KINDS = ("Pod", *_TEMPLATED, "CronJob")
"""What is a pod, or makes pods."""


def read_workloads(raw: object) -> Iterator[Workload]:
    """The workloads in an object, in a list of them, or in a Kubernetes List; objects that make no pods are passed over.

    Raises:
        PodError: it is no Kubernetes object, or one of its pods is none.
    """
    if raw is None:
        return
    if isinstance(raw, list | tuple):
        for item in cast("list[object]", raw):
            yield from read_workloads(item)
        return
    if not isinstance(raw, Mapping):
        raise PodError(f"should be a Kubernetes object, not {raw!r:.60}")
    yield from _of_object(cast("Mapping[str, object]", raw))


def _of_object(raw: Mapping[str, object]) -> Iterator[Workload]:
    kind = text(raw.get("kind"), "kind")
    if not kind:
        raise PodError("should be a Kubernetes object: `kind` is missing")
    if kind.endswith("List") and "items" in raw:
        for item in entries(raw, "items"):
            yield from read_workloads(item if "kind" in item else {"kind": kind.removesuffix("List"), **item})
        return
    template = _template(kind, raw)
    if template is None:
        return
    metadata = mapping(raw, "metadata")
    named = text(metadata.get("name"), "name") or text(metadata.get("generateName"), "generateName")
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    try:
        yield Workload(named, namespace, kind, read_pod(template, of_daemon_set=kind == "DaemonSet"), _replicas(kind, raw))
    except PodError as wrong:
        raise PodError(f"{kind}/{named}: {wrong}") from None


def _template(kind: str, raw: Mapping[str, object]) -> Mapping[str, object] | None:
    """The pod's spec in an object of this kind; `None` where it makes no pods."""
    if kind not in KINDS:
        return None
    spec = mapping(raw, "spec")
    if kind == "Pod":
        return spec
    if kind == "CronJob":
        spec = mapping(mapping(spec, "jobTemplate"), "spec")
    return mapping(mapping(spec, "template"), "spec")


def _replicas(kind: str, raw: Mapping[str, object]) -> int | None:
    spec = mapping(raw, "spec")
    if kind == "DaemonSet":
        return None
    if kind == "CronJob":
        spec = mapping(mapping(spec, "jobTemplate"), "spec")
    written = spec.get("parallelism" if kind in ("Job", "CronJob") else "replicas")
    return written if isinstance(written, int) else 1
