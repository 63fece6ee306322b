"""Compares everything that two sides send, and finds renamed pools and the nodes that a change reaches."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Final

from nodepools.changes.drift import drifted
from nodepools.changes.nodes import Replacement, fewer, fewer_machines, first_pool, has_no_room, machines_of, nodes, nodes_now, pools_of, replacement
from nodepools.changes.operations import has_unknown, is_inside
from nodepools.changes.request_changes import NO_ROW, request_changes
from nodepools.changes.version_skew import with_pools_behind
from nodepools.clouds.amounts import NOTHING, Amount, exactly, total_seen
from nodepools.clouds.change import (
    ADD_ON,
    AGENT_POOL,
    AKS_CLUSTER,
    CLASS,
    CLUSTER,
    EKS_CLUSTER,
    GROUP,
    NETWORK,
    NODE_GROUP,
    NODE_POOL,
    POOL,
    SECRETS_KEY,
    SYSTEM_POOL,
    Change,
    Key,
    NodeClaim,
    Request,
    Requests,
    ResourceName,
    drifted_with_class,
    worst_first,
)
from nodepools.clouds.reasons import (
    ALL_NODE_POOLS,
    BUILT_IN_GONE,
    BY_VERSION,
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
from nodepools.data.version_support import day_or_today, minor
from nodepools.model.aks.cluster import CAS_BLOCK, NAP_BLOCK
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.listing import joined
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.wire.eks.terraform import rejected_size
from nodepools.wire.paths import value_at
from nodepools.wire.table import Effect

_ROLLING: Final = (Effect.ROLLS, Effect.ROLLS_SOME)
_TOUCHING: Final = (*_ROLLING, Effect.REIMAGES, Effect.ROTATES, Effect.REMOVES_NODES, Effect.REPLACES, Effect.IN_PLACE_PODS, Effect.IN_PLACE_LATER)
_KUBELETS: Final = frozenset({"registries", "kubelet_identity"})
"""Fields of the identity of nodes: Karpenter replaces nodes with another one (KubeletIdentityDrift)."""
_VERSION: Final = "kubernetes_version"
_REQUIREMENTS: Final = ("template", "spec", "requirements")
_CLASS_REF: Final = ("template", "spec", "nodeClassRef")
_BY_LABELS: Final = (Effect.IN_PLACE, *_ROLLING)
"""Effects of requirements, which the labels of NodeClaims decide."""
_REIMAGING: Final = 37
"""The minor version of Kubernetes from which AKS reimages nodes for what they otherwise get at their next image upgrade."""
_DECLARED: Final = ("clusters",)
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
    is_first = after.resource.type == AKS_CLUSTER and change.steps[len(after.steps) :][:1] == ("system_pool",)
    if change.effect is Effect.IN_PLACE_LATER:
        change = _by_version(change, after, new, is_first=is_first)
    if is_first:
        is_one = change.effect is Effect.REIMAGES and change.message == reason(Effect.REIMAGES, after)
        sentence = reason(Effect.REIMAGES, replace(after, key=(after.cluster, POOL, SYSTEM_POOL))) if is_one else change.message
        return _in_pool(replace(change, at=f"{after.cluster}/{SYSTEM_POOL}", message=sentence), before, after, new)
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


def _by_version(change: Change, after: Request, new: Requests, *, is_first: bool) -> Change:
    """From Kubernetes 1.37 on, AKS reimages the nodes for it: https://learn.microsoft.com/azure/aks/node-disruption-policy (2026-11)."""
    above = new.by_key().get((after.cluster, CLUSTER, ""), after)
    own = first_pool(after) if is_first else after.sent
    version = own.get("orchestratorVersion", above.sent.get("kubernetesVersion"))
    if not isinstance(version, str):
        return replace(change, effect=Effect.UNKNOWN, message=BY_VERSION)
    return replace(change, effect=Effect.REIMAGES, message=reason(Effect.REIMAGES, after)) if minor(version) >= _REIMAGING else change


