"""Values in exports of the clouds, read with errors that name them."""

from collections.abc import Mapping
from ipaddress import IPv4Network
from math import floor, isfinite
from typing import Final, TypeAlias, cast

from nodepools.model.steps import sequence

Entry: TypeAlias = Mapping[str, object]
_LONGEST_SHOWN: Final = 40
_MOST: Final = 10**12
"""No quota is larger."""


def entries_of(value: object, *keys: str) -> list[Entry] | None:
    """The entries of a list that is not empty, each with all `keys` (`a|b` is one of two); `None` if it is something else."""
    items = sequence(value)
    entries = [cast("Entry", entry) for entry in items if isinstance(entry, Mapping)]
    has_all = len(entries) == len(items) > 0 and all(any(name in entry for name in key.split("|")) for entry in entries for key in keys)
    return entries if has_all else None


def text_in(value: object, key: str) -> str:
    """A text, or nothing."""
    found = cast("Entry", value).get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""


def number(entry: Entry, key: str, name: str) -> int:
    """A count that is a number, or text with one, as the Azure CLI prints it.

    Raises:
        ValueError: it is neither, or out of range.
    """
    value = entry.get(key)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(_MOST)):
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and 0 <= value <= _MOST:
        return floor(value)
    raise ValueError(f"`{key}` of `{name}` must be a number from 0 to {_MOST:,}, not `{str(value)[:_LONGEST_SHOWN]}`")


def ipv4(value: object) -> IPv4Network | None:
    """An IPv4 range, if it is one."""
    try:
        return IPv4Network(value, strict=False) if isinstance(value, str) else None
    except ValueError:
        return None
