"""The properties of a resource as they were sent: plain values, which still know what was secret and what was unknown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import TypeAlias

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine import values


class Unknown(Enum):
    """A value that only an update could tell."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return self.name


UNKNOWN = Unknown.UNKNOWN
"""Stands for every value that a preview does not know."""

Plain: TypeAlias = "bool | int | float | str | Unknown | Sequence[Plain] | Mapping[str, Plain] | None"


class Properties(Mapping[str, Plain]):
    """Property by its name in the provider's schema (`vmSize`). Secrets are open, unknown values are `UNKNOWN`."""

    def __init__(self, sent: Struct) -> None:
        self._sent = sent
        self._plain = {name: _plain(value) for name, value in sorted(sent.fields.items())}

    def secret(self, *path: str | int) -> bool:
        """Whether what stands at `path` (names, and numbers of list items) is a secret, or lies inside one.

        Raises:
            KeyError: nothing stands there.
        """
        value = Value(struct_value=self._sent)
        found = False
        for step in path:
            value, found = _opened(value, found)
            value = _part(value, step)
        return _opened(value, found)[1]

    def __getitem__(self, name: str) -> Plain:
        if name not in self._plain:
            raise KeyError(_missing(name, self._plain))
        return self._plain[name]

    def __contains__(self, name: object) -> bool:
        return name in self._plain

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)

    def __repr__(self) -> str:
        return repr(self._plain)


def _plain(value: Value) -> Plain:
    if _is_unknown(value):
        return UNKNOWN
    inner, secret = _opened(value, found=False)
    return _plain(inner) if secret else _converted(value, _plain)


def _converted(value: Value, convert: Callable[[Value], Plain]) -> Plain:
    match value.WhichOneof("kind"):
        case "struct_value":
            return {name: convert(part) for name, part in sorted(value.struct_value.fields.items())}
        case "list_value":
            return [convert(part) for part in value.list_value.values]
        case "number_value":  # every number is a float on the wire
            return int(value.number_value) if value.number_value.is_integer() else value.number_value
        case "bool_value":
            return value.bool_value
        case "string_value":
            return value.string_value
        case _:
            return None


def _is_unknown(value: Value) -> bool:
    return value.WhichOneof("kind") == "string_value" and value.string_value == values.UNKNOWN


def _opened(value: Value, found: bool) -> tuple[Value, bool]:  # noqa: FBT001  # what was found so far
    """The value without its mark, and whether it is secret."""
    fields = value.struct_value.fields
    if values.SIGNATURE in fields and fields[values.SIGNATURE].string_value == values.SECRET:
        return fields["value"], True
    return value, found


def _part(value: Value, step: str | int) -> Value:
    if isinstance(step, int):
        return value.list_value.values[step]
    fields = value.struct_value.fields
    if step not in fields:
        raise KeyError(_missing(step, fields))
    return fields[step]


def _missing(name: str, there: Mapping[str, object]) -> str:
    nearest = get_close_matches(name, list(there), n=1, cutoff=0.4)
    return f"no property {name!r}" + (f"; nearest: {nearest[0]!r}" if nearest else f"; there are {sorted(there)}")
