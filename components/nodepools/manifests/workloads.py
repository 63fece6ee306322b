"""Reads pods, and what makes pods, from Kubernetes objects: YAML or JSON, several documents, lists."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.manifests.text import TextError, parse_all
from nodepools.model.kubernetes.pod import read_pod
from nodepools.model.kubernetes.written import PodError, entries, mapping, text
from nodepools.placement.workload import Workload

_TEMPLATED = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")


def workloads(written: str, name: str) -> list[Workload]:
    """The workloads in a file; objects that make no pods are passed over.

    Raises:
        TextError: it cannot be read, or holds no workload.
    """
    found = [workload for document in parse_all(written, name) for workload in _of(document, name)]
    if not found:
        raise TextError(f"{name}: holds no pod, and nothing that makes pods ({', '.join(('Pod', *_TEMPLATED, 'CronJob'))})")
    return found


def _of(document: object, name: str) -> Iterator[Workload]:
    if document is None:
        return
    if isinstance(document, list):
        for item in cast("list[object]", document):
            yield from _of(item, name)
        return
    if not isinstance(document, Mapping):
        raise TextError(f"{name}: should hold Kubernetes objects, not {document!r:.60}")
    raw = cast("Mapping[str, object]", document)
    try:
        yield from _of_object(raw, name)
    except PodError as wrong:
        place = f"{raw.get('kind')}/{mapping(raw, 'metadata').get('name')}" if isinstance(raw.get("metadata"), Mapping) else str(raw.get("kind"))
        raise TextError(f"{name}: {place}: {wrong}") from None


def _of_object(raw: Mapping[str, object], name: str) -> Iterator[Workload]:
    kind = text(raw.get("kind"), "kind")
    if not kind:
        raise TextError(f"{name}: should hold Kubernetes objects: `kind` is missing")
    if kind.endswith("List") and "items" in raw:
        for item in entries(raw, "items"):
            yield from _of({"kind": kind.removesuffix("List"), **item} if kind != "List" else item, name)
        return
    template = _template(kind, raw)
    if template is None:
        return
    metadata = mapping(raw, "metadata")
    named = text(metadata.get("name"), "name") or text(metadata.get("generateName"), "generateName")
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    yield Workload(named, namespace, kind, read_pod(template, of_daemon_set=kind == "DaemonSet"), _replicas(kind, raw))


def _template(kind: str, raw: Mapping[str, object]) -> Mapping[str, object] | None:
    """The pod's spec in an object of this kind; `None` where it makes no pods."""
    spec = mapping(raw, "spec")
    if kind == "Pod":
        return spec
    if kind in _TEMPLATED:
        return mapping(mapping(spec, "template"), "spec")
    if kind == "CronJob":
        return mapping(mapping(mapping(mapping(spec, "jobTemplate"), "spec"), "template"), "spec")
    return None


def _replicas(kind: str, raw: Mapping[str, object]) -> int | None:
    spec = mapping(raw, "spec")
    if kind == "CronJob":
        spec = mapping(mapping(spec, "jobTemplate"), "spec")
    if kind == "DaemonSet":
        return None
    written = spec.get("parallelism" if kind in ("Job", "CronJob") else "replicas")
    return written if isinstance(written, int) else 1
