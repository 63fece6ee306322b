"""Validates values by the structural schemas of CRDs: JSON schema with the regular expressions and the keyed lists of Kubernetes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from nodepools.manifests.patterns import is_match


def _pattern(_: object, expression: str, instance: object, __: object) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not is_match(expression, instance):
        yield ValidationError(f"{instance!r} does not match {expression!r}")


def _unique_keys(_: object, keys: Sequence[str], instance: object, __: object) -> Iterator[ValidationError]:
    """Reports entries of a list that have the same values in the fields that identify an entry."""
    seen: set[str] = set()
    for entry in cast("list[object]", instance) if isinstance(instance, list) else ():
        if isinstance(entry, Mapping):
            fields = cast("Mapping[str, object]", entry)
            key = repr([fields.get(name) for name in keys])
            if key in seen:
                yield ValidationError(f"{key} is there twice")
            seen.add(key)


VALIDATOR: Final = cast("Any", validators).extend(Draft202012Validator, {"pattern": _pattern, "uniqueKeys": _unique_keys})
