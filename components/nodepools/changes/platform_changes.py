"""What the edits from one platform to another do: changes of requests, and of fields that no request shows.

Resources are created and updated after everything that they need. Deletions follow, in reverse order. A resource that is replaced is deleted first,
after everything inside it. A part of a declaration that only one side has is one edit: the changes of its fields with the same effect are one change
of the part.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial, reduce
from itertools import takewhile
from operator import attrgetter
from typing import Any, Final, cast

from nodepools.changes.compare import aligned, compare
from nodepools.changes.operations import has_unknown, is_inside, is_updated, replaced
from nodepools.clouds.aks.requests import with_rights
from nodepools.clouds.change import (
    AGENT_POOL,
    AKS_CLUSTER,
    AZURE_NETWORK,
    CLASS,
    CLUSTER,
    EKS_CLUSTER,
    FIRST_POOL,
    NODE_POOL,
    POOL,
    Change,
    Key,
    Request,
    Requests,
    ResourceName,
    overlap,
    summary,
    worst_first,
)
from nodepools.clouds.eks.requests import KMS_KEY, own_changes
from nodepools.clouds.karpenter_requests import resolved
from nodepools.clouds.reasons import ADDED_TO_LIST, BY_LISTS, FIXED_IN_LIST, LEFT_LIST, reason
from nodepools.clouds.registry import cloud_of
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.steps import Step, Steps, mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.wire.aks.agent_pool import POOL as AGENT_POOL_TABLE
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.paths import value_at, wire_of
from nodepools.wire.table import Effect, Entry, Pattern, Written, camel, python_name, worst

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


def in_whole_parts(old: Platform, new: Platform, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, with those of fields in such a part at its place, each once: one field can determine several arguments."""
    seen: set[tuple[object, ...]] = set()
    for change in changes:
        is_switch = isinstance(change.old, bool) or isinstance(change.new, bool)  # the argument that says whether there is such a part
        part = _part(old, new, change.steps, is_switch=is_switch)
        whole = change if part is None else replace(change, steps=part[0], old=part[1], new=part[2])
        same = (change.at.partition("/")[0], whole.steps, whole.effect, whole.message, whole.resource, repr(whole.old), repr(whole.new))
        if same not in seen:
            seen.add(same)
            yield whole


def _part(old: object, new: object, steps: Steps, *, is_switch: bool) -> tuple[Steps, object, object] | None:
    """The outermost optional part around the field that one side does not have, with its values."""
    for length, step in enumerate(steps, start=1):
        is_field = isinstance(old, Model)
        old, new = inside(old, step), inside(new, step)
        if (old is None) is not (new is None):
            held = new if old is None else old
            return (steps[:length], old, new) if is_field and isinstance(held, Model) and (length < len(steps) or is_switch) else None
    return None


def inside(held: object, step: str | int) -> object:
    """A field, or an entry of a mapping; what has neither has nothing."""
    if isinstance(held, Model):
        return getattr(held, str(step), None)
    return mapping(held).get(str(step))


@dataclass(frozen=True, slots=True)
class Separate:
    """A field that is sent by resources without a table."""

    effect: Effect
    reason: str
    lost: str = ""
    """What pods lose if an entry is removed; empty if they lose nothing."""
    registered: Callable[[Any], object] | None = None
    """What of it a cluster registers, if that depends on other fields: nothing changes if it is the same on both sides."""


