"""Everything that a platform sends."""

from nodepools.clouds.registry import cloud_of
from nodepools.clouds.request import Requests
from nodepools.model.platform import Platform


def requests_of(platform: Platform) -> Requests:
    """The requests of every cluster, in the order of registration."""
    clusters = {key: platform.cluster(key) for key in platform.clusters}
    sent = [request for key, cluster in clusters.items() for request in cloud_of(cluster).requests(key, platform.stem(key))]
    return Requests(tuple(sent), {key: cluster.built_in_node_pools for key, cluster in clusters.items()})
