"""One document of an export, recognized by its content: resources of clouds, objects inside a cluster, and what is in use."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from nodepools.adoption.cluster_identity import Place
from nodepools.adoption.read_exports import AnyExisting, Exports
from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem
from nodepools.clouds.aks import existing_usage
from nodepools.clouds.eks import existing_quotas
from nodepools.clouds.eks.node_groups import node_groups_in, templates_in
from nodepools.clouds.existing_objects import NotExportError, UnrecognizedError
from nodepools.clouds.item import Counter, SubnetStock
from nodepools.clouds.item import Stock as Amounts
from nodepools.model.listing import listed
from nodepools.model.steps import mapping, sequence


@dataclass(frozen=True, slots=True)
class ExistingNode:
    """A node that runs now, or its NodeClaim."""

    labels: Mapping[str, str]
    file: str
    is_claim: bool = False
    image: str | None = None
    """The id of its image, of a NodeClaim."""
    owner: Place | None = None
    """The declared cluster that it is in; `None` without declarations."""


@dataclass(frozen=True, slots=True)
class ExistingQuotas:
    """Usage, quotas and subnets: each is `None` if the document is something else."""

    usage: Mapping[str, Amounts] | None = None
    """Counters of Azure, which names neither region nor subscription, by name."""
    quotas: Mapping[Counter, Amounts] | None = None
    subnets: Mapping[str, SubnetStock] | None = None
    invalid: str = ""
    """Why it cannot be read."""

    def __bool__(self) -> bool:
        return bool(self.invalid) or any(one is not None for one in (self.usage, self.quotas, self.subnets))


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """What one document has."""

    value: object
    stock: ExistingQuotas
    nodes: Sequence[Mapping[str, object]] | None
    """Node objects; `None` if it is something else."""
    claims: Mapping[str, ExistingNode]
    """NodeClaims by uid."""
    clusters: Exports = field(default_factory=Exports)
    """Resources of clouds and objects inside clusters."""
    unreadable: str = ""
    """Why nothing of a cluster can be read."""
    is_foreign: bool = False
    """It is something else than an export of a cluster."""

    @property
    def objects(self) -> Sequence[Mapping[str, object]]:
        """Objects in a cluster."""
        raw = mapping(self.value)
        if "apiVersion" not in raw or not isinstance(raw.get("kind"), str):
            return []
        items = {"kind": str(raw["kind"]).removesuffix("List")}  # a typed list does not repeat the kind
        return [{**items, **item} for item in map(mapping, sequence(raw["items"])) if item] if "items" in raw else [raw]

    @property
    def has_clusters(self) -> bool:
        """It has a cluster, or resources of one. Kubernetes objects alone do not say which cluster they are in."""
        return bool(self.clusters.aks or self.clusters.eks) and not self.stock


def export_document(value: object, file: str) -> ExportDocument:
    """Recognizes one document of a file."""
    stock, nodes, claims, clusters = stock_in(value), _nodes(value), _claims(value, file), Exports()
    try:
        clusters.add(value, file)
    except NotExportError as error:
        return ExportDocument(value, stock, nodes, claims, unreadable=str(error), is_foreign=isinstance(error, UnrecognizedError))
    return ExportDocument(value, stock, nodes, claims, clusters)


def stock_in(value: object) -> ExistingQuotas:
    """Usage, quotas or subnets; nothing if it is something else."""
    try:
        subnets = existing_usage.subnets(value)
        return ExistingQuotas(
            existing_usage.usage(value), existing_quotas.quotas(value), subnets if subnets is not None else existing_quotas.subnets(value)
        )
    except ValueError as error:
        return ExistingQuotas(invalid=str(error))


def _nodes(value: object) -> list[Mapping[str, object]] | None:
    raw = mapping(value)
    if raw.get("kind") == "Node":
        return [raw]
    of_nodes = raw.get("kind") == "NodeList"
    found = [item for item in map(mapping, sequence(raw.get("items"))) if item and (of_nodes or item.get("kind") == "Node")]
    return found if found or of_nodes else None


def _claims(value: object, file: str) -> dict[str, ExistingNode]:
    items = [mapping(value), *map(mapping, sequence(mapping(value).get("items")))]
    found = [(mapping(item.get("metadata")), mapping(item.get("status")).get("imageID")) for item in items if item.get("kind") == "NodeClaim"]
    return {
        str(metadata.get("uid", metadata.get("name"))): ExistingNode(
            labels_in(metadata), file, is_claim=True, image=image if isinstance(image, str) else None
        )
        for metadata, image in found
    }


def labels_in(metadata: Mapping[str, object]) -> Mapping[str, str]:
    """The labels, as text."""
    return {key: str(label) for key, label in mapping(metadata.get("labels")).items()}


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
    return "" if one.stock or (node_groups_in(one.value) is not None or templates_in(one.value) is not None) else one.unreadable


def _is_kubernetes(value: object) -> bool:
    return isinstance(mapping(value).get("kind"), str) and isinstance(mapping(value).get("apiVersion"), str)


def _items(value: object) -> Iterator[Mapping[str, object]]:
    listed = mapping(value).get("items")
    yield from map(mapping, sequence(listed) if "items" in mapping(value) else [value])


def _is_of_server(item: Mapping[str, object]) -> bool:
    return any(name in mapping(item.get("metadata")) for name in _OF_SERVER)
