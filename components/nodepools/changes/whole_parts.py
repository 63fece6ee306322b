"""A part of a declaration that only one side has is one edit: the changes of its fields with the same effect are one change of the part."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nodepools.clouds.change import Change
from nodepools.model.base import Model
from nodepools.model.plain_data import mapping
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps


def in_whole_parts(old: Platform, new: Platform, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, with those of fields in such a part at its place, each once: one field can determine several arguments."""
    seen: set[tuple[object, ...]] = set()
    for change in changes:
        is_switch = isinstance(change.old, bool) or isinstance(change.new, bool)  # the argument that says whether there is such a part
        part = _part(old, new, change.steps, is_switch=is_switch)
        whole = change if part is None else replace(change, steps=part[0], old=part[1], new=part[2])
        same = (whole.steps, whole.effect, whole.message, whole.resource, repr(whole.old), repr(whole.new))
        if same not in seen:
            seen.add(same)
            yield whole


def _part(old: object, new: object, steps: Steps, *, is_switch: bool) -> tuple[Steps, object, object] | None:
    """The outermost optional part around the field that one side does not have, with its values."""
    for length, step in enumerate(steps, start=1):
        is_field = isinstance(old, Model)
        old, new = inside(old, step), inside(new, step)
        if (old is None) is not (new is None):
            held = new if old is None else old
            return (steps[:length], old, new) if is_field and isinstance(held, Model) and (length < len(steps) or is_switch) else None
    return None


def inside(held: object, step: str | int) -> object:
    """A field, or an entry of a mapping; what has neither has nothing."""
    if isinstance(held, Model):
        return getattr(held, str(step), None)
    return mapping(held).get(str(step))
