"""The rows of one part of the model, each with the effect of a change on nodes and its source.

Paths in the model and on the wire, and spellings of field names, each derived from another.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

from nodepools.model.base import Model
from nodepools.model.steps import Step, Steps


class Effect(Enum):
    """The effect of a change, from harmless to severe."""

    NONE = "none"
    """Nothing is sent: the cloud does not have the field."""
    IGNORED = "ignored"
    """Pulumi or the cloud keeps the old value."""
    CREATES = "creates"
    """Pulumi creates a resource."""
    IN_PLACE = "in_place"
    """The cloud updates the resource; nodes stay."""
    IN_PLACE_LATER = "in_place_later"
    """The change takes effect on nodes at their next image upgrade."""
    IN_PLACE_PODS = "in_place_pods"
    """Nodes stay; running pods are evicted, or lose what they use."""
    REIMAGES = "reimages"
    """Nodes are drained and reimaged in batches."""
    ROTATES = "rotates"
    """A pool under a new name is created, then the old one is deleted."""
    ROLLS_SOME = "rolls_some"
    """Karpenter replaces the nodes that no longer meet the requirements."""
    ROLLS = "rolls"
    """Karpenter replaces every node."""
    DELETES = "deletes"
    """Pulumi deletes a resource."""
    REMOVES_NODES = "removes_nodes"
    """Nodes are removed, and no budget limits how many at a time."""
    REPLACES = "replaces"
    """Pulumi deletes the resource and creates it again."""
    REFUSED = "refused"
    """The cloud rejects the change."""
    UNKNOWN = "unknown"
    """No source documents it, or sources disagree."""

    @property
    def severity(self) -> int:
        """A higher number for a more severe effect."""
        return _SEVERITY[self]

    def __le__(self, other: "Effect | str") -> bool:
        """Compares by severity, also with the name of an effect: `effect <= "rolls"`.

        Raises:
            ValueError: there is no effect of that name.
        """
        return self.severity <= Effect(other).severity

    def __lt__(self, other: "Effect | str") -> bool:
        return self.severity < Effect(other).severity

    def __ge__(self, other: "Effect | str") -> bool:
        return not self < other

    def __gt__(self, other: "Effect | str") -> bool:
        return not self <= other


DRAINING: Final = (Effect.REIMAGES, Effect.ROLLS, Effect.ROLLS_SOME)
"""Effects for which nodes are drained, and replaced one after another."""
_SEVERITY: Final = {effect: number for number, effect in enumerate(Effect)}


class Change(NamedTuple):
    """The effect of a change of one field."""

    effect: Effect
    source: str
    """Where the effect is documented."""
    on: Mapping[str, Effect] = MappingProxyType({})
    """Classes of the model on which the effect differs."""
    ignored_with: str = ""
    """A field of the same part. While it is set, Pulumi ignores changes of this field."""
    ignored: bool = False
    """Pulumi always ignores changes: the field is sent only at creation."""
    kept: bool = False
    """The cloud keeps the last value when the field is no longer sent."""
    refused: str = ""
    """Why the cloud rejects a change, and what to do instead, if it rejects any."""

    def of(self, kind: str) -> Effect:
        """The effect on a class of the model."""
        return self.on.get(kind, self.effect)


def worst(effects: "list[Effect]", otherwise: Effect) -> Effect:
    """The worst of `effects`; `otherwise` if there are none."""
    return max(effects, key=lambda effect: effect.severity, default=otherwise)


if TYPE_CHECKING:
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
    change: Change | None
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


class _Placed(Protocol):
    @property
    def wire(self) -> str: ...


def own_place(row: _Placed) -> Iterator[Pattern]:
    """`read_paths` of a row that reads one place."""
    yield path(row.wire)


def put_at(made: dict[str, object], names: Sequence[str], value: object) -> None:
    """Sets a value inside mappings, which it makes where there are none."""
    *above, last = names
    for name in above:
        made = cast("dict[str, object]", made.setdefault(name, {}))
    made[last] = value


class Table:
    """The rows of one part.

    Args:
        rows: one for each field, in the order in which they are written.
        standalone: the context of the rows' functions for a part that is written without its parent.
        required: required names at the top level; an empty list counts as missing. An entry with several names requires any of them.
        foreign: names that belong to another kind or version, with that kind or version.
    """

    def __init__(
        self, *rows: AnyRow, standalone: object = None, required: Sequence[tuple[str, ...]] = (), foreign: Mapping[str, str] = MappingProxyType({})
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
