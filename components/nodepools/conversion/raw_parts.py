"""Access to parts of raw objects that never fails: a part of another type than expected is left as it is, for `check` to report."""

from typing import TypeAlias, cast

Object: TypeAlias = dict[str, object]


def as_mapping(value: object) -> Object:
    """The mapping; an empty one, which is not part of the object, for anything else."""
    return cast("Object", value) if isinstance(value, dict) else {}


def part(raw: object, *names: str) -> Object:
    """The mapping inside mappings; an empty one, which is not part of the object, if a step is not a mapping."""
    for name in names:
        raw = as_mapping(raw).get(name)
    return as_mapping(raw)


def as_list(value: object) -> list[object]:
    """The list; an empty one, which is not part of the object, for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """The text; empty for anything else."""
    return value if isinstance(value, str) else ""


def removed_if_empty(raw: Object, name: str) -> None:
    """Removes a part with nothing in it."""
    if raw.get(name) in ({}, []):
        del raw[name]


def renamed(raw: Object, old: str, new: str) -> None:
    """Gives a field another name at its place; a field that has this name already is replaced."""
    entries = [(new if name == old else name, value) for name, value in raw.items() if name != new]
    raw.clear()
    raw.update(entries)
