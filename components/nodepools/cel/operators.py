"""The operators of expressions."""

import math
from collections.abc import Callable, Mapping
from typing import Final, cast

from nodepools.cel.meter import EvaluationError, Meter, MismatchError
from nodepools.cel.values import (
    LARGEST_INT,
    LARGEST_UINT,
    SMALLEST_INT,
    Duration,
    MapList,
    Optional,
    SetList,
    Struct,
    Timestamp,
    UInt,
    compared,
    contains,
    equal,
    is_number,
    named,
    same_key,
    size,
)


def bounded(number: int, *, is_unsigned: bool = False) -> int:
    """Returns a number of 64 bits.

    Raises:
        EvaluationError: it has more.
    """
    if not (0 if is_unsigned else SMALLEST_INT) <= number <= (LARGEST_UINT if is_unsigned else LARGEST_INT):
        raise EvaluationError("integer overflow")
    return UInt(number) if is_unsigned else number


def _mismatch(symbol: str, left: object, right: object) -> MismatchError:
    return MismatchError(f"uses `{symbol}` with {named(left)} and {named(right)}")


def _plus(left: object, right: object, meter: Meter) -> object:
    if type(left) is int and type(right) is int:
        meter.left -= 1
        return bounded(left + right)
    if isinstance(left, str | bytes) and type(left) is type(right):
        text = cast("str", right)
        meter.build(len(left) + len(text))
        meter.traverse(len(left) + len(text))
        return cast("str", left) + text
    meter.spend(1)
    if isinstance(left, list) and isinstance(right, list):
        meter.build(len(cast("list[object]", left)) + len(cast("list[object]", right)))
        return _joined(cast("list[object]", left), cast("list[object]", right))
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        return Timestamp(left.nanoseconds + right.nanoseconds)
    if isinstance(left, Duration) and isinstance(right, Timestamp | Duration):
        return type(right)(left.nanoseconds + right.nanoseconds)
    return _calculated("+", cast("object", left), right)


def _joined(left: list[object], right: list[object]) -> list[object]:
    if isinstance(left, SetList):
        return SetList([*left, *(item for item in right if not contains(left, item))])
    if isinstance(left, MapList):
        kept = [next((other for other in reversed(right) if same_key(left, item, other)), item) for item in left]
        made = MapList([*kept, *(item for item in right if not any(same_key(left, item, other) for other in left))])
        made.keys = left.keys
        return made
    return [*left, *right]


def _minus(left: object, right: object, meter: Meter) -> object:
    meter.spend(1)
    if isinstance(left, Timestamp) and isinstance(right, Timestamp | Duration):
        made = Duration if isinstance(right, Timestamp) else Timestamp
        return made(left.nanoseconds - right.nanoseconds)
    if isinstance(left, Duration) and isinstance(right, Duration):
        return Duration(left.nanoseconds - right.nanoseconds)
    return _calculated("-", left, right)


def _arithmetic(symbol: str) -> Callable[[object, object, Meter], object]:
    def applied(left: object, right: object, meter: Meter) -> object:
        meter.spend(1)
        return _calculated(symbol, left, right)

    return applied


def _modulo(left: object, right: object, meter: Meter) -> object:
    meter.spend(1)
    if isinstance(left, float):
        raise _mismatch("%", left, right)
    return _calculated("%", left, right)


_WHOLE: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1),
    "%": lambda left, right: abs(left) % abs(right) * (-1 if left < 0 else 1),
}


def _calculated(symbol: str, left: object, right: object) -> object:
    """Calculates with two numbers of the same type. Whole numbers are cut toward zero."""
    if type(left) is not type(right) or not is_number(left):
        raise _mismatch(symbol, left, right)
    if isinstance(left, float):
        return (
            _divided(left, cast("float", right))
            if symbol == "/"
            else cast("Callable[[float, float], float]", _WHOLE[symbol])(left, cast("float", right))
        )
    one, other = cast("tuple[int, int]", (left, right))
    if symbol in "/%" and other == 0:
        raise EvaluationError("division by zero" if symbol == "/" else "modulus by zero")
    return bounded(_WHOLE[symbol](one, other), is_unsigned=isinstance(left, UInt))


def _divided(left: float, right: float) -> float:
    if right == 0:
        return math.nan if left == 0 or math.isnan(left) else math.copysign(math.inf, left) * math.copysign(1, right)
    return left / right


