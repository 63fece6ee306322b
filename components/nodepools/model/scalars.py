"""The scalars in plain data and in parts of a declaration, with their places."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from nodepools.model.base import Model
from nodepools.model.steps import Step, Steps


def scalars(value: object, steps: Steps = ()) -> Iterator[tuple[Steps, object]]:
    """Each value at or below `steps` that has no parts, with its place."""
    if isinstance(value, Model):
        yield from _inside(vars(value).items(), steps)
    elif isinstance(value, Mapping):
        yield from _inside(cast("Mapping[str, object]", value).items(), steps)
    elif isinstance(value, list | tuple):
        yield from _inside(enumerate(cast("Sequence[object]", value)), steps)
    else:
        yield steps, value


def rewritten(value: object, scalar: Callable[[Steps, object], object], steps: Steps = ()) -> object:
    """Plain data with the result of `scalar` instead of each scalar. A tuple becomes a list."""
    if isinstance(value, Mapping):
        return {key: rewritten(part, scalar, (*steps, key)) for key, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [rewritten(part, scalar, (*steps, index)) for index, part in enumerate(cast("Sequence[object]", value))]
    return scalar(steps, value)


def _inside(parts: Iterable[tuple[Step, object]], steps: Steps) -> Iterator[tuple[Steps, object]]:
    for step, part in parts:
        if not isinstance(part, bool | None):
            yield from scalars(part, (*steps, step))
