"""`nodepools upgrade`: the way of clusters to another Kubernetes version, what blocks it, and when support ends."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import UNKNOWN, WARNING, Demands, verdict
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.input_files import InputFiles as Files
from nodepools.cli.inputs.sources import Source, places_of
from nodepools.cli.inputs.workload_files import read_workload_files, with_exported
from nodepools.cli.output.report import Report, Row, Section, Step, Tone, act_of, command, lines_of
from nodepools.cli.problem import Problem, os_error_text, usage_error
from nodepools.cli.upgrade.plan import plan_result
from nodepools.clouds.fleet import Fleet
from nodepools.clouds.item import NOTHING_EXISTING, ExistingStock
from nodepools.clouds.step import VERSION_FIELD
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, minor
from nodepools.loading import UnreadableError, text_of
from nodepools.manifests.workloads import OF_EXPORTS, WorkloadFile, workloads_in
from nodepools.model.listing import counted, joined, listed
from nodepools.model.path import path_text
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass, replace
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.platform_upgrades import Inputs, upgrades
from nodepools.upgrades.progress import minutes_text
from nodepools.upgrades.support import ClusterSupport, support

if TYPE_CHECKING:
    from nodepools.adoption.cluster_identity import Place
    from nodepools.cli.ledger.recording import Recorded

ANSWERED: Final = frozenset({"AKS142", "EKS001"})
"""Rules about versions without support: to leave such a version is what the command is for."""
_VERSION: Final = re.compile(r"1\.([0-9]{1,3})(\.[0-9]{1,4})?")
MOST_ROUNDS: Final = 10
"""Minor versions in one plan."""
_READ_ALONE: Final = ("Pod", "Deployment")
"""What `--context` reads of a cluster, and many export without the other workloads."""
_NAMED: Final = 4
"""Clusters that a line names."""


@dataclass(frozen=True, slots=True)
class UpgradeOptions:
    """What the options ask for."""

    to: str | None
    ics: Path | None
    about: str
    """What is read, as the first line names it."""
    again: str
    """The command with its options, without `--to`."""
    demands: Demands
    has_exports: bool
    source: Source | None = None
    """What is declared."""
    write: Path | None = None
    """The platform file to edit."""
    read: Sequence[Path] = ()
    """The inputs, which are not written over."""
    record: "Recorded | None" = None
    """Where the prediction is written."""

    def __post_init__(self) -> None:
        """Checks the options.

        Raises:
            InputError: the version is not one, or two options exclude each other.
        """
        if self.to is not None:
            check_version(self.to)
        if self.to is not None and self.ics is not None:
            usage_error("`--ics` writes the support calendar: it cannot be combined with `--to`")
        if self.record is not None and self.to is None:
            usage_error("`--record` writes what an upgrade does: use it with `--to VERSION`")
        if self.write is not None and (self.to is None or str(self.write) == STDIN):
            usage_error("`--write` edits a platform file: use it with `--to VERSION` and `--file PLATFORM.yaml`")


def check_version(to: str) -> None:
    """`--to` is a Kubernetes version.

    Raises:
        InputError: it is not.
    """
    if not _VERSION.fullmatch(to):
        usage_error(f"`--to` must be a Kubernetes version such as `1.36`, not `{to}`")


def check_distance(platforms: Sequence[Platform], to: str) -> None:
    """The version is not too far away to be planned.

    Raises:
        InputError: it is.
    """
    lowest = min((cluster.kubernetes_version for platform in platforms for cluster in platform.clusters.values()), key=minor, default=to)
    if minor(to) - minor(lowest) > MOST_ROUNDS:
        usage_error(too_far(to, lowest))


def read_inputs(workloads: Files, exports: Files, platforms: Sequence[Platform], run: CommandRun, context: str | None = None) -> Inputs:
    """What files say about the clusters, of which `exports` are read from a context. What cannot be read is a problem of `run`."""
    existing, fleets, exported = _existing_fleets(exports, platforms, run)
    if context is not None:
        fleets = {place: replace(fleet, context=quote(context)) for place, fleet in fleets.items()}
    read = read_workload_files(workloads, run)
    running = {place: inputs_of(read, found, run) for place, found in exported.items()}
    return replace(inputs_of(read, WorkloadFile(), run), existing=existing, fleets=fleets, running=running)


def inputs_of(manifests: WorkloadFile, exported: WorkloadFile, run: CommandRun) -> Inputs:
    """What manifests have of a cluster, and its exports."""
    run.problems.extend(map(Problem.of, exported.rejected))
    read, is_whole = with_exported(manifests, exported), any(one.kind not in _READ_ALONE for one in exported.workloads)
    objects = read_workload_objects(read.objects)
    return Inputs(read.workloads, objects, read.removed_apis, read.karpenter, places=read.places, has_manifests=bool(manifests.workloads) or is_whole)


def _existing_fleets(
    exports: Files, platforms: Sequence[Platform], run: CommandRun
) -> tuple[ExistingStock, "Mapping[Place, Fleet]", "Mapping[Place, WorkloadFile]"]:
    """What exists, and what runs in each cluster."""
    if not exports.paths or not platforms:
        return NOTHING_EXISTING, {}, {}
    from nodepools.cli.existing.cloud_exports import read_exports_and_nodes  # only exports need these
    from nodepools.cli.existing.fleet_exports import FleetExports
    from nodepools.cli.existing.undeclared_pools import unknown_needs
    from nodepools.manifests.existing.fleet_objects import KINDS

    found = FleetExports.of(platforms)
    existing, _ = read_exports_and_nodes(exports, platforms, run, found.add, KINDS | OF_EXPORTS)
    found.join_groups(existing.groups)
    run.notes.extend(unknown_needs(platforms, existing))
    return existing, found.found, {place: workloads_in(every, existing=True) for place, every in found.workloads.items()}


def result(platforms: Sequence[Platform], known: Inputs, today: date, wanted: UpgradeOptions, run: CommandRun) -> Result:
    """The plan, or without a version the support calendar.

    Raises:
        InputError: the version is too far away, or the calendar file is an input, or cannot be written.
    """
    to = wanted.to
    if to is None:
        return calendar(support(platforms, today, known.fleets), wanted, run)
    check_distance(platforms, to)
    plans = [(platform, plan) for platform in platforms for plan in upgrades(platform, to, today, known)]
    plans.sort(key=lambda pair: (pair[1].support_ends or date.max, pair[1].cluster))
    named = [(f"{platform.name}/{plan.cluster}" if len(platforms) > 1 else plan.cluster, plan) for platform, plan in plans]
    if wanted.record is not None:
        from nodepools.cli.ledger.recording import record_upgrade  # few upgrades are recorded

        record_upgrade(wanted.record, plans, run)
    if wanted.write is not None:
        _write(wanted.write, [plan for _, plan in plans], run)
    is_idle = wanted.has_exports and not known.fleets and known.existing == NOTHING_EXISTING
    unused, instead = _unused(run, wanted, to) if is_idle else ("", None)
    return plan_result(
        wanted.about,
        to,
        named,
        f"{wanted.again} --to {to}",
        wanted=wanted.demands,
        within=platforms[0].name if len(platforms) == 1 else "",
        unused=unused,
        instead=instead,
        places={**known.places, **(places_of(wanted.source, platforms) if wanted.source is not None else {})},
        is_terraform=run.is_terraform,
    )


def _unused(run: CommandRun, wanted: UpgradeOptions, to: str) -> tuple[str, Step | None]:
    """Why exports say nothing, and the command for them: they are of a cluster of another stack, of none, or have no cluster."""
    from nodepools.cli.existing.cloud_exports import stack_with  # only exports need it

    found = [problem.cluster for problem in run.problems if problem.cluster is not None]
    if not found:
        return "`--existing` says nothing about a declared cluster", None
    stack = stack_with(found, wanted.source) if wanted.source is not None else ""
    options, named = wanted.source.options if wanted.source is not None else "", str(found[0]).rpartition("/")[2]
    line = f"{wanted.again} --to {to}".replace(f" {options}", f" --stack {stack}" if stack else "", 1)
    where = f"is a cluster of stack `{stack}`, not of {wanted.about}" if stack else f"is not a cluster of {wanted.about}"
    return f"`{named}` {where}", command(line, act_of(line), f"plans {named}{'' if stack else ' as it exists, without a declaration'}")


def calendar(clusters: Sequence[ClusterSupport], wanted: UpgradeOptions, run: CommandRun) -> Result:
    """The support calendar of clusters, those whose support ends first at the top."""
    if wanted.ics is not None:
        from nodepools.cli.written_file import write_file  # only needed to write

        write_file(wanted.ics, ics_text(clusters), wanted.read)
        run.notes.append(Problem(str(wanted.ics), "has the dates, for calendar programs"))
    first = clusters[0] if clusters else None
    return Result(
        lambda: {"verdict": first.verdict if first is not None else "unknown", "clusters": [cluster.to_json() for cluster in clusters]},
        decided=wanted.demands.decided(
            [verdict(_FAILING[one.verdict], one.cluster) for one in clusters if one.verdict in _FAILING], lambda one: one.kind == "verdict"
        ),
        report=_support_report(wanted.about, clusters, wanted.again),
    )


def too_far(to: str, lowest: str) -> str:
    """Why there is no plan."""
    tables = {"AKS": AKS_SUPPORT, "EKS": EKS_SUPPORT}
    if all(minor(to) > minor(table.newest.version) for table in tables.values()):
        newest = joined([f"{table.newest.version} of {cloud} ({table.day})" for cloud, table in tables.items()])
        return f"`--to {to}` is newer than the newest known versions: {newest}"
    return f"`--to {to}` is more than {MOST_ROUNDS} minor versions above {lowest}, which is there now: plan the upgrade in parts"


def _write(file: Path, plans: Sequence[ClusterUpgrade], run: CommandRun) -> None:
    """Sets the versions of the next round of each cluster. Later rounds are later changes: run the command again."""
    from nodepools.cli.written_file import rewrite  # only needed to write
    from nodepools.manifests.edits.yaml_edit import NotEditableError, edited

    stopped = [plan for plan in plans if any(blocker.is_error for step in plan.next_steps for blocker in step.blocked_by)]
    edits = [edit for plan in plans if plan not in stopped for step in plan.next_steps for edit in step.edits if edit.path[-1] == VERSION_FIELD]
    try:
        text = text_of(file)
        new = edited(text, edits)
        if new != text:
            rewrite(file, new)
    except NotEditableError as error:
        raise UnreadableError(f"{file}: cannot be edited: {error}") from None
    except OSError as error:
        raise UnreadableError(os_error_text(error)) from None
    run.notes.extend(Problem(str(file), f"{path_text(edit.path)} is now {edit.value}") for edit in edits)
    run.notes.extend(Problem(str(file), f"versions of {plan.cluster} are unchanged, because its next round is blocked") for plan in stopped)


_HEADS: Final = ("verdict", "cluster", "version", "newest", "support ends", "extended ends", "start by", "last window")
_VERDICTS: Final = {"ended": "✘ ended", "soon": "! ends soon", "supported": "✔ supported", "unknown": "? unknown"}
_FAILING: Final = {"ended": WARNING, "soon": WARNING, "unknown": UNKNOWN}
_TONES: Final = {"ended": Tone.BAD, "soon": Tone.CAUTION, "supported": Tone.GOOD, "unknown": Tone.CAUTION}
_NOT_ANNOUNCED: Final = "not known"
_PASSED: Final = "passed"
_LONGEST_LINE: Final = 75
"""Octets of a line in an iCalendar file (RFC 5545)."""


def _support_report(about: str, clusters: Sequence[ClusterSupport], again: str) -> Report:
    """One row for each cluster, worst first, then what happens at the end of support."""
    if not clusters:
        return Report(about, "has no clusters")
    first = clusters[0]
    rows = tuple(Row(_cells(cluster), _TONES[cluster.verdict]) for cluster in clusters)
    step = (command(f"{again} --to {first.following}", act_of(again), "shows the steps, and what blocks them"),) if first.following else ()
    missed, explained, dates = _support_notes(clusters)
    sections = (Section("", rows, _HEADS), lines_of("After the end of support", *missed), lines_of("", *explained))
    return Report(about, _ends(first), step, (*sections, lines_of("Sources", *dates, is_detail=True)))


def _ends(first: ClusterSupport) -> str:
    """`use1 first: standard support of 1.34 ends 2026-12-02, in 4 days; start by 2026-12-01`."""
    if first.newer is not None:
        return f"{first.cluster} first: Kubernetes {first.version} is {first.newer}: when its support ends is unknown"
    if first.named_end is None:
        return f"{first.cluster} first: the end of support of {first.version} is not announced"
    kind, end = first.named_end
    left = (end - first.today).days
    support, days = f"{first.cluster} first: {kind} support of {first.version}", counted(abs(left), "day")
    if left < 0:
        return f"{support} ended {end}, {days} ago"
    return f"{support} ends {end}, {f'in {days}' if left else 'today'}{_start(first)}"


def _start(first: ClusterSupport) -> str:
    """One date: that of the last maintenance window, if there is one."""
    if first.latest_start is None:
        return ""
    if first.is_late:
        return "; start now"
    window = first.latest_window
    return f"; start in the window of {window.date()} or before" if window is not None else f"; start by {first.latest_start}"


def ics_text(clusters: Sequence[ClusterSupport]) -> str:
    """An all-day event for each date that is known."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//nodepools//upgrade//EN"]
    for cluster in clusters:
        for kind, title, day in _events(cluster):
            lines += _event_lines(cluster, kind, title, day)
    return "".join(f"{line}\r\n" for text in [*lines, "END:VCALENDAR"] for line in _folded(text))


