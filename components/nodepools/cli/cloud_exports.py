"""`--from`: what exists and what is in use, in files that the CLIs of the clouds and kubectl print. Each is recognized by its content."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from nodepools.adoption.exports import NotExportError
from nodepools.adoption.read_exports import Exports
from nodepools.changes.plain_data import mapping
from nodepools.cli import aks_exports, eks_exports
from nodepools.cli.aks_exports import Place
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.export_values import list_of, text_in
from nodepools.cli.file_search import files
from nodepools.cli.input_files import text
from nodepools.cli.problem import Problem
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform
from nodepools.needs.amounts import Amount
from nodepools.needs.counters import Counter
from nodepools.needs.stock import Observed, Stock, SubnetStock
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import Document, documents

_RECOGNIZED: Final = (
    "is not recognized: use the output of `az vm list-usage`, `az network vnet subnet list`, `aws service-quotas list-service-quotas`, "
    "`aws ec2 describe-subnets` or `kubectl get nodes`, as JSON or YAML"
)

_ALSO_RUNNING: Final = (
    "is not recognized: use the output of `az aks show`, `az aks nodepool list`, `aws eks describe-cluster`, "
    "`kubectl get nodes,pods,pdb,nodeclaims -A -o yaml`, or what `nodepools capacity --from` reads"
)
_UNUSED: Final = "has clusters, or objects inside them, which are not counted here: `nodepools diff` compares them with the declaration"
_places_of: Final[PerCloud[[], list[Place]]] = PerCloud(aks=aks_exports.places, eks=lambda _cluster: [])
"""The Azure regions of a cluster: Azure's usage names neither region nor subscription."""


@dataclass(frozen=True, slots=True)
class ExportedNode:
    """A node that runs now, or its NodeClaim."""

    labels: Mapping[str, str]
    file: str
    is_claim: bool = False