_IN_PLACE = partial(Separate, Effect.IN_PLACE)
_PULLS: Final = "Nodes stay; nodes lose the right to pull images from a registry, so pods with them do not start any more"
_SECRETS: Final = "Nodes stay; the Key Vault provider loses its role on a vault, so pods that mount secrets of it do not start any more"
_ACCESS: Final = "Nodes stay; an identity or a role of pods is deleted, so running pods lose their access to Azure"
_TRUST: Final = "Nodes stay; the OIDC provider is deleted, so pods can no longer assume roles that trust it"
_DETACHED: Final = "Nodes stay; an IAM policy is detached from a role, so pods with it lose these permissions at once"
_ROLE_LOSES: Final = (
    "Nodes stay; an IAM policy is detached from their role or from that of the cluster: what needs it, pods included, loses it at once"
)
SEPARATE: Final[Mapping[str, Separate]] = {
    "admins": _IN_PLACE("Role assignments or access entries are created or deleted; nodes stay"),
    "deployer_is_admin": _IN_PLACE("A role assignment is created or deleted; nodes stay"),
    "device_plugin": _IN_PLACE("A DaemonSet inside the cluster changes; nodes stay", registered=attrgetter("own_device_plugin")),
    "gpu_operator": _IN_PLACE("The device plugin is created or deleted; nodes stay", registered=attrgetter("own_device_plugin")),
    "log_analytics_workspace_location": _IN_PLACE("The data collection rule is replaced; nodes stay", registered=attrgetter("container_logs")),
    "logs": _IN_PLACE("The resources that collect the logs are created, changed or deleted; nodes stay"),
    "log_analytics_workspace_id": _IN_PLACE("The resources that collect the logs are created, changed or deleted; nodes stay"),
    "metrics": _IN_PLACE("The resources that collect the metrics are created, changed or deleted; nodes stay"),
    "audit": _IN_PLACE("The diagnostic setting is created, changed or deleted; nodes stay"),
    "vaults": _IN_PLACE("Role assignments are created or deleted; nodes stay", _SECRETS),
    "vault_id": _IN_PLACE("Role assignments are created or deleted; nodes stay"),
    "priorities": _IN_PLACE("A ConfigMap of the cluster autoscaler changes; nodes stay"),
    "registries": _IN_PLACE("Role assignments on registries are created or deleted; nodes stay", _PULLS),
    "network_rights": _IN_PLACE("Role assignments with the new scope are created, then the others are deleted; nodes stay"),
    "workload_identities": _IN_PLACE("Identities, credentials and role assignments are created, changed or deleted; nodes stay", _ACCESS),
    "objects": _IN_PLACE("Objects inside the cluster are created, changed or deleted; nodes stay"),
    "oidc_provider": _IN_PLACE("The OIDC provider is created; nodes stay", _TRUST),
    "policies": _IN_PLACE("IAM policies are attached to the role or detached from it; nodes stay", _DETACHED),
    "statements": _IN_PLACE("The inline policy of the role is created, changed or deleted; nodes stay", _DETACHED),
    "cluster_policies": _IN_PLACE("IAM policies are attached to the role of the cluster or detached from it; nodes stay", _ROLE_LOSES),
    "node_policies": _IN_PLACE("IAM policies are attached to the role of the nodes or detached from it; nodes stay", _ROLE_LOSES),
    "cluster_statements": _IN_PLACE("The inline policy of the role of the cluster is created, changed or deleted; nodes stay", _ROLE_LOSES),
    "node_statements": _IN_PLACE("The inline policy of the role of the nodes is created, changed or deleted; nodes stay", _ROLE_LOSES),
    "permissions_boundary": _IN_PLACE("The roles are updated in place; nodes stay"),
    "iam_path": Separate(Effect.REPLACES, "Roles under another path are other roles, and another cluster role replaces the cluster"),
    "role_names": Separate(Effect.REPLACES, "Roles under other names are other roles, and another cluster role replaces the cluster"),
    "account": Separate(Effect.REPLACES, "Another account has none of these resources: everything is created there"),
    "subscription_id": Separate(Effect.REPLACES, "Another subscription has none of these resources: everything is created there"),
    "apply": Separate(
        Effect.UNKNOWN,
        "With `render` Pulumi deletes the objects that it applied, NodePools with their nodes, unless they leave its state first",
        registered=lambda cluster: cluster.has_objects and cluster.apply,
    ),
    "maintenance": Separate(Effect.NONE, "No maintenance configuration and no budget of a NodePool changes with it"),
    "default_node_pools": Separate(Effect.UNKNOWN, "Sources disagree on whether the built-in NodePools stay"),
    "with_cluster_autoscaler": Separate(Effect.NONE, "Only checks read it"),
    "cilium_startup_taint": Separate(Effect.NONE, "It is sent as labels and taints of NodePools, and none of them changes"),
    "protect": Separate(Effect.NONE, "No cloud gets it: only Pulumi's state says what is protected from being deleted"),
    "accepted_errors": Separate(Effect.NONE, "No cloud gets it: it is what `check` reports as a note"),
    "owner": Separate(Effect.NONE, "No cloud gets it: `diff`, `cost` and `capacity` group by it"),
    "timeouts": Separate(Effect.NONE, "No cloud gets it: it is how long Pulumi waits"),
    "retain": Separate(Effect.NONE, "No cloud gets it: it is what Pulumi does when the pool is removed from the declaration"),
}
"""Fields that are sent by resources without a table, by name."""
_COLLECTED: Final = frozenset({"logs", "log_analytics_workspace_id", "metrics"})
"""Fields of which the cluster gets an agent, and other resources what it collects."""
_SENT_IN: Final = {"labeled": "labels", "isolated": "taints", "tainted": "taints"}
"""Fields of pools that are sent as a part of another one, whose change is reported."""
_OWNED_IN: Final = frozenset({"labels", "tags"})
"""Fields in which the owner is sent, if the platform says so."""
_OVERRIDES: Final = "overrides"
_IN_NO_NAME: Final = "The pool has a fixed name, so nothing that is sent depends on its generation"
_NOT_REGISTERED: Final = "Nothing of it is registered with the other fields of the cluster, so nothing changes"
_UNSENT: Final = "Nothing is sent: the cloud does not have the field"
_SAME: Final = "The cloud gets the same value as before, or its default"
_NOT_COMPARED: Final = "The declared values differ, and what is sent cannot be compared: `nodepools preview` of both sides decides"
KINDS: Final = "Another kind of network is another network: it replaces the cluster"
_SOURCE: Final = "docs/facts/aks.md, docs/facts/eks.md"


