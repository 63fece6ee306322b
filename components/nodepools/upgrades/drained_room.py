"""How many pods have room on the nodes that stay while nodes of a pool drain."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from nodepools.clouds.amounts import Amount
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Count


class DrainedRoom:
    """The pools of one cluster, with the workloads of the input placed together.

    What drains differs between steps by the nodes that stay in one pool alone: each number of nodes is counted once.
    """

    def __init__(self, pools: ClusterPools, workloads: Sequence[Workload], objects: WorkloadObjects) -> None:
        self._pools: Final = pools
        self._workloads: Final = workloads
        self._objects: Final = objects
        self._known: Final[dict[tuple[str, int, int], Mapping[Workload, Count]]] = {}

    @cached_property
    def before(self) -> Mapping[Workload, Count]:
        """The pods that have room as declared."""
        return self._counts(self._pools)

    def during(self, address: str) -> Mapping[Workload, Count]:
        """The pods that have room with one node less in a pool: the smallest batch of a drain."""
        pool = self._pool(address)
        return self._with(pool, max(pool.min_nodes - 1, 0), max(pool.max_nodes - 1, 0))

    def during_batch(self, address: str, rest: Amount) -> Mapping[Workload, Count]:
        """The pods that have room while the largest batch drains, and only the `rest` of the nodes stays."""
        pool = self._pool(address)
        return self._with(pool, rest.minimum, pool.max_nodes if rest.maximum is None else rest.maximum)

    def _pool(self, address: str) -> StaticPool:
        return next(pool for pool in self._pools.static if pool.address == address)

    def _with(self, changed: StaticPool, least: int, most: int) -> Mapping[Workload, Count]:
        key = (changed.address, least, most)
        if key not in self._known:
            left = replace(changed, min_nodes=least, max_nodes=most)
            static = tuple(left if pool is changed else pool for pool in self._pools.static)
            self._known[key] = self._counts(replace(self._pools, static=static))
        return self._known[key]

    def _counts(self, pools: ClusterPools) -> Mapping[Workload, Count]:
        from nodepools.replicas.explained import explain_replicas  # most upgrades are planned without workloads

        return {explained.answer.workload: explained.count for explained in explain_replicas(self._workloads, [pools], self._objects)}
