"""Words the message and the fix for a value that a structural schema rejects: messages of jsonschema show values in Python's spelling."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from jsonschema.exceptions import ValidationError

from nodepools.manifests.reading_findings import field_name
from nodepools.rules.finding_text import flow

_LIMITS: Final[Mapping[str, str]] = {
    "minimum": "be at least {}",
    "maximum": "be at most {}",
    "exclusiveMinimum": "be greater than {}",
    "exclusiveMaximum": "be less than {}",
    "multipleOf": "be a multiple of {}",
    "minLength": "have at least {} characters",
    "maxLength": "have at most {} characters",
    "minItems": "have at least {} entries",
    "maxItems": "have at most {} entries",
    "minProperties": "have at least {} entries",
    "maxProperties": "have at most {} entries",
    "pattern": "match `{}`",
}
"""The requirement of each keyword of a schema, with its bound."""


def rejection(error: ValidationError) -> tuple[str, str]:
    """Returns the message and the fix for a value that a schema rejects."""
    field = field_name(tuple(error.absolute_path))
    fix = f"Change {field} to a value that the CRD accepts" if error.absolute_path else "Change it to what the CRD accepts"
    keyword, bound = str(error.validator), cast("object", error.validator_value)
    if keyword == "required":
        missing = (re.findall(r"'([^']*)' is a required", error.message) or ["a field"])[0]
        return f"{field} must have `{missing}`", f"Add `{missing}`"
    if keyword in _LIMITS:
        must = _LIMITS[keyword].format(bound)
    elif keyword in _OTHERS:
        must = _OTHERS[keyword](bound)
    else:
        return f"The CRD rejects {field}: its value does not meet the keyword `{keyword}` of the schema", fix
    return f"{field} must {must}", fix


def _types(bound: object) -> str:
    names = [str(name) for name in cast("Sequence[object]", bound)] if isinstance(bound, list) else [str(bound)]
    return f"have the type {' or '.join(f'`{name}`' for name in names)}"


def _one_of(bound: object) -> str:
    return f"be one of {', '.join(f'`{flow(value)}`' for value in cast('Sequence[object]', bound))}"


_OTHERS: Final[Mapping[str, Callable[[object], str]]] = {
    "type": _types,
    "enum": _one_of,
    "uniqueItems": lambda _: "not have an entry twice",
    "uniqueKeys": lambda keys: f"not have two entries with the same {' and '.join(f'`{key}`' for key in cast('Sequence[str]', keys))}",
}
