"""The answers of `nodepools explain` as text and as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import typer

from nodepools.cli.explain.matrix import COLORS, MARKS, and_others, by_workload, matrix_lines
from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.replica_lines import count_lines
from nodepools.placement.allocatable import spelled
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.bound import PendingReason
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


_COMMON = ("cpu", "memory")
_LEGEND = (
    "✔ fits   ✘ cannot fit   ? unknown offline   → smallest change that makes it fit (make all changes of a line)",
    "Pools are shown as cluster/pool. Each cluster is evaluated separately and has its own first choice.",
)


_NO_CHANGE = "and no change of the pod makes it fit one: a pool is missing"


def lines(explained: Sequence[Explained], *, matrix: bool) -> list[str]:
    """The answers as text with colors; each mark has the same meaning without color."""
    return matrix_lines(explained) if matrix else _text_of(explained)


def _text_of(answers: Sequence[Explained]) -> list[str]:
    lines: list[str] = []
    for group in by_workload(answers):
        lines += [_head(group[0].answer.workload), *_lines(group), ""]
    return [*lines, *_LEGEND]


def _head(workload: Workload) -> str:
    requests = ", ".join(_request(name, amount) for name, amount in _in_order(workload))
    many = f" x {workload.replicas}" if workload.replicas not in (None, 1) else ""
    return f"{workload.name}  {workload.kind}{many}  requests {requests or 'nothing'}"


def _request(resource: str, amount: int) -> str:
    """`4 cpu`, `16Gi memory`, `nvidia.com/gpu 1`."""
    return f"{spelled(resource, amount)} {resource}" if resource in _COMMON else f"{resource} {spelled(resource, amount)}"


def _in_order(workload: Workload) -> list[tuple[str, int]]:
    return sorted(workload.pod.requests, key=lambda item: (_COMMON.index(item[0]) if item[0] in _COMMON else len(_COMMON), item[0]))


def _lines(group: Sequence[Explained]) -> list[str]:
    rows = rows_of(group)
    width = max((len(row.name) for row in rows), default=0)
    return [*(line for row in rows for line in row.lines(width)), *(f"  {line}" for line in _summary(group, rows))]


def _summary(group: Sequence[Explained], rows: Sequence[Row]) -> Iterator[str]:
    """The outcome of a workload, the pods that stay Pending, and notes."""
    answers = [explained.answer for explained in group]
    if answers[0].workload.is_daemon:
        missed = [row.quoted for row in rows if row.evaluated.verdict is Verdict.CANNOT]
        yield f"does not run on {', '.join(missed)}" if missed else "runs on every pool"
    elif all(answer.verdict is Verdict.CANNOT for answer in answers):
        yield from _without_pool(group)
    elif len(group) > 1:
        yield "; ".join(f"in `{answer.cluster}`: {_outcome(answer)}" for answer in answers)
    yield from count_lines(group)
    warnings = dict.fromkeys(warning for answer in answers for warning in answer.warnings)
    yield from (f"warning: {warning.message}. Fix: {warning.fix}" for warning in warnings)
    yield from (f"note: {note}" for note in dict.fromkeys(note for answer in answers for note in answer.notes))


def _without_pool(group: Sequence[Explained]) -> Iterator[str]:
    """What a pod that fits no pool means for the workload: its pods can run already."""
    if any(pending.kind is not PendingReason.NO_POOL for explained in group for pending in explained.count.pending):
        return  # the lines of the count say why
    closest = [evaluated for explained in group if (evaluated := explained.answer.closest) is not None]
    nearest = f"; closest is `{min(closest, key=lambda one: one.distance).pool}`" if closest else f", {_NO_CHANGE}"
    if all(explained.count.scheduled.maximum == 0 for explained in group):
        yield f"stays Pending: fits no pool{nearest}"
    elif all(explained.count.misses_some for explained in group):
        yield f"further pods stay Pending: they fit no pool{nearest}"


def _outcome(answer: Answer) -> str:
    if answer.verdict is Verdict.FITS:
        return f"`{answer.pool}`"
    return "stays Pending" if answer.verdict is Verdict.CANNOT else "unknown offline"


def markdown_lines(answers: Sequence[Explained]) -> list[str]:
    """The answers as a table, with the outcome of each workload below it."""
    lines = ["| pod | pool | | why |", "|---|---|---|---|"]
    notes: list[str] = []
    for group in by_workload(answers):
        rows = rows_of(group)
        workload = group[0].answer.workload
        name = f"{workload.kind}/{workload.name}"
        for row in rows:
            why = "<br>".join(map(escaped, row.why))
            lines.append(f"| {name} | {row.quoted} | {row.mark} | {why} |")
        notes += [f"* {name}: {line.strip()}" for line in _summary(group, rows)]
    return [*lines, *(["", *notes] if notes else [])]
