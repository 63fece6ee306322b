"""Policies about clusters: their system pools, versions, access, tags and labels."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Final, cast

from google.protobuf.struct_pb2 import Struct
from pydantic import Field

from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, SupportTable, day_or_today
from nodepools.model.listing import as_code
from nodepools.model.values import dataclass
from nodepools.pack.input_values import InputValue, agent_pools, inputs, kind_of, mapping_at, mappings_in, requirements
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck, Stack
from nodepools.resources.resource import Resource, Secret
from nodepools.resources.violation_text import ViolationText


@dataclass(frozen=True, slots=True)
class _Switch:
    """The input of a cluster that decides whether its API server can be reached from the internet."""

    at: tuple[str, ...]
    when_private: bool
    fix: str


_SWITCHES: Final = {
    "ManagedCluster": _Switch(("apiServerAccessProfile", "enablePrivateCluster"), when_private=True, fix="Set `enablePrivateCluster` to `true`"),
    "EksCluster": _Switch(
        ("vpcConfig", "endpointPublicAccess"), when_private=False, fix="Set `endpointPublicAccess` to `false`, and `endpointPrivateAccess` to `true`"
    ),
}


class PrivateApiServer(PolicyFunction):
    """The API server of a cluster cannot be reached from the internet."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A cluster with a public endpoint, the default of both clouds."""
        switch = _SWITCHES.get(kind_of(requested.resource))
        if switch is not None:
            given = inputs(requested.resource).at(*switch.at)
            if given.known and given.plain is not switch.when_private:
                yield ViolationText(given.path, given.value, "The API server is reachable from the internet", switch.fix)


class NoPlainKubeconfig(PolicyFunction):
    """No stack output is a kubeconfig in plain text: everyone with read access to the stack sees outputs that are not secret."""

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """An output, at any depth, that holds one and is not secret."""
        for resource in stack.resources:
            if kind_of(resource) == "Stack":
                for place in _plain(InputValue(stack.outputs.get(resource.urn, {}))):
                    if _is_kubeconfig(place.value):
                        yield (
                            resource.urn,
                            ViolationText(
                                place.path, Secret(None), f"The output `{place.path}` is a kubeconfig in plain text", "Export it as a secret output"
                            ),
                        )


def _plain(place: InputValue) -> Iterator[InputValue]:
    """The value, and all values inside that are not secret. A kubeconfig is not searched."""
    if isinstance(place.value, Secret) or not place.known:
        return
    yield place
    if not _is_kubeconfig(place.value):
        for inside in (*place.entries().values(), *place.items()):
            yield from _plain(inside)


def _is_kubeconfig(value: object) -> bool:
    if isinstance(value, str):
        return _looks_like_one(value) or _looks_like_one(_decoded(value))
    if not isinstance(value, Mapping):
        return False
    return {"clusters", "contexts", "users"} <= cast("Mapping[str, object]", value).keys()


def _looks_like_one(text: str) -> bool:
    return all(word in text for word in ("apiVersion", "clusters", "contexts", "users", "server"))


def _decoded(text: str) -> str:
    """The text inside base64, as Azure returns kubeconfigs; empty where it is not base64."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


@dataclass(frozen=True, slots=True)
class _Calendar:
    """When standard support of the versions of a cloud ends."""

    version: str
    """The input of a cluster that holds its version."""
    table: SupportTable
    other_plans: frozenset[str] = frozenset()
    """Support plans that have another calendar."""


_CALENDARS: Final = {
    "ManagedCluster": _Calendar("kubernetesVersion", AKS_SUPPORT, frozenset({"AKSLongTermSupport"})),
    "EksCluster": _Calendar("version", EKS_SUPPORT),
}


class KubernetesVersionSupport(PolicyFunction):
    """The Kubernetes version of a cluster is in standard support, for some more days."""

    days: Annotated[int, Field(ge=0)] = 30
    """The minimum number of days until support ends."""
    today: date | None = None
    """The date of the check; today when not set."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A version whose support ends too soon. Versions that are not in the table are not checked."""
        calendar = _CALENDARS.get(kind_of(requested.resource))
        given = inputs(requested.resource)
        if calendar is not None and given.at("supportPlan").text not in calendar.other_plans:
            yield from self._check(given.at(calendar.version), calendar)

    def _check(self, version: InputValue, calendar: _Calendar) -> Iterator[ViolationText]:
        end = calendar.table.end(version.text if version.text is not None else "")
        today = day_or_today(self.today)
        if end is None or (end - today).days >= self.days:
            return
        left = (end - today).days
        support = f"Standard support of Kubernetes {version.text}"
        message = f"{support} ended on {end}" if left < 0 else f"{support} ends on {end}, in {left} days: {self.days} days are required"
        fix = "Upgrade the cluster, one minor version at a time"
        yield ViolationText(version.path, version.value, message, fix, calendar.table.source)


_TAINT = "CriticalAddonsOnly=true:NoSchedule"


class IsolatedSystemPools(PolicyFunction):
    """System pools of AKS have the taint `CriticalAddonsOnly`: applications do not use the capacity of system pods."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool without the taint."""
        for pool in _system_pools(requested):
            taints = pool.at("nodeTaints")
            if not taints.known or any(not taint.known or taint.text == _TAINT for taint in taints.items()):
                continue
            yield ViolationText(
                taints.path,
                taints.value,
                "The system pool accepts application pods",
                f"Add `{_TAINT}` to `nodeTaints`, and a user pool for applications",
            )


