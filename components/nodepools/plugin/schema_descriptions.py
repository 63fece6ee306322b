"""Descriptions in the schema: the docstrings of models and fields in the spelling of other languages, with the defaults."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, cast

from pydantic.fields import FieldInfo

from nodepools.model.base import Model
from nodepools.model.schema import field_docs
from nodepools.plugin.wire_names import DECLARED, NOTHING, SWITCH, inner, is_switchable, wire_name
from nodepools.rules.engine.field_annotations import kind_of, models_of, reachable, words_of

_SNAKE: Final = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_ASSIGNED: Final = re.compile(r'\b([a-z][a-z0-9_]*)=(True|False|None|"[^"]*"|[0-9]+|(?=[\[{]))')
_CONSTANTS: Final = {"True": "true", "False": "false", "None": NOTHING}


def texts_of(model: type[Model]) -> Mapping[str, str]:
    """Returns the docstring of each field, including inherited ones."""
    return {name: text for base in reversed(model.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}


def class_text(cls: type) -> str:
    """Returns the first paragraph of a class's docstring; the others are about Python."""
    text = _paragraph(inspect.getdoc(cls) or "")
    switches = issubclass(cls, Model) and any(is_switchable(field) and models_of(field.annotation) for field in cls.model_fields.values())
    return wire_text(_off(text, f"{SWITCH}: false") if switches else text)


def field_text(field: FieldInfo, docs: str) -> str:
    """Returns the description of a field, with the numbers that it accepts if these are listed, and its default."""
    text = _paragraph(docs)
    if is_switchable(field):
        text = _off(text, f"{SWITCH}: false" if models_of(field.annotation) else NOTHING)
    numbers = [str(word) for word in words_of(inner(field.annotation) or field.annotation) if isinstance(word, int)]
    default = "" if field.is_required() else _shown(field.default)
    parts = [wire_text(text), f"One of {', '.join(numbers)}." if numbers else "", f"Default: {default}." if default else ""]
    return " ".join(part for part in parts if part)


def wire_text(text: str) -> str:
    """Translates a docstring for languages with `vmSize: "x"` instead of `vm_size="x"`."""
    named = _SNAKE.sub(lambda found: _name(found[0]), _ASSIGNED.sub(_assigned, text))
    return re.sub(r"`(True|False)`", lambda found: found[0].lower(), named)


def _assigned(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if name not in _fields():
        return found[0]
    return f"{name}: {f'{{{SWITCH}: false}}' if value == 'None' and name in _switches() else _CONSTANTS.get(value, value)}"


def _name(word: str) -> str:
    return wire_name(word) if word in _fields() else word


@cache
def _fields() -> frozenset[str]:
    return frozenset(name for model in _models() for name in model.model_fields)


@cache
def _switches() -> frozenset[str]:
    """Returns the parts that a switch turns off."""
    fields = ((name, field) for model in _models() for name, field in model.model_fields.items())
    return frozenset(name for name, field in fields if is_switchable(field) and models_of(field.annotation))


def _models() -> list[type[Model]]:
    return [model for top in DECLARED for model in reachable(top)]


def _paragraph(docs: str) -> str:
    return " ".join(docs.partition("\n\n")[0].split())


def _off(text: str, value: str) -> str:
    """Replaces Python's `None` by the value of other languages."""
    return text.replace("`None`", f"`{value}`")


def _shown(default: object) -> str:
    """Returns the text of a default; empty for `None`, and for a part without fields of its own."""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, str | int | float):
        return f"`{default}`" if default != "" else ""
    if isinstance(default, Model):
        fields = type(default).model_fields
        kind = [f"`{kind_of(type(default))}`"] if "kind" in fields else []
        return ", ".join(kind + [f"{wire_name(name)} {_shown(value)}" for name, value in default if value != fields[name].default])
    return ", ".join(_shown(part) for part in cast("tuple[object, ...]", default)) if isinstance(default, tuple) else ""
