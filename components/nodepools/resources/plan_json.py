"""Resources of a saved plan or of a state, as JSON has them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from nodepools.engine.signatures import SECRET, SIGNATURE, UNKNOWN
from nodepools.resources.resource import Resource, of_engine


def of_plan_json(entries: Iterable[object]) -> list[Resource]:
    """Returns the resources; what is not one is ignored."""
    return [_resource(cast("Mapping[str, object]", entry)) for entry in entries if isinstance(entry, Mapping)]


def _resource(entry: Mapping[str, object]) -> Resource:
    urn = str(entry.get("urn"))
    inputs = of_engine(_marked(entry.get("inputs")))
    needs = entry.get("dependencies")
    return Resource(
        urn=urn,
        type=str(entry.get("type")),
        name=urn.rpartition("::")[2],
        inputs=cast("Mapping[str, object]", inputs) if isinstance(inputs, Mapping) else {},
        parent=str(entry.get("parent")),
        dependencies=tuple(map(str, cast("Sequence[object]", needs))) if isinstance(needs, list) else (),
    )


def _marked(value: object) -> object:
    """The engine's own marks instead of those of a plan for secret and unknown values."""
    if isinstance(value, Mapping):
        held = cast("Mapping[str, object]", value)
        if held == {"$unknown": True}:
            return UNKNOWN
        if held == {"$secret": True}:
            return {SIGNATURE: SECRET}
        return {name: _marked(part) for name, part in held.items()}
    return [_marked(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value
