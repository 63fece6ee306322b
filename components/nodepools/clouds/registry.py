"""The clouds, the one place that decides which of them a declared cluster is in, and what all clusters of a platform have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar, cast

from nodepools.clouds.aks.cloud import AksCloud
from nodepools.clouds.cloud import Cloud
from nodepools.clouds.eks.cloud import EksCloud
from nodepools.model.platform import AnyCluster

if TYPE_CHECKING:
    from nodepools.clouds.eks.node_groups import NodeGroup
    from nodepools.clouds.prices import PoolCost, Prices
    from nodepools.clouds.rows import ClusterRow, PoolRow
    from nodepools.model.platform import Platform
    from nodepools.placement.node_pools import ClusterPools

P = TypeVar("P", bound="Platform")

_GROUPS: Final = "node_groups"
CLOUDS: Final[list[Callable[[AnyCluster], Cloud | None]]] = [AksCloud.of, EksCloud.of]
"""Each returns a cluster in its cloud; `None` if the cluster is in another cloud. With `AnyCluster`, all that knows how many clouds there are."""


def cloud_of(cluster: AnyCluster) -> Cloud:
    """The cluster in its cloud."""
    return next(found for known in CLOUDS if (found := known(cluster)) is not None)


def with_node_groups(platform: P, groups: "Mapping[str, Sequence[NodeGroup]]") -> P:
    """The platform of a program with the managed node groups that it registers next to its clusters, by the key of the cluster.

    No field has them, so that no rule, schema or comparison sees them.
    """
    from nodepools.model.unknowns import assembled  # only programs have them

    return assembled(platform, **{_GROUPS: groups})


def node_groups_of(platform: "Platform", key: str) -> "Sequence[NodeGroup]":
    """The node groups of a cluster of a program."""
    return cast("Mapping[str, Sequence[NodeGroup]]", vars(platform).get(_GROUPS, {})).get(key, ())


def catalog(platform: "Platform", within: str = "") -> "tuple[ClusterPools, ...]":
    """The pools of every cluster as placement sees them; their addresses begin with `within`, such as `prod/`."""
    return tuple(_pools(platform, key, f"{within}{key}") for key in platform.clusters)


def _pools(platform: "Platform", key: str, address: str) -> "ClusterPools":
    pools, groups = cloud_of(platform.owned(key)).pools(address, platform.stem(key)), node_groups_of(platform, key)
    if not groups:
        return pools
    from nodepools.clouds.eks.node_groups import next_to  # few platforms have node groups

    return next_to(pools, groups)


def catalogs(platforms: "Sequence[Platform]") -> "tuple[ClusterPools, ...]":
    """The pools of several platforms; with more than one, addresses begin with the platform's name."""
    return tuple(pools for platform in platforms for pools in catalog(platform, f"{platform.name}/" if len(platforms) > 1 else ""))


def cluster_rows(platform: "Platform") -> "list[ClusterRow]":
    """Every cluster as a row of text."""
    return [_row(platform, key) for key in platform.clusters]


def _row(platform: "Platform", key: str) -> "ClusterRow":
    cluster = platform.clusters[key]
    row, of_groups = cloud_of(cluster).row(key), node_groups_of(platform, key)
    return row if not of_groups or cluster.node_pools or cluster.built_in_node_pools else replace(row, node_provisioning="node groups")


def pool_rows(platform: "Platform") -> "list[PoolRow]":
    """Every pool as a row of text, in the order of the declaration; built-in NodePools after those of their cluster."""
    of_groups = {key: [group.row(key) for group in node_groups_of(platform, key)] for key in platform.clusters}
    return [row for key, cluster in platform.clusters.items() for row in (*cloud_of(cluster).pool_rows(key), *of_groups[key])]


def cluster_costs(platform: "Platform", key: str, prices: "Prices") -> "list[PoolCost]":
    """The minimum and maximum monthly cost of each pool of one cluster, with built-in NodePools and previous generations."""
    own, groups = cloud_of(platform.clusters[key]).costs(key, platform.stem(key), prices), node_groups_of(platform, key)
    if not groups:
        return list(own)
    from nodepools.clouds.node_pool_cost import node_group_cost

    return [*own, *(node_group_cost(group, prices, key) for group in groups)]


def pool_costs(platform: "Platform", prices: "Prices") -> "list[PoolCost]":
    """The minimum and maximum monthly cost of each pool of a platform."""
    return [pool for key in platform.clusters for pool in cluster_costs(platform, key, prices)]
