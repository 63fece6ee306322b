"""The inputs of a resource by path, to read and to change: every part of an unknown value is unknown, every part of a secret is secret."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine.signatures import SECRET, SIGNATURE
from nodepools.model.path import path_text
from nodepools.model.steps import Step
from nodepools.model.values import dataclass
from nodepools.resources.resource import UNKNOWN, Kind, Resource, Secret, manifest_of
from nodepools.resources.resource import kind_of as checked_kind


def mapping_at(properties: Struct, *steps: str) -> Struct | None:
    """Returns the mapping at a path, and creates it if it is missing; `None` if the path leads through another type of value."""
    here = properties
    for step in steps:
        if step not in here.fields or here.fields[step].WhichOneof("kind") in (None, "null_value"):
            here.fields[step].struct_value.Clear()
        value = opened(here.fields[step])
        if value.WhichOneof("kind") != "struct_value" or SIGNATURE in value.struct_value.fields:
            return None
        here = value.struct_value
    return here


def mappings_in(properties: Struct, name: str) -> list[Struct]:
    """Returns the mappings in a list; none if the list is unknown."""
    if name not in properties.fields:
        return []
    entries = opened(properties.fields[name]).list_value.values
    return [opened(entry).struct_value for entry in entries if opened(entry).WhichOneof("kind") == "struct_value"]


def opened(value: Value) -> Value:
    """Returns the value inside a secret, to read or change it in place; any other value unchanged."""
    while SIGNATURE in value.struct_value.fields and value.struct_value.fields[SIGNATURE].string_value == SECRET:
        value = value.struct_value.fields["value"]
    return value


_KINDS: Final = {Kind.AKS_CLUSTER: "ManagedCluster", Kind.AGENT_POOL: "AgentPool", Kind.EKS_CLUSTER: "EksCluster"}
_TYPES: Final = {"aws:eks/nodeGroup:NodeGroup": "NodeGroup", "pulumi:pulumi:Stack": "Stack"}
_OBJECTS: Final = frozenset({"NodePool", "NodeClass", "AKSNodeClass", "EC2NodeClass"})


@dataclass(frozen=True, slots=True)
class InputValue:
    """A value, and its path."""

    value: object
    steps: tuple[Step, ...] = ()

    @property
    def path(self) -> str:
        """The path as text: `agentPoolProfiles[0].vmSize`."""
        return path_text(self.steps)

    @property
    def plain(self) -> object:
        """The value; the plain value of a secret."""
        return self.value.value if isinstance(self.value, Secret) else self.value

    @property
    def _mapping(self) -> Mapping[str, object]:
        return cast("Mapping[str, object]", plain) if isinstance(plain := self.plain, Mapping) else {}

    @property
    def _list(self) -> Sequence[object]:
        return cast("Sequence[object]", plain) if isinstance(plain := self.plain, list | tuple) else ()

    @property
    def known(self) -> bool:
        """The value is known, or known to be missing."""
        return self.plain is not UNKNOWN

    @property
    def missing(self) -> bool:
        """The value is known to be missing."""
        return self.plain is None

    @property
    def text(self) -> str | None:
        """The value if it is a string."""
        return self.plain if isinstance(self.plain, str) else None

    @property
    def number(self) -> int | float | None:
        """The value if it is a number."""
        return self.plain if isinstance(self.plain, int | float) and not isinstance(self.plain, bool) else None

    def at(self, *steps: Step) -> "InputValue":
        """Returns the value at `steps` inside this one; unknown inside an unknown value, missing if there is none."""
        place = self
        for step in steps:
            place = InputValue(place._inside(step), (*place.steps, step))
        return place

    def items(self) -> Iterator["InputValue"]:
        """Yields the entries of a list; nothing for any other value."""
        yield from (self.at(index) for index in range(len(self._list)))

    def entries(self) -> Mapping[str, "InputValue"]:
        """Returns the entries of a mapping; nothing for any other value."""
        return {key: self.at(key) for key in self._mapping}

    def _inside(self, step: Step) -> object:
        inside: object = None
        if not self.known:
            inside = UNKNOWN
        elif isinstance(step, str):
            inside = self._mapping.get(step)
        elif step < len(self._list):
            inside = self._list[step]
        return Secret(inside) if isinstance(self.value, Secret) and not isinstance(inside, Secret) else inside


def kind_of(resource: Resource) -> str:
    """Returns the kind of a resource; empty for other resources than these.

    `ManagedCluster`, `AgentPool`, `EksCluster`, `NodeGroup`, `NodePool`, `NodeClass`, `AKSNodeClass`, `EC2NodeClass`, `Stack`.
    """
    kind = checked_kind(resource)
    if kind is Kind.OBJECT:
        name = manifest_of(resource).get("kind")
        return name if isinstance(name, str) and name in _OBJECTS else ""
    return _KINDS.get(kind, _TYPES.get(resource.type, ""))


def inputs(resource: Resource) -> InputValue:
    """Returns all inputs of a resource."""
    return InputValue(resource.inputs)


def agent_pools(resource: Resource) -> Iterator[InputValue]:
    """Yields the AKS agent pools of a resource: an agent pool, or the inline pools of a cluster."""
    match kind_of(resource):
        case "AgentPool":
            yield inputs(resource)
        case "ManagedCluster":
            yield from inputs(resource).at("agentPoolProfiles").items()
        case _:
            pass


def node_pools(resource: Resource) -> Iterator[InputValue]:
    """Yields the NodePool of a resource."""
    if kind_of(resource) == "NodePool":
        yield inputs(resource)


def requirements(node_pool: InputValue, *keys: str) -> Iterator[InputValue]:
    """Yields the requirements of a NodePool with these keys."""
    for requirement in node_pool.at("spec", "template", "spec", "requirements").items():
        if requirement.at("key").text in keys:
            yield requirement


def admitted(requirement: InputValue) -> list[InputValue] | None:
    """Returns the values that a requirement lists; `None` if its operator is not `In`, or a value is unknown."""
    values = list(requirement.at("values").items())
    return values if requirement.at("operator").text == "In" and all(value.text is not None for value in values) else None