def unsent(one: tuple[Platform, Requests], other: tuple[Platform, Requests], found: Iterable[Change]) -> Iterator[Change]:
    """The fields of clusters on both sides that differ, and of which `found` has no change."""
    (old, before), (new, after) = one, other
    covered: dict[str, list[Steps]] = {}
    for change in found:
        if change.steps[:1] == ("clusters",) and len(change.steps) > 1 and not _is_kept(change):
            covered.setdefault(str(change.steps[1]), []).append(change.steps)
    for key in old.clusters.keys() & new.clusters.keys():
        if type(old.clusters[key]) is not type(new.clusters[key]) or old.stem(key) != new.stem(key):
            continue  # another cluster
        if old.clusters[key] is new.clusters[key] or old.clusters[key] == new.clusters[key]:
            continue
        places, sides = covered.get(key, []), _Sides(old.cluster(key), new.cluster(key), before.of_cluster(key), after.of_cluster(key))
        for steps, had, gets in _differing(old.clusters[key], new.clusters[key], ("clusters", key)):
            if not any(overlap(steps, place) for place in places) and not _is_derived(steps, places):
                yield sides.change(key, steps, had, gets)


def _is_kept(change: Change) -> bool:
    """The cloud keeps what the cluster had, while other resources of the field change."""
    return change.effect is Effect.IGNORED and not _COLLECTED.isdisjoint(change.steps)


def _differing(old: object, new: object, place: Steps) -> Iterator[tuple[Steps, object, object]]:
    """The fields that differ: inside parts of the same class, and entries of mappings that both sides have."""
    if isinstance(old, Model) and type(old) is type(new):
        yield from _inside(vars(old), vars(cast("Model", new)), place)
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _inside(mapping(cast("object", old)), mapping(cast("object", new)), place)
    elif old != new:
        yield place, _shown(cast("object", old)), _shown(new)


def _inside(old: Mapping[str, object], new: Mapping[str, object], place: Steps) -> Iterator[tuple[Steps, object, object]]:
    for name in sorted(old.keys() | new.keys()):
        yield from _differing(old.get(name), new.get(name), (*place, name))


def _shown(value: object) -> object:
    return value.model_dump(mode="json", exclude_defaults=True) if isinstance(value, Model) else value


