"""Cron schedules as Karpenter parses them: Go's robfig/cron, `ParseStandard`, in UTC.

The API server accepts most unreadable schedules; then no node is ever disrupted.
"""

import re
from datetime import date, timedelta
from functools import lru_cache

from nodepools.model.listing import counted
from nodepools.model.values import dataclass

_DESCRIPTORS = {
    **dict.fromkeys(("@yearly", "@annually"), "0 0 1 1 *"),
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    **dict.fromkeys(("@daily", "@midnight"), "0 0 * * *"),
    "@hourly": "0 * * * *",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of the month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of the week", 0, 6, _DAYS),
)
_ENDS = 2
_BETWEEN_BLANKS = r"[^ \t\n\f\r]+"
"""Go splits at any white space; the pattern of the CRD allows only ASCII white space."""

_FIVE_WORDS = re.compile(r"(?>.+?[ \t\f\r]){4}.")
_NAMED = re.compile(r"@(?:annually|yearly|monthly|weekly|daily|midnight|hourly)")


class ScheduleError(ValueError):
    """Karpenter cannot parse the schedule; the message says why."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The start times of a schedule, in UTC."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""
    either_day: bool
    """Both day fields are restricted, and matching one of them is enough."""

    @classmethod
    def parse(cls, text: str) -> "Schedule":
        """Parses five fields, or a descriptor such as `@daily`.

        Raises:
            ScheduleError: it is neither.
        """
        return _parsed(text)

    def starts_on(self, day: date) -> bool:
        """Whether it has start times on this day."""
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        falls_on = in_month or in_week if self.either_day else in_month and in_week
        return falls_on and day.month in self.months and bool(self.hours and self.minutes)

    @property
    def minutes_of_day(self) -> tuple[int, ...]:
        """The start times of a day, as minutes since midnight."""
        return tuple(hour * 60 + minute for hour in sorted(self.hours) for minute in sorted(self.minutes))

    @property
    def most_starts(self) -> int:
        """It has at most this many start times in 365 days in a row."""
        in_week, in_month = 52 * len(self.weekdays) + 1, len(self.days) * len(self.months)
        days = in_week + in_month if self.either_day else min(in_week, in_month)
        return days * len(self.hours) * len(self.minutes)

    def last_day(self, year: int) -> date | None:
        """The last day of a year that has start times; `None` if there is none."""
        return _last_day(self, year)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Schedule:
    """Cached: several rules read the schedule of each budget."""
    fields = re.findall(_BETWEEN_BLANKS, _DESCRIPTORS.get(text.strip(), text))
    if len(fields) != len(_FIELDS):
        raise ScheduleError(f"{counted(len(fields), 'field')} instead of 5")
    (minutes, _), (hours, _), (days, any_day), (months, _), (weekdays, any_weekday) = (
        _field(field, *of) for field, of in zip(fields, _FIELDS, strict=True)
    )
    return Schedule(minutes, hours, days, months, weekdays, not (any_day or any_weekday))


@lru_cache(maxsize=4096)
def _last_day(schedule: Schedule, year: int) -> date | None:
    """Cached: without a start, all days are looked at."""
    last = date(year, 12, 31)
    days = (last - timedelta(days=number) for number in range(last.timetuple().tm_yday))
    return next((day for day in days if schedule.starts_on(day)), None)


@lru_cache(maxsize=256)
def unreadable(schedule: str) -> str | None:
    """Why `schedule` cannot be parsed; `None` if it can."""
    try:
        Schedule.parse(schedule)
    except ScheduleError as error:
        return str(error)
    return None


def is_admitted(schedule: str) -> bool:
    """Whether the CRD's pattern of `schedule` matches: Go's `$` is the end of the text, and `@every 1h` has too few words."""
    if _NAMED.match(schedule):
        return True
    return not schedule.endswith("\n") and ("\n" in schedule or _FIVE_WORDS.match(schedule) is not None)


def _field(text: str, name: str, least: int, most: int, words: tuple[str, ...]) -> tuple[frozenset[int], bool]:
    """The allowed values of one field, and whether a star allows them all. Empty items are ignored, as in Go."""
    allowed: set[int] = set()
    star = False
    for part in filter(None, text.split(",")):
        found = _part(part.lower(), least, most, words)
        if found is None:
            raise ScheduleError(f"invalid {name} `{part}`")
        allowed.update(found)
        star = star or (part[0] in "*?" and found.step == 1)
    return frozenset(allowed), star


def _part(part: str, least: int, most: int, words: tuple[str, ...]) -> range | None:
    """Parses `*`, `5`, `1-5`, `mon-fri`, with or without a step. As in Go, `5/10` runs to the maximum, and anything after a star is ignored."""
    span, slash, step = part.partition("/")
    every = _number(step) if slash else 1
    first, *rest = span.split("-")
    if not every:
        return None
    if first in ("*", "?"):
        return range(least, most + 1, every)
    low = _end(first, least, words)
    high = _end(rest[0], least, words) if rest else (most if slash else low)
    if low is None or high is None or len(rest) >= _ENDS or not least <= low <= high <= most:
        return None
    return range(low, high + 1, every)


def _end(text: str, least: int, words: tuple[str, ...]) -> int | None:
    return words.index(text) + least if text in words else _number(text)


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+]?[0-9]+", text) else None
