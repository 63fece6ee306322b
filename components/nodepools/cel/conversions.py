"""Conversions between types, the text of a value, and durations and timestamps."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nodepools.cel.functions import Variant, function, member, text
from nodepools.cel.meter import EvaluationError
from nodepools.cel.operators import bounded
from nodepools.cel.values import LARGEST_INT, Duration, Timestamp, UInt

_SECOND: Final = 1_000_000_000
_UNITS: Final = {"ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": _SECOND, "m": 60 * _SECOND, "h": 3600 * _SECOND}
_NUMBER: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)")
_DURATION: Final = re.compile(r"[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+|[-+]?0")
_TIMESTAMP: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,]([0-9]+))?(Z|[-+][0-9]{2}:[0-9]{2})")
_OFFSET: Final = re.compile(r"([-+]?)([0-9]{2}):([0-9]{2})")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def duration(text: str) -> Duration:
    """Reads a duration as Go writes it: `1h30m`.

    Raises:
        EvaluationError: it is not one.
    """
    if not _DURATION.fullmatch(text):
        raise EvaluationError("a text is not a duration")
    total = 0
    for declaration, part, unit in _NUMBER.findall(text):
        digits = f"{declaration}{part}"
        total += int(digits) * _UNITS[unit] // 10 ** len(part) if digits else 0
    if total > LARGEST_INT:
        raise EvaluationError("a duration is longer than 290 years")
    return Duration(-total if text.startswith("-") else total)


def timestamp(text: str) -> Timestamp:
    """Reads a timestamp of RFC 3339.

    Raises:
        EvaluationError: it is not one.
    """
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise EvaluationError("a text is not a timestamp")
    try:
        moment = datetime.fromisoformat(f"{match[1]}{'+00:00' if match[3] == 'Z' else match[3]}")
    except ValueError:
        raise EvaluationError("a text is not a timestamp") from None
    fraction = int((match[2] if match[2] is not None else "").ljust(9, "0")[:9])
    return Timestamp((moment - _EPOCH) // timedelta(seconds=1) * _SECOND + fraction)


def date(text: str) -> Timestamp:
    """Reads a date as the moment of its midnight.

    Raises:
        EvaluationError: it is not one.
    """
    return timestamp(f"{text}T00:00:00Z")


def moment(target: Timestamp, zone: tzinfo = UTC) -> datetime:
    """Returns a timestamp as a date and time, without the nanoseconds.

    Raises:
        EvaluationError: it is not between the years 1 and 9999.
    """
    try:
        return (_EPOCH + timedelta(microseconds=target.nanoseconds // 1000)).astimezone(zone)
    except OverflowError:
        raise EvaluationError("timestamp overflow") from None


def duration_text(target: Duration) -> str:
    """Returns a duration in seconds: `90s`."""
    sign = "-" if target.nanoseconds < 0 else ""
    return f"{sign}{_decimal_seconds(abs(target.nanoseconds))}s"


def timestamp_text(target: Timestamp) -> str:
    """Returns a timestamp of RFC 3339 in UTC."""
    rest = target.nanoseconds % _SECOND
    return f"{moment(target).replace(tzinfo=None, microsecond=0).isoformat()}{_decimal_seconds(rest)[1:] if rest else ''}Z"


def _decimal_seconds(nanoseconds: int) -> str:
    declaration, rest = divmod(nanoseconds, _SECOND)
    return f"{declaration}.{rest:09d}".rstrip("0") if rest else str(declaration)


def _zone(name: str) -> tzinfo:
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        return timezone((-1 if offset[1] == "-" else 1) * timedelta(hours=int(offset[2]), minutes=int(offset[3])))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError, RecursionError):
        raise EvaluationError("unknown time zone") from None


def _part(name: str, target: Callable[[datetime], int]) -> tuple[Variant, ...]:
    """Returns the function of a part of a timestamp, in UTC or in a time zone."""
    return (
        member(name, (Timestamp,), lambda value: target(moment(value))),
        member(name, (Timestamp, str), lambda value, zone: target(moment(value, _zone(zone)))),
    )


def _of_duration(name: str, unit: int) -> Variant:
    return member(name, (Duration,), lambda value: abs(value.nanoseconds) // unit * (-1 if value.nanoseconds < 0 else 1))


TIMES: Final[tuple[Variant, ...]] = (
    function("duration", (str,), duration),
    function("duration", (Duration,), lambda value: value),
    function("timestamp", (str,), timestamp),
    function("timestamp", (int,), lambda value: Timestamp(value * _SECOND)),
    function("timestamp", (Timestamp,), lambda value: value),
    *_part("getFullYear", lambda value: value.year),
    *_part("getMonth", lambda value: value.month - 1),
    *_part("getDate", lambda value: value.day),
    *_part("getDayOfMonth", lambda value: value.day - 1),
    *_part("getDayOfWeek", lambda value: value.isoweekday() % 7),
    *_part("getDayOfYear", lambda value: value.timetuple().tm_yday - 1),
    *_part("getHours", lambda value: value.hour),
    *_part("getMinutes", lambda value: value.minute),
    *_part("getSeconds", lambda value: value.second),
    *_part("getMilliseconds", lambda value: value.microsecond // 1000),
    _of_duration("getHours", _UNITS["h"]),
    _of_duration("getMinutes", _UNITS["m"]),
    _of_duration("getSeconds", _UNITS["s"]),
    member("getMilliseconds", (Duration,), lambda value: value.nanoseconds // 1_000_000),
)


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
    function("string", (bool,), lambda value: "true" if value else "false"),
    function("string", (int,), str),
    function("string", (UInt,), lambda value: str(int(value))),
    function("string", (float,), double_text),
    function("string", (bytes,), _decoded, text),
    function("string", (Timestamp,), timestamp_text),
    function("string", (Duration,), duration_text),
    function("dyn", (object,), lambda value: value),
)
