"""Order of creation and deletion.

Waves of creation and deletion: resources of one wave can be created or deleted at the same time.

Like the Pulumi engine: a resource is created after everything that it needs, directly or through others. Deletions follow all creations and
updates. Among deleted resources only direct dependencies count: two old agent pools that are linked only through a remaining one are deleted
at the same time. Deletion is the reverse of creation, level by level, so unrelated resources can be in different waves: check dependencies.
Source: `ScheduleDeletes` and `DependenciesOf` in pulumi/pulumi.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from nodepools.testing.node import CheckResult, Node, Resources

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
