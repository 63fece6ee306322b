"""Reads an object that must be valid. Errors are listed, and invalid values are kept for the model to reject.

A table is compiled once into a tree by names on the wire; then the written object is walked, not the rows. `null` means not set, as the API server
drops it. A value that is missing, has an unknown name or is not a mapping is `UNKNOWN`, so that the model's default is not assumed for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias, cast

from nodepools.model.listing import grouped, nearest
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.reading import UNREADABLE, UnreadField, Why, is_known
from nodepools.wire.rows import SAME, Always, Each, EmptyTextError, Part, Row
from nodepools.wire.table import Table, Written, path

ObjectRow: TypeAlias = Row | Part | Each | Always
"""Kinds of rows in tables of objects. A name that is only in a row of another kind is listed as unknown."""


class RequiredName(NamedTuple):
    """A required name."""

    name: str
    filled: bool
    """The list must not be empty."""
    instead: tuple[str, ...]
    """Alternative names, any of which is enough."""

    def is_missing(self, written: Written) -> bool:
        """Neither the name nor an alternative is written."""
        value = written.get(self.name)
        return (value is None or (self.filled and value == [])) and not any(name in written for name in self.instead)


class Leaf(NamedTuple):
    """A name that a row has."""

    row: ObjectRow
    fields: tuple[str, ...]
    """Fields of the model that it determines."""
    is_required: bool


class Level(NamedTuple):
    """The names in one mapping."""

    names: "Mapping[str, Leaf | Level]"
    fields: tuple[str, ...]
    required: tuple[RequiredName, ...]
    is_required: bool
    """It contains a required name."""


@cache
def level_of(table: Table) -> Level:
    """The tree of `table`."""
    rows = [(path(row.wire), row) for row in table.rows if isinstance(row, ObjectRow)]
    return _level(rows, {name: tuple(instead) for name, *instead in table.required})


def _level(rows: Sequence[tuple[tuple[str, ...], ObjectRow]], required: Mapping[str, tuple[str, ...]]) -> Level:
    below = grouped((name, (tuple(rest), row)) for (name, *rest), row in rows)
    names = {name: _level(inside, {}) if inside[0][0] else _leaf(inside[0][1]) for name, inside in below.items()}
    requested = [RequiredName(name, name in required, required.get(name, ())) for name, node in names.items() if node.is_required or name in required]
    return Level(
        names, tuple(field for node in names.values() for field in node.fields), tuple(requested), any(node.is_required for node in names.values())
    )


def _leaf(row: ObjectRow) -> Leaf:
    match row:
        case Row():
            return Leaf(row, (row.field, *row.also), row.always)
        case Each():
            return Leaf(row, (row.field,), row.always)
        case Part():
            return Leaf(row, (row.field,), is_required=False)
        case _:
            return Leaf(row, (), is_required=True)


def read_object(table: Table, written: Written, place: Steps = ()) -> tuple[dict[str, object], list[UnreadField]]:
    """The fields of the model that `written` sets, not yet validated, and the list of what was not understood. `place` is the path of `written`."""
    walk = _Walk(table, written, place)
    return walk.level(level_of(table), written, place), walk.left


def unknown_names(written: Written, known: Sequence[str], place: Steps, foreign: Mapping[str, str]) -> Iterator[UnreadField]:
    """The names in `written` that are not in `known`."""
    for name in written:
        if name not in known:
            yield _unknown(name, known, written, place, foreign)


def _unknown(name: str, known: Sequence[str], written: Written, place: Steps, foreign: Mapping[str, str]) -> UnreadField:
    """The name, with the one that it is probably intended for, unless that is written too."""
    if name in foreign:
        return UnreadField((*place, name), written[name], Why.FOREIGN, foreign[name])
    close = nearest(name, known)
    return UnreadField((*place, name), written[name], Why.NO_SUCH_FIELD, close if close is None or written.get(close) is None else None)


def _places(name: str, level: Level, at: Steps) -> Iterator[Steps]:
    """The paths of a name in the parts of an object, without lists."""
    for known, node in level.names.items():
        if known == name:
            yield (*at, known)
        if isinstance(node, Level):
            yield from _places(name, node, (*at, known))
        elif isinstance(node.row, Part):
            yield from _places(name, level_of(node.row.rows), (*at, known))


def _is_written(here: object, steps: Steps) -> bool:
    if not steps:
        return here is not None
    return isinstance(here, Mapping) and _is_written(cast("Mapping[str, object]", here).get(str(steps[0])), steps[1:])


class _Walk:
    """The reading of one object."""

    def __init__(self, table: Table, whole: Written, start: Steps) -> None:
        self.foreign, self.root, self.whole, self.start = table.foreign, level_of(table), whole, start
        self.left: list[UnreadField] = []

    def level(self, level: Level, written: Written, place: Steps) -> dict[str, object]:
        """The fields that a mapping sets."""
        found: dict[str, object] = {}
        for name, value in written.items():
            node = level.names.get(name)
            if node is None:
                found = self._open(self._suggested(name, level, written, place)) | found
            elif value is UNKNOWN:
                found |= self._open(node)
            elif value is not None:
                found |= self._node(node, value, (*place, name))
        misspelt = {one.known for one in self.left if one.why is Why.NO_SUCH_FIELD and one.steps[:-1] == place}
        for item in level.required:
            if item.is_missing(written):
                value = written.get(item.name)
                if item.name in misspelt:  # one finding is enough
                    close = [one.known == item.name and one.steps[:-1] == place for one in self.left]
                    self.left = [one._replace(is_required=one.is_required or here) for one, here in zip(self.left, close, strict=True)]
                else:
                    why = Why.MISSING if value is None else Why.NO_ENTRY
                    self.left.append(UnreadField((*place, item.name), value, why, "` or `".join(item.instead) or None))
                found |= self._open(level.names[item.name])
        return found

    def _suggested(self, name: str, level: Level, written: Written, place: Steps) -> Leaf | Level | None:
        """Lists an unknown name. Returns what its closest match stands for, unless that is written too."""
        left = _unknown(name, tuple(level.names), written, place, self.foreign)
        elsewhere = list(_places(name, self.root, ())) if left.why is Why.NO_SUCH_FIELD else []
        here, listed = place[len(self.start) :], any(isinstance(step, int) for step in place)  # what is in an entry of a list is about this entry
        elsewhere = [to for to in elsewhere if not listed or here[: len(to) - 1] == to[:-1]]
        if len(elsewhere) == 1 and not _is_written(self.whole, elsewhere[0]):
            left = left._replace(why=Why.ELSEWHERE, known=".".join(map(str, (*self.start, *elsewhere[0]))))
        self.left.append(left)
        return level.names[str(left.known)] if left.why is Why.NO_SUCH_FIELD and left.known else None

    def _open(self, node: Leaf | Level | None) -> dict[str, object]:
        return dict.fromkeys(node.fields, UNKNOWN) if node is not None else {}

    def _node(self, node: Leaf | Level, value: object, place: Steps) -> dict[str, object]:
        if isinstance(node, Leaf):
            return self._row(node.row, value, place)
        if isinstance(value, Mapping):
            return self.level(node, cast("Written", value), place)
        self.left.append(UnreadField(place, value, Why.NO_MAPPING))
        return self._open(node)

    def _row(self, row: ObjectRow, value: object, place: Steps) -> dict[str, object]:
        match row:
            case Row():
                return {row.field: value if row.codec is SAME else self._converted(row, value, place)}
            case Each():
                return {row.field: self._entries(row.rows, value, place)}
            case Part():
                return {row.field: self._part(row.rows, value, place)}
            case _:
                if value != row.word:
                    self.left.append(UnreadField(place, value, Why.ANOTHER_WORD, row.word))
                return {}

    def _converted(self, row: Row, value: object, place: Steps) -> object:
        try:
            return row.codec.read(value)
        except UNREADABLE as error:
            if is_known(value):
                self.left.append(UnreadField(place, value, Why.EMPTY if isinstance(error, EmptyTextError) else Why.UNREADABLE))
            return value

    def _entries(self, rows: Table, value: object, place: Steps) -> object:
        if not isinstance(value, list):
            self.left.append(UnreadField(place, value, Why.NO_LIST, next(iter(level_of(rows).names))))
            return UNKNOWN
        entries = cast("list[object]", value)
        return UNKNOWN if UNKNOWN in entries else [self._part(rows, entry, (*place, index)) for index, entry in enumerate(entries)]

    def _part(self, rows: Table, value: object, place: Steps) -> dict[str, object] | None:
        """`None` if it is not a mapping. The value itself could be text, which some models accept but objects do not."""
        if isinstance(value, Mapping):
            return self.level(level_of(rows), cast("Written", value), place)
        self.left.append(UnreadField(place, value, Why.NO_PART))
        return None
