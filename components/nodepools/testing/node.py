"""One registered resource."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.engine.options import registration_options
from nodepools.engine.urns import provider_urn
from nodepools.engine.values import JsonValue
from nodepools.testing.properties import Properties

if TYPE_CHECKING:
    from nodepools.testing.graph import Graph


@dataclass(eq=False)
class Node:
    """A resource as the program sent it to the engine."""

    urn: str
    request: RegisterResourceRequest = field(repr=False)
    """The whole request, for what has no property here."""
    graph: "Graph" = field(repr=False)
    registered: Struct = field(repr=False)
    """What a component registered as its outputs."""

    @property
    def type(self) -> str:
        """The type token, `azure-native:containerservice:AgentPool`."""
        return self.request.type

    @property
    def name(self) -> str:
        """The Pulumi name."""
        return self.request.name

    @property
    def label(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        return f"{self.type.rpartition(':')[2]}/{self.name}"

    @property
    def is_component(self) -> bool:
        """Whether it only holds others together; no cloud knows it."""
        return not self.request.custom

    @cached_property
    def inputs(self) -> Properties:
        """What it is made of."""
        return Properties(self.request.object)

    @cached_property
    def outputs(self) -> Properties:
        """What a component, or the stack, registered as its outputs."""
        return Properties(self.registered)

    def secret(self, *path: str | int) -> bool:
        """Whether the input at `path` is a secret."""
        return self.inputs.secret(*path)

    @property
    def parent(self) -> "Node | None":
        """The resource it is a child of; `None` for the stack, and for children of the stack."""
        parent = self.graph.find(self.request.parent)
        return None if parent is None or parent.type == "pulumi:pulumi:Stack" else parent

    @property
    def provider(self) -> "Node | None":
        """The explicit provider that makes it; `None` where it is the default one of its package."""
        return self.graph.find(provider_urn(self.request.provider))

    def depends_on(self, other: "Node | str") -> bool:
        """Whether there is a direct edge: it says so, or one of its inputs is made from the other."""
        return self.graph.one(other).urn in self.dependencies

    @property
    def dependencies(self) -> frozenset[str]:
        """URNs of what it depends on directly: said, or by one of its inputs."""
        by_input = (urn for dependencies in self.request.propertyDependencies.values() for urn in dependencies.urns)
        return frozenset([*self.request.dependencies, *by_input])

    @cached_property
    def needs(self) -> frozenset[str]:
        """URNs of all that must be there while it is: `dependencies`, its parent, its provider, and what it is deleted with."""
        others = (self.request.parent, provider_urn(self.request.provider), self.request.deletedWith)
        return self.dependencies | {urn for urn in others if urn}

    @property
    def options(self) -> Mapping[str, JsonValue]:
        """Every option that is set, as the engine spells it (`ignoreChanges`)."""
        return registration_options(self.request)

    @property
    def protect(self) -> bool:
        """Whether Pulumi refuses to delete it."""
        return self.request.protect

    @property
    def ignore_changes(self) -> tuple[str, ...]:
        """Inputs whose changes are not applied."""
        return tuple(self.request.ignoreChanges)

    @property
    def timeouts(self) -> Mapping[str, str]:
        """How long Pulumi waits: `create`, `update`, `delete`, where set."""
        times = self.request.customTimeouts
        given = {"create": times.create, "update": times.update, "delete": times.delete}
        return {name: time for name, time in given.items() if time}
