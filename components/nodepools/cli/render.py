"""`nodepools render`: writes the in-cluster objects, for GitOps."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.configuration import excluded
from nodepools.cli.inputs.input_files import InputFiles
from nodepools.cli.output.report import Act, Report, command, edit, lines_of, typed
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import Problem, os_error_text
from nodepools.cli.written_file import exchange, is_there
from nodepools.clouds.cloud import Manifest
from nodepools.clouds.registry import catalogs, cloud_of
from nodepools.loading import UnreadableError
from nodepools.model.listing import counted, listed
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref, StackOutput
from nodepools.model.values import dataclass
from nodepools.placement.alerts import ClusterAlerts, rule_file
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import file_text
from nodepools.replicas.count import Outcome

_NAMED: Final = 3
_NOTHING: Final = "nothing to do: no NodePool, node class or other Kubernetes object is declared"
LISTING: Final = Path(".nodepools-rendered")
"""Lists the files that `render` wrote. Its name has no suffix, so that `kubectl apply -f` of the folder does not read it."""
_NOT_A_LISTING: Final = "is not the list of files that `nodepools render` wrote: restore it, or delete it to keep the files of former objects"


@dataclass(frozen=True, slots=True)
class ClusterFiles:
    """The files of one cluster: text by path in the folder."""

    platform: str
    cluster: str
    texts: Mapping[Path, str]


@dataclass(frozen=True, slots=True)
class Changes:
    """What `write` did."""

    written: tuple[Path, ...]
    """The files of all objects."""
    changed: tuple[Path, ...]
    """Those that are new, or had another text."""
    removed: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class _Listing:
    """The files that earlier runs wrote, by platform and cluster: each run replaces the entries of its own clusters."""

    files: Mapping[tuple[str, str], Sequence[Path]]

    @classmethod
    def read(cls, folder: Path) -> "_Listing":
        file = folder / LISTING
        if not file.exists():
            return cls({})
        try:
            held = cast("Mapping[str, Mapping[str, Sequence[str]]]", json.loads(file_text(file)))
            return cls({(platform, cluster): [Path(name) for name in names] for platform, of in held.items() for cluster, names in of.items()})
        except (ValueError, AttributeError, TypeError, RecursionError):
            raise UnreadableError(f"{file}: {_NOT_A_LISTING}") from None

    def updated(self, rendered: Iterable[ClusterFiles], *, is_whole: bool) -> "_Listing":
        """Returns the list after a run. A run of all clusters of a platform drops its other clusters."""
        now = {(item.platform, item.cluster): sorted(item.texts) for item in rendered}
        platforms = {platform for platform, _ in now}
        return _Listing({key: files for key, files in self.files.items() if not (is_whole and key[0] in platforms)} | now)

    @property
    def paths(self) -> frozenset[Path]:
        """All files."""
        return frozenset(path for files in self.files.values() for path in files)

    def text(self) -> str:
        held: dict[str, dict[str, list[str]]] = {}
        for (platform, cluster), files in sorted(self.files.items()):
            held.setdefault(platform, {})[cluster] = [path.as_posix() for path in files]
        return json.dumps(held, indent=2) + "\n"


def write(rendered: Sequence[ClusterFiles], folder: Path, *, is_whole: bool) -> Changes:
    """Writes the files of clusters, and removes those that earlier runs wrote for objects that no longer exist.

    New files are prepared in a temporary folder, then moved. If a step fails or is interrupted, the steps before it are undone.

    Args:
        rendered: the files of each cluster.
        folder: the folder of all files.
        is_whole: whether `rendered` has all clusters of its platforms.

    Raises:
        UnreadableError: a file cannot be written or removed, or is outside of the folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _Listing.read(folder)
        after = before.updated(rendered, is_whole=is_whole)
        texts = {path: text for item in rendered for path, text in item.texts.items()}
        gone = sorted(path for path in before.paths - after.paths)
        for path in (*texts, *gone):
            _require_inside(folder, path)
        removed = [path for path in gone if is_there(folder / path)]
        changed = [path for path, text in texts.items() if not _has(folder / path, text)]
        with TemporaryDirectory(dir=folder, prefix=".render-") as scratch:
            exchange(folder, Path(scratch), {**texts, LISTING: after.text()}, removed)
        _remove_empty(folder, removed)
    except OSError as error:
        raise UnreadableError(os_error_text(error)) from None
    return Changes(tuple(texts), tuple(changed), tuple(removed))


