"""The inputs of a resource by path. What is unknown stays unknown the deeper one looks; what is secret stays secret."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.resources import resource_kinds
from nodepools.resources.resource import UNKNOWN, Resource, Secret
from nodepools.resources.resource_kinds import Kind, manifest_of
from nodepools.rules.path import Step, spelled

_KINDS: Final = {Kind.AKS_CLUSTER: "ManagedCluster", Kind.AGENT_POOL: "AgentPool", Kind.EKS_CLUSTER: "EksCluster"}
_TYPES: Final = {"aws:eks/nodeGroup:NodeGroup": "NodeGroup", "pulumi:pulumi:Stack": "Stack"}
_OBJECTS: Final = frozenset({"NodePool", "NodeClass", "AKSNodeClass"})


@dataclass(frozen=True, slots=True)
class InputValue:
    """A value, and where it stands."""

    value: object
    steps: tuple[Step, ...] = ()

    @property
    def path(self) -> str:
        """`agentPoolProfiles[0].vmSize`."""
        return spelled(self.steps)

    @property
    def plain(self) -> object:
        """The value, opened where it is secret."""
        return self.value.value if isinstance(self.value, Secret) else self.value

    @property
    def _mapping(self) -> Mapping[str, object]:
        return cast("Mapping[str, object]", plain) if isinstance(plain := self.plain, Mapping) else {}

    @property
    def _list(self) -> Sequence[object]:
        return cast("Sequence[object]", plain) if isinstance(plain := self.plain, list | tuple) else ()

    @property
    def known(self) -> bool:
        """It is known now: also that it is missing."""
        return self.plain is not UNKNOWN

    @property
    def missing(self) -> bool:
        """Certainly nothing stands here."""
        return self.plain is None

    @property
    def text(self) -> str | None:
        """The value, where it is a string."""
        return self.plain if isinstance(self.plain, str) else None

    @property
    def number(self) -> int | float | None:
        """The value, where it is a number."""
        return self.plain if isinstance(self.plain, int | float) and not isinstance(self.plain, bool) else None

    def at(self, *steps: Step) -> "InputValue":
        """What stands further in; unknown where that cannot be seen, missing where there is nothing."""
        place = self
        for step in steps:
            place = InputValue(place._inside(step), (*place.steps, step))
        return place

    def items(self) -> Iterator["InputValue"]:
        """The entries of a list, of which nothing else has any."""
        yield from (self.at(index) for index in range(len(self._list)))

    def entries(self) -> Mapping[str, "InputValue"]:
        """The entries of a mapping, of which nothing else has any."""
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
    """`ManagedCluster`, `AgentPool`, `EksCluster`, `NodeGroup`, `NodePool`, `NodeClass`, `AKSNodeClass`, `Stack`; empty for all else."""
    kind = resource_kinds.kind_of(resource)
    if kind is Kind.OBJECT:
        word = manifest_of(resource).get("kind")
        return word if isinstance(word, str) and word in _OBJECTS else ""
    return _KINDS.get(kind, _TYPES.get(resource.type, ""))


def inputs(resource: Resource) -> InputValue:
    """All of its inputs."""
    return InputValue(resource.inputs)


def agent_pools(resource: Resource) -> Iterator[InputValue]:
    """The agent pools of AKS in a resource: itself, or those inside a cluster."""
    match kind_of(resource):
        case "AgentPool":
            yield inputs(resource)
        case "ManagedCluster":
            yield from inputs(resource).at("agentPoolProfiles").items()
        case _:
            pass


def node_pools(resource: Resource) -> Iterator[InputValue]:
    """The NodePool of Karpenter that a resource is."""
    if kind_of(resource) == "NodePool":
        yield inputs(resource)


def requirements(node_pool: InputValue, *keys: str) -> Iterator[InputValue]:
    """The requirements of a NodePool that are of these keys."""
    for requirement in node_pool.at("spec", "template", "spec", "requirements").items():
        if requirement.at("key").text in keys:
            yield requirement


def admitted(requirement: InputValue) -> list[InputValue] | None:
    """The values that a requirement admits, one by one; `None` where it does not name them, or they are not known."""
    values = list(requirement.at("values").items())
    return values if requirement.at("operator").text == "In" and all(value.text is not None for value in values) else None
