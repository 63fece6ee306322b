"""All clusters and pools of a platform as rows of text, including built-in NodePools."""

from nodepools.clouds.registry import cloud_of
from nodepools.clouds.rows import ClusterRow, PoolRow
from nodepools.model.platform import Platform


def clusters(platform: Platform) -> list[ClusterRow]:
    """Every cluster."""
    return [cloud_of(cluster).row(key) for key, cluster in platform.clusters.items()]


def pools(platform: Platform) -> list[PoolRow]:
    """Every pool, in the order of the declaration; built-in ones after those of their cluster."""
    return [row for key, cluster in platform.clusters.items() for row in cloud_of(cluster).pool_rows(key)]