def _has(file: Path, text: str) -> bool:
    """The file has this text already. What cannot be read has another one: it is written again."""
    try:
        return not file.is_symlink() and file.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        return False


def _require_inside(folder: Path, path: Path) -> None:
    parent = (folder / path).parent
    try:
        resolved = parent.resolve()
        is_circle = resolved.is_symlink()  # from Python 3.13 on; before, an exception
        is_inside = not path.is_absolute() and ".." not in path.parts and not is_circle and resolved.is_relative_to(folder.resolve())
    except RuntimeError:  # links in a circle
        is_inside = False
    if not is_inside:
        raise UnreadableError(f"{folder / path}: is outside of {folder}: `render` does not follow symbolic links out of it")


def _remove_empty(folder: Path, removed: Iterable[Path]) -> None:
    """Removes the folders that had no other files than the removed ones."""
    for parent in sorted({parent for path in removed for parent in path.parents if parent != Path()}, key=lambda item: -len(item.parts)):
        place = folder / parent
        if not place.is_symlink() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def render(platforms: Sequence[Platform], *, cluster: str | None, folder: Path | None) -> Result:
    """The objects of one or all clusters; with `folder`, writes each to `<cluster>/<kind>-<name>.yaml` in `folder`.

    Files that an earlier run wrote for objects that no longer exist are removed.

    With several platforms, the name of a cluster starts with its platform: `prod/weu`.

    Raises:
        UnreadableError: there is no such cluster, a value is unknown offline, or the folder cannot be written.
    """
    rendered = {address: _objects(platform, key) for address, platform, key in _selected(platforms, cluster)}
    if folder is not None:
        texts = {address: _files(held, Path(address)) for address, held in rendered.items()}
        return _written(platforms, texts, cluster, folder)
    objects = [manifest for manifests in rendered.values() for manifest in manifests]
    return Result(lambda: {"objects": objects}, lambda: _print(rendered))


def render_alerts(
    platforms: Sequence[Platform], run: CommandRun, workloads: Sequence[Path] | None, cluster: str | None, folder: Path | None
) -> Result:
    """The alerts on one or all clusters, as one rule file of Prometheus; with `folder`, writes `<cluster>/alerts.yaml` for each.

    Of `workloads`, only those have an alert of which it is certain that all replicas fit the cluster: of another, pods can be Pending on purpose.

    Raises:
        UnreadableError: there is no such cluster, a workload is one that the API server rejects, or the folder cannot be written.
    """
    from nodepools.cli.explain.command import Scene, explained
    from nodepools.cli.inputs.workload_files import read_workload_files

    every = catalogs(platforms)
    fitting: dict[str | None, list[Workload]] = {}
    if workloads is not None:
        read = read_workload_files(InputFiles(workloads, excluded(None)), run)
        for one in explained(Scene(read, every), only=None):
            if one.count.verdict is Outcome.FITS and one.shortage is None:
                fitting.setdefault(one.answer.cluster, []).append(one.answer.workload)
    pools = {each.cluster: each for each in every}
    alerts: dict[str, ClusterAlerts] = {}
    for address, platform, key in _selected(platforms, cluster):
        name = cloud_of(platform.cluster(key)).identity(platform.stem(key)).name
        alerts[address] = ClusterAlerts(name, pools[address], fitting.get(address, ()), platform.cluster(key).applied_node_pools)
        run.notes.extend(Problem(address, text) for text in alerts[address].not_watched)
    if folder is not None:
        texts = {address: {Path(address, "alerts.yaml"): safe_yaml(rule_file([one]))} for address, one in alerts.items()}
        return _written(platforms, texts, cluster, folder, of=" (alerts)")
    rules = rule_file(alerts.values())
    return Result(lambda: rules, lambda: typer.echo(safe_yaml(rules), nl=False))


