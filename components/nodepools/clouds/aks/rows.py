"""Table rows of an AKS cluster and its pools."""

from collections.abc import Iterator
from dataclasses import dataclass

from nodepools.clouds.rows import ClusterRow, PoolRow, api_access, built_in_row, node_pool_row
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ManagedAksNetwork

_TAINTS = {"system-surge": ("CriticalAddonsOnly=true:NoSchedule",)}
"""Taints of the built-in NodePools."""


@dataclass(frozen=True, slots=True)
class AksRows:
    """Rows of the cluster, its agent pools and its NodePools."""

    args: AksClusterArgs

    def cluster(self, key: str) -> ClusterRow:
        """The cluster with this key."""
        args, auto = self.args, self.args.node_provisioning
        nap = f"NAP Auto, default pools: {auto.default_node_pools}" if auto is not None else "NAP Manual"
        network = args.network.cidr or ("managed by AKS" if isinstance(args.network, ManagedAksNetwork) else "existing")
        return ClusterRow(key, "AKS", args.location, args.kubernetes_version, network, api_access(args.api_server), nap)

    def pools(self, key: str) -> Iterator[PoolRow]:
        """Agent pools, NodePools, then the built-in NodePools."""
        yield from (_agent_pool(key, name, pool) for name, pool in self.args.all_pools())
        yield from (node_pool_row(key, name, pool) for name, pool in self.args.node_pools.items())
        yield from (built_in_row(key, name, *_TAINTS.get(name, ())) for name in self.args.built_in_node_pools)


def _agent_pool(cluster: str, name: str, pool: AgentPool) -> PoolRow:
    scale = str(pool.most_nodes) if pool.fewest_nodes == pool.most_nodes and not pool.scale else f"{pool.fewest_nodes} to {pool.most_nodes}"
    zones = f", zones {' '.join(map(str, pool.zones))}" if pool.zones else ""
    spot = " (spot)" if getattr(pool, "spot", None) else ""
    labels = tuple(f"{key}={value}" for key, value in pool.node_labels(name).items())
    sizes = tuple(one.vm_size + zones for one in pool.by_size)
    return PoolRow(cluster, name, type(pool).__name__ + spot, sizes, scale, tuple(map(str, pool.node_taints)), labels)
