"""Derives a declaration from another one."""

from collections.abc import Mapping
from typing import TypeVar, cast

from pydantic import ValidationError

from nodepools.model.base import Model
from nodepools.model.invalid_parts import NotKnownError, kept_or_raised
from nodepools.model.listing import nearest
from nodepools.model.ref import misplaced
from nodepools.model.unknowns import attach, attached_to, unread
from nodepools.model.values import dataclass

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class ChangeOfNothing:
    """A change of an entry that the base does not have. Validation rejects it: it would be a new pool or cluster with nothing but the change."""

    known: tuple[str, ...]
    """The keys of the base."""


def derive(base: M, changes: Mapping[str, object] | None = None, /, **more: object) -> M:
    """Returns `base` with `changes`, validated as a whole.

    A mapping changes the fields that it names (`None` is a value), or the entries of a mapping (`None` removes an entry). Any other value replaces
    the old one. A new entry next to others, such as a pool, is a whole part (`UserPool(...)`, or a mapping with its `kind`): a mapping without one
    changes an entry, and is an error if there is none with that key. Changes are given as a dict, as keywords, or both:
    `derive(dev, {"name": "prod"}, tags={"team": "core"})`. `partial.UserPool(zones=[1])` is a mapping whose fields type checkers check.

    >>> small = UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 3), labels={"team": "web"})
    >>> large = derive(small, scale={"max": 30}, labels={"tier": "front"})
    >>> large.scale, dict(large.labels)
    (Autoscale(min=0, max=30), {'team': 'web', 'tier': 'front'})

    Raises:
        DeclarationError: `base` is invalid, or is a platform and the result is invalid. Any other invalid result is kept as written, and its
            parent reports the errors.
        TypeError: `base` is not a part of a declaration.
    """
    if not isinstance(base, Model):  # pyright: ignore[reportUnnecessaryIsInstance]  # programs are not always type-checked
        raise TypeError(misplaced("derive()", "a part of a declaration, such as a Platform or a UserPool", base))
    if unread(base):
        raise NotKnownError  # what has unknown fields would be validated as if they were not set
    merged = cast("dict[str, object]", _merged(base, {**(changes or {}), **more}))
    try:
        made = type(base).model_validate(merged)
    except ValidationError as error:
        return cast("M", kept_or_raised(type(base), merged, error))
    _carry(base, made)
    return made


def _carry(old: object, new: object) -> None:
    """What is attached to parts of `old` is also attached to those that replace them; a part that did not change is the same object."""
    if isinstance(old, Model) and type(old) is type(new) and old is not new:
        attach(cast("Model", new), attached_to(old))
        old, new = vars(old), vars(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, value in cast("Mapping[object, object]", old).items():
            _carry(value, cast("Mapping[object, object]", new).get(key))


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
    merged = dict(held) | {name: _merged(held.get(name), _of_entry(held, name, value)) for name, value in changes.items()}
    return {name: value for name, value in merged.items() if value is not None}


def _of_entry(held: Mapping[str, object], name: str, change: object) -> object:
    """The change of the entry `name`; an error in its place where it can only be an unknown key."""
    if name in held or not any(isinstance(value, Model) for value in held.values()):
        return change
    is_partial = isinstance(change, Mapping) and "kind" not in change
    is_removal = change is None and nearest(name, held) is not None
    return ChangeOfNothing(tuple(held)) if is_partial or is_removal else cast("object", change)
