"""Files that `az`, `aws` and `kubectl` print, as a side of `nodepools diff`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.adoption.exports import NotExportError
from nodepools.adoption.read_exports import Exports, Observed
from nodepools.changes.plain_data import mapping, sequence
from nodepools.cli.cloud_exports import is_stock
from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem

_OF_SERVER: Final = ("uid", "resourceVersion", "creationTimestamp")
"""Metadata that an API server adds."""
_MANIFESTS: Final = "has manifests, next to exports of clusters: objects of a cluster have a `metadata.uid`. Compare manifests on their own"


def has_clusters(value: object) -> bool:
    """The document is an export with a cluster, or with resources of one. Kubernetes objects alone do not say which cluster they are in."""
    if _is_kubernetes(value) or is_stock(value):
        return False
    read = Exports()
    try:
        read.add(value, "")
    except NotExportError:
        return False
    return bool(read.aks or read.eks)


def clusters_in(files: Sequence[tuple[str, Sequence[object]]], run: CommandRun) -> tuple[Observed, ...]:
    """The clusters in the documents of files. What is not an export is a problem of `run`, one for each file."""
    read = Exports()
    for name, values in files:
        for value in values:
            if _is_kubernetes(value) and not all(map(_is_of_server, _items(value))):
                run.problems.append(Problem(name, _MANIFESTS))
                break
            if is_stock(value):
                continue
            try:
                read.add(value, name)
            except NotExportError as error:
                run.problems.append(Problem(name, str(error)))
                break
    found, wrong = read.clusters()
    run.problems.extend(Problem.of(line) for line in wrong)
    return tuple(found)


def _is_kubernetes(value: object) -> bool:
    return isinstance(mapping(value).get("kind"), str) and isinstance(mapping(value).get("apiVersion"), str)


def _items(value: object) -> Iterator[Mapping[str, object]]:
    listed = mapping(value).get("items")
    yield from map(mapping, sequence(listed) if "items" in mapping(value) else [value])


def _is_of_server(item: Mapping[str, object]) -> bool:
    return any(name in mapping(item.get("metadata")) for name in _OF_SERVER)
