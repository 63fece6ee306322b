"""`nodepools calendar`: for which reasons nodes may be disrupted when, how many, and when clusters may be upgraded."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from math import inf
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.existing.existing_cluster import StockFiles
from nodepools.cli.inputs.assumptions import note_unread
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import InputFiles, named_existing
from nodepools.cli.inputs.input_files import exports as opened_exports
from nodepools.cli.inputs.input_files import shown as shown_path
from nodepools.cli.inputs.manifest_checks import Exports, without_objects
from nodepools.cli.output.report import Report, Row, Section, Tone, first_fixes, lines_of
from nodepools.cli.problem import Problem, usage_error
from nodepools.clouds.cloud import Maintenance
from nodepools.clouds.eks.cloud import nodes_of_others
from nodepools.clouds.registry import cloud_of
from nodepools.manifests.existing.node_pools import read_node_pool
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_list import listed_objects
from nodepools.manifests.supported_kinds import UnreadableObjectError
from nodepools.model.aks.maintenance import CONFIGURATIONS
from nodepools.model.disruption_calendar import Allowed, DisruptionCalendar, State, Window, allowed, disruption_calendar
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import counted, grouped, joined, listed, saved
from nodepools.model.maintenance import REASONS, BudgetNodes, Disruption, Reason
from nodepools.model.path import path_text
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.values import dataclass, field, replace
from nodepools.reading.bounded_input import TextError
from nodepools.reading.selection import EVERYTHING, Selection
from nodepools.reading.yaml_documents import Document
from nodepools.rules.engine.finding import Finding, Severity

_LEGEND: Final = (
    "# closed   o limited   . open. Each hour shows its most restrictive state.",
    "AKS releases are those of the control plane and of add-ons; node images are those of agent pools and node auto provisioning.",
    "Budgets do not apply to node expiry, grace periods and spot interruptions.",
)
_CELLS: Final = {State.CLOSED: "#", State.LIMITED: "o", State.OPEN: "."}
_ORDER: Final = (State.CLOSED, State.LIMITED, State.OPEN)
_HOUR: Final = timedelta(hours=1)
_AHEAD: Final = timedelta(days=366)
"""How far ahead the next window is searched for."""
_NAMED: Final = 3
_LONGEST_NAMES: Final = 60
"""Characters of names in the first line; of more, the first one and a number."""
_ROWS: Final = 20
"""Rows that are shown without `--details`."""
_UNLIMITED: Final = "unlimited"
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


@dataclass(frozen=True, slots=True)
class When:
    """The days of the calendars, and the time for which the answer is."""

    days: Span
    at: datetime
    nodes: int | None
    """Nodes of each pool that are initialized; `None` if it is not given."""
    is_now: bool = True

    def text(self, moment: datetime) -> str:
        """A time with its day and zone."""
        zone = self.days.start.tzinfo
        return f"{moment.astimezone(zone):%a %Y-%m-%d %H:%M} {zone}"


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool, and what its budgets permit."""

    name: str
    path: str
    """Where it is declared."""
    pool: NodePool
    calendar: DisruptionCalendar
    when: When

    @property
    def nodes(self) -> int | None:
        """The given number of nodes, or the declared one of a static pool."""
        return self.when.nodes if self.when.nodes is not None else self.pool.replicas

    @property
    def groups(self) -> list[list[Reason]]:
        """The reasons that have the same times."""
        groups = grouped(((self.calendar.closed[reason], self.calendar.limited[reason]), reason) for reason in self.pool.disruption.active_reasons)
        return list(groups.values())

    @property
    def broken(self) -> str:
        """Why its budgets cannot be evaluated; empty if they can."""
        if not all(budget.is_admitted for budget in self.pool.disruption.applied_budgets):
            return "the API server rejects one of its budgets, so what is in the cluster does not change"
        if not self.calendar.is_broken:
            return ""
        return "closed for every reason: a schedule of its budgets is invalid, so Karpenter disrupts no node"

    def permitted(self, reasons: Sequence[Reason]) -> str:
        """How many nodes its budgets permit to be disrupted at the same time."""
        of_reasons = allowed(self.pool.disruption, self.when.at)
        amounts = {reason: _allowed_amount(of_reasons[reason], self.nodes) for reason in reasons}
        several = len(set(amounts.values())) > 1
        return ", ".join(f"{reason} {amount}" for reason, amount in amounts.items()) if several else amounts[reasons[0]]

    def to_json(self) -> dict[str, object]:
        of_reasons = {reason: _allowed_json(permitted, self.nodes) for reason, permitted in allowed(self.pool.disruption, self.when.at).items()}
        intervals = [
            {"start": one.start.isoformat(), "end": one.end.isoformat(), "reasons": {reason: state.value for reason, state in one.states.items()}}
            for one in self.calendar.intervals()
        ]
        time = self.when.at.astimezone(UTC).isoformat()
        return {"pool": self.name, "path": self.path, "time": time, "reasons": of_reasons, "broken": bool(self.broken), "intervals": intervals}


