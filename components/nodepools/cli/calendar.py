"""`nodepools calendar`: for which reasons nodes may be disrupted when, how many, and when clusters may be upgraded."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import source
from nodepools.cli.inputs.manifest_checks import Exports, without_objects
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.problem import Problem
from nodepools.manifests.existing.live_node_pools import read_node_pool
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_list import listed_objects
from nodepools.manifests.object_reader import UnreadableObjectError
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import Configuration
from nodepools.model.aks.maintenance_calendar import open_windows
from nodepools.model.disruption import REASONS, Disruption, Reason
from nodepools.model.disruption_calendar import Allowed, DisruptionCalendar, Interval, State, Window, allowed, disruption_calendar
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.cron import is_admitted
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.per_cloud import AnyCluster, PerCloud
from nodepools.model.platform import Platform
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.selection import EVERYTHING, Selection
from nodepools.rules.engine.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class AksMaintenance:
    """One kind of maintenance of one cluster."""

    cluster: str
    configuration: str
    """The name of the maintenance configuration."""
    what: str
    """What the cloud does, as text."""
    windows: Sequence[Window] | None
    """`None` if only the cloud knows the dates, such as for every second week."""


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
    if calendar.is_broken and not all(is_admitted(budget.schedule) for budget in disruption.applied_budgets if budget.schedule is not None):
        yield f"{name}  the API server rejects a schedule of its budgets: what is in the cluster does not change\n"
        return
    if calendar.is_broken:
        yield drawn(f"{name}  a schedule of its budgets is invalid: Karpenter disrupts no node", lambda _start, _end: State.CLOSED, when)
        return
    groups = _groups(calendar, disruption.active_reasons)
    for reasons in groups:
        title = f"{name}  {', '.join(reasons)}" if len(groups) > 1 or len(reasons) < len(REASONS) else name
        yield drawn(f"{title}{_consolidation_off(disruption)}", lambda start, end, reason=reasons[0]: calendar.worst(reason, start, end), when)


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
    return f"  {name}  {', '.join(f'{reason} {_allowed_amount(allowed, nodes)}' for reason, allowed in of_reasons)}"


def _allowed_amount(allowed: Allowed, nodes: int | None) -> str:
    if nodes is None and not allowed.is_independent_of_nodes:
        return " or ".join(dict.fromkeys(allowed.budgets)) + (", the smaller number" if len(set(allowed.budgets)) > 1 else "")
    count = allowed.of(nodes if nodes is not None else 0)
    return "unlimited" if count is None else str(count)


def _groups(calendar: DisruptionCalendar, reasons: Sequence[Reason]) -> list[list[Reason]]:
    groups: dict[tuple[int, int], list[Reason]] = {}
    for reason in reasons:
        groups.setdefault((calendar.closed[reason], calendar.limited[reason]), []).append(reason)
    return list(groups.values())


def _consolidation_off(disruption: Disruption) -> str:
    return "  (consolidation is off)" if disruption.consolidate_after == NEVER else ""


_MAINTENANCE_KINDS: dict[Configuration, str] = {
    "releases": "AKS releases (control plane and add-ons)",
    "upgrades": "Kubernetes upgrades",
    "node_images": "node image upgrades (agent pools and node auto provisioning)",
}


def aks_maintenance(cluster: AksClusterArgs, address: str, start: datetime, end: datetime) -> Iterator[AksMaintenance]:
    """Yields each kind of automatic AKS maintenance of the cluster, with its windows."""
    for configuration in cluster.effective_configurations:
        window = getattr(cluster.applied_maintenance, configuration)
        open_at = open_windows(window, start, end) if window is not None else [Window(start, end, State.OPEN)]
        suffix = ": at any time" if window is None else "" if open_at is not None else ": on dates that only AKS knows"
        yield AksMaintenance(address, configuration, f"{_MAINTENANCE_KINDS[configuration]}{suffix}", open_at)


_FIRST_YEAR, _LAST_YEAR = 1970, 9000
"""A calendar needs some years before its first day and after its last one, within the range of `datetime`."""
_maintenance_of: Final[PerCloud[[str, datetime, datetime], Iterable[AksMaintenance]]] = PerCloud(
    aks=aks_maintenance, eks=lambda _cluster, _address, _start, _end: ()
)
"""Automatic maintenance of a cluster between two times. EKS has no maintenance windows."""


@dataclass(frozen=True, slots=True)
class When:
    """The days of the calendars, and the time for which numbers of nodes are computed."""

    days: Span
    at: datetime
    nodes: int | None
    """Nodes of each pool that are initialized; `None` if it is not given."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The pools and clusters that have windows."""

    pools: Sequence[tuple[str, NodePool]]
    clusters: Mapping[str, AnyCluster]
    """Agent pools use the maintenance windows of their cluster."""
    findings: Sequence[Finding] = ()
    """Errors in the budgets of the pools."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool, and what its budgets permit."""

    name: str
    pool: NodePool
    calendar: DisruptionCalendar
    when: When

    @property
    def nodes(self) -> int | None:
        """The given number of nodes, or the declared one of a static pool."""
        return self.when.nodes if self.when.nodes is not None else self.pool.replicas

    def to_json(self) -> dict[str, object]:
        of_reasons = {reason: _allowed_json(permitted, self.nodes) for reason, permitted in allowed(self.pool.disruption, self.when.at).items()}
        intervals = [_interval_json(interval) for interval in self.calendar.intervals()]
        at = self.when.at.astimezone(UTC).isoformat()
        return {"pool": self.name, "at": at, "reasons": of_reasons, "broken": self.calendar.is_broken, "intervals": intervals}


