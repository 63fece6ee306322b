"""Every constraint of a CRD: what its schema says of each field, one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]

PLAIN = (
    *("type", "enum", "pattern", "format", "minimum", "maximum", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties"),
)
"""Keywords that are one constraint."""
SAYING_NOTHING = (
    *("default", "description", "items", "additionalProperties", "nullable", "properties"),
    *("anyOf", "x-kubernetes-int-or-string"),  # the same, said twice: a type of its own
    *(
        "x-kubernetes-list-map-keys",
        "x-kubernetes-map-type",
        "x-kubernetes-group-version-kind",
        "x-kubernetes-selectable-fields",
        "x-kubernetes-preserve-unknown-fields",
    ),
)
"""Keywords that are none by themselves."""
MANY = ("required", "x-kubernetes-validations", "x-kubernetes-list-type")
NOT_WRITTEN = ("status",)
"""What the cluster writes, and drops where people do."""
OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")
"""Judged by no schema of ours, but as those of every object are."""


@dataclass(frozen=True)
class Constraint:
    """One thing that the server asks of one field."""

    at: tuple[str, ...]
    """The field: `[]` is any entry of a list, `{}` any value of a mapping."""
    keyword: str
    """As the schema calls it; `rule` for one in CEL, `unknown` for a field that is not named."""
    of: Any
    """What it asks: a pattern, a bound, the name of the required field, the message of the rule."""
    schema: Schema = field(compare=False, hash=False, repr=False)

    def __str__(self) -> str:
        return f"{'.'.join(self.at) or 'the object'} {self.keyword} {self.of!r:.80}"


def constraints(schema: Schema, at: tuple[str, ...] = ()) -> Iterator[Constraint]:
    """All of a schema, outside first."""
    yield from _own(schema, at)
    for name, inner in schema.get("properties", {}).items():
        if at or name not in (*NOT_WRITTEN, *OF_EVERY_OBJECT):
            yield from constraints(inner, (*at, name))
    for keyword, step in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(keyword), Mapping):
            yield from constraints(schema[keyword], (*at, step))


def _own(schema: Schema, at: tuple[str, ...]) -> Iterator[Constraint]:
    unheard = schema.keys() - {*PLAIN, *SAYING_NOTHING, *MANY}
    assert not unheard, f"{unheard} of {'.'.join(at)}: are they constraints?"
    yield from (Constraint(at, name, schema[name], schema) for name in PLAIN if name in schema and (at or name != "type"))
    yield from (Constraint(at, "required", name, schema) for name in schema.get("required", ()))
    yield from (Constraint(at, "rule", rule["message"], {**schema, **rule}) for rule in schema.get("x-kubernetes-validations", ()))
    if schema.get("x-kubernetes-list-type", "atomic") != "atomic":
        yield Constraint(at, "x-kubernetes-list-type", schema["x-kubernetes-list-type"], schema)
    if schema.get("x-kubernetes-int-or-string"):
        yield Constraint(at, "type", "integer or string", schema)
    if "properties" in schema:
        yield Constraint(at, "unknown", "", schema)