def _some_of_class(before: Request, after: Request, users: Iterable[Request], new: Requests) -> Amount | None:
    """The nodes that the class no longer matches; `None` if the NodeClaims of a pool, or the subnets that it selects, were not exported."""
    claims = [new.claims_in(pool.cluster, pool.pool) for pool in users]
    known = [claim for of_pool in claims if of_pool is not None for claim in of_pool]
    return None if None in claims else drifted_with_class(before.sent, after.sent, known, new.subnets)


def _wanted(change: Change, declared: Amount) -> Amount:
    """The nodes that remain at once: a wanted number is exact, whatever an autoscaler does later."""
    return exactly(change.new) if change.resource.type == NODE_GROUP and isinstance(change.new, int) else declared


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
    number = change.nodes if change.nodes is not None else Amount(0, had.maximum) if change.effect is Effect.ROLLS_SOME else had
    match change.effect:
        case Effect.ROTATES | Effect.REPLACES:
            extra = declared if change.effect is Effect.ROTATES else NOTHING
            return replace(change, nodes=number, extra_nodes=extra, pace=_BY_PULUMI)
        case Effect.REMOVES_NODES:
            return replace(change, nodes=fewer_machines(change.old, change.new) if machines_of(change.old) else fewer(had, _wanted(change, declared)))
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
    return replace(change, effect=effect, message=sentence, nodes=exactly(number) if number else None)


def _in_cluster(change: Change, after: Request, sides: Sides) -> Change:
    karpenter = [pool for pool in sides.pools(after.cluster) if pool.resource.type == NODE_POOL]
    built_in = sides.built_in(after.cluster)
    if change.steps[-1] == _VERSION and change.effect in (Effect.IN_PLACE, Effect.ROLLS):
        held = with_pools_behind(change, after, sides.old)
        return held if held is not None else _upgraded(change, after, sides, karpenter, built_in)
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
            return replace(every, extra_nodes=NOTHING, pace=_BY_PULUMI, message=sentence)
        case _:
            return change


def _upgraded(change: Change, after: Request, sides: Sides, karpenter: Sequence[Request], built_in: Sequence[str]) -> Change:
    stays = first_stays(first_pool(after).get("name"), change.new) if after.resource.type == AKS_CLUSTER else ""
    if not karpenter and not built_in:
        return replace(change, effect=Effect.IN_PLACE, message=f"{CONTROL_PLANE}{stays}")
    return _spread(replace(change, effect=Effect.ROLLS, message=f"{ALL_NODE_POOLS}{stays}"), karpenter, sides, built_in)


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
    is_declared = change.steps[:1] == _DECLARED
    number = total_seen([one.nodes for one in each], is_declared=is_declared)
    is_quiet = change.effect in (Effect.REMOVES_NODES, Effect.IN_PLACE_LATER)
    paces = {name: one.pace for name, one in zip(names, each, strict=False)}
    return replace(
        change,
        nodes=Amount(0, number.maximum) if some else number,
        extra_nodes=None if is_quiet else total_seen([one.extra for one in each], is_declared=is_declared),
        pace=None if is_quiet or not paces else {"by": "each pool", "pools": paces},
        pools=tuple(dict.fromkeys(names)),
    )


def _built_in(cluster: str, name: str, side: Requests) -> Replacement:
    running = side.running_in(cluster, name, is_object=True) if name else None
    number = Amount() if running is None else exactly(running)
    return Replacement(number, Amount(0, number.maximum), {"by": "cloud"})


def all_nodes(request: Request, side: Requests) -> Amount:
    """All nodes of a cluster; those of NodePools that the cloud creates are not bounded."""
    counted = [nodes_now(pool, side) for pool in pools_of(side, request.cluster)]
    inside = [nodes_now(request, side)] if first_pool(request) else []
    built_in = [_built_in(request.cluster, name, side).nodes for name in side.built_in.get(request.cluster, ())]
    return total_seen([*counted, *inside, *built_in], is_declared=request.steps[:1] == _DECLARED)


