"""The nodes of agent pools. Facts: docs/facts/capacity.md § 1.1, § 1.7."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nodepools.clouds.aks.counted_nodes import vcpus_of
from nodepools.clouds.aks.pod_addresses import max_pods
from nodepools.clouds.aks.surge import surge
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.sizes import Group
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs

_DECIDING = frozenset(
    {
        *("count", "min_count", "max_count", "enable_auto_scaling", "max_pods", "vm_size", "upgrade_settings"),
        *("power_state", "scale_set_priority", "spot_max_price", "virtual_machines_profile"),
    }
)
"""Overrides that decide how many nodes a pool has, what each needs or what it costs. Their values are not read."""
_UNKNOWN = Amount()


def deciding(pool: AgentPool) -> list[str]:
    """The overrides that decide the number of its nodes, their size or their price."""
    return sorted(_DECIDING & pool.overrides.keys())


@dataclass(frozen=True, slots=True)
class AgentNodes:
    """One generation of an agent pool."""

    key: str
    pool: AgentPool
    is_first: bool = False
    """It is part of the cluster."""
    is_previous: bool = False
    is_elsewhere: bool = False
    """Its nodes can all take of another quota."""
    whole: AgentPool | None = None
    """The pool of several VM sizes that `pool` has one size of."""

    @property
    def by_size(self) -> "Sequence[AgentNodes]":
        """Its nodes of each VM size."""
        return [self if one is self.pool else replace(self, pool=one, whole=self.pool) for one in self.pool.by_size]

    @property
    def label(self) -> str:
        """The name of the pool for people."""
        return f"{self.key} (previous)" if self.is_previous else self.key

    @property
    def families(self) -> frozenset[str | None]:
        """The vCPU quota of its VM size."""
        return frozenset({quota_family(self.pool.vm_size)})

    @property
    def is_spot(self) -> bool:
        """As declared."""
        return getattr(self.pool, "spot", None) is not None

    @property
    def has_static_pods(self) -> bool:
        """As declared."""
        return self.pool.pod_ip_allocation == "StaticBlock"

    @property
    def vcpus(self) -> Amount:
        """VCPUs of each node."""
        return vcpus_of(self.pool.vm_size) if self.is_certain else _UNKNOWN

    def of_family(self, family: str) -> "AgentNodes | None":
        """All its nodes, or none; possibly none of a size whose family is unknown."""
        if None in self.families:
            return replace(self, is_elsewhere=True)
        return self if family in self.families else None

    def max_pods(self, default: int) -> int:
        """The maximum number of pods per node."""
        return max_pods(self.pool, default)

    @property
    def rotates(self) -> bool:
        """A change of an immutable field creates it under a new name, next to the old one."""
        return not (self.is_first or self.is_previous) and self.pool.name is None and self.pool.retiring is None

    @property
    def is_certain(self) -> bool:
        """No override decides its size."""
        return not deciding(self.pool)

    @property
    def created(self) -> Amount:
        """Nodes that the request asks for, whatever the autoscaler does later."""
        return self._running(sum(one.first_count for one in self.pool.by_size))

    @property
    def minimum(self) -> Amount:
        """Its smallest number of nodes. A stopped pool has none."""
        return self._running(self.pool.fewest_nodes if self._runs else 0)

    @property
    def maximum(self) -> Amount:
        """Its largest number of nodes without surge."""
        return self._running(self.pool.most_nodes)

    @property
    def surge(self) -> Amount:
        """Nodes that an upgrade adds: at most one for each node, and two defaults are documented. Of which size they are is not known."""
        pool = self.whole if self.whole is not None else self.pool
        low, high = surge(pool, minimum=True) if self.whole is None else 0, surge(pool, minimum=False)
        return Amount(low if self._is_there else 0, max(low, high)) if self.is_certain else _UNKNOWN

    @property
    def machines(self) -> Amount:
        """Its smallest number of machines that count against quotas: stopped ones, which wait for the next scale-out, also do."""
        spot = getattr(self.pool, "spot", None)
        kept = self.pool.scale_down_mode == "Deallocate" or (spot is not None and spot.eviction == "Deallocate")
        return Amount(self.minimum.minimum, self.maximum.maximum) if kept else self.minimum

    def group(self, each: Amount) -> Group:
        """Its nodes, with what each of them needs."""
        return Group(self.minimum, self.maximum, each, self.surge, self.rotates)

    @property
    def _runs(self) -> bool:
        return self.pool.power_state != "Stopped"

    def _running(self, nodes: int) -> Amount:
        if not self.is_certain:
            return _UNKNOWN
        return exactly(nodes) if self._is_there else Amount(0, nodes)

    @property
    def _is_there(self) -> bool:
        return self._runs and not self.is_elsewhere


def agent_nodes(cluster: AksClusterArgs) -> Iterator[AgentNodes]:
    """Every agent pool with its previous generation, which exists at the same time."""
    for key, pool in cluster.all_pools():
        yield AgentNodes(key, pool, is_first=pool is cluster.system_pool)
        if pool.retiring is not None:
            yield AgentNodes(key, pool.retiring, is_previous=True)
