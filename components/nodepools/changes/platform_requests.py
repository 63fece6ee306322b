"""Everything that a platform sends."""

from nodepools.changes.aks_requests import aks_requests
from nodepools.changes.eks_requests import eks_requests
from nodepools.changes.karpenter_requests import Site
from nodepools.changes.request import Requests
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

_REQUESTS = PerCloud(aks=aks_requests, eks=eks_requests)


def requests_of(platform: Platform) -> Requests:
    """The requests of every cluster, in the order of registration."""
    clusters = {key: platform.cluster(key) for key in platform.clusters}
    sent = [request for key, cluster in clusters.items() for request in _REQUESTS(cluster, Site(platform.stem(key), key))]
    return Requests(tuple(sent), {key: cluster.built_in_node_pools for key, cluster in clusters.items()})
