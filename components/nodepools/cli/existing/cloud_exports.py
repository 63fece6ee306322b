"""`--existing`: what exists and what is in use, in files that the CLIs of the clouds and kubectl print. Each is recognized by its content."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Final, TypeAlias

from nodepools.adoption.cluster_identity import CloudId, DeclaredClusters, ExistingIds, UnknownOwnerError
from nodepools.adoption.cluster_identity import Place as Owner
from nodepools.adoption.read_exports import AnyExisting, Exports
from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import CLUSTER_FOLDER, InputFiles, export_text, shown, stated_clusters
from nodepools.cli.inputs.sources import Source
from nodepools.cli.inputs.user_code import user_code
from nodepools.cli.problem import Problem
from nodepools.clouds.aks import existing_usage
from nodepools.clouds.aks.existing import Export, Kind
from nodepools.clouds.aks.existing_agent_pools import read_agent_pools
from nodepools.clouds.aks.existing_usage import Place
from nodepools.clouds.amounts import Amount
from nodepools.clouds.eks import existing_quotas
from nodepools.clouds.eks.existing import EksKind, cluster_in
from nodepools.clouds.eks.node_groups import NodeGroup, Template, node_group, node_groups_in, templates_in
from nodepools.clouds.existing_objects import NotExportError, OtherExportError, UnrecognizedError, objects_of
from nodepools.clouds.export_values import text_in
from nodepools.clouds.item import Counter, ExistingStock, Stock, SubnetStock
from nodepools.clouds.registry import cloud_of
from nodepools.data.regions import azure_regions
from nodepools.loading import UnreadableError, read_stack
from nodepools.manifests.existing.fleet_objects import KINDS
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import counted, grouped, listed
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.static_pools import StaticPool
from nodepools.reading.bounded_input import TextError
from nodepools.reading.project_folder import known_stacks, project_folder
from nodepools.reading.yaml_documents import Document, documents
from nodepools.rules.engine.finding import DeclarationError


@dataclass(frozen=True, slots=True)
class ExistingNode:
    """A node that runs now, or its NodeClaim."""

    labels: Mapping[str, str]
    file: str
    is_claim: bool = False
    image: str | None = None
    """The id of its image, of a NodeClaim."""
    owner: Owner | None = None
    """The declared cluster that it is in; `None` without declarations."""


@dataclass(frozen=True, slots=True)
class ExistingQuotas:
    """Usage, quotas and subnets: each is `None` if the document is something else."""

    usage: Mapping[str, Stock] | None = None
    """Counters of Azure, which names neither region nor subscription, by name."""
    quotas: Mapping[Counter, Stock] | None = None
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
    is_other: bool = False
    """It is an output of the clouds that is not used."""

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
        is_foreign, is_other = isinstance(error, UnrecognizedError), isinstance(error, OtherExportError)
        return ExportDocument(value, stock, nodes, claims, unreadable=str(error), is_foreign=is_foreign, is_other=is_other)
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
    found = [(metadata, image) for metadata, image in found if metadata.get("deletionTimestamp") is None]  # its node goes anyway
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
        return any(one.has_clusters for _, held in self.files for one in held)

    def clusters(self, run: CommandRun) -> tuple[AnyExisting, ...]:
        """The clusters in them. What is not an export is a problem of `run`, one for each file."""
        read = Exports()
        for name, held in self.files:
            wrong = next((text for one in held if (text := _wrong(one))), "")
            if wrong:
                run.problems.append(Problem(name, wrong))
            groups = [str(group.get("nodegroupName")) for one in held for group in node_groups_in(one.value) or ()]
            if groups:
                run.notes.append(Problem(name, f"node groups are not compared: {listed(groups, _NAMED)}"))
            for one in takewhile(lambda one: not _wrong(one), held):
                run.notes.extend([Problem(name, one.unreadable)] if one.is_other and not (one.stock or groups) else [])
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
    if _is_kubernetes(one.value) and not all(any(name in mapping(item.get("metadata")) for name in _OF_SERVER) for item in _items(one.value)):
        return _MANIFESTS
    return "" if one.stock or one.is_other else one.unreadable


def _is_kubernetes(value: object) -> bool:
    return isinstance(mapping(value).get("kind"), str) and isinstance(mapping(value).get("apiVersion"), str)


def _items(value: object) -> Iterator[Mapping[str, object]]:
    listed = mapping(value).get("items")
    yield from map(mapping, sequence(listed) if "items" in mapping(value) else [value])


_RECOGNIZED: Final = (
    "is not recognized: use the output of `az vm list-usage`, `az network vnet subnet list`, `aws service-quotas list-service-quotas`, "
    "`aws ec2 describe-subnets`, `az aks nodepool list`, `aws eks describe-nodegroup` or `kubectl get nodes`, as JSON or YAML"
)

_ALSO_RUNNING: Final = (
    "is not recognized: use the output of `az aks show`, `az aks nodepool list`, `aws eks describe-cluster`, "
    "`kubectl get nodes,pods,pdb,nodeclaims -A -o yaml`, or what `nodepools capacity --existing` reads"
)
_NOT_DECLARED: Final = "is not a cluster that is declared here: what the exports say of it is not used"
_UNUSED: Final = "has clusters, or objects inside them, which are not counted here: `nodepools diff EXPORTS FILE` compares them with a declaration"

More: TypeAlias = Callable[[Document, ExportDocument, str, Owner | None], bool]
"""Reads a document, given with its file and the cluster that its objects are in; false if it is something else."""
NodeEntry: TypeAlias = tuple[str, Mapping[str, str], int]
"""Provider id, labels and vCPUs of a node."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A document of a file."""

    file: Path
    name: str
    document: Document
    read: ExportDocument
    kinds: AbstractSet[str]
    """Those of objects whose cluster must be known."""
    left_out: frozenset[CloudId] = frozenset()
    """Clusters whose node groups are not read."""

    @property
    def running(self) -> list[Mapping[str, object]]:
        """The objects in it that a cluster has while it runs."""
        return [raw for raw in self.read.objects if raw.get("kind") in self.kinds]

    @property
    def groups(self) -> list[Mapping[str, object]]:
        """The node groups in it."""
        found = node_groups_in(self.document.value)
        return [group for group in found if _cluster_of(group) not in self.left_out] if found is not None else []

    @property
    def clusters(self) -> list[CloudId]:
        """The clusters that an output of a cloud in it is about."""
        of_aws = [one.cluster for one in self.read.clusters.eks if one.kind is EksKind.CLUSTER]
        every = [*(one.cluster for one in self.read.clusters.aks), *of_aws, *map(_cluster_of, self.groups)]
        return [one for one in every if one is not None]

    def without(self, clusters: Collection[CloudId]) -> "_Opened":
        """The same without what it has of these clusters."""
        kept = Exports(
            [one for one in self.read.clusters.aks if one.cluster not in clusters],
            [one for one in self.read.clusters.eks if one.cluster not in clusters],
            self.read.clusters.objects,
        )
        return replace(self, read=replace(self.read, clusters=kept), left_out=frozenset(clusters))


