"""The resources that a program registered, with checks that read as sentences, and their order of creation and deletion.

Like the Pulumi engine: a resource is created after everything that it needs, directly or through others. Deletions follow all creations and
updates. Among deleted resources only direct dependencies count: two old agent pools that are linked only through a remaining one are deleted
at the same time. Deletion is the reverse of creation, level by level, so unrelated resources can be in different waves: check dependencies.
Source: `ScheduleDeletes` and `DependenciesOf` in pulumi/pulumi.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from operator import methodcaller
from pathlib import Path
from typing import Protocol, cast

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest

from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.engine.plan import Diagnostic
from nodepools.engine.property_values import STACK_TYPE, JsonValue, json_of
from nodepools.model.aks.agent_pool import RETIRING
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import Resource
from nodepools.testing.golden import compared
from nodepools.testing.node import CheckResult, Node, Resources
from nodepools.testing.properties import NoSuchResourceError, Plain, Properties, at_least_one, matching, the_one
from nodepools.wire.table import Effect

Wave = frozenset[str]
"""Display names of resources (`AgentPool/dev-weu-web1a2b`), without components."""


@dataclass(frozen=True, slots=True)
class Waves:
    """Operations of an engine: creations and updates, then deletions."""

    creates: tuple[Wave, ...]
    updates: Wave
    """Resources whose inputs differ."""
    deletes: tuple[Wave, ...]
    replaces: Wave = frozenset()
    """Resources that are deleted and created again under the same name, such as a cluster in another location."""


def waves(old: Iterable[Node] | None, new: Iterable[Node], replaced: Wave = frozenset()) -> Waves:
    """From `old` to `new`. Without `old`, the creation and the deletion of everything. `replaced` are resources that cannot be updated."""
    before = {} if old is None else {node.urn: node for node in old}
    after = {node.urn: node for node in new}
    created = [node for urn, node in after.items() if urn not in before]
    deleted = list(after.values()) if old is None else [node for urn, node in before.items() if urn not in after]
    changed = frozenset(node.display_name for urn, node in after.items() if urn in before and dict(node.inputs) != dict(before[urn].inputs))
    return Waves(
        creates=_layers(created, lambda node: node.graph.reached_from(node)),
        updates=changed - replaced,
        deletes=_layers(deleted, lambda node: node.needs)[::-1],
        replaces=changed & replaced,
    )


def _layers(nodes: Iterable[Node], needs: Callable[[Node], frozenset[str]]) -> tuple[Wave, ...]:
    """Resources that need none of the others, then those that need only these, and so on."""
    left = {node.urn: node for node in nodes}
    layers: list[Wave] = []
    while left:
        ready = [urn for urn, node in left.items() if needs(node).isdisjoint(left)]
        if not ready:
            raise AssertionError(f"these resources need each other: {sorted(node.display_name for node in left.values())}")
        layers.append(frozenset(node.display_name for node in map(left.pop, ready) if not node.is_component))
    return tuple(layer for layer in layers if layer)


__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames


@dataclass(frozen=True, slots=True)
class Order:
    """One side of a check of order: `graph.deletes(a).before(b)`."""

    graph: Resources
    what: str | Node
    deletes: bool

    def before(self, other: str | Node) -> CheckResult:
        """Whether `what` is always created, or deleted, before `other`. If a pattern matches several, all of them must be.

        Raises:
            NoSuchResourceError: one of the two matches nothing.
        """
        return self._needs(self.what, other) if self.deletes else self._needs(other, self.what)

    def after(self, other: str | Node) -> CheckResult:
        """Whether `what` is always created, or deleted, after `other`; as `before`."""
        return self._needs(other, self.what) if self.deletes else self._needs(self.what, other)

    def _needs(self, dependents: str | Node, dependencies: str | Node) -> CheckResult:
        """Whether each dependent needs each dependency: then it is created later, and deleted earlier."""
        result = CheckResult(ok=True, reason="")
        for dependent in self.graph.some(dependents):
            paths = paths_from(self.graph, dependent)
            for dependency in self.graph.some(dependencies):
                result = self._compare(dependent, dependency, paths)
                if not result:
                    return result
        return result

    def _compare(self, dependent: Node, dependency: Node, paths: Mapping[str, str]) -> CheckResult:
        if dependency.urn in paths:
            return CheckResult(ok=True, reason=_path(self.graph, dependency, paths))
        no_path = f"{dependent.display_name} does not need {dependency.display_name}"
        back = paths_from(self.graph, dependency)
        if dependent.urn in back:
            return CheckResult(ok=False, reason=f"the order is reversed: {_path(self.graph, dependent, back)}")
        return CheckResult(ok=False, reason=f"{no_path}; it needs {_names(self.graph, sorted(dependent.needs))}")


def paths_from(graph: Resources, start: Node) -> Mapping[str, str]:
    """Maps each URN that `start` needs, directly or through others, to the URN that needs it, on a shortest path."""
    paths: dict[str, str] = {}
    ahead = [(urn, start.urn) for urn in sorted(start.needs)]
    while ahead:
        further: list[tuple[str, str]] = []
        for urn, by in ahead:
            node = graph.find(urn)
            if urn not in paths and node is not None:
                paths[urn] = by
                further += [(needed, urn) for needed in sorted(node.needs)]
        ahead = further
    return paths


def _path(graph: Resources, end: Node, paths: Mapping[str, str]) -> str:
    steps, urn = [end.urn], end.urn
    while urn in paths and (urn := paths[urn]) not in steps:
        steps.append(urn)
    return " needs ".join(_names(graph, steps[::-1]))


def _names(graph: Resources, urns: Sequence[str]) -> list[str]:
    return [node.display_name for node in map(graph.find, urns) if node is not None]


_LABELS = {"AgentPool": ("nodeLabels", POOL_LABEL), "NodePool": ("spec", "template", "metadata", "labels", POOL_LABEL)}
"""Path of the label with the pool key, by type."""
_NAMES = {"AgentPool": ("agentPoolName",), "NodePool": ("metadata", "name")}
_FIRST = 'inputs.at("agentPoolProfiles", 0)'


def pool_of(graph: Resources, address: str) -> Node:
    """The pool with the reference `address`: CLUSTER/POOL, or POOL alone.

    Raises:
        NoSuchResourceError: no pool matches, or several do.
    """
    cluster, _, key = address.rpartition("/")
    pools = {pool: _key(pool) for kind in _LABELS for pool in graph.all(kind) if not _is_previous(pool)}
    found = [pool for pool, name in pools.items() if name == key and (not cluster or _is_in(pool, cluster))]
    if len(found) == 1:
        return found[0]
    addresses = sorted(f"{pool.parent.name if pool.parent else '?'}/{pools[pool]}" for pool in found or pools)
    if found:
        raise NoSuchResourceError(f"`{address}` matches {len(found)} pools: {', '.join(addresses)}")
    nearest = get_close_matches(address, addresses, n=3, cutoff=0.4)
    available = f"closest: {', '.join(nearest)}" if nearest else f"available: {', '.join(addresses) if addresses else 'none'}"
    first = f"; the system pool of an AKS cluster is part of the inputs of its ManagedCluster: `{_FIRST}`" if key == "system" else ""
    raise NoSuchResourceError(f"pool `{address}` not found; {available}{first}")


def _key(pool: Node) -> Plain:
    """The label with the key; without it, the name of the object or of the pool in Azure."""
    return next((pool.inputs.at(*path) for path in (_LABELS[pool.kind], _NAMES[pool.kind]) if pool.inputs.has(*path)), None)


def _is_previous(pool: Node) -> bool:
    """Whether it is the previous generation, which has the same key as its replacement."""
    return pool.inputs.has("nodeTaints") and any(str(taint).startswith(f"{RETIRING.key}=") for taint in pool.inputs.sequence("nodeTaints"))


def _is_in(pool: Node, cluster: str) -> bool:
    """Whether it is in the cluster with this key or name."""
    return any(parent.name == cluster or parent.name.endswith(f"-{cluster}") for parent in _parents(pool))


def _parents(node: Node) -> Iterable[Node]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the assertion, not these frames


class Graph:
    """Every resource that a program registered.

    The name can be the end of a name after a dash: `AksCluster/weu` names `AksCluster/dev-weu`, unless a cluster has the name `weu`.
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
        self._children = grouped((node.request.parent, node) for node in self._nodes.values())
        self.stack = stack
        """The name of the stack."""
        self.messages = tuple(messages)
        """Messages that the program logged, with `severity` and `message`, except debug messages."""

    def one(self, what: Node | str) -> Node:
        """The one resource of this name.

        Raises:
            NoSuchResourceError: no resource matches, or several do. The message lists the closest names, or all matches.
        """
        return what if isinstance(what, Node) else the_one(self.all(what), what, self)

    def all(self, what: str = "*") -> list[Node]:
        """The resources that match this name or type, sorted by URN; without it, all except the stack. Can be empty."""
        return matching((node for node in self._nodes.values() if node.type != STACK_TYPE), what)

    def some(self, what: Node | str) -> list[Node]:
        """As `all`, but at least one: an assertion about each of zero resources would always pass.

        Raises:
            NoSuchResourceError: no resource matches.
        """
        return [what] if isinstance(what, Node) else list(at_least_one(self.all(what), what, self))

    def pool(self, address: str) -> Node:
        """The agent pool or NodePool with this reference, as on the command line: `weu/web`, or `web` if unique.

        It is found by the label `nodepools/name`, which does not change when the pool rotates. The system pool of an AKS cluster
        (`weu/system`) is not a separate resource: it is part of the inputs of `ManagedCluster/weu`.

        Raises:
            NoSuchResourceError: no pool matches, or several do.
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
        return Order(self, what, deletes=False)

    def deletes(self, what: Node | str) -> Order:
        """`graph.deletes("NodePool/dev-use1-compute").before("NodeClass/dev-use1-private")`."""
        return Order(self, what, deletes=True)

    def waves(self, since: "Graph | None" = None) -> Waves:
        """What an engine creates and deletes, and what at the same time, from `since` to this graph.

        Without `since`, `creates` are those of an empty stack, and `deletes` those of a destroy.
        """
        return waves(since, self, replaced(self.diff(since)) if since is not None else frozenset())

    def diff(self, old: "Graph") -> Changes:
        """What the edits since `old` do, as `nodepools diff` shows it: `assert graph.diff(old).worst <= "rolls"`."""
        return graph_changes(old, self)

    def matches_golden(self, path: str | Path) -> bool:
        """`assert graph.matches_golden("tests/golden/prod.json")`: whether the plan equals the stored one. Writes nothing.

        The fixture `golden` of `nodepools.testing.fixtures` does the same, and stores the plan with `pytest --rewrite-golden`.

        Raises:
            AssertionError: it differs, or none is stored. The message lists what was added, removed and changed, line by line:
                pytest would show the lines of a result as one.
        """
        __tracebackhide__ = True
        answer = compared(self.to_json(), Path(path))
        if not answer:
            raise AssertionError(answer.reason)
        return True

    def to_json(self) -> dict[str, JsonValue]:
        """The plan as JSON data, as `nodepools preview --format json` prints it: sorted by URN, secrets hidden, unknown values marked.

        Without the versions of provider SDKs: changes that an upgrade causes show up, the upgrade itself does not.
        """
        root = next((node for node in self._nodes.values() if node.type == STACK_TYPE), None)
        return {
            "stack": self.stack,
            "resources": [node.to_json() for node in self._nodes.values()],
            "outputs": {} if root is None else json_of(root.registered),
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that the program logged."""
        return tuple(message.message for message in self.messages if message.severity == "warning")

    @property
    def outputs(self) -> Properties:
        """The outputs of the stack."""
        return next(node.outputs for node in self._nodes.values() if node.type == STACK_TYPE)

    def reached_from(self, start: Node) -> frozenset[str]:
        """URNs of everything that `start` needs, directly or through others."""
        return frozenset(paths_from(self, start))

    def __contains__(self, what: object) -> bool:
        return bool(self.all(what)) if isinstance(what, str) else isinstance(what, Node) and self.find(what.urn) is what

    def __iter__(self) -> Iterator[Node]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def __repr__(self) -> str:
        return f"Graph({[node.display_name for node in self]})"


