"""Fields of pods about other pods."""

from typing import Any

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.topology import PodTopology, read_topology

OTHER = PodTopology(labels=(("app", "web"), ("tier", "x")))


def spread(selector: object, **fields: Any) -> dict[str, Any]:
    return {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"topologySpreadConstraints": [{"topologyKey": "zone", "labelSelector": selector, **fields}]},
    }


SELECTORS = [
    pytest.param({}, True, id="an empty selector selects all"),
    pytest.param(None, False, id="none selects nothing"),
    pytest.param({"matchLabels": {"app": "web"}}, True, id="a label"),
    pytest.param({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, True, id="a label that exists"),
    pytest.param({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["x"]}]}, False, id="a value that is excluded"),
]


@pytest.mark.parametrize(("selector", "selects"), SELECTORS)
def test_selectors(selector: object, *, selects: bool) -> None:
    [found] = read_topology(spread(selector), "default").spreads
    assert found.selector.selects(OTHER, itself=False) is selects


def test_keys_whose_value_must_be_equal_or_differ() -> None:
    [same] = read_topology(spread({}, matchLabelKeys=["app", "none"]), "default").spreads
    [other] = read_topology(spread({}, mismatchLabelKeys=["app"]), "default").spreads
    assert (same.selector.selects(OTHER, itself=False), other.selector.selects(OTHER, itself=False)) == (True, False)


INVALID = [
    pytest.param(spread({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}), "operator must be one of In", id="an operator"),
    pytest.param(spread({}, minDomains="3"), "`minDomains` must be a whole number", id="text"),
]


@pytest.mark.parametrize(("raw", "message"), INVALID)
def test_invalid_fields(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError, match=message):
        read_topology(raw, "default")
