"""Finds the exported cluster of each declared one, and pairs their resources."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.adoption.live_aks import aks_pairs, is_aks
from nodepools.adoption.live_eks import eks_pairs, is_eks
from nodepools.adoption.live_objects import object_pairs
from nodepools.adoption.live_pairs import Known, Pairs, joined
from nodepools.adoption.observed import ObservedCluster
from nodepools.adoption.observed_eks import ObservedEksCluster
from nodepools.adoption.read_exports import Observed
from nodepools.changes.request import AKS_CLUSTER, CLUSTER, EKS_CLUSTER, Request, Requests


@dataclass(frozen=True, slots=True)
class Cloud:
    """How the clusters of one cloud are found and compared."""

    finds: Callable[[Request, Known, object], bool]
    pairs: Callable[[Sequence[Request], Known, object], Pairs]


_CLOUDS: Final[Mapping[str, Cloud]] = {
    AKS_CLUSTER: Cloud(is_aks, lambda requests, known, observed: aks_pairs(requests, known, cast("ObservedCluster", observed))),
    EKS_CLUSTER: Cloud(is_eks, lambda requests, _, observed: eks_pairs(requests, cast("ObservedEksCluster", observed))),
}


@dataclass(frozen=True, slots=True)
class LiveCluster:
    """A cluster of one side, with the exported one."""

    request: Request
    observed: Observed | None
    """`None` if it is not exported."""
    pairs: Pairs


class SeveralFoundError(Exception):
    """Several exported clusters can be the declared one. The message says which."""


def live_cluster(cluster: Request, side: Requests, known: Known, observed: Sequence[Observed]) -> LiveCluster:
    """The cluster of a side, next to the exported one. `known` is what its declaration has besides requests.

    Raises:
        SeveralFoundError: several exported clusters have its name.
    """
    cloud = _CLOUDS[cluster.resource.type]
    found = [one for one in observed if cloud.finds(cluster, known, one)]
    own = side.of_cluster(cluster.cluster)
    if len(found) > 1:
        places = ", ".join(f"`{one.id}`" for one in found)
        raise SeveralFoundError(f"`{cluster.cluster}` can be any of {places}: exclude the others")
    if not found:
        return LiveCluster(cluster, None, Pairs(not_exported=tuple(own)))
    [one] = found
    pairs = joined([cloud.pairs(own, known, one), object_pairs(own, one.objects, cluster.resource.name)])
    reached = {request.key for _, request in pairs.both} | {request.key for request in (*pairs.absent, *pairs.not_exported)}
    rest = tuple(request for request in own if request.key not in reached)
    return LiveCluster(cluster, one, joined([pairs, Pairs(not_exported=rest)]))


def clusters_in(side: Requests) -> list[Request]:
    """The clusters of a side."""
    return [request for request in side.all if request.subject == CLUSTER]
