"""Derives a declaration from another one."""

from collections.abc import Mapping
from typing import TypeVar, cast

from pydantic import ValidationError

from nodepools.model.argument_errors import misplaced
from nodepools.model.base import Model
from nodepools.model.invalid_parts import kept_or_raised

M = TypeVar("M", bound=Model)


def derive(base: M, changes: Mapping[str, object] | None = None, /, **more: object) -> M:
    """Returns `base` with `changes`, validated as a whole.

    A mapping changes the fields that it names (`None` is a value), or the entries of a mapping (`None` removes an entry). Any other value replaces
    the old one. Changes are given as a dict, as keywords, or both: `derive(dev, {"name": "prod"}, tags={"team": "core"})`.

    Raises:
        DeclarationError: `base` is invalid, or is a platform and the result is invalid. Any other invalid result is kept as written, and its
            parent reports the errors.
        TypeError: `base` is not a part of a declaration.
    """
    if not isinstance(base, Model):  # pyright: ignore[reportUnnecessaryIsInstance]  # programs are not always type-checked
        raise TypeError(misplaced("derive()", "a part of a declaration, such as a Platform or a UserPool", base))
    merged = cast("dict[str, object]", _merged(base, {**(changes or {}), **more}))
    try:
        return type(base).model_validate(merged)
    except ValidationError as error:
        return cast("M", kept_or_raised(type(base), merged, error))


def _merged(base: object, change: object) -> object:
    if not isinstance(change, Mapping):
        return change
    changes = cast("Mapping[str, object]", change)
    if isinstance(base, Model):
        if "kind" in changes and changes["kind"] != getattr(base, "kind", None):
            return dict(changes)
        kept = {name: getattr(base, name) for name in base.model_fields_set}
        return kept | {name: _merged(getattr(base, name, None), value) for name, value in changes.items()}
    held = cast("Mapping[str, object]", base) if isinstance(base, Mapping) else dict[str, object]()
    merged = dict(held) | {name: _merged(held.get(name), value) for name, value in changes.items()}
    return {name: value for name, value in merged.items() if value is not None}
