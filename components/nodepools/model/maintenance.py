"""How Karpenter disrupts nodes voluntarily, and when: maintenance windows as budgets. Facts: docs/facts/eks.md § 3, docs/facts/aks.md § 3.5.

Karpenter's budgets are in UTC and AKS's windows have a fixed UTC offset, so neither follows daylight saving time. The effective window is the time
that is inside the window in summer and in winter, one hour less in most time zones. Expiration, interruption and grace periods of nodes ignore
windows, and so does each disruption reason that a window does not have.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Discriminator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.cron import is_admitted, unreadable
from nodepools.model.kubernetes.duration import NEVER, BudgetDuration, DurationOrNever
from nodepools.model.listing import grouped
from nodepools.model.ref import KNOWN
from nodepools.model.values import dataclass

MOST_BUDGETS: Final = 50
Reason: TypeAlias = Literal["Drifted", "Empty", "Underutilized"]
"""Why Karpenter disrupts a node voluntarily."""
REASONS: Final[tuple[Reason, ...]] = ("Drifted", "Empty", "Underutilized")


def _nodes(text: str) -> str:
    if not re.fullmatch(r"(100|[0-9]{1,2})%|[0-9]+", text):
        raise PydanticCustomError("budget_nodes", "must be a count or a percentage in quotes, such as `5` or `10%`")
    return text


class Budget(Model):
    """A disruption budget: how many nodes of a pool Karpenter can disrupt at once. It does not limit expiration, interruption or manual deletion."""

    nodes: Annotated[str, AfterValidator(_nodes)] = "10%"
    """A count or a percentage, as text. Percentages are rounded up."""
    schedule: str | None = None
    """When the budget becomes active: a cron expression with five fields in UTC, as Go's robfig/cron parses it. Default: always active."""
    duration: BudgetDuration | None = None
    """How long the budget stays active after each start. Requires `schedule`."""
    reasons: Sequence[Literal["Underutilized", "Empty", "Drifted", "Unhealthy", "NodeNotHealthy"]] | None = Field(default=None, max_length=50)
    """Disruption reasons that the budget limits. Default: all. An empty list has no reasons: the budget has no effect. `Unhealthy` since Karpenter
    1.15, not on AKS. `NodeNotHealthy` was a reason of EKS Auto Mode in 2024-12 and exists nowhere else."""

    def limits(self, reason: Reason) -> bool:
        """Whether the budget limits disruption for this reason while it is active."""
        return self.reasons is None or reason in self.reasons

    @property
    def is_readable(self) -> bool:
        """Whether Karpenter can read it: a schedule and a duration, or neither. If it cannot, it disrupts no node of the pool for any reason."""
        return (self.schedule is None) is (self.duration is None) and (self.schedule is None or unreadable(self.schedule) is None)

    @property
    def is_admitted(self) -> bool:
        """Whether the API server accepts it, which it can do without being readable. If not, the budgets that are in the cluster stay."""
        return (self.schedule is None) is (self.duration is None) and (self.schedule is None or is_admitted(self.schedule))


class Disruption(Model):
    """When Karpenter disrupts nodes voluntarily."""

    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"] = "WhenEmptyOrUnderutilized"
    """Which nodes are consolidated. `Balanced` since Karpenter 1.14, on EKS since 2026-07-27; EKS gives it to new NodePools
    without a policy from 1.37 on, but NodePools of a declaration always have one."""
    consolidate_after: DurationOrNever = "0s"
    """How long Karpenter waits after a pod was added to or removed from a node; `Never` turns consolidation off. Cloud default 0s; it is always
    sent."""
    budgets: Sequence[Budget] | None = Field(default=None, max_length=MOST_BUDGETS)
    """Disruption budgets. For each reason, the most restrictive of those that are active and have the reason applies; without such a budget, nothing
    is limited. Default: 10% of the nodes at any time. An empty list limits nothing."""

    @property
    def active_reasons(self) -> Sequence[Reason]:
        """The reasons for which Karpenter disrupts nodes, without budgets."""
        if self.consolidate_after == NEVER:
            return ("Drifted",)
        return ("Drifted", "Empty") if self.consolidation_policy == "WhenEmpty" else REASONS

    @property
    def applied_budgets(self) -> Sequence[Budget]:
        """The budgets, with the default of Kubernetes filled in."""
        return self.budgets if self.budgets is not None else (Budget(),)


