"""The properties of a resource as they were sent: plain values, among which secret ones and unknown ones show as what they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from operator import methodcaller
from typing import NoReturn, TypeAlias, cast

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine import property_values, signatures

__tracebackhide__ = methodcaller("errisinstance", AssertionError)  # pytest shows the question, not how it was answered


class Unknown(Enum):
    """A value that only an update could tell."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return self.name


UNKNOWN = Unknown.UNKNOWN
"""Stands for every value that a preview does not know."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Secret:
    """A secret value. It equals what it holds, and no message shows it: `reveal()` does."""

    _value: "Plain"

    def reveal(self) -> "Plain":
        """What it holds."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return self._value == (other._value if isinstance(other, Secret) else other)

    def __contains__(self, part: object) -> bool:
        value = self._value
        return isinstance(part, str) and isinstance(value, str | Mapping) and part in value

    def __hash__(self) -> int:
        return hash(str(self._value))

    def __repr__(self) -> str:
        return "<secret>"


Plain: TypeAlias = "bool | int | float | str | Unknown | Secret | Sequence[Plain] | Mapping[str, Plain] | None"
Step: TypeAlias = str | int


class NoSuchPropertyError(AssertionError, KeyError):
    """Nothing stands there, or something of another type; the message shows what does."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would quote it


class Properties(Mapping[str, Plain]):
    """Property by its name in the provider's schema: `vmSize`, as plans and `preview` spell it; not `vm_size`.

    A secret is a `Secret`, a value that is not known in a preview is `UNKNOWN`. What stands deeper is asked for step by step, by names and
    numbers of list items: `inputs.at("networkProfile", "podCidr")`. `text`, `number`, `sequence`, `mapping` and `mappings` say of what type it
    has to be, and open secrets.
    """

    def __init__(self, sent: Struct) -> None:
        self._sent = sent

    def at(self, *path: Step) -> Plain:
        """What stands at `path`; inside a secret it is a `Secret` itself.

        Raises:
            NoSuchPropertyError: nothing stands there.
        """
        value, hidden = self._find(path)
        plain = _plain(value)
        return Secret(plain) if hidden and not isinstance(plain, Secret | Unknown) else plain

    def has(self, *path: Step) -> bool:
        """Whether anything stands at `path`."""
        try:
            self._find(path)
        except NoSuchPropertyError:
            return False
        return True

    def secret(self, *path: Step) -> bool:
        """Whether what stands at `path` is a secret, or lies inside one.

        Raises:
            NoSuchPropertyError: nothing stands there.
        """
        value, hidden = self._find(path)
        return hidden or property_values.is_secret(value)

    def text(self, *path: Step) -> str:
        """The text at `path`.

        Raises:
            NoSuchPropertyError: no text stands there.
        """
        value = _open(self.at(*path))
        return value if isinstance(value, str) else _not(path, self.at(*path), "text")

    def number(self, *path: Step) -> float:
        """The number at `path`; a whole one is an `int`.

        Raises:
            NoSuchPropertyError: no number stands there.
        """
        value = _open(self.at(*path))
        return value if isinstance(value, int | float) and not isinstance(value, bool) else _not(path, self.at(*path), "number")

    def sequence(self, *path: Step) -> Sequence[Plain]:
        """The list at `path`.

        Raises:
            NoSuchPropertyError: no list stands there.
        """
        value = _open(self.at(*path))
        return cast("Sequence[Plain]", value) if isinstance(value, list) else _not(path, self.at(*path), "list")

    def mapping(self, *path: Step) -> "Properties":
        """The mapping at `path`, to be asked further.

        Raises:
            NoSuchPropertyError: no mapping stands there.
        """
        value, hidden = _unmarked(*self._find(path))
        if not value.HasField("struct_value"):
            _not(path, self.at(*path), "mapping")
        fields = value.struct_value.fields
        return Properties(Struct(fields={name: property_values.secret(part) for name, part in fields.items()}) if hidden else value.struct_value)

    def mappings(self, *path: Step) -> "Sequence[Properties]":
        """The mappings in the list at `path`, to be asked further.

        Raises:
            NoSuchPropertyError: no list stands there, or one of other things.
        """
        return [self.mapping(*path, number) for number in range(len(self.sequence(*path)))]

    def _find(self, path: tuple[Step, ...]) -> tuple[Value, bool]:
        """What was sent at `path`, and whether it lies inside a secret."""
        value, hidden = Value(struct_value=self._sent), False
        for number, step in enumerate(path):
            value, hidden = _unmarked(value, hidden)
            value = _part(value, step, path[: number + 1])
        return value, hidden

    def __getitem__(self, name: str) -> Plain:
        return self.at(name)

    def __contains__(self, name: object) -> bool:
        return name in self._sent.fields

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._sent.fields))

    def __len__(self) -> int:
        return len(self._sent.fields)

    def __repr__(self) -> str:
        return repr(dict(self))


def _plain(value: Value) -> Plain:
    if value.string_value == signatures.UNKNOWN:
        return UNKNOWN
    if property_values.is_secret(value):
        inner = _plain(value.struct_value.fields["value"])
        return inner if isinstance(inner, Secret | Unknown) else Secret(inner)
    return _converted(value, _plain)


def _converted(value: Value, convert: Callable[[Value], Plain]) -> Plain:
    match value.WhichOneof("kind"):
        case "struct_value":
            return {name: convert(part) for name, part in sorted(value.struct_value.fields.items())}
        case "list_value":
            return [convert(part) for part in value.list_value.values]
        case "number_value":  # every number is a float on the wire
            return int(value.number_value) if value.number_value.is_integer() else value.number_value
        case "bool_value":
            return value.bool_value
        case "string_value":
            return value.string_value
        case _:
            return None


def _open(value: Plain) -> Plain:
    return value.reveal() if isinstance(value, Secret) else value


def _unmarked(value: Value, hidden: bool) -> tuple[Value, bool]:  # noqa: FBT001  # what was found on the way
    """The value without its mark, and whether it is secret or lies in a secret."""
    return (value.struct_value.fields["value"], True) if property_values.is_secret(value) else (value, hidden)


def _part(value: Value, step: Step, path: tuple[Step, ...]) -> Value:
    if value.string_value == signatures.UNKNOWN:
        raise NoSuchPropertyError(f"{_spelled(path[:-1])} is not known in this preview, so nothing in it is")
    if isinstance(step, str) and value.HasField("struct_value"):
        fields = value.struct_value.fields
        if step in fields:
            return fields[step]
        raise NoSuchPropertyError(_missing(path, list(fields)))
    if isinstance(step, int) and value.HasField("list_value"):
        items = value.list_value.values
        if -len(items) <= step < len(items):
            return items[step]
        raise NoSuchPropertyError(f"no property '{_spelled(path)}'; {_spelled(path[:-1])} has {len(items)} items")
    return _not(path[:-1], _plain(value), "mapping" if isinstance(step, str) else "list")


def _missing(path: tuple[Step, ...], there: Sequence[str]) -> str:
    nearest = get_close_matches(str(path[-1]), there, n=1, cutoff=0.4)
    return f"no property '{_spelled(path)}'" + (f"; nearest: {nearest[0]!r}" if nearest else f"; there are {sorted(there)}")


def _not(path: tuple[Step, ...], value: Plain, wanted: str) -> NoReturn:
    told = "is not known in this preview" if value is UNKNOWN else f"is {value!r}"
    raise NoSuchPropertyError(f"{_spelled(path)} {told}, no {wanted}")


def _spelled(path: tuple[Step, ...]) -> str:
    """`spec.taints[0].key`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
