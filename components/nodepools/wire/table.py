"""The rows of one part of the model. Paths in the model and on the wire, and spellings of field names, each derived from another."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from nodepools.model.base import Model
from nodepools.model.steps import Step, Steps

if TYPE_CHECKING:
    from nodepools.wire.effects import Change
    from nodepools.wire.reading import Reading, Writing

_PLURAL: Final = re.compile(r"([A-Z])([A-Z]+)s(?![a-z])")
_UPPER_RUN: Final = re.compile(r"([A-Z]+)([A-Z][a-z])")
_WORD_END: Final = re.compile(r"([a-z0-9])([A-Z])")
_KEYS: Final = frozenset(
    {"logAnalyticsWorkspaceResourceID", "useAADAuth", "azureKeyvaultSecretsProvider", "enableSecretRotation", "rotationPollInterval"}
)
"""Keys of mappings: names of add-ons, and their settings. They are not arguments, so every dialect spells them as the API does."""


@cache
def folded(name: str) -> str:
    """The name without its spelling: capitals and separators. The API has `max-node-provision-time`, `az` has `maxNodeProvisionTime`."""
    return name.replace("_", "").replace("-", "").lower()


@cache
def python_name(wire: str) -> str:
    """The Python spelling of azure-native for a name of Azure's API: `enable_fips` for `enableFIPS`. A test compares it with the SDK."""
    if wire == "resourceName":
        return "resource_name_"  # `resource_name` is Pulumi's own
    if wire in _KEYS:
        return wire
    wire = _PLURAL.sub(lambda run: run[1] + run[2].lower() + "s", wire)
    return _WORD_END.sub(r"\1_\2", _UPPER_RUN.sub(r"\1_\2", wire)).lower()


def camel(field: str) -> str:
    """`maxPods` for `max_pods`."""
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)


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
    since: str = ""
    """The first version of the API that has it; empty if the one that the SDKs send by default has it."""

    @property
    def whole(self) -> bool:
        """It is a field, not an entry of one."""
        return not any(isinstance(step, Entry) for step in (*self.model, *self.wire))


@cache
def path(wire: str) -> tuple[str, ...]:
    """The steps of `powerState.code`."""
    return tuple(wire.split(".")) if wire else ()


Written: TypeAlias = Mapping[str, object]


class AnyRow(Protocol):
    """One row, or several that belong together."""

    def write(self, part: Model, out: "Writing") -> None:
        """Writes the fields of `part`."""
        ...

    def read(self, written: Written, reading: "Reading", place: Steps) -> Written:
        """The fields that `written` sets; `place` is its path."""
        ...

    def field_paths(self) -> Iterator[FieldPath]:
        """Its places in the model and on the wire."""
        ...

    def read_paths(self) -> Iterator[Pattern]:
        """Its places on the wire, including everything inside them."""
        ...


class Table:
    """The rows of one part.

    Args:
        rows: one for each field, in the order in which they are written.
        standalone: the context of the rows' functions for a part that is written without its parent.
        required: required names at the top level; an empty list counts as missing. An entry with several names requires any of them.
        foreign: names that belong to another kind or version, with that kind or version.
    """

    def __init__(
        self,
        *rows: AnyRow,
        standalone: object = None,
        required: Sequence[tuple[str, ...]] = (),
        foreign: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.rows, self.standalone, self.required, self.foreign = rows, standalone, required, foreign

    @cached_property
    def field_paths(self) -> tuple[FieldPath, ...]:
        """Every place, including entries of lists and mappings, in the order of the rows."""
        return tuple(way for row in self.rows for way in row.field_paths())

    @cached_property
    def leaves(self) -> tuple[FieldPath, ...]:
        """Every field and argument once."""
        return tuple(way for way in self.field_paths if way.whole)

    @cached_property
    def compared(self) -> Mapping[Pattern, FieldPath]:
        """The arguments without others below them, by their place on the wire. If several fields have one place, the first."""
        above = {way.wire[:length] for way in self.leaves for length in range(1, len(way.wire))}
        found = {way.wire: way for way in reversed(self.leaves) if way.wire and way.wire not in above}
        return dict(reversed(found.items()))

    @cached_property
    def overridden(self) -> tuple[FieldPath, ...]:
        """Every argument with its path in `overrides`: the same place in the provider's Python spelling."""
        return tuple(way._replace(model=("overrides", *map(python_name, map(str, way.wire)))) for way in self.leaves if way.wire)

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The name on the wire for each field: the last name on either side. If several fields have one name, the first."""
        named = [
            (way.model[-1], [step for step in way.wire if isinstance(step, str)]) for way in reversed(self.field_paths) if way.model and way.wire
        ]
        return {field: names[-1] for field, names in named if isinstance(field, str) and names}

    @cached_property
    def read_paths(self) -> AbstractSet[Pattern]:
        """Places on the wire that a row reads."""
        return {claim for row in self.rows for claim in row.read_paths()}

    @cached_property
    def folded_read_paths(self) -> AbstractSet[Pattern]:
        """`claims` without capitals and separators."""
        return {tuple(folded(str(step)) for step in claim) for claim in self.read_paths}

    @cached_property
    def above(self) -> AbstractSet[Pattern]:
        """Places that have claims below them, in both spellings."""
        return {claim[:length] for claim in (*self.read_paths, *self.folded_read_paths) for length in range(1, len(claim))}
