"""The minutes at which a disruption budget is active: one bit for each minute of a span.

Schedules and durations of budgets are whole minutes, so that nothing changes inside a minute. Facts: docs/facts/eks.md P8, P8b.
"""

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from nodepools.model.disruption import Budget
from nodepools.model.kubernetes.cron import Schedule
from nodepools.model.kubernetes.duration import seconds

_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = 24 * 60
_YEARS: Final = 5
"""Karpenter's parser looks for the next start in this year and the five after it. Without one, the budget counts as active."""
_LONGEST: Final = (_YEARS + 1) * 366 * _DAY
"""A longer duration is always active."""


def active_minutes(budget: Budget, start: datetime, minutes: int) -> int:
    """The minutes from `start` at which the budget is active; bit 0 is the first one.

    Raises:
        ScheduleError: Karpenter cannot read the schedule. A duration without a schedule is one that it cannot read.
    """
    if budget.schedule is None and budget.duration is None:
        return _ones(minutes)
    length = min(seconds(budget.duration) // 60, _LONGEST) if budget.duration is not None else 0
    return _after_starts(Schedule.parse(budget.schedule if budget.schedule is not None else ""), length, start, minutes)


@lru_cache(maxsize=64)
def _after_starts(schedule: Schedule, length: int, start: datetime, minutes: int) -> int:
    """The minutes from `start` that are at most `length` after a start time. Cached: the pools of a platform often have the same budgets."""
    started = _lasting(_starts(schedule, start - length * _MINUTE, minutes + length), length) >> length
    return (started | _without_next_start(schedule, length, start, minutes)) & _ones(minutes)


def _ones(count: int) -> int:
    return (1 << max(count, 0)) - 1


def _starts(schedule: Schedule, start: datetime, minutes: int) -> int:
    """The minutes at which the schedule starts."""
    midnight = start.replace(hour=0, minute=0)
    passed = (start - midnight) // _MINUTE
    starts = sum(1 << minute for minute in schedule.minutes_of_day).to_bytes(_DAY // 8, "little")
    nothing = bytes(len(starts))
    days = (midnight + timedelta(days=number) for number in range(-(-(passed + minutes) // _DAY)))
    return int.from_bytes(b"".join(starts if schedule.starts_on(day) else nothing for day in days), "little") >> passed & _ones(minutes)


def _lasting(starts: int, length: int) -> int:
    """Every start, and the minutes after it until `length` is over."""
    lasting, lasted = (starts, 1) if length else (0, 0)
    while lasted < length:
        more = min(lasted, length - lasted)
        lasting |= lasting << more
        lasted += more
    return lasting


def _without_next_start(schedule: Schedule, length: int, start: datetime, minutes: int) -> int:
    """The minutes for which Karpenter finds no next start, looking from `length` before them."""
    active = 0
    first, last = start - length * _MINUTE, start + (minutes - length) * _MINUTE
    for year in range(first.year, last.year + 1):
        if not any(schedule.last_day(later) for later in range(year + 1, year + _YEARS + 1)):
            begins = max(_after_last_start(schedule, year), first)
            ends = min(datetime(year + 1, 1, 1, tzinfo=UTC), last)
            active |= _ones((ends - begins) // _MINUTE) << ((begins - first) // _MINUTE)
    return active


def _after_last_start(schedule: Schedule, year: int) -> datetime:
    day = schedule.last_day(year)
    if day is None:
        return datetime(year, 1, 1, tzinfo=UTC)
    return datetime.combine(day, time.min, UTC) + schedule.minutes_of_day[-1] * _MINUTE
