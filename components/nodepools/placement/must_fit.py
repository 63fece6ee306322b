"""The workloads of `must_fit`, and those that select a pool by a name that changes."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.workloads.objects import WorkloadObjects, read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload


def named_workloads(platform: Platform) -> list[Workload]:
    """The workloads of `must_fit`; an object that cannot be read is ignored."""
    return [workload for _, workload in numbered_workloads(platform)]


def numbered_workloads(platform: Platform) -> list[tuple[int, Workload]]:
    """The same, each with its position in `must_fit`."""
    return [(index, workload) for index, raw in enumerate(platform.must_fit) for workload in _read(raw)]


def objects_of(platform: Platform) -> WorkloadObjects:
    """The objects next to the workloads of `must_fit`; one that cannot be read is ignored."""
    return read_workload_objects(raw for raw in platform.must_fit if _is_readable(raw))


def _is_readable(raw: Mapping[str, object]) -> bool:
    try:
        read_workload_objects([raw])
    except PodError:
        return False
    return True


class NamedAfterGeneration(NamedTuple):
    """A workload that selects an agent pool by a name that changes when the pool rotates."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    label: str
    """The label that it selects: `agentpool=webcaq1`."""
    pool: str
    """Key of the pool."""


def named_after_generations(platform: Platform, rotating: Mapping[str, str]) -> Iterator[NamedAfterGeneration]:
    """The workloads of `must_fit` that select an agent pool by a name that changes: `rotating` has the keys of pools by such names."""
    for index, workload in numbered_workloads(platform):
        for expression in workload.pod.required_labels:
            if expression.key in POOL_NAME_LABELS and expression.operator == "In":
                yield from (
                    NamedAfterGeneration(index, f"{workload.kind}/{workload.name}", f"{expression.key}={value}", rotating[value])
                    for value in expression.values
                    if value in rotating
                )


def _read(raw: object) -> list[Workload]:
    try:
        return list(read_workloads(raw))
    except PodError:
        return []
