"""`nodepools windows`: when the nodes of each pool may be replaced, as a small calendar."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from nodepools.cli.exits import unusable
from nodepools.cli.manifests import pools_in
from nodepools.cli.report import print_json
from nodepools.model.karpenter import NodePool
from nodepools.model.platform import Platform
from nodepools.model.windows import State, Window, windows

_CELLS = {State.BLOCKED: "#", State.LIMITED: "o", State.FREE: "."}
_ORDER = (State.BLOCKED, State.LIMITED, State.FREE)
_HOUR = timedelta(hours=1)
_LEGEND = "# blocked   o limited   . free; an hour shows its most restrictive part. Expiry and interruption ask no budget."


@dataclass(frozen=True, slots=True)
class Span:
    """From a midnight on, so many days, in a time zone."""

    start: datetime
    days: int

    @property
    def end(self) -> datetime:
        """The midnight at its end; days may have 23 or 25 hours."""
        return self.start + timedelta(days=self.days)


def span(days: int, tz: str, first: str | None) -> Span:
    """From the midnight of today, or of `first`."""
    try:
        zone = ZoneInfo(tz)
        day = datetime.fromisoformat(first).replace(tzinfo=zone) if first is not None else datetime.now(zone)
    except (ZoneInfoNotFoundError, ValueError):
        unusable(f"--tz is a time zone such as Europe/Paris, --from a day such as 2026-11-21; not {tz!r}, {first!r}")
    return Span(day.replace(hour=0, minute=0, second=0, microsecond=0), days)


def of_platform(platform: Platform) -> dict[str, NodePool]:
    """The NodePools of all clusters, by their addresses. Agent pools have maintenance windows of their cluster instead."""
    return {str(pool): pool.declared for pool in platform.pools() if isinstance(pool.declared, NodePool)}


def of_manifests(paths: Sequence[Path]) -> dict[str, NodePool]:
    """The NodePools in files, by their names.

    Raises:
        UnreadableError: a file cannot be read.
    """
    return dict(pools_in(paths))


def show(pools: Mapping[str, NodePool], when: Span, *, as_json: bool) -> None:
    """Prints the calendar of each pool."""
    found = {name: windows(pool.disruption, when.start.astimezone(UTC), when.end.astimezone(UTC)) for name, pool in pools.items()}
    if as_json:
        print_json({"windows": [_json(name, window) for name, of_pool in found.items() for window in of_pool]})
        return
    for name, of_pool in found.items():
        typer.echo("\n".join([f"{name}  {_remarks(pools[name])}".rstrip(), *_calendar(of_pool, when), ""]))
    typer.echo(_LEGEND if found else "no NodePools")


def _json(name: str, window: Window) -> dict[str, object]:
    return {"pool": name, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value, "nodes": window.nodes}


def _remarks(pool: NodePool) -> str:
    return "consolidation is off (consolidate_after Never): only drift asks" if pool.disruption.consolidate_after == "Never" else ""


def _calendar(of_pool: Sequence[Window], when: Span) -> Iterable[str]:
    """A line a day, a sign an hour of the clock there."""
    zone = when.start.tzinfo
    yield f"  {'':14} {'0     6     12    18':<24}  {zone}"
    for number in range(when.days):
        day = when.start + timedelta(days=number)
        cells = "".join(_CELLS[_state(of_pool, day + hour * _HOUR)] for hour in range(24))
        yield f"  {day:%a %Y-%m-%d} {cells}"


def _state(of_pool: Sequence[Window], hour: datetime) -> State:
    """The most restrictive of an hour; one that the clock leaps over is as the one after."""
    start = hour.astimezone(UTC)
    inside = {window.state for window in of_pool if window.start < start + _HOUR and start < window.end}
    return min(inside, key=_ORDER.index, default=State.FREE)
