"""Edits that turn one written object into another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN


class Edit(NamedTuple):
    """One edit of an object."""

    op: Literal["set", "remove", "add"]
    wire: Steps
    value: object = None


def edits(before: object, after: object, place: Steps = ()) -> Iterator[Edit]:
    """The edits that turn `before` into `after`. Values that are unknown on either side are left alone."""
    if before == after or before is UNKNOWN or after is UNKNOWN:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _of_mapping(cast("Mapping[str, object]", before), cast("Mapping[str, object]", after), place)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_list(cast("list[object]", before), cast("list[object]", after), place)
    else:
        yield Edit("set", place, after)


def _of_mapping(before: Mapping[str, object], after: Mapping[str, object], place: Steps) -> Iterator[Edit]:
    for name in before:
        if name not in after:
            yield Edit("remove", (*place, name))
    for name, value in after.items():
        if name in before:
            yield from edits(before[name], value, (*place, name))
        else:
            yield Edit("set", (*place, name), value)


def _of_list(before: Sequence[object], after: Sequence[object], place: Steps) -> Iterator[Edit]:
    if len(after) > len(before) and after[: len(before)] == before:
        yield from (Edit("add", place, value) for value in after[len(before) :])
    elif len(after) == len(before):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from edits(old, new, (*place, index))
    else:
        kept = [index for index, value in enumerate(before) if value not in after]
        shorter = [value for value in before if value in after]
        yield from (Edit("remove", (*place, index)) for index in reversed(kept)) if shorter == after else (Edit("set", place, after),)
