"""The clouds, the one place that decides which of them a declared cluster is in, and what all clusters of a platform have."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from nodepools.clouds.aks.cloud import AksCloud
from nodepools.clouds.cloud import Cloud
from nodepools.clouds.eks.cloud import EksCloud, nodes_of_others
from nodepools.model.platform import AnyCluster

if TYPE_CHECKING:
    from nodepools.clouds.eks.node_groups import NodeGroup
    from nodepools.clouds.prices import PoolCost, Prices
    from nodepools.clouds.rows import ClusterRow, PoolRow
    from nodepools.model.platform import Platform
    from nodepools.placement.node_pools import ClusterPools

P = TypeVar("P", bound="Platform")

CLOUDS: Final[list[Callable[[AnyCluster], Cloud | None]]] = [AksCloud.of, EksCloud.of]
"""Each returns a cluster in its cloud; `None` if the cluster is in another cloud. With `AnyCluster`, all that knows how many clouds there are."""


def cloud_of(cluster: AnyCluster) -> Cloud:
    """The cluster in its cloud."""
    return next(found for known in CLOUDS if (found := known(cluster)) is not None)


def node_groups_of(platform: "Platform", key: str) -> "Sequence[NodeGroup]":
    """The node groups of a cluster of a program."""
    own = nodes_of_others(platform.clusters[key])
    return own.groups if own is not None else ()


def catalog(platform: "Platform", within: str = "") -> "tuple[ClusterPools, ...]":
    """The pools of every cluster as placement sees them; their addresses begin with `within`, such as `prod/`."""
    return tuple(cloud_of(platform.owned(key)).pools(f"{within}{key}", platform.stem(key)) for key in platform.clusters)


def catalogs(platforms: "Sequence[Platform]") -> "tuple[ClusterPools, ...]":
    """The pools of several platforms; with more than one, addresses begin with the platform's name."""
    return tuple(pools for platform in platforms for pools in catalog(platform, f"{platform.name}/" if len(platforms) > 1 else ""))


def cluster_rows(platform: "Platform") -> "list[ClusterRow]":
    """Every cluster as a row of text."""
    return [cloud_of(cluster).row(key) for key, cluster in platform.clusters.items()]


def pool_rows(platform: "Platform") -> "list[PoolRow]":
    """Every pool as a row of text, in the order of the declaration; built-in NodePools after those of their cluster."""
    return [row for key, cluster in platform.clusters.items() for row in cloud_of(cluster).pool_rows(key)]


def cluster_costs(platform: "Platform", key: str, prices: "Prices") -> "list[PoolCost]":
    """The minimum and maximum monthly cost of each pool of one cluster, with built-in NodePools and previous generations."""
    return list(cloud_of(platform.clusters[key]).costs(key, platform.stem(key), prices))


def pool_costs(platform: "Platform", prices: "Prices") -> "list[PoolCost]":
    """The minimum and maximum monthly cost of each pool of a platform."""
    return [pool for key in platform.clusters for pool in cluster_costs(platform, key, prices)]
