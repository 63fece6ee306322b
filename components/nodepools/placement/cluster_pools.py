"""The pools of one cluster as placement sees them, and the interface of a cluster that provides them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from nodepools.model.clusters import DeclaredPool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.placement.cloud_labels import Cloud
from nodepools.placement.cluster_labels import LabelValues, OfClass
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.workload import Workload

_DECIDING: Final = frozenset(
    {"template", "limits", "weight", "replicas", "node_labels", "node_taints", "node_initialization_taints", "vm_size", "availability_zones", "count"}
)
"""Fields of overrides that decide where pods can run."""


@dataclass(frozen=True)
class ClusterPools:
    """The pools of one cluster, which a pod of that cluster can be scheduled on."""

    cluster: str | None
    static: tuple[StaticPool, ...] = ()
    provisioned: tuple[KarpenterPool, ...] = ()
    overridden: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Overrides of pools that decide where pods can run, by address. Their values are not read."""
    classes: tuple[VolumeClass, ...] = ()
    """The storage classes that the cluster is certain to have."""
    unsure: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why a pool is not certain to run more pods, by address."""
    emptied: tuple[StaticPool, ...] = ()
    """Pools that can have no further node: those that run are nodes of their own."""
    bound: tuple[Workload, ...] = ()
    """The pods that run, of a running cluster."""
    lost_zone: str = ""
    """A zone whose machines have failed; empty: none."""
    adds_node_selectors: bool | None = None
    """The API server adds the node selector in an annotation of a Namespace to its pods (admission plugin PodNodeSelector); `None`: not known."""


def overridden(cluster: str, pools: Mapping[str, DeclaredPool]) -> dict[str, tuple[str, ...]]:
    """The overrides that decide where pods can run, by the address of their pool."""
    return {f"{cluster}/{key}": fields for key, pool in pools.items() if (fields := tuple(name for name in pool.overrides if name in _DECIDING))}


def provisioned(
    address: str, cloud: Cloud, pool: NodePool, labels: Mapping[str, str], *, cluster: OfClass, choices: Mapping[str, LabelValues]
) -> KarpenterPool:
    """A NodePool with what its node class determines."""
    own = {**cluster.labels, **cloud.node_labels}
    return KarpenterPool(
        address, address.rpartition("/")[2], cloud, pool, labels, own, {**choices, **cluster.choices}, cluster.disk, cluster.requirements
    )
