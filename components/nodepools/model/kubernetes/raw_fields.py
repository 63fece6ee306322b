"""Typed access to fields of raw Kubernetes objects, with an error message if a field has the wrong type."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

LISTS: Final = (list, tuple)
OBJECTS: Final = (dict, Mapping)
"""`isinstance` asks about these for each field: a union is made for each call, and a `dict` is found first."""


class PodError(ValueError):
    """The object is not a valid pod. The message is one line: where, and why."""


def field(raw: Mapping[str, object], name: str) -> object:
    """The field, or `None` if it is not set."""
    return raw.get(name)


def mapping(raw: Mapping[str, object], name: str) -> Mapping[str, object]:
    """The object in the field; empty if it is not set."""
    value = raw.get(name)
    if value is None:
        return {}
    if not isinstance(value, OBJECTS):
        raise PodError(f"`{name}` must be an object, but is `{value!r:.60}`")
    return cast("Mapping[str, object]", value)


def entries(raw: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    """The objects in the field; empty if it is not set. Like the API server, reads null as an empty object."""
    value = raw.get(name)
    if value is None:
        return ()
    if not isinstance(value, LISTS) or [part for part in cast("Sequence[object]", value) if not (isinstance(part, OBJECTS) or part is None)]:
        raise PodError(f"`{name}` must be a list of objects, but is `{value!r:.60}`")
    found = cast("Sequence[Mapping[str, object] | None]", value)
    return [{} if part is None else part for part in found] if None in found else cast("Sequence[Mapping[str, object]]", found)


def text(value: object, name: str) -> str:
    """The text in the field; empty if it is not set. Like the API server, rejects unquoted numbers and booleans."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PodError(f"`{name}` must be text, in quotes, but is `{value!r:.60}`")
    return value


def texts(raw: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The texts in the field."""
    value = raw.get(name)
    if value is None:
        return ()
    if not isinstance(value, LISTS):
        raise PodError(f"`{name}` must be a list, but is `{value!r:.60}`")
    return tuple(text(part, name) for part in cast("Sequence[object]", value))


def number(value: object, name: str) -> int:
    """The whole number in the field."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise PodError(f"`{name}` must be a whole number, but is `{value!r:.60}`")
    return value


def name_of(raw: Mapping[str, object]) -> str:
    """The name of an object; empty if it is not set."""
    return text(mapping(raw, "metadata").get("name"), "name")


def flag(raw: Mapping[str, object], name: str) -> bool:
    """The boolean in the field; false if it is not set."""
    value = raw.get(name)
    if value is not None and not isinstance(value, bool):
        raise PodError(f"`{name}` must be `true` or `false`, but is `{value!r:.60}`")
    return value is True
