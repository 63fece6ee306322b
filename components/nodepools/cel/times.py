"""Durations and timestamps: how they are written, and their parts."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nodepools.cel.errors import EvaluationError
from nodepools.cel.functions import Variant, function, member
from nodepools.cel.values import LARGEST_INT, Duration, Timestamp

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
    return f"{sign}{_decimal(abs(target.nanoseconds))}s"


def timestamp_text(target: Timestamp) -> str:
    """Returns a timestamp of RFC 3339 in UTC."""
    rest = target.nanoseconds % _SECOND
    return f"{moment(target).replace(tzinfo=None, microsecond=0).isoformat()}{_decimal(rest)[1:] if rest else ''}Z"


def _decimal(nanoseconds: int) -> str:
    declaration, rest = divmod(nanoseconds, _SECOND)
    return f"{declaration}.{rest:09d}".rstrip("0") if rest else str(declaration)


def _zone(name: str) -> tzinfo:
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        return timezone((-1 if offset[1] == "-" else 1) * timedelta(hours=int(offset[2]), minutes=int(offset[3])))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
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
