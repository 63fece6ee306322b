"""Paths in the model and on the wire."""

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from nodepools.model.steps import Step

if TYPE_CHECKING:
    from nodepools.wire.effects import Change
    from nodepools.wire.table import AnyRow


class Entry(Enum):
    """A step that matches any entry: by index, or by a name that only one side has."""

    NUMBER = 0
    NAMED_ON_THE_WIRE = 1
    NAMED_IN_THE_MODEL = 2


Pattern: TypeAlias = tuple[Step | Entry, ...]


class FieldPath(NamedTuple):
    """One place on both sides. `wire` is empty for a field that is never sent, `model` for an argument without a field."""

    model: Pattern
    wire: Pattern
    change: "Change | None"
    row: "AnyRow"
    alike: bool = False
    """Keys and indices inside are the same on both sides."""
    names: Callable[[Any], list[Any]] | None = None
    """The names of the entries, in order, from the list or mapping on the wire."""
    default: object = None
    """The cloud default, as it is on the wire."""

    @property
    def whole(self) -> bool:
        """It is a field, not an entry of one."""
        return not any(isinstance(step, Entry) for step in (*self.model, *self.wire))


@cache
def path(wire: str) -> tuple[str, ...]:
    """The steps of `powerState.code`."""
    return tuple(wire.split(".")) if wire else ()
