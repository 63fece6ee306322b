"""`nodepools capacity`: what clusters need a number of, next to what is available."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.output.finding_lines import has_errors
from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.output_formats import ReportFormat
from nodepools.model.listing import listed
from nodepools.model.platform import Platform
from nodepools.needs.item import Item
from nodepools.needs.platform_capacity import ClusterCapacity
from nodepools.rules.engine.finding import Finding

ANSWERED: Final = frozenset({"AKS051", "AKS052", "AKS206", "AKS207", "AKS223", "AKS225", "AKS226", "AKS227"})
"""Rules about what this command counts: their errors are part of its answer."""
_ROWS: Final = 30
"""Rows that fit on one screen, next to messages. Rows that do not fit their limits are always listed."""
_NAMED: Final = 3
"""Clusters that a row names."""
_HEADS: Final = ("answer", "clusters", "what", "name", "checked by", "needed", "available")
_RIGHT: Final = ("needed", "available")
_VERDICTS: Final = ("does_not_fit", "unknown", "fits")
_MARKS: Final = {"does_not_fit": "✘ does not fit", "unknown": "? unknown", "fits": "✔ fits"}
_COLORS: Final = {"does_not_fit": "red", "unknown": "yellow", "fits": "green"}
_SEVERITIES: Final = ("error", "warning", "note", None)
_FIGURES: Final = {"does_not_fit": ("server", "true_use", "planning"), "unknown": ("true_use", "server", "planning")}
"""The figure that is shown if several have the same answer: what the cloud rejects, otherwise what nodes take."""
_LEGEND: Final = (
    "checked by: server = the cloud rejects more   true_use = nodes take it later, nothing checks it before   planning = advice of manuals"
)
_NOTES: Final = 5
"""Messages about answers that are unknown."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One thing that one or several clusters need, with its worst answer."""

    clusters: tuple[str, ...]
    item: Item

    @property
    def cells(self) -> tuple[str, ...]:
        item = self.item
        room = "unknown" if item.room is None else str(item.room)
        name = item.name.rpartition("/")[2]  # an id of Azure is long, and its last part names the subnet
        return (_MARKS[item.verdict], listed(self.clusters, _NAMED), item.what, name, item.checked_by, str(item.needs), room)

    @property
    def subject(self) -> str:
        """What a message is about."""
        return f"{listed(self.clusters, _NAMED)} {self.item.what}"

    @property
    def order(self) -> tuple[int, bool, int, float]:
        """Worst first, then the scarcest; what only the cloud knows comes after other unknown answers."""
        item = self.item
        most = item.needs.maximum if item.needs.maximum is not None else float("inf")
        room = item.room.minimum if item.room is not None else 0
        return _VERDICTS.index(item.verdict), item.room is None, _SEVERITIES.index(item.severity), -(most / room if room else float("inf"))


def by_cluster(found: Sequence[tuple[Platform, Sequence[Finding]]]) -> dict[str, list[Finding]]:
    """Findings by the cluster that they are about, named as in the answer."""
    grouped: dict[str, list[Finding]] = {}
    for platform, findings in found:
        for finding in findings:
            key = str(finding.steps[1])
            grouped.setdefault(f"{platform.name}/{key}" if len(found) > 1 else key, []).append(finding)
    return grouped


def result(clusters: Sequence[ClusterCapacity], findings: Mapping[str, Sequence[Finding]], form: ReportFormat, *, strict: bool) -> Result:
    """The answer for all clusters, each with the findings of rules about what is counted. With `strict`, warnings fail too."""
    severities = {item.severity for cluster in clusters for item in cluster.items}
    every = [finding for of_cluster in findings.values() for finding in of_cluster]
    fails = "error" in severities or (strict and "warning" in severities) or has_errors(every, strict=strict)

    def show() -> None:
        rows = _rows(clusters)
        lines = _markdown(rows) if form is ReportFormat.MARKDOWN else _text(rows)
        typer.echo("\n".join([*lines, *_codes(findings)]))

    return Result(lambda: {"clusters": [_json(cluster, findings) for cluster in clusters]}, show, fails=fails)


