"""Durations as Karpenter accepts them: whole hours, minutes and seconds, no days.

Source: the patterns of the NodePool CRD, docs/facts/aks.md § 3.5.
"""

import re
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

NEVER = "Never"
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"([0-9]+[smh])+")
_BUDGET_DURATION = re.compile(r"([0-9]+[hm]|[0-9]+h[0-9]+m)(0s)?")


def seconds(duration: str) -> int:
    """Seconds of a duration such as `1h30m`.

    Raises:
        ValueError: it is not a duration; `Never` has no length.
    """
    if not _DURATION.fullmatch(duration):
        msg = f"{duration!r} is not a duration"
        raise ValueError(msg)
    return sum(int(number) * _SECONDS[unit] for number, unit in re.findall(r"([0-9]+)([smh])", duration))


def _duration(text: str) -> str:
    if _DURATION.fullmatch(text):
        return text
    days = re.fullmatch(r"([0-9]+)d", text)
    if days:
        raise PydanticCustomError("duration", "must not have days: write `{hours}h`", {"hours": int(days[1]) * 24})
    raise PydanticCustomError("duration", "must be hours, minutes and seconds, such as `1h30m`")


def _duration_or_never(text: str) -> str:
    return text if text == NEVER else _duration(text)


def _budget_duration(text: str) -> str:
    if _BUDGET_DURATION.fullmatch(text):
        return text
    _duration(text)
    raise PydanticCustomError("duration", "must be hours and minutes only, such as `8h30m`: a budget has no seconds")


Duration = Annotated[str, AfterValidator(_duration)]
"""A duration, such as `1h30m`."""
DurationOrNever = Annotated[str, AfterValidator(_duration_or_never)]
"""A duration, such as `1h30m`, or `Never`."""
BudgetDuration = Annotated[str, AfterValidator(_budget_duration)]
"""A duration without seconds, such as `8h30m`."""
