"""Minimum and maximum monthly cost of each pool of a platform."""

from typing import Final

from nodepools.clouds.prices import PoolCost, Prices
from nodepools.clouds.registry import cloud_of
from nodepools.model.platform import Platform

UNCOUNTED: Final = (
    "Includes instances only (730 hours per month); excludes disks, traffic, the control plane, the EKS Auto Mode fee per instance, "
    "and extra nodes during upgrades and replacements."
)


def pool_costs(platform: Platform, prices: Prices) -> list[PoolCost]:
    """Estimates the cost of every pool, including built-in NodePools and previous generations."""
    return [pool for key in platform.clusters for pool in cluster_costs(platform, key, prices)]


def cluster_costs(platform: Platform, key: str, prices: Prices) -> list[PoolCost]:
    """Estimates the cost of the pools of one cluster."""
    return list(cloud_of(platform.clusters[key]).costs(key, platform.stem(key), prices))