_KEPT: Final = "The key changes; the pool keeps its name in Azure and its nodes"
_SOURCE: Final = "Pulumi: a resource is the same if its type and its name are"
_KEEP: Final = "Only the key differs from `{other}`: keep the key `{old}` to keep the nodes"
_FORMER: Final = "former"
"""Part of the key of a pool whose key another one has now."""
_NAME: Final = ", or set `name` of `{new}` to `{name}`: the pool then keeps its nodes, and cannot rotate"


def hint(old: Request, new: Request, other: Request) -> str:
    """How to keep the nodes of a cluster, a pool or a node class that only has another key; `other` is the one of the other side."""
    keys = {name: one.at.removeprefix(f"{one.cluster}/") for name, one in (("other", other), ("old", old), ("new", new))}
    keys["name"] = old.agent_pool_name
    return f"{_KEEP}{_NAME if old.resource.type == AGENT_POOL else ''}".format(**keys)


def aligned(old: Requests, new: Requests) -> Requests:
    """The old side, in which pools that are the same resource on the new side have its key."""
    before, after = old.by_key(), new.by_key()
    homes = {(request.cluster, request.resource): key for key, request in after.items() if request.subject == POOL}
    keys = {
        key: home
        for key, request in before.items()
        if (home := homes.get((request.cluster, request.resource), key)) != key and (home[:3] != key[:3] or (home not in before and key not in after))
    }
    keys |= {home: (*home, _FORMER) for home in keys.values() if home in before and home not in keys}
    keys |= _swapped(before, after)
    if not keys:
        return old
    needs = [replace(request, needs=frozenset(keys.get(need, need) for need in request.needs)) for request in old.all]
    return replace(old, all=tuple(replace(request, key=keys.get(request.key, request.key)) for request in needs))


def _swapped(before: Mapping[Key, Request], after: Mapping[Key, Request]) -> dict[Key, Key]:
    """The keys of a pool or a node class and of its `previous` that change places, which goes back to the generation before.

    Without `previous` on the new side, that one alone stays.
    """
    homes = {(key[:3], request.resource): key for key, request in after.items() if request.subject in (POOL, CLASS)}
    moved = {key: home for key, request in before.items() if (home := homes.get((key[:3], request.resource), key)) != key and home in before}
    return {one: other for key, home in moved.items() if moved.get(home) == key or key not in after for one, other in ((key, home), (home, key))}


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


