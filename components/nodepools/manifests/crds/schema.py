"""Structural schemas of Kubernetes: their JSON schemas, their defaults, and their age."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, cast

Schema: TypeAlias = Mapping[str, object]

_KEPT: Final = (
    *("type", "enum", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "required"),
)
_IN_META: Final = ("apiVersion", "kind", "metadata")
_ALTERNATIVES: Final = ("allOf", "anyOf", "oneOf")
_MARKS: Final = (
    (("disruption", "consolidationPolicy"), "Balanced", "Karpenter 1.14 or newer"),
    (("template", "spec", "requirements", "operator"), "Gte", "Karpenter 1.9 or newer"),
    (("replicas",), "", "Karpenter 1.8 or newer"),
    (("advancedNetworking", "networkInterfaces"), "", "EKS Auto Mode of 2026-07-21 or newer"),
    (("advancedSecurity",), "", "EKS Auto Mode of 2025-10-23 or newer"),
    (("capacityReservationSelectorTerms",), "", "EKS Auto Mode of 2025-06-20 or newer"),
    (("security", "trustedLaunch"), "", "newer than AKS's Karpenter 1.14"),
    (("gpu",), "", "AKS's Karpenter 1.12 or newer"),
    (("linuxOSConfig",), "", "AKS's Karpenter 1.10 or newer"),
)
"""Fields and values, with the release that introduced them, the newest of each kind first."""


def without_nulls(value: object) -> object:
    """Returns a schema without fields that are null, which the API server reads as unset."""
    if isinstance(value, Mapping):
        return {name: without_nulls(part) for name, part in cast("Mapping[str, object]", value).items() if part is not None}
    return [without_nulls(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


def draft(schema: Schema, *, whole: bool = True) -> dict[str, object]:
    """Returns the JSON schema that accepts the same values as the API server, without unknown fields except those of every object."""
    made = _values(schema)
    if schema.get("x-kubernetes-int-or-string"):
        made["type"] = ["integer", "string"]
    if schema.get("nullable") and "type" in made:
        kinds = made["type"]
        made["type"] = [*(cast("list[object]", kinds) if isinstance(kinds, list) else (kinds,)), "null"]
    if isinstance(schema.get("items"), Mapping):
        made["items"] = draft(cast("Schema", schema["items"]), whole=False)
    if schema.get("x-kubernetes-list-type") == "set":
        made["uniqueItems"] = True
    if schema.get("x-kubernetes-list-type") == "map":
        made["uniqueKeys"] = schema.get("x-kubernetes-list-map-keys", ())
    return made | _fields(schema, whole=whole)


def _values(schema: Schema) -> dict[str, object]:
    """Returns the limits of a value. Those in `allOf`, `anyOf`, `oneOf` and `not` have no types, and know no other fields."""
    made: dict[str, object] = {name: schema[name] for name in _KEPT if name in schema}
    for limit in ("minimum", "maximum"):
        exclusive = f"exclusive{limit.capitalize()}"
        if made.pop(exclusive, False) is True and limit in made:
            made[exclusive] = made.pop(limit)
    for name in _ALTERNATIVES:
        if name in schema:
            made[name] = [_nested(inner) for inner in cast("Sequence[Schema]", schema[name])]
    if "not" in schema:
        made["not"] = _nested(cast("Schema", schema["not"]))
    return made


def _nested(schema: Schema) -> dict[str, object]:
    made = _values(schema)
    if "properties" in schema:
        made["properties"] = {name: _nested(inner) for name, inner in cast("Mapping[str, Schema]", schema["properties"]).items()}
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), Mapping):
            made[name] = _nested(cast("Schema", schema[name]))
    return made


def _fields(schema: Schema, *, whole: bool) -> dict[str, object]:
    others = schema.get("additionalProperties")
    if isinstance(others, Mapping):
        return {"additionalProperties": draft(cast("Schema", others), whole=False)}
    if "properties" not in schema:
        return {}
    named = cast("Mapping[str, Schema]", schema["properties"])
    made: dict[str, object] = {name: draft(inner, whole=False) for name, inner in named.items()}
    if whole or schema.get("x-kubernetes-embedded-resource"):
        made |= dict.fromkeys(_IN_META, True)
    if whole:
        made["status"] = True
    return {"properties": made, "additionalProperties": bool(others) or bool(schema.get("x-kubernetes-preserve-unknown-fields"))}


def defaulted(schema: Schema, value: object) -> object:
    """Returns `value` as the API server sees it: without nulls in fields that are not nullable, and with defaults for unset fields."""
    if isinstance(value, list):
        items = schema.get("items")
        return [defaulted(cast("Schema", items), part) if isinstance(items, Mapping) else part for part in cast("list[object]", value)]
    if not isinstance(value, Mapping):
        return value
    named = cast("Mapping[str, Schema]", schema.get("properties", {}))
    others = schema.get("additionalProperties")
    found: dict[str, object] = {}
    for name, part in cast("Mapping[str, object]", value).items():
        inner = named.get(name, cast("Schema", others) if isinstance(others, Mapping) else {})
        if part is not None or inner.get("nullable") or not inner:
            found[name] = defaulted(inner, part)
    for name, inner in named.items():
        if name not in found and "default" in inner:
            found[name] = defaulted(inner, inner["default"])
    return found


def crd_release(schema: Schema) -> str:
    """Returns the release that the schema is at least from, by the fields and values that it has."""
    spec = cast("Schema", cast("Schema", schema.get("properties", {})).get("spec", {}))
    for path, value, name in _MARKS:
        inner = _at(spec, path)
        if inner is not None and (not value or value in cast("Sequence[str]", inner.get("enum", ()))):
            return name
    return "of its first versions"


def _at(schema: Schema, path: Sequence[str]) -> Schema | None:
    """Returns the schema of a field, through lists."""
    here: Schema | None = schema
    for name in path:
        items = here.get("items")
        parent = cast("Schema", items) if isinstance(items, Mapping) else here
        here = cast("Mapping[str, Schema]", parent.get("properties", {})).get(name)
        if here is None:
            return None
    return here
