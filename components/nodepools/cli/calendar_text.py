"""Calendars as text: one line for each day, one character for each hour of local time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from nodepools.model.disruption import REASONS, Disruption, Reason
from nodepools.model.disruption_calendar import Allowed, DisruptionCalendar, State, Window
from nodepools.model.kubernetes.duration import NEVER

LEGEND: Final = (
    "# closed   o limited   . open. Each hour shows its most restrictive state.\n"
    "Budgets do not apply to node expiry, grace periods and spot interruptions."
)
_CELLS: Final = {State.CLOSED: "#", State.LIMITED: "o", State.OPEN: "."}
_ORDER: Final = (State.CLOSED, State.LIMITED, State.OPEN)
_HOUR: Final = timedelta(hours=1)
StateOf: TypeAlias = Callable[[datetime, datetime], State]
"""The most restrictive state between two times in UTC."""


@dataclass(frozen=True, slots=True)
class Span:
    """A number of days from midnight, in a time zone."""

    start: datetime
    days: int

    @property
    def end(self) -> datetime:
        """Midnight after the last day. A day can have 23 or 25 hours."""
        return self.start + timedelta(days=self.days)


def pool_calendars(name: str, disruption: Disruption, calendar: DisruptionCalendar, when: Span) -> Iterator[str]:
    """Yields one calendar for all reasons with the same times."""
    if calendar.is_broken:
        yield drawn(f"{name}  a schedule of its budgets is invalid: Karpenter disrupts no node", lambda _start, _end: State.CLOSED, when)
        return
    groups = _groups(calendar, disruption.active_reasons)
    for reasons in groups:
        title = f"{name}  {', '.join(reasons)}" if len(groups) > 1 or len(reasons) < len(REASONS) else name
        yield drawn(f"{title}{_off(disruption)}", lambda start, end, reason=reasons[0]: calendar.worst(reason, start, end), when)


def window_calendar(title: str, windows: Sequence[Window] | None, when: Span) -> str:
    """A calendar of windows; only the title if they are not known."""
    if windows is None:
        return f"{title}\n"

    def state(start: datetime, end: datetime) -> State:
        inside = {window.state for window in windows if window.start < end and start < window.end}
        return min(inside, key=_ORDER.index, default=State.OPEN)

    return drawn(title, state, when)


def drawn(title: str, state: StateOf, when: Span) -> str:
    """A title, the hours, and one line for each day. An hour that daylight saving time skips has the state of the next."""
    lines = [title, f"  {'':14} {'0     6     12    18':<24}  {when.start.tzinfo}"]
    for number in range(when.days):
        day = when.start + timedelta(days=number)
        hours = ((day + hour * _HOUR).astimezone(UTC) for hour in range(24))
        lines.append(f"  {day:%a %Y-%m-%d} {''.join(_CELLS[state(hour, hour + _HOUR)] for hour in hours)}")
    return "\n".join([*lines, ""])


def allowed_line(name: str, of_reasons: Iterable[tuple[Reason, Allowed]], nodes: int | None) -> str:
    """What the budgets of a pool permit at one time."""
    return f"  {name}  {', '.join(f'{reason} {_amount(allowed, nodes)}' for reason, allowed in of_reasons)}"


def _amount(allowed: Allowed, nodes: int | None) -> str:
    if nodes is None and not allowed.is_independent_of_nodes:
        return " or ".join(dict.fromkeys(allowed.budgets)) + (", the smaller number" if len(set(allowed.budgets)) > 1 else "")
    count = allowed.of(nodes if nodes is not None else 0)
    return "unlimited" if count is None else str(count)


def _groups(calendar: DisruptionCalendar, reasons: Sequence[Reason]) -> list[list[Reason]]:
    groups: dict[tuple[int, int], list[Reason]] = {}
    for reason in reasons:
        groups.setdefault((calendar.closed[reason], calendar.limited[reason]), []).append(reason)
    return list(groups.values())


def _off(disruption: Disruption) -> str:
    return "  (consolidation is off)" if disruption.consolidate_after == NEVER else ""
