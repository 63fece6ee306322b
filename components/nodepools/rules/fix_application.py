"""Applies operations to a copy of a declaration."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from nodepools.model.base import FrozenDict, Model, freeze
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import with_field
from nodepools.rules.fix import Operation

M = TypeVar("M", bound=Model)
_ABSENT = object()


def applied(whole: M, operations: Sequence[Operation]) -> M:
    """`whole` with all `operations` applied, in their order. Values are not validated.

    Raises:
        LookupError: an operation is about something that is not there.
    """
    made: object = whole
    for one in operations:
        made = _edited(made, one.path, one)
    return cast("M", made)


def _edited(held: object, steps: Steps, operation: Operation) -> object:
    """What is `held` with the operation applied at `steps`."""
    if not steps:
        return freeze(operation.value) if operation.op == "set" else _added(held, operation.value)
    step, rest = steps[0], steps[1:]
    if not rest and operation.op == "remove":
        return _with(held, step, _ABSENT)
    if not rest and operation.op == "rename":
        return _with(_with(held, step, _ABSENT), str(operation.value), _inside(held, step))
    return _with(held, step, _edited(_inside(held, step), rest, operation))


def _inside(held: object, step: Step) -> object:
    if isinstance(held, Model):
        return vars(held)[str(step)]
    if isinstance(held, Mapping):
        return cast("Mapping[Step, object]", held).get(step)
    return cast("Sequence[object]", held)[int(step)]


def _with(held: object, step: Step, value: object) -> object:
    """What is `held` with another value at `step`; without it, where the value is absent."""
    if isinstance(held, Model):
        default = type(held).model_fields[str(step)].get_default(call_default_factory=True, validated_data={})
        return with_field(held, str(step), default if value is _ABSENT else value, given=value is not _ABSENT)
    if isinstance(held, tuple):
        entries = list(cast("tuple[object, ...]", held))
        if value is _ABSENT:
            del entries[int(step)]
        else:
            entries[int(step)] = value
        return tuple(entries)
    named = dict(cast("Mapping[str, object]", held))
    if value is _ABSENT:
        del named[str(step)]
    else:
        named[str(step)] = value
    return FrozenDict(named)


def _added(held: object, value: object) -> object:
    """A list or a mapping with `value` added."""
    if isinstance(value, Mapping):
        return FrozenDict({**(cast("Mapping[str, object]", held) if isinstance(held, Mapping) else {}), **cast("Mapping[str, object]", value)})
    return (*(cast("Sequence[object]", held) if isinstance(held, tuple) else ()), value)
