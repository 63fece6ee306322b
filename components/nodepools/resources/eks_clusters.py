"""Reconstructs EKS clusters of any program from resources: each cluster with its access entries, add-ons, and the objects in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar, cast

from nodepools.clouds.eks.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, IdentityProvider, PodIdentity
from nodepools.model.eks.cluster import ClusterObjects, EksClusterArgs, EksNetworkArgs
from nodepools.model.eks.node_class import AutoMode
from nodepools.model.steps import Steps
from nodepools.model.unknowns import assembled, partial, partial_below, unread
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.resource import UNKNOWN, Kind, Resource, name_of
from nodepools.resources.resource_set import Members, named_owner
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation, in_resource_terms
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.partial_validation import validate_partial
from nodepools.rules.engine.registry import Where
from nodepools.wire.eks.access import ADD_ON, ENTRY, IDENTITY_PROVIDER, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import CLUSTER
from nodepools.wire.overrides import without_unknown
from nodepools.wire.paths import wire_of
from nodepools.wire.reading import Reading, read
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
        one = _cluster(members, resource, applied.get(resource.urn, ()))
        yield one
        if isinstance(one.model, EksClusterArgs) and members.is_stack:
            yield from _in_zones(members, resource, one.model)
    for resource in members.of(Kind.IDENTITY_PROVIDER):
        provider = known_part(IdentityProvider, IDENTITY_PROVIDER, resource.inputs)
        yield ReconstructedCluster(provider, [SourceLocation((), resource.urn, IDENTITY_PROVIDER)])
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
    cluster, findings = eks_cluster(written, policies_off=members.is_stack and not any(map(_can_turn_on, members.resources)))
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
_UNKNOWN: Final = ("identity_provider", "oidc_provider", "logs", "apply", "account", "iam_path", "role_names", "protect", "owner", "timeouts")
"""Fields that only declarations have, and the identity provider, which is checked without its cluster."""
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


def _can_turn_on(resource: Resource) -> bool:
    if _ANYTHING.fullmatch(resource.type):
        return True
    if not _CONFIG_MAP.fullmatch(resource.type) or name_of(resource.inputs) not in (None, CONTROLLER[1]):
        return False
    data = resource.inputs.get("data")
    value = cast("Mapping[str, object]", data).get(SWITCH) if isinstance(data, Mapping) else "unknown"
    return value is not None and value != "false"