def _events(cluster: ClusterSupport) -> Iterator[tuple[str, str, date]]:
    name = f"{cluster.cluster}: Kubernetes {cluster.version}"
    if cluster.latest_start is not None:
        yield "start", f"{name}: last day to start the upgrade", cluster.latest_start
    if cluster.latest_window is not None:
        yield "window", f"{name}: last maintenance window to start the upgrade", cluster.latest_window.date()
    if cluster.standard_end is not None:
        yield "standard", f"{name}: standard support ends", cluster.standard_end
    if cluster.extended_end is not None and cluster.uses_extended:
        yield "extended", f"{name}: extended support ends", cluster.extended_end


def _event_lines(cluster: ClusterSupport, kind: str, title: str, day: date) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{kind}-{cluster.version}-{cluster.cluster.replace('/', '-')}@nodepools"
    yield f"DTSTAMP:{cluster.as_of:%Y%m%d}T000000Z"
    yield f"DTSTART;VALUE=DATE:{day:%Y%m%d}"
    yield f"SUMMARY:{_escaped(title)}"
    yield f"DESCRIPTION:{_escaped(f'{cluster.if_missed}. Source: {cluster.source}, as of {cluster.as_of}')}"
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 octets; a line that begins with a blank continues the one before."""
    part, limit = "", _LONGEST_LINE
    for character in line:
        if len((part + character).encode()) > limit:
            yield part
            part = " "
        part += character
    yield part


def _cells(cluster: ClusterSupport) -> tuple[str, ...]:
    return (
        _VERDICTS[cluster.verdict],
        cluster.cluster,
        cluster.version,
        cluster.newest,
        _day_text(cluster.standard_end),
        _day_text(cluster.extended_end),
        "now" if cluster.is_late else _day_text(cluster.latest_start),
        _PASSED if cluster.is_late and cluster.window is not None else _window(cluster),
    )


def _window(cluster: ClusterSupport) -> str:
    if cluster.window is None and not cluster.has_unknown_window:
        return "none"
    return _day_text(cluster.latest_window.date() if cluster.latest_window is not None else None)


def _day_text(day: date | None) -> str:
    return day.isoformat() if day is not None else _NOT_ANNOUNCED


def _support_notes(clusters: Sequence[ClusterSupport]) -> tuple[list[str], list[str], list[str]]:
    """What happens at the end, what the columns mean, and where the dates are from."""
    by_outcome: dict[str, list[str]] = {}
    for cluster in clusters:
        month = f" ({cluster.usd_per_month:,.0f} USD more in a month)" if cluster.extra_usd_per_hour else ""
        by_outcome.setdefault(f"{cluster.if_missed}{month}", []).append(cluster.cluster)
    missed = [f"{listed(names, _NAMED)}: {outcome}" for outcome, names in by_outcome.items()]
    longest = max((cluster.bounded_minutes or 0 for cluster in clusters), default=0)
    drains = f"drains (up to {minutes_text(longest)})" if longest else "drains"
    explained = [f"start by: the last day on which {drains} still end before support does; image and control plane updates have no limit"]
    if any(cluster.window is not None for cluster in clusters):
        explained.append("last window: the last maintenance window before that, for upgrades that start in one")
    days = sorted({(cluster.source, cluster.as_of) for cluster in clusters})
    return missed, explained, [f"as of {day}: {source}" for source, day in days]
