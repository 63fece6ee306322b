"""Values of expressions: which Python type holds which, when two are equal, and how they are ordered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Final, cast

from nodepools.cel.meter import EvaluationError, MismatchError

SMALLEST_INT: Final = -(2**63)
LARGEST_INT: Final = 2**63 - 1
LARGEST_UINT: Final = 2**64 - 1


class UInt(int):
    """A whole number without a sign."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value, itself a value: `int`."""

    name: str


@dataclass(frozen=True, slots=True)
class Optional:
    """A value that may not be there."""

    value: object = None
    is_there: bool = False


NONE: Final = Optional()


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span of time in nanoseconds."""

    nanoseconds: int


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A moment, in nanoseconds since 1970 in UTC."""

    nanoseconds: int


class SetList(list[object]):
    """A list whose schema says that it is a set: its order has no meaning."""


class MapList(list[object]):
    """A list whose schema says that it is a map: these fields of an element identify it."""

    keys: tuple[str, ...] = ()


class Struct:
    """An object with declared fields. Its values are read when an expression asks for them."""

    __slots__ = ("_read", "declared", "raw")

    def __init__(self, raw: Mapping[str, object], declared: Mapping[str, str], read: Callable[[str, object], object]) -> None:
        """Holds an object whose fields have the names of `declared` in expressions."""
        self.raw, self.declared, self._read = raw, declared, read

    def has(self, name: str) -> bool:
        """Whether the field is set. For rules, one that is null is not.

        Raises:
            MismatchError: the schema does not declare it.
        """
        if name not in self.declared:
            raise MismatchError(f"uses the field `{name}`, which the schema does not declare")
        return self.raw.get(self.declared[name]) is not None

    def get(self, name: str) -> object:
        """Returns the value of a field that is set."""
        written = self.declared[name]
        return self._read(written, self.raw[written])

    def fields(self) -> dict[str, object]:
        """Returns the values of all fields that are set."""
        return {name: self.get(name) for name in self.declared if self.has(name)}


TYPES: Final[Mapping[type, str]] = {
    bool: "bool",
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    SetList: "list",
    MapList: "list",
    dict: "map",
    Struct: "object",
    NoneType: "null_type",
    Type: "type",
    Optional: "optional_type",
    Duration: "google.protobuf.Duration",
    Timestamp: "google.protobuf.Timestamp",
}


def named(value: object) -> str:
    """Returns the type of a value as messages show it."""
    return TYPES.get(type(value), type(value).__name__)


def is_number(value: object) -> bool:
    """Whether a value is a number; `true` is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(left: object, right: object) -> bool:
    """Whether two values are equal. Numbers of different types can be; all other types differ."""
    if is_number(left) and is_number(right):
        return left == right
    if isinstance(left, list) and isinstance(right, list):
        return _equal_lists(cast("list[object]", left), cast("list[object]", right))
    if isinstance(left, dict) and isinstance(right, dict):
        return _equal_maps(cast("dict[object, object]", left), cast("dict[object, object]", right))
    if isinstance(left, Struct) and isinstance(right, Struct):
        return _equal_maps(cast("dict[object, object]", left.fields()), cast("dict[object, object]", right.fields()))
    if isinstance(left, Optional) and isinstance(right, Optional):
        return left.is_there == right.is_there and equal(left.value, right.value)
    return type(cast("object", left)) is type(right) and left == right


def _equal_maps(left: dict[object, object], right: dict[object, object]) -> bool:
    return left.keys() == right.keys() and all(equal(value, right[key]) for key, value in left.items())


def _equal_lists(left: Sequence[object], right: Sequence[object]) -> bool:
    if len(left) != len(right):
        return False
    if isinstance(left, SetList):
        return all(contains(right, item) for item in left)
    if isinstance(left, MapList):
        return all(any(same_key(left, item, other) and equal(item, other) for other in right) for item in left)
    return all(equal(item, other) for item, other in zip(left, right, strict=True))


def contains(elements: Sequence[object], value: object) -> bool:
    """Whether a list contains a value."""
    if type(value) is str:  # equal to nothing but texts, which Python compares faster
        return value in elements
    return any(equal(element, value) for element in elements)


def same_key(target: MapList, item: object, other: object) -> bool:
    """Whether two elements of a list that is a map have the same key."""
    return all(equal(entry(item, key), entry(other, key)) for key in target.keys)


def entry(value: object, key: str) -> object:
    """Returns a field of an object, nothing if it is not set."""
    if isinstance(value, Struct):
        return value.get(key) if value.has(key) else None
    return cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None


def compared(left: object, right: object) -> int:
    """Returns -1, 0 or 1, as `left` is less than, equal to or greater than `right`.

    Raises:
        MismatchError: these types have no order.
        EvaluationError: one is not a number (NaN).
    """
    if is_number(left) and is_number(right):
        if left != left or right != right:  # noqa: PLR0124  # only NaN differs from itself
            raise EvaluationError("NaN values cannot be ordered")
        return _sign(left, right)
    if type(left) is type(right) and isinstance(left, bool | str | bytes | Duration | Timestamp):
        return _sign(left, right)
    raise MismatchError(f"compares {named(left)} with {named(right)}")


def _sign(left: object, right: object) -> int:
    one, other = cast("tuple[int, int]", (left, right))
    return (one > other) - (one < other)


_SIZED: Final = frozenset((str, bytes, list, SetList, MapList, dict))


def size(value: object) -> int:
    """Returns the size that the cost of a function depends on: of a text, a list or a map, otherwise 1."""
    return len(cast("str", value)) if type(value) in _SIZED else 1


def condition(value: object) -> bool:
    """Returns a value that must be true or false.

    Raises:
        MismatchError: it is neither.
    """
    if not isinstance(value, bool):
        raise MismatchError(f"uses {named(value)} as a condition")
    return value
