"""When AKS may upgrade, by its own schedules."""

from datetime import UTC, datetime, timedelta

import pytest

from nodepools.aks import (
    AbsoluteMonthlySchedule,
    DailySchedule,
    Dates,
    MaintenanceWindow,
    RelativeMonthlySchedule,
    WeeklySchedule,
)
from nodepools.model.aks.maintenance import open_windows

START = datetime(2026, 11, 20, tzinfo=UTC)  # a Friday


def told(window: MaintenanceWindow, days: int) -> list[str] | None:
    found = open_windows(window, START, START + timedelta(days=days))
    return None if found is None else [f"{one.start:%d %H:%M} {one.state}" for one in found]


@pytest.mark.parametrize(
    ("window", "days", "found"),
    [
        pytest.param(
            MaintenanceWindow(schedule=WeeklySchedule("Saturday"), start_time="02:00"),
            3,
            ["20 00:00 closed", "21 02:00 open", "21 06:00 closed"],
            id="one day of the week",
        ),
        pytest.param(
            MaintenanceWindow(schedule=WeeklySchedule("Saturday"), start_time="02:00", utc_offset="+05:30"),
            2,
            ["20 00:00 closed", "20 20:30 open", "21 00:30 closed"],
            id="the day before, in UTC",
        ),
        pytest.param(
            MaintenanceWindow(schedule=DailySchedule(), start_time="22:00"),
            1,
            ["20 00:00 open", "20 02:00 closed", "20 22:00 open"],
            id="over midnight, begun the day before",
        ),
        pytest.param(
            MaintenanceWindow(schedule=DailySchedule(), start_time="22:00", utc_offset="-05:00"),
            1,
            ["20 00:00 closed", "20 03:00 open", "20 07:00 closed"],
            id="behind UTC",
        ),
        pytest.param(MaintenanceWindow(schedule=DailySchedule(), duration_hours=24), 1, ["20 00:00 open"], id="always"),
        pytest.param(
            MaintenanceWindow(schedule=AbsoluteMonthlySchedule(1)),
            12,
            ["20 00:00 closed", "01 00:00 open", "01 04:00 closed"],
            id="a day of the month",
        ),
        pytest.param(
            MaintenanceWindow(schedule=RelativeMonthlySchedule("Fourth", "Saturday")),
            20,
            ["20 00:00 closed", "28 00:00 open", "28 04:00 closed"],
            id="the fourth Saturday",
        ),
        pytest.param(
            MaintenanceWindow(schedule=RelativeMonthlySchedule("Last", "Monday")),
            20,
            ["20 00:00 closed", "30 00:00 open", "30 04:00 closed"],
            id="the last Monday",
        ),
        pytest.param(
            MaintenanceWindow(schedule=DailySchedule(), not_allowed=[Dates("2026-11-20", "2026-11-21")]),
            3,
            ["20 00:00 closed", "22 00:00 open", "22 04:00 closed"],
            id="dates that are left out",
        ),
        pytest.param(
            MaintenanceWindow(schedule=DailySchedule(), start_date="2026-11-22"),
            3,
            ["20 00:00 closed", "22 00:00 open", "22 04:00 closed"],
            id="not yet",
        ),
        pytest.param(MaintenanceWindow(schedule=DailySchedule(3)), 3, None, id="every third day, from a day that AKS knows"),
        pytest.param(MaintenanceWindow(schedule=WeeklySchedule("Sunday", interval_weeks=2)), 3, None, id="every other week"),
        pytest.param(MaintenanceWindow(schedule=AbsoluteMonthlySchedule(1, interval_months=3)), 3, None, id="every quarter"),
    ],
)
def test_openings(window: MaintenanceWindow, days: int, found: list[str] | None) -> None:
    assert told(window, days) == found