def _json(cluster: ClusterCapacity, findings: Mapping[str, Sequence[Finding]]) -> dict[str, object]:
    return {**cluster.to_json(), "findings": [finding.to_json() for finding in findings.get(cluster.cluster, ())]}


def _rows(clusters: Iterable[ClusterCapacity]) -> list[_Row]:
    """One row for each thing, worst first. Clusters that share a quota have one row."""
    owners: dict[int, list[str]] = {}
    things: dict[tuple[int, str, str], list[Item]] = {}
    for number, cluster in enumerate(clusters):
        for item in cluster.items:
            is_first = id(item) not in owners
            owners.setdefault(id(item), []).append(cluster.cluster)
            if is_first:
                things.setdefault((number, item.what, item.name), []).append(item)
    worst = [min(items, key=_worst) for items in things.values()]
    return sorted((_Row(tuple(owners[id(item)]), item) for item in worst), key=lambda row: row.order)


def _worst(item: Item) -> tuple[int, int]:
    figures = _FIGURES["does_not_fit" if item.verdict == "does_not_fit" else "unknown"]
    return _VERDICTS.index(item.verdict), figures.index(item.checked_by)


def _shown(rows: Sequence[_Row]) -> Sequence[_Row]:
    failing = sum(row.item.verdict == "does_not_fit" for row in rows)
    return rows[: max(_ROWS, failing)]


def _text(rows: Sequence[_Row]) -> Iterator[str]:
    shown = _shown(rows)
    table = [_HEADS, *(row.cells for row in shown)]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(_HEADS))]
    colors = [None, *(_COLORS[row.item.verdict] for row in shown)]
    for cells, color in zip(table, colors, strict=True):
        padded = [f"{cell:>{size}}" if head in _RIGHT else f"{cell:<{size}}" for head, cell, size in zip(_HEADS, cells, widths, strict=True)]
        yield "  ".join([typer.style(padded[0], fg=color), *padded[1:]]).rstrip()
    yield from _left_out(rows)
    yield from ("", *_notes(rows), "", _LEGEND)


def _left_out(rows: Sequence[_Row]) -> Iterator[str]:
    left = rows[len(_shown(rows)) :]
    counts = [f"{number:,} {_MARKS[verdict][2:]}" for verdict in _VERDICTS if (number := sum(row.item.verdict == verdict for row in left))]
    if counts:
        yield f"{len(left):,} more rows ({', '.join(counts)}): `--format json` has them all"


def _notes(rows: Sequence[_Row]) -> Iterator[str]:
    """What does not fit, with its fix; then what is not certain and why; then how to learn what is available."""
    for row in rows:
        if row.item.verdict == "does_not_fit":
            yield f"{row.subject}: {row.item.message}"
            if row.item.fix is not None:
                yield f"  fix: {row.item.fix}"
    unsure = [f"{row.subject}: {row.item.message}" for row in rows if row.item.verdict == "unknown" and _explains(row.item)]
    yield from unsure[:_NOTES]
    if len(unsure) > _NOTES:
        yield f"{len(unsure) - _NOTES:,} more messages: `--format json` has them all"
    unknown = sum(row.item.room is None for row in rows)
    if unknown:
        yield f"{unknown:,} row{'s' * (unknown != 1)}: what is available cannot be determined offline; `--from` reads quotas and subnets"


def _explains(item: Item) -> bool:
    """Its message says more than what `--from` is for: how much there is, or why there is no upper bound."""
    return item.room is not None or (item.what == "node_subnet" and item.needs.maximum is None)


def _codes(findings: Mapping[str, Sequence[Finding]]) -> Iterator[str]:
    codes = [f"{finding.code} ({cluster})" for cluster, found in findings.items() for finding in found]
    if codes:
        yield from ("", f"`nodepools check` reports: {', '.join(dict.fromkeys(codes))}")


def _markdown(rows: Sequence[_Row]) -> Iterator[str]:
    yield from (f"| {' | '.join(_HEADS)} |", "|---|---|---|---|---|---:|---:|")
    yield from (f"| {' | '.join(escaped(cell) for cell in row.cells)} |" for row in _shown(rows))
    yield ""
    yield from (f"  {note}" if note.startswith(" ") else f"* {note}" for note in [*_left_out(rows), *_notes(rows)])
    yield from ("", _LEGEND)
