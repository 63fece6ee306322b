"""Reconstructs everything that rules can check among resources: clusters, and parts of unknown clusters."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.manifests.built_in import OBJECTS_OF
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.resources.aks_clusters import aks_clusters
from nodepools.resources.eks_clusters import eks_clusters
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.ownership import reached_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.fix import Fix
from nodepools.rules.engine.registry import Where
from nodepools.wire.table import Table

_OWNERS = {Cloud.AKS: Kind.AKS_CLUSTER, Cloud.EKS: Kind.EKS_CLUSTER}
_AKS: Final = ("resourceGroupName", "resourceName")
_IDENTITIES: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.AKS_CLUSTER: _AKS,
    Kind.AGENT_POOL: (*_AKS, "agentPoolName"),
    Kind.MAINTENANCE: (*_AKS, "configName"),
    Kind.EKS_CLUSTER: ("name",),
    Kind.ADD_ON: ("clusterName", "addonName"),
}
"""The inputs of which a cloud has one resource: of a subscription in Azure, of a region of an account in AWS. Rules compare other parts."""
_PROVIDER_VERSION: Final = ("version", "pluginDownloadURL")


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
    for kind, naming in _IDENTITIES.items():
        yield ReconstructedCluster(None, [], list(_repeated(members, kind, naming)))


def _repeated(members: Members, kind: Kind, naming: Sequence[str]) -> Iterator[tuple[SourceLocation, Finding]]:
    """Yields the resources for something that another resource is for, too. One of them can be imported: then both change the same thing."""
    first: dict[Hashable, Resource] = {}
    for resource in members.of(kind):
        names = [_identity(resource, name) for name in naming]
        if None in names:
            continue
        before = first.setdefault((*_account(members, resource), *names), resource)
        if before.urn == resource.urn:
            continue
        spelled = " and ".join((", ".join(f"`{name}`" for name in naming[:-1]), f"`{naming[-1]}`")[not naming[:-1] :])
        known = all(isinstance(resource.inputs.get(name), str) for name in naming)
        is_certain = known and not any("importId" in one.options or "import" in one.options for one in (before, resource))
        message = f"The resource `{before.name}` has the same {spelled}: only one of them can be created"
        severity = Severity.ERROR if is_certain else Severity.WARNING
        at = (naming[-1],)
        yield (
            SourceLocation((), resource.urn, Table()),
            Finding("CFG015", severity, naming[-1], None, message, Fix("Remove one of the two resources, or use another name"), _UNIQUE, steps=at),
        )


_UNIQUE: Final = "Azure Resource Manager and AWS: resource identifiers are unique"


def _identity(resource: Resource, name: str) -> Hashable:
    """The value of an input that identifies the resource, or the resources that it is from if it is not known yet; `None` if it is generated."""
    value = resource.inputs.get(name)
    if isinstance(value, str):
        return value.casefold() if resource.type.startswith("azure") else value
    sources = resource.property_dependencies.get(name, ()) if value is UNKNOWN else ()
    return tuple(sorted(sources)) if sources else None


def _account(members: Members, resource: Resource) -> tuple[Hashable, Hashable]:
    """What the provider of a resource is configured with, and the region. Providers whose configuration is not known differ from all others."""
    provider = members.by_urn.get(resource.provider) if resource.provider is not None else None
    inputs = {} if provider is None else {name: value for name, value in provider.inputs.items() if name not in _PROVIDER_VERSION}
    regions = [resource.inputs.get("region"), inputs.pop("region", None)]
    if UNKNOWN in regions:
        return resource.urn, None
    configured = repr(sorted(inputs.items()))
    known = provider is not None and repr(UNKNOWN) not in configured
    return configured if known else resource.provider, next((region for region in regions if isinstance(region, str)), None)


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
