"""What the structural schema of a CRD rejects, as people read it."""

import pytest
from jsonschema import Draft202012Validator

from nodepools.manifests.crds.validation import rejection

REJECTIONS = [
    pytest.param({"type": "string"}, None, "`x` must have the type `string`", id="a type"),
    pytest.param({"type": ["integer", "string"]}, True, "`x` must have the type `integer` or `string`", id="one of two types"),
    pytest.param({"enum": ["In", True, None]}, "in", '`x` must be one of `"In"`, `true`, `null`', id="a word that is not among some"),
    pytest.param({"pattern": "^a$"}, "b", "`x` must match `^a$`", id="a pattern"),
    pytest.param({"minimum": 1}, 0, "`x` must be at least 1", id="too small"),
    pytest.param({"exclusiveMaximum": 1}, 1, "`x` must be less than 1", id="a bound that is excluded"),
    pytest.param({"minItems": 1}, [], "`x` must have at least 1 entries", id="an empty list"),
    pytest.param({"uniqueItems": True}, [1, 1], "`x` must not have an entry twice", id="an entry twice"),
    pytest.param(
        {"not": {}}, 1, "The CRD rejects `x`: its value does not meet the keyword `not` of the schema", id="a keyword without words of ours"
    ),
]


@pytest.mark.parametrize(("schema", "value", "message"), REJECTIONS)
def test_a_value(schema: object, value: object, message: str) -> None:
    [error] = Draft202012Validator({"properties": {"x": schema}}).iter_errors({"x": value})
    assert rejection(error) == (message, "Change `x` to a value that the CRD accepts")


def test_a_field_that_is_missing_and_an_object_as_a_whole() -> None:
    [missing] = Draft202012Validator({"properties": {"x": {"required": ["key"]}}}).iter_errors({"x": {}})
    assert rejection(missing) == ("`x` must have `key`", "Add `key`")
    [top] = Draft202012Validator({"type": "object"}).iter_errors(3)
    assert rejection(top) == ("The object must have the type `object`", "Change it to what the CRD accepts")
