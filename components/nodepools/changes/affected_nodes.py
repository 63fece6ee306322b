"""The nodes that a change reaches: those of a pool, of all pools that use a node class, or of a cluster."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from nodepools.changes.drift import drifted
from nodepools.changes.nodes import Replacement, fewer, fewer_machines, first_pool, has_no_room, machines_of, nodes_now, pools_of, replacement
from nodepools.clouds.change import Change, Interval, total
from nodepools.clouds.node_claims import NodeClaim, drifted_with_class
from nodepools.clouds.reasons import (
    ALL_NODE_POOLS,
    BUILT_IN_GONE,
    CONTROL_PLANE,
    NO_EXTRA_EFFECT,
    REIMAGED_WITH_NODE_POOLS,
    ROOM,
    SPOT_REIMAGED,
    first_stays,
    no_room,
    reason,
    with_node_pools,
)
from nodepools.clouds.request import AGENT_POOL, AKS_CLUSTER, CLASS, CLUSTER, NODE_POOL, POOL, SYSTEM_POOL, Key, Request, Requests
from nodepools.model.listing import joined
from nodepools.model.steps import sequence
from nodepools.wire.effects import Effect
from nodepools.wire.paths import value_at

_ROLLING: Final = (Effect.ROLLS, Effect.ROLLS_SOME)
_TOUCHING: Final = (*_ROLLING, Effect.REIMAGES, Effect.ROTATES, Effect.REMOVES_NODES, Effect.REPLACES, Effect.IN_PLACE_PODS, Effect.IN_PLACE_LATER)
_KUBELETS: Final = frozenset({"registries", "kubelet_identity"})
"""Fields of the identity of nodes: Karpenter replaces nodes with another one (KubeletIdentityDrift)."""
_VERSION: Final = "kubernetes_version"
_REQUIREMENTS: Final = ("template", "spec", "requirements")
_BY_LABELS: Final = (Effect.IN_PLACE, *_ROLLING)
"""Effects of requirements, which the labels of NodeClaims decide."""
_BY_PULUMI: Final = {"by": "pulumi"}


@dataclass(frozen=True)
class Sides:
    """Both sides: the pools of the old one have the nodes, and what limits their replacement is what the new one declares."""

    old: Requests
    new: Requests

    @cached_property
    def _had(self) -> Mapping[Key, Request]:
        """The old side: requested for each pool of each change."""
        return self.old.by_key()

    def pools(self, cluster: str) -> list[Request]:
        """The pools of a cluster that both sides have: a new pool has no nodes yet."""
        return [pool for pool in pools_of(self.new, cluster) if pool.key in self._had]

    def built_in(self, cluster: str) -> list[str]:
        """The built-in NodePools of a cluster that both sides have."""
        return [name for name in self.old.built_in.get(cluster, ()) if name in self.new.built_in.get(cluster, ())]

    def replacement(self, pool: Request) -> Replacement:
        """How the nodes that a pool has are replaced."""
        return replacement(pool, self.new, self._had.get(pool.key))


def add_affected_nodes(change: Change, before: Request, after: Request, sides: Sides) -> Change:
    """The change with the nodes that it reaches."""
    new = sides.new
    if after.resource.type == AKS_CLUSTER and change.steps[len(after.steps) :][:1] == ("system_pool",):
        return _in_pool(replace(change, at=f"{after.cluster}/{SYSTEM_POOL}"), before, after, new)
    if after.subject == CLUSTER:
        return _in_cluster(change, after, sides)
    if after.subject == POOL:
        return _in_pool(change, before, after, new)
    if after.subject == CLASS and change.effect in _TOUCHING:
        users = [pool for pool in sides.pools(after.cluster) if after.key in pool.needs]
        found = _spread(change, users, sides)
        some, extra = _some_of_class(before, after, users, new) if change.effect is Effect.ROLLS_SOME else None, found.extra_nodes
        return found if some is None else replace(found, nodes=some, extra_nodes=extra.limited(some) if extra is not None else None)
    return change


def _some_of_class(before: Request, after: Request, users: Iterable[Request], new: Requests) -> Interval | None:
    """The nodes that the class no longer matches; `None` if the NodeClaims of a pool, or the subnets that it selects, were not exported."""
    claims = [new.claims_in(pool.cluster, pool.pool) for pool in users]
    known = [claim for of_pool in claims if of_pool is not None for claim in of_pool]
    return None if None in claims else drifted_with_class(before.sent, after.sent, known, new.subnets)


def _in_pool(change: Change, before: Request, after: Request, new: Requests) -> Change:
    claims = new.claims_in(after.cluster, after.pool) if change.steps[-1:] == _REQUIREMENTS[-1:] and change.effect in _BY_LABELS else None
    if claims is not None:
        change = _as_claimed(change, after, claims)
    if change.effect is Effect.IN_PLACE and "limits" in change.steps and has_no_room(before) and not has_no_room(after):
        change = replace(change, effect=Effect.ROLLS_SOME, message=ROOM)
    if change.effect not in _TOUCHING or change.message.startswith(NO_EXTRA_EFFECT):
        return change
    if change.effect in _ROLLING and has_no_room(after):
        return replace(change, effect=Effect.IN_PLACE, message=no_room([after.pool]), nodes=None)
    had, gets, declared = nodes_now(before, new), replacement(after, new), replacement(after, Requests(())).nodes
    number = change.nodes if change.nodes is not None else Interval(0, had.maximum) if change.effect is Effect.ROLLS_SOME else had
    match change.effect:
        case Effect.ROTATES | Effect.REPLACES:
            extra = declared if change.effect is Effect.ROTATES else Interval(0, 0)
            return replace(change, nodes=number, extra_nodes=extra, pace=_BY_PULUMI)
        case Effect.REMOVES_NODES:
            return replace(change, nodes=fewer_machines(change.old, change.new) if machines_of(change.old) else fewer(had, declared))
        case Effect.IN_PLACE_PODS | Effect.IN_PLACE_LATER:
            return replace(change, nodes=number)
        case _:
            sentence = SPOT_REIMAGED if change.effect is Effect.REIMAGES and gets.is_spot else change.message
            return replace(change, nodes=number, extra_nodes=gets.extra.limited(number), pace=gets.pace, message=sentence)


def _as_claimed(change: Change, after: Request, claims: Sequence[NodeClaim]) -> Change:
    """The effect of new requirements as the exported NodeClaims decide it: their labels are what Karpenter compares."""
    number = drifted(value_at(after.sent, _REQUIREMENTS), claims)
    if number is None:
        return change
    effect = Effect.ROLLS_SOME if 0 < number < len(claims) else Effect.ROLLS if number else Effect.IN_PLACE
    sentence = change.message if effect is change.effect else reason(effect, after)
    return replace(change, effect=effect, message=sentence, nodes=Interval(number, number) if number else None)


def _in_cluster(change: Change, after: Request, sides: Sides) -> Change:
    karpenter = [pool for pool in sides.pools(after.cluster) if pool.resource.type == NODE_POOL]
    built_in = sides.built_in(after.cluster)
    if change.steps[-1] == _VERSION and change.effect in (Effect.IN_PLACE, Effect.ROLLS):
        stays = first_stays(first_pool(after).get("name"), change.new) if after.resource.type == AKS_CLUSTER else ""
        if not karpenter and not built_in:
            return replace(change, effect=Effect.IN_PLACE, message=f"{CONTROL_PLANE}{stays}")
        return _spread(replace(change, effect=Effect.ROLLS, message=f"{ALL_NODE_POOLS}{stays}"), karpenter, sides, built_in)
    match change.effect:
        case Effect.REIMAGES | Effect.IN_PLACE_LATER:
            return _reimaged(change, after, sides)
        case Effect.REMOVES_NODES:
            is_one = change.steps[-1] == "built_in_node_pools"
            return _without_built_in(change, after, sides) if is_one else _spread(change, karpenter, sides, built_in or ("",))
        case Effect.REPLACES if not change.message.startswith(NO_EXTRA_EFFECT):
            pools = pools_of(sides.old, after.cluster)
            every = _spread(change, pools, sides, sides.old.built_in.get(after.cluster, ()), inside=after)
            sentence = with_node_pools(change.message) if any(pool.resource.type == NODE_POOL for pool in pools) else change.message
            return replace(every, extra_nodes=Interval(0, 0), pace=_BY_PULUMI, message=sentence)
        case _:
            return change


def _without_built_in(change: Change, after: Request, sides: Sides) -> Change:
    """The nodes of the built-in NodePools that are turned off."""
    gone = [str(name) for name in sequence(change.old) if name not in sequence(change.new)]
    told = _spread(replace(change, message=BUILT_IN_GONE.format(pools=joined([f"`{name}`" for name in gone]))), (), sides, gone)
    return replace(told, at=f"{after.cluster}/{gone[0]}") if len(gone) == 1 else told


def _reimaged(change: Change, after: Request, sides: Sides) -> Change:
    """All agent pools; with another identity of nodes, NodePools too."""
    pools, built_in = sides.pools(after.cluster), sides.built_in(after.cluster)
    agents = [pool for pool in pools if pool.resource.type == AGENT_POOL]
    if _KUBELETS.isdisjoint(change.steps) or (len(agents) == len(pools) and not built_in):
        return _spread(change, agents, sides, inside=after)
    return _spread(replace(change, message=REIMAGED_WITH_NODE_POOLS), pools, sides, built_in, inside=after)


def _spread(change: Change, pools: Iterable[Request], sides: Sides, built_in: Iterable[str] = (), *, inside: Request | None = None) -> Change:
    """The change with the nodes of several pools; those of built-in NodePools are known only if they were exported."""
    pools, built_in = list(pools), list(built_in)
    fixed = [pool for pool in pools if change.effect in _ROLLING and has_no_room(pool)]
    if fixed:
        sentence = no_room([pool.pool for pool in fixed])
        if len(fixed) == len(pools) and not built_in:
            return replace(change, effect=Effect.IN_PLACE, message=sentence)
        change, pools = replace(change, message=f"{change.message}. {sentence}"), [pool for pool in pools if pool not in fixed]
    named = [name for name in built_in if name]
    each = [sides.replacement(pool) for pool in pools] + [_built_in(change.at, name, sides.new) for name in built_in]
    names = [pool.at for pool in pools] + [f"{change.at}/{name}" for name in named]
    if inside is not None and first_pool(inside):
        each.insert(0, sides.replacement(inside))
        names.insert(0, f"{change.at}/system")
    some = change.effect is Effect.ROLLS_SOME
    number = total(one.nodes for one in each)
    paces = {name: one.pace for name, one in zip(names, each, strict=False)}
    return replace(
        change,
        nodes=Interval(0, number.maximum) if some else number,
        extra_nodes=None if change.effect in (Effect.REMOVES_NODES, Effect.IN_PLACE_LATER) else total(one.extra for one in each),
        pace=None if change.effect in (Effect.REMOVES_NODES, Effect.IN_PLACE_LATER) or not paces else {"by": "each pool", "pools": paces},
        pools=tuple(dict.fromkeys(names)),
    )


def _built_in(cluster: str, name: str, side: Requests) -> Replacement:
    running = side.running_in(cluster, name) if name else None
    number = Interval() if running is None else Interval(running, running)
    return Replacement(number, Interval(0, number.maximum), {"by": "cloud"})


def all_nodes(request: Request, side: Requests) -> Interval:
    """All nodes of a cluster; those of NodePools that the cloud creates are not bounded."""
    pools = pools_of(side, request.cluster)
    counted = [nodes_now(pool, side) for pool in pools]
    inside = [nodes_now(request, side)] if first_pool(request) else []
    return total([*counted, *inside, *(_built_in(request.cluster, name, side).nodes for name in side.built_in.get(request.cluster, ()))])
