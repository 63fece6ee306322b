"""Checks resources by the rules of declarations: each resource alone, and all resources of a cluster, known or not, together."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from nodepools.manifests.supported_kinds import OBJECTS_OF, Cloud
from nodepools.model.listing import grouped
from nodepools.model.path import child, path_text, value_at
from nodepools.model.steps import Step, Steps, rewritten
from nodepools.model.unknowns import partial
from nodepools.model.values import dataclass, replace
from nodepools.resources.aks_clusters import aks_clusters
from nodepools.resources.eks_clusters import eks_clusters
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.resource import UNKNOWN, Kind, Resource, Secret, closed, has_secrets, opened
from nodepools.resources.resource_set import Members, reached_owner
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation
from nodepools.rules.engine.finding import Finding, Fix, Severity
from nodepools.rules.engine.registry import Where, described, is_softened, limit_of
from nodepools.rules.engine.runner import RuleFailedError, check
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
    groups = grouped(((obj.cloud, obj.resource.provider if obj.cloud is not None else obj.resource.urn), obj) for obj in loose)
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


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding, and the resource that it is about."""

    urn: str
    finding: Finding
    """Its path is in the resource's spelling: `agentPoolProfiles[0].nodeTaints[1]`."""
    alone: bool = False
    """`check_resource` reports it too, without the other resources."""


def check_resource(resource: Resource, *, today: date | None = None) -> list[Finding]:
    """Checks `resource` without the rest of its program. Types that no rule is about have no findings.

    Args:
        resource: any resource of any program.
        today: the date that support of versions is checked for.
    """
    return [violation.finding for violation in _checked(_created((resource,)), today, is_stack=False)]


def check_stack(resources: Iterable[Resource], *, today: date | None = None, fixes: bool = True) -> list[Violation]:
    """Checks all resources of a stack: reconstructs each cluster from its resources, and checks it as one.

    The findings of `check_resource` are included, and marked as `alone`.

    Args:
        resources: all resources of the program, in any order.
        today: the date that support of versions is checked for.
        fixes: try the operations of fixes. `False` is faster: fixes that have operations are omitted.
    """
    stack = _created(resources)
    found = _checked(stack, today, is_stack=True, fixes=fixes)
    urns = {violation.urn for violation in found}
    alone = {
        (violation.urn, violation.finding.code, violation.finding.path)
        for resource in stack
        if resource.urn in urns
        for violation in _checked((resource,), today, is_stack=False, fixes=False)
    }
    return [replace(violation, alone=(violation.urn, violation.finding.code, violation.finding.path) in alone) for violation in found]


def _created(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    """Returns the resources that the program creates. Of a resource that it only reads, just the ID is known."""
    return tuple(resource for resource in resources if "read" not in resource.options)


def _checked(resources: Sequence[Resource], today: date | None, *, is_stack: bool, fixes: bool = True) -> list[Violation]:
    """Returns the findings with all secrets unknown, then those that only the secrets cause, without any value of them."""
    found = list(_found(Members(tuple(map(closed, resources)), is_stack), today, fixes=fixes))
    if any(has_secrets(resource.inputs) for resource in resources):
        reported = {(violation.urn, violation.finding.code, violation.finding.path) for violation in found}
        by_urn = {resource.urn: resource for resource in resources}
        found += [
            Violation(violation.urn, _redacted(violation.finding, by_urn[violation.urn].inputs))
            for violation in _found(Members(tuple(map(opened, resources)), is_stack), today, fixes=False)
            if (violation.urn, violation.finding.code, violation.finding.path) not in reported
            and limit_of(violation.finding.code, Where.SECRETS) is None
        ]
    once = {(violation.urn, violation.finding.code, violation.finding.path, violation.finding.message): violation for violation in found}
    order = {resource.urn: number for number, resource in enumerate(resources)}
    return sorted(once.values(), key=lambda item: (order[item.urn], item.finding.path, item.finding.code))


def _found(members: Members, today: date | None, *, fixes: bool) -> Iterator[Violation]:
    for cluster in clusters(members):
        for place, finding in cluster.rejected:
            yield _violation(members, place, finding)
        if cluster.model is not None:
            failed: list[RuleFailedError] = []
            found = check(cluster.model, today=today, failed=failed.append, fixes=fixes)
            yield from _violations(members, cluster, [*found, *(error.finding for error in failed)])


def _violations(members: Members, cluster: ReconstructedCluster, findings: Iterable[Finding]) -> Iterator[Violation]:
    for finding in findings:
        located = cluster.located(finding)
        if located is None or limit_of(finding.code, Where.RESOURCES, *cluster.limits) is not None:
            continue
        place, here = located
        if limit_of(finding.code, Where.MISSING_CLASS) is not None and not _is_missing(members, cluster, finding.value):
            continue
        if here.steps == ("metadata", "name") and not place.named:
            continue
        yield _violation(members, place, here)


_SENT: Final = {("PLT012", "apiServerAccessProfile")}
"""Findings about fields that our components do not send, by code and argument: another program sends them, and the cloud rejects the request."""


def _violation(members: Members, place: SourceLocation, finding: Finding) -> Violation:
    inputs = members.by_urn[place.urn].inputs
    steps = finding.steps[: _steps_in(inputs, finding.steps)]
    there = value_at(inputs, steps)
    value = there if there is not None else finding.value if isinstance(finding.value, str | int | float) else None
    value = None if isinstance(value, Mapping) else value  # the path is enough to name a part
    severity = Severity.WARNING if finding.severity is Severity.ERROR and is_softened(finding.code) else finding.severity
    severity = Severity.ERROR if (finding.code, *steps[:1]) in _SENT else severity
    return Violation(place.urn, replace(finding, path=path_text(steps), steps=steps, value=rewritten(value, _marked), severity=severity))


def _marked(_: Steps, value: object) -> object:
    return {"$unknown": True} if value is UNKNOWN else value


def _steps_in(value: object, steps: Sequence[Step]) -> int:
    """Counts the `steps` that exist in the inputs: a taint that is one text has no separate key."""
    if not steps or isinstance(value, str | int | float):
        return 0
    return 1 + _steps_in(child(value, steps[0]), steps[1:])


def _is_missing(members: Members, cluster: ReconstructedCluster, name: object) -> bool:
    """Tells whether the cluster has node classes here, and none of this name, readable or not."""
    classes = [violation for violation in members.objects if not violation.is_pool]
    here = {place.urn for place in cluster.places}
    return any(node_class.resource.urn in here for node_class in classes) and all(
        node_class.named and node_class.name != name for node_class in classes
    )


def _redacted(finding: Finding, inputs: Mapping[str, object]) -> Finding:
    """Returns `finding` with a message without values, at the path of the secret that causes it."""
    steps = finding.steps[: _open_steps(inputs, finding.steps)]
    message = f"A secret value breaks this rule: {described(finding.code).rstrip('.')}"
    return replace(finding, path=path_text(steps), steps=steps, value=None, message=message, fix=Fix("Correct the secret"))


def _open_steps(value: object, steps: Sequence[Step]) -> int:
    """Counts the `steps` before the first secret."""
    if isinstance(value, Secret) or not steps:
        return 0
    return 1 + _open_steps(child(value, steps[0]), steps[1:])
