"""Reads schedules as Karpenter does, with Go's robfig/cron. An unreadable one is admitted, and then nothing is ever disrupted."""

import re
from itertools import pairwise

_DESCRIPTORS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of the month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of the week", 0, 6, _DAYS),
)


def unreadable(schedule: str) -> str | None:
    """Why `schedule` cannot be read; `None` where it can."""
    if schedule in _DESCRIPTORS:
        return None
    fields = schedule.split()
    if len(fields) != len(_FIELDS):
        return f"has {len(fields)} fields, not five"
    for text, (name, least, most, words) in zip(fields, _FIELDS, strict=True):
        for part in filter(None, text.split(",")):
            if not _readable(part.lower(), least, most, words):
                return f"cannot be read: {name} {part}"
    return None


def _readable(part: str, least: int, most: int, words: tuple[str, ...]) -> bool:
    """One of `*`, `5`, `1-5`, `mon-fri`, with a step or not."""
    span, slash, step = part.partition("/")
    if slash and not (re.fullmatch(r"[0-9]+", step) and int(step) > 0):
        return False
    first, *rest = span.split("-")
    if first in ("*", "?"):
        return True
    ends = [words.index(end) + least if end in words else int(end) if re.fullmatch(r"[+]?[0-9]+", end) else -1 for end in (first, *rest)]
    return len(rest) < 2 and all(least <= end <= most for end in ends) and all(low <= high for low, high in pairwise(ends))  # noqa: PLR2004  # two ends
