"""A maintenance window as people say it, as budgets of Karpenter: outside of it nothing is disrupted of Karpenter's own accord.

Budgets are in UTC and know no summer time: the free time is what lies in the window in summer and in winter, an hour less where clocks change.
Expiry, interruption and the grace period of nodes ask no budget.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.karpenter import Budget

_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DAY, _WEEK = 24 * 60, 7 * 24 * 60
_YEAR = 2026
"""Any year will do: rules of summer time are for every year."""


class DailyWindow(Model):
    """The same hours every day."""

    start: str = Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """When it begins there, `01:00`."""
    hours: int = Field(ge=1, le=24)
    """How long it is open, 1 to 24."""
    tz: str = "UTC"
    """The time zone of `start`, `Europe/Paris`."""

    @model_validator(mode="after")
    def _opens(self) -> "DailyWindow":
        try:
            length = self._minutes
        except (KeyError, ValueError, OSError):
            raise PydanticCustomError("maintenance", "has a time zone that is not known, {tz}", {"tz": self.tz}) from None
        if length <= 0:
            raise PydanticCustomError("maintenance", "is too short: nothing of it lies in the window in summer and in winter")
        return self

    def budgets(self) -> tuple[Budget, ...]:
        """What blocks the rest."""
        return tuple(_block(end, length) for end, length in _rest([self._opening], self._minutes, _DAY))

    @property
    def _opening(self) -> int:
        """Minutes of UTC from midnight at which it is open in summer and in winter; negative is the day before."""
        hour, minute = self.start.split(":")
        return int(hour) * 60 + int(minute) - min(_offsets(self.tz))

    @property
    def _minutes(self) -> int:
        offsets = _offsets(self.tz)
        return self.hours * 60 - (max(offsets) - min(offsets))


class WeeklyWindow(DailyWindow):
    """Some days of the week."""

    days: str = Field(pattern=r"^(sun|mon|tue|wed|thu|fri|sat)(,(sun|mon|tue|wed|thu|fri|sat))*$")
    """On which days it begins, `sat` or `sat,sun`."""

    def budgets(self) -> tuple[Budget, ...]:
        """What blocks the rest."""
        starts = [_DAYS.index(day) * _DAY + self._opening for day in dict.fromkeys(self.days.split(","))]
        return tuple(_block(end, length, weekly=True) for end, length in _rest(starts, self._minutes, _WEEK))


def _rest(starts: Sequence[int], length: int, period: int) -> list[tuple[int, int]]:
    """The times between windows of `length`, again in every period: where each begins, and how long it is."""
    ordered = sorted(start % period for start in starts)
    following = [*ordered[1:], ordered[0] + period]
    gaps = [((start + length) % period, later - start - length) for start, later in zip(ordered, following, strict=True)]
    return [(end, gap) for end, gap in gaps if gap > 0]


def _block(minute: int, length: int, *, weekly: bool = False) -> Budget:
    day, of_day = divmod(minute, _DAY)
    schedule = f"{of_day % 60} {of_day // 60} * * {day if weekly else '*'}"
    hours, minutes = divmod(length, 60)
    return Budget(nodes="0", schedule=schedule, duration=(f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else ""))


def _offsets(tz: str) -> list[int]:
    """How many minutes a place is ahead of UTC, in each month."""
    zone = ZoneInfo(tz)
    ahead = [datetime(_YEAR, month, 1, tzinfo=UTC).astimezone(zone).utcoffset() or timedelta() for month in range(1, 13)]
    return [int(one.total_seconds()) // 60 for one in ahead]
