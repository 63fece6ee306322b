"""Computes for each reason when disruption budgets let Karpenter disrupt nodes, and how many. Facts: docs/facts/eks.md P6 to P9.

Budgets do not apply to expiration, interruption and manual deletion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from nodepools.model.active_minutes import active_minutes
from nodepools.model.disruption import REASONS, Budget, BudgetNodes, Disruption, Reason
from nodepools.model.kubernetes.cron import ScheduleError

_MINUTE: Final = timedelta(minutes=1)


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
