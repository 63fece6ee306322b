"""Compares everything that two sides send."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodepools.changes.change import Change, worst_first
from nodepools.changes.nodes import nodes, nodes_now
from nodepools.changes.plain_data import mapping
from nodepools.changes.reach import all_nodes, reached
from nodepools.changes.renamed_keys import aligned, hint, key_changes
from nodepools.changes.request import AGENT_POOL, CLUSTER, POOL, Key, Request, Requests
from nodepools.changes.request_changes import request_changes
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.wire.effects import Effect

_REMOVED: Final = "docs/facts/eks.md § 3; docs/facts/aks.md § 2: a pool is deleted with its nodes"
_PULUMI: Final = "Pulumi: a resource is created when it is declared, and deleted when it is not"
_GONE: Final = "The pool is deleted with its nodes; no disruption budget limits how many at a time"
_CLUSTER_GONE: Final = "Pulumi deletes the cluster with all nodes and everything in it"
_FORGOTTEN: Final = "Pulumi forgets the pool, and the cloud keeps it with its nodes (`retain`)"
_MADE: Final[Mapping[str, str]] = {CLUSTER: "Pulumi creates the cluster with its pools", POOL: "Pulumi creates the pool"}
_WITH_THE_NEW: Final = "An existing cluster rejects it; the cluster is replaced, and the new one is created with it"
_CREATED: Final = "Pulumi creates it"
_DELETED: Final = "Pulumi deletes it"


def compare(old: Requests, new: Requests) -> list[Change]:
    """Every change from one side to the other, the worst first."""
    return worst_first([*_changes(aligned(old, new), new), *key_changes(old, new)])


def _changes(old: Requests, new: Requests) -> Iterator[Change]:
    before, after = old.by_key(), new.by_key()
    whole = {key[0] for key in before.keys() ^ after.keys() if key[1] == CLUSTER}
    for key, request in before.items():
        if request.follows:
            continue
        if key in after:
            for change in _with_a_new_cluster(key, list(request_changes(request, after[key]))):
                yield reached(change, request, after[key], new)
        elif key[1] == CLUSTER or key[0] not in whole:
            yield _removed(request, old, _twin(request, new, before))
    for key, request in after.items():
        if key not in before and not request.follows and (key[1] == CLUSTER or key[0] not in whole) and not _is_former(request, before):
            yield _created(request, _twin(request, old, after))


def _with_a_new_cluster(key: Key, found: list[Change]) -> list[Change]:
    """A cluster that is replaced rejects no change: the new one is created with all values."""
    if key[1] != CLUSTER or not any(change.effect is Effect.REPLACES for change in found):
        return found
    return [replace(change, effect=Effect.REPLACES, reason=_WITH_THE_NEW) if change.effect is Effect.REFUSED else change for change in found]


def _is_former(request: Request, before: Mapping[tuple[str, ...], Request]) -> bool:
    """It is the field `previous` of a pool, which exists as the pool itself."""
    former = before.get(request.key[:3])
    return former is not None and former.resource.name == request.resource.name


def _twin(request: Request, side: Requests, taken: Mapping[tuple[str, ...], Request]) -> Request | None:
    """A pool on the other side that differs only in its key."""
    if request.subject != POOL:
        return None
    others = (other for other in side.of(request.cluster, POOL) if other.key not in taken and other.resource.type == request.resource.type)
    return next((other for other in others if _content(other) == _content(request)), None)


def _content(request: Request) -> object:
    if request.resource.type == AGENT_POOL:
        return {**request.sent, "nodeLabels": _unnamed(request.sent.get("nodeLabels"))}
    template = mapping(request.sent.get("template"))
    labels = mapping(template.get("metadata")).get("labels")
    return {**request.sent, "template": (_unnamed(labels), template.get("spec"))}


def _unnamed(labels: object) -> object:
    return {key: label for key, label in mapping(labels).items() if key != POOL_LABEL}


def _removed(request: Request, side: Requests, twin: Request | None) -> Change:
    advice = f". {hint(request, twin, twin)}" if twin is not None else ""
    name = request.resource.name
    if request.retained:
        return Change(request.at, request.steps, name, None, Effect.IN_PLACE, _FORGOTTEN, _PULUMI, request.resource)
    if request.subject == CLUSTER:
        return Change(request.at, request.steps, name, None, Effect.DELETES, _CLUSTER_GONE, _PULUMI, request.resource, nodes=all_nodes(request, side))
    if request.subject == POOL:
        number = nodes_now(request, side)
        return Change(request.at, request.steps, name, None, Effect.REMOVES_NODES, f"{_GONE}{advice}", _REMOVED, request.resource, nodes=number)
    return Change(request.at, request.steps, name, None, Effect.DELETES, _DELETED, _PULUMI, request.resource)


def _created(request: Request, twin: Request | None) -> Change:
    advice = f". {hint(twin, request, twin)}" if twin is not None else ""
    extra = nodes(request.sent, agent_pool=request.resource.type == AGENT_POOL) if request.subject == POOL else None
    sentence = f"{_MADE.get(request.subject, _CREATED)}{advice}"
    return Change(request.at, request.steps, None, request.resource.name, Effect.CREATES, sentence, _PULUMI, request.resource, extra_nodes=extra)
