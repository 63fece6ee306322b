"""What a bare word of YAML is to Kubernetes: `no` is false, `1.30` a number. As kubectl reads it, with Go's yaml.v2."""

import math
import re

_WORDS: dict[str, bool | None] = {
    **{spelled: True for word in ("y", "yes", "true", "on") for spelled in (word, word.title(), word.upper())},
    **{spelled: False for word in ("n", "no", "false", "off") for spelled in (word, word.title(), word.upper())},
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_BEGINS_NUMBER = frozenset("0123456789+-.")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_LONGEST = 100
"""Digits of what could still be a whole number."""
_WHOLE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"[-+]?0[xX][0-9a-fA-F]+"), 16),
    (re.compile(r"[-+]?0[bB][01]+"), 2),
    (re.compile(r"[-+]?0[oO]?[0-7]+"), 8),
    (re.compile(r"[-+]?(0|[1-9][0-9]*)"), 10),
)


def plain(text: str) -> object:
    """The value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _BEGINS_NUMBER else text


def tagged(tag: str, text: str) -> object:
    """The value of a scalar with a tag.

    Raises:
        ValueError: Kubernetes knows no such tag, or it does not fit.
    """
    name = tag.rpartition(":")[2]
    if tag == "!" or name in ("str", "binary"):
        return text
    value = plain(text)
    fits = {"int": int, "float": int | float, "bool": bool, "null": type(None)}.get(name) if tag.startswith("tag:yaml.org") else None
    if fits is None or not isinstance(value, fits):
        msg = f"{text!r} has the tag {tag}, which Kubernetes does not read"
        raise ValueError(msg)
    return value


def as_key(value: object) -> str | None:
    """What a key is in JSON; `None` where it cannot be one."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else None


def _number(text: str) -> object:
    """A whole number is one however it is written: JSON has `10.0` as 10."""
    bare = text.replace("_", "")
    for pattern, base in _WHOLE if len(bare) < _LONGEST else ():
        if pattern.fullmatch(bare):
            number = int(bare, base) if base != 8 else int(bare.replace("o", "").replace("O", ""), base)  # noqa: PLR2004
            if -(2**63) <= number < 2**64:
                return number
    if _FLOAT.fullmatch(bare) and math.isfinite(number := float(bare)):
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return text
