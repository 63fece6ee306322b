"""`nodepools render`: writes the in-cluster objects, for GitOps."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import typer
import yaml

from nodepools.cli.report import print_json
from nodepools.loading import UnreadableError
from nodepools.manifests.cluster_manifests import Manifest, cluster_objects
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref, StackOutput


def render(platforms: Sequence[Platform], *, cluster: str | None, folder: Path | None, as_json: bool) -> None:
    """Prints the objects of one or all clusters, or writes each to `<cluster>/<kind>-<name>.yaml` in `folder`.

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
        _write(rendered, folder)
    elif as_json:
        print_json([manifest for manifests in rendered.values() for manifest in manifests])
    else:
        typer.echo("".join(f"# {key}\n---\n{_yaml(manifest)}" for key, manifests in rendered.items() for manifest in manifests), nl=False)


def _objects(platform: Platform, key: str) -> list[Manifest]:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        source = f"the output `{ref.output}` of the stack `{ref.stack}`" if isinstance(ref, StackOutput) else "a Pulumi output"
        raise UnreadableError(f'cluster `{key}` needs {source}, which is unknown offline: set its value, or set `apply="direct"`')

    return cluster_objects(platform.stem(key), platform.cluster(key), resolve)


def _yaml(manifest: Manifest) -> str:
    return yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=150)


def _files(rendered: Mapping[str, list[Manifest]]) -> Iterator[tuple[Path, str]]:
    for key, manifests in rendered.items():
        for manifest in manifests:
            name = cast("Mapping[str, str]", manifest["metadata"])["name"]
            yield Path(key, f"{str(manifest['kind']).lower()}-{name}.yaml"), _yaml(manifest)


def _write(rendered: Mapping[str, list[Manifest]], folder: Path) -> None:
    """Writes all files to a temporary folder first, then moves them: a failure leaves no partial output."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".render-") as scratch:
            written = list(_files(rendered))
            for path, text in written:
                (Path(scratch) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(scratch) / path).write_text(text, encoding="utf-8")
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
            for path, _ in written:
                (Path(scratch) / path).replace(folder / path)
    except OSError as error:
        raise UnreadableError(f"{error.filename}: {error.strerror}") from None
    typer.echo("\n".join(str(folder / path) for path, _ in written))
