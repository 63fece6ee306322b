"""Schedules as robfig/cron reads them, and when they begin."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools.model.kubernetes.cron import Schedule, ScheduleError, is_admitted, unreadable

START = datetime(2026, 11, 21, tzinfo=UTC)  # a Saturday


def begins(text: str, days: int = 7) -> list[str]:
    schedule = Schedule.parse(text)
    on = [day for day in (START + timedelta(days=number) for number in range(days)) if schedule.starts_on(day)]
    return [f"{day + timedelta(minutes=minute):%a %H:%M}" for day in on for minute in schedule.minutes_of_day]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        pytest.param("0 9 * * mon", ["Mon 09:00"], id="a day of the week"),
        pytest.param("0 9 * * MON-wed", ["Mon 09:00", "Tue 09:00", "Wed 09:00"], id="days in any case"),
        pytest.param("0 9 23 * *", ["Mon 09:00"], id="a day of the month"),
        pytest.param("0 9 24 * mon", ["Mon 09:00", "Tue 09:00"], id="both: one of them is enough"),
        pytest.param("0 9 24 * */1", ["Tue 09:00"], id="a star with step one is a star"),
        pytest.param("0 9 24 * */3", ["Sat 09:00", "Sun 09:00", "Tue 09:00", "Wed 09:00"], id="a star with another step is none"),
        pytest.param("0 9 24 dec *", [], id="another month"),
        pytest.param("30 22/1 21 11 *", ["Sat 22:30", "Sat 23:30"], id="a step goes on to the end"),
        pytest.param("0 1-5/2 21 11 ?", ["Sat 01:00", "Sat 03:00", "Sat 05:00"], id="a range with a step"),
        pytest.param("0 */+12 21 * *", ["Sat 00:00", "Sat 12:00"], id="a step with a sign"),
        pytest.param(", 9 * * *", [], id="a field of nothing never comes"),
        pytest.param(" @weekly ", ["Sun 00:00"], id="a descriptor, blanks around it aside"),
        pytest.param("@annually", [], id="once a year is not this week"),
    ],
)
def test_times(text: str, times: list[str]) -> None:
    assert begins(text) == times


@pytest.mark.parametrize(
    ("text", "year", "day"),
    [
        pytest.param("@daily", 2026, date(2026, 12, 31), id="every day"),
        pytest.param("0 0 29 2 *", 2028, date(2028, 2, 29), id="a leap day"),
        pytest.param("0 0 29 2 *", 2026, None, id="no leap day in this year"),
        pytest.param("0 0 30 2 *", 2028, None, id="a day that never comes"),
        pytest.param("0 0 1 1 *", 2028, date(2028, 1, 1), id="the first day alone"),
        pytest.param("0 , * * *", 2026, None, id="no hour"),
    ],
)
def test_last_day_of_a_year(text: str, year: int, day: date | None) -> None:
    assert Schedule.parse(text).last_day(year) == day


@pytest.mark.parametrize(
    "text", ["", "* * * *", "@Daily", "@daily 02:00", "@every 1h 2 3 4", "5-1 * * * *", "* * * * 7", "*/-1 * * * *", "1/2/3 * * * *", "٣ * * * *"]
)
def test_what_karpenter_cannot_read(text: str) -> None:
    with pytest.raises(ScheduleError):
        Schedule.parse(text)
    assert unreadable(text)


def test_only_blanks_of_ascii_separate_fields_as_the_pattern_of_the_crd_has_it() -> None:
    assert unreadable("0\u00a09\u00a0*\u00a0*\u00a0*") == "1 field instead of 5"
    assert unreadable("0\t9  * * mon-fri") is None


@given(st.lists(st.sampled_from(["a", "*", " ", "\t", "@daily", "@every"]), max_size=14).map("".join))
def test_the_api_server_admits_what_the_pattern_of_the_crd_matches(text: str) -> None:
    named, blank = r"@(annually|yearly|monthly|weekly|daily|midnight|hourly)", r"[ \t]"
    assert is_admitted(text) is (re.search(rf"^({named})|({blank.join(['(.+)'] * 5)})\Z", text) is not None)


@pytest.mark.parametrize("text", ["@every 1h", "@reboot", "0 9 * *", " @daily", "0 9 * * *\n", ""])
def test_what_the_api_server_rejects(text: str) -> None:
    assert not is_admitted(text)


def test_lines_are_blanks_and_long_texts_take_no_time() -> None:
    assert is_admitted("0 9\n* * *")
    assert is_admitted(" " * 100_000)
    assert not is_admitted("a" * 100_000)


BOUNDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]


@st.composite
def fields(draw: st.DrawFn, least: int, most: int) -> tuple[str, set[int]]:
    """A field, and the numbers that it allows."""
    low = draw(st.integers(least, most))
    high = draw(st.integers(low, most))
    step = draw(st.integers(1, 70))
    return draw(
        st.sampled_from(
            [
                ("*", set(range(least, most + 1))),
                (f"*/{step}", set(range(least, most + 1, step))),
                (str(low), {low}),
                (f"{low}/{step}", set(range(low, most + 1, step))),
                (f"{low}-{high}", set(range(low, high + 1))),
                (f"{low}-{high}/{step}", set(range(low, high + 1, step))),
                (f"{low},{high}", {low, high}),
            ]
        )
    )


@given(st.tuples(*(fields(least, most) for least, most in BOUNDS)))
def test_every_field_allows_what_it_says(made: tuple[tuple[str, set[int]], ...]) -> None:
    schedule = Schedule.parse(" ".join(text for text, _ in made))
    assert [schedule.minutes, schedule.hours, schedule.days, schedule.months, schedule.weekdays] == [allowed for _, allowed in made]


@given(st.text(alphabet="0123456789*/-,?@ abcdefmonsat+", max_size=30))
def test_any_text_is_read_or_refused_with_a_reason(text: str) -> None:
    why = unreadable(text)
    assert why is None or why


@given(st.tuples(*(fields(least, most) for least, most in BOUNDS)))
def test_minutes_of_a_day_are_in_order(made: tuple[tuple[str, set[int]], ...]) -> None:
    minutes = Schedule.parse(" ".join(text for text, _ in made)).minutes_of_day
    assert list(minutes) == sorted({hour * 60 + minute for hour in made[1][1] for minute in made[0][1]})


@pytest.mark.parametrize(
    "text", ["0 0 * * *", "*/7 1-3 * * mon", "0 0 29 2 *", "30 4 1,15 * 5", "0 0 31 * *", "0 3 * 6-8 sat,sun", "0 0 30 2 *", "@hourly", "0 0 1 1 *"]
)
@pytest.mark.parametrize("year", [2024, 2026])
def test_the_bound_of_starts_is_one(text: str, year: int) -> None:
    schedule = Schedule.parse(text)
    days = sum(schedule.starts_on(date(year, 1, 1) + timedelta(days=number)) for number in range(365))
    assert days * len(schedule.minutes_of_day) <= schedule.most_starts
