"""Minimum and maximum monthly cost of each pool of a platform."""

from collections.abc import Iterator
from typing import Final

from nodepools.costs.aks_costs import aks_costs
from nodepools.costs.amount import PoolCost
from nodepools.costs.eks_costs import eks_costs
from nodepools.costs.prices import Prices
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

UNCOUNTED: Final = (
    "Includes instances only (730 hours per month); excludes disks, traffic, the control plane, the EKS Auto Mode fee per instance, "
    "and extra nodes during upgrades and replacements."
)
_cluster_costs: Final[PerCloud[[str, str, Prices], Iterator[PoolCost]]] = PerCloud(aks=aks_costs, eks=eks_costs)
"""The costs of a cluster, from its key and its name prefix in the cloud."""


def pool_costs(platform: Platform, prices: Prices) -> list[PoolCost]:
    """Estimates the cost of every pool, including built-in NodePools and previous generations."""
    return [pool for key in platform.clusters for pool in cluster_costs(platform, key, prices)]


def cluster_costs(platform: Platform, key: str, prices: Prices) -> list[PoolCost]:
    """Estimates the cost of the pools of one cluster."""
    return list(_cluster_costs(platform.clusters[key], key, platform.stem(key), prices))
