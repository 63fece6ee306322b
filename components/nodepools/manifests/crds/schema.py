"""CRDs from files: their structural schemas, defaults and age. One that cannot be used is a problem; the others are used."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias, cast

from nodepools.cel.values import is_number
from nodepools.conversion.raw_parts import as_list
from nodepools.model.path import path_text
from nodepools.model.steps import Step
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import documents

Problem: TypeAlias = tuple[tuple[Step, ...], str]
"""A place in a CRD, and what is wrong there."""
_TYPES: Final = ("object", "array", "string", "integer", "number", "boolean")
_FORBIDDEN: Final = ("$ref", "definitions", "dependencies", "patternProperties", "additionalItems", "id")
_MAPS, _LISTS, _SCHEMAS = ("properties",), ("allOf", "anyOf", "oneOf"), ("items", "not")


_Kind: TypeAlias = tuple[Callable[[object], bool], str]


def _kind(kind: type, what: str) -> _Kind:
    return lambda value: isinstance(value, kind), what


_TEXT, _BOOLEAN = _kind(str, "a string"), _kind(bool, "`true` or `false`")
_MAPPING, _LIST = _kind(Mapping, "an object"), _kind(list, "a list")
_FILLED: Final[_Kind] = (lambda value: isinstance(value, str) and value != "", "a string that is not empty")
_COUNT: Final[_Kind] = (lambda value: isinstance(value, int) and not isinstance(value, bool), "an integer")
_TEXTS: Final[_Kind] = (lambda value: isinstance(value, list) and all(map(_TEXT[0], cast("list[object]", value))), "a list of strings")
_FIELDS: Final[Mapping[str, _Kind]] = {
    "type": (lambda value: value in _TYPES, f"one of {', '.join(f'`{name}`' for name in _TYPES)}"),
    **dict.fromkeys(("format", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type"), _TEXT),
    **dict.fromkeys(("minimum", "maximum"), (is_number, "a number")),
    "multipleOf": (lambda value: is_number(value) and cast("float", value) > 0, "a number greater than 0"),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _BOOLEAN),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _COUNT),
    **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), _TEXTS),
    **dict.fromkeys(("enum", "x-kubernetes-validations", *_LISTS), _LIST),
    **dict.fromkeys((*_MAPS, *_SCHEMAS), _MAPPING),
    "additionalProperties": (lambda value: isinstance(value, bool | Mapping), "a schema, `true` or `false`"),
    **dict.fromkeys(
        (*("nullable", "uniqueItems", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"), "x-kubernetes-embedded-resource"),
        _BOOLEAN,
    ),
}
"""The fields of a schema that this check reads, and what their values are."""
_RULE: Final[Mapping[str, _Kind]] = {"rule": _FILLED, "message": _TEXT, "messageExpression": _TEXT, "optionalOldSelf": _BOOLEAN}


def misplaced(raw: Mapping[str, object], path: tuple[Step, ...], fields: Mapping[str, _Kind], required: tuple[str, ...] = ()) -> Iterator[Problem]:
    """Yields the fields whose values are of another kind, and those that are missing."""
    for name in required:
        if raw.get(name) is None:
            yield (*path, name), "is required"
    for name, (is_right, what) in fields.items():
        if raw.get(name) is not None and not is_right(raw[name]):
            yield (*path, name), f"must be {what}"


def crd_problems(raw: Mapping[str, object]) -> Iterator[Problem]:
    """Yields what is wrong with a CRD outside its schemas: what must hold to know which kinds it serves."""
    if raw.get("apiVersion") is not None and raw.get("apiVersion") != "apiextensions.k8s.io/v1":
        yield ("apiVersion",), "must be `apiextensions.k8s.io/v1`"
        return
    spec = raw.get("spec")
    if not isinstance(spec, Mapping):
        yield ("spec",), "is required" if spec is None else "must be an object"
        return
    fields = cast("Mapping[str, object]", spec)
    yield from misplaced(fields, ("spec",), {"group": _FILLED, "names": _MAPPING, "versions": _LIST}, ("group", "names", "versions"))
    if isinstance(fields.get("names"), Mapping):
        yield from misplaced(cast("Mapping[str, object]", fields["names"]), ("spec", "names"), {"kind": _FILLED}, ("kind",))
    if isinstance(fields.get("versions"), list):
        yield from _versions(cast("list[object]", fields["versions"]))


def _versions(versions: list[object]) -> Iterator[Problem]:
    if not versions:
        yield ("spec", "versions"), "must not be empty"
    for index, version in enumerate(versions):
        at = ("spec", "versions", index)
        if not isinstance(version, Mapping):
            yield at, "must be an object"
            continue
        fields = cast("Mapping[str, object]", version)
        yield from misplaced(fields, at, {"name": _FILLED, "served": _BOOLEAN, "schema": _MAPPING}, ("name", "served"))
        if fields.get("served") is True:
            yield from _has_schema(fields.get("schema"), (*at, "schema"))


def _has_schema(schema: object, path: tuple[Step, ...]) -> Iterator[Problem]:
    if schema is None:
        yield path, "is required"
    elif isinstance(schema, Mapping):
        yield from misplaced(cast("Mapping[str, object]", schema), path, {"openAPIV3Schema": _MAPPING}, ("openAPIV3Schema",))


def schema_problems(schema: Mapping[str, object], path: tuple[Step, ...], *, is_root: bool = False, is_nested: bool = False) -> Iterator[Problem]:
    """Yields what is wrong with a structural schema, without its patterns and rules.

    `is_nested` marks schemas inside `allOf`, `anyOf`, `oneOf` and `not`, which have no types.
    """
    yield from misplaced(schema, path, _FIELDS)
    for name in _FORBIDDEN:
        if name in schema:
            yield (*path, name), "is not allowed in a CRD"
    if is_root and schema.get("type") != "object":
        yield (*path, "type"), "must be `object`"
    elif not is_nested:
        yield from _untyped(schema, path)
    for index, rule in enumerate(as_list(schema.get("x-kubernetes-validations"))):
        place = (*path, "x-kubernetes-validations", index)
        if isinstance(rule, Mapping):
            yield from misplaced(cast("Mapping[str, object]", rule), place, _RULE, ("rule",))
        else:
            yield place, "must be an object"
    for steps, inner, nested in schemas_in(schema):
        if is_root and steps == ("properties", "metadata"):
            continue
        if isinstance(inner, Mapping):
            yield from schema_problems(cast("Mapping[str, object]", inner), (*path, *steps), is_nested=is_nested or nested)
        else:
            yield (*path, *steps), "must be a schema"


def _untyped(schema: Mapping[str, object], path: tuple[Step, ...]) -> Iterator[Problem]:
    kind = schema.get("type")
    if kind is None and not (schema.get("x-kubernetes-int-or-string") is True or schema.get("x-kubernetes-preserve-unknown-fields") is True):
        yield (*path, "type"), "is required"
    if kind == "array" and "items" not in schema:
        yield (*path, "items"), "is required for an array"
    if schema.get("properties") and schema.get("additionalProperties"):
        yield (*path, "additionalProperties"), "is not allowed together with `properties`"


def schemas_in(schema: Mapping[str, object]) -> Iterator[tuple[tuple[Step, ...], object, bool]]:
    """Yields the schemas inside a schema, with their places, and whether they have no types."""
    for name in _MAPS:
        if isinstance(schema.get(name), Mapping):
            yield from (((name, str(key)), inner, False) for key, inner in cast("Mapping[object, object]", schema[name]).items())
    for name in _LISTS:
        yield from (((name, index), inner, True) for index, inner in enumerate(as_list(schema.get(name))))
    for name in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(name), Mapping):
            yield (name,), schema[name], name == "not"


def problem_text(problem: Problem) -> str:
    """Returns a problem as a line."""
    at, what = problem
    return f"`{path_text(at)}` {what}"


Schema: TypeAlias = Mapping[str, object]

_KEPT: Final = (
    *("type", "enum", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "required"),
)
_MARKS: Final[Mapping[str, Sequence[tuple[Sequence[str], str, str]]]] = {
    "NodePool": (
        (("disruption", "consolidationPolicy"), "Balanced", "Karpenter 1.14 or newer"),
        (("template", "spec", "requirements", "operator"), "Gte", "Karpenter 1.9 or newer"),
        (("replicas",), "", "Karpenter 1.8 or newer"),
    ),
    "NodeClass": (
        (("advancedNetworking", "networkInterfaces"), "", "EKS Auto Mode of 2026-07-21 or newer"),
        (("advancedSecurity",), "", "EKS Auto Mode of 2025-10-23 or newer"),
        (("capacityReservationSelectorTerms",), "", "EKS Auto Mode of 2025-06-20 or newer"),
    ),
    "AKSNodeClass": (
        (("security", "trustedLaunch"), "", "newer than AKS's Karpenter 1.14"),
        (("gpu",), "", "AKS's Karpenter 1.12 or newer"),
        (("linuxOSConfig",), "", "AKS's Karpenter 1.10 or newer"),
    ),
}
"""Fields and values by kind, with the release that introduced them, the newest first."""


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
    for name in ("allOf", "anyOf", "oneOf"):
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
        made |= dict.fromkeys(("apiVersion", "kind", "metadata"), True)
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


def crd_release(kind: str, schema: Schema) -> str:
    """Returns the release that the schema is at least from, by the fields and values that it has; empty: it does not tell."""
    spec = cast("Schema", cast("Schema", schema.get("properties", {})).get("spec", {}))
    for path, value, name in _MARKS.get(kind, ()):
        inner = schema_at(spec, path)
        if inner is not None and (not value or value in cast("Sequence[str]", inner.get("enum", ()))):
            return name
    return "of its first versions" if kind in _MARKS else ""


def schema_at(schema: Schema, path: Sequence[Step]) -> Schema | None:
    """Returns the schema of a field, through lists, or of an item of one."""
    here: Schema | None = schema
    for name in path:
        items = here.get("items")
        here = cast("Schema", items) if isinstance(items, Mapping) else here
        if isinstance(name, str):
            here = cast("Mapping[str, Schema]", here.get("properties", {})).get(name)
        if here is None:
            return None
    return here


_MOST_REPORTED: Final = 5
_GROUP_VERSION_KIND: Final = "x-kubernetes-group-version-kind"


@dataclass(frozen=True, slots=True)
class Served:
    """A kind in a version that a cluster serves, or only has. `origin` and `at` are the CRD and the place of the schema in it, for messages."""

    api_version: str
    kind: str
    schema: Schema
    origin: str = ""
    at: tuple[Step, ...] = ()
    is_served: bool = True

    def __str__(self) -> str:
        release = crd_release(self.kind, self.schema)
        return f"{self.api_version} {self.kind}" + (f": {release}" if release else "")

    @property
    def key(self) -> tuple[str, str]:
        """What the objects of the kind have in `apiVersion` and `kind`."""
        return self.api_version, self.kind

    def problem_lines(self, problems: Iterable[Problem]) -> Iterator[str]:
        """Yields a line for each problem of the schema."""
        return _lines(self.origin, problems)


@dataclass(frozen=True, slots=True)
class Crds:
    """The kinds that the CRDs of some files serve, and one line for each problem."""

    served: tuple[Served, ...]
    problems: tuple[str, ...]


def read_crds(files: Iterable[Path], read: Callable[[Path], str]) -> Crds:
    """Reads every CRD in `files`.

    Raises:
        TextError: there is no CRD.
    """
    names: list[str] = []
    served: list[Served] = []
    problems: list[str] = []
    for file in files:
        names.append(str(file))
        try:
            for document in documents(read(file), str(file)):
                _add(document.value, str(file), served, problems)
        except TextError as error:
            problems.append(str(error))
    if not served and not problems:
        raise TextError(f"{', '.join(names) or '--crds'}: holds no CustomResourceDefinition: write those of a cluster with `kubectl get crd -o yaml`")
    return Crds(tuple(served), tuple(problems))


def _add(document: object, file: str, served: list[Served], problems: list[str]) -> None:
    """Adds the kinds of a CRD, of a list of CRDs, or of a schema that names its kind."""
    if not isinstance(document, Mapping):
        return
    raw = cast("Mapping[str, object]", document)
    if str(raw.get("kind", "")).endswith("List"):
        items = raw.get("items")
        for item in cast("list[object]", items) if isinstance(items, list) else ():
            _add(item, file, served, problems)
    elif raw.get("kind") == "CustomResourceDefinition":
        origin = f"{file}: CRD `{_name(raw)}`"
        found = list(crd_problems(raw))
        problems.extend(_lines(origin, found))
        if not found:
            served.extend(_served(cast("Schema", raw["spec"]), origin))
    elif _GROUP_VERSION_KIND in raw:
        served.extend(_of_schema(raw, file))


def _name(raw: Mapping[str, object]) -> str:
    metadata = raw.get("metadata")
    name = cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else "without a name"


def _lines(origin: str, problems: Iterable[Problem]) -> Iterator[str]:
    rest = iter(problems)
    yield from (f"{origin}: {problem_text(problem)}" for problem in islice(rest, _MOST_REPORTED))
    if more := sum(1 for _ in rest):
        yield f"{origin}: and {more} more problem{'s' * (more > 1)}"


def _served(spec: Schema, origin: str) -> Iterator[Served]:
    kind = cast("Mapping[str, str]", spec["names"])["kind"]
    for index, version in enumerate(cast("Sequence[Schema]", spec["versions"])):
        at = ("spec", "versions", index, "schema", "openAPIV3Schema")
        schema = cast("Mapping[str, Schema]", version.get("schema") or {}).get("openAPIV3Schema", {})
        yield Served(f"{spec['group']}/{version['name']}", kind, schema, origin, at, version["served"] is True)


def _of_schema(raw: Schema, file: str) -> Iterator[Served]:
    kinds = raw[_GROUP_VERSION_KIND]
    for of in cast("list[object]", kinds) if isinstance(kinds, list) else ():
        if isinstance(of, Mapping):
            named = cast("Mapping[str, object]", of)
            yield Served(f"{named.get('group')}/{named.get('version')}", str(named.get("kind")), raw, f"{file}: schema of `{named.get('kind')}`")
