"""How many pods still have room while a pool that gets no extra node has less nodes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from nodepools.needs.amounts import Amount
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workload import Workload
from nodepools.placement.workload_objects import WorkloadObjects
from nodepools.replicas.count import Count
from nodepools.replicas.explained import explain_replicas


class DrainedRoom:
    """The pools of one cluster, with the workloads of the input placed together."""

    def __init__(self, pools: Pools, workloads: Sequence[Workload], objects: WorkloadObjects) -> None:
        self._pools: Final = pools
        self._workloads: Final = workloads
        self._objects: Final = objects

    @cached_property
    def before(self) -> Mapping[Workload, Count]:
        """The pods that have room as declared."""
        return self._counts(self._pools)

    def during(self, address: str) -> Mapping[Workload, Count]:
        """The pods that have room with one node less in a pool: the smallest batch of a drain."""
        return self._with(address, _with_less)

    def during_batch(self, address: str, rest: Amount) -> Mapping[Workload, Count]:
        """The pods that have room while the largest batch drains, and only the `rest` of the nodes stays."""

        def left(pool: StaticPool) -> StaticPool:
            return replace(pool, min_nodes=rest.at_least, max_nodes=pool.max_nodes if rest.at_most is None else rest.at_most)

        return self._with(address, left)

    def _with(self, address: str, change: Callable[[StaticPool], StaticPool]) -> Mapping[Workload, Count]:
        static = tuple(change(pool) if pool.address == address else pool for pool in self._pools.static)
        return self._counts(replace(self._pools, static=static))

    def _counts(self, pools: Pools) -> Mapping[Workload, Count]:
        return {explained.answer.workload: explained.count for explained in explain_replicas(self._workloads, [pools], self._objects)}


def _with_less(pool: StaticPool) -> StaticPool:
    return replace(pool, min_nodes=max(pool.min_nodes - 1, 0), max_nodes=max(pool.max_nodes - 1, 0))
