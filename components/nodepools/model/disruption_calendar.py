"""Computes for each reason when disruption budgets let Karpenter disrupt nodes, and how many. Facts: docs/facts/eks.md P6 to P9.

Schedules and durations of budgets are whole minutes, so that nothing changes inside a minute: one bit stands for each minute of a span.
Budgets do not apply to expiration, interruption and manual deletion.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final

from nodepools.model.kubernetes.cron import Schedule, ScheduleError
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.maintenance import REASONS, Budget, BudgetNodes, Disruption, Reason
from nodepools.model.values import dataclass

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


class State(StrEnum):
    """Whether nodes can be disrupted."""

    CLOSED = "closed"
    LIMITED = "limited"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Window:
    """A time with one state; the next window starts at its end."""

    start: datetime
    end: datetime
    state: State


@dataclass(frozen=True, slots=True)
class Interval:
    """A time in which the state of no reason changes; the next interval starts at its end."""

    start: datetime
    end: datetime
    states: Mapping[Reason, State]


@dataclass(frozen=True, slots=True)
class DisruptionCalendar:
    """The states of a pool from `start` on, for each reason."""

    start: datetime
    minutes: int
    is_broken: bool
    """Karpenter cannot evaluate a budget, and then disrupts nothing, whatever the reasons of that budget are."""
    closed: Mapping[Reason, int]
    """One bit for each minute: a budget of zero is active."""
    limited: Mapping[Reason, int]
    """One bit for each minute: a budget is active."""

    def intervals(self) -> list[Interval]:
        """The whole time, without gaps."""
        masks = [mask for reason in REASONS for mask in (self.closed[reason], self.limited[reason])]
        changes = 1
        for mask in masks:
            changes |= mask ^ (mask << 1)
        begins = [minute for minute, bit in enumerate(self._bits(changes)) if bit == "1"]
        closed = {reason: self._bits(self.closed[reason]) for reason in REASONS}
        limited = {reason: self._bits(self.limited[reason]) for reason in REASONS}
        return [
            Interval(
                self._moment(begin),
                self._moment(end),
                {reason: _state(is_closed=closed[reason][begin] == "1", is_limited=limited[reason][begin] == "1") for reason in REASONS},
            )
            for begin, end in zip(begins, [*begins[1:], self.minutes], strict=True)
        ]

    def next_change(self, reason: Reason, after: datetime) -> datetime | None:
        """When the budgets of zero for a reason begin or end to apply after a time within it; `None` if they do not change."""
        minute = (after - self.start) // _MINUTE
        mask = self.closed[reason] >> minute
        other = ~mask & (1 << max(self.minutes - minute, 0)) - 1 if mask & 1 else mask
        return self._moment(minute + (other & -other).bit_length() - 1) if other else None

    def last_change(self, reason: Reason, before: datetime) -> datetime | None:
        """When the state of a time within it began, as in `next_change`; `None` if that is not within it."""
        minute = (before - self.start) // _MINUTE
        mask = self.closed[reason] & (2 << minute) - 1
        others = (2 << minute) - 1 ^ mask if mask >> minute & 1 else mask
        return self._moment(others.bit_length()) if others else None

    def worst(self, reason: Reason, start: datetime, end: datetime) -> State:
        """The most restrictive state between two times."""
        first = max((start - self.start) // _MINUTE, 0)
        span = (1 << max((end - self.start) // _MINUTE - first, 0)) - 1
        return _state(is_closed=bool(self.closed[reason] >> first & span), is_limited=bool(self.limited[reason] >> first & span))

    def is_never_open(self, reason: Reason) -> bool:
        """A budget of zero is active all the time."""
        return not self.open_minutes(reason)

    def open_minutes(self, reason: Reason) -> int:
        """How many minutes no budget of zero is active."""
        return self.minutes - self.closed[reason].bit_count()

    def longest_closed(self, reason: Reason) -> timedelta:
        """The longest time without a break in which a budget of zero is active."""
        return max(map(len, self._bits(self.closed[reason]).split("0"))) * _MINUTE

    def openings(self, reason: Reason) -> int:
        """How many times a budget of zero ends, or none is active at the start."""
        return (~self.closed[reason] & (self.closed[reason] << 1 | 1) & (1 << self.minutes) - 1).bit_count()

    def is_always_limited(self, reason: Reason) -> bool:
        """A budget is active all the time."""
        return self.limited[reason].bit_count() == self.minutes

    def _moment(self, minute: int) -> datetime:
        return self.start + minute * _MINUTE

    def _bits(self, mask: int) -> str:
        return format(mask, f"0{self.minutes}b")[::-1][: self.minutes]


@dataclass(frozen=True, slots=True)
class Allowed:
    """How many nodes the budgets permit to be disrupted at once, for one reason at one time."""

    budgets: Sequence[str]
    """`nodes` of the budgets that apply, such as `10%`; none if nothing is limited."""

    def of(self, nodes: int) -> int | None:
        """The number for a pool with `nodes` initialized nodes, before those that are already being disrupted are subtracted; `None` is unlimited."""
        counts = [BudgetNodes(text).of(nodes) for text in self.budgets]
        return min((count for count in counts if count is not None), default=None)

    @property
    def is_independent_of_nodes(self) -> bool:
        """The number is the same for every number of nodes."""
        return any(BudgetNodes(text).is_none for text in self.budgets) or not any(BudgetNodes(text).is_percentage for text in self.budgets)


def disruption_calendar(disruption: Disruption, start: datetime, end: datetime) -> DisruptionCalendar:
    """The states of a pool from `start` to `end`, in whole minutes."""
    first = start.astimezone(UTC).replace(second=0, microsecond=0)
    minutes = (end - first) // _MINUTE
    active = _active(disruption, first, minutes)
    if active is None:
        everything = dict.fromkeys(REASONS, (1 << minutes) - 1)
        return DisruptionCalendar(first, minutes, True, everything, everything)
    closed, limited = dict.fromkeys(REASONS, 0), dict.fromkeys(REASONS, 0)
    for budget, mask in active:
        nodes = BudgetNodes(budget.nodes)
        for reason in REASONS:
            if budget.limits(reason) and not nodes.is_unlimited:
                limited[reason] |= mask
                closed[reason] |= mask if nodes.is_none else 0
    return DisruptionCalendar(first, minutes, False, closed, limited)


def allowed(disruption: Disruption, at: datetime) -> dict[Reason, Allowed]:
    """What the budgets permit at one time, for each reason."""
    active = _active(disruption, at.astimezone(UTC).replace(second=0, microsecond=0), 1)
    if active is None:
        return dict.fromkeys(REASONS, Allowed(("0",)))
    return {reason: Allowed(tuple(budget.nodes for budget, mask in active if mask and budget.limits(reason))) for reason in REASONS}


def _active(disruption: Disruption, start: datetime, minutes: int) -> list[tuple[Budget, int]] | None:
    """The budgets, each with its minutes; `None` if Karpenter cannot evaluate one of them, also if it is one for other reasons."""
    found: list[tuple[Budget, int]] = []
    for budget in disruption.applied_budgets:
        try:
            mask = active_minutes(budget, start, minutes)
        except ScheduleError:
            return None
        found.append((Budget(nodes="0") if BudgetNodes(budget.nodes).is_invalid else budget, mask))
    return found


def _state(*, is_closed: bool, is_limited: bool) -> State:
    return State.CLOSED if is_closed else State.LIMITED if is_limited else State.OPEN
