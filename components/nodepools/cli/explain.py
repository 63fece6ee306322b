"""`nodepools explain`: which pool pods will land on, and why not the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Never

import typer

from nodepools.cli.configuration import is_excluded
from nodepools.cli.exit_codes import EXIT_FINDINGS, usage_error
from nodepools.cli.input_files import files, text
from nodepools.cli.output_formats import ReportFormat
from nodepools.cli.report import print_json
from nodepools.loading import UnreadableError
from nodepools.manifests.live_pools import read_live_pools
from nodepools.manifests.platform_yaml import TextError
from nodepools.manifests.workloads import workloads
from nodepools.placement.allocatable import spelled
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.explain import Answer, explain
from nodepools.placement.verdict import PoolVerdict, Reason, Verdict, best
from nodepools.placement.workload import Workload
from nodepools.placement.workload_reader import KINDS

_MARKS = {Verdict.FITS: "✔", Verdict.CANNOT: "✘", Verdict.UNKNOWN: "?"}
_COLOURS = {Verdict.FITS: "green", Verdict.CANNOT: "red", Verdict.UNKNOWN: "yellow"}
_LEGEND = (
    "✔ fits   ✘ cannot   ? not known offline   → the smallest change that makes it fit: all lines of a pool together",
    "Pools are written cluster/pool, and each cluster is judged by itself: taken first is of its cluster.",
)


def raw_pools(paths: Iterable[Path]) -> tuple[Pools, ...]:
    """The pools in raw objects, as those of one cluster.

    Raises:
        UnreadableError: one cannot be read, or is no valid object of its kind.
    """
    try:
        return (read_live_pools([(text(path), str(path)) for path in paths]),)
    except TextError as error:
        raise UnreadableError(str(error)) from None


def read(paths: Iterable[Path]) -> list[Workload]:
    """The workloads in files, in all YAML and JSON files of folders, and in standard input (`-`).

    Raises:
        UnreadableError: one cannot be read, or a path holds no workload. Not every file of a folder has to.
    """
    return [workload for path in paths for workload in _read(path)]


def explained(pods: Sequence[Workload], pools: Iterable[Pools], *, only: str | None) -> list[Answer]:
    """The answers, of one pool alone where that is asked.

    Raises:
        UnreadableError: there is no such pool, or several are called so.
    """
    pools = list(pools)
    answers = explain(pods, pools)
    if only is None:
        return answers
    known = [address for one in pools for address in (*(nodes.address for nodes in one.static), *(place.address for place in one.provisioned))]
    found = [address for address in known if address == only] or [address for address in known if address.endswith(f"/{only}")]
    if len(found) != 1:
        listed = ", ".join(found or known)
        raise UnreadableError(f"{len(found)} pools are called {only!r}: write one of {listed}" if found else f"no pool {only!r}: there are {listed}")
    kept = [(answer, tuple(judged for judged in answer.pools if judged.pool == found[0])) for answer in answers]
    return [Answer(answer.workload, answer.cluster, judged, answer.ranks, answer.remarks) for answer, judged in kept if judged]


def show(answers: Sequence[Answer], how: ReportFormat, *, matrix: bool) -> None:
    """Prints the answers; a table of pods and pools is text."""
    if matrix and how is not ReportFormat.TEXT:
        usage_error(f"--matrix is text: leave out --format {how}")
    if how is ReportFormat.JSON:
        print_json({"pods": [answer.to_json() for answer in answers]})
    elif how is ReportFormat.MARKDOWN:
        typer.echo("\n".join(_markdown(answers)))
    else:
        typer.echo("\n".join(lines(answers, matrix=matrix)))


def lines(answers: Sequence[Answer], *, matrix: bool) -> list[str]:
    """The answers as people read them, with colours; each mark says the same without."""
    return _matrix(answers) if matrix else _text_of(answers)


def finish(answers: Iterable[Answer], *, strict: bool) -> Never:
    """Ends the command: `strict`, with 1 where a pod can land nowhere; of several stacks, in one of them."""
    nowhere = any(verdict is Verdict.CANNOT for verdict in _overall(answers).values())
    raise typer.Exit(EXIT_FINDINGS if strict and nowhere else 0)


def _overall(answers: Iterable[Answer]) -> dict[tuple[str, int], Verdict]:
    """What is said of each workload in each stack, all clusters of it together: one that takes it is enough."""
    found: dict[tuple[str, int], Verdict] = {}
    for answer in answers:
        stack = (answer.cluster if answer.cluster is not None else "").rpartition("/")[0]
        key = (stack, id(answer.workload))
        found[key] = best([found.get(key, Verdict.CANNOT), answer.verdict])
    return found


def _read(path: Path) -> list[Workload]:
    try:
        found = [workload for file in files(path) for workload in workloads(text(file), str(file))]
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if not found and not is_excluded(path):
        raise UnreadableError(f"{path}: holds no pod, and nothing that makes pods ({', '.join(KINDS)})")
    return found


def _by_workload(answers: Sequence[Answer]) -> list[list[Answer]]:
    return [list(group) for _, group in groupby(answers, key=lambda answer: id(answer.workload))]


def _text_of(answers: Sequence[Answer]) -> list[str]:
    lines: list[str] = []
    for group in _by_workload(answers):
        lines += [_head(group[0].workload), *_lines(group), ""]
    return [*lines, *_LEGEND]


def _head(workload: Workload) -> str:
    asked = ", ".join(_asked(name, amount) for name, amount in _in_order(workload))
    many = f" x {workload.replicas}" if workload.replicas not in (None, 1) else ""
    return f"{workload.name}  {workload.kind}{many}  wants {asked or 'nothing'}"


def _asked(resource: str, amount: int) -> str:
    """`4 cpu`, `16Gi`, `nvidia.com/gpu 1`."""
    if resource == "memory":
        return spelled(resource, amount)
    return f"{spelled(resource, amount)} {resource}" if resource == "cpu" else f"{resource} {spelled(resource, amount)}"


def _in_order(workload: Workload) -> list[tuple[str, int]]:
    first = ("cpu", "memory")
    return sorted(workload.pod.requests, key=lambda one: (first.index(one[0]) if one[0] in first else len(first), one[0]))


def _lines(group: Sequence[Answer]) -> list[str]:
    told = _told(group)
    width = max((len(judged.pool) for judged, _ in told), default=0)
    lines = [line for judged, answer in told for line in _line(judged, answer, width)]
    return [*lines, *(f"  {said}" for said in _said_of_all(group, told))]


def _said_of_all(group: Sequence[Answer], told: Sequence[tuple[PoolVerdict, Answer]]) -> Iterator[str]:
    """What is said of a workload beside its pools."""
    if group[0].workload.is_daemon:
        missed = [judged.pool for judged, _ in told if judged.verdict is Verdict.CANNOT]
        yield f"does not reach: {', '.join(missed)}" if missed else "reaches every pool"
    elif told and all(judged.verdict is Verdict.CANNOT for judged, _ in told):
        yield f"stays Pending: no pool can host it; nearest is {told[0][0].pool}"
    elif len(group) > 1:
        yield "; ".join(f"in {answer.cluster}: {_outcome(answer)}" for answer in group)
    yield from (f"note: {remark}" for remark in dict.fromkeys(remark for answer in group for remark in answer.remarks))


def _outcome(answer: Answer) -> str:
    if answer.verdict is Verdict.FITS:
        return answer.pool if answer.pool is not None else "fits"
    return "stays Pending" if answer.verdict is Verdict.CANNOT else "not known"


def _told(group: Sequence[Answer]) -> list[tuple[PoolVerdict, Answer]]:
    """What fits first, cluster by cluster, then what cannot, then what is not known: of all clusters together the nearest miss first."""
    told = [(judged, answer) for answer in group for judged in answer.pools]
    fits = [one for one in told if one[0].verdict is Verdict.FITS]
    misses = [sorted((one for one in told if one[0].verdict is kind), key=lambda one: one[0].distance) for kind in (Verdict.CANNOT, Verdict.UNKNOWN)]
    return [*fits, *misses[0], *misses[1]]


def _line(judged: PoolVerdict, answer: Answer, width: int) -> list[str]:
    mark = typer.style(_MARKS[judged.verdict], fg=_COLOURS[judged.verdict])
    first, *more = _said(judged, answer)
    return [f"  {mark} {judged.pool:<{width}}  {first}", *(f"    {'':<{width}}  {line}" for line in more)]


def _said(judged: PoolVerdict, answer: Answer) -> list[str]:
    if judged.verdict is Verdict.FITS:
        why = "a pod on each node" if answer.workload.is_daemon else answer.ranks[judged.pool].why
        return [why, *(reason.message for reason in judged.reasons)]
    helps = all(reason.change for reason in judged.reasons if reason.says is judged.verdict)
    return [_reason(reason, judged.verdict, helps=helps) for reason in judged.reasons]


def _reason(reason: Reason, verdict: Verdict, *, helps: bool) -> str:
    """A change is told where all changes together make the pool fit, and what is only perhaps so beside what is certain is marked."""
    perhaps = f"{_MARKS[Verdict.UNKNOWN]} " if reason.says is Verdict.UNKNOWN and verdict is Verdict.CANNOT else ""
    return f"{perhaps}{reason.message}{f'  → {reason.change}' if reason.change and helps else ''}"


def _matrix(answers: Sequence[Answer]) -> list[str]:
    """Pods down, pools across; `1` is the pool that is taken first."""
    columns = list(dict.fromkeys(judged.pool for answer in answers for judged in sorted(answer.pools, key=lambda one: one.pool)))
    rows = [(group[0].workload.name, _cells(group)) for group in _by_workload(answers)]
    width = max([len(name) for name, _ in rows], default=0)
    legend = [f"{'':<{width}}  {'  '.join(columns)}"]
    body = ["  ".join([f"{name:<{width}}", *(_cell(cells.get(column), len(column)) for column in columns)]).rstrip() for name, cells in rows]
    return [*legend, *body, "", "1 taken first, of its cluster   ✔ fits   ✘ cannot   ? not known offline"]


def _cell(verdict: tuple[Verdict, bool] | None, width: int) -> str:
    if verdict is None:
        return " " * width
    fits, first = verdict
    return typer.style(f"{'1' if first else _MARKS[fits]:^{width}}", fg=_COLOURS[fits])


def _cells(group: Sequence[Answer]) -> Mapping[str, tuple[Verdict, bool]]:
    """What is said of each pool, and whether it is the one that is taken first."""
    return {
        judged.pool: (judged.verdict, judged.pool == answer.pool and not answer.workload.is_daemon) for answer in group for judged in answer.pools
    }


def _markdown(answers: Sequence[Answer]) -> list[str]:
    lines = ["| pod | pool | | why |", "|---|---|---|---|"]
    notes: list[str] = []
    for group in _by_workload(answers):
        told = _told(group)
        named = f"{group[0].workload.kind}/{group[0].workload.name}"
        for judged, answer in told:
            why = "<br>".join(_said(judged, answer)).replace("|", "\\|")
            lines.append(f"| {named} | `{judged.pool}` | {_MARKS[judged.verdict]} {judged.verdict} | {why} |")
        notes += [f"* {named}: {said}" for said in _said_of_all(group, told)]
    return [*lines, *(["", *notes] if notes else [])]
