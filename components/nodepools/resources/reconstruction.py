"""Reconstructs everything that rules can check among resources: clusters, and parts of unknown clusters."""

from collections.abc import Iterator, Mapping, Sequence

from nodepools.manifests.built_in import OBJECTS_OF
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.unknowns import partial
from nodepools.resources.aks_clusters import aks_clusters
from nodepools.resources.eks_clusters import eks_clusters
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.ownership import reached_owner
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster
from nodepools.rules.engine.registry import Where

_OWNERS = {Cloud.AKS: Kind.AKS_CLUSTER, Cloud.EKS: Kind.EKS_CLUSTER}


def clusters(members: Members) -> Iterator[ReconstructedCluster]:
    """Yields every cluster and every part of an unknown cluster. Each resource is in exactly one of them."""
    applied, loose = _applied(members)
    yield from aks_clusters(members, applied)
    yield from eks_clusters(members, applied)
    for group in _grouped(loose):
        yield _without_cluster(group)
    for obj in members.objects:
        if obj.rejected:
            yield ReconstructedCluster(None, [], [(obj.place(), finding) for finding in obj.rejected])


def _applied(members: Members) -> tuple[Mapping[str, Sequence[Object]], Sequence[Object]]:
    """Returns the objects by the URN of their cluster, and the objects of unknown clusters."""
    applied: dict[str, list[Object]] = {}
    loose: list[Object] = []
    for obj in members.objects:
        if obj.model is None:
            continue
        owner = reached_owner(obj.resource, members.of(_OWNERS[obj.cloud]), members.by_urn) if obj.cloud in _OWNERS else None
        taken = any(other.name == obj.name and other.is_pool is obj.is_pool for other in applied.get(owner.urn, ())) if owner is not None else True
        if owner is None or taken:
            loose.append(obj)
        else:
            applied.setdefault(owner.urn, []).append(obj)
    return applied, loose


def _grouped(loose: Sequence[Object]) -> Iterator[list[Object]]:
    """Yields groups of objects: those of the same provider and cloud belong to the same cluster, unless a name occurs twice."""
    groups: dict[tuple[Cloud | None, str | None], list[Object]] = {}
    for obj in loose:
        groups.setdefault((obj.cloud, obj.resource.provider if obj.cloud is not None else obj.resource.urn), []).append(obj)
    for group in groups.values():
        if len({(obj.is_pool, obj.name) for obj in group}) == len(group):
            yield group
        else:
            yield from ([obj] for obj in group)


def _without_cluster(group: Sequence[Object]) -> ReconstructedCluster:
    [first, *_] = group
    if first.cloud is None:
        return ReconstructedCluster(first.model, [first.place()])
    of = OBJECTS_OF[first.cloud]
    parent, places = with_objects(of.parent(), group)
    return ReconstructedCluster(partial(parent, of.not_in_files), places, limits=(Where.OPEN_CLUSTER,))
