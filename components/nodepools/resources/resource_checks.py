"""Checks resources by the rules of declarations: each resource alone, and all resources of a cluster together.

Reconstructs everything that rules can check among resources: clusters, and parts of unknown clusters.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypeVar, cast

from nodepools.clouds.eks.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.manifests.built_in import OBJECTS_OF
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.cluster_objects import ClusterObjects
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.path import child, path_text, value_at
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import assembled, partial, partial_below, unread
from nodepools.resources.aks_clusters import aks_clusters
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.resource import UNKNOWN, Kind, Resource, Secret, closed, has_secrets, name_of, opened
from nodepools.resources.resource_set import Members, named_owner, reached_owner
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation, in_resource_terms
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.fix import Fix
from nodepools.rules.engine.partial_validation import validate_partial
from nodepools.rules.engine.registry import Where, described, is_softened, limit_of
from nodepools.rules.engine.runner import RuleFailedError, check
from nodepools.wire.eks.access import ADD_ON, ENTRY, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import CLUSTER
from nodepools.wire.overrides import without_unknown
from nodepools.wire.paths import wire_of
from nodepools.wire.reading import Reading, read
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


def _violation(members: Members, place: SourceLocation, finding: Finding) -> Violation:
    inputs = members.by_urn[place.urn].inputs
    steps = finding.steps[: _steps_in(inputs, finding.steps)]
    there = value_at(inputs, steps)
    value = there if there is not None else finding.value if isinstance(finding.value, str | int | float) else None
    value = None if isinstance(value, Mapping) else value  # the path is enough to name a part
    severity = Severity.WARNING if finding.severity is Severity.ERROR and is_softened(finding.code) else finding.severity
    return Violation(place.urn, replace(finding, path=path_text(steps), steps=steps, value=_shown(value), severity=severity))


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


def _shown(value: object) -> object:
    if value is UNKNOWN:
        return {"$unknown": True}
    if isinstance(value, Mapping):
        return {str(name): _shown(part) for name, part in cast("Mapping[object, object]", value).items()}
    return [_shown(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _redacted(finding: Finding, inputs: Mapping[str, object]) -> Finding:
    """Returns `finding` with a message without values, at the path of the secret that causes it."""
    steps = finding.steps[: _open_steps(inputs, finding.steps)]
    message = f"A secret value breaks this rule: {described(finding.code).rstrip('.')}"
    return replace(finding, path=path_text(steps), steps=steps, value=None, message=message, fix=Fix("Correct the secret"))


def _open_steps(value: object, steps: Sequence[Step]) -> int:
    """Counts the `steps` before the first secret."""
    if isinstance(value, Secret) or not steps:
        return 0
    inside = child(value, steps[0])
    return 1 + _open_steps(inside, steps[1:])


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
        one = _cluster(members, resource, applied.get(resource.urn, ()))
        yield one
        if isinstance(one.model, EksClusterArgs) and members.is_stack:
            yield from _in_zones(members, resource, one.model)
    for kind, model, table in _PARTS.values():
        for resource in members.unowned(kind, Kind.EKS_CLUSTER, *_OWNER):
            made = known_part(model, table, resource.inputs)
            if isinstance(made, AccessEntry):
                made, places = _with_policies(members, resource, made, ())
                yield ReconstructedCluster(made, [SourceLocation((), resource.urn, table), *places])
            else:
                yield ReconstructedCluster(made, [SourceLocation((), resource.urn, table)])


def _cluster(members: Members, resource: Resource, objects: Sequence[Object]) -> ReconstructedCluster:
    written, place = with_switches(resource.inputs), SourceLocation((), resource.urn, CLUSTER)
    cluster, findings = eks_cluster(written, policies_off=policies_are_off(members))
    rejected = [(place, in_resource_terms(place, finding)) for finding in findings]
    if cluster is None:
        return ReconstructedCluster(None, [], rejected)
    places = [place]
    for field in _PARTS:
        cluster, of_parts = _with_parts(members, resource, cluster, field)
        places += of_parts
    known = AutoMode() if "auto_mode" in unread(cluster) else cluster.auto_mode
    auto, inside = with_objects(known, objects, "auto_mode")
    if not members.is_stack:
        auto = partial(auto, ("node_pools", "node_classes"))
    limits = (Where.OPEN_CLUSTER,) if is_auto_mode(written) else (Where.OPEN_CLUSTER, Where.NO_AUTO_MODE)
    return ReconstructedCluster(assembled(cluster, auto_mode=auto), [*places, *inside], rejected, limits, _ADDED)


def _in_zones(members: Members, resource: Resource, cluster: EksClusterArgs) -> Iterator[ReconstructedCluster]:
    """The cluster in the zones of its subnets, and in the range of its VPC, if a plan of Terraform has all of them: rules about them then apply."""
    subnets = [members.by_urn[urn] for urn in cast("Sequence[str]", resource.options.get("subnets", ()))]
    zones = dict.fromkeys(one.inputs.get("availability_zone") for one in subnets)
    ranges = {str(one) for subnet in subnets for one in cast("Sequence[object]", subnet.inputs["network"])}
    network = validate_partial(EksNetworkArgs, {"zones": list(zones), **({"cidr": next(iter(ranges))} if len(ranges) == 1 else {})})[0]
    if network is not None and zones and all(isinstance(zone, str) for zone in zones):
        places = [SourceLocation(("network", "zones"), resource.urn, Table(), ("vpcConfig", "subnetIds"))]
        places += [SourceLocation(("service_cidr",), resource.urn, Table(), wire_of(CLUSTER, ("service_cidr",)))] if len(ranges) == 1 else []
        yield ReconstructedCluster(assembled(cluster, network=network), places)


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


M = TypeVar("M", bound=Model)

_AUTO_MODE_SWITCHES: Final = ("computeConfig.enabled", "kubernetesNetworkConfig.elasticLoadBalancing.enabled", "storageConfig.blockStorage.enabled")
_UNKNOWN: Final = ("oidc_provider", "logs", "apply", "account", "iam_path", "role_names", "protect", "timeouts")
"""Fields that only declarations have."""
_ADDED: Final = {name: EksClusterArgs.model_fields[name].get_default(call_default_factory=True) for name in _UNKNOWN} | {
    "objects": ClusterObjects(storage_class=None, ingress_class=None)
}
_NETWORK: Final = {"kind": "ExistingEksNetwork", "vpc_id": UNKNOWN, "private_subnet_ids": UNKNOWN, "control_plane_subnet_ids": UNKNOWN}
"""The network of a cluster: the inputs of the cluster have only a part of it."""


def known_part(kind: type[M], table: Table, written: Mapping[str, object]) -> M | None:
    """Returns a part that is a separate resource, as far as it is known."""
    return validate_partial(kind, read(table, written, Reading()))[0]


def is_auto_mode(written: Mapping[str, object]) -> bool:
    """Tells whether at least one switch of Auto Mode is known to be on."""
    return any(Reading().at(written, switch) is True for switch in _AUTO_MODE_SWITCHES)


def with_switches(written: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the inputs with the switches of Auto Mode as the provider reads them: it converts the texts `true` and `false`."""
    return {name: _switched(value, on=f"{name}.") for name, value in written.items()}


