"""Differences between two requests, and the effect of each."""

from collections.abc import Iterator
from typing import NamedTuple

from nodepools.wire.effects import Change, Effect, worst
from nodepools.wire.paths import value_at
from nodepools.wire.table import Table, Written
from nodepools.wire.wire_paths import Pattern, Steps, Way


class Difference(NamedTuple):
    """A place on the wire where two requests differ."""

    model: Pattern
    """The field; empty for an argument without a field."""
    wire: Pattern
    before: object
    after: object
    effect: Effect
    source: str


def differences(table: Table, before: Written, after: Written, kind: str) -> Iterator[Difference]:
    """Every change from one request to the other, of the class `kind`. A value that equals the cloud default counts as not sent."""
    compared = {one.wire: one for one in reversed(table.leaves) if one.wire and not _has_leaves_below(table, one)}
    for wire, one in reversed(compared.items()):
        old, new = (one.default if (value := value_at(held, wire)) is None else value for held in (before, after))
        if old != new:
            change = one.change if one.change is not None else Change(Effect.UNKNOWN, "")
            yield Difference(one.model, wire, old, new, change.of(kind), change.source)


def fixed_fields(table: Table, kind: str) -> frozenset[str]:
    """Immutable fields of the class `kind`: a change gives the pool another name."""
    return frozenset(str(one.model[0]) for one in table.leaves if one.model and one.change and one.change.of(kind) is Effect.ROTATES)


def effect_of(table: Table, wire: Steps, kind: str, otherwise: Effect = Effect.ROTATES) -> Effect:
    """The worst effect of a change at, above or below `wire`, including arguments that only `overrides` set; `otherwise` if no row has it."""
    near = (one for one in table.leaves if one.wire and (one.wire[: len(wire)] == wire or wire[: len(one.wire)] == one.wire))
    return worst([one.change.of(kind) for one in near if one.change], otherwise)


def _has_leaves_below(table: Table, way: Way) -> bool:
    return any(len(one.wire) > len(way.wire) and one.wire[: len(way.wire)] == way.wire for one in table.leaves)
