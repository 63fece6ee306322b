"""The values of a change as they are written in a declaration: no Python object appears in JSON, text or Markdown."""

from collections.abc import Mapping, Sequence
from typing import cast

from nodepools.model.base import Model
from nodepools.model.ref import StackOutput, is_output

OUTPUT = "output"
"""Stands for an output of a resource, whose value is not known here. All count as equal."""


def written_value(value: object) -> object:
    """A part of a declaration as plain data, with the fields that are not their defaults."""
    if is_output(value):
        return OUTPUT
    if isinstance(value, StackOutput):
        return str(value)
    if isinstance(value, Model):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: written_value(part) for key, part in cast("Mapping[str, object]", value).items()}
    return [written_value(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value


def _fields(value: Model) -> dict[str, object]:
    held = ((name, getattr(value, name), field) for name, field in type(value).model_fields.items())
    return {name: written_value(part) for name, part, field in held if field.is_required() or part != field.get_default(call_default_factory=True)}
