"""Changes of fields that no request shows: fields of the library, and those that are sent by resources without a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.changes.change import Change
from nodepools.changes.reasons import reason
from nodepools.changes.request import CLUSTER, Request, Requests
from nodepools.model.base import Model
from nodepools.model.plain_data import mapping
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.wire.effects import Effect, worst
from nodepools.wire.wire_paths import Pattern

SEPARATE: Final[Mapping[str, tuple[Effect, str]]] = {
    "admins": (Effect.IN_PLACE, "Role assignments or access entries are created or deleted; nodes stay"),
    "deployer_is_admin": (Effect.IN_PLACE, "A role assignment is created or deleted; nodes stay"),
    "device_plugin": (Effect.IN_PLACE, "A DaemonSet inside the cluster changes; nodes stay"),
    "gpu_operator": (Effect.IN_PLACE, "The device plugin is created or deleted; nodes stay"),
    "log_analytics_workspace_location": (Effect.IN_PLACE, "The data collection rule is replaced; nodes stay"),
    "logs": (Effect.IN_PLACE, "The resources that collect the logs are created, changed or deleted; nodes stay"),
    "metrics": (Effect.IN_PLACE, "The resources that collect the metrics are created, changed or deleted; nodes stay"),
    "audit": (Effect.IN_PLACE, "The diagnostic setting is created, changed or deleted; nodes stay"),
    "vaults": (Effect.IN_PLACE, "Role assignments are created or deleted; nodes stay"),
    "vault_id": (Effect.IN_PLACE, "Role assignments are created or deleted; nodes stay"),
    "priorities": (Effect.IN_PLACE, "A ConfigMap of the cluster autoscaler changes; nodes stay"),
    "registries": (Effect.IN_PLACE, "Role assignments on registries are created or deleted; nodes stay"),
    "network_rights": (Effect.IN_PLACE, "Role assignments with the new scope are created, then the others are deleted; nodes stay"),
    "workload_identities": (Effect.IN_PLACE, "Identities, credentials and role assignments are created, changed or deleted; nodes stay"),
    "objects": (Effect.IN_PLACE, "Objects inside the cluster are created, changed or deleted; nodes stay"),
    "oidc_provider": (Effect.IN_PLACE, "The OIDC provider is created or deleted; roles that trust it stop working without it"),
    "policies": (Effect.IN_PLACE, "IAM policies are attached to the role or detached from it; nodes and pods stay"),
    "permissions_boundary": (Effect.IN_PLACE, "The roles are updated in place; nodes stay"),
    "iam_path": (Effect.REPLACES, "Roles under another path are other roles, and another cluster role replaces the cluster"),
    "role_names": (Effect.REPLACES, "Roles under other names are other roles, and another cluster role replaces the cluster"),
    "account": (Effect.REPLACES, "Another account has none of these resources: everything is created there"),
    "subscription_id": (Effect.REPLACES, "Another subscription has none of these resources: everything is created there"),
    "apply": (
        Effect.UNKNOWN,
        "With `render` Pulumi deletes the objects that it applied, NodePools with their nodes, unless they leave its state first",
    ),
    "maintenance": (Effect.NONE, "No maintenance configuration and no NodePool follows the window"),
    "default_node_pools": (Effect.UNKNOWN, "Sources disagree on whether the built-in NodePools stay"),
    "with_cluster_autoscaler": (Effect.NONE, "Only checks read it"),
    "cilium_startup_taint": (Effect.NONE, "It is sent as labels and taints of NodePools, and none of them changes"),
}
"""Fields that are sent by resources without a table, by name."""
_COLLECTED: Final = frozenset({"logs", "metrics"})
"""Fields of which the cluster gets an agent, and other resources what it collects."""
_SENT_IN: Final = {"labeled": "labels", "isolated": "taints", "tainted": "taints"}
"""Fields of pools that are sent as a part of another one, whose change is reported."""
_OVERRIDES: Final = "overrides"
_UNSENT: Final = "Nothing is sent: the cloud does not have the field"
_SAME: Final = "The cloud gets the same value as before, or its default"
KINDS: Final = "Another kind of network is another network: it replaces the cluster"
_SOURCE: Final = "docs/facts/aks.md, docs/facts/eks.md"


def unsent(old: Platform, new: Platform, requests: Requests, found: Iterable[Change]) -> Iterator[Change]:
    """The fields of clusters on both sides that differ, and of which `found` has no change."""
    covered: dict[str, list[Steps]] = {}
    for change in found:
        if change.steps[:1] == ("clusters",) and len(change.steps) > 1 and not _is_kept(change):
            covered.setdefault(str(change.steps[1]), []).append(change.steps)
    for key in old.clusters.keys() & new.clusters.keys():
        if old.clusters[key] is new.clusters[key] or old.clusters[key] == new.clusters[key]:
            continue
        places = covered.get(key, [])
        for steps, before, after in _differing(old.clusters[key], new.clusters[key], ("clusters", key)):
            if not any(_overlap(steps, place) for place in places) and not _is_derived(steps, places):
                yield _change(key, steps, before, after, requests)


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


def _overlap(steps: Steps, place: Steps) -> bool:
    length = min(len(steps), len(place))
    return length > len(("clusters", "weu")) and steps[:length] == place[:length]


def _is_derived(steps: Steps, places: Sequence[Steps]) -> bool:
    """The effect is reported where the field is sent: a window in budgets, a subnet in its pools, `labeled` in labels, overrides in other fields."""
    if "maintenance" in steps:
        return any(place[-1] == "budgets" or "maintenance_configurations" in place for place in places)
    if steps[-1] in _SENT_IN:
        sent_in = (*steps[:-1], _SENT_IN[str(steps[-1])])
        return any(place[: len(sent_in)] == sent_in for place in places)
    if _OVERRIDES in steps:
        part = steps[: steps.index(_OVERRIDES)]
        return any(place[: len(part)] == part for place in places)
    if steps[2:3] == ("network",):
        return any("generation" in place or place[-1] == "vnet_subnet_id" for place in places)
    return False


def _change(key: str, steps: Steps, before: object, after: object, requests: Requests) -> Change:
    request = next(request for request in requests.of(key, CLUSTER))
    effect, sentence, source = _effect(steps, request, requests)
    return Change(key, steps, before, after, effect, sentence if sentence else reason(effect, request), source, request.resource)


def _effect(steps: Steps, request: Request, requests: Requests) -> tuple[Effect, str, str]:
    named = next((step for step in steps[2:] if step in SEPARATE), None)
    if named is not None:
        effect, sentence = SEPARATE[str(named)]
        return effect, sentence, _SOURCE
    if _OVERRIDES in steps:
        return Effect.NONE, _SAME, _SOURCE
    if steps[2:] and steps[-1] == "kind":
        return Effect.REPLACES, KINDS, _SOURCE
    ways = [
        (owner, way) for owner in requests.of_cluster(request.cluster) for way in owner.table.ways if way.model and _is_at(owner, way.model, steps)
    ]
    rules = [way.change for _, way in ways if way.change is not None and not way.wire]
    effect = worst([rule.effect for rule in rules], Effect.NONE)
    if effect is not Effect.NONE:
        return effect, "", rules[0].source
    if ways:
        return Effect.NONE, _SAME if any(way.wire for _, way in ways) else _UNSENT, rules[0].source if rules else _SOURCE
    return Effect.UNKNOWN, "", "no row has the field"


def _is_at(owner: Request, model: Pattern, steps: Steps) -> bool:
    """The field at `steps` is the one of the row, or inside it."""
    start = len(owner.steps)
    return steps[:start] == owner.steps and steps[start : start + len(model)] == model
