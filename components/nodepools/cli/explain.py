"""`nodepools explain`: which pool a pod is scheduled on, and why not on others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.input_files import source
from nodepools.cli.output_formats import ReportFormat
from nodepools.loading import UnreadableError
from nodepools.manifests.live_pools import read_live_pools
from nodepools.manifests.workloads import WorkloadFile
from nodepools.placement.allocatable import spelled
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.explain import Answer, explain
from nodepools.placement.verdict import PoolVerdict, Reason, Verdict, best
from nodepools.placement.workload import Workload
from nodepools.placement.workload_objects import read_workload_objects
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.yaml_documents import Readable

_MARKS = {Verdict.FITS: "✔", Verdict.CANNOT: "✘", Verdict.UNKNOWN: "?"}
_COLORS = {Verdict.FITS: "green", Verdict.CANNOT: "red", Verdict.UNKNOWN: "yellow"}
_COMMON = ("cpu", "memory")
_LEGEND = (
    "✔ fits   ✘ cannot fit   ? unknown offline   → smallest change that makes it fit (make all changes of a line)",
    "Pools are shown as cluster/pool. Each cluster is evaluated separately and has its own first choice.",
)


def raw_pools(paths: Iterable[Path]) -> tuple[Pools, ...]:
    """The pools in raw objects, as the pools of one cluster.

    Raises:
        UnreadableError: a file cannot be read, or an object is invalid.
    """
    try:
        return (read_live_pools(_open_each(paths)),)
    except TextError as error:
        raise UnreadableError(str(error)) from None


def _open_each(paths: Iterable[Path]) -> Iterator[tuple[Readable, str]]:
    """Yields each file with its name. It is open until the caller takes the next one."""
    for path in paths:
        with source(path, LISTED_MIB) as found:
            yield found, str(path)


def explained(read: WorkloadFile, pools: Iterable[Pools], *, only: str | None) -> list[Answer]:
    """The answers, for one pool only if `only` names it.

    Raises:
        UnreadableError: no pool, or more than one, has this name.
    """
    pools = list(pools)
    answers = explain(read.workloads, pools, read_workload_objects(read.objects))
    if only is None:
        return answers
    known = [pool.address for cluster in pools for pool in (*cluster.static, *cluster.provisioned)]
    found = [address for address in known if address == only] or [address for address in known if address.endswith(f"/{only}")]
    if len(found) != 1:
        listed = ", ".join(f"`{address}`" for address in (found or known))
        raise UnreadableError(f"pool `{only}` is ambiguous: use one of {listed}" if found else f"pool `{only}` not found (available: {listed})")
    kept = [replace(answer, pools=tuple(evaluated for evaluated in answer.pools if evaluated.pool == found[0])) for answer in answers]
    return [answer for answer in kept if answer.pools]


def result(answers: Sequence[Answer], how: ReportFormat, *, matrix: bool, strict: bool) -> Result:
    """The answers. With `strict`, it fails if a pod fits no pool in one of the stacks."""

    def show() -> None:
        if not answers:
            return  # there are no pods: the problems say why
        typer.echo("\n".join(_markdown(answers) if how is ReportFormat.MARKDOWN else lines(answers, matrix=matrix)))

    unplaced = any(verdict is Verdict.CANNOT for verdict in _overall(answers).values())
    return Result(lambda: {"pods": [answer.to_json() for answer in answers]}, show, fails=strict and unplaced)


def lines(answers: Sequence[Answer], *, matrix: bool) -> list[str]:
    """The answers as text with colors; each mark has the same meaning without color."""
    return _matrix(answers) if matrix else _text_of(answers)


def _overall(answers: Iterable[Answer]) -> dict[tuple[str, int], Verdict]:
    """The verdict on each workload in each stack: one cluster with a pool that fits is enough."""
    found: dict[tuple[str, int], Verdict] = {}
    for answer in answers:
        stack = (answer.cluster if answer.cluster is not None else "").rpartition("/")[0]
        key = (stack, id(answer.workload))
        found[key] = best([found.get(key, Verdict.CANNOT), answer.verdict])
    return found


def _by_workload(answers: Sequence[Answer]) -> list[list[Answer]]:
    return [list(group) for _, group in groupby(answers, key=lambda answer: id(answer.workload))]


def _text_of(answers: Sequence[Answer]) -> list[str]:
    lines: list[str] = []
    for group in _by_workload(answers):
        lines += [_head(group[0].workload), *_lines(group), ""]
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


def _lines(group: Sequence[Answer]) -> list[str]:
    shown = _in_shown_order(group)
    width = max((len(evaluated.pool) for evaluated, _ in shown), default=0)
    lines = [line for evaluated, answer in shown for line in _line(evaluated, answer, width)]
    return [*lines, *(f"  {line}" for line in _summary(group, shown))]


def _summary(group: Sequence[Answer], shown: Sequence[tuple[PoolVerdict, Answer]]) -> Iterator[str]:
    """The outcome of a workload, and notes."""
    if group[0].workload.is_daemon:
        missed = [f"`{evaluated.pool}`" for evaluated, _ in shown if evaluated.verdict is Verdict.CANNOT]
        yield f"does not run on {', '.join(missed)}" if missed else "runs on every pool"
    elif shown and all(evaluated.verdict is Verdict.CANNOT for evaluated, _ in shown):
        yield f"stays Pending: fits no pool; closest is `{shown[0][0].pool}`"
    elif len(group) > 1:
        yield "; ".join(f"in `{answer.cluster}`: {_outcome(answer)}" for answer in group)
    warnings = dict.fromkeys(warning for answer in group for warning in answer.warnings)
    yield from (f"warning: {warning.message}. Fix: {warning.fix}" for warning in warnings)
    yield from (f"note: {note}" for note in dict.fromkeys(note for answer in group for note in answer.remarks))


def _outcome(answer: Answer) -> str:
    if answer.verdict is Verdict.FITS:
        return f"`{answer.pool}`"
    return "stays Pending" if answer.verdict is Verdict.CANNOT else "unknown offline"


def _in_shown_order(group: Sequence[Answer]) -> list[tuple[PoolVerdict, Answer]]:
    """Pools that fit, cluster by cluster; then those that cannot fit and the unknown ones, of all clusters together the closest first."""
    every = [(evaluated, answer) for answer in group for evaluated in answer.pools]
    fits = [pair for pair in every if pair[0].verdict is Verdict.FITS]
    misses = [
        sorted((pair for pair in every if pair[0].verdict is kind), key=lambda item: item[0].distance) for kind in (Verdict.CANNOT, Verdict.UNKNOWN)
    ]
    return [*fits, *misses[0], *misses[1]]


def _line(evaluated: PoolVerdict, answer: Answer, width: int) -> list[str]:
    mark = typer.style(_MARKS[evaluated.verdict], fg=_COLORS[evaluated.verdict])
    first, *more = _why(evaluated, answer)
    return [f"  {mark} {evaluated.pool:<{width}}  {first}", *(f"    {'':<{width}}  {line}" for line in more)]


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
    return f"{_MARKS[Verdict.UNKNOWN]} {reason.message}" if reason.verdict is Verdict.UNKNOWN and verdict is Verdict.CANNOT else reason.message


def _matrix(answers: Sequence[Answer]) -> list[str]:
    """A table with a row per pod and a column per pool; `1` is the first choice."""
    columns = list(dict.fromkeys(evaluated.pool for answer in answers for evaluated in sorted(answer.pools, key=lambda item: item.pool)))
    rows = [(group[0].workload.name, _cells(group)) for group in _by_workload(answers)]
    width = max([len(name) for name, _ in rows], default=0)
    head = f"{'':<{width}}  {'  '.join(columns)}"
    body = ["  ".join([f"{name:<{width}}", *(_cell(cells.get(column), len(column)) for column in columns)]).rstrip() for name, cells in rows]
    return [head, *body, "", "1 first choice of its cluster   ✔ fits   ✘ cannot fit   ? unknown offline"]


def _cell(verdict: tuple[Verdict, bool] | None, width: int) -> str:
    if verdict is None:
        return " " * width
    fits, first = verdict
    return typer.style(f"{'1' if first else _MARKS[fits]:^{width}}", fg=_COLORS[fits])


def _cells(group: Sequence[Answer]) -> Mapping[str, tuple[Verdict, bool]]:
    """The verdict on each pool, and whether the pool is the first choice."""
    return {
        evaluated.pool: (evaluated.verdict, evaluated.pool == answer.pool and not answer.workload.is_daemon)
        for answer in group
        for evaluated in answer.pools
    }


def _markdown(answers: Sequence[Answer]) -> list[str]:
    lines = ["| pod | pool | | why |", "|---|---|---|---|"]
    notes: list[str] = []
    for group in _by_workload(answers):
        shown = _in_shown_order(group)
        name = f"{group[0].workload.kind}/{group[0].workload.name}"
        for evaluated, answer in shown:
            why = "<br>".join(_why(evaluated, answer)).replace("|", "\\|")
            lines.append(f"| {name} | `{evaluated.pool}` | {_MARKS[evaluated.verdict]} {evaluated.verdict} | {why} |")
        notes += [f"* {name}: {line}" for line in _summary(group, shown)]
    return [*lines, *(["", *notes] if notes else [])]
