"""Unquoted scalars of YAML, and what needs quotes. For Kubernetes `no` is false and `1.30` a number, as in kubectl; in platforms they are text."""

import math
import re
from collections.abc import Callable
from typing import Final

import yaml

from nodepools.model.values import dataclass

_WORDS: dict[str, bool | None] = {
    **{spelled: True for word in ("y", "yes", "true", "on") for spelled in (word, word.title(), word.upper())},
    **{spelled: False for word in ("n", "no", "false", "off") for spelled in (word, word.title(), word.upper())},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_BEGINS_NUMBER = frozenset("0123456789+-.")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_PLAIN_WORDS: dict[str, bool | None] = {"true": True, "false": False, **dict.fromkeys(("", "~", "null", "Null", "NULL"))}
_PLAIN_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"0[0-7]{1,18}")
_LONGEST = 100
"""The maximum length of a whole number, in digits."""
_OCTAL = 8
_WHOLE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"[-+]?0[xX][0-9a-fA-F]+"), 16),
    (re.compile(r"[-+]?0[bB][01]+"), 2),
    (re.compile(r"[-+]?0[oO]?[0-7]+"), 8),
    (re.compile(r"[-+]?(0|[1-9][0-9]*)"), 10),
)


def plain(text: str) -> object:
    """Returns the value of an unquoted scalar for Kubernetes."""
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _BEGINS_NUMBER else text


def is_text(text: str) -> bool:
    """Every reader takes the unquoted scalar as text: that of a platform, kubectl, and those of YAML 1.2, for which `12e4567` is infinity."""
    return isinstance(plain(text), str) and _FLOAT.fullmatch(text.replace("_", "0")) is None


class TextDumper(yaml.SafeDumper):
    """Writes text in quotes if a reader takes it for something else without them: PyYAML alone writes `5e10`, `0o17` and `y`."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        """The scalar of a text or of a key."""
        return self.represent_scalar("tag:yaml.org,2002:str", data, None if is_text(data) else "'")  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped


TextDumper.add_representer(str, TextDumper.represent_str)
QUOTE: Final = "quote the value if it is text"
"""What most of these errors mean. They do not contain the value: a password can begin with `*`, `&` and `!`."""


def is_octal(text: str) -> bool:
    """The number is another one in YAML 1.1, which Kubernetes reads, than in YAML 1.2: `010` is 8 and 10."""
    return _LEADING_ZERO.fullmatch(text) is not None and int(text, _OCTAL) != int(text)


def tagged(tag: str, text: str) -> object:
    """Returns the value of a scalar with a tag.

    Raises:
        ValueError: the tag is unknown, or does not fit the value.
    """
    name = tag.rpartition(":")[2]
    if tag == "!" or name in ("str", "binary"):
        return text
    value = plain(text)
    fits = {"int": int, "float": int | float, "bool": bool, "null": type(None)}.get(name) if tag.startswith("tag:yaml.org") else None
    if fits is None or not isinstance(value, fits):
        raise ValueError(f"has a tag that is not supported for the value: {QUOTE}")
    return value


def platform_value(text: str) -> object:
    """Returns the value of an unquoted scalar in a platform: only unambiguous texts are booleans, whole numbers or null."""
    if text in _PLAIN_WORDS:
        return _PLAIN_WORDS[text]
    return int(text) if len(text) < _LONGEST and _PLAIN_WHOLE.fullmatch(text) else text


def as_key(value: object) -> str:
    """Returns a key as JSON has it.

    Raises:
        ValueError: the value cannot be a key.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    raise ValueError(value)


def as_written(value: object) -> str | int:
    """Returns a key unchanged: the model checks its type.

    Raises:
        ValueError: the key is null, a list or a mapping.
    """
    if isinstance(value, str | int):
        return value
    raise ValueError(value)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The values of unquoted scalars, and the keys."""

    plain: Callable[[str], object]
    key: Callable[[object], str | int]


def _number(text: str) -> object:
    """Returns a number, if `text` is one. A whole number is an integer in any notation: JSON has `10.0` as 10."""
    bare = text.replace("_", "")
    for pattern, base in _WHOLE if len(bare) < _LONGEST else ():
        if pattern.fullmatch(bare):
            number = int(bare, base) if base != _OCTAL else int(bare.replace("o", "").replace("O", ""), base)
            if -(2**63) <= number < 2**64:
                return number
    if _FLOAT.fullmatch(bare) and math.isfinite(number := float(bare)):
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return text


KUBERNETES = Dialect(plain, as_key)
PLATFORM = Dialect(platform_value, as_written)
