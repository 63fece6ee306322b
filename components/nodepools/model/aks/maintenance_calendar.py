"""The times at which a maintenance configuration of AKS is open. Facts: docs/facts/aks.md § 8."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone

from nodepools.model.aks.maintenance import (
    AbsoluteMonthlySchedule,
    DailySchedule,
    MaintenanceWindow,
    Schedule,
    WeeklySchedule,
)
from nodepools.model.disruption_calendar import State, Window

_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NTH = ("First", "Second", "Third", "Fourth")


def open_windows(window: MaintenanceWindow, start: datetime, end: datetime) -> list[Window] | None:
    """Open and closed times from `start` to `end`, without gaps; `None` if they depend on the day from which AKS counts the interval."""
    if _interval(window.schedule) != 1:
        return None
    found: list[Window] = []
    here = start
    for opens, closes in _spans(window, start, end):
        if here < opens:
            found.append(Window(here, opens, State.CLOSED))
        begin, here = max(here, opens), min(closes, end)
        found.append(Window(begin, here, State.OPEN))
    if here < end:
        found.append(Window(here, end, State.CLOSED))
    return found


def _spans(window: MaintenanceWindow, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    zone, length = _zone(window.utc_offset), timedelta(hours=window.duration_hours)
    hour, minute = window.start_time.split(":")
    day = start.astimezone(zone).date() - timedelta(days=1)
    while datetime.combine(day, time.min, zone) < end:
        opens = datetime.combine(day, time(int(hour), int(minute)), zone).astimezone(UTC)
        if opens < end and opens + length > start and _counts(window, day):
            yield opens, opens + length
        day += timedelta(days=1)


def _counts(window: MaintenanceWindow, day: date) -> bool:
    begun = window.start_date is None or window.start_date <= day.isoformat()
    return begun and _falls_on(window.schedule, day) and not any(span.start <= day.isoformat() <= span.end for span in window.not_allowed)


def _falls_on(schedule: Schedule, day: date) -> bool:
    match schedule:
        case DailySchedule():
            return True
        case WeeklySchedule():
            return _WEEK[day.weekday()] == schedule.day_of_week
        case AbsoluteMonthlySchedule():
            return day.day == schedule.day_of_month
        case _:  # RelativeMonthlySchedule
            last = day.day + len(_WEEK) > monthrange(day.year, day.month)[1]
            nth = last if schedule.week_index == "Last" else (day.day - 1) // len(_WEEK) == _NTH.index(schedule.week_index)
            return nth and _WEEK[day.weekday()] == schedule.day_of_week


def _interval(schedule: Schedule) -> int:
    match schedule:
        case DailySchedule():
            return schedule.interval_days
        case WeeklySchedule():
            return schedule.interval_weeks
        case _:
            return schedule.interval_months


def _zone(offset: str) -> timezone:
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
    return timezone(-ahead if offset.startswith("-") else ahead)
