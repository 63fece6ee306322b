"""Descriptions in the schema: the docstrings of models and fields, with names and values as other languages write them, and the defaults."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, cast

from pydantic.fields import FieldInfo

from nodepools.model.base import Model
from nodepools.model.schema import field_docs
from nodepools.plugin.wire_names import DECLARED, NOTHING, SWITCH, inner, is_switchable, wire_name
from nodepools.rules.type_hints import kind_of, models_of, reachable, words_of

_SNAKE: Final = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_ASSIGNED: Final = re.compile(r'\b([a-z][a-z0-9_]*)=(True|False|None|"[^"]*"|[0-9]+|(?=[\[{]))')
_CONSTANTS: Final = {"True": "true", "False": "false", "None": NOTHING}


def texts_of(model: type[Model]) -> Mapping[str, str]:
    """The docstring of each field, inherited ones too."""
    return {name: text for base in reversed(model.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}


def class_text(cls: type) -> str:
    """The first paragraph of a class's docstring; what follows is about Python."""
    text = _paragraph(inspect.getdoc(cls) or "")
    switches = issubclass(cls, Model) and any(is_switchable(field) and models_of(field.annotation) for field in cls.model_fields.values())
    return wire_text(_off(text, f"{SWITCH}: false") if switches else text)


def field_text(field: FieldInfo, docs: str) -> str:
    """What a field is, the numbers that it may be where they are counted, and what it is when left out."""
    text = _paragraph(docs)
    if is_switchable(field):
        text = _off(text, f"{SWITCH}: false" if models_of(field.annotation) else NOTHING)
    numbers = [str(word) for word in words_of(inner(field.annotation) or field.annotation) if isinstance(word, int)]
    default = "" if field.is_required() else _shown(field.default)
    parts = [wire_text(text), f"One of {', '.join(numbers)}." if numbers else "", f"Default: {default}." if default else ""]
    return " ".join(part for part in parts if part)


def wire_text(text: str) -> str:
    """A docstring for people who write `vmSize: "x"` where Python has `vm_size="x"`."""
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
    """Parts that are turned off by a switch."""
    fields = ((name, field) for model in _models() for name, field in model.model_fields.items())
    return frozenset(name for name, field in fields if is_switchable(field) and models_of(field.annotation))


def _models() -> list[type[Model]]:
    return [model for top in DECLARED for model in reachable(top)]


def _paragraph(docs: str) -> str:
    return " ".join(docs.partition("\n\n")[0].split())


def _off(text: str, said: str) -> str:
    """Python's `None` as others say it."""
    return text.replace("`None`", f"`{said}`")


def _shown(default: object) -> str:
    """A default; empty where it is nothing, or what its type says."""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, str | int | float):
        return f"`{default}`" if default != "" else ""
    if isinstance(default, Model):
        fields = type(default).model_fields
        kind = [f"`{kind_of(type(default))}`"] if "kind" in fields else []
        return ", ".join(kind + [f"{wire_name(name)} {_shown(value)}" for name, value in default if value != fields[name].default])
    return ", ".join(_shown(part) for part in cast("tuple[object, ...]", default)) if isinstance(default, tuple) else ""
