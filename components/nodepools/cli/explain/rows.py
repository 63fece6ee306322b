"""The rows of `nodepools explain`: a pool with its reasons. Running nodes with the same answer are one row: a cluster has thousands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import typer

from nodepools.cli.explain.matrix import COLORS, MARKS, and_others
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import PoolVerdict, Reason, Verdict
from nodepools.replicas.explained import Explained

_EACH: Final = "each node"
"""Stands for the name of a node in a text about several."""
_SHOWN: Final = (Verdict.FITS, Verdict.CANNOT, Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Row:
    """A pool with its answer, or several nodes with the same one."""

    evaluated: PoolVerdict
    answer: Answer
    why: tuple[str, ...]
    """The reasons, and the smallest change after which the pod fits."""
    others: int = 0
    """The number of other nodes that this row stands for."""

    @property
    def name(self) -> str:
        """The pool, or the first of the nodes."""
        return and_others(self.evaluated.pool, self.others)

    @property
    def quoted(self) -> str:
        """The name in a sentence."""
        return and_others(f"`{self.evaluated.pool}`", self.others)

    @property
    def mark(self) -> str:
        """The verdict as a sign and a word."""
        return f"{MARKS[self.evaluated.verdict]} {self.evaluated.verdict}"

    def lines(self, width: int) -> list[str]:
        """The row as text; names are `width` characters wide."""
        mark = typer.style(MARKS[self.evaluated.verdict], fg=COLORS[self.evaluated.verdict])
        first, *more = self.why
        return [f"  {mark} {self.name:<{width}}  {first}", *(f"    {'':<{width}}  {line}" for line in more)]


def rows_of(group: Sequence[Explained]) -> list[Row]:
    """Pools that fit, cluster by cluster; then those that cannot fit and the unknown ones, of all clusters together the closest first."""
    every = [(evaluated, explained.answer) for explained in group for evaluated in explained.shown]
    return [row for verdict in _SHOWN for row in _grouped(_with(verdict, every))]


def _with(verdict: Verdict, every: Iterable[tuple[PoolVerdict, Answer]]) -> Iterator[Row]:
    chosen = [pair for pair in every if pair[0].verdict is verdict]
    if verdict is not Verdict.FITS:
        chosen.sort(key=lambda item: item[0].distance)
    return (Row(evaluated, answer, tuple(_why(evaluated, answer))) for evaluated, answer in chosen)


def _grouped(rows: Iterable[Row]) -> Iterator[Row]:
    """One row for nodes of a cluster with the same reasons, in the place of the first; a pool that is not a node stays alone."""
    found: dict[tuple[str | None, str, tuple[str, ...]], list[Row]] = {}
    for row in rows:
        found.setdefault(_key(row), []).append(row)
    for key, (first, *others) in found.items():
        yield Row(first.evaluated, first.answer, key[-1], len(others)) if others else first


def _key(row: Row) -> tuple[str | None, str, tuple[str, ...]]:
    address = row.evaluated.pool
    alone = "" if address in row.answer.nodes else address
    return row.answer.cluster, alone, tuple(line.replace(f"`{address}`", _EACH) for line in row.why)


def _why(evaluated: PoolVerdict, answer: Answer) -> list[str]:
    if evaluated.verdict is Verdict.FITS:
        choice = "one pod on each node" if answer.workload.is_daemon else answer.ranks[evaluated.pool].why
        return [choice, *(reason.message for reason in evaluated.reasons)]
    reasons = [_reason(reason, evaluated.verdict) for reason in evaluated.reasons]
    fix = answer.fix(evaluated)
    if fix is None:
        return reasons
    change = f"→ {fix}{' (whether it then fits is unknown offline)' if fix.verdict is Verdict.UNKNOWN else ''}"
    return [f"{reasons[0]}  {change}"] if len(reasons) == 1 else [*reasons, change]


def _reason(reason: Reason, verdict: Verdict) -> str:
    """An uncertain reason next to a certain one is marked."""
    return f"{MARKS[Verdict.UNKNOWN]} {reason.message}" if reason.verdict is Verdict.UNKNOWN and verdict is Verdict.CANNOT else reason.message