_DISRUPTION: Final = "disruption"
_DRIFTED: Final[Reason] = "Drifted"
_UPGRADES: Final = "automatic upgrades"
_LIMITS: Final = {
    _DISRUPTION: 'Karpenter can replace nodes at any time: to limit it, add `{nodes: "0", schedule: "0 8 * * mon-fri", duration: 10h}` to `budgets`',
    _UPGRADES: "AKS can upgrade at any time: to limit it, set `maintenance`, or run `az aks maintenanceconfiguration add`",
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """Something with times of its own: reasons of a pool, or a kind of maintenance."""

    what: str
    """What is done: nodes are disrupted, or clusters upgraded."""
    subject: str
    label: str
    """For which reasons, or what the cloud does; empty: for everything."""
    is_closed: bool | None
    """At the time of the answer; `None` if it is not known."""
    change: datetime | None
    """When this ends; `None`: not within a year."""
    end: datetime | None
    """When what begins then ends."""
    nodes: str
    state: StateOf | None
    """For the days of the calendar; `None` if they are not known."""
    never_closes: bool = False
    """Nothing is declared that closes it."""
    lines: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[bool, bool, float]:
        """What stays closed comes first, then what opens first, then what closes first."""
        change = self.change.timestamp() if self.change is not None else -inf if self.is_closed else inf
        return self.is_closed is None, not self.is_closed, change

    @property
    def cluster(self) -> str:
        """The cluster, with its stack if there are several; of a pool without one, the pool."""
        return self.subject if self.what != _DISRUPTION or ": " in self.subject else self.subject.rpartition("/")[0] or self.subject  # `FILE: NAME`

    @property
    def times(self) -> tuple[bool | None, datetime | None, datetime | None]:
        """Its state and when that changes."""
        return self.is_closed, self.change, self.end

    def until(self, when: When) -> str:
        """When its state ends, and for how long it then is open."""
        if self.is_closed is None:
            return "on dates that only AKS knows"
        if self.change is None:
            return "always" if self.never_closes else "for a year or longer"
        then = f", then open{f' for {_length(self.end - self.change)}' if self.end is not None else ''}" if self.is_closed else ""
        return f"until {when.text(self.change)} ({_length(self.change - when.at)}){then}"

    @property
    def is_always_open(self) -> bool:
        """It was never limited to some hours."""
        return self.never_closes and self.change is None

    def answer(self, when: When, apart: str) -> str:
        """The same as a clause of the first line; `apart` is what is open nevertheless."""
        if self.is_always_open:
            return "open at all times: no disruption budget or maintenance window sets closed hours"
        at = "" if self.change is None else " now," if when.is_now else f" at {when.text(when.at)},"
        state = f"closed{at.removesuffix(',')}{apart}," if self.is_closed and at else f"closed{apart}" if self.is_closed else f"open{at}"
        return f"{state} {self.until(when)}"

    def grid(self, when: Span) -> tuple[tuple[str, str], ...]:
        """The hours of the days that differ from most, then of the others. An hour that is skipped is the next one, one that is repeated is both."""
        if self.state is None:
            return ()
        days = [when.start + timedelta(days=number) for number in range(when.days)]
        hours = {day: pairwise([(day + hour * _HOUR).astimezone(UTC) for hour in range(25)]) for day in days}
        cells = {day: "".join(_CELLS[self.state(hour, max(following, hour + _HOUR))] for hour, following in hours[day]) for day in days}
        [(most, count)] = Counter(cells.values()).most_common(1)
        is_usual = 2 * count > when.days
        differ = [(f"{day:%a %Y-%m-%d}", shown) for day, shown in cells.items() if shown != most or not is_usual]
        return (*differ, *([("other days" if differ else "every day", most)] if is_usual else []))


def _length(span: timedelta) -> str:
    """`3 d 2 h`, `5 h 30 min`: the two largest units."""
    minutes = max(-(-span // timedelta(minutes=1)), 0)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{days:,} d" if days else "", f"{hours} h" if hours else "", f"{rest} min" if rest and not days else ""]
    return " ".join(filter(None, parts)) if any(parts) else "0 min"


def _allowed_amount(allowed: Allowed, nodes: int | None) -> str:
    if nodes is None and not allowed.is_independent_of_nodes:
        return " or ".join(dict.fromkeys(allowed.budgets)) + (", the smaller number" if len(set(allowed.budgets)) > 1 else "")
    count = allowed.of(nodes if nodes is not None else 0)
    return _UNLIMITED if count is None else str(count)


_FIRST_YEAR, _LAST_YEAR = 1970, 9000
"""A calendar needs some years before its first day and after its last one, within the range of `datetime`."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The pools and clusters that have windows."""

    about: str
    pools: Sequence[tuple[str, str, NodePool]]
    """Name, place and pool."""
    clusters: Mapping[str, AnyCluster]
    """Agent pools use the maintenance windows of their cluster."""
    findings: Sequence[Finding] = ()
    """Errors in the budgets of the pools."""
    exported: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Kinds of maintenance that have a configuration, of clusters in exports: one that is not in `clusters` could not be read."""

    def maintenance(self, start: datetime, end: datetime) -> Iterator[Maintenance]:
        """Every kind of maintenance, without windows that cannot be read."""
        for address, cluster in self.clusters.items():
            configured = self.exported.get(address, frozenset())
            for one in cloud_of(cluster).maintenance(address, start, end):
                yield replace(one, windows=None) if one.configuration in configured and not one.is_declared else one


def when(days: int, tz: str, first: str | None, at: str | None, nodes: int | None) -> When:
    """Reads the options: the days from `first`, or from the day of `at`, or from today."""
    try:
        zone = ZoneInfo(tz)
    except (ZoneInfoNotFoundError, ValueError, OSError, RecursionError):
        usage_error(f"`--tz` must be a time zone such as `Europe/Paris`, not `{tz}`")
    instant = _instant("--at", "a time such as `2026-11-21T02:30Z`", at, zone) if at is not None else datetime.now(zone)
    day = _instant("--start", "a date such as `2026-11-21`", first, None).replace(tzinfo=zone) if first is not None else instant.astimezone(zone)
    midnight = day.replace(hour=0, minute=0, second=0, microsecond=0)
    is_now = at is None and first is None
    return When(Span(midnight, days), instant if at is not None or is_now else midnight, nodes, is_now)


def of_platforms(platforms: Sequence[Platform], about: str) -> Sources:
    """Collects pools and clusters. With several platforms, each name starts with the name of its platform."""
    pools: list[tuple[str, str, NodePool]] = []
    clusters: dict[str, AnyCluster] = {}
    for platform in platforms:
        for key in platform.clusters:
            cluster = platform.cluster(key)
            address = f"{platform.name}/{key}" if len(platforms) > 1 else key
            paths = {name: path_text(("clusters", key, *steps)) for steps, name, pool in cluster.declared_pools() if isinstance(pool, NodePool)}
            pools.extend((f"{address}/{name}", paths[name], pool) for name, pool in cluster.applied_node_pools.items())
            own = nodes_of_others(cluster)
            pools.extend((f"{address}/{place.name}", f"NodePool/{place.name}", place.pool) for place in (own.pools if own is not None else ()))
            clusters[address] = cluster
    return Sources(about, pools, clusters)


def of_manifests(inputs: InputFiles, run: CommandRun) -> Sources:
    """Returns the NodePools in files. One that cannot be read as a whole is a problem of `run`."""
    exports = Exports(run)
    pools, findings = pools_in(inputs, run, exports)
    of_azure = list(_clusters_in(exports, run)) if exports.azure else []
    clusters = {name: cluster for name, cluster, _ in of_azure if cluster is not None}
    several = Counter(name for name, _, _ in pools)  # of several clusters
    pools = [(name if several[name] == 1 else f"{file}: {name}", file, pool) for name, file, pool in pools]
    return Sources(named_existing(inputs.paths), pools, clusters, findings, {name: kinds for name, _, kinds in of_azure})


def _clusters_in(exports: Exports, run: CommandRun) -> Iterator[tuple[str, AnyCluster | None, frozenset[str]]]:
    """Exported AKS clusters, `None` for one without anything that says when, and their kinds of maintenance that have a configuration."""
    from nodepools.adoption.adopted import in_model  # only exports need these
    from nodepools.adoption.draft import CannotAdoptError
    from nodepools.clouds.aks.existing import clusters_of

    found, wrong = clusters_of(exports.azure)
    run.problems.extend(map(Problem.of, wrong))
    for one in found:
        kinds = frozenset(CONFIGURATIONS[name] for name in one.configurations if name in CONFIGURATIONS)
        cluster = None
        if not one.configurations:
            run.notes.append(Problem(one.name, f"its maintenance windows were not exported. {saved('`az aks maintenanceconfiguration list`')}"))
        else:
            try:
                # the identity, which can be a service principal, decides nothing about windows
                cluster = in_model(replace(one, described={**one.described, "identity": {"type": "SystemAssigned"}})).cluster("cluster")
            except CannotAdoptError as error:
                run.problems.append(Problem(one.name, str(error)))
        yield one.name, cluster, kinds


def result(sources: Sources, when: When, run: CommandRun) -> Result:
    """The next window, a row for each pool and each kind of maintenance with times of its own, and the hours of each day."""
    start, end = when.days.start.astimezone(UTC), when.days.end.astimezone(UTC)
    pools = [_Pool(name, path, pool, disruption_calendar(pool.disruption, start, end), when) for name, path, pool in sources.pools]
    maintenance = list(sources.maintenance(start, end))
    unread = [one for one in maintenance if one.windows is None and not one.is_declared]
    run.problems.extend(Problem(one.cluster, f"{one.what}: the form of this maintenance window cannot be read") for one in unread)
    moment = when.at.astimezone(UTC).replace(second=0, microsecond=0)
    later = list(sources.maintenance(moment, moment + _AHEAD))
    entries = [entry for pool in pools if not pool.broken for entry in _of_pool(pool, moment)]
    entries += [_of_maintenance(shown, ahead) for shown, ahead in zip(maintenance, later, strict=True)]
    broken = [(pool.name, pool.broken) for pool in pools if pool.broken]
    is_unknown = bool(sources.exported) and not entries and not broken
    answer = "unknown: no maintenance windows could be read" if is_unknown else _answer(entries, broken, when, run)
    if sources.findings and not broken:
        answer = f"{answer}; {counted(len(sources.findings), 'error')}"
    first, *hours = _sections(entries, broken, when)
    sections = (first, lines_of("", *_always_open(entries), *_not_held(entries), *_shortened(sources.clusters)), *hours)
    report = Report(sources.about, answer, tuple(first_fixes(sources.findings)), sections, tuple(sources.findings))
    return Result(lambda: _fields(pools, maintenance), fails=bool(sources.findings), report=report)


def _of_pool(pool: _Pool, moment: datetime) -> Iterator[_Entry]:
    """One entry for all reasons with the same times."""
    disruption = pool.pool.disruption
    ahead, groups = disruption_calendar(disruption, moment, moment + _AHEAD), pool.groups
    for reasons in groups:
        reason = reasons[0]
        change = ahead.next_change(reason, moment)
        is_part = len(groups) > 1 or len(reasons) < len(REASONS)
        off = "; consolidation is off" if disruption.consolidate_after == NEVER else ""
        yield _Entry(
            _DISRUPTION,
            pool.name,
            f"{', '.join(reasons)}{off}" if is_part else "",
            ahead.worst(reason, moment, moment + timedelta(minutes=1)) is State.CLOSED,
            change,
            ahead.next_change(reason, change) if change is not None else None,
            pool.permitted(reasons),
            lambda start, end, reason=reason: pool.calendar.worst(reason, start, end),
            not any(BudgetNodes(budget.nodes).is_none and budget.limits(reason) for budget in disruption.applied_budgets),
            tuple(_useless(disruption)) if reasons is groups[0] else (),
        )


def _of_maintenance(shown: Maintenance, later: Maintenance) -> _Entry:
    """The entry of one kind of maintenance, with its windows of the next year."""
    if shown.windows is None or later.windows is None:
        return _Entry(_UPGRADES, shown.cluster, shown.what, None, None, None, "", None)
    windows = shown.windows
    joined = [window for number, window in enumerate(later.windows) if not number or window.state is not later.windows[number - 1].state]

    def state(start: datetime, end: datetime) -> State:
        inside = {window.state for window in windows if window.start < end and start < window.end}
        return min(inside, key=_ORDER.index, default=State.OPEN)

    change, end = ([window.start for window in joined[1:3]] + [None, None])[:2]
    return _Entry(_UPGRADES, shown.cluster, shown.what, joined[0].state is State.CLOSED, change, end, "", state, not shown.is_declared)


def _answer(entries: Sequence[_Entry], broken: Sequence[tuple[str, str]], when: When, run: CommandRun) -> str:
    """What cannot be evaluated, otherwise for each cluster what is most restricted or changes next: whether it may be done now, and until when."""
    if broken:
        return f"{listed([name for name, text in broken if text == broken[0][1]], _NAMED)}: {broken[0][1]}"
    if not entries:
        return "no NodePool could be read" if run.problems else "no NodePools and no maintenance windows"
    first: dict[str, _Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.is_always_open, entry.order)):
        first.setdefault(entry.cluster, entry)
    clauses: list[str] = []
    for times, entry in {entry.times: entry for entry in first.values()}.items():
        same = [one for one in entries if one.times == times and first[one.cluster].times == times]
        clauses.append(f"{_subjects(entries, same)}: {entry.answer(when, _apart(entries, same))}")
    waits = all(entry.is_closed and entry.change is not None for entry in first.values())
    idle = "; nothing to wait for" if all(entry.is_always_open for entry in entries) else "; nothing to do until then" if waits else ""
    return f"{'; '.join(clauses[:_NAMED])}{f'; {len(clauses) - _NAMED:,} more below' if clauses[_NAMED:] else ''}{idle}"


def _apart(every: Iterable[_Entry], same: Sequence[_Entry]) -> str:
    """The nodes of closed pools that may go although others may not."""
    closed = {one.subject for one in same if one.is_closed and one.what == _DISRUPTION}
    open_now = [one for one in every if one.subject in closed and one.is_closed is False and one.what == _DISRUPTION]
    words = joined(list(dict.fromkeys(word.lower() for one in open_now for word in one.label.partition(";")[0].split(", "))))
    return f", except for {words} nodes" if words and closed == {one.subject for one in open_now} else ""


def _subjects(every: Sequence[_Entry], same: Sequence[_Entry]) -> str:
    """What has the same times: pools with their reasons, and automatic upgrades of clusters; if that is long, the clusters."""
    parts: list[str] = []
    whats = list(dict.fromkeys(entry.what for entry in same))
    for what in whats:
        groups = _names(every, [entry for entry in same if entry.what == what])
        parts.append(f"{what} of {', '.join(f'{listed(names, _NAMED)}{label}' for names, label in groups)}")
    long = joined(parts)
    if len(long) <= _LONGEST_NAMES:
        return long
    clusters, times = list(dict.fromkeys(entry.cluster for entry in same)), same[0].times
    is_part = any(entry.what == _UPGRADES and entry.cluster in clusters and entry.times != times for entry in every)
    return f"{'some ' if is_part else ''}{joined(whats)} of {listed(clusters, _NAMED)}"


def _names(every: Iterable[_Entry], some: Iterable[_Entry]) -> Iterator[tuple[list[str], str]]:
    """The pools and clusters of `some`, with their reasons unless these are all that they have."""
    labels = grouped((entry.subject, entry.label) for entry in some)
    counts = Counter(entry.subject for entry in every)
    groups = grouped(("" if len(found) == counts[subject] else f" ({', '.join(found)})", subject) for subject, found in labels.items())
    yield from ((subjects, label) for label, subjects in groups.items())


def _sections(entries: Sequence[_Entry], broken: Sequence[tuple[str, str]], when: When) -> Iterator[Section]:
    """A row for all entries with the same state, reasons and changes; behind `--details`, equal hours once."""
    groups: dict[tuple[object, ...], dict[str, list[_Entry]]] = {}
    hours: dict[tuple[tuple[str, str], ...], list[_Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.order):
        groups.setdefault((entry.times, entry.nodes), {}).setdefault(entry.label, []).append(entry)
        hours.setdefault(entry.grid(when.days), []).append(entry)
    told = [name for name, text in broken if text == broken[0][1]][:_NAMED]
    closed = [Row(("closed", f"{name}: {text}"), Tone.BAD) for name, text in broken if name not in told]
    rows = [row for by_label in groups.values() for row in _rows(by_label, when)]
    yield Section("", (*closed, *(replace(row, is_detail=number >= _ROWS) for number, row in enumerate(rows))))
    for cells, group in hours.items():
        names = ", ".join(f"{', '.join(subjects)}{label}" for subjects, label in _names(entries, group))
        yield Section(names, tuple(map(Row, cells)), ("", f"0     6     12    18      {when.days.start.tzinfo}"), is_detail=True)
    yield lines_of("", *(_LEGEND if entries else ()), is_detail=True)


def _always_open(entries: Sequence[_Entry]) -> Iterator[str]:
    """What can happen at any time, and how that is limited."""
    for what, how in _LIMITS.items():
        same = [entry for entry in entries if entry.what == what]
        limited = {entry.subject for entry in same if not entry.is_always_open}
        names = [name for name in dict.fromkeys(entry.subject for entry in same) if name not in limited]
        yield from [f"{listed(names, _NAMED)}: {how}"] if names else []


def _not_held(entries: Iterable[_Entry]) -> Iterator[str]:
    """What a closed window does not hold back."""
    closed = [entry for entry in entries if entry.is_closed]
    if any(entry.what != _DISRUPTION for entry in closed):
        yield "upgrades that you start (`pulumi up`, `az aks upgrade`) run at once, whatever the window: AKS applies it to automatic upgrades only"
    held = {entry.change is None for entry in closed if entry.what == _DISRUPTION and (not entry.label or _DRIFTED in entry.label)}
    if False in held:
        yield "a change of a NodePool replaces its nodes once the window opens: `pulumi up` can run now, and nothing is left to do"
    if True in held:
        yield "a change of a NodePool whose window does not open replaces none of its nodes: change its `budgets` first"


def _shortened(clusters: Mapping[str, AnyCluster]) -> Iterator[str]:
    """Why clusters are open for less time than their window is declared for."""
    found: dict[str, list[str]] = {}
    for name, cluster in clusters.items():
        window = cluster.maintenance
        if window is not None and window.minutes < window.hours * 60:
            length = _length(timedelta(minutes=window.minutes))
            text = f"`{window}` is open for {length}: clouds keep its hours in UTC, and only these are inside it in summer and in winter time"
            found.setdefault(text, []).append(name)
    yield from (f"{listed(names, _NAMED)}: {text}" for text, names in found.items())


def _rows(by_label: Mapping[str, Sequence[_Entry]], when: When) -> Iterator[Row]:
    """One row for the labels of the same subjects."""
    labels = grouped((tuple(entry.subject for entry in group), label) for label, group in by_label.items())
    for subjects, found in labels.items():
        first = by_label[found[0]][0]
        lines = tuple(f"{entry.subject}: {line}" for label in found for entry in by_label[label] for line in entry.lines)
        every = (", ".join(subjects),) if len(subjects) > _NAMED else ()
        label = ", ".join(label for label in found if label)
        names = f"{listed(subjects, _NAMED)}{f' ({label})' if label else ''}"
        nodes = f"; nodes at a time: {first.nodes}" if first.nodes and not first.is_closed else ""
        state = "unknown" if first.is_closed is None else "closed" if first.is_closed else "open"
        yield Row((state, f"{names}: {first.until(when)}{nodes}"), Tone.CAUTION if first.is_closed is not False else Tone.GOOD, lines, every)


def _useless(disruption: Disruption) -> Iterator[str]:
    """The budgets that never decide."""
    from nodepools.rules.karpenter.disruption_budgets import useless_budgets  # rules are needed only here

    for index, lower in useless_budgets(disruption):
        nodes, least = disruption.applied_budgets[index].nodes, disruption.applied_budgets[lower].nodes
        yield f"the budget of {nodes} has no effect: one of {least} is active at all its times, and the lowest wins"


def _fields(pools: Iterable[_Pool], maintenance: Iterable[Maintenance]) -> dict[str, object]:
    of_clusters = [_maintenance_json(configuration, window) for configuration in maintenance for window in configuration.windows or ()]
    return {"pools": [pool.to_json() for pool in pools], "maintenance": of_clusters}


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


def _maintenance_json(maintenance: Maintenance, window: Window) -> dict[str, object]:
    described = {"cluster": maintenance.cluster, "configuration": maintenance.configuration}
    return {**described, "start": window.start.isoformat(), "end": window.end.isoformat(), "state": window.state.value}


_NODE_POOL: Final = "NodePool"
_BUDGETS: Final = "spec.disruption.budgets"
_KIND_FIELDS: Final = Selection.only("apiVersion", "kind")


def pools_in(inputs: InputFiles, run: CommandRun, exports: Exports) -> tuple[list[tuple[str, str, NodePool]], tuple[Finding, ...]]:
    """Returns the valid NodePools with names and files, and the errors in their budgets. Nodes next to them are skipped: there can be thousands."""
    found: list[ManifestObject] = []
    before, stock = (len(run.problems), len(run.notes)), StockFiles()

    def take(document: Document, name: str) -> bool:
        return exports.take(document, name) or stock.take(document, name)

    for file in files(inputs, run):
        try:
            with opened_exports(file, run) as opened:
                found.extend(listed_objects(opened, shown_path(file), _of_pools, take))
        except TextError as error:
            run.problems.append(Problem.of(str(error), shown_path(file)))
    if not found and not exports.azure and (len(run.problems), len(run.notes)) == before:
        run.problems.append(without_objects(inputs))
    note_unread((one.type for one in found), run)
    written = [one for one in found if one.kind == _NODE_POOL]
    findings = check_objects(written).findings
    errors = [finding for finding in findings if finding.severity is Severity.ERROR and finding.path.startswith(_BUDGETS)]
    return list(_read(written, run)), tuple(errors)


def _read(written: Iterable[ManifestObject], run: CommandRun) -> Iterator[tuple[str, str, NodePool]]:
    for one in written:
        try:
            read = read_node_pool(one.raw)
        except (PodError, UnreadableObjectError):
            run.problems.append(Problem(one.file, f"the NodePool `{one.name}` is invalid or not supported: run `nodepools check {one.file}`"))
        else:
            run.notes.extend(Problem(f"NodePool/{read.name}", note) for note in read.notes)
            yield read.name, one.file, read.pool


def _of_pools(kind: str) -> Selection:
    return EVERYTHING if not kind or kind == _NODE_POOL or kind.endswith("List") else _KIND_FIELDS