_REMOVED: Final = "docs/facts/eks.md § 3; docs/facts/aks.md § 2: a pool is deleted with its nodes"
_PULUMI: Final = "Pulumi: a resource is created when it is declared, and deleted when it is not"
_GONE: Final = "The pool is deleted with its nodes; no disruption budget limits how many at a time"
_CLUSTER_GONE: Final = "Pulumi deletes the cluster with all nodes and everything in it"
_ANOTHER: Final = ". What is created is another resource: the name in Pulumi of `{name}`, or its type, changes"
_FORGOTTEN: Final = "Pulumi forgets the pool, and the cloud keeps it with its nodes (`retain`)"
_LEFT: Final = "EKS no longer manages the add-on, and leaves what it installed in the cluster (`keep`)"
_MADE: Final[Mapping[str, str]] = {CLUSTER: "Pulumi creates the cluster with its pools", POOL: "Pulumi creates the pool"}
_WITH_THE_NEW: Final = f"{NO_EXTRA_EFFECT}: part of the replacement by {{fields}}. Alone, it would be rejected"
_WITH_THE_NEW_POOL: Final = f"{NO_EXTRA_EFFECT}: part of the rotation by {{fields}}"
_BESIDE_THE_NEW_POOL: Final = "A pool under a new name is created; the old one stays as `previous`, tainted, until you drain and remove it"
_CREATED: Final = "Pulumi creates it"
_PARTS_GONE: Final[Mapping[str, str]] = {
    NETWORK: "Pulumi deletes the network with its subnets, and fails while anything uses them",
    GROUP: "Pulumi deletes the resource group, and Azure deletes everything that is in it",
    SECRETS_KEY: (
        "Pulumi has AWS delete the KMS key. EKS goes on with the first key that a cluster had: if it is this one, the cluster is lost with it, "
        "unless the deletion is canceled in time. Keep it declared"
    ),
}
_DELETED: Final = "Pulumi deletes it"
_IN_USE: Final = "; NodePools that use it ({pools}) get no more nodes, and Karpenter keeps the class until no NodeClaim uses it"
_TAKEN: Final = (
    "Pulumi creates it before it deletes `{other}`, which is the same one to the cloud: `pulumi up` fails. Keep the key, and the name of the platform"
)
_PLACES: Final = {
    AKS_CLUSTER: ("resourceGroupName", "resourceName"),
    EKS_CLUSTER: ("region", "name"),
    "aws:eks/accessEntry:AccessEntry": ("principalArn",),
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": ("namespace", "serviceAccount"),
}
"""The arguments that identify a resource in a cloud, or in its cluster."""
_QUIET: Final = (Effect.NONE, Effect.CREATES, Effect.IN_PLACE)
_ALLOWED: Final = (Effect.CREATES, Effect.IN_PLACE, Effect.ROTATES)
_PROVISIONED: Final = ("nodeProvisioningProfile", "mode")
_AUTO: Final = "Auto"
_OFF: Final = ("0", "0m")
_TURNED_OFF: Final = (
    "AKS turns it off while it has no node and each NodePool, also those of AKS and of others, has 0 as its limit of `cpu`: "
    "`kubectl get nodepools,nodeclaims -o wide` decides"
)
_TURNED_OFF_BY: Final = "https://learn.microsoft.com/azure/aks/use-node-auto-provisioning: disable node auto provisioning"
_EXCLUDED: Final = (
    "AKS rejects node auto provisioning next to autoscaled agent pools: turn off their autoscalers in an `up` before, or register the feature "
    "`AllowClusterAutoscalerAndNAP` and declare `with_cluster_autoscaler`"
)
_EXCLUDED_BY: Final = "docs/facts/aks.md § 2.4; https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"


def compare(old: Requests, new: Requests, today: date | None = None) -> list[Change]:
    """Every change from one side to the other, the worst first, as of a day: the support of versions ends. `None`: the day where people are."""
    day = day_or_today(today)
    before = aligned(old, new)
    return worst_first([*_beside_provisioning(_changes(before, new, day), before, new), *key_changes(old, new)])


def _changes(old: Requests, new: Requests, day: date) -> Iterator[Change]:
    before, after, sides = old.by_key(), new.by_key(), Sides(old, new)
    others = _others(before, after)
    whole = {key[0] for key in before.keys() ^ after.keys() if key[1] == CLUSTER} | others
    changes = {key: list(request_changes(one, after[key], day)) for key, one in before.items() if key in after and key[0] not in others}
    clusters = {key: found for key, found in changes.items() if key[1] == CLUSTER and not after[key].is_updated}
    reasons = {key: fields for key, found in clusters.items() if (fields := _fields_with(Effect.REPLACES, found))}
    for key, request in before.items():
        if request.follows and (request.subject != GROUP or key in after):
            continue
        fields = reasons.get((key[0], CLUSTER, ""), "") if is_inside(request, reasons.keys()) else ""
        if key in changes:
            for change in _with_a_new_one(changes[key], after[key], fields):
                found = _with_a_new_pool(add_affected_nodes(change, request, after[key], sides), request, after[key], changes[key])
                yield replace(found, message=_BESIDE_THE_NEW_POOL, pace=None) if _is_kept(found, request, after) else found
        elif key[1] == CLUSTER or key[0] not in whole:
            gone = _removed(request, sides, _twin(request, new, before), is_another=key in after)
            yield from _moot([gone], fields) if fields else [gone]
    for key, request in after.items():
        if (
            (key not in before or key[0] in others)
            and not request.follows
            and (key[1] == CLUSTER or key[0] not in whole)
            and not _is_former(request, before)
        ):
            made = _created(request, _twin(request, old, after))
            holder = _holder(request, before, after, others)
            taken = _TAKEN.format(other=".".join(map(str, holder.steps[1:]))) if holder is not None else ""
            yield replace(made, effect=Effect.REFUSED, message=taken, extra_nodes=None) if taken else made


