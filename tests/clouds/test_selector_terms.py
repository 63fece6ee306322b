"""Tags that select subnets: EC2 reads their values as patterns."""

import pytest

from nodepools.clouds.change import selects


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        pytest.param("prod", "prod", True, id="the same value"),
        pytest.param("prod", "Prod", False, id="case counts"),
        pytest.param("*", "", True, id="any value, also none"),
        pytest.param("prod-*", "prod-eu", True, id="the beginning of a value"),
        pytest.param("prod-*", "prod", False, id="not the beginning"),
        pytest.param("p?od", "prod", True, id="one character"),
        pytest.param("prod?", "prod", True, id="or none"),
        pytest.param("a.c", "abc", False, id="a dot is a dot"),
        pytest.param(r"a\*", "a*", True, id="an asterisk without its meaning"),
        pytest.param(r"a\*", "ab", False, id="which is no pattern then"),
        pytest.param("a\\", "a\\", True, id="a backslash at the end"),
    ],
)
def test_values(wanted: str, value: str, expected: bool) -> None:  # noqa: FBT001  # a row
    assert selects({"tags": {"team": wanted}}, "subnet-1", {"team": value}) is expected


def test_a_tag_that_a_subnet_does_not_have() -> None:
    assert not selects({"tags": {"team": "*"}}, "subnet-1", {"tier": "web"})
