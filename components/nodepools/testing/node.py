"""One registered resource, and the result of a check on a graph."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import methodcaller
from typing import Protocol

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest

from nodepools.engine.property_values import STACK_TYPE, JsonValue, json_of, provider_urn
from nodepools.engine.resource_registry import read_options, registration_options
from nodepools.model.values import dataclass
from nodepools.testing.properties import Properties, Step, at_least_one, matching, the_one


@dataclass(frozen=True, slots=True)
class CheckResult:
    """True or false in an `assert`, with a reason that a failed `assert` shows."""

    ok: bool
    reason: str

    def __bool__(self) -> bool:
        return self.ok

    def __eq__(self, other: object) -> bool:
        """Results with the same `ok` are equal, and equal to a plain `True` or `False`."""
        return self.ok == (other.ok if isinstance(other, CheckResult) else other)

    def __hash__(self) -> int:
        return hash(self.ok)

    def __repr__(self) -> str:
        return f"<{'yes' if self.ok else 'no'}: {self.reason}>"


__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames


class Resources(Protocol):
    """All resources that a program registered; `Graph` is the implementation."""

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
        """URNs of everything that `start` needs, directly or through others."""
        ...


@dataclass(eq=False, repr=False)
class Node:
    """A resource, as the program sent it to the engine."""

    urn: str
    request: RegisterResourceRequest
    """The complete request, for data without a property here."""
    graph: Resources
    registered: Struct
    """The outputs that a component registered."""
    read: ReadResourceRequest | None = None
    """The read request, if the resource exists and is only read."""

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
    def display_name(self) -> str:
        """The last word of the type, and the name: `AgentPool/dev-weu-web1a2b`."""
        return f"{self.kind}/{self.name}"

    @property
    def is_component(self) -> bool:
        """Whether it is a component: it groups other resources, and does not exist in a cloud."""
        return not self.request.custom

    @cached_property
    def inputs(self) -> Properties:
        """Its inputs, by the names of the provider's schema (`vmSize`)."""
        return Properties(self.request.object)

    @cached_property
    def outputs(self) -> Properties:
        """The outputs that a component or the stack registered."""
        return Properties(self.registered)

    def secret(self, *path: Step) -> bool:
        """Whether the input at `path` is a secret."""
        return self.inputs.secret(*path)

    @property
    def parent(self) -> "Node | None":
        """Its parent resource; `None` for the stack and its direct children."""
        parent = self.graph.find(self.request.parent)
        return None if parent is None or parent.type == STACK_TYPE else parent

    @property
    def children(self) -> list["Node"]:
        """Its direct children, by URN."""
        return list(self.graph.children_of(self))

    def all(self, what: str = "*") -> list["Node"]:
        """As `graph.all`, among its descendants."""
        return matching(self._below(), what)

    def some(self, what: str) -> list["Node"]:
        """As `graph.some`, among its descendants.

        Raises:
            NoSuchResourceError: no resource matches.
        """
        return list(at_least_one(self.all(what), what, self._below()))

    def one(self, what: str) -> "Node":
        """As `graph.one`, among its descendants.

        Raises:
            NoSuchResourceError: no resource matches, or several do.
        """
        return the_one(self.all(what), what, self._below())

    @property
    def provider(self) -> "Node | None":
        """Its explicit provider; `None` for the default provider of its package."""
        return self.graph.find(provider_urn(self.request.provider))

    def depends_on(self, other: "Node | str") -> CheckResult:
        """Whether it depends directly on `other`, by `depends_on` or by one of its inputs.

        Raises:
            NoSuchResourceError: `other` matches no resource, or several.
        """
        target = self.graph.one(other)
        known = [node.display_name for node in map(self.graph.find, sorted(self.dependencies)) if node is not None]
        direct = f"depends directly on {', '.join(known)}" if known else "depends directly on nothing"
        reached = target.urn not in self.dependencies and target.urn in self.graph.reached_from(self)
        return CheckResult(
            ok=target.urn in self.dependencies,
            reason=f"{self.display_name} {direct}" + (f"; on {target.display_name} through others" if reached else ""),
        )

    @property
    def dependencies(self) -> frozenset[str]:
        """URNs of its direct dependencies, by `depends_on` or by one of its inputs."""
        by_input = (urn for dependencies in self.request.propertyDependencies.values() for urn in dependencies.urns)
        return frozenset([*self.request.dependencies, *by_input])

    @cached_property
    def needs(self) -> frozenset[str]:
        """URNs of everything that must exist while it exists: `dependencies`, parent, provider, and `deleted_with`."""
        others = (self.request.parent, provider_urn(self.request.provider), self.request.deletedWith)
        return self.dependencies | {urn for urn in others if urn}

    @cached_property
    def options(self) -> Mapping[str, JsonValue]:
        """Every option that is set, by the name that the engine uses (`ignoreChanges`), including inherited ones."""
        return registration_options(self.request) if self.read is None else read_options(self.read)

    @property
    def protect(self) -> bool:
        """Whether Pulumi rejects its deletion."""
        return self.request.protect

    @property
    def retain_on_delete(self) -> bool:
        """Whether Pulumi keeps it in the cloud when it is removed from the program."""
        return self.request.retainOnDelete

    @property
    def delete_before_replace(self) -> bool:
        """Whether Pulumi deletes it before it creates the replacement."""
        return self.request.deleteBeforeReplace

    @property
    def deleted_with(self) -> "Node | None":
        """The resource whose deletion also deletes it: Pulumi does not delete it separately."""
        return self.graph.find(self.request.deletedWith)

    @property
    def ignore_changes(self) -> tuple[str, ...]:
        """Inputs whose changes Pulumi ignores."""
        return tuple(self.request.ignoreChanges)

    @property
    def replace_on_changes(self) -> tuple[str, ...]:
        """Inputs whose changes replace it."""
        return tuple(self.request.replaceOnChanges)

    @property
    def timeouts(self) -> Mapping[str, str]:
        """Timeouts for `create`, `update` and `delete`, if set."""
        times = self.request.customTimeouts
        timeouts = {"create": times.create, "update": times.update, "delete": times.delete}
        return {name: time for name, time in timeouts.items() if time}

    def to_json(self) -> dict[str, JsonValue]:
        """The resource in the plan of `Graph.to_json`."""
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
        for child in below:  # grows during the loop
            below.extend(child.children)
        return sorted(below, key=lambda node: node.urn)

    def __repr__(self) -> str:
        return f"<{self.display_name}>"
