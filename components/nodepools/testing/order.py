"""Order of creation and deletion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from nodepools.testing.check_result import CheckResult
from nodepools.testing.node import Node, Resources

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
