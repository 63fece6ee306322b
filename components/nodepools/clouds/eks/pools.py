"""The pools of an EKS cluster as placement sees them. Facts: docs/facts/eks.md § 1.3."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.clouds.eks.karpenter import eks_cloud
from nodepools.clouds.eks.locations import eks_choices
from nodepools.clouds.eks.node_classes import eks_class, own_subnets
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs, default_zone_count, most_zones
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.pod import Expression, Term
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.cluster_pools import ClusterPools, overridden, provisioned
from nodepools.placement.node_pools import KarpenterPool


@dataclass(frozen=True, slots=True)
class EksPools:
    """The pools of an EKS cluster: all are NodePools."""

    cluster: EksClusterArgs

    def pools(self, key: str, stem: str) -> ClusterPools:
        """The built-in NodePools that are on, then the declared ones."""
        fields, classes = overridden(key, self.cluster.node_pools), tuple(eks_classes(self.cluster))
        return ClusterPools(key, (), tuple(self._all(key, stem)), fields, classes, adds_node_selectors=False)

    def _all(self, key: str, stem: str) -> Iterator[KarpenterPool]:
        built_in = eks_cloud().built_in
        for name in self.cluster.built_in_node_pools:
            yield self._pool(f"{key}/{name}", stem, built_in[name], labels={})
        for name, pool in self.cluster.node_pools.items():
            yield self._pool(f"{key}/{name}", stem, pool, labels=pool.node_labels(name))

    def _pool(self, address: str, stem: str, pool: NodePool, *, labels: Mapping[str, str]) -> KarpenterPool:
        class_key = _class_of(pool)
        choices = self.locations(pool)
        return provisioned(address, eks_cloud(), pool, labels, cluster=eks_class(stem, self.cluster, class_key), choices=choices)

    def locations(self, pool: NodePool) -> Mapping[str, LabelValues]:
        """The regions and zones that nodes of a NodePool can be in."""
        key = _class_of(pool)
        return eks_choices(self.cluster.region, self._zones, self._zone_count(key), own_subnets=own_subnets(self.cluster, key))

    @property
    def _zones(self) -> tuple[str, ...]:
        """Zones of the VPC that the cluster creates; those of an existing VPC cannot be determined offline."""
        return tuple(self.cluster.network.zones) if isinstance(self.cluster.network, EksNetworkArgs) else ()

    def _zone_count(self, class_key: str) -> tuple[int, int]:
        """The fewest and the most zones of nodes in the network of the cluster. The control plane is in at least two, and never in a local zone."""
        network, region = self.cluster.network, self.cluster.region
        if isinstance(network, EksNetworkArgs):
            count = len(self._zones) if self._zones else default_zone_count(region)
            return count, count
        if network.control_plane_subnet_ids and class_key != BUILT_IN_CLASS:
            return 1, len(network.private_subnet_ids)
        subnets = network.control_plane_subnet_ids if network.control_plane_subnet_ids else network.private_subnet_ids
        most = min(len(subnets), most_zones(region))
        return min(2, most), most


def _class_of(pool: NodePool) -> str:
    return pool.node_class if pool.node_class is not None else BUILT_IN_CLASS


_ON_AUTO_MODE: Final = (Term((Expression("eks.amazonaws.com/compute-type", "In", ("auto",)),)),)


def eks_classes(cluster: EksClusterArgs) -> Iterator[VolumeClass]:
    """It creates volumes in the zone of the pod, on nodes of Auto Mode."""
    declared = cluster.objects.storage_class
    if declared is not None:
        yield VolumeClass(declared.name, "ebs.csi.eks.amazonaws.com", topologies=_ON_AUTO_MODE, is_default=declared.default)
