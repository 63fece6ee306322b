"""Conversions of one value between the model and the wire. `None` on either side means that the value is not set."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from nodepools.model.kubernetes.duration import seconds

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


def _none_if_empty(value: object) -> object:
    return None if value == "" else value


def _numbers(value: Sequence[object]) -> list[int]:
    return [whole(item) for item in value]


def _sent_if_false(value: object) -> object:
    return None if value else True


def _inverted(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return not value


def _opposite(value: object) -> bool:
    return not value


def _as_text(value: object) -> str:
    return str(value).lower()


def _true_or_false(value: object) -> object:
    return {"true": True, "false": False}[_as_text(value)]


def _number(value: object) -> float:
    return float(str(value))


def _to_ids(value: Sequence[object]) -> list[object]:
    return [{"id": item} for item in value]


def _ids(value: Sequence[Mapping[str, object]]) -> list[object]:
    return [item["id"] for item in value]


def _unless_zero(value: object) -> object:
    return value if value != 0 else None


def _unless_empty(text: str) -> object:
    return text if text else None


def _filled(value: object) -> object:
    if value == "":
        raise EmptyTextError
    return value


def _if_on(value: object) -> object:
    return True if value else None


def _to_minutes(duration: str) -> int:
    return seconds(duration) // 60


def _minutes(number: object) -> str:
    return f"{whole(number)}m"


def _hours_or_seconds(value: object) -> str:
    number = whole(value)
    return f"{number // _HOUR}h" if number and number % _HOUR == 0 else f"{number}s"


def _to_json(value: object) -> str | None:
    return json.dumps(value) if value else None


def _from_json(text: object) -> object:
    return json.loads(str(text))


def _to_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _from_base64(text: str) -> str:
    return b64decode(text, validate=True).decode()


def _to_base64_texts(texts: Sequence[str]) -> list[str]:
    return list(map(_to_base64, texts))


def _from_base64_texts(texts: Sequence[str]) -> list[str]:
    return list(map(_from_base64, texts))


SAME: Final = Codec(_same, _same, alike=True)
INVERTED: Final = Codec(_sent_if_false, _inverted)
"""The wire has the negated value, and only sends it if it is true."""
OPPOSITE: Final = Codec(_opposite, _inverted)
"""The wire has the negated value, and always sends it."""
BOOL_AS_TEXT: Final = Codec(_as_text, _true_or_false)
WHOLE_AS_TEXT: Final = Codec(_as_text, whole)
NUMBER_AS_TEXT: Final = Codec(_as_text, _number)
IDS: Final = Codec(_to_ids, _ids)
"""Each entry is a mapping with only its id."""
TEXTS: Final = Codec(_texts, _same, alike=True)
"""Each entry is text on the wire."""
NUMBERS_AS_TEXT: Final = Codec(_texts, _numbers, alike=True)
UNLESS_ZERO: Final = Codec(_same, _unless_zero)
"""On the wire, 0 means the cloud default."""
EMPTY_IS_NONE: Final = Codec(_same, _none_if_empty)
"""Text; an empty one means the same as none."""
FILLED: Final = Codec(_unless_empty, _filled)
"""Text that is omitted if it is empty."""
IF_ON: Final = Codec(_if_on, _same)
"""Only true is sent."""
MINUTES: Final = Codec(_to_minutes, _minutes)
SECONDS: Final = Codec(seconds, _hours_or_seconds)
JSON: Final = Codec(_to_json, _from_json)
"""JSON as text; an empty value is not sent."""
BASE64: Final = Codec(_to_base64, _from_base64)
BASE64_TEXTS: Final = Codec(_to_base64_texts, _from_base64_texts)
