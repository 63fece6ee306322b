"""The table of workloads and pools of `nodepools explain`."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.cli.explain.outcome import MARKS
from nodepools.cli.output.report import Row, Section
from nodepools.model.listing import grouped, listed
from nodepools.placement.verdict import Verdict
from nodepools.replicas.explained import Explained

_FITS, _CANNOT, _UNKNOWN, _FIRST, _NONE = MARKS[Verdict.FITS], MARKS[Verdict.CANNOT], MARKS[Verdict.UNKNOWN], "first", ""
_LEGEND: Final = {_FITS: "fits", _CANNOT: "cannot fit", _UNKNOWN: "unknown offline"}
_RANGE: Final = re.compile(r"(\d+)-(\d+)/(\d+)")
_WIDTH: Final = 98
"""A table that is wider becomes a list."""
_NAMED: Final = 3
"""Names in a cell or a line."""
_Cells: TypeAlias = tuple[str, ...]
"""One for each workload."""


def matrix(groups: Sequence[Sequence[Explained]], *, is_whole: bool) -> Section:
    """A mark for each workload on each pool, with pools as rows if there are as many. What is all ✘ is only counted, and equal pools are one row."""
    pools, counts = _pools(groups), _counts(groups)
    fits = [number for number in range(len(groups)) if any(cells[number] not in (_CANNOT, _NONE) for cells in pools.values())]
    useful = {name: cells for name, cells in pools.items() if any(cells[number] not in (_CANNOT, _NONE) for number in fits)}
    lines = {name: tuple(cells[number] for number in fits) for name, cells in useful.items()}
    lines = {**(lines if is_whole else _alike(lines)), **{name: tuple(cells[number] for number in fits) for name, cells in counts.items()}}
    names = [_name(groups[number]) for number in fits]
    table = narrow(names, lines, pools_are_rows=len(useful) >= len(fits))
    heads, rows = table if table is not None else (("workload", "fits", "unknown"), [_as_list(_name(groups[each]), useful, each) for each in fits])
    left = [
        *_folded("pool", "no workload", [name for name in pools if name not in useful]),
        *_folded("workload", "no pool", [_name(group) for number, group in enumerate(groups) if number not in fits]),
    ]
    legend = [Row((_legend({cell for _, *cells in rows for cell in cells}),))] if table is not None else []
    shown = [*map(Row, rows), *left, *legend] if fits else left
    return Section("Workloads and pools", tuple(shown), heads if fits else ())


def _alike(lines: Mapping[str, _Cells]) -> dict[str, _Cells]:
    """One row for pools that differ in no cell."""
    same = grouped((cells, name) for name, cells in lines.items())
    return {listed(names, 2): cells for cells, names in same.items()}


def _legend(cells: Collection[str]) -> str:
    """What the marks and the counts of this table mean."""
    ranges = sorted(filter(None, map(_RANGE.fullmatch, cells)), key=lambda one: one[0])
    marks = [f"{mark} {meaning}" for mark, meaning in _LEGEND.items() if mark in cells]
    return "   ".join([*marks, *(f"{one[0]} {one[1]} to {one[2]} of {one[3]} pods" for one in ranges[:1])])


def and_others(first: str, others: int) -> str:
    """Names a node, and the number of other nodes with the same answer."""
    return f"{first} and {others:,} more" if others else first


def narrow(names: Sequence[str], lines: Mapping[str, _Cells], *, pools_are_rows: bool) -> tuple[_Cells, list[_Cells]] | None:
    """The heads and rows of a table that is not too wide, pools (or losses) as rows or as columns; `None` if both are."""
    of_pools = ("", *names), [(name, *cells) for name, cells in lines.items()]
    of_workloads = ("", *lines), list(zip(names, *lines.values(), strict=True))
    for heads, rows in (of_pools, of_workloads) if pools_are_rows else (of_workloads, of_pools):
        if sum(max(len(row[column]) for row in (heads, *rows)) + 2 for column in range(len(heads))) <= _WIDTH:
            return heads, rows
    return None


def _as_list(name: str, pools: Mapping[str, _Cells], number: int) -> _Cells:
    by_mark = {mark: [pool for pool, cells in pools.items() if cells[number] == mark] for mark in (_FIRST, _FITS, _UNKNOWN)}
    return name, listed([*by_mark[_FIRST], *by_mark[_FITS]], _NAMED), listed(by_mark[_UNKNOWN], _NAMED)


def _folded(what: str, nothing: str, names: Sequence[str]) -> Iterator[Row]:
    if names:
        yield Row((f"✘ {len(names):,} {what}{'s fit' if len(names) > 1 else ' fits'} {nothing}: {listed(names, _NAMED)}",))


def _name(group: Sequence[Explained]) -> str:
    return group[0].answer.workload.shown


def _pools(groups: Sequence[Sequence[Explained]]) -> dict[str, _Cells]:
    """The cells of each pool by its name. Running nodes with the same cells have one name."""
    marks = [{pool: mark for one in group for pool, mark in _marks(one)} for group in groups]
    nodes = {node for group in groups for one in group for node in one.answer.nodes}
    pools = dict.fromkeys(name for group in groups for one in group for name in sorted(each.pool for each in one.shown))
    same = grouped((("" if pool in nodes else pool, tuple(row.get(pool, _NONE) for row in marks)), pool) for pool in pools)
    return {and_others(first, len(others)): cells for (_, cells), (first, *others) in same.items()}


def _marks(explained: Explained) -> Iterator[tuple[str, str]]:
    answer = explained.answer
    first = None if answer.workload.is_daemon else answer.pool
    yield from ((each.pool, _FIRST if each.pool == first else MARKS[each.verdict]) for each in explained.shown)


def _counts(groups: Sequence[Sequence[Explained]]) -> dict[str, _Cells]:
    """How many pods of each workload are scheduled in each cluster, if some workload has several."""
    if all(one.count.wanted == 1 for group in groups for one in group):
        return {}
    counts = [{_pods_in(one): _count(one) for one in group} for group in groups]
    return {cluster: tuple(row.get(cluster, _NONE) for row in counts) for cluster in dict.fromkeys(name for row in counts for name in row)}


def _pods_in(explained: Explained) -> str:
    cluster = explained.answer.cluster
    return "pods" if cluster is None else f"pods in {cluster}"


def _count(explained: Explained) -> str:
    """`5-18/40`; empty for a DaemonSet, which runs on every node that it fits."""
    if explained.answer.workload.is_daemon:
        return _NONE
    count = explained.count
    least, most = count.scheduled.minimum, count.scheduled.maximum
    return f"{least}/{count.wanted}" if least == most else f"{least}-{most}/{count.wanted}"
