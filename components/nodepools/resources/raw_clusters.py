"""The clusters that a program registers without a component, as declarations: what is known of them, and what is not."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeVar, cast

from nodepools.clouds.change import NODE_GROUP
from nodepools.engine.declarations import UnknownOutput
from nodepools.engine.plan import Plan
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.node_class import AutoMode
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.path import path_text, value_at
from nodepools.model.platform import AnyCluster
from nodepools.model.steps import Steps
from nodepools.model.unknowns import NotKnownError, unread, whole
from nodepools.model.values import dataclass, field, replace
from nodepools.resources.aks_clusters import NOT_LAUNCHED
from nodepools.resources.resource import UNKNOWN, Kind, Resource, closed, kind_of, of_plan
from nodepools.resources.resource_checks import clusters
from nodepools.resources.resource_set import Members
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation
from nodepools.rules.engine.field_annotations import options
from nodepools.rules.engine.finding import Finding

M = TypeVar("M", bound=Model)

_NO_AUTO_MODE: Final = "auto_mode"
_IDLE: Final = "OBJ030"
_WITH_NODES: Final = frozenset({Kind.AKS_CLUSTER, Kind.EKS_CLUSTER, Kind.AGENT_POOL, Kind.OBJECT})
_NOT_ABOUT_NODES: Final = frozenset({"api_server", "authentication_mode", "entra", "objects", "oidc_issuer", "overrides", "workload_identity"})
"""Fields of clusters that decide neither about nodes nor about their costs: rules read them, other answers do not."""
_NOT_READ: Final = "is checked, and its nodes are not known here"
_LABELED: Final = "labeled"
_VERSION: Final = "kubernetes_version"


@dataclass(frozen=True, slots=True)
class RawClusters:
    """The clusters of a program without a component."""

    clusters: Mapping[str, AnyCluster]
    """By the URN of the cluster."""
    unread: tuple[tuple[str, str], ...]
    """The URN of each resource whose nodes are not known, or only a part of them, with the words for it."""
    idle: tuple[tuple[str, Finding], ...] = ()
    """The URN of each object for which AKS launches no node, with the finding that says so."""


def raw_clusters(resources: Sequence[Resource], others: AbstractSet[str] = frozenset()) -> RawClusters:
    """Reads the clusters among all resources of a program. Values that are known after an update, and secrets, are not read.

    `others`, by URN, are node groups and objects of self-managed Karpenter that are read, and their clusters: without Auto Mode, these have no other
    nodes.
    """
    members = Members(tuple(closed(resource) for resource in resources if "read" not in resource.options))
    found, reached, read = dict[str, AnyCluster](), dict[str, str](), list(clusters(members))
    for one in read:
        urns = [place.urn for place in one.places]
        if one.model is not None and one.added is not None:
            is_alone = _NO_AUTO_MODE in unread(one.model) and urns[0] in others and not any(place.is_object for place in one.places)
            alone = {_NO_AUTO_MODE: AutoMode(built_in_node_pools=())} if is_alone else {}
            made, lacks = _declaration(one, {**one.added, **alone}, members)
            reached.update(dict.fromkeys(urns, ""))
            reached[urns[0]] = lacks
            if made is not None:
                found[urns[0]] = made
    reached.update(dict.fromkeys(others - reached.keys(), ""))
    idle = {place.urn: finding for one in read for place, finding in one.rejected if finding.code == _IDLE}
    reached.update(dict.fromkeys(idle, f"{_NOT_READ}: {NOT_LAUNCHED}"))
    return RawClusters(found, tuple(_unread(members, reached)), tuple(idle.items()))


def _unread(members: Members, reached: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for resource in members.resources:
        kind = kind_of(resource)
        if kind not in _WITH_NODES:
            continue
        of_cluster = kind in (Kind.OBJECT, Kind.AGENT_POOL)
        why = reached.get(resource.urn, f"{_NOT_READ}: {'its cluster is' if of_cluster else 'its inputs are'} not known")
        if why:
            yield resource.urn, why


def _declaration(read: ReconstructedCluster, added: Mapping[str, object], members: Members) -> tuple[AnyCluster | None, str]:
    """The cluster without unknown fields, and what of it is not known; `None` if it has no nodes that a declaration can say."""
    cluster = cast("AnyCluster", read.model)
    if _NO_AUTO_MODE in unread(cluster) and _NO_AUTO_MODE not in added:
        return None, f"{_NOT_READ}: it has no EKS Auto Mode, so they are those of node groups and of Karpenter"
    filling = _Filling(read.places[0].urn, frozenset(place.steps for place in read.places if _is_labeled(place, members)), added, _version(cluster))
    try:
        return filling.whole(cluster, ()), f"is read without what is not known here: {', '.join(filling.lacks)}" if filling.lacks else ""
    except NotKnownError as error:
        return None, f"{_NOT_READ}: `{error}` is not known"


def _version(cluster: AnyCluster) -> str | None:
    return cluster.kubernetes_version if _VERSION not in unread(cluster) else None


def _is_labeled(place: SourceLocation, members: Members) -> bool:
    """Whether the nodes of a pool have the label that this library adds to those of its own."""
    inputs = members.by_urn[place.urn].inputs
    labels = value_at(inputs, (*place.at, *(("template", "metadata", "labels") if place.is_object else ("nodeLabels",))))
    return isinstance(labels, Mapping) and POOL_LABEL in labels


@dataclass(slots=True)
class _Filling:
    """Gives unknown fields a value: an unknown Output, or what is usual, which it says. A part of a mapping that has such a field is dropped."""

    urn: str
    labeled: frozenset[Steps]
    """The pools whose nodes have the label of this library."""
    added: Mapping[str, object]
    """Values of fields of the cluster that no resource has."""
    version: str | None
    """That of the cluster."""
    lacks: list[str] = field(default_factory=list[str])

    def whole(self, cluster: M, steps: Steps) -> M:
        """The cluster, or a part of it that there is one of.

        Raises:
            NotKnownError: a field without a default is not known.
        """
        values: dict[str, object] = {}
        for name, value in cast("Mapping[str, object]", vars(cluster)).items():
            at = (*steps, name)
            if not steps and name in self.added:
                values[name] = self.added[name]
            else:
                values[name] = self._unknown(cluster, name, at) if name in unread(cluster) else self._value(value, at)
        if _LABELED in values:
            values[_LABELED] = steps in self.labeled
        if steps[:1] == ("pools",) and values.get(_VERSION, "") is None:  # no request has it, so that no update changes it
            values[_VERSION] = self.version
        return whole(cluster, values)

    def _value(self, value: object, steps: Steps) -> object:
        if isinstance(value, Model):
            return self.whole(value, steps)
        if isinstance(value, Mapping):
            return self._parts(cast("Mapping[str, object]", value), steps)
        return tuple(self._value(part, steps) for part in cast("Sequence[object]", value)) if isinstance(value, tuple) else value

    def _parts(self, parts: Mapping[str, object], steps: Steps) -> Mapping[str, object]:
        """The parts of which everything is known that decides about nodes; the others are among what is not known."""
        kept: dict[str, object] = {}
        for key, part in parts.items():
            inside = _Filling(self.urn, self.labeled, self.added, self.version)
            try:
                kept[key] = inside._value(part, (*steps, key))
            except NotKnownError as error:
                inside.lacks.append(f"`{path_text((*steps, key, str(error)))}`")
            if inside.lacks and isinstance(part, Model):
                kept.pop(key, None)
                self.lacks.extend(inside.lacks)
        return FrozenDict(kept)

    def _unknown(self, part: Model, name: str, steps: Steps) -> object:
        known = type(part).model_fields[name]
        has_references = name != "overrides"  # its values are any
        if has_references and _refers(known.annotation):
            return UnknownOutput(frozenset([self.urn]))
        if has_references and any(map(_refers, getattr(known.annotation, "__args__", ()))):
            return (UnknownOutput(frozenset([self.urn])),)
        if known.is_required():
            raise NotKnownError(name)
        if steps[0] not in _NOT_ABOUT_NODES:
            self.lacks.append(f"`{path_text(steps)}`")
        held = cast("Mapping[str, object]", vars(part))[name]
        return known.get_default(call_default_factory=True) if held is UNKNOWN else self._value(held, steps)


def _refers(annotation: object) -> bool:
    """Whether a field accepts an Output."""
    return object in options(annotation)


def registered_alone(plan: Plan, region: str | None) -> tuple[Resource, ...]:
    """What the program registers without a component. EKS clusters without a region are in that of their provider, or of the configuration."""
    resources = of_plan(plan.resources)
    providers = {resource.urn: resource.inputs.get("region") for resource in resources if resource.type == "pulumi:providers:aws"}
    resources = [_in_region(one, providers.get(str(one.provider).rpartition("::")[0], providers.get(str(one.provider), region))) for one in resources]
    parents = {resource.urn: resource.parent for resource in resources}
    ours = {resource.urn for resource in resources if resource.type.startswith("nodepools:")}
    return tuple(one for one in resources if one.urn not in ours and not ours.intersection(_ancestors(one.urn, parents)))


def _in_region(resource: Resource, region: object) -> Resource:
    if (kind_of(resource) is not Kind.EKS_CLUSTER and resource.type != NODE_GROUP) or "region" in resource.inputs or region is None:
        return resource
    return replace(resource, inputs={**resource.inputs, "region": region})


def _ancestors(urn: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    parent = parents.get(urn)
    while parent is not None:
        yield parent
        parent = parents.get(parent)