def _switched(value: object, *, on: str) -> object:
    if isinstance(value, Mapping):
        return {name: _switched(part, on=f"{on}{name}.") for name, part in cast("Mapping[str, object]", value).items()}
    words: Mapping[object, object] = {"true": True, "false": False}
    return words.get(value, UNKNOWN) if isinstance(value, str) and on.rstrip(".") in _AUTO_MODE_SWITCHES else value


def eks_cluster(written: Mapping[str, object], *, policies_off: bool = False) -> tuple[EksClusterArgs | None, list[Finding]]:
    """Returns the cluster as far as it is known, and the findings that EKS is guaranteed to reject, in the model's terms.

    Without Auto Mode, the fields of Auto Mode are unknown. The three switches, and the inputs that Auto Mode requires with them, are overrides if
    they differ from those of declarations.

    Args:
        written: the inputs.
        policies_off: nothing turns on the network policy controller.
    """
    found = read(CLUSTER, written, Reading())
    auto = is_auto_mode(written)
    found["overrides"] = _overrides(found, written) if auto else {}
    found.setdefault("authentication_mode", UNKNOWN)  # the default depends on how the cluster is created
    found["network"] = {**_NETWORK, **cast("Mapping[str, object]", found["network"])}
    if policies_off:
        found["objects"] = {"network_policies": False, "storage_class": UNKNOWN, "ingress_class": UNKNOWN}
    made, findings = validate_partial(EksClusterArgs, found, lambda finding: finding.steps == ("name",))
    unknown = (*_UNKNOWN, *(() if policies_off else ("objects",)), *(() if auto else ("auto_mode", "overrides", "authentication_mode")))
    return (partial_below(made, [(name,) for name in unknown]) if made is not None else None), findings


def _overrides(found: Mapping[str, object], written: Mapping[str, object]) -> dict[str, object]:
    """Returns the overrides, with markers for the built-in NodePools and their role if the inputs set them: their values can be unknown."""
    known = without_unknown(cast("Mapping[str, object]", found.get("overrides", {})))
    markers = (("node_pools", "computeConfig.nodePools"), ("node_role_arn", "computeConfig.nodeRoleArn"))
    compute = {name: _presence(Reading().at(written, place)) for name, place in markers}
    return {**known, "compute_config": {**cast("Mapping[str, object]", known.get("compute_config", {})), **compute}}


def _presence(value: object) -> object:
    """Returns a marker if the input is set, even to an unknown value: a role that the same program creates is set too."""
    return "there" if value is UNKNOWN or value else None


_CONFIG_MAP: Final = re.compile(r"kubernetes:core/v1:ConfigMap(Patch)?")
_ANYTHING: Final = re.compile(r"kubernetes:(yaml|helm\.sh|kustomize)\b.*")
"""Types that can contain any object: manifest files, charts, kustomizations."""


def policies_are_off(members: Members) -> bool:
    """Tells whether the whole program is known, and no resource in it can turn on the controller."""
    return members.is_stack and not any(_can_turn_on(resource) for resource in members.resources)


def _can_turn_on(resource: Resource) -> bool:
    if _ANYTHING.fullmatch(resource.type):
        return True
    if not _CONFIG_MAP.fullmatch(resource.type) or name_of(resource.inputs) not in (None, CONTROLLER[1]):
        return False
    data = resource.inputs.get("data")
    value = cast("Mapping[str, object]", data).get(SWITCH) if isinstance(data, Mapping) else "unknown"
    return value is not None and value != "false"
