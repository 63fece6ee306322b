"""Reads mappings and lists of plain data; anything else counts as empty."""

from collections.abc import Mapping, Sequence
from typing import cast


def mapping(value: object) -> Mapping[str, object]:
    """The mapping; an empty one for other values."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def sequence(value: object) -> Sequence[object]:
    """The list; an empty one for other values."""
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
