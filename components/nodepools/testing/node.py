"""One registered resource."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import methodcaller
from typing import Protocol

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest

from nodepools.engine.property_values import JsonValue, json_of
from nodepools.engine.resource_options import read_options, registration_options
from nodepools.engine.urns import STACK_TYPE, provider_urn
from nodepools.testing.answer import Answer
from nodepools.testing.lookup import at_least_one, called, the_one
from nodepools.testing.properties import Properties, Step

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered


class Resources(Protocol):
    """All that a program registered, as one resource and questions about it see them; `Graph` is the implementation."""

    def one(self, what: "Node | str") -> "Node":
        """The one resource of this name."""
        ...

    def all(self, what: str = "*") -> "list[Node]":
        """The resources of this name or type."""
        ...

    def some(self, what: "Node | str") -> "list[Node]":
        """As `all`, and at least one."""
        ...

    def find(self, urn: str) -> "Node | None":
        """The resource of this URN."""
        ...

    def children_of(self, parent: "Node") -> "Sequence[Node]":
        """The direct children of `parent`, by URN."""
        ...

    def reached_from(self, start: "Node") -> frozenset[str]:
        """URNs of all that `start` needs, directly or through others."""
        ...


@dataclass(eq=False, repr=False)
class Node:
    """A resource as the program sent it to the engine."""

    urn: str
    request: RegisterResourceRequest
    """The whole request, for what has no property here."""
    graph: Resources
    registered: Struct
    """What a component registered as its outputs."""
    read: ReadResourceRequest | None = None
    """How it was asked for, where it was there already and is only read."""

    @property
    def type(self) -> str:
        """The type token, `azure-native:containerservice:AgentPool`."""
        return self.request.type

    @property
    def kind(self) -> str:
        """The last word of the type, `AgentPool`."""
        return self.type.rpartition(":")[2]

    @property
    def name(self) -> str:
        """The Pulumi name."""
        return self.request.name

    @property
    def label(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        return f"{self.kind}/{self.name}"

    @property
    def is_component(self) -> bool:
        """Whether it only holds others together; no cloud knows it."""
        return not self.request.custom

    @cached_property
    def inputs(self) -> Properties:
        """What it is made of, by the names of the provider's schema (`vmSize`)."""
        return Properties(self.request.object)

    @cached_property
    def outputs(self) -> Properties:
        """What a component, or the stack, registered as its outputs."""
        return Properties(self.registered)

    def secret(self, *path: Step) -> bool:
        """Whether the input at `path` is a secret."""
        return self.inputs.secret(*path)

    @property
    def parent(self) -> "Node | None":
        """The resource it is a child of; `None` for the stack, and for children of the stack."""
        parent = self.graph.find(self.request.parent)
        return None if parent is None or parent.type == STACK_TYPE else parent

    @property
    def children(self) -> list["Node"]:
        """Its direct children, by URN."""
        return list(self.graph.children_of(self))

    def all(self, what: str = "*") -> list["Node"]:
        """As `graph.all`, of what is below it only: children, and theirs."""
        return called(self._below(), what)

    def some(self, what: str) -> list["Node"]:
        """As `graph.some`, of what is below it only.

        Raises:
            NoSuchResourceError: none is called so.
        """
        return list(at_least_one(self.all(what), what, self._below()))

    def one(self, what: str) -> "Node":
        """As `graph.one`, of what is below it only.

        Raises:
            NoSuchResourceError: none is called so, or several are.
        """
        return the_one(self.all(what), what, self._below())

    @property
    def provider(self) -> "Node | None":
        """The explicit provider that makes it; `None` where it is the default one of its package."""
        return self.graph.find(provider_urn(self.request.provider))

    def depends_on(self, other: "Node | str") -> Answer:
        """Whether there is a direct edge: it says so, or one of its inputs is made from the other.

        Raises:
            NoSuchResourceError: `other` names none, or several.
        """
        wanted = self.graph.one(other)
        known = [node.label for node in map(self.graph.find, sorted(self.dependencies)) if node is not None]
        told = f"depends directly on {', '.join(known)}" if known else "depends directly on nothing"
        reached = wanted.urn not in self.dependencies and wanted.urn in self.graph.reached_from(self)
        return Answer(yes=wanted.urn in self.dependencies, why=f"{self.label} {told}" + (f"; on {wanted.label} through others" if reached else ""))

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

    @cached_property
    def options(self) -> Mapping[str, JsonValue]:
        """Every option that is set, as the engine spells it (`ignoreChanges`), those taken over from its parents with them."""
        return registration_options(self.request) if self.read is None else read_options(self.read)

    @property
    def protect(self) -> bool:
        """Whether Pulumi refuses to delete it."""
        return self.request.protect

    @property
    def retain_on_delete(self) -> bool:
        """Whether Pulumi only forgets it, in place of deleting it."""
        return self.request.retainOnDelete

    @property
    def delete_before_replace(self) -> bool:
        """Whether it goes before its replacement comes."""
        return self.request.deleteBeforeReplace

    @property
    def deleted_with(self) -> "Node | None":
        """The resource with which it vanishes: Pulumi does not delete it itself then."""
        return self.graph.find(self.request.deletedWith)

    @property
    def ignore_changes(self) -> tuple[str, ...]:
        """Inputs whose changes are not applied."""
        return tuple(self.request.ignoreChanges)

    @property
    def replace_on_changes(self) -> tuple[str, ...]:
        """Inputs whose changes replace it."""
        return tuple(self.request.replaceOnChanges)

    @property
    def timeouts(self) -> Mapping[str, str]:
        """How long Pulumi waits: `create`, `update`, `delete`, where set."""
        times = self.request.customTimeouts
        given = {"create": times.create, "update": times.update, "delete": times.delete}
        return {name: time for name, time in given.items() if time}

    def to_json(self) -> dict[str, JsonValue]:
        """Itself in the plan, as `Graph.to_json` says."""
        return {
            "urn": self.urn,
            "type": self.type,
            "name": self.name,
            "parent": self.request.parent or None,
            "inputs": json_of(self.request.object),
            "dependencies": sorted(set(self.request.dependencies)),
            "options": {name: value for name, value in self.options.items() if name != "version"},
        }

    def _below(self) -> list["Node"]:
        below = self.children
        for child in below:  # grows while it is gone through
            below.extend(child.children)
        return sorted(below, key=lambda node: node.urn)

    def __repr__(self) -> str:
        return f"<{self.label}>"
