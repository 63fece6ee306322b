"""What a program registered, and questions about it that read as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from operator import methodcaller
from pathlib import Path

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest

from nodepools.engine.plan import Diagnostic
from nodepools.engine.property_values import JsonValue, json_of
from nodepools.engine.urns import STACK_TYPE
from nodepools.testing.golden import compared
from nodepools.testing.lookup import at_least_one, called, the_one
from nodepools.testing.node import Node
from nodepools.testing.order import Order, ways_from
from nodepools.testing.pools import pool_of
from nodepools.testing.properties import Properties
from nodepools.testing.waves import Waves, waves

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered


class Graph:
    """Every resource that a program registered.

    Resources are named as `AgentPool/dev-weu-system`: the last word of the type, and the name, with `*` and `?` where part of it
    does not matter. The name may be the end of a name, after a dash: `AksCluster/weu` is `AksCluster/dev-weu`, unless one is named `weu`.
    A type alone names all of that type; a URN names exactly one.
    """

    def __init__(
        self,
        requests: Mapping[str, RegisterResourceRequest],
        outputs: Mapping[str, Struct],
        *,
        reads: Mapping[str, ReadResourceRequest] | None = None,
        stack: str = "dev",
        messages: Sequence[Diagnostic] = (),
    ) -> None:
        self._nodes = {urn: Node(urn, request, self, outputs.get(urn, Struct()), (reads or {}).get(urn)) for urn, request in sorted(requests.items())}
        self._children: dict[str, list[Node]] = {}
        for node in self._nodes.values():
            self._children.setdefault(node.request.parent, []).append(node)
        self.stack = stack
        """The name of the stack."""
        self.messages = tuple(messages)
        """What the program logged, `severity` and `message` of each; debug messages aside."""

    def one(self, what: Node | str) -> Node:
        """The one resource of this name.

        Raises:
            NoSuchResourceError: none is called so, or several are. The message shows the nearest, or all.
        """
        return what if isinstance(what, Node) else the_one(self.all(what), what, self)

    def all(self, what: str = "*") -> list[Node]:
        """The resources of this name or type, by URN, none perhaps; all, the stack aside, when left out."""
        return called((node for node in self._nodes.values() if node.type != STACK_TYPE), what)

    def some(self, what: Node | str) -> list[Node]:
        """As `all`, and at least one: what is asserted of each of none would always hold.

        Raises:
            NoSuchResourceError: none is called so.
        """
        return [what] if isinstance(what, Node) else list(at_least_one(self.all(what), what, self))

    def pool(self, address: str) -> Node:
        """The agent pool, or NodePool, at an address as on the command line: `weu/web`, or `web` where one pool has that name.

        It is found by the label that every pool of a declaration carries, so it stays when the pool is rotated. The first pool of an AKS cluster
        (`weu/system`) is no resource of its own: it stands in the inputs of `ManagedCluster/weu`.

        Raises:
            NoSuchResourceError: there is no such pool, or several.
        """
        return pool_of(self, address)

    def find(self, urn: str) -> Node | None:
        """The resource of this URN."""
        return self._nodes.get(urn)

    def children_of(self, parent: Node) -> Sequence[Node]:
        """The direct children of `parent`, by URN."""
        return self._children.get(parent.urn, [])

    def creates(self, what: Node | str) -> Order:
        """`graph.creates("ManagedCluster").after("RoleAssignment/dev-weu-network")`."""
        return Order(self, what, goes=False)

    def deletes(self, what: Node | str) -> Order:
        """`graph.deletes("NodePool/dev-use1-compute").before("NodeClass/dev-use1-private")`."""
        return Order(self, what, goes=True)

    def waves(self, since: "Graph | None" = None) -> Waves:
        """What an engine makes and deletes, and what at the same time, on the way here from `since`; from nothing when left out.

        With `since` left out, `deletes` are those of a destroy of everything.
        """
        return waves(since, self)

    def matches_golden(self, path: str | Path) -> bool:
        """`assert graph.matches_golden("tests/golden/prod.json")`: whether this is the plan that is stored there. Nothing is ever written.

        The fixture `golden` of `nodepools.testing.fixtures` asks the same, and writes where `pytest --rewrite-golden` says so.

        Raises:
            AssertionError: it is another, or none is stored. It says so itself, line by line, what was added, removed and changed:
                pytest would show the lines of an answer as one.
        """
        __tracebackhide__ = True
        answer = compared(self.to_json(), Path(path))
        if not answer:
            raise AssertionError(answer.why)
        return True

    def to_json(self) -> dict[str, JsonValue]:
        """The plan as JSON data, in the form of `nodepools preview --format json`: sorted by URN, secrets hidden, unknown values named as such.

        Unlike there, the versions of provider SDKs are left out: what an upgrade changes shows, that there was one stands in the requirements.
        """
        root = next((node for node in self._nodes.values() if node.type == STACK_TYPE), None)
        return {
            "stack": self.stack,
            "resources": [node.to_json() for node in self._nodes.values()],
            "outputs": {} if root is None else json_of(root.registered),
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the program warned of."""
        return tuple(message.message for message in self.messages if message.severity == "warning")

    @property
    def outputs(self) -> Properties:
        """The outputs of the stack."""
        return next(node.outputs for node in self._nodes.values() if node.type == STACK_TYPE)

    def reached_from(self, start: Node) -> frozenset[str]:
        """URNs of all that `start` needs, directly or through others."""
        return frozenset(ways_from(self, start))

    def __contains__(self, what: object) -> bool:
        return bool(self.all(what)) if isinstance(what, str) else isinstance(what, Node) and self.find(what.urn) is what

    def __iter__(self) -> Iterator[Node]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def __repr__(self) -> str:
        return f"Graph({[node.label for node in self]})"
