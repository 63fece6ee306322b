"""Workloads for which both the cluster autoscaler and node auto provisioning would add nodes. Facts: docs/facts/aks.md § 2.4, § 3.1."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.explain import explain
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload


class DoubleProvisioning(NamedTuple):
    """A workload that fits autoscaled agent pools and NodePools of one cluster."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    agent_pools: tuple[str, ...]
    node_pools: tuple[str, ...]


def started_twice(platform: Platform, catalog: Iterable[ClusterPools], scaled: Collection[str]) -> Iterator[DoubleProvisioning]:
    """The workloads of `must_fit` for which both would add nodes; an object that cannot be read is ignored.

    `catalog` has the pools of the platform, `scaled` the addresses of those that the cluster autoscaler scales next to Karpenter.
    """
    named = [(index, workload) for index, raw in enumerate(platform.must_fit) for workload in _read(raw) if not workload.is_daemon]
    for pools in catalog if scaled else ():
        provisioned = {pool.address for pool in pools.provisioned}
        for (index, workload), answer in zip(named, explain([pool_verdict for _, pool_verdict in named], [pools]), strict=True):
            fits = [pool_verdict.pool for pool_verdict in answer.pools if pool_verdict.verdict is Verdict.FITS]
            both = tuple(pool for pool in fits if pool in scaled), tuple(pool for pool in fits if pool in provisioned)
            if all(both):
                yield DoubleProvisioning(index, f"{workload.kind}/{workload.name}", *both)


def _read(raw: object) -> list[Workload]:
    try:
        return list(read_workloads(raw))
    except PodError:
        return []