class ZoneRedundantSystemPools(PolicyFunction):
    """System pools of AKS have nodes in several zones, so that the cluster works when one fails."""

    zones: Annotated[int, Field(ge=1, le=3)] = 2
    """The minimum number of zones."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool in too few zones, or with fewer nodes than zones."""
        for pool in _system_pools(requested):
            zones = pool.at("availabilityZones")
            if not zones.known:
                continue
            named = {zone.text for zone in zones.items()}
            if len(named) < self.zones:
                yield ViolationText(
                    zones.path,
                    zones.value,
                    f"The system pool is in {len(named)} zones: {self.zones} are required",
                    "Add zones to `availabilityZones`",
                )
                continue
            name = "minCount" if pool.at("enableAutoScaling").plain is True else "count"
            nodes = pool.at(name)
            if nodes.number is not None and nodes.number < self.zones:
                message = f"The system pool has {nodes.number} nodes: {self.zones} zones require at least {self.zones}"
                yield ViolationText(nodes.path, nodes.value, message, f"Set `{name}` to {self.zones} or more")


def _system_pools(requested: ResourceUnderCheck) -> Iterator[InputValue]:
    yield from (pool for pool in agent_pools(requested.resource) if pool.at("mode").text == "System")


_TAGGED: Final[Mapping[str, tuple[str, ...]]] = {
    "ManagedCluster": ("tags",),
    "AgentPool": ("tags",),
    "EksCluster": ("tags",),
    "NodeGroup": ("tags",),
    "NodeClass": ("spec", "tags"),
    "AKSNodeClass": ("spec", "tags"),
}
_LABELLED: Final[Mapping[str, tuple[str, ...]]] = {"NodePool": ("spec", "template", "metadata", "labels"), "NodeGroup": ("labels",)}


class RequiredTags(PolicyFunction):
    """Clusters, pools and node classes have the tags that the organization requires."""

    tags: Mapping[str, str | None] = {}
    """By name: the value that a remediation sets, or null for none. Any value is valid."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A tag that is missing."""
        for tags in _tags(requested.resource):
            has = {*tags.entries(), *(_given_by_the_provider(requested) if tags.path == "tags" else ())}
            missing = [name for name in self.tags if name not in has]
            if missing and tags.known:
                fix = f"Add {', '.join(_example(name, self.tags[name]) for name in missing)} to `{tags.path}`"
                yield ViolationText(tags.path, sorted(has), f"Required tags are missing: {as_code(missing)}", fix)

    def remedy(self, resource: Resource, properties: Struct) -> bool:
        """Adds the missing tags that have a value."""
        repaired = False
        given = {name: value for name, value in self.tags.items() if value is not None}
        for parent, path in _tagged(resource, properties):
            known = mapping_at(parent, *path) if given else None
            for name, value in given.items() if known is not None else ():
                if known is not None and name not in known.fields:
                    known.fields[name].string_value = value
                    repaired = True
        return repaired


class RequiredLabels(PolicyFunction):
    """The nodes of every pool have the labels that the organization requires."""

    labels: Sequence[str] = ()
    """Their names. Any value is valid."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A label that is missing."""
        for labels in _labels(requested.resource):
            required = {requirement.at("key").text for requirement in requirements(inputs(requested.resource), *self.labels)}
            missing = [name for name in self.labels if name not in labels.entries() and name not in required]
            if missing and labels.known:
                message = f"Required labels are missing: {as_code(missing)}"
                yield ViolationText(labels.path, sorted(labels.entries()), message, f"Add {as_code(missing)} to `{labels.path}`")


def _given_by_the_provider(requested: ResourceUnderCheck) -> Iterator[str]:
    """Tags that the AWS provider adds: Pulumi's engine shows them; a preview without it shows the configuration of the provider, as JSON."""
    yield from inputs(requested.resource).at("tagsAll").entries()
    default = InputValue(requested.provider).at("defaultTags")
    try:
        yield from InputValue(json.loads(default.text) if default.text is not None else default.value).at("tags").entries()
    except json.JSONDecodeError:
        return


def _tags(resource: Resource) -> Iterator[InputValue]:
    kind = kind_of(resource)
    if kind in _TAGGED:
        yield inputs(resource).at(*_TAGGED[kind])
    if kind == "ManagedCluster":
        yield from (pool.at("tags") for pool in agent_pools(resource))


def _tagged(resource: Resource, properties: Struct) -> Iterator[tuple[Struct, tuple[str, ...]]]:
    """The mappings that have tags, and the path in each: the same places as in `_tags`."""
    kind = kind_of(resource)
    if kind in _TAGGED:
        yield properties, _TAGGED[kind]
    if kind == "ManagedCluster":
        yield from ((pool, ("tags",)) for pool in mappings_in(properties, "agentPoolProfiles"))


def _labels(resource: Resource) -> Iterator[InputValue]:
    yield from (pool.at("nodeLabels") for pool in agent_pools(resource))
    kind = kind_of(resource)
    if kind in _LABELLED:
        yield inputs(resource).at(*_LABELLED[kind])


def _example(name: str, value: str | None) -> str:
    return f"`{name}: {value}`" if value is not None else f"`{name}`"
