"""What comes, or goes, before what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller

from nodepools.testing.answer import Answer
from nodepools.testing.node import Node, Resources

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered


@dataclass(frozen=True, slots=True)
class Order:
    """One end of a question about order: `graph.deletes(a).before(b)`."""

    graph: Resources
    what: str | Node
    goes: bool

    def before(self, other: str | Node) -> Answer:
        """Whether `what` always comes, or goes, before `other`. Where a pattern names several, all of them must.

        Raises:
            NoSuchResourceError: one of the two names nothing.
        """
        return self._needs(self.what, other) if self.goes else self._needs(other, self.what)

    def after(self, other: str | Node) -> Answer:
        """Whether `what` always comes, or goes, after `other`; as `before`."""
        return self._needs(other, self.what) if self.goes else self._needs(self.what, other)

    def _needs(self, dependents: str | Node, dependencies: str | Node) -> Answer:
        """Whether each dependent needs each dependency: then it comes later, and goes earlier."""
        answer = Answer(yes=True, why="")
        for dependent in self.graph.some(dependents):
            ways = ways_from(self.graph, dependent)
            for dependency in self.graph.some(dependencies):
                answer = self._judge(dependent, dependency, ways)
                if not answer:
                    return answer
        return answer

    def _judge(self, dependent: Node, dependency: Node, ways: Mapping[str, str]) -> Answer:
        if dependency.urn in ways:
            return Answer(yes=True, why=_way(self.graph, dependency, ways))
        nothing = f"nothing leads from {dependent.label} to {dependency.label}"
        back = ways_from(self.graph, dependency)
        if dependent.urn in back:
            return Answer(yes=False, why=f"it is the other way round: {_way(self.graph, dependent, back)}")
        return Answer(yes=False, why=f"{nothing}; it needs {_labels(self.graph, sorted(dependent.needs))}")


def ways_from(graph: Resources, start: Node) -> Mapping[str, str]:
    """URN of all that `start` needs, directly or through others, to the URN of what needs it, on a shortest way."""
    ways: dict[str, str] = {}
    ahead = [(urn, start.urn) for urn in sorted(start.needs)]
    while ahead:
        further: list[tuple[str, str]] = []
        for urn, by in ahead:
            node = graph.find(urn)
            if urn not in ways and node is not None:
                ways[urn] = by
                further += [(needed, urn) for needed in sorted(node.needs)]
        ahead = further
    return ways


def _way(graph: Resources, end: Node, ways: Mapping[str, str]) -> str:
    steps, urn = [end.urn], end.urn
    while urn in ways and (urn := ways[urn]) not in steps:
        steps.append(urn)
    return " needs ".join(_labels(graph, steps[::-1]))


def _labels(graph: Resources, urns: Sequence[str]) -> list[str]:
    return [node.label for node in map(graph.find, urns) if node is not None]