def _selected(platforms: Sequence[Platform], cluster: str | None) -> list[tuple[str, Platform, str]]:
    """One or all clusters, each with its address, platform and key."""
    clusters = [(f"{platform.name}/{key}" if len(platforms) > 1 else key, platform, key) for platform in platforms for key in platform.clusters]
    selected = [(address, platform, key) for address, platform, key in clusters if cluster in (None, key, address)]
    if not selected:
        raise UnreadableError(f"cluster `{cluster}` not found (available: {', '.join(address for address, _, _ in clusters)})")
    return selected


def _written(platforms: Sequence[Platform], texts: Mapping[str, Mapping[Path, str]], cluster: str | None, folder: Path, *, of: str = "") -> Result:
    """Writes the files of clusters. What is `of` something else is listed apart: objects and alerts never remove each other's files."""
    owners = {address: (f"{platform.name}{of}", key) for address, platform, key in _selected(platforms, cluster)}
    changes = write([ClusterFiles(*owners[address], files) for address, files in texts.items()], folder, is_whole=cluster is None)
    return Result(
        lambda: _changed(changes, folder), report=_report(listed([one.name for one in platforms], _NAMED), changes, folder, is_alerts=bool(of))
    )


def _print(rendered: Mapping[str, list[Manifest]]) -> None:
    texts = (f"# {key}\n---\n{safe_yaml(manifest)}" for key, manifests in rendered.items() for manifest in manifests)
    typer.echo("".join(texts) or f"# {_NOTHING}\n", nl=False)


def _objects(platform: Platform, key: str) -> list[Manifest]:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        source = f"the output `{ref.output}` of the stack `{ref.stack}`" if isinstance(ref, StackOutput) else "a Pulumi output"
        raise UnreadableError(f'cluster `{key}` needs {source}, which is unknown offline: set its value, or set `apply="direct"`')

    return list(cloud_of(platform.cluster(key)).objects(platform.stem(key), resolve))


def _files(objects: Iterable[Manifest], folder: Path) -> dict[Path, str]:
    """The text of each object, by path."""
    return {folder / f"{str(item['kind']).lower()}-{cast('Mapping[str, str]', item['metadata'])['name']}.yaml": safe_yaml(item) for item in objects}


def _report(about: str, changes: Changes, folder: Path, *, is_alerts: bool) -> Report:
    """How many files changed, and which, and what loads them."""
    total, changed, removed = (len(paths) for paths in (changes.written, changes.changed, changes.removed))
    files = counted(total, "file")
    counts = [f"{number:,} {what}" for number, what in ((changed, "changed"), (removed, "removed")) if number]
    equal = [path for path in changes.written if path not in changes.changed]
    sections = (
        lines_of("Changed", *(str(folder / path) for path in changes.changed)),
        lines_of("Removed: their objects no longer exist", *(str(folder / path) for path in changes.removed)),
        lines_of("Equal", *(str(folder / path) for path in equal), is_detail=True),
    )
    places = dict.fromkeys(path.parts[0] for path in changes.written)
    loads = [
        edit(f"Add `{folder}/*/alerts.yaml` to `rule_files`", "prometheus.yml")
        if is_alerts
        else command(f"kubectl diff -R -f {typed(folder / name)} --context CONTEXT", Act.NONE, f"CONTEXT: that of {name}")
        for name in list(places)[: 1 if is_alerts else None]
    ]
    if not (changes.written or counts):
        return Report(about, _NOTHING)
    done = f"nothing to do: {files} in {folder} {'is' if total == 1 else 'are'} what the declaration says"
    return Report(about, f"{files} in {folder}: {', '.join(counts)}" if counts else done, tuple(loads) if counts else (), sections)


def _changed(changes: Changes, folder: Path) -> dict[str, object]:
    named = {"files": changes.written, "changed": changes.changed, "removed": changes.removed}
    return {name: [str(folder / path) for path in paths] for name, paths in named.items()}
