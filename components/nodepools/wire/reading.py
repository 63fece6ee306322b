"""Reads what the wire has into fields of the model. What is not understood is listed, never dropped."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, cast

from nodepools.model.partial import UNKNOWN
from nodepools.wire.paths import value_at
from nodepools.wire.places import Steps, path
from nodepools.wire.table import Table, Written


class Why(Enum):
    """Why something that was written is not in the model."""

    NO_SUCH_FIELD = "is not a field that is known here"
    NO_MAPPING = "should be a mapping of names to values"
    NO_PART = "should be a mapping of fields to values"
    ANOTHER_WORD = "should be another word"
    UNREADABLE = "is not a value that the model has"
    MISSING = "is required"
    LEFT = "is left to overrides"


class Left(NamedTuple):
    """Something that was written and not understood."""

    steps: Steps
    """Where it is on the wire."""
    value: object
    why: Why
    known: object = None
    """What belongs there: the names at that level, the word, or the reason."""


class Reading:
    """One reading.

    Args:
        strict: the object has to be right: what does not fit is kept, for the model to reject. Otherwise it counts as unknown.
        fold: names can differ in capitals: `az` prints `osSku` for `osSKU`.
    """

    def __init__(self, *, strict: bool = False, fold: bool = False) -> None:
        self.strict, self.fold = strict, fold
        self.left: list[Left] = []

    def leave(self, steps: Steps, value: object, why: Why, known: object = None) -> None:
        """Lists something that was not understood, once."""
        if not any((one.steps, one.why) == (steps, why) for one in self.left):
            self.left.append(Left(steps, value, why, known))

    def ask(self, written: Written, wire: str, at: Steps) -> None:
        """Lists the first step of `wire` that is missing, in an object that has to be right."""
        steps = path(wire)
        length = next((number for number in range(1, len(steps)) if not isinstance(value_at(written, steps[:number]), Mapping)), len(steps))
        if self.strict and value_at(written, steps[:length]) is None:
            self.leave((*at, *steps[:length]), None, Why.MISSING)

    def at(self, written: Written, wire: str) -> object:
        """The value at `wire`; `UNKNOWN` below what is unknown or is no mapping."""
        if wire in written:
            return written[wire]
        held: Any = written
        for name in path(wire):
            if not isinstance(held, Mapping):
                return None if held is None or (self.strict and held is not UNKNOWN) else UNKNOWN
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
            if here in claims or (value is None and not self.strict):
                continue
            if here not in table.above:
                known = {one[len(way)] for one in claims if len(one) > len(way) and one[: len(way)] == way}
                self.leave((*at, name), value, Why.NO_SUCH_FIELD, known)
            elif isinstance(value, Mapping):
                self._unclaimed(table, cast("Written", value), (*at, name), here)
            elif value is not UNKNOWN and value is not None:
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
