"""Applies operations to a copy of a declaration."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from nodepools.model.base import FrozenDict, Model, freeze
from nodepools.model.steps import Step, Steps
from nodepools.model.unknowns import with_field
from nodepools.rules.engine.fix import Operation
from nodepools.rules.engine.path import child

M = TypeVar("M", bound=Model)
_ABSENT = object()


def applied(declaration: M, operations: Sequence[Operation]) -> M:
    """`declaration` with all `operations` applied, in their order. Values are not validated.

    Raises:
        LookupError: the path of an operation does not exist.
    """
    edited: object = declaration
    for operation in operations:
        edited = _edited(edited, operation.path, operation)
    return cast("M", edited)


def _edited(value: object, steps: Steps, operation: Operation) -> object:
    """`value` with the operation applied at `steps`."""
    if not steps:
        return freeze(operation.value) if operation.op == "set" else _added(value, operation.value)
    step, rest = steps[0], steps[1:]
    if not rest and operation.op == "remove":
        return _with(value, step, _ABSENT)
    if not rest and operation.op == "rename":
        return _with(_with(value, step, _ABSENT), str(operation.value), child(value, step))
    return _with(value, step, _edited(child(value, step), rest, operation))


def _with(value: object, step: Step, new: object) -> object:
    """`value` with `new` at `step`, or without `step` where `new` is absent."""
    if isinstance(value, Model):
        default = type(value).model_fields[str(step)].get_default(call_default_factory=True, validated_data={})
        return with_field(value, str(step), default if new is _ABSENT else new, is_set=new is not _ABSENT)
    entries = _entries(value)
    if new is _ABSENT:
        del entries[step]
    else:
        entries[step] = new
    return freeze(entries)


def _entries(value: object) -> dict[Step, object]:
    """A copy of a mapping or a list that can be edited: a list is edited by index like a mapping by key."""
    if isinstance(value, tuple):
        return cast("dict[Step, object]", list(cast("tuple[object, ...]", value)))
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Step, object]", value))
    msg = "the path of an operation does not exist"
    raise LookupError(msg)


def _added(value: object, new: object) -> object:
    """A list or a mapping with `new` added."""
    if isinstance(new, Mapping):
        return FrozenDict({**(cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}), **cast("Mapping[str, object]", new)})
    return (*(cast("Sequence[object]", value) if isinstance(value, tuple) else ()), new)
