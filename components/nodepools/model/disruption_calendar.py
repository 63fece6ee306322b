"""Computes when disruption budgets let Karpenter replace nodes: free, limited or blocked. Facts: docs/facts/eks.md P6 to P9.

Budgets do not apply to expiration, interruption and manual deletion.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nodepools.model.disruption import Budget, Disruption
from nodepools.model.kubernetes.cron import Schedule, ScheduleError
from nodepools.model.kubernetes.duration import seconds

REASONS = ("Underutilized", "Empty", "Drifted")
_DEFAULT = (Budget(),)


class State(StrEnum):
    """Whether Karpenter can disrupt nodes."""

    BLOCKED = "blocked"
    LIMITED = "limited"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Window:
    """A time with one state; the next window starts at its end."""

    start: datetime
    end: datetime
    state: State
    nodes: str
    """The smallest active budget, such as `10%`; `100%` if none is active."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A budget and the times at which it is active; `None` means always."""

    budget: Budget
    times: tuple[tuple[datetime, datetime], ...] | None

    def holds(self, moment: datetime) -> bool:
        return self.times is None or any(start <= moment < end for start, end in self.times)


def windows(disruption: Disruption, start: datetime, end: datetime) -> list[Window]:
    """The states of a pool from `start` to `end`, without gaps."""
    held = [_held(budget, start, end) for budget in disruption.budgets or _DEFAULT]
    moments = sorted({start, *(moment for held_budget in held for span in held_budget.times or () for moment in span if start < moment < end)})
    found: list[Window] = []
    for begin, finish in zip(moments, [*moments[1:], end], strict=True):
        state, nodes = _state([held_budget.budget for held_budget in held if held_budget.holds(begin)])
        if found and (found[-1].state, found[-1].nodes) == (state, nodes):
            begin = found.pop().start  # noqa: PLW2901  # one window with the one before
        found.append(Window(begin, finish, state, nodes))
    return found


def _held(budget: Budget, start: datetime, end: datetime) -> _Held:
    """An unreadable schedule blocks permanently: Karpenter fails closed."""
    if budget.schedule is None or budget.duration is None:
        return _Held(budget, None)
    try:
        schedule = Schedule.parse(budget.schedule)
    except ScheduleError:
        return _Held(Budget(nodes="0"), None)
    length = timedelta(seconds=seconds(budget.duration))
    return _Held(budget, tuple(_joined((hit, hit + length) for hit in schedule.between(start - length, end))))


def _joined(spans: Iterable[tuple[datetime, datetime]]) -> Iterator[tuple[datetime, datetime]]:
    """Merges spans, sorted by start, that overlap or touch."""
    last: tuple[datetime, datetime] | None = None
    for start, end in spans:
        if last is not None and start <= last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last


def _state(budgets: Sequence[Budget]) -> tuple[State, str]:
    """The most restrictive budget applies, for each reason separately."""
    if not budgets:
        return State.FREE, "100%"
    smallest = min((budget.nodes for budget in budgets), key=_size)
    blocked = all(any(_is_none(budget) and (not budget.reasons or reason in budget.reasons) for budget in budgets) for reason in REASONS)
    return (State.BLOCKED if blocked else State.LIMITED), smallest


def _is_none(budget: Budget) -> bool:
    return budget.nodes.strip("%").strip("0") == ""


def _size(nodes: str) -> tuple[bool, int]:
    """Sorts counts before percentages, which cannot be compared without the number of nodes; zero is the smallest."""
    number = int(nodes.removesuffix("%"))
    return (number > 0 and nodes.endswith("%"), number)
