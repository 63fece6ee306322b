"""The table of one part in another dialect of the same API, with other names for some places and without others."""

from collections.abc import Iterator, Mapping

from nodepools.wire.overrides import Overrides
from nodepools.wire.rows import Always, Each, Note, Pairs, Part, Row
from nodepools.wire.table import AnyRow, Table


def respelled(table: Table, places: Mapping[str, str | None]) -> Iterator[AnyRow]:
    """The rows of `table` in another dialect.

    Args:
        table: the rows.
        places: prefixes of places (`vpcConfig`, `accessConfig.authenticationMode`) with the places of the dialect; `None` leaves the row out.
            The longest matching prefix applies.
    """
    for row in table.rows:
        made = _respelled(row, places)
        if made is not None:
            yield made


def _respelled(row: AnyRow, places: Mapping[str, str | None]) -> AnyRow | None:
    if isinstance(row, Overrides):
        named = ((argument, _place(argument.wire, places)) for argument in row.arguments)
        return Overrides(tuple(item._replace(wire=place, provider_place=item.wire) for item, place in named if place is not None))
    if isinstance(row, Part) and not row.wire:
        return row._replace(rows=Table(*respelled(row.rows, places)))
    if isinstance(row, Note) and row.kind != "ours":
        place = _place(row.name, places)
        return row._replace(name=place) if place is not None else None
    if isinstance(row, Row | Part | Each | Pairs | Always):
        place = _place(row.wire, places)
        return row._replace(wire=place) if place is not None else None
    return row


def _place(wire: str, places: Mapping[str, str | None]) -> str | None:
    beginnings = [name for name in places if f"{wire}.".startswith(f"{name}.")]
    if not beginnings:
        return wire
    longest = max(beginnings, key=len)
    instead = places[longest]
    return instead + wire[len(longest) :] if instead is not None else None
