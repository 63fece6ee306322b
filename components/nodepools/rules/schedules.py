"""Rewrites schedules that Karpenter cannot read."""

import re
from typing import Final

from nodepools.model.kubernetes.cron import unreadable

_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_WEEK: Final = len(_DAYS)


def readable(schedule: str) -> str | None:
    """The same times in a schedule that Karpenter can read: days one by one, Sunday as 0; `None` if the schedule is invalid in another way."""
    fields = schedule.lower().split()
    days = ",".join(map(_one_by_one, fields[-1].split(","))) if fields else ""
    same = " ".join([*fields[:-1], days])
    return same if unreadable(same) is None else None


def _one_by_one(part: str) -> str:
    """`sat-sun`, which wraps around the end of the week, as `sat,sun`; 7 as 0."""
    match = re.fullmatch(r"([a-z]{3}|[0-7])-([a-z]{3}|[0-7])", part)
    first, last = (_day(match[1]), _day(match[2])) if match else (None, None)
    if first is None or last is None or first <= last:
        return "0" if part == "7" else part
    return ",".join(_DAYS[day % _WEEK] for day in range(first, last + _WEEK + 1))


def _day(text: str) -> int | None:
    if text.isdecimal():
        return int(text) % _WEEK
    return _DAYS.index(text) if text in _DAYS else None
