"""Marks of the protocol, and what becomes of them."""

import pytest
from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine import signatures
from nodepools.engine.property_values import (
    JsonValue,
    as_output,
    from_output,
    json_of,
    output_dependencies,
    plain_of,
    secret,
    struct_of,
    to_json,
    unknown,
)

pytestmark = pytest.mark.program

HUSH = {signatures.SIGNATURE: signatures.SECRET, "value": "hush"}
OPEN = {signatures.SIGNATURE: signatures.OUTPUT}
ASSET, ARCHIVE = signatures.ASSETS


def value_of(plain: JsonValue) -> Value:
    return struct_of({"it": plain}).fields["it"]


@pytest.mark.parametrize(
    ("value", "json"),
    [
        pytest.param(3.0, 3, id="whole numbers are integers"),
        pytest.param(1e300, int(1e300), id="however large"),
        pytest.param(0.5, 0.5, id="others are not"),
        pytest.param(True, True, id="a flag is no number"),
        pytest.param(None, None, id="nothing"),
        pytest.param(signatures.UNKNOWN, {"$unknown": True}, id="an unknown value"),
        pytest.param(HUSH, {"$secret": True}, id="a secret"),
        pytest.param({**HUSH, "value": signatures.UNKNOWN}, {"$secret": True}, id="an unknown secret"),
        pytest.param({"list": [{"deep": HUSH}]}, {"list": [{"deep": {"$secret": True}}]}, id="a secret inside"),
        pytest.param({**OPEN, "value": "x"}, "x", id="an output"),
        pytest.param(OPEN, {"$unknown": True}, id="an output without a value"),
        pytest.param({**OPEN, "value": "x", "secret": True}, {"$secret": True}, id="a secret output"),
        pytest.param({signatures.SIGNATURE: signatures.RESOURCE, "urn": "u", "id": "i"}, {"$resource": "u"}, id="a resource"),
        pytest.param({signatures.SIGNATURE: ASSET, "text": "x"}, {"$asset": {"text": "x"}}, id="an asset"),
        pytest.param(
            {signatures.SIGNATURE: ARCHIVE, "assets": {"a": {signatures.SIGNATURE: ASSET, "path": "p"}}},
            {"$archive": {"assets": {"a": {"$asset": {"path": "p"}}}}},
            id="an archive of assets",
        ),
    ],
)
def test_json_names_what_the_protocol_marks(value: JsonValue, json: JsonValue) -> None:
    result = to_json(value_of(value))
    assert result == json
    assert type(result) is type(json)


def test_names_are_sorted() -> None:
    assert list(json_of(struct_of({"b": 1, "a": {"d": 1, "c": 1}}))) == ["a", "b"]


def test_fixtures_see_secrets_and_no_unknown_values() -> None:
    assert plain_of(struct_of({"a": HUSH, "b": signatures.UNKNOWN, "c": [HUSH, signatures.UNKNOWN, 2]})) == {"a": "hush", "c": ["hush", None, 2]}


def test_a_secret_is_marked_once() -> None:
    assert secret(secret(value_of("x"))) == secret(value_of("x"))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("plain", id="a plain value"),
        pytest.param(signatures.UNKNOWN, id="an unknown value"),
        pytest.param(HUSH, id="a secret"),
        pytest.param({**HUSH, "value": signatures.UNKNOWN}, id="an unknown secret"),
        pytest.param({"list": [{"deep": HUSH}, signatures.UNKNOWN, 1], "text": "x"}, id="all of them inside"),
        pytest.param({signatures.SIGNATURE: ASSET, "text": "x"}, id="an asset"),
    ],
)
def test_what_becomes_an_output_for_a_transform_comes_back_as_it_was(value: JsonValue) -> None:
    before = value_of(value)
    lifted = as_output(before, ["urn-b", "urn-a"])
    assert from_output(lifted) == before == value_of(value)
    assert list(output_dependencies(lifted)) == ["urn-a", "urn-b"]
    assert from_output(as_output(before)) == before


def test_unknown_and_nothing_differ() -> None:
    assert unknown() != Value()
    assert Struct() == struct_of({})
