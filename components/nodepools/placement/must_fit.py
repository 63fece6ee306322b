"""The workloads of `must_fit`: those that select a pool by a name that changes, and those for which two autoscalers would add nodes.

Facts: docs/facts/aks.md § 2.4, § 3.1.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import KINDS, WorkloadObjects, read_workload_objects
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


def invalid_entries(platform: Platform) -> Iterator[tuple[int, str, str]]:
    """The entries of `must_fit` that create no pods and decide nothing of them: the position, what is wrong, and what to do."""
    for index, raw in enumerate(platform.must_fit):
        try:
            read_workload_objects([raw])
            if raw.get("kind") in KINDS:
                from nodepools.model.kubernetes.object_validation import check_object  # not every input has such objects

                check_object(str(raw["kind"]), raw)
            elif not list(read_workloads(raw)):
                fix = "Use a pod, or an object that creates pods, such as a `Deployment`"
                yield index, f"creates no pods: its kind is `{raw.get('kind')}`", fix
        except PodError as wrong:
            yield index, f"is not a valid workload ({wrong})", "Correct the object; Kubernetes rejects it, too"


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


class DoubleProvisioning(NamedTuple):
    """A workload that fits autoscaled agent pools and NodePools of one cluster."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    agent_pools: tuple[str, ...]
    node_pools: tuple[str, ...]


def started_twice(platform: Platform, catalog: Iterable[ClusterPools], scaled: Collection[str]) -> Iterator[DoubleProvisioning]:
    """The workloads for which both the cluster autoscaler and node auto provisioning would add nodes; an object that cannot be read is ignored.

    `catalog` has the pools of the platform, `scaled` the addresses of those that the cluster autoscaler scales next to Karpenter.
    """
    named = [(index, workload) for index, workload in numbered_workloads(platform) if not workload.is_daemon]
    for pools in catalog if scaled else ():
        provisioned = {pool.address for pool in pools.provisioned}
        for (index, workload), answer in zip(named, explain([pool_verdict for _, pool_verdict in named], [pools]), strict=True):
            fits = [pool_verdict.pool for pool_verdict in answer.pools if pool_verdict.verdict is Verdict.FITS]
            both = tuple(pool for pool in fits if pool in scaled), tuple(pool for pool in fits if pool in provisioned)
            if all(both):
                yield DoubleProvisioning(index, f"{workload.kind}/{workload.name}", *both)


def _read(raw: object) -> list[Workload]:
    """Suspended workloads count as resumed."""
    try:
        return [replace(one, replicas=one.suspended) if one.suspended else one for one in read_workloads(raw)]
    except PodError:
        return []
