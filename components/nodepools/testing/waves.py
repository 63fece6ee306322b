"""In which waves an engine makes and deletes: what is in one wave may happen at the same time.

As the Pulumi engine does it: a resource is made after all that it needs, directly or not; deletes come after every create and update, and
of what is deleted only direct edges count: two old agent pools that are linked through a third one that stays go at the same time. It goes
level by level, the reverse of how the deleted ones would be made, so two that nothing links may be in different waves: ask for edges.
Source: `ScheduleDeletes` and `DependenciesOf` in pulumi/pulumi.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nodepools.testing.node import Node

Wave = frozenset[str]
"""Labels of resources (`AgentPool/dev-weu-web1a2b`), components aside."""


@dataclass(frozen=True, slots=True)
class Waves:
    """What an engine does, in this order: creates and updates, then deletes."""

    creates: tuple[Wave, ...]
    updates: Wave
    """Those whose inputs differ."""
    deletes: tuple[Wave, ...]


def waves(old: Iterable[Node] | None, new: Iterable[Node]) -> Waves:
    """From `old` to `new`; where there is no `old`, the creation of all and the deletion of all."""
    before = {} if old is None else {node.urn: node for node in old}
    after = {node.urn: node for node in new}
    made = [node for urn, node in after.items() if urn not in before]
    gone = list(after.values()) if old is None else [node for urn, node in before.items() if urn not in after]
    return Waves(
        creates=_layers(made, lambda node: node.graph.reached_from(node)),
        updates=frozenset(node.label for urn, node in after.items() if urn in before and dict(node.inputs) != dict(before[urn].inputs)),
        deletes=_layers(gone, lambda node: node.needs)[::-1],
    )


def _layers(nodes: Iterable[Node], needs: Callable[[Node], frozenset[str]]) -> tuple[Wave, ...]:
    """Those that need none of the others, then those that need only them, and so on."""
    left = {node.urn: node for node in nodes}
    layers: list[Wave] = []
    while left:
        ready = [urn for urn, node in left.items() if needs(node).isdisjoint(left)]
        if not ready:
            raise AssertionError(f"these need each other: {sorted(node.label for node in left.values())}")
        layers.append(frozenset(node.label for node in map(left.pop, ready) if not node.is_component))
    return tuple(layer for layer in layers if layer)