def _is_in(left: object, right: object, meter: Meter) -> object:
    meter.spend(len(cast("list[object]", right)) if isinstance(right, list) else 1)
    if isinstance(right, list):
        return contains(cast("list[object]", right), left)
    if isinstance(right, dict):
        return has_key(cast("dict[object, object]", right), left)
    raise _mismatch("in", left, right)


def _cost_of_comparison(left: object, right: object, meter: Meter) -> None:
    meter.spend(-(-min(size(left), size(right)) // 10))


def _equals(left: object, right: object, meter: Meter) -> object:
    _cost_of_comparison(left, right, meter)
    return equal(left, right)


def _differs(left: object, right: object, meter: Meter) -> object:
    _cost_of_comparison(left, right, meter)
    return not equal(left, right)


def _ordering(holds: Callable[[int], bool]) -> Callable[[object, object, Meter], object]:
    def ordered(left: object, right: object, meter: Meter) -> object:
        if type(left) is int and type(right) is int:
            meter.left -= 1
            return holds(left - right)
        _cost_of_comparison(left, right, meter)
        return holds(compared(left, right))

    return ordered


BINARY: Final[Mapping[str, Callable[[object, object, Meter], object]]] = {
    "+": _plus,
    "-": _minus,
    "*": _arithmetic("*"),
    "/": _arithmetic("/"),
    "%": _modulo,
    "in": _is_in,
    "==": _equals,
    "!=": _differs,
    "<": _ordering(lambda sign: sign < 0),
    "<=": _ordering(lambda sign: sign <= 0),
    ">": _ordering(lambda sign: sign > 0),
    ">=": _ordering(lambda sign: sign >= 0),
}


def negated(value: object) -> object:
    """Returns `-value`."""
    if isinstance(value, float):
        return -value
    if type(value) is int:
        return bounded(-value)
    raise MismatchError(f"negates {named(value)}")


def field(target: object, name: str) -> object:
    """Returns a field of an object, or an entry of a map."""
    if isinstance(target, Struct):
        if not target.has(name):
            raise EvaluationError(f"no such key: {name}")
        return target.get(name)
    if isinstance(target, dict):
        entries = cast("dict[object, object]", target)
        if name not in entries:
            raise EvaluationError(f"no such key: {name}")
        return entries[name]
    if isinstance(target, Optional):
        return optional_field(target, name)
    raise MismatchError(f"reads the field `{name}` of {named(target)}")


def optional_field(target: object, name: str) -> Optional:
    """Returns a field if it is set: `of.?name`."""
    inner = target.value if isinstance(target, Optional) else target
    if (isinstance(target, Optional) and not target.is_there) or not has_field(inner, name):
        return Optional()
    return Optional(field(inner, name), is_there=True)


def has_field(target: object, name: str) -> bool:
    """Whether a field is set: `has(of.name)`."""
    if isinstance(target, Struct):
        return target.has(name)
    if isinstance(target, dict):
        return name in target
    if isinstance(target, Optional):
        return target.is_there and has_field(target.value, name)
    raise MismatchError(f"reads the field `{name}` of {named(target)}")


def entry(target: object, key: object) -> object:
    """Returns an entry of a list or a map."""
    if isinstance(target, Optional):
        return optional_entry(target, key)
    if isinstance(target, list):
        elements = cast("list[object]", target)
        index = _index(key)
        if not 0 <= index < len(elements):
            raise EvaluationError(f"index out of bounds: {index}")
        return elements[index]
    if isinstance(target, dict):
        entries = cast("dict[object, object]", target)
        if not has_key(entries, key):
            raise EvaluationError("no such key")
        return entries[key]
    raise MismatchError(f"reads an entry of {named(target)}")


def optional_entry(target: object, key: object) -> Optional:
    """Returns an entry if it is there: `of[?key]`."""
    if isinstance(target, Optional):
        return optional_entry(target.value, key) if target.is_there else Optional()
    try:
        return Optional(entry(target, key), is_there=True)
    except EvaluationError:
        return Optional()


def _index(key: object) -> int:
    if is_number(key) and cast("float", key) == int(cast("float", key)):
        return int(cast("float", key))
    raise MismatchError(f"uses {named(key)} as an index")


def has_key(target: dict[object, object], key: object) -> bool:
    """Whether a map has a key."""
    if not isinstance(key, bool | int | float | str):
        raise MismatchError(f"uses {named(key)} as the key of a map")
    return key in target
