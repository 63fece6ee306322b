"""What the edits between two graphs do, with the effects of `nodepools diff`."""

from collections.abc import Iterable, Mapping
from typing import cast

from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import Resource
from nodepools.testing.node import Node
from nodepools.testing.waves import Wave
from nodepools.wire.effects import Effect


def graph_changes(old: Iterable[Node], new: Iterable[Node]) -> Changes:
    """The changes of clusters, pools, node classes, access and add-ons from `old` to `new`."""
    return request_set_changes(*(plan_requests(map(_resource, side)).requests for side in (old, new)))


def replaced(changes: Changes) -> Wave:
    """Display names of the resources that are replaced."""
    return frozenset(str(change.resource) for change in changes.all if change.effect is Effect.REPLACES)


def _resource(node: Node) -> Resource:
    inputs = cast("Mapping[str, object]", node.to_json()["inputs"])
    parent = node.parent
    return Resource(
        node.urn, node.type, node.name, inputs, parent=parent.urn if parent is not None else None, dependencies=tuple(sorted(node.dependencies))
    )
