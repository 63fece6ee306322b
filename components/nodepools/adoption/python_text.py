"""Writes a declaration as typed Python: the classes that it uses, and the fields that are set."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, cast

from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.ref import SecretValue
from nodepools.public_names import public_path

_WIDTH: Final = 110
_STEP: Final = "    "
_IN_CLASS: Final = frozenset({"kind"})
_OVERRIDES: Final = "overrides"
_COMMENT: Final = "# No field has these values: they are sent as the cloud has them, and `None` sends nothing."


def python_text(platform: Platform, title: str) -> str:
    """Returns the module of a stack."""
    names = sorted({public_path(type(part).__name__) for part in _parts(platform)})
    imports = "".join(_import(door, [name.rpartition(".")[2] for name in of_door]) for door, of_door in groupby(names, _door))
    return f'"""{title}"""\n\n{imports}\nPLATFORM = {_expression(platform, 0)}\n'


def _door(path: str) -> str:
    return path.rpartition(".")[0]


def _import(door: str, names: Sequence[str]) -> str:
    line = f"from {door} import {', '.join(names)}\n"
    return line if len(line) <= _WIDTH else "".join([f"from {door} import (\n", *(f"{_STEP}{name},\n" for name in names), ")\n"])


def _parts(value: object) -> Iterator[Model]:
    if isinstance(value, Model):
        yield value
        for name in value.model_fields_set:
            yield from _parts(getattr(value, name))
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, object]", value).values():
            yield from _parts(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[object]", value):
            yield from _parts(inner)


def _expression(value: object, depth: int) -> str:
    if isinstance(value, SecretValue):
        return "None"  # exports have no secrets; if one has, it is not written
    if isinstance(value, Model):
        fields = [name for name in type(value).model_fields if name in value.model_fields_set and name not in _IN_CLASS]
        entries = [f"{name}={_expression(getattr(value, name), depth + 1)}" for name in fields]
        return _joined(f"{type(value).__name__}(", entries, ")", depth)
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, object]", value)
        return _joined("{", [f"{key!r}: {_expression(item, depth + 1)}".replace("'", '"', 2) for key, item in inner.items()], "}", depth)
    if isinstance(value, list | tuple):
        return _joined("[", [_expression(item, depth + 1) for item in cast("Sequence[object]", value)], "]", depth)
    return _text(value) if isinstance(value, str) else repr(value)


def _joined(start: str, entries: Sequence[str], end: str, depth: int) -> str:
    line = f"{start}{', '.join(entries)}{end}"
    if "\n" not in line and len(line) + depth * len(_STEP) <= _WIDTH and not any(map(_is_override, entries)):
        return line
    inside = _STEP * (depth + 1)
    lines = [f"{inside}{_noted(entry, inside)},\n" for entry in entries]
    return f"{start}\n{''.join(lines)}{_STEP * depth}{end}"


def _is_override(entry: str) -> bool:
    return entry.startswith(f"{_OVERRIDES}=")


def _noted(entry: str, inside: str) -> str:
    return f"{_COMMENT}\n{inside}{entry}" if _is_override(entry) else entry


def _text(value: str) -> str:
    written = repr(value)
    return f'"{written[1:-1]}"' if written.startswith("'") and '"' not in value else written
