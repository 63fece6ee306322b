"""Table rows of an EKS cluster and its pools."""

from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.clouds.rows import ClusterRow, PoolRow, api_access, built_in_row, node_pool_row
from nodepools.model.eks.cluster import EksClusterArgs

_TAINTS = {"system": ("CriticalAddonsOnly:NoSchedule",)}
"""Taints of the built-in NodePools."""


@dataclass(frozen=True, slots=True)
class EksRows:
    """Rows of the cluster and its NodePools."""

    args: EksClusterArgs

    def cluster(self, key: str) -> ClusterRow:
        """The cluster with this key."""
        args = self.args
        auto_mode = f"Auto Mode, built-in pools: {', '.join(args.built_in_node_pools) or 'none'}"
        network = args.network.cidr or "existing"
        return ClusterRow(key, "EKS", args.region, args.kubernetes_version, network, api_access(args.api_server), auto_mode)

    def pools(self, key: str) -> Iterator[PoolRow]:
        """NodePools, then the built-in ones."""
        yield from (node_pool_row(key, name, pool) for name, pool in self.args.node_pools.items())
        yield from (built_in_row(key, name, *_TAINTS.get(name, ())) for name in self.args.built_in_node_pools)
