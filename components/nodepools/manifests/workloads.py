"""Reads pods, and the objects that create pods, from files: YAML or JSON, several documents, lists."""

from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workload import Workload
from nodepools.placement.workload_reader import read_workloads
from nodepools.reading.limits import TextError


def workloads(written: str, name: str) -> list[Workload]:
    """Returns the workloads in a file. Objects that do not create pods are ignored.

    Raises:
        TextError: the file cannot be read.
    """
    return [workload for manifest in objects(written, name) for workload in workloads_of(manifest)]


def workloads_of(written: ManifestObject) -> list[Workload]:
    """Returns the workload of an object; nothing for an object that does not create pods.

    Raises:
        TextError: the pods are invalid. The message has the position of the object.
    """
    try:
        return list(read_workloads(written.raw))
    except PodError as wrong:
        raise TextError(f"{written.position(())}: {wrong}") from None
