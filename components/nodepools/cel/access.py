"""Fields of objects and entries of lists and maps: read, optional, and whether they exist."""

from typing import cast

from nodepools.cel.meter import EvaluationError, MismatchError
from nodepools.cel.values import Optional, Struct, is_number, named


def field(target: object, name: str) -> object:
    """Returns a field of an object, or an entry of a map."""
    if isinstance(target, Struct):
        if not target.has(name):
            raise EvaluationError(f"no such key: {name}")
        return target.get(name)
    if isinstance(target, dict):
        entries = cast("dict[object, object]", target)
        if name not in entries:
            raise EvaluationError(f"no such key: {name}")
        return entries[name]
    if isinstance(target, Optional):
        return optional_field(target, name)
    raise MismatchError(f"reads the field `{name}` of {named(target)}")


def optional_field(target: object, name: str) -> Optional:
    """Returns a field if it is set: `of.?name`."""
    inner = target.value if isinstance(target, Optional) else target
    if (isinstance(target, Optional) and not target.is_there) or not has_field(inner, name):
        return Optional()
    return Optional(field(inner, name), is_there=True)


def has_field(target: object, name: str) -> bool:
    """Whether a field is set: `has(of.name)`."""
    if isinstance(target, Struct):
        return target.has(name)
    if isinstance(target, dict):
        return name in target
    if isinstance(target, Optional):
        return target.is_there and has_field(target.value, name)
    raise MismatchError(f"reads the field `{name}` of {named(target)}")


def entry(target: object, key: object) -> object:
    """Returns an entry of a list or a map."""
    if isinstance(target, Optional):
        return optional_entry(target, key)
    if isinstance(target, list):
        elements = cast("list[object]", target)
        index = _index(key)
        if not 0 <= index < len(elements):
            raise EvaluationError(f"index out of bounds: {index}")
        return elements[index]
    if isinstance(target, dict):
        entries = cast("dict[object, object]", target)
        if not has_key(entries, key):
            raise EvaluationError("no such key")
        return entries[key]
    raise MismatchError(f"reads an entry of {named(target)}")


def optional_entry(target: object, key: object) -> Optional:
    """Returns an entry if it is there: `of[?key]`."""
    if isinstance(target, Optional):
        return optional_entry(target.value, key) if target.is_there else Optional()
    try:
        return Optional(entry(target, key), is_there=True)
    except EvaluationError:
        return Optional()


def _index(key: object) -> int:
    if is_number(key) and cast("float", key) == int(cast("float", key)):
        return int(cast("float", key))
    raise MismatchError(f"uses {named(key)} as an index")


def has_key(target: dict[object, object], key: object) -> bool:
    """Whether a map has a key."""
    if not isinstance(key, bool | int | float | str):
        raise MismatchError(f"uses {named(key)} as the key of a map")
    return key in target
