"""Reads pods, and what makes pods, from files: YAML or JSON, several documents, lists."""

from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.yaml_documents import TextError
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workload import Workload
from nodepools.placement.workload_reader import read_workloads


def workloads(written: str, name: str) -> list[Workload]:
    """The workloads in a file; objects that make no pods are passed over.

    Raises:
        TextError: it cannot be read.
    """
    return [workload for one in objects(written, name) for workload in workloads_of(one)]


def workloads_of(written: ManifestObject) -> list[Workload]:
    """The workload of an object; none where it makes no pods.

    Raises:
        TextError: its pods are none. The message has its place.
    """
    try:
        return list(read_workloads(written.raw))
    except PodError as wrong:
        raise TextError(f"{written.position(())}: {wrong}") from None
