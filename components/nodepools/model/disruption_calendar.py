"""When Karpenter may replace the nodes of a pool of its own accord: free, limited or not at all. Facts: docs/facts/eks.md P6 to P9.

Expiry, interruption and deletion by hand ask no budget.
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
    """How free Karpenter is."""

    BLOCKED = "blocked"
    LIMITED = "limited"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Window:
    """A time of one state; it ends where the next begins."""

    start: datetime
    end: datetime
    state: State
    nodes: str
    """The smallest budget that holds, `10%`; `100%` where none does."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A budget, and the times at which it holds; `None` is always."""

    budget: Budget
    times: tuple[tuple[datetime, datetime], ...] | None

    def holds(self, moment: datetime) -> bool:
        return self.times is None or any(start <= moment < end for start, end in self.times)


def windows(disruption: Disruption, start: datetime, end: datetime) -> list[Window]:
    """The states of a pool from `start` to `end`, without a gap."""
    held = [_held(budget, start, end) for budget in disruption.budgets or _DEFAULT]
    moments = sorted({start, *(moment for one in held for span in one.times or () for moment in span if start < moment < end)})
    found: list[Window] = []
    for begin, finish in zip(moments, [*moments[1:], end], strict=True):
        state, nodes = _state([one.budget for one in held if one.holds(begin)])
        if found and (found[-1].state, found[-1].nodes) == (state, nodes):
            begin = found.pop().start  # noqa: PLW2901  # one window with the one before
        found.append(Window(begin, finish, state, nodes))
    return found


def _held(budget: Budget, start: datetime, end: datetime) -> _Held:
    """A schedule that cannot be read blocks for good: Karpenter fails closed."""
    if budget.schedule is None or budget.duration is None:
        return _Held(budget, None)
    try:
        schedule = Schedule.parse(budget.schedule)
    except ScheduleError:
        return _Held(Budget(nodes="0"), None)
    length = timedelta(seconds=seconds(budget.duration))
    return _Held(budget, tuple(_joined((hit, hit + length) for hit in schedule.between(start - length, end))))


def _joined(spans: Iterable[tuple[datetime, datetime]]) -> Iterator[tuple[datetime, datetime]]:
    """Spans in the order of their start; those that meet are one."""
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
    """The most restrictive wins, for each reason by itself."""
    if not budgets:
        return State.FREE, "100%"
    smallest = min((budget.nodes for budget in budgets), key=_size)
    blocked = all(any(_is_none(budget) and (not budget.reasons or reason in budget.reasons) for budget in budgets) for reason in REASONS)
    return (State.BLOCKED if blocked else State.LIMITED), smallest


def _is_none(budget: Budget) -> bool:
    return budget.nodes.strip("%").strip("0") == ""


def _size(nodes: str) -> tuple[bool, int]:
    """A count and a percentage cannot be compared without the nodes; nothing is less than both."""
    number = int(nodes.removesuffix("%"))
    return (number > 0 and nodes.endswith("%"), number)
