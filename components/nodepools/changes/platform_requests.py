"""Everything that a platform sends, and both sides as they are compared."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from nodepools.clouds.karpenter_requests import resolved
from nodepools.clouds.registry import cloud_of
from nodepools.clouds.request import AGENT_POOL, FIRST_POOL, NODE_POOL, Request, Requests
from nodepools.model.platform import Platform
from nodepools.model.steps import Step, mapping, sequence
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import Entry, camel, python_name

_Ways = Iterable[tuple[tuple[str, ...], tuple[Step, ...]]]
_INSIDE: Final = "agentPoolProfiles"
_OBJECT: Final = "NodePool"
"""Part of the key of a NodePool if an agent pool has its name."""


def requests_of(platform: Platform) -> Requests:
    """The requests of every cluster, in the order of registration."""
    clusters = {key: platform.cluster(key) for key in platform.clusters}
    sent = [request for key, cluster in clusters.items() for request in cloud_of(cluster).requests(key, platform.stem(key))]
    return Requests(tuple(sent), {key: cluster.built_in_node_pools for key, cluster in clusters.items()})


def comparable(old: Requests, new: Requests) -> tuple[Requests, Requests]:
    """Both sides with overrides in the arguments that they replace, and with two keys for an agent pool and a NodePool of one name."""
    taken = {request.key for side in (old, new) for request in side.all if request.resource.type == AGENT_POOL}
    first, second = (
        replace(side, all=tuple(_apart(with_overrides(request) if _is_overridden(request) else request, taken) for request in side.all))
        for side in (old, new)
    )
    return first, second


def _is_overridden(request: Request) -> bool:
    return bool(request.overrides or request.overrides_inside)


def _apart(request: Request, taken: set[tuple[str, ...]]) -> Request:
    is_shared = request.resource.type == NODE_POOL and request.key in taken
    return replace(request, key=(*request.key, _OBJECT)) if is_shared else request


def with_overrides(request: Request) -> Request:
    """The request that sends its overrides: those of arguments that its table has are in `sent` and `overridden`, the others stay overrides."""
    wires = (wire for wire in request.table.compared if not any(isinstance(step, Entry) for step in wire))
    ways = [(tuple(python_name(str(step)) for step in wire), tuple(step for step in wire if not isinstance(step, Entry))) for wire in wires]
    placed, left = _placed(request.every_override, ways)
    inside = mapping(mapping(placed.get(_INSIDE)).get("0"))
    sent = merge_overrides(request.sent, {name: value for name, value in placed.items() if name != _INSIDE}, resolved)
    pools = [mapping(pool) for pool in sequence(sent.get(_INSIDE))]
    return replace(
        request,
        sent={**sent, _INSIDE: [merge_overrides(pools[0], inside, resolved), *pools[1:]]} if inside and pools else sent,
        overrides={name: value for name, value in left.items() if name != FIRST_POOL or not isinstance(value, Mapping)},
        overrides_inside=mapping(mapping(left.get(FIRST_POOL)).get("0")),
        overridden=placed,
    )


def _placed(held: Written, ways: _Ways) -> tuple[dict[str, object], dict[str, object]]:
    """The overrides as the API spells them, as far as `ways` has them, and the others."""
    placed, left = dict[str, object](), dict[str, object]()
    for name, value in held.items():
        below = [(names[1:], wire) for names, wire in ways if names[:1] == (name,)]
        word = str(below[0][1][0]) if below else name
        if not below or (all(names for names, _ in below) and value is not None and not isinstance(value, Mapping)):
            left[name] = value
        elif value is None or not all(names for names, _ in below):
            placed[word] = [_in_api_words(entry) for entry in sequence(value)] if isinstance(value, list | tuple) else value  # pyright: ignore[reportUnknownArgumentType]  # a list of anything
        else:
            placed[word], more = _placed(mapping(cast("object", value)), [(names, wire[1:]) for names, wire in below])
            left |= {name: more} if more else {}
    return placed, left


def _in_api_words(entry: object) -> object:
    """An entry of a list as the API spells it."""
    return {camel(name): value for name, value in mapping(cast("object", entry)).items()} if isinstance(entry, Mapping) else entry
