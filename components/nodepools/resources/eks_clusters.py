"""Reconstructs EKS clusters of any program from resources: each cluster with its access entries, add-ons, and the objects in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.unknowns import assembled, partial, unread
from nodepools.resources.applicability import OF_ALL_OBJECTS, OF_AUTO_MODE
from nodepools.resources.eks_inputs import eks_cluster, is_auto_mode, known_part
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.network_policies import policies_are_off
from nodepools.resources.ownership import named_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation, Steps
from nodepools.wire.eks.access import ENTRY, POLICY
from nodepools.wire.eks.add_ons import ADD_ON, POD_IDENTITY
from nodepools.wire.eks.cluster import CLUSTER
from nodepools.wire.table import Table

_OWNER: Final = ("clusterName", "name")
"""The input that names the cluster: in its parts, and in the cluster."""
_PARTS: Final[Mapping[str, tuple[Kind, type[Model], Table]]] = {
    "access_entries": (Kind.ACCESS_ENTRY, AccessEntry, ENTRY),
    "pod_identities": (Kind.POD_IDENTITY, PodIdentity, POD_IDENTITY),
    "add_ons": (Kind.ADD_ON, AddOn, ADD_ON),
}


def eks_clusters(members: Members, applied: Mapping[str, Sequence[Object]]) -> Iterator[ReconstructedCluster]:
    """Yields every cluster, and every part of an unknown cluster. `applied` maps the URN of a cluster to the objects in it."""
    for resource in members.of(Kind.EKS_CLUSTER):
        yield _cluster(members, resource, applied.get(resource.urn, ()))
    for kind, model, table in _PARTS.values():
        for resource in members.unowned(kind, Kind.EKS_CLUSTER, *_OWNER):
            made = known_part(model, table, resource.inputs)
            if isinstance(made, AccessEntry):
                made, places = _with_policies(members, resource, made, ())
                yield ReconstructedCluster(made, [SourceLocation((), resource.urn, table), *places])
            else:
                yield ReconstructedCluster(made, [SourceLocation((), resource.urn, table)])


def _cluster(members: Members, resource: Resource, objects: Sequence[Object]) -> ReconstructedCluster:
    cluster = eks_cluster(resource.inputs, policies_off=policies_are_off(members))
    if cluster is None:
        return ReconstructedCluster(None, [])
    places = [SourceLocation((), resource.urn, CLUSTER)]
    for field in _PARTS:
        cluster, of_parts = _with_parts(members, resource, cluster, field)
        places += of_parts
    known = AutoMode() if "auto_mode" in unread(cluster) else cluster.auto_mode
    auto, inside = with_objects(known, objects, "auto_mode")
    if not members.is_stack:
        auto = partial(auto, ("node_pools", "node_classes"))
    skipped = OF_ALL_OBJECTS if is_auto_mode(resource.inputs) else {**OF_ALL_OBJECTS, **OF_AUTO_MODE}
    return ReconstructedCluster(assembled(cluster, auto_mode=auto), [*places, *inside], skipped=skipped)


def _with_parts(members: Members, resource: Resource, cluster: EksClusterArgs, field: str) -> tuple[EksClusterArgs, list[SourceLocation]]:
    kind, model, table = _PARTS[field]
    own, are_all = members.owned(kind, resource, *_OWNER)
    parts: dict[str, Model] = {}
    places: list[SourceLocation] = []
    for member in own:
        made, key = known_part(model, table, member.inputs), _key(member, kind)
        are_all = are_all and made is not None
        if made is None:
            continue
        key = key if key not in parts else member.urn
        if isinstance(made, AccessEntry):
            made, of_policies = _with_policies(members, member, made, (field, key))
            places += of_policies
        parts[key] = made
        places.append(SourceLocation((field, key), member.urn, table))
    return partial(assembled(cluster, **{field: FrozenDict(parts)}), () if are_all else (field,)), places


def _key(resource: Resource, kind: Kind) -> str:
    """Returns the key of a part; the URN of an add-on whose name is not known, which rules do not take for a name."""
    if kind is not Kind.ADD_ON:
        return resource.name
    name = resource.inputs.get("addonName")
    return name if isinstance(name, str) else resource.urn


def _with_policies(members: Members, resource: Resource, entry: AccessEntry, steps: Steps) -> tuple[AccessEntry, list[SourceLocation]]:
    """Returns the entry with the policies that are associated with its principal."""
    entries = [member for member in members.of(Kind.ACCESS_ENTRY) if _can_share_cluster(member, resource)]
    policies: list[Model] = []
    places: list[SourceLocation] = []
    are_all = members.is_stack and "principal" not in unread(entry)
    for member in members.of(Kind.ACCESS_POLICY):
        if not _can_share_cluster(member, resource):
            continue
        owner = named_owner(member, "principalArn", entries, "principalArn")
        policy = known_part(AccessPolicy, POLICY, member.inputs)
        if isinstance(owner, Resource) and owner is not resource:
            continue
        are_all = are_all and owner is resource and policy is not None
        if owner is resource and policy is not None:
            places.append(SourceLocation((*steps, "policies", len(policies)), member.urn, POLICY))
            policies.append(policy)
    return partial(assembled(entry, policies=tuple(policies)), () if are_all else ("policies",)), places


def _can_share_cluster(item: Resource, other: Resource) -> bool:
    """Tells whether both can belong to the same cluster: they name the same one or, if a name is unknown, depend on the same resource."""
    [naming, _] = _OWNER
    names = [name for resource in (item, other) if isinstance(name := resource.inputs.get(naming), str)]
    if len(names) == 2:  # noqa: PLR2004  # both
        return names[0] == names[1]
    by = [set(resource.property_dependencies.get(naming, ())) for resource in (item, other)]
    return not all(by) or not by[0].isdisjoint(by[1])
