"""The pools of an AKS cluster as placement sees them. Facts: docs/facts/aks.md § 3.2.

The storage classes that AKS creates. Source: https://learn.microsoft.com/azure/aks/concepts-storage, section "Storage classes".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nodepools.clouds.aks.agent_pools import agent_nodes
from nodepools.clouds.aks.karpenter import aks_cloud
from nodepools.clouds.aks.locations import aks_choices
from nodepools.clouds.aks.node_classes import aks_class
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.placement.cluster_pools import ClusterPools, overridden, provisioned
from nodepools.placement.node_pools import KarpenterPool


@dataclass(frozen=True, slots=True)
class AksPools:
    """The pools of an AKS cluster: agent pools, and NodePools where node auto provisioning is on."""

    cluster: AksClusterArgs

    def pools(self, key: str, stem: str) -> ClusterPools:  # noqa: ARG002  # agent pools have names of their own
        """The agent pools, the built-in NodePools that are on, then the declared ones."""
        static = tuple(nodes for name, pool in self.cluster.all_pools() for nodes in agent_nodes(key, self.cluster, name, pool))
        fields = overridden(key, {name: pool for _, name, pool in self.cluster.declared_pools()})
        return ClusterPools(key, static, tuple(self._node_pools(key)), fields, AKS_CLASSES, adds_node_selectors=True)

    def _node_pools(self, key: str) -> Iterator[KarpenterPool]:
        if self.cluster.node_provisioning is None:
            return
        cloud, classes = aks_cloud(), self.cluster.node_classes
        choices = aks_choices(self.cluster.location, frozenset(zone for _, pool in self.cluster.all_pools() for zone in pool.zones))
        for name in self.cluster.built_in_node_pools:
            if name not in self.cluster.node_pools:
                pool = cloud.built_in[name]
                yield provisioned(f"{key}/{name}", cloud, pool, dict(pool.labels), cluster=aks_class("default", None), choices=choices)
        for name, pool in self.cluster.applied_node_pools.items():
            class_key = pool.node_class if pool.node_class is not None else "default"
            of = aks_class(class_key, classes.get(class_key))
            yield provisioned(f"{key}/{name}", cloud, pool, pool.node_labels(name), cluster=of, choices=choices)


_DISKS: Final = ("default", "managed", "managed-csi", "managed-csi-premium", "managed-premium")
_FILES: Final = ("azurefile", "azurefile-csi", "azurefile-csi-premium", "azurefile-premium")

AKS_CLASSES: Final = (
    *(VolumeClass(name, "disk.csi.azure.com", is_default=name == "default") for name in _DISKS),
    *(VolumeClass(name, "file.csi.azure.com", immediate=True) for name in _FILES),
)
