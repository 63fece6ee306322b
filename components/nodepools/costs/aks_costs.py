"""Monthly cost of the pools of an AKS cluster: agent pools by scale, NodePools by limits."""

from collections.abc import Iterator

from nodepools.costs.agent_pools import agent_pool_cost
from nodepools.costs.node_pools import node_pool_cost
from nodepools.costs.pool_cost import PoolCost
from nodepools.costs.prices import Prices
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.placement.catalog import cluster_pools


def aks_costs(cluster: AksClusterArgs, key: str, stem: str, prices: Prices) -> Iterator[PoolCost]:
    """Yields the cost of every agent pool and its previous generation, then of every NodePool."""
    for name, pool in cluster.all_pools():
        yield agent_pool_cost(f"{key}/{name}", cluster, pool, prices)
        if pool.retiring is not None:
            yield agent_pool_cost(f"{key}/{name} (previous)", cluster, pool.retiring, prices)
    for place in cluster_pools(key, stem, cluster).provisioned:
        yield node_pool_cost(place, "azure", cluster.location, prices)