@dataclass(slots=True)
class _Found:
    quotas: dict[Counter, Stock] = field(default_factory=dict[Counter, Stock])
    subnets: dict[str, SubnetStock] = field(default_factory=dict[str, SubnetStock])
    nodes: dict[str, tuple[str, Mapping[str, str], int]] = field(default_factory=dict[str, tuple[str, Mapping[str, str], int]])
    """By provider id: a node that is in two files is one node."""
    claims: dict[str, ExportedNode] = field(default_factory=dict[str, ExportedNode])
    """By uid."""
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The file of each node, by provider id."""


def read_exports(inputs: Inputs, platforms: Iterable[Platform], run: CommandRun) -> Observed:
    """Reads all exports. What cannot be read or is not recognized is a problem of `run`."""
    return read_exports_and_nodes(inputs, platforms, run)[0]


def read_exports_and_nodes(
    inputs: Inputs, platforms: Iterable[Platform], run: CommandRun, more: Callable[[Document, str], bool] | None = None
) -> tuple[Observed, list[ExportedNode]]:
    """The same, with the nodes. `more` recognizes further documents, or returns false."""
    places = list(dict.fromkeys(place for platform in platforms for cluster in platform.clusters.values() for place in _places_of(cluster)))
    found, expected = _Found(), _RECOGNIZED if more is None else _ALSO_RUNNING
    for file in files(inputs, run):
        try:
            read = list(documents(text(file), str(file)))
            if not read:
                run.problems.append(Problem(str(file), expected))
            for document in read:
                known = more is not None and more(document, str(file))
                value = document.value
                claims = _claims(value, str(file))
                found.claims.update(claims)
                if not _is_of_cluster(value) or is_stock(value) or _nodes(value) is not None:
                    _add(found, value, file, places, None if known else expected)
                elif not known and not claims:
                    run.notes.append(Problem(str(file), _UNUSED))
        except TextError as error:
            run.problems.append(Problem.of(str(error), str(file)))
        except (ValueError, PodError) as error:
            run.problems.append(Problem(str(file), str(error)))
    nodes = [ExportedNode(labels, found.files[provider_id]) for provider_id, (_, labels, _) in found.nodes.items()]
    return Observed(_with_own(found), found.subnets), [*nodes, *found.claims.values()]


def is_stock(value: object) -> bool:
    """The document has usage, quotas or subnets, and no cluster."""
    try:
        readers = (aks_exports.usage, aks_exports.subnets, eks_exports.quotas, eks_exports.subnets)
        return any(read(value) is not None for read in readers)
    except ValueError:
        return True


def _is_of_cluster(value: object) -> bool:
    """The document has clusters, or what is in them."""
    try:
        Exports().add(value, "")
    except NotExportError:
        return False
    return value != []


def _add(found: _Found, value: object, file: Path, places: Sequence[Place], expected: str | None) -> None:
    """Adds one document; `expected` names what is recognized, or is `None` if the document has been.

    Raises:
        ValueError: it is not recognized, or invalid.
    """
    usage = aks_exports.usage(value)
    quotas = _at(usage, file, places) if usage is not None else eks_exports.quotas(value)
    subnets = _first(value, aks_exports.subnets, eks_exports.subnets)
    nodes = _nodes(value)
    if quotas is None and subnets is None and nodes is None and expected is not None:
        raise ValueError(expected)
    found.quotas.update(quotas if quotas is not None else {})
    found.subnets.update(subnets if subnets is not None else {})
    for node in nodes if nodes is not None else ():
        if node[0]:
            found.nodes[node[0]] = node
            found.files.setdefault(node[0], str(file))


def _first(value: object, *readers: Callable[[object], Mapping[str, SubnetStock] | None]) -> Mapping[str, SubnetStock] | None:
    return next((read for reader in readers if (read := reader(value)) is not None), None)


def _at(usage: Mapping[str, Stock], file: Path, places: Sequence[Place]) -> dict[Counter, Stock]:
    """Usage at the only place of clusters, or at the one that the name of the file or of its folder contains."""
    words = set(re.split(r"[^a-z0-9]+", str(file).lower()))
    named = [place for place in places if place[0] in words]
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
    return {aks_exports.counter(name, region, account): stock for name, stock in usage.items()}


def _nodes(value: object) -> list[tuple[str, Mapping[str, str], int]] | None:
    """Nodes with their provider ids, labels and vCPUs."""
    if not isinstance(value, Mapping):
        return None
    raw = cast("Mapping[str, object]", value)
    if raw.get("kind") == "Node":
        return [_node(raw)]
    listed = [cast("Mapping[str, object]", item) for item in list_of(raw.get("items")) if isinstance(item, Mapping)]
    of_nodes = raw.get("kind") == "NodeList"
    found = [_node(item) for item in listed if of_nodes or item.get("kind") == "Node"]
    return found if found or of_nodes else None


def _node(raw: Mapping[str, object]) -> tuple[str, Mapping[str, str], int]:
    metadata, status = raw.get("metadata"), raw.get("status")
    labels = cast("Mapping[str, object]", metadata).get("labels") if isinstance(metadata, Mapping) else None
    capacity = cast("Mapping[str, object]", status).get("capacity") if isinstance(status, Mapping) else None
    cpus = cast("Mapping[str, object]", capacity).get("cpu", 0) if isinstance(capacity, Mapping) else 0
    known = {key: str(label) for key, label in cast("Mapping[str, object]", labels).items()} if isinstance(labels, Mapping) else {}
    return text_in(raw.get("spec"), "providerID"), known, thousandths(cpus, "status.capacity.cpu") // 1000


def _claims(value: object, file: str) -> dict[str, ExportedNode]:
    """NodeClaims by uid, with their labels."""
    items = [mapping(value), *map(mapping, list_of(mapping(value).get("items")))]
    found = [mapping(item.get("metadata")) for item in items if item.get("kind") == "NodeClaim"]
    return {str(metadata.get("uid", metadata.get("name"))): ExportedNode(_labels(metadata), file, is_claim=True) for metadata in found}


def _labels(metadata: Mapping[str, object]) -> Mapping[str, str]:
    return {key: str(label) for key, label in mapping(metadata.get("labels")).items()}


def _with_own(found: _Found) -> dict[Counter, Stock]:
    """Quotas with what the nodes of the clusters use of them."""
    running = list(aks_exports.running(list(found.nodes.values())))
    return {key: _own(key, stock, running) for key, stock in found.quotas.items()}


def _own(key: Counter, stock: Stock, running: Iterable[tuple[Counter, int]]) -> Stock:
    own = sum(_matching(key, running))
    return Stock(stock.limit, stock.used, Amount(own, None)) if own else stock


def _matching(key: Counter, running: Iterable[tuple[Counter, int]]) -> Iterator[int]:
    for of, cpus in running:
        same = (of.what, of.name, of.region) == (key.what, key.name, key.region)
        if same and (key.account is None or of.account == key.account):
            yield cpus