def when(days: int, tz: str, first: str | None, at: str | None, nodes: int | None) -> When:
    """Reads the options: the days from `first`, or from the day of `at`, or from today."""
    try:
        zone = ZoneInfo(tz)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        usage_error(f"`--tz` must be a time zone such as `Europe/Paris`, not `{tz}`")
    instant = _instant("--at", "a time such as `2026-11-21T02:30Z`", at, zone) if at is not None else datetime.now(zone)
    day = _instant("--existing", "a date such as `2026-11-21`", first, None).replace(tzinfo=zone) if first is not None else instant.astimezone(zone)
    return When(Span(day.replace(hour=0, minute=0, second=0, microsecond=0), days), instant, nodes)


def of_platforms(platforms: Sequence[Platform]) -> Sources:
    """Collects pools and clusters. With several platforms, each name starts with the name of its platform."""
    pools: list[tuple[str, NodePool]] = []
    clusters: dict[str, AnyCluster] = {}
    for platform in platforms:
        for key in platform.clusters:
            cluster = platform.cluster(key)
            address = f"{platform.name}/{key}" if len(platforms) > 1 else key
            pools.extend((f"{address}/{name}", pool) for name, pool in cluster.applied_node_pools.items())
            clusters[address] = cluster
    return Sources(pools, clusters)


def of_manifests(inputs: InputFiles, run: CommandRun) -> Sources:
    """Returns the NodePools in files. One that cannot be read as a whole is a problem of `run`."""
    pools, findings = pools_in(inputs, run)
    return Sources(pools, {}, findings)


def result(sources: Sources, when: When, run: CommandRun) -> Result:
    """A calendar for each pool and each maintenance window."""
    start, end = when.days.start.astimezone(UTC), when.days.end.astimezone(UTC)
    pools = [_Pool(name, pool, disruption_calendar(pool.disruption, start, end), when) for name, pool in sources.pools]
    maintenance = [configuration for address, cluster in sources.clusters.items() for configuration in _maintenance_of(cluster, address, start, end)]

    def show() -> None:
        if pools or maintenance:
            _show(pools, maintenance, when)
        elif not run.problems:
            typer.echo("no NodePools and no maintenance windows")
        if sources.findings:
            from nodepools.cli.output.finding_lines import print_findings  # only errors need it

            print_findings(sources.findings, err=True)

    return Result(lambda: _fields(pools, maintenance), show, sources.findings, fails=bool(sources.findings))


def _fields(pools: Iterable[_Pool], maintenance: Iterable[AksMaintenance]) -> dict[str, object]:
    of_clusters = [_maintenance_json(configuration, window) for configuration in maintenance for window in configuration.windows or ()]
    return {"pools": [pool.to_json() for pool in pools], "maintenance": of_clusters}


