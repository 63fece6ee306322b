"""What each pool of a platform comes to in a month: at its smallest, and at its largest."""

from collections.abc import Iterator
from typing import Final

from nodepools.cost.aks_bills import aks_bills
from nodepools.cost.eks_bills import eks_bills
from nodepools.cost.pool_cost import PoolCost
from nodepools.cost.prices import Prices
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

UNCOUNTED: Final = (
    "Includes instances only (730 hours per month); excludes disks, traffic, the control plane, the EKS Auto Mode fee per instance, "
    "and extra nodes during upgrades and replacements."
)
_cluster_bills: Final[PerCloud[[str, str, Prices], Iterator[PoolCost]]] = PerCloud(aks=aks_bills, eks=eks_bills)
"""The bills of a cluster, given its key and what its names in the cloud begin with."""


def bills(platform: Platform, prices: Prices) -> list[PoolCost]:
    """A bill for every pool, those that the clouds make themselves among them, and generations that go."""
    return [bill for key, cluster in platform.clusters.items() for bill in _cluster_bills(cluster, key, platform.stem(key), prices)]
