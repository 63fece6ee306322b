"""Translates fields of the model to what is on the wire, and back. What a newer API has and the table does not is listed, never dropped."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, cast

from nodepools.model.base import Model, to_plain
from nodepools.model.ref import SecretValue, StackOutput, is_output
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN, NotKnownError, unread
from nodepools.wire.table import Table, Written, folded, path, put_at

Compute: TypeAlias = Callable[[Any, Any], object]
"""Computes the value to send from the part and its context, if it is not the field alone."""
Spell: TypeAlias = Callable[[str], str]
Resolve: TypeAlias = Callable[[Any], object]


class Writing:
    """The state of one writing.

    Args:
        around: context of the rows' functions in addition to the part; each table has its own type.
        spell: names a field of the API in another dialect.
        resolve: the value of a reference.
    """

    def __init__(self, around: object, spell: Spell, resolve: Resolve) -> None:
        self.around, self.spell, self.resolve = around, spell, resolve
        self.made: dict[str, object] = {}

    def put(self, wire: str, value: object, *, always: bool = False) -> None:
        """Sets a value unless it is `None` or, without `always`, empty. Zero and `False` are sent."""
        if value is None or (not always and value in ({}, [], ())):
            return
        put_at(self.made, list(map(self.spell, path(wire))), value)

    def entry(self, table: Table, part: Model) -> dict[str, object]:
        """A part in its own mapping."""
        into = Writing(self.around, self.spell, self.resolve)
        for row in table.rows:
            row.write(part, into)
        return into.made

    def value(self, part: Model, name: str, compute: Compute | None = None) -> object:
        """The value to send: `UNKNOWN` if it is unknown, `None` if the class has no such field."""
        held = vars(part)
        if compute is None and name not in held:
            return None
        try:
            value = compute(part, self.around) if compute is not None else UNKNOWN if name in unread(part) else held[name]
        except NotKnownError:
            return UNKNOWN
        return value if value is None or isinstance(value, str | int) else self._resolved(value)

    def _resolved(self, value: object) -> object:
        if isinstance(value, StackOutput | SecretValue) or is_output(value):
            return self.resolve(value)
        if isinstance(value, Mapping):
            return {name: self._resolved(item) for name, item in cast("Mapping[str, object]", value).items()}
        return [self._resolved(item) for item in cast("Sequence[object]", value)] if isinstance(value, tuple | list) else to_plain(value)


def write(table: Table, part: Model, around: object = None, *, spell: Spell = str, resolve: Resolve = str) -> dict[str, object]:
    """`part` as it is on the wire.

    Args:
        table: the table of the part's class.
        part: a part of the model.
        around: context of the table's functions in addition to the part.
        spell: names a field of the API in another dialect, such as azure-native's Python.
        resolve: the value of a reference.
    """
    return Writing(around, spell, resolve).entry(table, part)


UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a conversion raises if the model has no such value."""


class Why(Enum):
    """Why a written value is not in the model."""

    NO_SUCH_FIELD = "is not a field that is known here"
    NO_MAPPING = "should be a mapping of names to values"
    NO_PART = "should be a mapping of fields to values"
    NO_LIST = "should be a list of mappings"
    ANOTHER_WORD = "should be another word"
    UNREADABLE = "is not a value that the model has"
    MISSING = "is required"
    NO_ENTRY = "needs an entry"
    EMPTY = "should not be empty"
    FOREIGN = "is a field of another kind"
    ELSEWHERE = "is a field of another part of this object"
    UNMODELED = "can only be set by overrides"
    NEWER = "is newer than the version of the API that is sent"


class UnreadField(NamedTuple):
    """A written value that was not understood."""

    steps: Steps
    """Its path on the wire."""
    value: object
    why: Why
    known: object = None
    """The expected value: the known names at that level, or in a strict reading the closest; the constant; the other kind or path; the version of
    the API; the names that are enough instead; or the reason."""
    is_required: bool = False
    """The known name is required, and is not written."""


class Reading:
    """The state of one reading.

    Args:
        fold: ignores capitals and separators in names: `az` prints `osSku` for `osSKU`.
        api_version: the version of the API that requests have; empty for the one that the SDKs send by default.
    """

    def __init__(self, *, fold: bool = False, api_version: str = "") -> None:
        self.fold, self.api_version = fold, api_version
        self.left: list[UnreadField] = []

    def report_unread(self, steps: Steps, value: object, why: Why, known: object = None) -> None:
        """Lists a value that was not understood."""
        self.left.append(UnreadField(steps, value, why, known))

    def at(self, written: Written, wire: str) -> object:
        """The value at `wire`; `UNKNOWN` below an unknown value or below one that is not a mapping."""
        if wire in written:
            return written[wire]
        held: Any = written
        for name in path(wire):
            if not isinstance(held, Mapping):
                return None if held is None else UNKNOWN
            held = self._named(cast("Written", held), name)
        return held

    def gathered(self, table: Table, written: Written, place: Steps) -> dict[str, object]:
        """The fields that all rows read. Names that no row claims are listed."""
        found = self.found(table, written, place)
        self._unclaimed(table, written, place, ())
        return found

    def found(self, table: Table, written: Written, place: Steps) -> dict[str, object]:
        """The fields that all rows read."""
        made: dict[str, object] = {}
        for row in table.rows:
            made.update(row.read(written, self, place))
        return made

    def entry(self, table: Table, written: object, place: Steps) -> dict[str, object] | None:
        """The fields of a part in a mapping of its own; `None` if it is not a mapping."""
        if isinstance(written, Mapping):
            return self.gathered(table, cast("Written", written), place)
        self.report_unread(place, written, Why.NO_PART)
        return None

    def _named(self, level: Written, name: str) -> object:
        if name in level or not self.fold:
            return level.get(name)
        return next((value for key, value in level.items() if folded(key) == folded(name)), None)

    def _unclaimed(self, table: Table, level: Written, place: Steps, way: Steps) -> None:
        claims = table.folded_read_paths if self.fold else table.read_paths
        for name, value in level.items():
            here = (*way, folded(name) if self.fold else name)
            if here in claims or value is None:
                continue
            if here not in table.above:
                known = {claim[len(way)] for claim in claims if len(claim) > len(way) and claim[: len(way)] == way}
                self.report_unread((*place, name), value, Why.NO_SUCH_FIELD, known)
            elif isinstance(value, Mapping):
                self._unclaimed(table, cast("Written", value), (*place, name), here)
            elif value is not UNKNOWN:
                self.report_unread((*place, name), value, Why.NO_MAPPING)


def read(table: Table, written: Written, reading: Reading, place: Steps = ()) -> dict[str, object]:
    """The fields of the model that are set, not yet validated, with `UNKNOWN` among them. Fields that were not understood are in `reading.left`."""
    return reading.gathered(table, written, place)


def is_known(value: object) -> bool:
    """`value` contains nothing unknown."""
    if isinstance(value, str | int):
        return True
    if isinstance(value, Mapping):
        return all(map(is_known, cast("Mapping[Any, object]", value).values()))
    return all(map(is_known, cast("Sequence[object]", value))) if isinstance(value, list | tuple) else value is not UNKNOWN