_MOST: Final = 2**31 - 1
"""Karpenter's value for "unlimited"."""
_MOST_OF_GO: Final = 2**63 - 1
_DIGITS: Final = len(str(_MOST_OF_GO))


@dataclass(frozen=True, slots=True)
class BudgetNodes:
    """The field `nodes` of a budget: a count or a percentage."""

    text: str

    def of(self, nodes: int) -> int | None:
        """The number for a pool of `nodes` nodes; `None` is unlimited. Percentages are rounded up."""
        if self.is_percentage:
            return -(-int(self.text.removesuffix("%")) * nodes // 100)
        return None if self.is_unlimited else max(self._count, 0)

    @property
    def is_percentage(self) -> bool:
        """It depends on the number of nodes."""
        return self.text.endswith("%")

    @property
    def is_none(self) -> bool:
        """No node, whatever the number of nodes is."""
        return self.of(1) == 0

    @property
    def is_unlimited(self) -> bool:
        """The count is the one that Karpenter uses for unlimited."""
        return not self.is_percentage and self._count == _MOST

    @property
    def is_invalid(self) -> bool:
        """The API server accepts the count, and Karpenter cannot read it."""
        digits = self.text.lstrip("0")
        return not self.is_percentage and (len(digits) > _DIGITS or int(digits if digits else "0") > _MOST_OF_GO)

    @property
    def _count(self) -> int:
        """The count in 32 bits: larger ones overflow, as in Karpenter."""
        return 0 if self.is_invalid else (int(self.text) + _MOST + 1) % 2**32 - _MOST - 1


DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NAMES = "|".join(DAYS)
_DAY, _WEEK = 24 * 60, 7 * 24 * 60
_YEAR = 2026
"""Any year: the rules of daylight saving time are the same each year."""


class MaintenanceHours(Model):
    """Fields of all windows: start, length and time zone."""

    start: str = Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """Start time in `tz`, such as `01:00`."""
    hours: int = Field(ge=1, le=24)
    """Length in hours, 1 to 24. AKS requires at least 4."""
    tz: str = "UTC"
    """Time zone of `start`, such as `Europe/Paris`. With daylight saving time, the effective window is an hour shorter: the time that is inside the
    window in summer and in winter."""
    reasons: Sequence[Reason] = Field(default=("Drifted", "Underutilized"), min_length=1, max_length=len(REASONS))
    """For which reasons Karpenter disrupts nodes only in this window: by default those that move running pods. Nodes without pods are removed at any
    time, unless `Empty` is one of the reasons. Applies to NodePools; AKS upgrades have no reasons."""

    @field_validator("tz")
    @classmethod
    def _known(cls, tz: str) -> str:
        try:
            offsets(tz)
        except (KeyError, ValueError, OSError, RecursionError):  # a long name of many folders
            raise PydanticCustomError("window_tz", "is not a known time zone") from None
        return tz

    @model_validator(mode="after")
    def _opens(self) -> "MaintenanceHours":
        if self.minutes <= 0:
            raise PydanticCustomError(
                "window_length", "is too short: daylight saving time moves it by an hour, and no hour is inside it in summer and in winter"
            )
        return self

    @property
    def reasons_outside(self) -> tuple[Reason, ...]:
        """Reasons for which nodes are disrupted at any time."""
        return tuple(reason for reason in REASONS if reason not in self.reasons)

    @property
    def minutes(self) -> int:
        """Length in minutes that is inside the window in summer and in winter."""
        ahead = offsets(self.tz)
        return self.hours * 60 - (max(ahead) - min(ahead))

    @property
    def opening(self) -> int:
        """Start as minute of the day in `tz`."""
        hour, minute = self.start.split(":")
        return int(hour) * 60 + int(minute)

    def _lock(self, minute: int, length: int, days: str) -> Budget:
        """A budget of zero for the reasons of the window; without `reasons` if these are all."""
        hours, minutes = divmod(length, 60)
        duration = (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")
        held: tuple[Reason, ...] = tuple(reason for reason in REASONS if reason in self.reasons)
        schedule = f"{minute % 60} {minute // 60} * * {days}"
        return Budget(nodes="0", schedule=schedule, duration=duration, reasons=held if len(held) < len(REASONS) else None)

    @property
    def _hours_text(self) -> str:
        return f"{self.start} for {self.hours}h, {self.tz}"


class Daily(MaintenanceHours):
    """The same hours every day.

    Example: `Daily(start="01:00", hours=5, tz="Europe/Paris")`.
    """

    kind: Literal["Daily"] = "Daily"

    @property
    def weekdays(self) -> tuple[int, ...]:
        """Days on which the window opens; 0 is Sunday."""
        return tuple(range(7))

    def disruption_budgets(self) -> tuple[Budget, ...]:
        """Budgets of zero outside the window, for its reasons; none if it is always open."""
        free = open_minutes((self.opening,), self.hours * 60, offsets(self.tz), _DAY)
        return tuple(self._lock(minute, length, "*") for minute, length in _closed(free, _DAY))

    def __str__(self) -> str:
        return f"daily {self._hours_text}"


class Weekly(MaintenanceHours):
    """The same hours on some days of the week.

    Example: `Weekly(days="sat", start="01:00", hours=5, tz="Europe/Paris")`.
    """

    kind: Literal["Weekly"] = "Weekly"
    days: str = Field(pattern=rf"^({_NAMES})(-({_NAMES}))?(,({_NAMES})(-({_NAMES}))?)*$")
    """Days on which the window opens: `sat`, `sat,sun`, `mon-fri`. A range can cross the end of the week: `fri-mon`."""

    @property
    def weekdays(self) -> tuple[int, ...]:
        """Days on which the window opens; 0 is Sunday."""
        return tuple(sorted({day for part in self.days.split(",") for day in _span(*part.split("-"))}))

    def disruption_budgets(self) -> tuple[Budget, ...]:
        """Budgets of zero outside the window, for its reasons; none if it is always open."""
        starts = tuple(day * _DAY + self.opening for day in self.weekdays)
        free = open_minutes(starts, self.hours * 60, offsets(self.tz), _WEEK)
        days = grouped(((minute % _DAY, length), str(minute // _DAY)) for minute, length in _closed(free, _WEEK))
        return tuple(self._lock(minute, length, ",".join(on)) for (minute, length), on in days.items())

    def __str__(self) -> str:
        return f"{self.days} {self._hours_text}"


AnyWindow: TypeAlias = Daily | Weekly
MaybeWindow: TypeAlias = Annotated[AnyWindow, Discriminator("kind"), KNOWN] | None


def opening_on(window: AnyWindow, day: date) -> datetime | None:
    """When a window opens on a day; `None` if it does not."""
    hour, minute = divmod(window.opening, 60)
    return datetime.combine(day, time(hour, minute), ZoneInfo(window.tz)) if day.isoweekday() % len(DAYS) in window.weekdays else None


@cache
def offsets(tz: str) -> tuple[int, ...]:
    """UTC offset of a time zone in minutes, for each month."""
    zone = ZoneInfo(tz)
    ahead = [datetime(_YEAR, month, 1, tzinfo=UTC).astimezone(zone).utcoffset() or timedelta() for month in range(1, 13)]
    return tuple(int(offset.total_seconds()) // 60 for offset in ahead)


@cache
def open_minutes(starts: Sequence[int], length: int, ahead: Sequence[int], period: int) -> frozenset[int]:
    """Minutes of a day or a week in UTC that are open with every offset, given the `length` from each start."""
    first, *others = [_minutes((start - offset for start in starts), length, period) for offset in set(ahead)]
    return first.intersection(*others)


def _minutes(starts: Iterable[int], length: int, period: int) -> frozenset[int]:
    return frozenset(minute % period for start in starts for minute in range(start, start + length))


def _closed(free: frozenset[int], period: int) -> list[tuple[int, int]]:
    """The times between the windows, in each period: start and length of each."""
    opens = [minute for minute in free if (minute - 1) % period not in free]
    ends = sorted((minute + 1) % period for minute in free if (minute + 1) % period not in free)
    return [(end, min((start - end) % period for start in opens)) for end in ends]


def _span(first: str, last: str | None = None) -> Iterable[int]:
    begin, end = DAYS.index(first), DAYS.index(last if last is not None else first)
    return ((begin + number) % 7 for number in range((end - begin) % 7 + 1))
