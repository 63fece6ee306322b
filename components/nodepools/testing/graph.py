"""What a program registered, and questions about it that read as sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.testing.node import Node
from nodepools.testing.properties import Properties
from nodepools.testing.waves import Waves, waves

_STACK = "pulumi:pulumi:Stack"


class NoSuchResourceError(AssertionError, LookupError):
    """No resource is called so, or several are; the message shows the nearest, or all."""


@dataclass(frozen=True)
class Answer:
    """Yes or no, and why: a failed `assert` shows it."""

    yes: bool
    why: str

    def __bool__(self) -> bool:
        return self.yes

    def __repr__(self) -> str:
        return f"<{'yes' if self.yes else 'no'}: {self.why}>"


@dataclass(frozen=True)
class Order:
    """One end of a question about order: `graph.deletes(a).before(b)`."""

    graph: "Graph"
    what: str
    goes: bool

    def before(self, other: str) -> Answer:
        """Whether `what` always comes, or goes, before `other`. Where a pattern names several, all of them must."""
        return self._needs(self.what, other) if self.goes else self._needs(other, self.what)

    def after(self, other: str) -> Answer:
        """Whether `what` always comes, or goes, after `other`."""
        return self._needs(other, self.what) if self.goes else self._needs(self.what, other)

    def _needs(self, dependents: str, dependencies: str) -> Answer:
        for dependent in self.graph.some(dependents):
            reached = self.graph.reached_from(dependent)
            for dependency in self.graph.some(dependencies):
                if dependency.urn not in reached:
                    held = sorted(node.label for node in map(self.graph.find, reached) if node)
                    return Answer(yes=False, why=f"nothing leads from {dependent.label} to {dependency.label}; it needs {held}")
        return Answer(yes=True, why=f"{dependents} needs {dependencies}")


class Graph:
    """Every resource that a program registered.

    Resources are named as `AgentPool/dev-weu-system`: the last word of the type, and the name, with `*` and `?` where part of it
    does not matter. A type alone names all of that type; a URN names exactly one.
    """

    def __init__(self, requests: Mapping[str, RegisterResourceRequest], outputs: Mapping[str, Struct]) -> None:
        self._nodes = {urn: Node(urn, request, self, outputs.get(urn, Struct())) for urn, request in sorted(requests.items())}

    def one(self, what: Node | str) -> Node:
        """The one resource of this name.

        Raises:
            NoSuchResourceError: none is called so, or several are.
        """
        if isinstance(what, Node):
            return what
        found = self.some(what)
        if len(found) > 1:
            raise NoSuchResourceError(f"{what!r} names {len(found)} resources: {', '.join(node.urn for node in found)}")
        return found[0]

    def all(self, what: str = "*") -> list[Node]:
        """The resources of this name or type, by URN; all, the stack aside, when left out."""
        return [node for node in self._nodes.values() if node.type != _STACK and _called(node, what)]

    def some(self, what: str) -> list[Node]:
        """As `all`, and at least one.

        Raises:
            NoSuchResourceError: none is called so.
        """
        found = self.all(what)
        if not found:
            labels = sorted({node.label for node in self})
            nearest = get_close_matches(what, labels, n=3, cutoff=0.4)
            raise NoSuchResourceError(f"no {what!r} among {len(self._nodes)} resources; {'nearest' if nearest else 'there are'}: {nearest or labels}")
        return found

    def find(self, urn: str) -> Node | None:
        """The resource of this URN."""
        return self._nodes.get(urn)

    def creates(self, what: str) -> Order:
        """`graph.creates("ManagedCluster").after("RoleAssignment/dev-weu-network")`."""
        return Order(self, what, goes=False)

    def deletes(self, what: str) -> Order:
        """`graph.deletes("NodePool/dev-use1-compute").before("NodeClass/dev-use1-private")`."""
        return Order(self, what, goes=True)

    def waves(self, since: "Graph | None" = None) -> Waves:
        """What an engine makes and deletes, and what at the same time, on the way here from `since`; from nothing when left out.

        With `since` left out, `deletes` are those of a destroy of everything.
        """
        return waves(since, self)

    @property
    def outputs(self) -> Properties:
        """The outputs of the stack."""
        return next(node.outputs for node in self._nodes.values() if node.type == _STACK)

    def reached_from(self, start: Node) -> frozenset[str]:
        """URNs of all that `start` needs, directly or through others."""
        reached: set[str] = set()
        ahead = list(start.needs)
        while ahead:
            urn = ahead.pop()
            node = self.find(urn)
            if urn not in reached and node is not None:
                reached.add(urn)
                ahead.extend(node.needs)
        return frozenset(reached)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def __repr__(self) -> str:
        return f"Graph({[node.label for node in self]})"


def _called(node: Node, what: str) -> bool:
    return node.urn == what or fnmatchcase(node.label, what if "/" in what or what == "*" else f"{what}/*")
