"""Requirements meet or do not: one row a fact, named as a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools.model.kubernetes.label import ABSENT, Conflict, Operator, Requirements, Values, integer

In, NotIn, Exists, DoesNotExist = Operator.IN, Operator.NOT_IN, Operator.EXISTS, Operator.DOES_NOT_EXIST
Gt, Lt, Gte, Lte = Operator.GT, Operator.LT, Operator.GTE, Operator.LTE

ARCH = "kubernetes.io/arch"
WELL_KNOWN = frozenset({ARCH})


def wants(key: str, operator: Operator, *values: str) -> Requirements:
    return Requirements({key: Values.of(operator, values)})


@pytest.mark.parametrize(
    ("pool", "pod", "meets"),
    [
        pytest.param(wants("team", In, "a", "b"), wants("team", In, "b", "c"), True, id="sets that share a value meet"),
        pytest.param(wants("team", In, "a"), wants("team", In, "b"), False, id="sets that share none do not"),
        pytest.param(wants("team", NotIn, "a"), wants("team", In, "a"), False, id="an excluded value cannot be asked for"),
        pytest.param(wants("team", NotIn, "a"), wants("team", In, "a", "b"), True, id="but another beside it can"),
        pytest.param(wants("team", Exists), wants("team", In, "z"), True, id="a wildcard label adopts what the pod asks for"),
        pytest.param(wants("team", Exists), wants("team", DoesNotExist), False, id="but it is there"),
        pytest.param(Requirements(), wants("team", In, "a"), False, id="an own label that the pool does not set is not met"),
        pytest.param(Requirements(), wants("team", Exists), False, id="nor asked to be there"),
        pytest.param(Requirements(), wants("team", NotIn, "a"), True, id="but NotIn is met by its absence"),
        pytest.param(Requirements(), wants("team", DoesNotExist), True, id="and so is DoesNotExist"),
        pytest.param(Requirements(), wants(ARCH, In, "arm64"), True, id="a well-known label is left to the instance types"),
        pytest.param(wants("rank", Gt, "4"), wants("rank", Lt, "6"), True, id="bounds that leave one integer meet"),
        pytest.param(wants("rank", Gt, "4"), wants("rank", Lt, "5"), False, id="bounds that leave none do not"),
        pytest.param(wants("rank", Gte, "4"), wants("rank", Lte, "4"), True, id="bounds that include their ends"),
        pytest.param(wants("rank", In, "4", "9"), wants("rank", Gt, "8"), True, id="a value within a bound"),
        pytest.param(wants("rank", In, "high"), wants("rank", Gt, "0"), False, id="a word is within no bounds"),
        pytest.param(wants("team", DoesNotExist), wants("team", NotIn, "a"), True, id="two that permit absence agree on it"),
        pytest.param(wants("team", In, "a"), wants("rank", NotIn, "a"), True, id="labels do not touch each other"),
    ],
)
def test_meeting(pool: Requirements, pod: Requirements, *, meets: bool) -> None:
    assert (not list(pool.conflicts(pod, WELL_KNOWN))) is meets


def test_a_conflict_names_both_sides() -> None:
    offered, wanted = Values.of(In, ["a"]), Values.of(In, ["b"])
    pod = wants("team", In, "b").merged(wants("rank", Gt, "1"))
    assert list(Requirements({"team": offered}).conflicts(pod)) == [Conflict("team", offered, wanted), Conflict("rank", None, Values(minimum=2))]


def test_merging_one_label_twice_is_the_intersection() -> None:
    both = wants("team", In, "a", "b").merged(wants("team", NotIn, "a")).merged(wants("rank", Exists))
    assert both == {"team": Values.of(In, ["b"]), "rank": Values()}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4),
        ("007", 7),
        ("+4", 4),
        ("-4", -4),
        (str(2**63 - 1), 2**63 - 1),
        (str(2**63), None),
        ("", None),
        ("4.0", None),
        ("1_000", None),
        (" 4", None),
        ("٤", None),
    ],
)
def test_integers_are_read_as_go_does(text: str, number: int | None) -> None:
    assert integer(text) == number


@pytest.mark.parametrize("values", [[], ["x"], ["1", "2"]])
@pytest.mark.parametrize("operator", [Gt, Lt, Gte, Lte])
def test_a_bound_is_one_integer(operator: Operator, values: list[str]) -> None:
    with pytest.raises(ValueError, match=f"{operator} needs one integer"):
        Values.of(operator, values)


words = st.sampled_from(["a", "b", "1", "7", "07"])
values = st.one_of(
    st.builds(Values.of, st.sampled_from([In, NotIn, Exists, DoesNotExist]), st.sets(words, min_size=1)),
    st.builds(Values.of, st.sampled_from([Gt, Lt, Gte, Lte]), st.integers(0, 9).map(lambda number: [str(number)])),
)


@given(values, values, values)
def test_intersection_is_a_lattice(a: Values, b: Values, c: Values) -> None:
    assert a & b == b & a
    assert ((a & b) & c).overlaps(Values()) is (a & (b & c)).overlaps(Values())
    assert a & a == a
    assert a & ABSENT == ABSENT
    assert a & Values() == a


@given(values, values, st.one_of(words, st.integers(0, 9).map(str), st.just("unheard")))
def test_membership_follows_intersection(a: Values, b: Values, value: str) -> None:
    assert (value in a & b) is (value in a and value in b)


@pytest.mark.parametrize(
    ("operator", "wanted", "known", "last"),
    [
        (Gt, ["8"], ["5", "8", ""], 8),
        (Gt, ["7"], ["5", "8"], None),
        (In, ["9", "12"], ["5", "8"], 8),
        (In, ["6"], ["5", "8"], None),
        (In, ["v9"], ["5", "8"], None),
        (Lt, ["3"], ["5", "8"], None),
        (Gt, ["8"], [], None),
    ],
)
def test_numbers_above_the_known_ones(operator: Operator, wanted: list[str], known: list[str], last: int | None) -> None:
    assert Values.of(operator, wanted).above(known) == last


@given(values, values)
def test_overlap_has_no_sides(a: Values, b: Values) -> None:
    assert a.overlaps(b) is b.overlaps(a)
    assert a.overlaps(a) is not a.absent


@given(values)
def test_absence_is_permitted_by_what_does_not_ask_for_a_value(a: Values) -> None:
    assert a.permits_absence or not a.absent
