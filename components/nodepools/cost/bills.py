"""What each pool of a platform comes to in a month: at its smallest, and at its largest."""

from collections.abc import Iterator
from typing import Final

from nodepools.cost.agent_pools import agent_pool_bill
from nodepools.cost.bill import Bill
from nodepools.cost.node_pools import node_pool_bill
from nodepools.cost.prices import Prices
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.per_cloud import AnyCluster
from nodepools.model.platform import Platform
from nodepools.placement.catalog import cluster_pools

UNCOUNTED: Final = (
    "Machines alone are counted, 730 hours a month: not disks, traffic, the control plane, the fee of EKS Auto Mode for each instance, "
    "nor nodes that are there for an upgrade or a replacement."
)


def bills(platform: Platform, prices: Prices) -> list[Bill]:
    """A bill for every pool, those that the clouds make themselves among them, and generations that go."""
    return [bill for key, cluster in platform.clusters.items() for bill in _of_cluster(key, platform.stem(key), cluster, prices)]


def _of_cluster(key: str, stem: str, cluster: AnyCluster, prices: Prices) -> Iterator[Bill]:
    aks = isinstance(cluster, AksClusterArgs)
    if aks:
        yield from _agent_pools(key, cluster, prices)
    for place in cluster_pools(key, stem, cluster).provisioned:
        yield node_pool_bill(place, "azure" if aks else "aws", cluster.location if aks else cluster.region, prices)


def _agent_pools(key: str, cluster: AksClusterArgs, prices: Prices) -> Iterator[Bill]:
    for name, pool in cluster.all_pools():
        yield agent_pool_bill(f"{key}/{name}", cluster, pool, prices)
        if pool.retiring is not None:
            yield agent_pool_bill(f"{key}/{name} (previous)", cluster, pool.retiring, prices)