def _is_derived(steps: Steps, places: Sequence[Steps]) -> bool:
    """The effect is reported where the field is sent: a window in budgets, a subnet in its pools, `labeled` in labels, overrides in other fields."""
    if "maintenance" in steps:
        return any(place[-1] == "budgets" or "maintenance_configurations" in place for place in places)
    if steps[-1] == "owner":
        return any(place[: len(steps) - 1] == steps[:-1] and not _OWNED_IN.isdisjoint(place) for place in places)
    if steps[-1] in _SENT_IN:
        sent_in = (*steps[:-1], _SENT_IN[str(steps[-1])])
        return any(place[: len(sent_in)] == sent_in for place in places)
    if _OVERRIDES in steps:
        part = steps[: steps.index(_OVERRIDES)]
        return any(place[: len(part)] == part for place in places)
    if steps[2:3] == ("network",):
        return any("generation" in place or place[-1] == "vnet_subnet_id" for place in places)
    return False


@dataclass(frozen=True, slots=True)
class _Sides:
    """A cluster on both sides, with what it sends."""

    old: AnyCluster
    new: AnyCluster
    before: Sequence[Request]
    after: Sequence[Request]

    def change(self, key: str, steps: Steps, had: object, gets: object) -> Change:
        request = next(request for request in self.after if request.subject == CLUSTER)
        effect, sentence, source = self._effect(steps, had, gets)
        return Change(key, steps, had, gets, effect, sentence if sentence else reason(effect, request), source, request.resource)

    def _effect(self, steps: Steps, had: object, gets: object) -> tuple[Effect, str, str]:
        named = next((SEPARATE[str(step)] for step in steps[2:] if step in SEPARATE), None)
        if named is not None:
            return *self._of_separate(named, had, gets), _SOURCE
        if steps[-1] == "generation" and self._has_fixed_name(steps):
            return Effect.NONE, _IN_NO_NAME, _SOURCE
        if _OVERRIDES in steps:
            return (Effect.NONE, _SAME, _SOURCE) if self._sends_the_same(steps) else (Effect.UNKNOWN, _NOT_COMPARED, _SOURCE)
        return (Effect.REPLACES, KINDS, _SOURCE) if steps[2:] and steps[-1] == "kind" else self._of_rows(steps)

    def _has_fixed_name(self, steps: Steps) -> bool:
        """The name of the pool, of which a generation is a part otherwise, is declared on both sides."""
        return all(reduce(inside, (*steps[2:-1], "name"), cast("object", side)) is not None for side in (self.old, self.new))

    def _of_rows(self, steps: Steps) -> tuple[Effect, str, str]:
        """Nothing changes only if a row has the field, and both sides have a known value of each of its arguments, which was compared."""
        ways = [(owner, way) for owner in self.after for way in owner.table.field_paths if way.model and _is_at(owner, way.model, steps)]
        rules = [way.change for owner, way in ways if way.change is not None and not way.wire and not self._is_same_class(owner)]
        effect = worst([rule.effect for rule in rules], Effect.NONE)
        if effect is not Effect.NONE:
            return effect, "", rules[0].source
        sent = [(owner, way) for owner, way in ways if way.wire]
        if not ways or not all(self._is_compared(owner, way.wire) for owner, way in sent):
            return Effect.UNKNOWN, _NOT_COMPARED, _SOURCE if ways else "no row has the field"
        return Effect.NONE, _SAME if sent else _UNSENT, rules[0].source if rules else _SOURCE

    def _is_same_class(self, owner: Request) -> bool:
        """A node class with the same name and content: what its fields determine is all in it."""
        return owner.subject == CLASS and any(one.resource == owner.resource and one.sent == owner.sent for one in self.before)

    def _of_separate(self, named: Separate, had: object, gets: object) -> tuple[Effect, str]:
        if named.registered is not None and named.registered(self.old) == named.registered(self.new):
            return Effect.NONE, _NOT_REGISTERED
        return (Effect.IN_PLACE_PODS, named.lost) if named.lost and _is_removed(had, gets) else (named.effect, named.reason)

    def _sends_the_same(self, steps: Steps) -> bool:
        """Its part sends the same on both sides, or the override was compared in the argument that it replaces."""
        owner = max((one for one in self.after if steps[: len(one.steps)] == one.steps), key=lambda one: len(one.steps))
        if any(one.key == owner.key and (one.sent, one.every_override) == (owner.sent, owner.every_override) for one in self.before):
            return True
        inner = steps[steps.index(_OVERRIDES) + 1 :]
        above = (FIRST_POOL, "0") if steps[len(owner.steps)] != _OVERRIDES else ()
        wire = wire_of(owner.table, (_OVERRIDES, *above, *inner))
        return bool(wire) and self._is_compared(owner, wire)

    def _is_compared(self, owner: Request, wire: Pattern) -> bool:
        """Both sides have a known value of the argument."""
        known = (value_at(one.sent, _known(wire)) for one in (*self.before, owner) if one.key == owner.key)
        return not any(map(has_unknown, known))


