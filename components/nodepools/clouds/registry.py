"""The clouds, and the one place that decides which of them a declared cluster is in."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from nodepools.clouds.aks.cloud import AksCloud
from nodepools.clouds.cloud import Cloud
from nodepools.clouds.eks.cloud import EksCloud
from nodepools.model.clusters import AnyCluster

if TYPE_CHECKING:
    from nodepools.model.platform import Platform
    from nodepools.placement.cluster_pools import ClusterPools

CLOUDS: Final[list[Callable[[AnyCluster], Cloud | None]]] = [AksCloud.of, EksCloud.of]
"""Each returns a cluster in its cloud; `None` if the cluster is in another cloud. With `AnyCluster`, all that knows how many clouds there are."""


def cloud_of(cluster: AnyCluster) -> Cloud:
    """The cluster in its cloud."""
    return next(found for known in CLOUDS if (found := known(cluster)) is not None)


def catalog(platform: "Platform", within: str = "") -> "tuple[ClusterPools, ...]":
    """The pools of every cluster as placement sees them; their addresses begin with `within`, such as `prod/`."""
    return tuple(cloud_of(platform.owned(key)).pools(f"{within}{key}", platform.stem(key)) for key in platform.clusters)


def catalogs(platforms: "Sequence[Platform]") -> "tuple[ClusterPools, ...]":
    """The pools of several platforms; with more than one, addresses begin with the platform's name."""
    return tuple(pools for platform in platforms for pools in catalog(platform, f"{platform.name}/" if len(platforms) > 1 else ""))
