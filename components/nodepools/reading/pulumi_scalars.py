"""Reads unquoted scalars as the Pulumi CLI does (Go's yaml.v3): `yes` and `12:30` are text, `012` is 10, and dates are times.

Source: what `LoadProject` and `LoadProjectStack` of github.com/pulumi/pulumi 3.274.1 return for 236 project and stack files (2026-11-27).
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from nodepools.reading.yaml_scalars import Dialect, as_key

_WORDS: Final[dict[str, object]] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{f"{sign}{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_WHOLE: Final = (
    (re.compile(r"[-+]?(0|[1-9][0-9]*)"), 10),
    (re.compile(r"[-+]?0[xX][0-9a-fA-F]+"), 16),
    (re.compile(r"[-+]?0[oO]?[0-7]+"), 8),
    (re.compile(r"[-+]?0[bB][01]+"), 2),
)
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?P<between>[Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.(?P<fraction>[0-9]+))?(?P<zone>Z|[-+][0-9]{2}:[0-9]{2})?)?"
)
_LONGEST: Final = 100
"""The maximum length of a number, in characters."""


def _plain(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-." or len(text) > _LONGEST:
        return text
    moment = _time(text)
    return moment if moment is not None else _number(text)


def _number(text: str) -> object:
    bare = text.replace("_", "")
    for pattern, base in _WHOLE:
        if pattern.fullmatch(bare):
            number = int(bare, base) if base in (2, 10, 16) else int(bare.lower().replace("o", ""), base)
            if -(2**63) <= number < 2**64:
                return number
    if not _FLOAT.fullmatch(bare) or (text[0] == "." and "_" in text):
        return text
    number = float(bare)
    return text if number in (float("inf"), float("-inf")) else number


def _time(text: str) -> datetime | None:
    """The moment that a text names; `None` if it is not a date or a time."""
    found = _TIME.fullmatch(text)
    if found is None or (found["between"] is not None and (found["between"] == " ") == (found["zone"] is not None)):
        return None  # with `T` a zone is required, and with a space none is allowed
    fraction = found["fraction"] if found["fraction"] is not None else ""
    year, month, day, hour, minute, second = (int(part) if part is not None else 0 for part in found.group(1, 2, 3, 5, 6, 7))
    try:
        return datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")[:6]), tzinfo=_zone(found["zone"]))
    except ValueError:  # such as the 30th of February
        return None


def _zone(text: str | None) -> timezone:
    if text is None or text == "Z":
        return UTC
    hours, minutes = text[1:].split(":")
    distance = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-distance if text.startswith("-") else distance)


def _key(value: object) -> str:
    """Returns a key as the Pulumi CLI writes it."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return "null" if value is None else str(value) if isinstance(value, float) else as_key(value)


PULUMI = Dialect(_plain, _key)