def graph_changes(old: Iterable[Node], new: Iterable[Node]) -> Changes:
    """The changes of clusters, pools, node classes, access and add-ons from `old` to `new`."""
    before, after = (plan_requests(map(_resource, side)).requests for side in (old, new))
    return request_set_changes(before, after)


def replaced(changes: Changes) -> Wave:
    """Display names of the resources that are replaced."""
    return frozenset(str(change.resource) for change in changes.all if change.effect is Effect.REPLACES)


def _resource(node: Node) -> Resource:
    inputs = cast("Mapping[str, object]", node.to_json()["inputs"])
    parent = node.parent
    return Resource(
        node.urn, node.type, node.name, inputs, parent=parent.urn if parent is not None else None, dependencies=tuple(sorted(node.dependencies))
    )


class Golden(Protocol):
    """The type of the fixture `golden`."""

    def __call__(self, plan: Graph | Mapping[str, object], name: str | None = None) -> None:
        """Asserts that `plan` (or its JSON data) equals `golden/<name>.json` next to the test. `name` defaults to the stack.

        Raises:
            AssertionError: it differs, or none is stored; the message shows what was added, removed and changed.
        """
        ...


class Stacks(Protocol):
    """The type of the fixture `stack_graph`."""

    def __call__(self, stack: str, *, preview: bool = True) -> Graph:
        """Runs the program of the project in `stack`, with the configuration of `Pulumi.<stack>.yaml`; once per session."""
        ...
