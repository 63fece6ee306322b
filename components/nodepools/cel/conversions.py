"""Conversions between types, and the text of a value."""

import math
import re
from collections.abc import Callable
from typing import Final

from nodepools.cel.errors import EvaluationError
from nodepools.cel.functions import Variant, function, text
from nodepools.cel.operators import bounded
from nodepools.cel.times import duration_text, timestamp_text
from nodepools.cel.values import Duration, Timestamp, UInt

_SECOND: Final = 1_000_000_000
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,20}")
_DOUBLE: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?:inf|infinity)|nan", re.IGNORECASE)
_BOOLEANS: Final = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}
_LEAST_WITH_EXPONENT: Final = 21
_MOST_ZEROS: Final = -4


def _whole(*, is_unsigned: bool) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not _INTEGER.fullmatch(value) or (is_unsigned and value[0] in "+-"):
            raise EvaluationError("a text is not a whole number")
        return bounded(int(value), is_unsigned=is_unsigned)

    return read


def _cut(*, is_unsigned: bool) -> Callable[[float], int]:
    def cut(value: float) -> int:
        if not math.isfinite(value):
            raise EvaluationError("integer overflow")
        return bounded(int(value), is_unsigned=is_unsigned)

    return cut


def _double(value: str) -> float:
    if not _DOUBLE.fullmatch(value):
        raise EvaluationError("a text is not a number")
    return float(value)


def _boolean(value: str) -> bool:
    if value not in _BOOLEANS:
        raise EvaluationError("a text is not a boolean")
    return _BOOLEANS[value]


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def double_text(value: float) -> str:
    """Returns a number as Go prints it in its shortest form."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'+' if value > 0 else '-'}Inf"
    sign, digits, exponent = _decimal(value)
    point = len(digits) + exponent
    if point - 1 < _MOST_ZEROS or point - 1 >= _LEAST_WITH_EXPONENT:
        return f"{sign}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{'-' if point < 1 else '+'}{abs(point - 1):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[:point].ljust(point, '0')}{'.' if len(digits) > point else ''}{digits[point:]}"


def _decimal(value: float) -> tuple[str, str, int]:
    """Returns the sign, the shortest digits, and the exponent of the last digit."""
    mantissa, _, exponent = f"{value!r}".partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    declaration, _, part = mantissa.lstrip("-").partition(".")
    part = "" if part == "0" else part
    digits = f"{declaration}{part}".lstrip("0")
    places = (int(exponent) if exponent else 0) - len(part)
    kept = digits.rstrip("0")
    return sign, kept or "0", places + len(digits) - len(kept) if kept else 0


def _bool_text(value: bool) -> str:  # noqa: FBT001  # called by its place
    return "true" if value else "false"


CONVERSIONS: Final[tuple[Variant, ...]] = (
    function("bool", (bool,), lambda value: value),
    function("bool", (str,), _boolean),
    function("bytes", (bytes,), lambda value: value),
    function("bytes", (str,), str.encode, text),
    function("double", (float,), lambda value: value),
    function("double", (int,), float),
    function("double", (UInt,), float),
    function("double", (str,), _double),
    function("int", (int,), lambda value: value),
    function("int", (UInt,), lambda value: bounded(int(value))),
    function("int", (float,), _cut(is_unsigned=False)),
    function("int", (str,), _whole(is_unsigned=False)),
    function("int", (Timestamp,), lambda value: value.nanoseconds // _SECOND),
    function("int", (Duration,), lambda value: value.nanoseconds),
    function("uint", (UInt,), lambda value: value),
    function("uint", (int,), lambda value: bounded(value, is_unsigned=True)),
    function("uint", (float,), _cut(is_unsigned=True)),
    function("uint", (str,), _whole(is_unsigned=True)),
    function("string", (str,), lambda value: value),
    function("string", (bool,), _bool_text),
    function("string", (int,), str),
    function("string", (UInt,), lambda value: str(int(value))),
    function("string", (float,), double_text),
    function("string", (bytes,), _decoded, text),
    function("string", (Timestamp,), timestamp_text),
    function("string", (Duration,), duration_text),
    function("dyn", (object,), lambda value: value),
)
