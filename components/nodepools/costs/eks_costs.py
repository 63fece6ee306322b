"""Monthly cost of the NodePools of an EKS cluster, by their limits."""

from collections.abc import Iterator

from nodepools.costs.amount import PoolCost
from nodepools.costs.node_pools import node_pool_cost
from nodepools.costs.prices import Prices
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.placement.catalog import cluster_pools


def eks_costs(cluster: EksClusterArgs, key: str, stem: str, prices: Prices) -> Iterator[PoolCost]:
    """Yields the cost of every NodePool."""
    for place in cluster_pools(key, stem, cluster).provisioned:
        yield node_pool_cost(place, "aws", cluster.region, prices)
