"""The pools of one cluster as placement sees them, and what it asks of a cluster to find them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from nodepools.model.karpenter import NodePool
from nodepools.model.per_cloud import DeclaredPool
from nodepools.placement.cloud_labels import Cloud
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.node_classes import OfClass
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool

_DECIDING: Final = frozenset(
    {"template", "limits", "weight", "replicas", "node_labels", "node_taints", "node_initialization_taints", "vm_size", "availability_zones", "count"}
)
"""Fields of overrides that decide where pods can run."""


@dataclass(frozen=True)
class Pools:
    """The pools that one pod may choose among: those of one cluster."""

    cluster: str | None
    static: tuple[StaticPool, ...] = ()
    provisioned: tuple[KarpenterPool, ...] = ()
    overridden: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Fields of pools, by address, that are laid over what is declared: they are not read here."""


class ClusterPools(Protocol):
    """What placement asks of a declared cluster; each cloud has one implementation."""

    def pools(self, key: str, stem: str) -> Pools:
        """All its pools, those that the cloud creates among them; names in the cloud begin with `stem`."""
        ...

    @property
    def changing_names(self) -> Mapping[str, str]:
        """The names by which nodes are labelled and that change when their pool rotates, each with the key of the pool."""
        ...

    @property
    def autoscaled_next_to_karpenter(self) -> frozenset[str]:
        """Keys of the pools that the cluster autoscaler scales while Karpenter launches nodes for the same pods."""
        ...


def overridden(cluster: str, pools: Mapping[str, DeclaredPool]) -> dict[str, tuple[str, ...]]:
    """The overrides that decide where pods can run, by the address of their pool."""
    return {f"{cluster}/{name}": fields for name, pool in pools.items() if (fields := tuple(one for one in pool.overrides if one in _DECIDING))}


def provisioned(
    address: str, cloud: Cloud, pool: NodePool, labels: Mapping[str, str], *, of: OfClass, choices: Mapping[str, LabelValues]
) -> KarpenterPool:
    """A NodePool, with what its node class says of its nodes."""
    own = {**of.labels, **cloud.node_labels}
    return KarpenterPool(address, address.rpartition("/")[2], cloud, pool, labels, own, {**choices, **of.choices}, of.disk, of.requirements)
