"""Selects the declared fields that are sent, and merges `overrides` into them."""

from collections.abc import Mapping
from typing import cast

from nodepools.model.base import to_plain


def merge_overrides(made: Mapping[str, object], overrides: Mapping[str, object]) -> dict[str, object]:
    """Merges `overrides` into `made`: mappings field by field. `None` removes a field, any other value replaces it, as lists and dicts."""
    both = dict(made)
    for name, over in overrides.items():
        under = both.get(name)
        if over is None:
            both.pop(name, None)
        elif isinstance(over, Mapping) and isinstance(under, Mapping):
            both[name] = merge_overrides(cast("Mapping[str, object]", under), cast("Mapping[str, object]", over))
        else:
            both[name] = to_plain(cast("object", over))
    return both


def given(**fields: object) -> dict[str, object]:
    """Returns the fields that are neither `None` nor empty. Zero and `False` are values."""
    return {name: value for name, value in fields.items() if value is not None and value not in ({}, [], ())}
