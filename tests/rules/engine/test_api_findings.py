"""The edits that make one written object of another."""

import pytest

from nodepools.model.unknowns import UNKNOWN
from nodepools.rules.engine.api_findings import Edit, edits

ROWS = [
    pytest.param({"a": 1}, {"a": 1}, [], id="equal objects"),
    pytest.param({"a": 1}, {"a": 2}, [Edit("set", ("a",), 2)], id="another value"),
    pytest.param({}, {"a": {"b": 1}}, [Edit("set", ("a",), {"b": 1})], id="a mapping that was not there"),
    pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, [Edit("remove", ("a", "c"))], id="a field less"),
    pytest.param({"a": 1}, {"a": UNKNOWN}, [], id="a value that nobody knows"),
    pytest.param({"a": UNKNOWN}, {"a": 1}, [], id="a value that nobody knew"),
    pytest.param({"a": [1]}, {"a": [1, 2, 3]}, [Edit("add", ("a",), 2), Edit("add", ("a",), 3)], id="two entries more"),
    pytest.param({"a": [1, 2, 3]}, {"a": [2]}, [Edit("remove", ("a", 2)), Edit("remove", ("a", 0))], id="entries less, from the end"),
    pytest.param({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 3}]}, [Edit("set", ("a", 1, "b"), 3)], id="inside an entry"),
    pytest.param({"a": [1, 2, 3]}, {"a": [3, 1]}, [Edit("set", ("a",), [3, 1])], id="another order"),
    pytest.param({"a": [1]}, {"a": "x"}, [Edit("set", ("a",), "x")], id="no list any more"),
]


@pytest.mark.parametrize(("before", "after", "expected"), ROWS)
def test_edits(before: object, after: object, expected: list[Edit]) -> None:
    assert list(edits(before, after)) == expected
