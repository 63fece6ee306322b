"""Every declared value is frozen, rejects unknown fields, and is read as a whole."""

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools import Autoscale, EksNodePool, Requirement, Spot, SpotPool, Taint, UserPool, check
from nodepools.model.base import FrozenDict, freeze, to_plain

SIZE = "Standard_D2ds_v5"


def test_values_may_be_given_by_position_or_by_name() -> None:
    assert Autoscale(1, 2) == Autoscale(1, max=2) == Autoscale(min=1, max=2)
    assert Taint("a", "b") == Taint(key="a", value="b", effect="NoSchedule")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: Autoscale(1, 2, 3), "Autoscale accepts min, max, each at most once", id="one too many"),
        pytest.param(lambda: Autoscale(1, 2, min=1), "Autoscale accepts min, max, each at most once", id="one twice"),
        pytest.param(lambda: UserPool(SIZE), "UserPool accepts keyword arguments only, each at most once", id="where there are names only"),
    ],
)
def test_positions_that_there_are_not(make: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


def test_a_declaration_cannot_be_changed() -> None:
    pool = UserPool(vm_size=SIZE, labels={"a": "b"})
    with pytest.raises(AttributeError, match="cannot be changed: use derive"):
        pool.vm_size = "x"
    for change in (
        pool.labels.clear,
        lambda: pool.labels.update(a="c"),
        lambda: pool.labels.__setitem__("a", "c"),
        lambda: pool.labels.pop("a"),
        lambda: pool.labels.__delitem__("a"),
    ):
        with pytest.raises(TypeError, match="derive"):
            change()
    with pytest.raises(TypeError, match="derive"):
        pool.model_copy(update={"vm_size": "x"})
    assert pool.model_copy() == pool
    assert pool.model_copy(deep=True) == pool


def test_a_declaration_is_frozen_to_the_bottom_and_can_be_hashed() -> None:
    pool = UserPool(vm_size=SIZE, taints=[Taint("a")], zones=[1], overrides={"a": {"b": [1, {"c": 2}]}})
    assert pool.taints == (Taint("a"),)
    assert pool.zones == (1,)
    assert hash(pool) == hash(UserPool(vm_size=SIZE, taints=(Taint("a"),), zones=(1,), overrides={"a": {"b": (1, {"c": 2})}}))
    assert to_plain(pool.overrides) == {"a": {"b": [1, {"c": 2}]}}


data = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(data)
def test_freezing_loses_nothing(value: object) -> None:
    assert to_plain(freeze(value)) == value
    assert freeze(freeze(value)) == freeze(value)
    hash(freeze(value))


@given(st.dictionaries(st.text(), st.integers()))
def test_a_frozen_dict_is_a_dict(items: dict[str, int]) -> None:
    held = FrozenDict(items)
    assert held == items
    assert pickle.loads(pickle.dumps(held)) == held  # noqa: S301  # our own
    assert hash(held) == hash(FrozenDict(reversed(items.items())))


def test_a_spot_pool_is_a_user_pool_with_spot() -> None:
    assert SpotPool(vm_size=SIZE) == UserPool(vm_size=SIZE, spot=Spot())
    assert SpotPool(vm_size=SIZE, spot=Spot(max_price=0.5)).spot == Spot(max_price=0.5)


@pytest.mark.parametrize(
    ("operator", "values", "message"),
    [
        pytest.param("In", [], "must not be empty: the operator `In` requires at least one value", id="In of nothing"),
        pytest.param("Gt", ["16Gi"], "must be one whole number of 0 or more, in quotes, for Gt", id="a unit"),
        pytest.param("Lt", ["-1"], "must be one whole number of 0 or more, in quotes, for Lt", id="a negative number"),
        pytest.param("Gte", ["1", "2"], "must be one whole number of 0 or more, in quotes, for Gte", id="two numbers"),
    ],
)
def test_requirements_that_say_nothing(operator: str, values: list[str], message: str) -> None:
    assert [finding.message for finding in check(Requirement("team", operator, values))] == [f"`values` {message}"]  # type: ignore[arg-type]  # any of the operators


def test_a_requirement_reads_as_its_set() -> None:
    requirement = Requirement("team", "In", ["a", "b"])
    assert "a" in requirement.allowed
    assert "c" not in requirement.allowed
    assert str(requirement) == "team In [a, b]"
    assert EksNodePool(requirements=[requirement]).requirements == (requirement,)


@pytest.mark.parametrize("nodes", ["0", "5", "10%", "100%", "1000"])
def test_budgets(nodes: str) -> None:
    from nodepools import Budget

    assert Budget(nodes=nodes).nodes == nodes


@pytest.mark.parametrize("nodes", ["", "%", "101%", "010%", "1.5", "-1", "5 %", "٤", "5\n"])
def test_what_is_no_budget(nodes: str) -> None:
    from nodepools import Budget

    assert [finding.message for finding in check(Budget(nodes=nodes))] == ["`nodes` must be a count or a percentage in quotes, such as `5` or `10%`"]
