"""All clusters and pools of a platform as rows of text, including built-in NodePools."""

from typing import Final

from nodepools.cli.clusters.aks_rows import AksRows
from nodepools.cli.clusters.cluster_rows import ClusterRow, ClusterRows, PoolRow
from nodepools.cli.clusters.eks_rows import EksRows
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

_rows: Final[PerCloud[[], ClusterRows]] = PerCloud(aks=AksRows, eks=EksRows)
"""The rows of a cluster."""


def clusters(platform: Platform) -> list[ClusterRow]:
    """Every cluster."""
    return [_rows(cluster).cluster(key) for key, cluster in platform.clusters.items()]


def pools(platform: Platform) -> list[PoolRow]:
    """Every pool, in the order of the declaration; built-in ones after those of their cluster."""
    return [row for key, cluster in platform.clusters.items() for row in _rows(cluster).pools(key)]