def _others(before: Mapping[Key, Request], after: Mapping[Key, Request]) -> frozenset[str]:
    """The keys of clusters that are other resources of Pulumi on both sides: in another cloud, or of a platform with another name."""
    return frozenset(key[0] for key in before.keys() & after.keys() if key[1] == CLUSTER and before[key].resource != after[key].resource)


def _beside_provisioning(found: Iterable[Change], old: Requests, new: Requests) -> Iterator[Change]:
    """AKS rejects node auto provisioning next to autoscaled agent pools: it is turned on before pools are changed, so the old pools count.

    Both together on the old side show that the feature for it is registered, as do a declaration and the taints for it.
    """
    clusters = {request.resource: request.cluster for request in new.all if request.subject in (CLUSTER, POOL)}
    for change in found:
        if change.effect is Effect.REFUSED and change.new == "Manual" and _can_be_off(old, clusters.get(change.resource, "")):
            yield replace(change, effect=Effect.UNKNOWN, message=_TURNED_OFF, source=_TURNED_OFF_BY)
            continue
        is_excluded = change.effect in _ALLOWED and _is_excluded(change, clusters.get(change.resource, ""), old, new)
        yield replace(change, effect=Effect.REFUSED, message=_EXCLUDED, source=_EXCLUDED_BY, extra_nodes=None) if is_excluded else change


def _can_be_off(side: Requests, cluster: str) -> bool:
    """No NodePool is certain to keep AKS from turning off node auto provisioning: none is known to have nodes, or can launch some."""
    declared = [pool for pool in side.of(cluster, POOL) if pool.resource.type == NODE_POOL]
    return not any(side.claims.get(cluster, {}).values()) and all(
        nodes_now(pool, side).minimum == 0 and str(value_at(pool.sent, ("limits", "cpu"))) in _OFF for pool in declared
    )


def _is_excluded(change: Change, cluster: str, old: Requests, new: Requests) -> bool:
    key = (cluster, CLUSTER, "")
    before, after = (side.by_key().get(key) for side in (old, new))
    if (
        before is None
        or after is None
        or value_at(after.sent, _PROVISIONED) != _AUTO
        or after.with_autoscaler
        or _has_separating_taints(new, cluster)
    ):
        return False
    scaled, was_on = _autoscaled(old, cluster), value_at(before.sent, _PROVISIONED) == _AUTO
    if not was_on and change.resource.type == AKS_CLUSTER and change.new == _AUTO:
        return bool(scaled)
    is_scaling = change.effect is Effect.CREATES or change.steps[-1] in ("scale", "enableAutoScaling")
    return is_scaling and not (was_on and scaled) and change.resource in _autoscaled(new, cluster) - scaled


def _autoscaled(side: Requests, cluster: str) -> frozenset[ResourceName]:
    """The resources that contain an autoscaled agent pool."""
    held = {request.resource: (request.sent, *sequence(request.sent.get("agentPoolProfiles"))) for request in side.of_cluster(cluster)}
    return frozenset(name for name, pools in held.items() if any(mapping(pool).get("enableAutoScaling") is True for pool in pools))


