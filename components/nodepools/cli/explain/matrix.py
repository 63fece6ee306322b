"""`nodepools explain --matrix`: a table of workloads and pools."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

import typer

from nodepools.cli.output.replica_lines import short_count
from nodepools.placement.verdict import Verdict
from nodepools.replicas.explained import Explained

MARKS: Final = {Verdict.FITS: "✔", Verdict.CANNOT: "✘", Verdict.UNKNOWN: "?"}
COLORS: Final = {Verdict.FITS: "green", Verdict.CANNOT: "red", Verdict.UNKNOWN: "yellow"}
_LEGEND: Final = (
    "1 first choice of its cluster   ✔ fits   ✘ cannot fit   ? unknown offline",
    "pods: how many are scheduled on all pools of the cluster together, of how many (5-18/40: at least 5, at most 18)",
)


def by_workload(answers: Sequence[Explained]) -> list[list[Explained]]:
    """The results, grouped by workload."""
    return [list(group) for _, group in groupby(answers, key=lambda explained: explained.answer.workload.identity)]


def matrix_lines(answers: Sequence[Explained]) -> list[str]:
    """A row for each workload; a column for each pool, where `1` is the first choice, and one for the pods in each cluster.

    Running nodes with the same cells share a column.
    """
    groups = by_workload(answers)
    columns = _columns([_cells(group) for group in groups], answers)
    clusters = list(dict.fromkeys(_pods_in(one) for one in answers))
    counts = [{_pods_in(one): short_count(one) for one in group} for group in groups]
    widths = {name: max([len(name), *(len(row.get(name, "")) for row in counts)]) for name in clusters}
    width = max([len(_name(group)) for group in groups], default=0)
    head = [" " * width, *columns, *(f"{name:<{widths[name]}}" for name in clusters)]
    rows = [
        [
            f"{_name(group):<{width}}",
            *(_cell(cells[index], len(name)) for name, cells in columns.items()),
            *(f"{row.get(name, ''):<{widths[name]}}" for name in clusters),
        ]
        for index, (group, row) in enumerate(zip(groups, counts, strict=True))
    ]
    return [*("  ".join(row).rstrip() for row in [head, *rows]), "", *_LEGEND]


def _name(group: Sequence[Explained]) -> str:
    return group[0].answer.workload.name


def _pods_in(explained: Explained) -> str:
    cluster = explained.answer.cluster
    return "pods" if cluster is None else f"pods in {cluster}"


_Cell: TypeAlias = tuple[Verdict, bool] | None
"""The verdict on a pool, and whether the pool is the first choice; `None` if its cluster does not have the workload."""


def _columns(groups: Sequence[Mapping[str, _Cell]], answers: Sequence[Explained]) -> dict[str, list[_Cell]]:
    """The cells of each pool, by the head of the column."""
    nodes = {node for one in answers for node in one.answer.nodes}
    same: dict[tuple[str, tuple[_Cell, ...]], list[str]] = {}
    for pool in dict.fromkeys(name for one in answers for name in sorted(evaluated.pool for evaluated in one.shown)):
        cells = tuple(cells.get(pool) for cells in groups)
        same.setdefault(("" if pool in nodes else pool, cells), []).append(pool)
    return {and_others(first, len(others)): list(cells) for (_, cells), (first, *others) in same.items()}


def and_others(first: str, others: int) -> str:
    """Names a node, and the number of other nodes with the same answer."""
    return f"{first} and {others:,} more" if others else first


def _cell(verdict: _Cell, width: int) -> str:
    if verdict is None:
        return " " * width
    fits, first = verdict
    return typer.style(f"{'1' if first else MARKS[fits]:^{width}}", fg=COLORS[fits])


def _cells(group: Sequence[Explained]) -> Mapping[str, _Cell]:
    """The verdict on each pool, and whether the pool is the first choice."""
    return {
        evaluated.pool: (evaluated.verdict, evaluated.pool == explained.answer.pool and not explained.answer.workload.is_daemon)
        for explained in group
        for evaluated in explained.shown
    }
