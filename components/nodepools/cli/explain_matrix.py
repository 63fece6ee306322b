"""`nodepools explain --matrix`: a table of workloads and pools."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

import typer

from nodepools.cli.replica_lines import short_count
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
    return [list(group) for _, group in groupby(answers, key=lambda explained: id(explained.answer.workload))]


def matrix_lines(answers: Sequence[Explained]) -> list[str]:
    """A row for each workload; a column for each pool, where `1` is the first choice, and one for the pods in each cluster."""
    groups = by_workload(answers)
    pools = list(dict.fromkeys(name for one in answers for name in sorted(evaluated.pool for evaluated in one.answer.pools)))
    clusters = list(dict.fromkeys(_pods_in(one) for one in answers))
    counts = [{_pods_in(one): short_count(one) for one in group} for group in groups]
    widths = {name: max([len(name), *(len(row.get(name, "")) for row in counts)]) for name in clusters}
    width = max([len(_name(group)) for group in groups], default=0)
    head = [" " * width, *pools, *(f"{name:<{widths[name]}}" for name in clusters)]
    rows = [
        [f"{_name(group):<{width}}", *_marks(group, pools), *(f"{row.get(name, ''):<{widths[name]}}" for name in clusters)]
        for group, row in zip(groups, counts, strict=True)
    ]
    return [*("  ".join(row).rstrip() for row in [head, *rows]), "", *_LEGEND]


def _name(group: Sequence[Explained]) -> str:
    return group[0].answer.workload.name


def _pods_in(explained: Explained) -> str:
    cluster = explained.answer.cluster
    return "pods" if cluster is None else f"pods in {cluster}"


def _marks(group: Sequence[Explained], pools: Sequence[str]) -> list[str]:
    cells = _cells(group)
    return [_cell(cells.get(pool), len(pool)) for pool in pools]


def _cell(verdict: tuple[Verdict, bool] | None, width: int) -> str:
    if verdict is None:
        return " " * width
    fits, first = verdict
    return typer.style(f"{'1' if first else MARKS[fits]:^{width}}", fg=COLORS[fits])


def _cells(group: Sequence[Explained]) -> Mapping[str, tuple[Verdict, bool]]:
    """The verdict on each pool, and whether the pool is the first choice."""
    return {
        evaluated.pool: (evaluated.verdict, evaluated.pool == explained.answer.pool and not explained.answer.workload.is_daemon)
        for explained in group
        for evaluated in explained.answer.pools
    }
