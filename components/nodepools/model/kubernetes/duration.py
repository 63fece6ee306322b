"""Durations as Karpenter accepts them: whole hours, minutes and seconds, no days.

Source: the patterns of the NodePool CRD, docs/facts/aks.md § 3.5.
"""

import re
from typing import Annotated, Final

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model

NEVER = "Never"
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"([0-9]+[smh])+")
_DAYS = re.compile(r"(?P<days>[0-9]{1,9})(?P<unit>[dw])(?:(?P<hours>[0-9]{1,9})h)?(?P<rest>(?:[0-9]+[sm])*)")
_HOURS_OF = {"d": 24, "w": 7 * 24}
_NO_DAYS: Final = "has days or weeks: durations have hours, minutes and seconds"
_NO_UNIT: Final = "has no unit"
_NO_DURATION: Final = "must be hours, minutes and seconds"
_BUDGET_DURATION = re.compile(r"([0-9]+[hm]|[0-9]+h[0-9]+m)(0s)?")


def seconds(duration: str) -> int:
    """Seconds of a duration such as `1h30m`.

    Raises:
        ValueError: it is not a duration; `Never` has no length.
    """
    if not _DURATION.fullmatch(duration):
        raise ValueError(f"{duration!r} is not a duration")
    return sum(int(number) * _SECONDS[unit] for number, unit in re.findall(r"([0-9]+)([smh])", duration))


def is_age(text: str, *, never: bool) -> bool:
    """Whether it is a duration; `never`: or `Never`."""
    return (never and text == NEVER) or _DURATION.fullmatch(text) is not None


def _duration(text: str, pattern: re.Pattern[str] = _DURATION) -> str:
    if pattern.fullmatch(text):
        return text
    days = _DAYS.fullmatch(text)
    if days:
        hours = int(days["days"]) * _HOURS_OF[days["unit"]] + int(days["hours"] or 0)
        near = f"{hours}h{days['rest']}"
        if pattern.fullmatch(near):
            raise PydanticCustomError("duration", _NO_DAYS, {"example": f"`{near}`", "value": near})
    units = [f"`{unit}`" for unit in "smh" if pattern.fullmatch(f"{text}{unit}")]  # which of them a field takes with this number, its rule says
    example = f"the number with its unit: {', '.join(units[:-1])} or {units[-1]}" if units else "a duration such as `1h30m`"
    raise PydanticCustomError("duration", _NO_UNIT if units else _NO_DAYS if days else _NO_DURATION, {"example": example})


def _duration_or_never(text: str) -> str:
    if text != NEVER and text.lower() == NEVER.lower():
        raise PydanticCustomError("duration", "must be hours, minutes and seconds, or `Never`", {"example": "`Never`"})
    return text if text == NEVER else _duration(text)


def _budget_duration(text: str) -> str:
    if _DURATION.fullmatch(text) and not _BUDGET_DURATION.fullmatch(text):
        raise PydanticCustomError("duration", "must be hours and minutes: a budget has no seconds", {"example": "hours and minutes, such as `8h30m`"})
    return _duration(text, _BUDGET_DURATION)


Duration = Annotated[str, AfterValidator(_duration)]
"""A duration, such as `1h30m`."""
DurationOrNever = Annotated[str, AfterValidator(_duration_or_never)]
"""A duration, such as `1h30m`, or `Never`."""
BudgetDuration = Annotated[str, AfterValidator(_budget_duration)]
"""A duration without seconds, such as `8h30m`."""


class Timeouts(Model):
    """How long Pulumi waits for a resource before it reports an error. The operation in the cloud continues."""

    create: Duration = "60m"
    """Timeout for creation."""
    update: Duration = "60m"
    """Timeout for updates."""
    delete: Duration = "60m"
    """Timeout for deletion."""