def _show(pools: Sequence[_Pool], maintenance: Iterable[AksMaintenance], when: When) -> None:
    for pool in pools:
        for calendar in pool_calendars(pool.name, pool.pool.disruption, pool.calendar, when.days):
            typer.echo(calendar)
    for configuration in maintenance:
        typer.echo(window_calendar(f"{configuration.cluster}  {configuration.what}", configuration.windows, when.days))
    if pools:
        zone = when.days.start.tzinfo
        typer.echo(f"Nodes that budgets permit to be disrupted at the same time, at {when.at.astimezone(zone):%Y-%m-%d %H:%M} {zone}:")
        for pool in pools:
            typer.echo(allowed_line(pool.name, allowed(pool.pool.disruption, when.at).items(), pool.nodes))
            for line in _useless(pool.pool.disruption):
                typer.echo(line)
        typer.echo("")
    typer.echo(LEGEND)


def _useless(disruption: Disruption) -> Iterator[str]:
    """The budgets that never decide."""
    from nodepools.rules.karpenter.disruption_budgets import useless_budgets  # rules are needed only here

    for index, lower in useless_budgets(disruption):
        nodes, least = disruption.applied_budgets[index].nodes, disruption.applied_budgets[lower].nodes
        yield f"    the budget of {nodes} has no effect: one of {least} is active at all its times, and the lowest wins"


def _instant(option: str, form: str, text: str, zone: tzinfo | None) -> datetime:
    """Reads a time; one without an offset is in `zone`."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        usage_error(f"`{option}` must be {form}, not `{text}`")
    if not _FIRST_YEAR <= read.year <= _LAST_YEAR:
        usage_error(f"`{option}` must be in the years {_FIRST_YEAR} to {_LAST_YEAR}, not `{text}`")
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)


def _allowed_json(permitted: Allowed, nodes: int | None) -> dict[str, object]:
    """Without the number of nodes, what a percentage permits is unknown."""
    if nodes is None and not permitted.is_independent_of_nodes:
        return {"allowed": "unknown", "budgets": list(permitted.budgets)}
    return {"allowed": permitted.of(nodes if nodes is not None else 0), "budgets": list(permitted.budgets)}


def _interval_json(interval: Interval) -> dict[str, object]:
    states = {reason: state.value for reason, state in interval.states.items()}
    return {"from": interval.start.isoformat(), "to": interval.end.isoformat(), "reasons": states}


def _maintenance_json(maintenance: AksMaintenance, window: Window) -> dict[str, object]:
    described = {"cluster": maintenance.cluster, "configuration": maintenance.configuration}
    return {**described, "from": window.start.isoformat(), "to": window.end.isoformat(), "state": window.state.value}


_NODE_POOL: Final = "NodePool"
_BUDGETS: Final = "spec.disruption.budgets"
_KIND_FIELDS: Final = Selection.only("apiVersion", "kind")


def pools_in(inputs: InputFiles, run: CommandRun) -> tuple[list[tuple[str, NodePool]], tuple[Finding, ...]]:
    """Returns the valid NodePools by name, and the errors in their budgets. The nodes next to them are skipped: there can be thousands."""
    found: list[ManifestObject] = []
    before, exports = (len(run.problems), len(run.notes)), Exports(run)
    for file in files(inputs, run):
        try:
            with source(file, LISTED_MIB) as opened:
                found.extend(listed_objects(opened, str(file), _of_pools, exports.take))
        except TextError as error:
            run.problems.append(Problem.of(str(error), str(file)))
    if not found and (len(run.problems), len(run.notes)) == before:
        run.problems.append(without_objects(inputs))
    written = [one for one in found if one.kind == _NODE_POOL]
    findings = check_objects(written).findings
    errors = [finding for finding in findings if finding.severity is Severity.ERROR and finding.path.startswith(_BUDGETS)]
    return list(_read(written, run)), tuple(errors)


def _read(written: Iterable[ManifestObject], run: CommandRun) -> Iterator[tuple[str, NodePool]]:
    for one in written:
        try:
            read = read_node_pool(one.raw)
        except (PodError, UnreadableObjectError):
            message = f"the NodePool `{one.name}` is invalid or not supported: run `nodepools check {one.file}`"
            run.problems.append(Problem(one.file, message))
        else:
            run.notes.extend(Problem(f"NodePool/{read.name}", note) for note in read.notes)
            yield read.name, read.pool


def _of_pools(kind: str) -> Selection:
    return EVERYTHING if not kind or kind == _NODE_POOL or kind.endswith("List") else _KIND_FIELDS
