"""Pools whose key in the declaration changes. The same resource under another key keeps its nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodepools.clouds.change import Change
from nodepools.clouds.request import AGENT_POOL, POOL, Key, Request, Requests
from nodepools.wire.effects import Effect

_KEPT: Final = "The key changes; the pool keeps its name in Azure and its nodes"
_SOURCE: Final = "Pulumi: a resource is the same if its type and its name are"
_KEEP: Final = "Only the key differs from `{other}`: keep the key `{old}` to keep the nodes"
_NAME: Final = ", or set `name` of `{new}` to `{name}`: the pool then keeps its nodes, and cannot rotate"


def hint(old: Request, new: Request, other: Request) -> str:
    """How to keep the nodes of a cluster, a pool or a node class that only has another key; `other` is the one of the other side."""
    keys = {name: one.at.removeprefix(f"{one.cluster}/") for name, one in (("other", other), ("old", old), ("new", new))}
    keys["name"] = old.agent_pool_name
    return f"{_KEEP}{_NAME if old.resource.type == AGENT_POOL else ''}".format(**keys)


def aligned(old: Requests, new: Requests) -> Requests:
    """The old side, in which pools that are the same resource on the new side have its key."""
    before, after = old.by_key(), new.by_key()
    names = {(request.cluster, request.resource): request for key, request in after.items() if request.subject == POOL and key not in before}
    keys = {
        key: names[request.cluster, request.resource].key
        for key, request in before.items()
        if key not in after and (request.cluster, request.resource) in names
    }
    keys |= _swapped(before, after)
    if not keys:
        return old
    needs = [replace(request, needs=frozenset(keys.get(need, need) for need in request.needs)) for request in old.all]
    return replace(old, all=tuple(replace(request, key=keys.get(request.key, request.key)) for request in needs))


def _swapped(before: Mapping[Key, Request], after: Mapping[Key, Request]) -> dict[Key, Key]:
    """The keys of a pool and of its `previous` whose declarations change places, which goes back to the generation before."""
    homes = {(key[:3], request.resource): key for key, request in after.items() if request.subject == POOL}
    moved = {
        key: home
        for key, request in before.items()
        if key in after and (home := homes.get((key[:3], request.resource), key)) != key and home in before
    }
    return {key: home for key, home in moved.items() if moved.get(home) == key}


def key_changes(old: Requests, new: Requests) -> Iterator[Change]:
    """The change of each key, from the old side with its own keys."""
    own, known = {request.key for request in old.all}, new.by_key()
    for request, moved in zip(old.all, aligned(old, new).all, strict=True):
        after = known.get(moved.key)
        if after is not None and request.key != moved.key and moved.key not in own and _has_key(request) and _has_key(after):
            yield Change(after.at, request.steps, request.pool, after.pool, Effect.NONE, _KEPT, _SOURCE, after.resource)


def _has_key(request: Request) -> bool:
    """Its side knows its key: a plan has no key of a pool without the label `nodepools/name`, and the name of its resource instead."""
    return request.key[2] != request.resource.name