def _known(wire: Pattern) -> Steps:
    """The place before an entry."""
    return tuple(takewhile(lambda step: isinstance(step, str | int), wire))  # type: ignore[arg-type]  # steps only


def _is_removed(had: object, gets: object) -> bool:
    """The old value has an entry that the new one lacks, or is a part with its defaults, which the new one has no more."""
    if isinstance(had, Mapping):
        first, second = mapping(cast("object", had)), mapping(gets)
        return gets is None or any(name not in second or _is_removed(value, second[name]) for name, value in first.items())
    entries, kept = sequence(had), sequence(gets)  # pyright: ignore[reportUnknownArgumentType]  # not a mapping
    return any(entry not in kept for entry in entries) if entries else had is True and gets is False


def _is_at(owner: Request, model: Pattern, steps: Steps) -> bool:
    """The field at `steps` is the one of the row, or inside it."""
    start = len(owner.steps)
    return steps[:start] == owner.steps and steps[start : start + len(model)] == model


def order(old: Requests, new: Requests, changes: Iterable[Change]) -> list[list[str]]:
    """The operations of the changes, in waves."""
    before, after = ({key: request for key, request in side.by_key().items() if request.is_registered} for side in (aligned(old, new), new))
    worst: dict[ResourceName, Effect] = {}
    for change in changes:
        worst[change.resource] = max(worst.get(change.resource, Effect.NONE), change.effect, key=lambda effect: effect.severity)
    again = replaced(before, after, worst)
    exists = {(key[:3], request.resource): request for key, request in before.items()}
    made: dict[Key, str] = {}
    for key, request in after.items():
        operation = _operation(exists.get((key[:3], request.resource)), request, worst, is_replaced=key in again)
        if operation is not None:
            made[key] = operation
    names = {(key[:3], request.resource) for key, request in after.items()}
    gone = {key: f"delete {request.resource}" for key, request in before.items() if (key[:3], request.resource) not in names and not request.retained}
    first = {key: operation for key, operation in gone.items() if is_inside(before[key], again)}
    last = {key: operation for key, operation in gone.items() if key not in first}
    forward = _waves(made, lambda key: after[key].needs)
    backward = [_waves(some, lambda key: before[key].needs)[::-1] for some in (first, last)]
    wholes = {made[need] for key in first for need in before[key].needs & made.keys() if is_inside(before[key], again & {need})}
    begin = next((number for number, wave in enumerate(forward) if not wholes.isdisjoint(wave)), 0)
    return [*forward[:begin], *backward[0], *forward[begin:], *backward[1]]


def _operation(before: Request | None, after: Request, worst: Mapping[ResourceName, Effect], *, is_replaced: bool) -> str | None:
    if before is None:
        return f"create {after.resource}"
    if is_replaced:
        return f"replace {after.resource}"
    refused = worst.get(after.resource) is Effect.REFUSED
    return f"update {after.resource}" if is_updated(before, after) and not refused else None


