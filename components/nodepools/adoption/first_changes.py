"""What a first `pulumi up` would change after an adoption, with the effects that `diff` knows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, cast

from nodepools.adoption.adopted import Adopted
from nodepools.adoption.plain_trees import with_value, without
from nodepools.adoption.request_pair import Compared, Difference
from nodepools.changes.affected_nodes import add_affected_nodes
from nodepools.changes.compare import compare
from nodepools.changes.request_changes import request_changes
from nodepools.clouds.change import Change
from nodepools.clouds.request import Request, Requests
from nodepools.wire.effects import Effect
from nodepools.wire.names import python_name
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import Pattern

_POOLS: Final = "agentPoolProfiles"
_INSIDE: Final = "system_pool"
_PULUMI: Final = "Pulumi: a resource is created when it is declared"
_PROVIDER: Final = "no row has the argument"
_CREATED: Final = "It does not exist in the cloud, and Pulumi creates it"
_OTHER: Final = "The declaration sends another value than the cloud has"


def first_changes(one: Adopted, today: date) -> list[Change]:
    """Every difference and every creation as a change as of a day, each with a reason."""
    every = Requests(tuple(item.request for item in one.compared))
    found = [change for item in one.compared for difference in item.differences for change in _changed(item.request, difference, every, today)]
    return [*found, *_created(one.compared, every)]


def _created(compared: Sequence[Compared], every: Requests) -> Iterator[Change]:
    missing = [item.request for item in compared if item.import_id is None]
    have = Requests(tuple(item.request for item in compared if item.import_id is not None))
    known = {change.resource: change for change in compare(have, every) if change.effect is Effect.CREATES} if missing else {}
    for request in missing:
        plain = Change(request.at, request.steps, None, request.resource.name, Effect.CREATES, _CREATED, _PULUMI, request.resource)
        yield known.get(request.resource, plain)


def _changed(request: Request, difference: Difference, every: Requests, today: date) -> Iterator[Change]:
    """The changes of one difference. One whose effect is not known is included."""
    before, after = (_with(request, difference, value) for value in (difference.observed, difference.sent))
    found = [add_affected_nodes(change, before, after, every) for change in request_changes(before, after, today)]
    if not found:
        steps = (*request.steps[:2], *difference.resource, *difference.path)
        found = [Change(request.at, steps, difference.observed, difference.sent, Effect.UNKNOWN, _OTHER, _PROVIDER, request.resource)]
    for change in found:
        yield replace(change, message=difference.reason) if difference.reason else change


def _with(request: Request, difference: Difference, value: object) -> Request:
    """The request with a value of one argument, without overrides: both sides have the same rest."""
    path = tuple(map(str, _wire(request, difference)))
    if difference.resource[-1:] != (_INSIDE,):
        return replace(request, sent=_set(request.sent, path, value), overrides={})
    [first] = cast("Sequence[Written]", request.sent[_POOLS])
    return replace(request, sent={**request.sent, _POOLS: [_set(first, path, value)]}, overrides={})


def _set(sent: Mapping[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    return without(sent, path) if value is None else with_value(sent, path, value)


def _wire(request: Request, difference: Difference) -> Pattern:
    """The path in the API's spelling. An argument without a row keeps the spelling that it has."""
    row = _row(request, difference)
    return (*row, *difference.path[len(row) :])


def _row(request: Request, difference: Difference) -> Pattern:
    """The longest path of a row that the argument begins with; empty without one."""
    inside = difference.resource[-1:] == (_INSIDE,)
    wires = [way.wire[2:] if inside else way.wire for way in request.table.field_paths if (way.wire[:1] == (_POOLS,)) is inside]
    fitting = [wire for wire in wires if wire and tuple(python_name(str(step)) for step in wire) == _python(difference.path[: len(wire)])]
    return max(fitting, key=len, default=())


def _python(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(python_name(step) for step in path)
