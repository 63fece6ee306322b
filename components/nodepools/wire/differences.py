"""Differences between two requests, and the effect of each."""

from collections.abc import Iterator
from typing import NamedTuple

from nodepools.model.steps import Steps
from nodepools.wire.codecs import INVERTED, OPPOSITE
from nodepools.wire.effects import Change, Effect, worst
from nodepools.wire.paths import value_at
from nodepools.wire.rows import Row
from nodepools.wire.table import Table, Written
from nodepools.wire.wire_paths import Pattern


class Difference(NamedTuple):
    """A place on the wire where two requests differ."""

    model: Pattern
    """The field; empty for an argument without a field."""
    wire: Pattern
    before: object
    after: object
    effect: Effect
    source: str
    change: Change
    """The row's effect, with the conditions under which a change is ignored."""
    sent: bool
    """The second request has the argument."""
    is_opposite: bool
    """The argument turns off what the field turns on."""


def differences(table: Table, before: Written, after: Written, kind: str) -> Iterator[Difference]:
    """Every change from one request to the other, of the class `kind`. A value that equals the cloud default counts as not sent."""
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    for wire, item in table.compared.items():
        if wire[0] not in changed:
            continue
        first, second = value_at(before, wire), value_at(after, wire)
        old, new = (item.default if value is None else value for value in (first, second))
        if old != new:
            change = item.change if item.change is not None else Change(Effect.UNKNOWN, "")
            yield Difference(item.model, wire, old, new, change.of(kind), change.source, change, second is not None, _is_opposite(item.row))


def _is_opposite(row: object) -> bool:
    return isinstance(row, Row) and row.codec in (OPPOSITE, INVERTED)


def fixed_fields(table: Table, kind: str) -> frozenset[str]:
    """Immutable fields of the class `kind`: a change gives the pool another name."""
    return frozenset(str(leave.model[0]) for leave in table.leaves if leave.model and leave.change and leave.change.of(kind) is Effect.ROTATES)


def effect_of(table: Table, wire: Steps, kind: str, otherwise: Effect = Effect.ROTATES) -> Effect:
    """The worst effect of a change at, above or below `wire`, including arguments that only `overrides` set; `otherwise` if no row has it."""
    near = (leave for leave in table.leaves if leave.wire and (leave.wire[: len(wire)] == wire or wire[: len(leave.wire)] == leave.wire))
    return worst([row.change.of(kind) for row in near if row.change], otherwise)
