"""Reads what the wire has into fields of the model, where it can be newer than we are. What is not understood is listed, never dropped.

Objects that have to be right are read by `strict`.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, cast

from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.table import Table, Written
from nodepools.wire.wire_paths import Steps, path

UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a conversion raises that has no value for the model."""


class Why(Enum):
    """Why something that was written is not in the model."""

    NO_SUCH_FIELD = "is not a field that is known here"
    NO_MAPPING = "should be a mapping of names to values"
    NO_PART = "should be a mapping of fields to values"
    ANOTHER_WORD = "should be another word"
    UNREADABLE = "is not a value that the model has"
    MISSING = "is required"
    EMPTY = "should not be empty"
    FOREIGN = "is a field of another kind"
    LEFT = "is left to overrides"


class Left(NamedTuple):
    """Something that was written and not understood."""

    steps: Steps
    """Where it is on the wire."""
    value: object
    why: Why
    known: object = None
    """What belongs there: the names at that level, or of an object that has to be right the nearest; the word, the other kind, or the reason."""


class Reading:
    """One reading.

    Args:
        fold: names can differ in capitals: `az` prints `osSku` for `osSKU`.
    """

    def __init__(self, *, fold: bool = False) -> None:
        self.fold = fold
        self.left: list[Left] = []

    def leave(self, steps: Steps, value: object, why: Why, known: object = None) -> None:
        """Lists something that was not understood."""
        self.left.append(Left(steps, value, why, known))

    def at(self, written: Written, wire: str) -> object:
        """The value at `wire`; `UNKNOWN` below what is unknown or is no mapping."""
        if wire in written:
            return written[wire]
        held: Any = written
        for name in path(wire):
            if not isinstance(held, Mapping):
                return None if held is None else UNKNOWN
            held = self._named(cast("Written", held), name)
        return held

    def gathered(self, table: Table, written: Written, at: Steps) -> dict[str, object]:
        """The fields that all rows find; what no row claims is listed."""
        found = self.found(table, written, at)
        self._unclaimed(table, written, at, ())
        return found

    def found(self, table: Table, written: Written, at: Steps) -> dict[str, object]:
        """The fields that all rows find."""
        made: dict[str, object] = {}
        for row in table.rows:
            made.update(row.read(written, self, at))
        return made

    def entry(self, table: Table, written: object, at: Steps) -> dict[str, object] | None:
        """The fields of a part in a mapping of its own; `None` where it is no mapping."""
        if isinstance(written, Mapping):
            return self.gathered(table, cast("Written", written), at)
        self.leave(at, written, Why.NO_PART)
        return None

    def _named(self, level: Written, name: str) -> object:
        if name in level or not self.fold:
            return level.get(name)
        return next((value for key, value in level.items() if key.lower() == name.lower()), None)

    def _unclaimed(self, table: Table, level: Written, at: Steps, way: Steps) -> None:
        claims = table.folded_claims if self.fold else table.claims
        for name, value in level.items():
            here = (*way, name.lower() if self.fold else name)
            if here in claims or value is None:
                continue
            if here not in table.above:
                known = {one[len(way)] for one in claims if len(one) > len(way) and one[: len(way)] == way}
                self.leave((*at, name), value, Why.NO_SUCH_FIELD, known)
            elif isinstance(value, Mapping):
                self._unclaimed(table, cast("Written", value), (*at, name), here)
            elif value is not UNKNOWN:
                self.leave((*at, name), value, Why.NO_MAPPING)


def read(table: Table, written: Written, reading: Reading, at: Steps = ()) -> dict[str, object]:
    """The fields of the model that are said, not yet validated, with `UNKNOWN` among them; what was not understood is in `reading.left`."""
    return reading.gathered(table, written, at)


def is_known(value: object) -> bool:
    """Nothing in `value` is unknown."""
    if isinstance(value, str | int):
        return True
    if isinstance(value, Mapping):
        return all(map(is_known, cast("Mapping[Any, object]", value).values()))
    return all(map(is_known, cast("Sequence[object]", value))) if isinstance(value, list | tuple) else value is not UNKNOWN
