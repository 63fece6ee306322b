"""Translates paths between the model and the wire, and finds the differences between two requests with the effect of each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from nodepools.model.steps import Step, Steps
from nodepools.wire.rows import INVERTED, OPPOSITE, Row
from nodepools.wire.table import Change, Effect, Entry, FieldPath, Pattern, Table, Written, worst


def wire_of(table: Table, steps: Steps, written: Written | None = None) -> Steps:
    """The path on the wire for the path `steps` in the model, as far as the wire has it.

    An entry that has a name on one side only is found in `written`. A part that is spread over several arguments is at the first of them.
    """
    overridden = table.overridden if len(steps) > 1 and steps[0] == "overrides" else ()
    ways = [way for way in (*table.field_paths, *overridden) if way.wire]
    found = _across(((way.model, way.wire, way) for way in ways), steps, written, Entry.NAMED_IN_THE_MODEL)
    return found if found or not steps else next((_before_entries(way) for way in ways if way.model[: len(steps)] == steps), ())


def model_of(table: Table, steps: Steps, written: Written | None = None) -> Steps:
    """The path in the model for the path `steps` on the wire."""
    return _across(((way.wire, way.model, way) for way in table.field_paths if way.model), steps, written, Entry.NAMED_ON_THE_WIRE)


def value_at(written: object, steps: Sequence[object]) -> object:
    """The value at `steps`; `None` if there is none."""
    for step in steps:
        if isinstance(step, int) and isinstance(written, list | tuple):
            written = next(iter(cast("Sequence[object]", written)[step : step + 1]), None)
        else:
            written = cast("Written", written).get(str(step)) if isinstance(written, Mapping) else None
    return written


def _across(places: Iterator[tuple[Pattern, Pattern, FieldPath]], steps: Steps, written: Written | None, named: Entry) -> Steps:
    """Translates to the other side by the longest matching way. `named` entries have a name on the side of `steps`."""
    best: tuple[int, Steps] = (0, ())
    for here, there, way in places:
        if best[0] < len(here) <= len(steps) and all(_matches(step, wire_step, named) for step, wire_step in zip(steps, here, strict=False)):
            entry = next((step for step, wire_step in zip(steps, here, strict=False) if isinstance(wire_step, Entry)), None)
            filled = _filled(there, entry, way, written)
            best = (len(here), (*filled, *(steps[len(here) :] if way.alike and len(filled) == len(there) else ())))
    return best[1]


def _before_entries(way: FieldPath) -> Steps:
    """Its place on the wire, up to the first list or mapping entry."""
    end = next((number for number, step in enumerate(way.wire) if isinstance(step, Entry)), len(way.wire))
    return cast("Steps", way.wire[:end])


def _matches(step: Step, pattern: object, named: Entry) -> bool:
    return isinstance(step, str) is (pattern is named) if isinstance(pattern, Entry) else step == pattern


def _filled(there: Pattern, entry: Step | None, way: FieldPath, written: Written | None) -> Steps:
    """`there` with the index or name of the entry; cut before an entry that cannot be found."""
    made: list[Step] = []
    for step in there:
        if not isinstance(step, Entry):
            made.append(step)
            continue
        found = entry if way.names is None else _other_name(way, entry, written)
        if found is None:
            break
        made.append(found)
    return tuple(made)


def _other_name(way: FieldPath, entry: Step | None, written: Written | None) -> Step | None:
    """The index of the entry with a name, or the name of the entry with an index."""
    before = next(index for index, step in enumerate(way.wire) if isinstance(step, Entry))
    held = value_at(written, way.wire[:before])
    names = way.names(held) if way.names is not None and isinstance(held, Mapping | list | tuple) else []
    pairs = [(name, number) if isinstance(entry, str) else (number, name) for number, name in enumerate(names)]
    return next((other for pair, other in pairs if pair == entry), None)


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
            yield Difference(item.model, wire, old, new, change.of(kind), change.source, change, second is not None, _turns_off(item))


def is_opposite(table: Table, wire: Pattern) -> bool:
    """The argument turns off what the field turns on."""
    return wire in table.compared and _turns_off(table.compared[wire])


def _turns_off(item: FieldPath) -> bool:
    return isinstance(item.row, Row) and item.row.codec in (OPPOSITE, INVERTED)


def fixed_fields(table: Table, kind: str) -> frozenset[str]:
    """Immutable fields of the class `kind`: a change gives the pool another name."""
    return frozenset(str(leave.model[0]) for leave in table.leaves if leave.model and leave.change and leave.change.of(kind) is Effect.ROTATES)


def effect_of(table: Table, wire: Steps, kind: str, otherwise: Effect = Effect.ROTATES) -> Effect:
    """The worst effect of a change at, above or below `wire`, including arguments that only `overrides` set; `otherwise` if no row has it."""
    near = (leave for leave in table.leaves if leave.wire and (leave.wire[: len(wire)] == wire or wire[: len(leave.wire)] == leave.wire))
    return worst([row.change.of(kind) for row in near if row.change], otherwise)
