"""The bills of an AKS cluster: agent pools by their scale, NodePools by their limits."""

from collections.abc import Iterator

from nodepools.cost.agent_pools import agent_pool_bill
from nodepools.cost.node_pools import node_pool_bill
from nodepools.cost.pool_cost import PoolCost
from nodepools.cost.prices import Prices
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.placement.catalog import cluster_pools


def aks_bills(cluster: AksClusterArgs, key: str, stem: str, prices: Prices) -> Iterator[PoolCost]:
    """A bill for every agent pool and for its previous generation, then for every NodePool."""
    for name, pool in cluster.all_pools():
        yield agent_pool_bill(f"{key}/{name}", cluster, pool, prices)
        if pool.retiring is not None:
            yield agent_pool_bill(f"{key}/{name} (previous)", cluster, pool.retiring, prices)
    for place in cluster_pools(key, stem, cluster).provisioned:
        yield node_pool_bill(place, "azure", cluster.location, prices)
