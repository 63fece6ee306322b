"""What of the declared fields is sent, and `overrides` laid over it."""

from collections.abc import Mapping
from typing import cast

from nodepools.model.base import to_plain


def merge_overrides(made: Mapping[str, object], overrides: Mapping[str, object]) -> dict[str, object]:
    """`made` with `overrides` on it: mappings field by field, `None` takes a field away, all else replaces, thawed into lists and dicts."""
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
    """The fields that say something: neither `None` nor empty. Zero says something."""
    return {name: value for name, value in fields.items() if value is not None and value not in ({}, [], ())}
