"""Reads an object that has to be right: what does not fit is listed, and kept for the model to reject.

A table is turned into a tree by the names on the wire once, and then what is written is walked, not the rows. `null` says nothing, as the
cluster drops it. What is misspelled, missing or not a mapping says something that nobody knows: it is `UNKNOWN`, and not the model's default.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias, cast

from nodepools.model.nearest import nearest
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.codecs import SAME, EmptyTextError
from nodepools.wire.reading import UNREADABLE, Left, Why, is_known
from nodepools.wire.rows import Each, Part, Row
from nodepools.wire.table import Table, Written
from nodepools.wire.unmodeled import Always
from nodepools.wire.wire_paths import Steps, path

ObjectRow: TypeAlias = Row | Part | Each | Always
"""Kinds of row that objects have; a name that only a row of another kind has is listed as one that is not known."""


class RequiredName(NamedTuple):
    """A name that has to be there."""

    name: str
    filled: bool
    """An empty list does not do."""
    instead: tuple[str, ...]
    """Names of which any will do as well."""

    def is_missing(self, written: Written) -> bool:
        """Nothing that would do is written."""
        value = written.get(self.name)
        return (value is None or (self.filled and value == [])) and not any(name in written for name in self.instead)


class Leaf(NamedTuple):
    """A name that a row has."""

    row: ObjectRow
    fields: tuple[str, ...]
    """Fields of the model that it says."""
    is_asked: bool


class Level(NamedTuple):
    """Names that are in one mapping."""

    names: "Mapping[str, Leaf | Level]"
    fields: tuple[str, ...]
    asked: tuple[RequiredName, ...]
    is_asked: bool
    """Something in it has to be there in every object."""


@cache
def level_of(table: Table) -> Level:
    """The tree of `table`."""
    rows = [(path(row.wire), row) for row in table.rows if isinstance(row, ObjectRow)]
    return _level(rows, {name: tuple(instead) for name, *instead in table.required})


def _level(rows: Sequence[tuple[tuple[str, ...], ObjectRow]], required: Mapping[str, tuple[str, ...]]) -> Level:
    below: dict[str, list[tuple[tuple[str, ...], ObjectRow]]] = {}
    for (name, *rest), row in rows:
        below.setdefault(name, []).append((tuple(rest), row))
    names = {name: _level(inside, {}) if inside[0][0] else _leaf(inside[0][1]) for name, inside in below.items()}
    asked = [RequiredName(name, name in required, required.get(name, ())) for name, node in names.items() if node.is_asked or name in required]
    return Level(names, tuple(field for node in names.values() for field in node.fields), tuple(asked), any(node.is_asked for node in names.values()))


def _leaf(row: ObjectRow) -> Leaf:
    match row:
        case Row():
            return Leaf(row, (row.field, *row.also), row.always)
        case Each():
            return Leaf(row, (row.field,), row.always)
        case Part():
            return Leaf(row, (row.field,), is_asked=False)
        case _:
            return Leaf(row, (), is_asked=True)


def read_object(table: Table, written: Written, at: Steps = ()) -> tuple[dict[str, object], list[Left]]:
    """The fields of the model that `written`, which is at `at`, says, not yet validated; and what was not understood, in its order."""
    walk = _Walk(table.foreign)
    return walk.level(level_of(table), written, at), walk.left


def unknown_names(written: Written, known: Sequence[str], at: Steps, foreign: Mapping[str, str]) -> Iterator[Left]:
    """The names in `written` that are not among those that are `known`."""
    for name, value in written.items():
        if name not in known:
            yield _unknown(name, known, value, at, foreign)


def _unknown(name: str, known: Sequence[str], value: object, at: Steps, foreign: Mapping[str, str]) -> Left:
    if name in foreign:
        return Left((*at, name), value, Why.FOREIGN, foreign[name])
    return Left((*at, name), value, Why.NO_SUCH_FIELD, nearest(name, known))


class _Walk:
    """One object on its way into the model."""

    def __init__(self, foreign: Mapping[str, str]) -> None:
        self.foreign = foreign
        self.left: list[Left] = []

    def level(self, level: Level, written: Written, at: Steps) -> dict[str, object]:
        """The fields that a mapping says."""
        found: dict[str, object] = {}
        for name, value in written.items():
            node = level.names.get(name)
            if node is None:
                found = self._open(self._meant(name, level, written, at)) | found
            elif value is UNKNOWN:
                found |= self._open(node)
            elif value is not None:
                found |= self._node(node, value, (*at, name))
        for one in level.asked:
            if one.is_missing(written):
                self.left.append(Left((*at, one.name), None, Why.MISSING))
                found |= self._open(level.names[one.name])
        return found

    def _meant(self, name: str, level: Level, written: Written, at: Steps) -> Leaf | Level | None:
        """Lists a name that is not known; what it probably means, where that is not there as well."""
        left = _unknown(name, tuple(level.names), written[name], at, self.foreign)
        self.left.append(left)
        return level.names[str(left.known)] if left.why is Why.NO_SUCH_FIELD and left.known and written.get(str(left.known)) is None else None

    def _open(self, node: Leaf | Level | None) -> dict[str, object]:
        return dict.fromkeys(node.fields, UNKNOWN) if node is not None else {}

    def _node(self, node: Leaf | Level, value: object, at: Steps) -> dict[str, object]:
        if isinstance(node, Leaf):
            return self._row(node.row, value, at)
        if isinstance(value, Mapping):
            return self.level(node, cast("Written", value), at)
        self.left.append(Left(at, value, Why.NO_MAPPING))
        return self._open(node)

    def _row(self, row: ObjectRow, value: object, at: Steps) -> dict[str, object]:
        match row:
            case Row():
                return {row.field: value if row.codec is SAME else self._converted(row, value, at)}
            case Each():
                return {row.field: self._entries(row.rows, value, at)}
            case Part():
                return {row.field: self._part(row.rows, value, at)}
            case _:
                if value != row.word:
                    self.left.append(Left(at, value, Why.ANOTHER_WORD, row.word))
                return {}

    def _converted(self, row: Row, value: object, at: Steps) -> object:
        try:
            return row.codec.read(value)
        except UNREADABLE as error:
            if is_known(value):
                self.left.append(Left(at, value, Why.EMPTY if isinstance(error, EmptyTextError) else Why.UNREADABLE))
            return value

    def _entries(self, rows: Table, value: object, at: Steps) -> object:
        if not isinstance(value, list):
            return value
        entries = cast("list[object]", value)
        return UNKNOWN if UNKNOWN in entries else [self._part(rows, entry, (*at, index)) for index, entry in enumerate(entries)]

    def _part(self, rows: Table, value: object, at: Steps) -> dict[str, object] | None:
        """`None` where it is not a mapping, and not the value: some models can be written as text, which objects cannot."""
        if isinstance(value, Mapping):
            return self.level(level_of(rows), cast("Written", value), at)
        self.left.append(Left(at, value, Why.NO_PART))
        return None
