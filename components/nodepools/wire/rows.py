"""Rows: a field, a part, a list of parts, a mapping; without a field: constants, notes on names of one side. Conversions of their values."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, cast

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.reading import UNREADABLE, Compute, Reading, Why, Writing, is_known
from nodepools.wire.table import Change, Effect, Entry, FieldPath, Pattern, Table, Written, own_place, path

Convert = Callable[[Any], object]
_HOUR: Final = 3600


class EmptyTextError(ValueError):
    """The text is empty. The model writes such a field by omitting it."""


class Codec(NamedTuple):
    """Two functions that are inverse to each other. `read` raises `ValueError`, `TypeError` or `LookupError` for values that the model lacks."""

    write: Convert
    read: Convert
    alike: bool = False
    """Keys and indices inside the value are the same on both sides, so that a path continues inside."""


def codec(write: Convert, read: Convert, *, alike: bool = False) -> Codec:
    """A codec of lambdas: type checkers do not know their parameters in a named tuple."""
    return Codec(write, read, alike)


def computed(by: Compute) -> Compute:
    """A lambda that computes the value to send, as `codec`."""
    return by


def whole(value: object) -> int:
    """A whole number, also from text.

    Raises:
        ValueError: it is not a whole number.
    """
    return int(str(value))


def _same(value: object) -> object:
    return value


def _texts(value: Mapping[str, object] | Sequence[object]) -> object:
    return {key: str(item) for key, item in value.items()} if isinstance(value, Mapping) else [str(item) for item in value]


def _inverted(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return not value


def _as_text(value: object) -> str:
    return str(value).lower()


def _filled(value: object) -> object:
    if value == "":
        raise EmptyTextError
    return value


def _hours_or_seconds(value: object) -> str:
    number = whole(value)
    return f"{number // _HOUR}h" if number and number % _HOUR == 0 else f"{number}s"


def _to_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _from_base64(text: str) -> str:
    return b64decode(text, validate=True).decode()


SAME: Final = Codec(_same, _same, alike=True)
INVERTED: Final = codec(lambda value: None if value else True, _inverted)
"""The wire has the negated value, and only sends it if it is true."""
OPPOSITE: Final = codec(lambda value: not value, _inverted)
"""The wire has the negated value, and always sends it."""
BOOL_AS_TEXT: Final = codec(_as_text, lambda value: {"true": True, "false": False}[_as_text(value)])
WHOLE_AS_TEXT: Final = Codec(_as_text, whole)
NUMBER_AS_TEXT: Final = codec(_as_text, lambda value: float(str(value)))
IDS: Final = codec(lambda value: [{"id": item} for item in value], lambda value: [item["id"] for item in value])
"""Each entry is a mapping with only its id."""
TEXTS: Final = Codec(_texts, _same, alike=True)
"""Each entry is text on the wire."""
NUMBERS_AS_TEXT: Final = codec(_texts, lambda value: [whole(item) for item in value], alike=True)
UNLESS_ZERO: Final = codec(_same, lambda value: value if value != 0 else None)
"""On the wire, 0 means the cloud default."""
EMPTY_IS_NONE: Final = codec(_same, lambda value: None if value == "" else value)
"""Text; an empty one means the same as none."""
FILLED: Final = codec(lambda text: text if text else None, _filled)
"""Text that is omitted if it is empty."""
IF_ON: Final = codec(lambda value: True if value else None, _same)
"""Only true is sent."""
MINUTES: Final = codec(lambda duration: seconds(duration) // 60, lambda number: f"{whole(number)}m")
SECONDS: Final = Codec(seconds, _hours_or_seconds)
JSON: Final = codec(lambda value: json.dumps(value) if value else None, lambda text: json.loads(str(text)))
"""JSON as text; an empty value is not sent."""
BASE64: Final = Codec(_to_base64, _from_base64)
BASE64_TEXTS: Final = codec(lambda texts: list(map(_to_base64, texts)), lambda texts: list(map(_from_base64, texts)))


class Always(NamedTuple):
    """A place with the same value in every object."""

    wire: str
    word: object
    change: Change | None = None

    def write(self, part: Model, out: Writing) -> None:
        """Writes the constant."""
        del part
        out.put(self.wire, self.word)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Lists any other value."""
        value = reading.at(written, self.wire)
        if value is not None and value is not UNKNOWN and value != self.word:
            reading.report_unread((*place, *path(self.wire)), value, Why.ANOTHER_WORD, self.word)
        return {}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its place."""
        yield FieldPath((), path(self.wire), self.change, self)

    read_paths = own_place


class Note(NamedTuple):
    """A field or an argument that the other side does not have, so that each has a row."""

    kind: Literal["ours", "derived", "unmodeled", "refused", "read_only"]
    """`ours`: a field that is never sent. `derived`: an argument that follows from other fields. `unmodeled`: an argument that only `overrides` can
    set. `refused`: an argument that `overrides` cannot set either. `read_only`: an argument that only the cloud sets."""
    name: str
    change: Change | None = None
    why: str = ""
    compute: Compute | None = None
    """The value of a derived argument; `None` if the component sends it."""
    since: str = ""
    """The first version of the API that has the argument; empty if the one that the SDKs send by default has it."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes a derived argument."""
        if self.compute is not None:
            out.put(self.name, out.value(part, "", self.compute))

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Lists an argument that has no field."""
        if self.kind in {"unmodeled", "refused"} and (value := reading.at(written, self.name)) is not None:
            reading.report_unread((*place, *path(self.name)), value, Why.UNMODELED, self.why)
        return {}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its place on its own side."""
        is_ours = self.kind == "ours"
        yield FieldPath((self.name,) if is_ours else (), () if is_ours else path(self.name), self.change, self, since=self.since)

    def read_paths(self) -> Iterator[Pattern]:
        """Its argument."""
        if self.kind != "ours":
            yield path(self.name)


