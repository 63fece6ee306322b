"""Reads pods, and what makes pods, from files: YAML or JSON, several documents, lists."""

from nodepools.manifests.documents import TextError
from nodepools.manifests.objects import Written, objects
from nodepools.model.kubernetes.written import PodError
from nodepools.placement.read import read_workloads
from nodepools.placement.workload import Workload


def workloads(written: str, name: str) -> list[Workload]:
    """The workloads in a file; objects that make no pods are passed over.

    Raises:
        TextError: it cannot be read.
    """
    return [workload for one in objects(written, name) for workload in workloads_of(one)]


def workloads_of(written: Written) -> list[Workload]:
    """The workload of an object; none where it makes no pods.

    Raises:
        TextError: its pods are none. The message has its place.
    """
    try:
        return list(read_workloads(written.raw))
    except PodError as wrong:
        raise TextError(f"{written.position(())}: {wrong}") from None