def _has_separating_taints(side: Requests, cluster: str) -> bool:
    keys = {CAS_BLOCK.key, NAP_BLOCK.key}
    return any(key in keys for request in side.of(cluster, POOL) for key in _taint_keys(request.sent))


def _taint_keys(sent: Mapping[str, object]) -> Iterator[str]:
    """The keys of the taints of an agent pool, which are texts, and of a NodePool, which are objects."""
    yield from (str(taint).partition(":")[0].partition("=")[0] for taint in sequence(sent.get("nodeTaints")))
    yield from (str(mapping(taint).get("key")) for taint in sequence(value_at(sent, ("template", "spec", "taints"))))


def _with_a_new_one(found: list[Change], after: Request, cluster: str) -> list[Change]:
    """What is replaced rejects no change, keeps nothing, and has no nodes: it is created with all values. `cluster`: why its cluster is replaced."""
    is_whole = after.resource.type in (AKS_CLUSTER, EKS_CLUSTER, AGENT_POOL) and not after.is_updated
    own = _fields_with(Effect.REPLACES, found) if is_whole else ""
    fields = cluster if cluster else own
    return list(_moot(found, fields, is_whole=bool(cluster))) if fields else found


def _moot(found: Iterable[Change], fields: str, *, is_whole: bool = True) -> Iterator[Change]:
    """The changes as a part of the replacement by `fields`; of those that replace, only if the whole cluster is replaced."""
    sentence = _WITH_THE_NEW.format(fields=fields)
    for change in found:
        is_kept = change.effect in (_QUIET if is_whole else (*_QUIET, Effect.REPLACES)) and change.steps[-1] != _VERSION
        if is_kept or not _is_settled(change):
            yield change
        else:
            told = sentence if change.effect is Effect.REFUSED else sentence.partition(". ")[0]
            yield replace(change, effect=Effect.REPLACES, message=told, nodes=None, extra_nodes=None, pace=None, pools=())


def _is_settled(change: Change) -> bool:
    """A new resource leaves nothing open but an argument that is not known: what exists made the effect unknown."""
    return change.effect is not Effect.UNKNOWN or change.source != NO_ROW


def _with_a_new_pool(change: Change, before: Request, after: Request, changed: Iterable[Change]) -> Change:
    """A pool that rotates is created with all values, and its nodes are counted with the change that is the reason."""
    if before.resource.type != AGENT_POOL or before.resource.name == after.resource.name:
        return change
    if change.effect in (Effect.NONE, Effect.ROTATES) or not _is_settled(change):
        return change
    sentence = _WITH_THE_NEW_POOL.format(fields=_fields_with(Effect.ROTATES, changed))
    return replace(change, effect=Effect.ROTATES, message=sentence, nodes=None, extra_nodes=None, pace=None)


def _fields_with(effect: Effect, changes: Iterable[Change]) -> str:
    """The last steps of the paths of the changes with an effect."""
    return joined(list(dict.fromkeys(f"`{change.steps[-1]}`" for change in changes if change.effect is effect)))


def _is_kept(change: Change, before: Request, after: Mapping[Key, Request]) -> bool:
    """The pool rotates, and its old generation stays as the field `previous`."""
    kept = after.get((*before.key[:3], "previous"))
    return change.effect is Effect.ROTATES and change.pace is not None and kept is not None and kept.resource == before.resource


def _is_former(request: Request, before: Mapping[tuple[str, ...], Request]) -> bool:
    """It is the field `previous` of a pool or a node class, which exists as that one itself."""
    former = before.get(request.key[:3])
    return former is not None and former.resource == request.resource


def _twin(request: Request, side: Requests, taken: Mapping[tuple[str, ...], Request]) -> Request | None:
    """A cluster, a pool or a node class on the other side that differs only in its key."""
    if request.subject not in (CLUSTER, POOL, CLASS):
        return None
    same = (other for other in side.all if (other.subject, other.resource.type) == (request.subject, request.resource.type))
    near = (other for other in same if other.key not in taken and (other.subject == CLUSTER or other.cluster == request.cluster))
    content = _content(request)
    return next((other for other in near if _content(other) == content), None)


