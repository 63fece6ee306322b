"""Tags for cost reports, and labels for workloads to select."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from google.protobuf.struct_pb2 import Struct

from nodepools.pack.input_values import InputValue, agent_pools, inputs, kind_of, mapping_at, mappings_in, requirements
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.resources.resource import Resource
from nodepools.resources.violation_text import ViolationText

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
                yield ViolationText(tags.path, sorted(has), f"Required tags are missing: {_listed(missing)}", fix)

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
                message = f"Required labels are missing: {_listed(missing)}"
                yield ViolationText(labels.path, sorted(labels.entries()), message, f"Add {_listed(missing)} to `{labels.path}`")


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


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
