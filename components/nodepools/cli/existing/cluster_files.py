"""Files that `az`, `aws` and `kubectl` print, as a side of `nodepools diff`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from nodepools.adoption.read_exports import AnyExisting, Exports
from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.export_document import ExportDocument, export_document
from nodepools.cli.problem import Problem
from nodepools.clouds.eks.node_groups import node_groups_in, templates_in
from nodepools.model.listing import listed
from nodepools.model.steps import mapping, sequence

_OF_SERVER: Final = ("uid", "resourceVersion", "creationTimestamp")
"""Metadata that an API server adds."""
_NAMED: Final = 3
_MANIFESTS: Final = "has manifests, next to exports of clusters: objects of a cluster have a `metadata.uid`. Compare manifests on their own"


@dataclass(frozen=True, slots=True)
class ClusterFiles:
    """Files with their documents."""

    files: Sequence[tuple[str, Sequence[ExportDocument]]]

    @classmethod
    def of(cls, files: Iterable[tuple[str, Iterable[object]]]) -> "ClusterFiles":
        """Recognizes the values in files."""
        return cls([(name, [export_document(value, name) for value in values]) for name, values in files])

    @property
    def has_clusters(self) -> bool:
        """Some document is an export with a cluster, or with resources of one."""
        return any(one.has_clusters for _, documents in self.files for one in documents)

    def clusters(self, run: CommandRun) -> tuple[AnyExisting, ...]:
        """The clusters in them. What is not an export is a problem of `run`, one for each file."""
        read = Exports()
        for name, documents in self.files:
            wrong = next((text for one in documents if (text := _wrong(one))), "")
            if wrong:
                run.problems.append(Problem(name, wrong))
            groups = [str(group.get("nodegroupName")) for one in documents for group in node_groups_in(one.value) or ()]
            if groups:
                run.notes.append(Problem(name, f"node groups are not compared: {listed(groups, _NAMED)}"))
            for one in takewhile(lambda one: not _wrong(one), documents):
                if _is_kubernetes(one.value):
                    from nodepools.cli.inputs.assumptions import note_unread, types_in

                    note_unread(types_in(one.value), run)
                if not one.stock:
                    read.join(one.clusters)
        found, unattached = read.clusters()
        run.problems.extend(Problem.of(line) for line in unattached)
        return tuple(found)


def _wrong(one: ExportDocument) -> str:
    """Why a document is not an export."""
    if _is_kubernetes(one.value) and not all(map(_is_of_server, _items(one.value))):
        return _MANIFESTS
    return "" if one.stock or _is_of_node_groups(one.value) else one.unreadable


def _is_of_node_groups(value: object) -> bool:
    """It has node groups or their launch templates, which no declaration has."""
    return node_groups_in(value) is not None or templates_in(value) is not None


def _is_kubernetes(value: object) -> bool:
    return isinstance(mapping(value).get("kind"), str) and isinstance(mapping(value).get("apiVersion"), str)


def _items(value: object) -> Iterator[Mapping[str, object]]:
    listed = mapping(value).get("items")
    yield from map(mapping, sequence(listed) if "items" in mapping(value) else [value])


def _is_of_server(item: Mapping[str, object]) -> bool:
    return any(name in mapping(item.get("metadata")) for name in _OF_SERVER)
