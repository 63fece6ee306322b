"""`nodepools windows`: when the nodes of each pool may be replaced, as a small calendar."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from nodepools.cli.aks_maintenance import aks_upkeep
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.maintenance import AksMaintenance
from nodepools.cli.manifest_checks import pools_in
from nodepools.cli.report import print_json
from nodepools.model.disruption_calendar import State, Window, windows
from nodepools.model.karpenter import NodePool
from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.platform import Platform

_CELLS = {State.BLOCKED: "#", State.LIMITED: "o", State.FREE: "."}
_ORDER = (State.BLOCKED, State.LIMITED, State.FREE)
_HOUR = timedelta(hours=1)
_FIRST_YEAR, _LAST_YEAR = 1970, 9000
"""A calendar looks some weeks back and a year ahead: nearer to either end of what a datetime holds there is no room for it."""
_LEGEND = (
    "# blocked   o limited   . free. Each hour shows its most restrictive state.\n"
    "Budgets do not apply to node expiry, grace periods and spot interruptions."
)
_upkeep_of: Final[PerCloud[[str, datetime, datetime], Iterable[AksMaintenance]]] = PerCloud(
    aks=aks_upkeep, eks=lambda _cluster, _address, _start, _end: ()
)
"""What the cloud itself does to the cluster at an address, between two times. EKS has no windows."""


@dataclass(frozen=True, slots=True)
class Span:
    """From a midnight on, so many days, in a time zone."""

    start: datetime
    days: int

    @property
    def end(self) -> datetime:
        """The midnight at its end; days may have 23 or 25 hours."""
        return self.start + timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Calendars:
    """What has windows."""

    pools: dict[str, NodePool]
    clusters: dict[str, AnyCluster]
    """Agent pools have the windows of their cluster."""


def span(days: int, tz: str, first: str | None) -> Span:
    """From the midnight of today, or of `first`."""
    try:
        zone = ZoneInfo(tz)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        usage_error(f"`--tz` must be a time zone such as `Europe/Paris`, not `{tz}`")
    try:
        day = datetime.fromisoformat(first).replace(tzinfo=zone) if first is not None else datetime.now(zone)
    except ValueError:
        usage_error(f"`--from` must be a date such as `2026-11-21`, not `{first}`")
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        usage_error(f"`--from` must be in the years {_FIRST_YEAR} to {_LAST_YEAR}, not `{first}`")
    return Span(day.replace(hour=0, minute=0, second=0, microsecond=0), days)


def of_platforms(platforms: Sequence[Platform]) -> Calendars:
    """What is kept in each cluster, by its address, which begins with the platform's name where there are several."""
    kept = Calendars({}, {})
    for platform in platforms:
        for key in platform.clusters:
            cluster = platform.cluster(key)
            address = f"{platform.name}/{key}" if len(platforms) > 1 else key
            kept.pools.update({f"{address}/{name}": pool for name, pool in cluster.applied_node_pools.items()})
            kept.clusters[address] = cluster
    return kept


def of_manifests(paths: Sequence[Path]) -> Calendars:
    """The NodePools in files, by their names.

    Raises:
        UnreadableError: a file cannot be read.
    """
    return Calendars(dict(pools_in(paths)), {})


def show(kept: Calendars, when: Span, *, as_json: bool) -> None:
    """Prints the calendar of each pool, and those of what the clouds do to clusters."""
    start, end = when.start.astimezone(UTC), when.end.astimezone(UTC)
    found = {name: windows(pool.disruption, start, end) for name, pool in kept.pools.items()}
    upkeep = [one for address, cluster in kept.clusters.items() for one in _upkeep_of(cluster, address, start, end)]
    if as_json:
        of_clusters = [_json_of_upkeep(one, window) for one in upkeep for window in one.openings or ()]
        print_json({"windows": [_json(name, window) for name, of_pool in found.items() for window in of_pool], "maintenance": of_clusters})
        return
    for name, of_pool in found.items():
        typer.echo("\n".join([f"{name}  {_remarks(kept.pools[name])}".rstrip(), *_calendar(of_pool, when), ""]))
    for one in upkeep:
        typer.echo("\n".join([f"{one.cluster}  {one.what}", *_calendar(one.openings or (), when), ""]))
    typer.echo(_LEGEND if found or upkeep else "no NodePools and no maintenance windows")


def _json(name: str, window: Window) -> dict[str, object]:
    return {"pool": name, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value, "nodes": window.nodes}


def _json_of_upkeep(one: AksMaintenance, window: Window) -> dict[str, object]:
    said = {"cluster": one.cluster, "configuration": one.configuration}
    return {**said, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value}


def _remarks(pool: NodePool) -> str:
    return "consolidation is off: only drift respects the budgets" if pool.disruption.consolidate_after == "Never" else ""


def _calendar(of_pool: Sequence[Window], when: Span) -> Iterable[str]:
    """A line a day, a sign an hour of the clock there."""
    zone = when.start.tzinfo
    if not of_pool:
        return
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
