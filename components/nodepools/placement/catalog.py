"""All pools of a platform as placement sees them, including the pools that the clouds create."""

from collections.abc import Sequence
from typing import Final

from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.platform import Platform
from nodepools.placement.aks.pools import AksPools
from nodepools.placement.cluster_pools import ClusterPools, PoolSource
from nodepools.placement.eks.pools import EksPools

pools_of: Final[PerCloud[[], PoolSource]] = PerCloud(aks=AksPools, eks=EksPools)
"""The pools of a declared cluster."""


def catalog(platform: Platform, within: str = "") -> tuple[ClusterPools, ...]:
    """The pools of every cluster; their addresses begin with `within`, such as `prod/`."""
    return tuple(cluster_pools(f"{within}{key}", platform.stem(key), cluster) for key, cluster in platform.clusters.items())


def catalogs(platforms: Sequence[Platform]) -> tuple[ClusterPools, ...]:
    """The pools of several platforms; with more than one, addresses begin with the platform's name."""
    return tuple(pools for platform in platforms for pools in catalog(platform, f"{platform.name}/" if len(platforms) > 1 else ""))


def cluster_pools(key: str, stem: str, cluster: AnyCluster) -> ClusterPools:
    """The pools of one cluster, whose names begin with `stem` in its cloud."""
    return pools_of(cluster).pools(key, stem)
