"""Waves of creation and deletion: resources of one wave can be created or deleted at the same time.

Like the Pulumi engine: a resource is created after everything that it needs, directly or through others. Deletions follow all creations and
updates. Among deleted resources only direct dependencies count: two old agent pools that are linked only through a remaining one are deleted
at the same time. Deletion is the reverse of creation, level by level, so unrelated resources can be in different waves: check dependencies.
Source: `ScheduleDeletes` and `DependenciesOf` in pulumi/pulumi.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nodepools.testing.node import Node

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
