"""The answers of `nodepools explain` as text and as Markdown."""

from collections.abc import Iterator, Sequence

from nodepools.cli.explain.matrix import by_workload, matrix_lines
from nodepools.cli.explain.rows import Row, rows_of
from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.replica_lines import count_lines
from nodepools.placement.allocatable import spelled
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.bound import Reason
from nodepools.replicas.explained import Explained

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
    if any(pending.kind is not Reason.NO_POOL for explained in group for pending in explained.count.pending):
        return  # the lines of the count say why
    closest = [evaluated for explained in group if (evaluated := explained.answer.closest) is not None]
    nearest = f"; closest is `{min(closest, key=lambda one: one.distance).pool}`" if closest else f", {_NO_CHANGE}"
    if all(explained.count.scheduled.at_most == 0 for explained in group):
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
