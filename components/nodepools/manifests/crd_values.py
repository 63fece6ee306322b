"""Values of objects as CEL rules see them: with the types and the field names that the schema gives them."""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, cast

from nodepools.manifests.cel.errors import EvaluationError, NotCheckedError
from nodepools.manifests.cel.times import date, duration, timestamp
from nodepools.manifests.cel.values import MapList, SetList, Struct
from nodepools.manifests.crd_schema import Schema

_RESERVED: Final = frozenset(
    (
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"),
        *("package", "namespace", "return", "var", "void", "while"),
    )
)
_ESCAPED: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_WRITABLE: Final = re.compile(r"[a-zA-Z_./-][a-zA-Z0-9_./-]*")
_NAMES: Final[Schema] = {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}}}


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except binascii.Error:
        raise EvaluationError("a text is not base64") from None


_FORMATS: Final[Mapping[object, Callable[[str], object]]] = {"date-time": timestamp, "date": date, "duration": duration, "byte": _bytes}
"""Strings with these formats have another type in rules."""


def escaped(name: str) -> str | None:
    """Returns a field's name in an expression; nothing if no expression can name it."""
    if name in _RESERVED:
        return f"__{name}__"
    if not _WRITABLE.fullmatch(name):
        return None
    return re.sub(r"__|[./-]", lambda match: _ESCAPED[match[0]], name)


class Views:
    """Shows values by their schemas. It keeps the names of the fields of each schema."""

    def __init__(self) -> None:
        """Begins without any."""
        self._declared: dict[int, Mapping[str, str]] = {}

    def value(self, schema: Schema, raw: object, *, is_root: bool = False) -> object:
        """Returns a value as an expression sees it.

        Raises:
            NotCheckedError: a string does not have the format that the schema states.
        """
        if isinstance(raw, Mapping):
            return self._object(schema, cast("Mapping[str, object]", raw), is_root=is_root)
        if isinstance(raw, list):
            return self._list(schema, cast("list[object]", raw))
        if isinstance(raw, str):
            return _text(schema, raw)
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            return float(raw) if schema.get("type") == "number" else int(raw) if schema.get("type") == "integer" else raw
        return raw

    def _object(self, schema: Schema, raw: Mapping[str, object], *, is_root: bool) -> object:
        others = schema.get("additionalProperties")
        if isinstance(others, Mapping):
            return {name: self.value(cast("Schema", others), part) for name, part in raw.items()}
        with_names = is_root or schema.get("x-kubernetes-embedded-resource") is True
        fields = cast("Mapping[str, Schema]", schema.get("properties", {}))
        return Struct(raw, self._names(schema, with_names=with_names), partial(self._field, fields, with_names))

    def _field(self, fields: Mapping[str, Schema], with_names: bool, name: str, part: object) -> object:  # noqa: FBT001
        return self.value(_NAMES if with_names and name == "metadata" else fields.get(name, {}), part)

    def _names(self, schema: Schema, *, with_names: bool) -> Mapping[str, str]:
        key = id(schema)
        if key not in self._declared:
            named = {str(name): escaped(str(name)) for name in cast("Mapping[str, object]", schema.get("properties", {}))}
            more = {name: name for name in ("apiVersion", "kind", "metadata")} if with_names else {}
            self._declared[key] = {short: name for name, short in named.items() if short is not None} | more
        return self._declared[key]

    def _list(self, schema: Schema, raw: Sequence[object]) -> list[object]:
        items = cast("Schema", schema.get("items", {}))
        values = [self.value(items, part) for part in raw]
        kind = schema.get("x-kubernetes-list-type")
        if kind == "set":
            return SetList(values)
        if kind == "map":
            made = MapList(values)
            made.keys = tuple(filter(None, map(escaped, cast("Sequence[str]", schema.get("x-kubernetes-list-map-keys", ())))))
            return made
        return values


def _text(schema: Schema, raw: str) -> object:
    if schema.get("type") != "string" or schema.get("format") not in _FORMATS:
        return raw
    try:
        return _FORMATS[schema["format"]](raw)
    except EvaluationError as error:
        raise NotCheckedError(f"reads a value that does not have the format of the schema: {error}") from None
