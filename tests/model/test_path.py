"""Paths as text, and what is at a path of a declaration or of data."""

import pytest

from nodepools import Autoscale, Taint, UserPool
from nodepools.model.path import children, path_text, value_at
from nodepools.model.steps import Step

POOL = UserPool(vm_size="Standard_D4ds_v5", labels={"x/y": "web"}, taints=[Taint("a", "b")], scale=Autoscale(1, 3))

SPELLED = [
    (("clusters", "weu", "taints", 0), "clusters.weu.taints[0]"),
    (("labels", "x/y"), 'labels["x/y"]'),
    (("node-pools", "web"), "node-pools.web"),
    ((), ""),
]

AT = [
    pytest.param(("scale", "max"), 3, id="a field of a part"),
    pytest.param(("labels", "x/y"), "web", id="a key of a mapping"),
    pytest.param(("taints", 0, "key"), "a", id="a field of an entry"),
    pytest.param((), POOL, id="itself"),
    pytest.param(("size",), None, id="not a field"),
    pytest.param(("labels", "z"), None, id="not a key"),
    pytest.param(("taints", 1), None, id="behind the last entry"),
    pytest.param(("taints", "key"), None, id="a field of a list"),
    pytest.param(("vm_size", "name"), None, id="inside a text"),
    pytest.param(("kubelet", "pod_max_pids"), None, id="inside a part that is not set"),
]


@pytest.mark.parametrize(("steps", "text"), SPELLED)
def test_a_path_as_text(steps: tuple[Step, ...], text: str) -> None:
    assert path_text(steps) == text


@pytest.mark.parametrize(("steps", "expected"), AT)
def test_the_value_at_a_path(steps: tuple[Step, ...], expected: object) -> None:
    assert value_at(POOL, steps) == expected


def test_data_of_others_is_read_the_same_way() -> None:
    assert value_at({"pools": [{"name": "web"}]}, ("pools", 0, "name")) == "web"


def test_the_children_of_a_value_have_their_steps() -> None:
    assert list(children({"a": 1})) == [("a", 1)]
    assert list(children(["a", "b"])) == [(0, "a"), (1, "b")]
    assert ("labels", {"x/y": "web"}) in list(children(POOL))
    assert list(children("text")) == []
