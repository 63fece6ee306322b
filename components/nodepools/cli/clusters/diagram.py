"""`nodepools diagram`: clusters, pools, node classes and workloads as a picture."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.output.output_formats import PictureFormat
from nodepools.cli.problem import os_error_text, usage_error
from nodepools.cli.written_file import replace_content
from nodepools.clouds.registry import catalog, cluster_rows, pool_rows
from nodepools.clouds.rows import ClusterRow, PoolRow
from nodepools.loading import UnreadableError
from nodepools.model.karpenter import NodePool
from nodepools.model.platform import AnyCluster, DeclaredPool, Platform
from nodepools.model.redaction import scrubbed
from nodepools.model.values import dataclass
from nodepools.placement.explain import Answer
from nodepools.placement.must_fit import named_workloads
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.explained import explain_replicas


@dataclass(frozen=True, slots=True)
class DiagramPool:
    """A pool."""

    address: str
    row: PoolRow
    declared: DeclaredPool | None = None
    """`None` for a built-in NodePool."""
    node_class: str | None = None
    """Key of its node class, if that is declared."""

    @property
    def built_in(self) -> bool:
        """Whether the cloud creates it."""
        return self.declared is None

    @property
    def spot(self) -> bool:
        """Whether it is a spot agent pool. NodePools show spot in their requirements."""
        return getattr(self.declared, "spot", None) is not None

    @property
    def scale(self) -> str:
        """Number of nodes, or limits."""
        return self.row.scale if self.declared is None or isinstance(self.declared, NodePool) else f"{self.row.scale} nodes"


@dataclass(frozen=True, slots=True)
class DiagramCluster:
    """A cluster with its pools and node classes."""

    row: ClusterRow
    pools: tuple[DiagramPool, ...]
    node_classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiagramWorkload:
    """A workload, and per cluster the first pool that it fits, or all pools that are unknown."""

    name: str
    kind: str
    to: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Diagram:
    """The diagram of one platform."""

    name: str
    clusters: tuple[DiagramCluster, ...]
    workloads: tuple[DiagramWorkload, ...]

    def to_json(self) -> dict[str, object]:
        """The diagram in `diagram --format json`."""
        return {
            "name": self.name,
            "clusters": [_cluster_json(box) for box in self.clusters],
            "workloads": [
                {"name": box.name, "kind": box.kind, "to": [{"pool": pool, "verdict": verdict.value} for pool, verdict in box.to.items()]}
                for box in self.workloads
            ],
        }


def diagram(platform: Platform, answers: Iterable[Answer]) -> Diagram:
    """The diagram of `platform` with the workloads of `answers`."""
    rows = {key: list(group) for key, group in groupby(pool_rows(platform), key=lambda row: row.cluster)}
    declared = {str(pool): pool.declared for pool in platform.pools()}
    clusters = (_cluster_of(platform.clusters[row.cluster], row, rows.get(row.cluster, ()), declared) for row in cluster_rows(platform))
    return Diagram(platform.name, tuple(clusters), tuple(_workloads(list(answers))))


def _cluster_of(args: AnyCluster, row: ClusterRow, pools: Sequence[PoolRow], declared: Mapping[str, DeclaredPool]) -> DiagramCluster:
    classes = tuple(args.node_classes)
    return DiagramCluster(row, tuple(_pool_of(pool, declared.get(f"{pool.cluster}/{pool.pool}"), classes) for pool in pools), classes)


def _pool_of(row: PoolRow, declared: DeclaredPool | None, classes: Sequence[str]) -> DiagramPool:
    """The node class `default`, which the cloud creates, is not drawn."""
    named = declared.node_class if isinstance(declared, NodePool) else None
    return DiagramPool(f"{row.cluster}/{row.pool}", row, declared, named if named in classes else None)


def _workloads(answers: Sequence[Answer]) -> Iterator[DiagramWorkload]:
    for _, group in groupby(answers, key=lambda answer: answer.workload.identity):
        of_one = list(group)
        workload = of_one[0].workload
        yield DiagramWorkload(workload.name, workload.kind, {pool: verdict for answer in of_one for pool, verdict in _to(answer)})


def _to(answer: Answer) -> Iterator[tuple[str, Verdict]]:
    """The first choice, otherwise the pools that may fit; a DaemonSet goes to all of both."""
    if answer.pool is not None and not answer.workload.is_daemon:
        yield answer.pool, Verdict.FITS
    else:
        yield from ((pool.pool, pool.verdict) for pool in answer.pools if pool.verdict is not Verdict.CANNOT)


def _cluster_json(box: DiagramCluster) -> dict[str, object]:
    return {
        "cluster": box.row.cluster,
        "cloud": box.row.cloud,
        "place": box.row.region,
        "kubernetes_version": box.row.version,
        "node_classes": list(box.node_classes),
        "pools": [_pool_json(pool) for pool in box.pools],
    }


def _pool_json(box: DiagramPool) -> dict[str, object]:
    row = box.row
    described: dict[str, object] = {"pool": box.address, "kind": row.kind, "nodes": list(row.sizes), "scale": row.scale}
    return {**described, "taints": list(row.taints), "labels": list(row.labels), "node_class": box.node_class}


RENDERER = "mmdc"
_TIMEOUT = 120


def drawn(platform: Platform, workloads: Sequence[Workload]) -> Diagram:
    """The diagram of a platform with `workloads` and the workloads of its `must_fit`."""
    return diagram(platform, [one.answer for one in explain_replicas([*named_workloads(platform), *workloads], catalog(platform))])


def result(diagrams: Sequence[Diagram], form: PictureFormat, output: Path | None) -> Result:
    """The diagrams, or a single one drawn into a file.

    Raises:
        UnreadableError: mermaid-cli is missing or fails, or the file cannot be written.
    """
    if form in (PictureFormat.SVG, PictureFormat.PNG):
        if output is None:
            usage_error(f"`--format {form}` needs an output file: `-o diagram.{form}`")
        if len(diagrams) != 1:
            usage_error(f"`--format {form}` draws one stack: choose one of {', '.join(diagram.name for diagram in diagrams)} with `--stack`")
        _draw(mermaid(diagrams[0]), form, output)
        return Result()
    if output is not None:
        usage_error("`-o` needs `--format svg` or `--format png`")
    return Result(
        lambda: {"platforms": [diagram.to_json() for diagram in diagrams]},
        lambda: typer.echo("\n".join(mermaid(diagram) for diagram in diagrams), nl=False),
    )


def _draw(text: str, form: PictureFormat, output: Path) -> None:
    renderer = shutil.which(RENDERER)
    if renderer is None:
        raise UnreadableError(
            f"`{RENDERER}` not found on PATH: run `npm install -g @mermaid-js/mermaid-cli`, or paste the text output into a tool that renders Mermaid"
        )
    with TemporaryDirectory() as folder:
        source, picture = Path(folder) / "diagram.mmd", Path(folder) / f"diagram.{form}"
        source.write_text(text, encoding="utf-8")
        _run([renderer, "--quiet", "--input", str(source), "--output", str(picture)])
        try:
            replace_content(output, picture.read_bytes())
        except OSError as error:
            raise UnreadableError(os_error_text(error)) from None


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_TIMEOUT)  # noqa: S603  # the renderer on PATH
    except OSError as error:
        raise UnreadableError(f"{command[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise UnreadableError(f"{command[0]}: timed out after {_TIMEOUT} seconds") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise UnreadableError(f"{command[0]}: {next((line for line in lines if line.strip()), f'exit code {done.returncode}')}")


_SPECIAL = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;", "\\": "#92;"}
_MOST_LINES = 6
_CLASSES = ("classDef builtin stroke-dasharray: 4 3", "classDef spot stroke-width: 3px", "classDef pending stroke-dasharray: 1 3,stroke-width: 3px")


def mermaid(diagram: Diagram) -> str:
    """A Mermaid `flowchart`. Text and line styles carry the meaning; the theme chooses the colors."""
    return "\n".join([*_lines(diagram), ""])


def _lines(diagram: Diagram) -> Iterator[str]:
    names = _Names()
    yield from ("---", f"title: {diagram.name}", "---", "flowchart LR")
    for workload in diagram.workloads:
        yield f"  {_workload(names, workload)}"
    for cluster in diagram.clusters:
        yield from (f"  {line}" for line in _cluster(names, cluster))
    for workload in diagram.workloads:
        for pool, verdict in workload.to.items():
            arrow = "-->" if verdict is Verdict.FITS else "-. unknown .->"
            yield f"  {names.of('workload', workload)} {arrow} {names.of('pool', pool)}"
    yield from (f"  {line}" for line in _CLASSES)


def _cluster(names: "_Names", box: DiagramCluster) -> Iterator[str]:
    row = box.row
    title = f"{row.cluster}: {row.cloud} {row.version}, {row.region}; {row.node_provisioning}"
    yield f"subgraph {names.of('cluster', row.cluster)}[{_quoted_text([title])}]"
    for pool in box.pools:
        style = ":::builtin" if pool.built_in else ":::spot" if pool.spot else ""
        yield f"  {names.of('pool', pool.address)}[{_quoted_text(_pool(pool))}]{style}"
    for key in box.node_classes:
        yield f"  {names.of('class', f'{row.cluster}/{key}')}{{{{{_quoted_text([f'node class {key}'])}}}}}"
    for pool in box.pools:
        if pool.node_class is not None:
            yield f"  {names.of('pool', pool.address)} --- {names.of('class', f'{row.cluster}/{pool.node_class}')}"
    yield "end"


def _pool(box: DiagramPool) -> Iterator[str]:
    row = box.row
    yield f"{row.pool}: {row.kind}"
    yield from _shortened_lines(row.sizes)
    yield box.scale
    yield from (f"taint {taint}" for taint in row.taints)


def _shortened_lines(lines: tuple[str, ...]) -> Iterator[str]:
    yield from lines if len(lines) <= _MOST_LINES else (*lines[: _MOST_LINES - 1], f"and {len(lines) - _MOST_LINES + 1} more")


def _workload(names: "_Names", box: DiagramWorkload) -> str:
    lines = [f"{box.name}: {box.kind}", *([] if box.to else ["fits no pool"])]
    return f"{names.of('workload', box)}([{_quoted_text(lines)}]){'' if box.to else ':::pending'}"


def _quoted_text(lines: Iterable[str]) -> str:
    return '"' + "<br/>".join("".join(_SPECIAL.get(letter, letter) for letter in line) for line in map(scrubbed, lines)) + '"'


class _Names:
    """An identifier of letters, digits and underscores for each box. It follows from the name, so that a small change gives a small diff."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], str] = {}

    def of(self, kind: str, box: "DiagramWorkload | str") -> str:
        key = (kind, id(box) if isinstance(box, DiagramWorkload) else box)
        if key not in self._known:
            self._known[key] = self._free(f"{kind}_{_slug(box)}")
        return self._known[key]

    def _free(self, name: str) -> str:
        taken = set(self._known.values())
        return next(free for free in (name, *(f"{name}_{number}" for number in range(2, len(taken) + 3))) if free not in taken)


def _slug(box: DiagramWorkload | str) -> str:
    name = f"{box.kind}_{box.name}" if isinstance(box, DiagramWorkload) else box
    return re.sub(r"[^A-Za-z0-9]", "_", name)