@dataclass(slots=True)
class _Found:
    expected: str
    """What is recognized, as a sentence."""
    places: Sequence[Place]
    quotas: dict[Counter, Stock] = field(default_factory=dict[Counter, Stock])
    subnets: dict[str, SubnetStock] = field(default_factory=dict[str, SubnetStock])
    nodes: dict[str, NodeEntry] = field(default_factory=dict[str, NodeEntry])
    """By provider id: a node that is in two files is one node."""
    groups: list[tuple[Mapping[str, object], str]] = field(default_factory=list[tuple[Mapping[str, object], str]])
    """Node groups with their files."""
    templates: list[Template] = field(default_factory=list[Template])
    azure: list[Export] = field(default_factory=list[Export])
    """Clusters and agent pools of AKS."""
    claims: dict[str, ExistingNode] = field(default_factory=dict[str, ExistingNode])
    """By uid."""
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The file of each node, by provider id."""


def read_exports_and_nodes(
    inputs: InputFiles, platforms: Iterable[Platform], run: CommandRun, more: More | None = None, kinds: AbstractSet[str] = KINDS
) -> tuple[ExistingStock, list[ExistingNode]]:
    """All exports, with the nodes of declared clusters. What cannot be read, or is of other or unknown clusters, is a problem.

    `more` reads the objects of these `kinds`, too.
    """
    platforms = list(platforms)
    clouds = [cloud_of(cluster) for platform in platforms for cluster in platform.clusters.values()]
    places = list(dict.fromkeys(place for cloud in clouds for place in cloud.usage_places))
    found = _Found(_RECOGNIZED if more is None else _ALSO_RUNNING, places)
    opened = list(_opened(inputs, found.expected, run, kinds))
    declared = DeclaredClusters.of(platforms) if platforms else None
    owners: Mapping[str, Owner | None] = {}
    if declared is not None:
        owners = _owners(opened, declared, run)
        opened = list(_of_declared(opened, declared, run))
    for one in opened:
        try:
            _take(found, one, owners, more, run)
        except TextError as error:
            run.problems.append(Problem.of(str(error), one.name))
        except (ValueError, PodError) as error:
            run.problems.append(Problem(one.name, str(error)))
    pools = tuple(read_agent_pools(found.azure, lambda wrong, file: run.problems.append(Problem.of(wrong, file))))
    groups = tuple(_node_groups(found, run))
    nodes = [ExistingNode(labels, found.files[of], owner=owners.get(found.files[of])) for of, (_, labels, _) in found.nodes.items()]
    return ExistingStock(_with_own(found), found.subnets, groups, pools), [*nodes, *found.claims.values()]


def stock_of(quotas: Iterable[tuple[ExistingQuotas, str]], places: Sequence[Place], nodes: Iterable[StaticPool], run: CommandRun) -> ExistingStock:
    """Quotas and subnets in files, with what the nodes of the cluster use of them. What is invalid is a problem of `run`."""
    found = _Found("", places)
    found.nodes.update((node.provider_id, (node.provider_id, node.variants[0], node.counts.get("cpu", 0) // 1000)) for node in nodes)
    for stock, file in quotas:
        try:
            _add_stock(found, stock, Path(file))
        except ValueError as error:
            run.problems.append(Problem(file, str(error)))
    return ExistingStock(_with_own(found), found.subnets)


def _opened(inputs: InputFiles, expected: str, run: CommandRun, kinds: AbstractSet[str]) -> Iterator[_Opened]:
    """Each document with its file. What cannot be read is a problem of `run`."""
    for file in files(inputs, run):
        name = shown(file)
        try:
            found = documents(export_text(file, run), name)
            read = [_Opened(file, name, document, export_document(document.value, name), kinds) for document in found]
        except TextError as error:
            run.problems.append(Problem.of(str(error), name))
            continue
        for one in read:
            _note_unread(one, run)
        if not read:
            run.problems.append(Problem(name, expected))
        yield from read


def _note_unread(one: _Opened, run: CommandRun) -> None:
    from nodepools.cli.inputs.assumptions import note_unread, types_in  # few commands read exports
    from nodepools.manifests.manifest_objects import POOLS_AND_CLASSES

    note_unread(types_in(one.document.value), run, {*POOLS_AND_CLASSES, "NodeClaim"})


def _owners(opened: Sequence[_Opened], declared: DeclaredClusters, run: CommandRun) -> Mapping[str, Owner | None]:
    """The declared cluster of each file with objects that run; `None` if it is unknown or not declared, which is a problem of `run`."""
    inside = [objects_of(raw, name) for name, raw in grouped((one.name, raw) for one in opened for raw in one.running).items()]
    ids = ExistingIds.of((one for each in opened for one in each.read.clusters.aks), (one for each in opened for one in each.read.clusters.eks))
    found = declared.owners(inside, ids, stated_clusters(one.name for one in opened))
    run.problems.extend(Problem(name, str(answer)) for name, answer in found.items() if isinstance(answer, UnknownOwnerError))
    return {name: None if isinstance(answer, UnknownOwnerError) else answer for name, answer in found.items()}


def _of_declared(opened: Iterable[_Opened], declared: DeclaredClusters, run: CommandRun) -> Iterator[_Opened]:
    """The documents without what Azure and AWS print about clusters that are not declared, which is a problem of `run`, one for each cluster."""
    told: set[CloudId] = set()
    for one in opened:
        others = {found for found in one.clusters if not declared.named(found)}
        run.problems.extend(Problem(one.name, f"`{other}` {_NOT_DECLARED}", cluster=other) for other in sorted(others - told, key=str))
        told |= others
        if not others:
            yield one
        elif others < set(one.clusters):
            yield one.without(others)


def stack_with(clusters: Sequence[CloudId], source: Source) -> str:
    """Another stack of the project that declares one of them, empty if none is known. For files, no stack is executed."""
    directory = project_folder(Path.cwd())
    for name in known_stacks(directory) if directory is not None and not source.files and not source.every else ():
        with user_code(), suppress(UnreadableError, DeclarationError):
            if name != source.stack and any(map(DeclaredClusters.of([read_stack(name, directory or Path())]).named, clusters)):
                return name
    return ""


def _take(found: _Found, one: _Opened, owners: Mapping[str, Owner | None], more: More | None, run: CommandRun) -> None:
    """Adds one document. Objects of a cluster that is unknown or not declared are not added."""
    read, value = one.read, one.document.value
    templates = templates_in(value)
    found.groups.extend((raw, one.name) for raw in one.groups)
    found.templates.extend(templates if templates is not None else ())
    owner = owners.get(one.name)
    if templates is not None or one.groups or (one.running and one.name in owners and owner is None):
        return
    known = more is not None and more(one.document, read, one.name, owner)
    if read.unreadable and not read.is_foreign:
        raise ValueError(read.unreadable)
    if read.is_other and not known and not read.stock:
        run.notes.append(Problem(one.name, read.unreadable))
        return
    found.claims.update({uid: replace(claim, owner=owner) for uid, claim in read.claims.items()})
    with_pools = [export for export in read.clusters.aks if export.kind is not Kind.CONFIGURATION]
    found.azure.extend(with_pools)
    anonymous = sum(not text_in(raw.get("spec"), "providerID") for raw in (read.nodes if read.nodes is not None else ()))
    run.notes.extend([Problem(one.name, f"{counted(anonymous, 'node')} without `spec.providerID`: not counted")] if anonymous else [])
    if read.is_foreign or read.value == [] or read.stock or read.nodes is not None:
        _add(found, read, one.file, None if known else found.expected)
    elif (
        not known and not read.claims and not with_pools and one.file.parts[:1] != (CLUSTER_FOLDER,)
    ):  # the user did not choose what `--context` reads
        run.notes.append(Problem(one.name, _UNUSED))


def _cluster_of(group: Mapping[str, object]) -> CloudId | None:
    return cluster_in(str(group.get("nodegroupArn")))


def _node_groups(found: _Found, run: CommandRun) -> Iterator[NodeGroup]:
    """Node groups, with what is known of their launch templates. What cannot be read is a problem of `run`."""
    for raw, file in found.groups:
        try:
            yield node_group(raw, found.templates)
        except PodError as wrong:
            run.problems.append(Problem(file, f"node group `{raw.get('nodegroupName')}`: {wrong}"))


def _add(found: _Found, one: ExportDocument, file: Path, expected: str | None) -> None:
    """Adds what is in use in one document; `expected` names what is recognized, or is `None` if the document has been."""
    if not one.stock and one.nodes is None and expected is not None:
        raise ValueError(expected)
    _add_stock(found, one.stock, file)
    for node in map(_node, one.nodes if one.nodes is not None else ()):
        if node[0]:
            found.nodes[node[0]] = node
            found.files.setdefault(node[0], shown(file))


def _add_stock(found: _Found, stock: ExistingQuotas, file: Path) -> None:
    if stock.invalid:
        raise ValueError(stock.invalid)
    quotas = _at(stock.usage, file, found.places) if stock.usage is not None else stock.quotas
    found.quotas.update(quotas if quotas is not None else {})
    found.subnets.update(stock.subnets if stock.subnets is not None else {})


def _node(raw: Mapping[str, object]) -> NodeEntry:
    cpus = mapping(mapping(raw.get("status")).get("capacity")).get("cpu", 0)
    return text_in(raw.get("spec"), "providerID"), labels_in(mapping(raw.get("metadata"))), thousandths(cpus, "status.capacity.cpu") // 1000


def _at(usage: Mapping[str, Stock], file: Path, places: Sequence[Place]) -> dict[Counter, Stock]:
    """Usage at the only place of clusters, or at the one that the name of the file or of its folder contains: it can be of none of them."""
    words, own = (set(re.split(r"[^a-z0-9]+", name.lower())) for name in (str(file), file.stem))
    named = [place for place in places if place[0] in words]
    elsewhere = sorted(own & azure_regions().names)
    if not named and len(elsewhere) == 1:
        return {existing_usage.counter(name, elsewhere[0], None): stock for name, stock in usage.items()}
    of_account = [place for place in named if place[1] is not None and place[1].lower() in str(file).lower()]
    fitting = places if len(places) == 1 else of_account if len(named) > 1 else named
    if len(fitting) != 1:
        regions = ", ".join(sorted({f"`{region}`" for region, _ in places}))
        several = f"the clusters are in {regions}" if places else "there is no AKS cluster"
        message = (
            f"the output of `az vm list-usage` names no region, and {several}: "
            "put the region into the name of the file, such as `westeurope.json`, and with several subscriptions the id of the subscription"
        )
        raise ValueError(message)
    [(region, account)] = fitting
    return {existing_usage.counter(name, region, account): stock for name, stock in usage.items()}


def _with_own(found: _Found) -> dict[Counter, Stock]:
    """Quotas with what the nodes of the clusters use of them."""
    running = list(existing_usage.running(list(found.nodes.values())))
    return {key: _own(key, stock, running) for key, stock in found.quotas.items()}


def _own(key: Counter, stock: Stock, running: Iterable[tuple[Counter, int]]) -> Stock:
    own = sum(_matching(key, running))
    return Stock(stock.limit, stock.used, Amount(own, None)) if own else stock


def _matching(key: Counter, running: Iterable[tuple[Counter, int]]) -> Iterator[int]:
    for of, cpus in running:
        same = (of.what, of.name, of.region) == (key.what, key.name, key.region)
        if same and (key.account is None or of.account == key.account):
            yield cpus
