"""Maintenance windows, as budgets that block the rest."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from nodepools import Disruption
from nodepools.model.maintenance import DailyWindow, WeeklyWindow
from nodepools.model.windows import State, windows


def told(window: DailyWindow) -> list[str]:
    return [f"{budget.schedule} for {budget.duration}" for budget in window.budgets()]


@pytest.mark.parametrize(
    ("window", "blocked"),
    [
        pytest.param(DailyWindow(start="01:00", hours=4), ["0 5 * * * for 20h"], id="every night"),
        pytest.param(DailyWindow(start="22:30", hours=4), ["30 2 * * * for 20h"], id="over midnight"),
        pytest.param(DailyWindow(start="00:00", hours=24), [], id="all day"),
        pytest.param(WeeklyWindow(days="sat", start="01:00", hours=5), ["0 6 * * 6 for 163h"], id="one day of the week"),
        pytest.param(WeeklyWindow(days="sat", start="01:00", hours=5, tz="Europe/Paris"), ["0 4 * * 6 for 164h"], id="an hour less, for summer time"),
        pytest.param(WeeklyWindow(days="sun", start="00:00", hours=2, tz="Asia/Tokyo"), ["0 17 * * 6 for 166h"], id="the day before, in UTC"),
        pytest.param(WeeklyWindow(days="sat,sun", start="01:00", hours=5), ["0 6 * * 0 for 139h", "0 6 * * 6 for 19h"], id="two days"),
        pytest.param(WeeklyWindow(days="mon,tue", start="00:00", hours=24), ["0 0 * * 3 for 120h"], id="two that meet"),
        pytest.param(DailyWindow(start="01:00", hours=2, tz="Asia/Kolkata"), ["30 21 * * * for 22h"], id="half an hour beside the others"),
    ],
)
def test_what_is_blocked(window: DailyWindow, blocked: list[str]) -> None:
    assert told(window) == blocked


@pytest.mark.parametrize(
    ("window", "why"),
    [
        pytest.param({"start": "01:00", "hours": 1, "tz": "Europe/Paris"}, "too short", id="nothing is left in summer and winter"),
        pytest.param({"start": "01:00", "hours": 3, "tz": "Mars/Olympus"}, "not known, Mars/Olympus", id="no such place"),
        pytest.param({"start": "1am", "hours": 3}, "pattern", id="no time of day"),
    ],
)
def test_what_cannot_be(window: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        DailyWindow.model_validate(window)


@given(
    st.sampled_from(["UTC", "Europe/Paris", "America/New_York", "Asia/Tokyo", "Australia/Sydney"]),
    st.integers(0, 23),
    st.integers(2, 12),
    st.sets(st.sampled_from(["mon", "wed", "sat", "sun"]), min_size=1),
    st.integers(0, 350),
)
def test_nothing_is_free_outside_of_the_window_in_summer_or_winter(tz: str, hour: int, hours: int, days: set[str], day: int) -> None:
    window = WeeklyWindow(days=",".join(sorted(days)), start=f"{hour:02}:00", hours=hours, tz=tz)
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    for free in windows(Disruption(budgets=window.budgets()), start, start + timedelta(days=7)):
        if free.state is State.FREE and free.start > start:
            there = free.start.astimezone(ZoneInfo(tz))
            opened = there.hour * 60 + there.minute - hour * 60
            assert opened in {0, 60, 60 - 24 * 60}
            assert f"{there - timedelta(minutes=opened % (24 * 60)):%a}".lower() in days
            assert free.end - free.start <= timedelta(hours=hours) * len(days)
