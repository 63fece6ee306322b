"""Nodes of node auto provisioning. Nothing checks subnets and quotas before they are created. Facts: docs/facts/capacity.md § 1.8."""

from collections.abc import Sequence
from dataclasses import dataclass

from nodepools.clouds.aks.pod_addresses import PODS_FLAT, is_flat
from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.karpenter_nodes import node_ceiling, node_floor
from nodepools.clouds.sizes import Group
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.node_pools import KarpenterPool


@dataclass(frozen=True, slots=True)
class Provisioned:
    """The NodePools of one AKS cluster, including those that AKS creates."""

    cluster: AksClusterArgs
    pools: ClusterPools

    def in_cluster_subnet(self) -> list[Group]:
        """The nodes in the subnet of the cluster, with the addresses that each takes of it."""
        found: list[Group] = []
        for place in self.pools.provisioned:
            declared = self._class_of(place)
            if declared is None or declared.vnet_subnet_id is None:
                found += self._groups([place], each=exactly(self._addresses(declared)))
        return found

    def each(self, each: Amount) -> list[Group]:
        """All nodes, with the same need each."""
        return self._groups(self.pools.provisioned, each=each)

    def largest_addresses(self) -> int:
        """Addresses of the node subnet that a node can take at most."""
        return max((self._addresses(self._class_of(place)) for place in self.pools.provisioned), default=0)

    def _groups(self, places: Sequence[KarpenterPool], *, each: Amount) -> list[Group]:
        return [Group(*self._sizes(place), each) for place in places]

    def _sizes(self, place: KarpenterPool) -> tuple[Amount, Amount]:
        if place.address in self.pools.overridden:
            return Amount(), Amount()
        return node_floor(place), node_ceiling(place)

    def _class_of(self, place: KarpenterPool) -> AksNodeClass | None:
        return self.cluster.node_classes.get(place.pool.node_class) if place.pool.node_class is not None else None

    def _addresses(self, declared: AksNodeClass | None) -> int:
        """Machines are created with an address for each pod, except with overlay networking."""
        if not is_flat(self.cluster):
            return 1
        return declared.max_pods if declared is not None and declared.max_pods is not None else PODS_FLAT
