"""The effect of a change of each field, in words: of what is sent, of what other resources send, and of the part that holds the field."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from nodepools import Platform
from nodepools.changes.platform_changes import KINDS, SEPARATE
from nodepools.model.base import Model
from nodepools.model.eks.access import AccessEntry
from nodepools.rules.engine.field_annotations import held_models, reachable
from nodepools.wire.table import Effect
from website.reference.field_changes import Sent, declaring, sent

WORDS: Final = {
    Effect.NONE: "nothing is sent",
    Effect.IGNORED: "Pulumi or the cloud keeps the old value",
    Effect.CREATES: "creates a resource",
    Effect.IN_PLACE: "in place",
    Effect.IN_PLACE_LATER: "in place; nodes change at their next image upgrade",
    Effect.IN_PLACE_PODS: "in place; running pods are evicted or lose what they use",
    Effect.REIMAGES: "in place; nodes are drained and reimaged in batches",
    Effect.ROTATES: "rotates: a pool under a new name is created, then the old one is deleted",
    Effect.ROLLS_SOME: "Karpenter replaces nodes that no longer match",
    Effect.ROLLS: "Karpenter replaces every node",
    Effect.DELETES: "deletes a resource",
    Effect.REMOVES_NODES: "removes nodes, and no budget limits how many at a time",
    Effect.REPLACES: "replaces the resource: deletes it first",
    Effect.REFUSED: "the cloud rejects the change",
    Effect.UNKNOWN: "not certain from the field alone",
}
"""The effects in words."""
_FACTS: Final = "docs/facts/aks.md, docs/facts/eks.md"
_DIFF: Final = "`nodepools diff` shows it: it depends on the resources that have the value"
_FIRST_POOL: Final = "agentPoolProfiles.0"
_NOT_SENT: Final = "not sent"
_OWN: Final = {
    "maintenance": "in place: maintenance configurations of AKS and disruption budgets of NodePools follow the window; nodes stay",
    "overrides": "that of the argument or field that it replaces",
    "previous": "removing it deletes the previous generation",
    "cilium_startup_taint": _DIFF,
}
"""Fields of which the tables say only what the field itself sends: nothing."""
_POLICIES: Final = "creates or deletes the association of an access policy; nodes stay. Source: docs/facts/eks.md § 14"
"""Of access entries: `policies` of other classes are IAM policies."""


def effects(model: type[Model], name: str) -> Iterator[str]:
    """Yields the effects of a change of a field: one for each argument that it is sent as, and one without arguments."""
    known = sent().get((model, name), ())
    arguments = [change for change in known if change.argument]
    if arguments:
        yield from (f"{_sent_as(change.argument)}. Effect of a change: {_words(change)}" for change in arguments)
    else:
        yield f"Effect of a change: {_without_arguments(model, name)}"


def _sent_as(argument: str) -> str:
    """Returns where an argument is sent: that of the first system pool is a part of its cluster."""
    return f"{'In `system_pool`, sent' if argument.startswith(_FIRST_POOL) else 'Sent'} as `{argument}`"


def _without_arguments(model: type[Model], name: str) -> str:
    known = sent().get((model, name), ())
    real = [change for change in known if change.effect is not Effect.NONE]
    if real:
        return _words(real[0])
    if name == "kind":
        return f"{WORDS[Effect.REPLACES]}. {KINDS}. Source: {_FACTS}" if _is_network(model) else "another class with other fields; see its fields"
    if own := _POLICIES if (model, name) == (AccessEntry, "policies") else _OWN.get(name):
        return own
    if name in SEPARATE:
        return _separate(name)
    if known:
        return "none in the cloud: the field is not sent" if known[0].source == _NOT_SENT else _DIFF
    return _inherited(model) or _DIFF


def _separate(name: str) -> str:
    one = SEPARATE[name]
    lost = f". If an entry is removed or it is turned off, {WORDS[Effect.IN_PLACE_PODS]}. {one.lost}" if one.lost else ""
    return f"{WORDS[one.effect]}. {one.reason}{lost}. Source: {_FACTS}"


def _words(change: Sent) -> str:
    return f"{WORDS[change.effect]}. Source: {change.source}"


def _inherited(model: type[Model]) -> str:
    """Returns the effect of the field that holds parts of this class, if that is known and the same for all such fields."""
    holders = [holder for holder in _holders().get(model, ()) if holder[0] is not Platform]
    if any(_has_effect(*holder) for holder in holders):
        return ""  # that of another value of the whole part
    found = dict.fromkeys(_separate(holder[1]) if holder[1] in SEPARATE.keys() - _OWN else _without_arguments(*holder) for holder in holders)
    return next(iter(found)) if len(found) == 1 else ""


def _has_effect(model: type[Model], name: str) -> bool:
    return name not in SEPARATE and any(change.effect is not Effect.NONE for change in sent().get((model, name), ()))


@cache
def _holders() -> Mapping[type[Model], list[tuple[type[Model], str]]]:
    """Returns the fields that hold parts of each class."""
    found: dict[type[Model], list[tuple[type[Model], str]]] = {model: [] for model in reachable(Platform)}
    for model in reachable(Platform):
        for name, info in model.model_fields.items():
            place = (declaring(model, name), name)
            for inner in held_models(info.annotation):
                for base in (each for each in inner.__mro__ if issubclass(each, Model)):
                    found.setdefault(base, [])
                    found[base] += [place] if place not in found[base] else []
    return found


def _is_network(model: type[Model]) -> bool:
    return any(name == "network" for _, name in _holders()[model])
