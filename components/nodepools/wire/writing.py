"""Writes a part of the model as it is on the wire."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from nodepools.model.base import Model, to_plain
from nodepools.model.ref import SecretValue, StackOutput, is_output
from nodepools.model.unknowns import UNKNOWN, NotKnownError, unread
from nodepools.wire.table import Table
from nodepools.wire.wire_paths import path

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
        *above, last = map(self.spell, path(wire))
        held = self.made
        for name in above:
            held = cast("dict[str, object]", held.setdefault(name, {}))
        held[last] = value

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
