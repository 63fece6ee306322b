"""`nodepools render`: writes the in-cluster objects, for GitOps."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.rendered_files import Changes, ClusterFiles, write
from nodepools.cli.safe_yaml import safe_yaml
from nodepools.loading import UnreadableError
from nodepools.manifests.cluster_manifests import Manifest, cluster_objects
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref, StackOutput


def render(platforms: Sequence[Platform], *, cluster: str | None, folder: Path | None) -> Result:
    """The objects of one or all clusters; with `folder`, writes each to `<cluster>/<kind>-<name>.yaml` in `folder`.

    Files that an earlier run wrote for objects that no longer exist are removed.

    With several platforms, the name of a cluster starts with its platform: `prod/weu`.

    Raises:
        UnreadableError: there is no such cluster, a value is unknown offline, or the folder cannot be written.
    """
    clusters = {f"{platform.name}/{key}" if len(platforms) > 1 else key: (platform, key) for platform in platforms for key in platform.clusters}
    selected = [address for address, (_, key) in clusters.items() if cluster in (None, key, address)]
    if not selected:
        raise UnreadableError(f"cluster `{cluster}` not found (available: {', '.join(clusters)})")
    rendered = {address: _objects(*clusters[address]) for address in selected}
    if folder is not None:
        files = [ClusterFiles(clusters[address][0].name, clusters[address][1], _files(held, Path(address))) for address, held in rendered.items()]
        changes = write(files, folder, is_whole=cluster is None)
        return Result(lambda: _changed(changes, folder), lambda: _show(changes, folder))
    objects = [manifest for manifests in rendered.values() for manifest in manifests]
    return Result(lambda: {"objects": objects}, lambda: _print(rendered))


def _print(rendered: Mapping[str, list[Manifest]]) -> None:
    typer.echo("".join(f"# {key}\n---\n{safe_yaml(manifest)}" for key, manifests in rendered.items() for manifest in manifests), nl=False)


def _objects(platform: Platform, key: str) -> list[Manifest]:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        source = f"the output `{ref.output}` of the stack `{ref.stack}`" if isinstance(ref, StackOutput) else "a Pulumi output"
        raise UnreadableError(f'cluster `{key}` needs {source}, which is unknown offline: set its value, or set `apply="direct"`')

    return cluster_objects(platform.stem(key), platform.cluster(key), resolve)


def _files(objects: Iterable[Manifest], folder: Path) -> dict[Path, str]:
    """The text of each object, by path."""
    return {folder / f"{str(item['kind']).lower()}-{cast('Mapping[str, str]', item['metadata'])['name']}.yaml": safe_yaml(item) for item in objects}


def _show(changes: Changes, folder: Path) -> None:
    typer.echo("\n".join(str(folder / path) for path in changes.written))
    for path in changes.removed:
        typer.echo(f"removed {folder / path}: its object no longer exists", err=True)


def _changed(changes: Changes, folder: Path) -> dict[str, object]:
    return {"files": [str(folder / path) for path in changes.written], "removed": [str(folder / path) for path in changes.removed]}
