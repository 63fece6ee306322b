"""Cron schedules as Karpenter parses them: Go's robfig/cron, `ParseStandard`, in UTC.

The API server accepts unreadable schedules; then no node is ever disrupted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

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
        fields = re.findall(_BETWEEN_BLANKS, _DESCRIPTORS.get(text.strip(), text))
        if len(fields) != len(_FIELDS):
            msg = f"{len(fields)} field{'s' * (len(fields) != 1)} instead of 5"
            raise ScheduleError(msg)
        (minutes, _), (hours, _), (days, any_day), (months, _), (weekdays, any_weekday) = (
            _field(field, *of) for field, of in zip(fields, _FIELDS, strict=True)
        )
        return cls(minutes, hours, days, months, weekdays, not (any_day or any_weekday))

    def between(self, start: datetime, end: datetime) -> Iterator[datetime]:
        """Every start time from `start` (included) to `end` (excluded)."""
        day = start.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        while day < end:
            if self._on(day):
                for minutes in self._of_a_day:
                    moment = day + minutes
                    if start <= moment < end:
                        yield moment
            day += timedelta(days=1)

    def _on(self, day: datetime) -> bool:
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return day.month in self.months and (in_month or in_week if self.either_day else in_month and in_week)

    @property
    def _of_a_day(self) -> list[timedelta]:
        return [timedelta(hours=hour, minutes=minute) for hour in sorted(self.hours) for minute in sorted(self.minutes)]


@lru_cache(maxsize=256)
def unreadable(schedule: str) -> str | None:
    """Why `schedule` cannot be parsed; `None` if it can."""
    try:
        Schedule.parse(schedule)
    except ScheduleError as error:
        return str(error)
    return None


def _field(text: str, name: str, least: int, most: int, words: tuple[str, ...]) -> tuple[frozenset[int], bool]:
    """The allowed values of one field, and whether a star allows them all. Empty items are ignored, as in Go."""
    allowed: set[int] = set()
    star = False
    for part in filter(None, text.split(",")):
        found = _part(part.lower(), least, most, words)
        if found is None:
            msg = f"invalid {name} `{part}`"
            raise ScheduleError(msg)
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
