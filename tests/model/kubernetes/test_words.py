"""Quantities, durations, labels and taints: what is read, and as what."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from nodepools import DeclarationError, Taint
from nodepools.model.kubernetes.duration import BudgetDuration, Duration, DurationOrNever, seconds
from nodepools.model.kubernetes.label import domain, is_key, is_value
from nodepools.model.kubernetes.quantity import Quantity, amount, is_same_amount


@pytest.mark.parametrize(
    ("quantity", "number"),
    [
        ("200", 200),
        ("500m", Decimal("0.5")),
        ("16Gi", 16 * 1024**3),
        ("1.5Gi", 1610612736),
        ("1k", 1000),
        ("1Ki", 1024),
        ("1E", 10**18),
        ("1Ei", 1024**6),
        ("1e3", 1000),
        ("1E3", 1000),
        ("1e-3", Decimal("0.001")),
        ("-5", -5),
        ("+5", 5),
        (".5", Decimal("0.5")),
        ("5.", 5),
        ("3n", Decimal("0.000000003")),
        ("3u", Decimal("0.000003")),
    ],
)
def test_quantities_have_an_amount(quantity: str, number: object) -> None:
    assert amount(quantity) == number


@pytest.mark.parametrize("text", ["", "Gi", "16GB", "16 Gi", "1_000", "16gi", "1e", "0x10", "٤", "--1", "1K"])
def test_what_is_no_quantity_has_none(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        amount(text)
    with pytest.raises(ValidationError):
        TypeAdapter(Quantity).validate_python(text)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["", "k", "M", "G", "Ki", "Mi", "Gi", "m"]))
def test_an_amount_grows_with_its_number(number: int, unit: str) -> None:
    assert amount(f"{number}{unit}") < amount(f"{number + 1}{unit}")
    assert amount(f"{number}{unit}") == -amount(f"{-number}{unit}")


@given(st.integers())
def test_whole_numbers_are_quantities_without_quotes(number: int) -> None:
    assert TypeAdapter(Quantity).validate_python(number) == str(number)


@pytest.mark.parametrize("value", [2.5, True, None, []])
def test_other_values_are_none(value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Quantity).validate_python(value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("100gi", '`"100Gi"`'),
        ("100GB", '`"100Gi"` or `"100G"`'),
        ("1.5 TiB", '`"1.5Ti"`'),
        ("64kb", '`"64Ki"` or `"64k"`'),
        ("100 m", 'a quantity such as `"500m"` for CPU or `"16Gi"` for memory'),
        ("many", 'a quantity such as `"500m"` for CPU or `"16Gi"` for memory'),
    ],
)
def test_what_was_meant_by_an_amount_that_is_none(text: str, meant: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(Quantity).validate_python(text)
    assert refused.value.errors()[0]["ctx"]["example"] == meant


@given(st.integers(0, 999), st.integers(0, 59), st.integers(0, 59))
def test_the_parts_of_a_duration_add_up(hours: int, minutes: int, rest: int) -> None:
    assert seconds(f"{hours}h{minutes}m{rest}s") == hours * 3600 + minutes * 60 + rest
    assert seconds(f"{minutes}m") == minutes * 60


@pytest.mark.parametrize("text", ["", "Never", "1", "1d", "h", "1h ", "1.5h", "1H"])
def test_what_is_no_duration_has_no_length(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        seconds(text)


NO_DAYS = "has days or weeks: durations have hours, minutes and seconds: `"
SUCH_AS = "a duration such as `1h30m`"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        pytest.param(Duration, "1h30m", None, id="hours and minutes"),
        pytest.param(Duration, "3d", f"{NO_DAYS}72h`", id="days are told in hours"),
        pytest.param(Duration, "1h30", "has no unit: the number with its unit: `s`, `m` or `h`", id="a unit is missing"),
        pytest.param(Duration, "1w2h30m", f"{NO_DAYS}170h30m`", id="nor weeks"),
        pytest.param(Duration, "30", "has no unit: the number with its unit: `s`, `m` or `h`", id="a number without its unit"),
        pytest.param(BudgetDuration, "30", "has no unit: the number with its unit: `m` or `h`", id="a number without a unit that budgets have"),
        pytest.param(BudgetDuration, "1d30s", f"{NO_DAYS[:-3]}: {SUCH_AS}", id="days and seconds"),
        pytest.param(Duration, "Never", f"must be hours, minutes and seconds: {SUCH_AS}", id="never is no duration"),
        pytest.param(DurationOrNever, "Never", None, id="but may stand for one"),
        pytest.param(DurationOrNever, "never", "must be hours, minutes and seconds, or `Never`: `Never`", id="in its spelling"),
        pytest.param(DurationOrNever, "30s", None, id="as seconds may"),
        pytest.param(BudgetDuration, "8h30m", None, id="a budget has hours and minutes"),
        pytest.param(BudgetDuration, "10m0s", None, id="and no seconds, even in writing"),
        pytest.param(
            BudgetDuration, "30s", "must be hours and minutes: a budget has no seconds: hours and minutes, such as `8h30m`", id="but not some"
        ),
        pytest.param(BudgetDuration, "1d", f"{NO_DAYS}24h`", id="nor days"),
    ],
)
def test_durations(kind: object, text: str, message: str | None) -> None:
    if message is None:
        assert TypeAdapter(kind).validate_python(text) == text
        return
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(kind).validate_python(text)
    [error] = refused.value.errors()
    assert f"{error['msg']}: {error.get('ctx', {})['example']}" == message


@pytest.mark.parametrize("key", ["team", "a", "Team_1.x-y", "example.com/team", "a" * 63, f"{'a.' * 126}a/b", "1.2/3"])
def test_keys(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize(
    "key", ["", "/team", "example.com/", "a/b/c", "-a", "a-", "te am", "a" * 64, "Example.com/team", f"{'a.' * 127}/b", "team\n"]
)
def test_what_is_no_key(key: str) -> None:
    assert not is_key(key)


@given(st.text(max_size=70))
def test_what_can_be_a_name_can_be_a_value(text: str) -> None:
    assert is_value(text) is (text == "" or (is_key(text) and "/" not in text))


def test_what_stands_before_the_slash() -> None:
    assert domain("example.com/team") == "example.com"
    assert domain("team") == ""


names = st.from_regex(r"[a-z]{1,9}(\.[a-z]{1,9}/[a-z]{1,9})?", fullmatch=True)
effects = st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"])


@given(st.builds(Taint, names, st.sampled_from(["", "ml", "a.b-c"]), effects))
def test_a_taint_is_read_as_it_is_written(taint: Taint) -> None:
    assert Taint.parse(str(taint)) == taint
    assert Taint.model_validate_json(taint.model_dump_json()) == taint
    assert taint.is_hard is (taint.effect != "PreferNoSchedule")


@pytest.mark.parametrize("text", ["", "team", ":NoSchedule", "team=ml", "=ml:NoSchedule", "team:Noschedule"])
def test_what_is_no_taint(text: str) -> None:
    with pytest.raises(DeclarationError, match="Taint: 1 error"):
        Taint.parse(text)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("1Gi", "1024Mi", True), ("50Mi", "51200Ki", True), (1, "1000m", True), ("1Gi", "1G", False), ("much", "much", False), (None, "1", False)],
)
def test_quantities_of_the_same_amount(one: object, other: object, *, expected: bool) -> None:
    assert is_same_amount(one, other) is expected