class Row(NamedTuple):
    """One field of the model at one place on the wire."""

    field: str
    wire: str
    change: Change | None = None
    codec: Codec = SAME
    compute: Compute | None = None
    also: tuple[str, ...] = ()
    """Other fields that determine the value at the same place."""
    always: bool = False
    """It is sent even if empty, and an object without it is rejected."""
    default: object = None
    """The cloud default, as it is on the wire."""
    absent: object = None
    """The value in the model if nothing is on the wire, if that is not the model's default."""
    empty: bool = False
    """An empty value is sent: it has another meaning than none."""
    since: str = ""
    """The first version of the API that has it; empty if the one that the SDKs send by default has it."""
    words_since: Mapping[str, str] = MappingProxyType({})
    """Values that are newer than the field, with the first version of the API that has each."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes the converted field."""
        value = out.value(part, self.field, self.compute)
        out.put(self.wire, value if value is None or value is UNKNOWN else self.codec.write(value), always=self.always or self.empty)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The converted field; unknown if it cannot be converted."""
        value = reading.at(written, self.wire)
        if value is None:
            return {self.field: self.absent} if self.absent is not None else {}
        try:
            found = self.codec.read(value) if is_known(value) else UNKNOWN
        except UNREADABLE:
            reading.report_unread((*place, *path(self.wire)), value, Why.UNREADABLE)
            found = UNKNOWN
        if found is None or self.since_of(value) > reading.api_version:
            if found is not None and value not in (UNKNOWN, self.default):
                reading.report_unread((*place, *path(self.wire)), value, Why.NEWER, self.since_of(value))
            return {}
        return {self.field: found}

    def since_of(self, value: object) -> str:
        """The first version of the API that has the field with this value; empty if the default version has both."""
        return max(self.since, self.words_since.get(value, "") if isinstance(value, str) else "")

    def field_paths(self) -> Iterator[FieldPath]:
        """One for each field."""
        for name in (self.field, *self.also):
            yield FieldPath((name,), path(self.wire), self.change, self, alike=self.codec.alike, default=self.default, since=self.since)

    read_paths = own_place


def same_word(word: object, other: object) -> bool:
    """Both are the same word or number for a cloud: it ignores the case of enums, and the engine converts text such as `"true"`."""
    return str(word).casefold() == str(other).casefold()


class Presence(NamedTuple):
    """The place on the wire that tells whether a part is set."""

    wire: str
    on: object
    off: tuple[object, ...]
    """Values for "not set". The first one is sent; `None` sends nothing."""


class Part(NamedTuple):
    """A part of the model: in its own mapping, or, if `wire` is empty, among the fields around it."""

    field: str
    wire: str
    rows: Table
    change: Change | None = None
    presence: Presence | None = None
    empty: bool = False
    """An empty mapping is a part without fields, not the absence of the part."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes the part and, if the wire has a value for it, whether it is set."""
        inner = out.value(part, self.field)
        if self.presence is not None and self.field in vars(part):
            out.put(self.presence.wire, inner if inner is UNKNOWN else self.presence.off[0] if inner is None else self.presence.on)
        if inner is UNKNOWN:
            for way in self.field_paths():
                if way.wire:
                    out.put(self.wire if self.wire else ".".join(map(str, way.wire)), UNKNOWN)
        elif isinstance(inner, Model) and self.wire:
            out.put(self.wire, out.entry(self.rows, inner), always=self.empty)
        elif isinstance(inner, Model):
            for row in self.rows.rows:
                row.write(inner, out)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The part, if it is set."""
        word = reading.at(written, self.presence.wire) if self.presence is not None else None
        if self.presence is not None and not same_word(word, self.presence.on):
            if word is None or any(same_word(word, off) for off in self.presence.off if off is not None):
                return {}
            if word is not UNKNOWN:
                reading.report_unread((*place, *path(self.presence.wire)), word, Why.UNREADABLE)
            return {self.field: UNKNOWN}
        if not self.wire:
            return {self.field: reading.found(self.rows, written, place)}
        held = reading.at(written, self.wire)
        if held is None or held is UNKNOWN:
            return {} if held is None else {self.field: UNKNOWN}
        found = reading.entry(self.rows, held, (*place, *path(self.wire)))
        return {self.field: UNKNOWN} if found is None else {self.field: found} if found or self.empty else {}

    def field_paths(self) -> Iterator[FieldPath]:
        """Its own place, and those of its rows."""
        yield FieldPath((self.field,), path(self.presence.wire if self.presence is not None else self.wire), self.change, self)
        for way in self.rows.field_paths:
            change = way.change if way.change is not None else self.change
            yield way._replace(model=(self.field, *way.model), wire=(*path(self.wire), *way.wire) if way.wire else (), change=change)

    def read_paths(self) -> Iterator[Pattern]:
        """Its mapping, or the places of its rows."""
        if self.wire:
            yield path(self.wire)
            return
        yield from self.rows.read_paths
        if self.presence is not None:
            yield path(self.presence.wire)


class Each(NamedTuple):
    """A list of parts. With `key`, the wire has a mapping by the name in that field."""

    field: str
    wire: str
    rows: Table
    change: Change | None = None
    key: str = ""
    always: bool = False
    """It is sent even if empty, and an object without it is rejected."""
    compute: Compute | None = None
    """Parts, and entries in the form in which they are sent."""
    empty: bool = False
    """An empty list is sent: it has another meaning than none."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes every entry."""
        value = out.value(part, self.field, self.compute)
        if value is not UNKNOWN and value is not None:
            parts = cast("Sequence[object]", value)
            entries = [out.entry(self.rows, item) if isinstance(item, Model) else item for item in parts]
            value = dict(zip([str(getattr(item, self.key)) for item in parts], entries, strict=True)) if self.key else entries
        out.put(self.wire, value, always=self.always or self.empty)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Every entry; the whole list is unknown if one entry is."""
        held = reading.at(written, self.wire)
        if held is None:
            return {}
        if not isinstance(held, Mapping if self.key else list | tuple):
            return {self.field: UNKNOWN}
        entries = dict(cast("Mapping[Step, object]", held) if self.key else enumerate(cast("Sequence[object]", held)))
        if UNKNOWN in entries.values():
            return {self.field: UNKNOWN}
        found = [(name, reading.entry(self.rows, item, (*place, *path(self.wire), name))) for name, item in entries.items()]
        if any(item is None for _, item in found):
            return {self.field: UNKNOWN}
        return {self.field: [{**({self.key: name} if self.key else {}), **item} for name, item in found if item is not None]}

    def field_paths(self) -> Iterator[FieldPath]:
        """The list, an entry, and the places in an entry."""
        yield FieldPath((self.field,), path(self.wire), self.change, self)
        names = list if self.key else None
        entry = Entry.NAMED_ON_THE_WIRE if self.key else Entry.NUMBER
        yield FieldPath((self.field, entry), (*path(self.wire), entry), self.change, self, names=names)
        for way in self.rows.field_paths:
            model, wire = (self.field, entry, *way.model), (*path(self.wire), entry, *way.wire)
            yield way._replace(model=model, wire=wire, change=way.change if way.change is not None else self.change, names=names)

    read_paths = own_place


class Pairs(NamedTuple):
    """A mapping in the model that is a list of names and values on the wire."""

    field: str
    wire: str
    key: str
    value: str
    change: Change | None = None
    within: str = ""
    """The field of each part in the model that has the value; without it, the value itself is in the mapping."""
    compute: Compute | None = None
    """Values by name, if they are not the field alone."""

    def write(self, part: Model, out: Writing) -> None:
        """Writes every pair."""
        held = out.value(part, self.field, self.compute)
        if isinstance(held, Mapping):
            held = [{out.spell(self.key): name, out.spell(self.value): item} for name, item in cast("Written", held).items()]
        out.put(self.wire, held)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """The mapping; unknown if the list has other entries than pairs."""
        del place
        held = reading.at(written, self.wire)
        if held is None:
            return {}
        pairs = cast("Sequence[Written]", held) if isinstance(held, list | tuple) and is_known(cast("object", held)) else None
        if pairs is None or not all(isinstance(pair, Mapping) and {self.key, self.value} <= pair.keys() for pair in cast("Sequence[object]", pairs)):
            return {self.field: UNKNOWN}
        return {self.field: {pair[self.key]: {self.within: pair[self.value]} if self.within else pair[self.value] for pair in pairs}}

    def field_paths(self) -> Iterator[FieldPath]:
        """The list, and the value of a pair."""
        yield FieldPath((self.field,), path(self.wire), self.change, self)
        entry = Entry.NAMED_IN_THE_MODEL
        inside = (self.within,) if self.within else ()
        yield FieldPath((self.field, entry, *inside), (*path(self.wire), entry, self.value), self.change, self, names=self._names)

    read_paths = own_place

    def _names(self, held: Sequence[Written]) -> list[object]:
        return [item.get(self.key) for item in held]


HEADROOM: Final = Change(Effect.IN_PLACE, "nodes are added or removed until the room is there; placeholder pods are created, replaced or deleted")
"""What another headroom of a pool does."""
OBJECT_SETTINGS: Final = (
    Note("ours", "timeouts", Change(Effect.NONE, "not sent"), "how long Pulumi waits"),
    Note("ours", "overrides", Change(Effect.UNKNOWN, "the effect of the field that it replaces"), "replace fields of the finished `spec`"),
)
"""Fields about an object that are not fields of its `spec`."""
