"""Reads pods, and what makes pods, from files: YAML or JSON, several documents, lists."""

from nodepools.manifests.text import TextError, parse_all
from nodepools.model.kubernetes.written import PodError
from nodepools.placement.read import KINDS, read_workloads
from nodepools.placement.workload import Workload


def workloads(written: str, name: str) -> list[Workload]:
    """The workloads in a file; objects that make no pods are passed over.

    Raises:
        TextError: it cannot be read, or holds no workload.
    """
    try:
        found = [workload for document in parse_all(written, name) for workload in read_workloads(document)]
    except PodError as wrong:
        raise TextError(f"{name}: {wrong}") from None
    if not found:
        raise TextError(f"{name}: holds no pod, and nothing that makes pods ({', '.join(KINDS)})")
    return found
