"""`nodepools windows`: a calendar of when nodes may be replaced and clusters upgraded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from nodepools.cli.aks_maintenance import aks_maintenance
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exclusion import Inputs
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.maintenance import AksMaintenance
from nodepools.cli.manifest_checks import pools_in
from nodepools.model.disruption_calendar import State, Window, windows
from nodepools.model.karpenter import NodePool
from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.platform import Platform

_CELLS = {State.BLOCKED: "#", State.LIMITED: "o", State.FREE: "."}
_ORDER = (State.BLOCKED, State.LIMITED, State.FREE)
_HOUR = timedelta(hours=1)
_FIRST_YEAR, _LAST_YEAR = 1970, 9000
"""A calendar needs some weeks before its first day and a year after it, within the range of `datetime`."""
_LEGEND = (
    "# blocked   o limited   . free. Each hour shows its most restrictive state.\n"
    "Budgets do not apply to node expiry, grace periods and spot interruptions."
)
_maintenance_of: Final[PerCloud[[str, datetime, datetime], Iterable[AksMaintenance]]] = PerCloud(
    aks=aks_maintenance, eks=lambda _cluster, _address, _start, _end: ()
)
"""Automatic maintenance of a cluster between two times. EKS has no maintenance windows."""


@dataclass(frozen=True, slots=True)
class Span:
    """A number of days from midnight, in a time zone."""

    start: datetime
    days: int

    @property
    def end(self) -> datetime:
        """Midnight after the last day. A day can have 23 or 25 hours."""
        return self.start + timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Calendars:
    """The pools and clusters that have windows."""

    pools: dict[str, NodePool]
    clusters: dict[str, AnyCluster]
    """Agent pools use the maintenance windows of their cluster."""


def span(days: int, tz: str, first: str | None) -> Span:
    """Returns the days from `first`, or from today."""
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
    """Collects pools and clusters. With several platforms, each name starts with the name of its platform."""
    calendars = Calendars({}, {})
    for platform in platforms:
        for key in platform.clusters:
            cluster = platform.cluster(key)
            address = f"{platform.name}/{key}" if len(platforms) > 1 else key
            calendars.pools.update({f"{address}/{name}": pool for name, pool in cluster.applied_node_pools.items()})
            calendars.clusters[address] = cluster
    return calendars


def of_manifests(inputs: Inputs, run: CommandRun) -> Calendars:
    """Returns the NodePools in files, by name."""
    return Calendars(dict(pools_in(inputs, run)), {})


def result(calendars: Calendars, when: Span, run: CommandRun) -> Result:
    """A calendar for each pool and each maintenance window."""
    start, end = when.start.astimezone(UTC), when.end.astimezone(UTC)
    found = {name: windows(pool.disruption, start, end) for name, pool in calendars.pools.items()}
    maintenance = [
        configuration for address, cluster in calendars.clusters.items() for configuration in _maintenance_of(cluster, address, start, end)
    ]

    def show() -> None:
        if found or maintenance:
            _show(calendars, when, found, maintenance)
        elif not run.problems:
            typer.echo("no NodePools and no maintenance windows")

    return Result(lambda: _fields(found, maintenance), show)


def _fields(found: Mapping[str, Sequence[Window]], maintenance: Sequence[AksMaintenance]) -> dict[str, object]:
    of_clusters = [_maintenance_json(configuration, window) for configuration in maintenance for window in configuration.windows or ()]
    return {"windows": [_json(name, window) for name, of_pool in found.items() for window in of_pool], "maintenance": of_clusters}


def _show(calendars: Calendars, when: Span, found: Mapping[str, Sequence[Window]], maintenance: Sequence[AksMaintenance]) -> None:
    for name, of_pool in found.items():
        typer.echo("\n".join([f"{name}  {_note(calendars.pools[name])}".rstrip(), *_calendar(of_pool, when), ""]))
    for configuration in maintenance:
        typer.echo("\n".join([f"{configuration.cluster}  {configuration.what}", *_calendar(configuration.windows or (), when), ""]))
    typer.echo(_LEGEND)


def _json(name: str, window: Window) -> dict[str, object]:
    return {"pool": name, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value, "nodes": window.nodes}


def _maintenance_json(maintenance: AksMaintenance, window: Window) -> dict[str, object]:
    described = {"cluster": maintenance.cluster, "configuration": maintenance.configuration}
    return {**described, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value}


def _note(pool: NodePool) -> str:
    return "consolidation is off: only drift respects the budgets" if pool.disruption.consolidate_after == "Never" else ""


def _calendar(of_pool: Sequence[Window], when: Span) -> Iterable[str]:
    """One line per day, one character per hour of local time."""
    zone = when.start.tzinfo
    if not of_pool:
        return
    yield f"  {'':14} {'0     6     12    18':<24}  {zone}"
    for number in range(when.days):
        day = when.start + timedelta(days=number)
        cells = "".join(_CELLS[_state(of_pool, day + hour * _HOUR)] for hour in range(24))
        yield f"  {day:%a %Y-%m-%d} {cells}"


def _state(of_pool: Sequence[Window], hour: datetime) -> State:
    """The most restrictive state of an hour. An hour that daylight saving time skips has the state of the next."""
    start = hour.astimezone(UTC)
    inside = {window.state for window in of_pool if window.start < start + _HOUR and start < window.end}
    return min(inside, key=_ORDER.index, default=State.FREE)