def _content(request: Request) -> object:
    """What it sends, without its key."""
    if request.subject == CLUSTER:
        return json.dumps(request.sent, default=str, sort_keys=True).replace(request.resource.name, "").replace(f'"{request.cluster}"', "")
    if request.subject == CLASS:
        return request.sent
    if request.resource.type == AGENT_POOL:
        return {**request.sent, "agentPoolName": None, "nodeLabels": _unnamed(request.sent.get("nodeLabels"))}
    template = mapping(request.sent.get("template"))
    labels = mapping(template.get("metadata")).get("labels")
    return {**request.sent, "template": (_unnamed(labels), template.get("spec"))}


def _unnamed(labels: object) -> object:
    return {key: label for key, label in mapping(labels).items() if key != POOL_LABEL}


def _holder(request: Request, before: Mapping[Key, Request], after: Mapping[Key, Request], others: Container[str]) -> Request | None:
    """What the old side has in the place of something new, until Pulumi deletes it."""
    places = _PLACES.get(request.resource.type)
    if places is None:
        return None
    place = [request.sent.get(name) for name in places]
    left = (other for key, other in before.items() if key not in after or key[0] in others)
    same = (other for other in left if other.resource.type == request.resource.type)
    gone = (other for other in same if request.subject == CLUSTER or other.cluster == request.cluster)
    return next((other for other in gone if [other.sent.get(name) for name in places] == place and not has_unknown(place)), None)


def _removed(request: Request, sides: Sides, twin: Request | None, *, is_another: bool = False) -> Change:
    advice = f". {hint(request, twin, twin)}" if twin is not None else _ANOTHER.format(name=request.resource.name) if is_another else ""
    name = request.resource.name
    left = _FORGOTTEN if request.retained else _LEFT if request.subject == ADD_ON and request.sent.get("preserve") is True else None
    if left is not None:
        return Change(request.at, request.steps, name, None, Effect.IN_PLACE, left, _PULUMI, request.resource)
    if request.subject == CLUSTER:
        nodes_of_all = all_nodes(request, sides.old)
        return Change(
            request.at, request.steps, name, None, Effect.DELETES, f"{_CLUSTER_GONE}{advice}", _PULUMI, request.resource, nodes=nodes_of_all
        )
    if request.subject == POOL:
        number = nodes_now(request, sides.old)
        return Change(request.at, request.steps, name, None, Effect.REMOVES_NODES, f"{_GONE}{advice}", _REMOVED, request.resource, nodes=number)
    had = {pool.key: value_at(pool.sent, _CLASS_REF) for pool in pools_of(sides.old, request.cluster) if request.key in pool.needs}
    users = [f"`{pool.pool}`" for pool in sides.pools(request.cluster) if pool.key in had and value_at(pool.sent, _CLASS_REF) == had[pool.key]]
    used = _IN_USE.format(pools=joined(users)) if users else ""
    sentence = _PARTS_GONE.get(request.subject, f"{_DELETED}{used}{advice}")
    return Change(request.at, request.steps, name, None, Effect.DELETES, sentence, _PULUMI, request.resource)


def _created(request: Request, twin: Request | None) -> Change:
    refused = rejected_size(request.sent) if request.resource.type == NODE_GROUP else ""
    advice = f". {hint(twin, request, twin)}" if twin is not None else ""
    extra = nodes(request.sent, agent_pool=request.resource.type == AGENT_POOL) if request.subject == POOL else None
    sentence = f"{_MADE.get(request.subject, _CREATED)}{advice}"
    effect, told = (Effect.REFUSED, refused) if refused else (Effect.CREATES, sentence)
    return Change(request.at, request.steps, None, request.resource.name, effect, told, _PULUMI, request.resource, extra_nodes=extra)