def _waves(operations: Mapping[Key, str], needs: Callable[[Key], frozenset[Key]]) -> list[list[str]]:
    left = dict(operations)
    waves: list[list[str]] = []
    while left:
        ready = [key for key in left if needs(key).isdisjoint(left)]
        ready = ready if ready else list(left)
        waves.append(sorted({left.pop(key) for key in ready}))
    return waves


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes from one side to another, the worst first, and the order in which Pulumi applies them."""

    all: tuple[Change, ...]
    order: tuple[tuple[str, ...], ...] = ()

    @property
    def worst(self) -> Effect:
        """The most severe effect; `none` without changes."""
        return self.all[0].effect if self.all else Effect.NONE

    @property
    def summary(self) -> Mapping[str, int]:
        """The number of changes for each effect."""
        return summary(self.all)

    def to_json(self) -> dict[str, object]:
        """The changes as JSON data, with the keys of `nodepools diff --format json`."""
        return {"changes": [change.to_json() for change in self.all], "order": [list(wave) for wave in self.order], "summary": dict(self.summary)}


def diff(old: Platform, new: Platform, today: date | None = None) -> Changes:
    """What the edits from `old` to `new` do to resources and nodes, as `nodepools diff` shows it.

    Both are declarations of the same environment. `all` has every change with its effect, nodes, pace, reason and source, the most severe first.
    `order` has the operations of `pulumi up` in waves, each of which waits for the one before. Secrets are removed from old and new values.
    Nothing is read from the clouds: numbers of nodes are intervals, and an effect that no source documents is `unknown`.

    >>> old = Platform(name="dev", clusters={"use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.35")})
    >>> [change] = diff(old, derive(old, clusters={"use1": {"kubernetes_version": "1.36"}})).all
    >>> change.path, change.effect.value, str(change.nodes)
    ('clusters.use1.kubernetes_version', 'rolls', 'any number')

    Args:
        old: the declaration before the edits.
        new: the declaration after them.
        today: the day on which the edits are applied; the support of versions ends. `None`: the day where people are.
    """
    return declared_changes((old, requests_of(old)), (new, requests_of(new)), today)


def declared_changes(one: tuple[Platform, Requests], other: tuple[Platform, Requests], today: date | None = None) -> Changes:
    """The same for platforms with what they send."""
    old, new = one[0], other[0]
    before, after = comparable(one[1], other[1])
    found = [*_compared(before, after, today), *protection_changes(old, new, after)]
    told = with_rights(old, new, after, [*found, *unsent((old, before), (new, after), found)])
    every = worst_first(with_refusals(old, in_whole_parts(old, new, own_changes(old, new, told))))
    return _ordered(before, after, every)


def request_set_changes(old: Requests, new: Requests, today: date | None = None) -> Changes:
    """What the edits between two sides do that are not declarations."""
    before, after = comparable(old, new)
    return _ordered(before, after, _compared(before, after, today))


def _compared(before: Requests, after: Requests, today: date | None) -> list[Change]:
    found = compare(*_with_listed_pools(before, after), today)
    again = {change.resource for change in found if change.effect is Effect.REPLACES}
    return worst_first(_in_list(change, again) for change in found)


def _with_listed_pools(old: Requests, new: Requests) -> tuple[Requests, Requests]:
    """Both sides with one pool in the list of each AKS cluster, and the others as requests: AKS knows them by their names, in any order."""
    sides = [{request.key: _listed(request) for request in side.all if request.resource.type == AKS_CLUSTER} for side in (old, new)]
    first = {key: next((name for name in names if name in sides[0].get(key, {})), None) for key, names in sides[1].items()}
    before, after = (
        replace(side, all=tuple(part for request in side.all for part in _without_listed(request, first.get(request.key)))) for side in (old, new)
    )
    return before, after


def _listed(request: Request) -> Mapping[object, Mapping[str, object]]:
    """The pools in the list of a cluster, by name."""
    return {pool.get("name"): pool for pool in map(mapping, sequence(request.sent.get(_INSIDE)))}


def _without_listed(request: Request, first: object) -> Iterator[Request]:
    """A cluster with one pool in its list, and a request for each other one."""
    pools = _listed(request)
    names = sorted(pools, key=lambda name: name != first)
    yield replace(request, sent={**request.sent, _INSIDE: [pools[names[0]]]}) if len(names) > 1 else request
    for name in map(str, names[1:]):
        key, resource = (request.cluster, POOL, f"{_INSIDE}/{name}"), ResourceName(AGENT_POOL, f"{request.resource.name}/{name}")
        sent = {**pools[name], "agentPoolName": name}
        kind = "WindowsPool" if sent.get("osType") == "Windows" else ""
        yield Request(key, f"{request.at}/{name}", (*request.steps, _INSIDE, name), resource, AGENT_POOL_TABLE, sent, kind, frozenset({request.key}))


def _in_list(change: Change, again: Container[ResourceName]) -> Change:
    """The change of a pool in the list of its cluster, which is the resource that Pulumi sends."""
    if change.resource.type != AGENT_POOL or _INSIDE not in change.steps:
        return change
    cluster = ResourceName(AKS_CLUSTER, change.resource.name.rpartition("/")[0])
    change = replace(change, resource=cluster)
    if cluster in again:
        return change  # all of it is created again
    told = {"source": BY_LISTS, "nodes": None, "extra_nodes": None, "pace": None}
    if change.steps[-2] == _INSIDE:
        effect, sentence = (Effect.UNKNOWN, LEFT_LIST) if change.new is None else (Effect.REFUSED, ADDED_TO_LIST)
        old, new = (change.steps[-1] if value is not None else None for value in (change.old, change.new))
        return replace(change, at=change.at.rpartition("/")[0], old=old, new=new, effect=effect, message=sentence, **told)
    is_fixed = change.effect in (Effect.ROTATES, Effect.REPLACES)
    return replace(change, effect=Effect.REFUSED, message=FIXED_IN_LIST, **told) if is_fixed else change


def _ordered(before: Requests, after: Requests, found: list[Change]) -> Changes:
    return Changes(tuple(found), tuple(tuple(wave) for wave in order(before, after, found)))


PROTECTED: Final = frozenset({AKS_CLUSTER, EKS_CLUSTER, "azure-native:resources:ResourceGroup", AZURE_NETWORK, "aws:ec2/vpc:Vpc", KMS_KEY})
"""Types of resources whose deletion takes a cluster, its data or its network with it."""
_DELETING: Final = (Effect.REPLACES, Effect.DELETES)
_PROTECT: Final = "protect"
_PROTECTED: Final = "Only the state of Pulumi changes: it rejects deletion and replacement of the cluster from the next `pulumi up` on"
_UNPROTECTED: Final = "Only the state of Pulumi changes: afterwards `pulumi up` and `pulumi destroy` can delete the cluster"
_REJECTED: Final = "Protected: `pulumi up` rejects this until `protect` is false and applied"
_PROTECTION_SOURCE: Final = "Pulumi: resource option `protect`, which is part of the state"


def protection_changes(old: Platform, new: Platform, sent: Requests) -> Iterator[Change]:
    """The clusters on both sides whose protection differs, whether they or the platform declare it."""
    for key in sorted(old.clusters.keys() & new.clusters.keys()):
        if type(old.cluster(key)) is not type(new.cluster(key)) or old.stem(key) != new.stem(key):
            continue  # another cluster
        before, after = old.cluster(key).is_protected, new.cluster(key).is_protected
        if before is not after:
            resource = sent.of(key, CLUSTER)[0].resource
            yield Change(
                key, ("clusters", key, _PROTECT), before, after, Effect.NONE, _PROTECTED if after else _UNPROTECTED, _PROTECTION_SOURCE, resource
            )


def with_refusals(old: Platform, found: Iterable[Change]) -> Iterator[Change]:
    """The changes; of those that delete what the old side protects, the reason says that Pulumi rejects them."""
    protected = {key for key in old.clusters if old.cluster(key).is_protected}
    for change in found:
        refused = change.effect in _DELETING and change.resource.type in PROTECTED and str(change.steps[1]) in protected
        yield replace(change, message=f"{change.message}. {_REJECTED}") if refused else change
