"""`--from`: what exists and what is in use, in files that the CLIs of the clouds and kubectl print. Each is recognized by its content."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from nodepools.adoption.exports import Export, Kind
from nodepools.cli import aks_exports
from nodepools.cli.aks_exports import Place
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.export_document import ExportDocument, ExportedNode, export_document, labels_in
from nodepools.cli.export_values import text_in
from nodepools.cli.file_search import files
from nodepools.cli.input_files import shown, text
from nodepools.cli.problem import Problem
from nodepools.manifests.exported_agent_pools import agent_pools_in
from nodepools.manifests.exported_node_groups import Template, node_group, node_groups_in, templates_in
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.per_cloud import PerCloud
from nodepools.model.plain_data import mapping
from nodepools.model.platform import Platform
from nodepools.needs.amounts import Amount
from nodepools.needs.counters import Counter
from nodepools.needs.stock import Observed, Stock, SubnetStock
from nodepools.placement.exported_agent_pools import ExportedAgentPool
from nodepools.placement.node_groups import NodeGroup
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import Document, documents

_RECOGNIZED: Final = (
    "is not recognized: use the output of `az vm list-usage`, `az network vnet subnet list`, `aws service-quotas list-service-quotas`, "
    "`aws ec2 describe-subnets`, `az aks nodepool list`, `aws eks describe-nodegroup` or `kubectl get nodes`, as JSON or YAML"
)

_ALSO_RUNNING: Final = (
    "is not recognized: use the output of `az aks show`, `az aks nodepool list`, `aws eks describe-cluster`, "
    "`kubectl get nodes,pods,pdb,nodeclaims -A -o yaml`, or what `nodepools capacity --from` reads"
)
_UNUSED: Final = "has clusters, or objects inside them, which are not counted here: `nodepools diff` compares them with the declaration"
_places_of: Final[PerCloud[[], list[Place]]] = PerCloud(aks=aks_exports.places, eks=lambda _cluster: [])
"""The Azure regions of a cluster: Azure's usage names neither region nor subscription."""


NodeEntry: TypeAlias = tuple[str, Mapping[str, str], int]
"""Provider id, labels and vCPUs of a node."""


@dataclass(slots=True)
class _Found:
    quotas: dict[Counter, Stock] = field(default_factory=dict[Counter, Stock])
    subnets: dict[str, SubnetStock] = field(default_factory=dict[str, SubnetStock])
    nodes: dict[str, NodeEntry] = field(default_factory=dict[str, NodeEntry])
    """By provider id: a node that is in two files is one node."""
    groups: list[tuple[Mapping[str, object], str]] = field(default_factory=list[tuple[Mapping[str, object], str]])
    """Node groups with their files."""
    templates: list[Template] = field(default_factory=list[Template])
    azure: list[Export] = field(default_factory=list[Export])
    """Clusters and agent pools of AKS."""
    claims: dict[str, ExportedNode] = field(default_factory=dict[str, ExportedNode])
    """By uid."""
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The file of each node, by provider id."""


def read_exports(inputs: Inputs, platforms: Iterable[Platform], run: CommandRun) -> Observed:
    """Reads all exports. What cannot be read or is not recognized is a problem of `run`."""
    return read_exports_and_nodes(inputs, platforms, run)[0]


def read_exports_and_nodes(
    inputs: Inputs, platforms: Iterable[Platform], run: CommandRun, more: Callable[[Document, ExportDocument, str], bool] | None = None
) -> tuple[Observed, list[ExportedNode]]:
    """The same, with the nodes. `more` tells whether it has read a document too."""
    places = list(dict.fromkeys(place for platform in platforms for cluster in platform.clusters.values() for place in _places_of(cluster)))
    found, expected = _Found(), _RECOGNIZED if more is None else _ALSO_RUNNING
    for file in files(inputs, run):
        name = shown(file)
        try:
            read = list(documents(text(file), name))
            if not read:
                run.problems.append(Problem(name, expected))
            for document in read:
                groups, templates = node_groups_in(document.value), templates_in(document.value)
                found.groups.extend((raw, name) for raw in (groups if groups is not None else ()))
                found.templates.extend(templates if templates is not None else ())
                if templates is not None or groups is not None:
                    continue
                one = export_document(document.value, name)
                known = more is not None and more(document, one, name)
                if one.unreadable and not one.is_foreign:
                    run.problems.append(Problem(name, one.unreadable))
                    continue
                found.claims.update(one.claims)
                with_pools = [export for export in one.clusters.aks if export.kind is not Kind.CONFIGURATION]
                found.azure.extend(with_pools)
                if one.is_foreign or one.value == [] or one.stock or one.nodes is not None:
                    _add(found, one, file, places, None if known else expected)
                elif not known and not one.claims and not with_pools:
                    run.notes.append(Problem(name, _UNUSED))
        except TextError as error:
            run.problems.append(Problem.of(str(error), name))
        except (ValueError, PodError) as error:
            run.problems.append(Problem(name, str(error)))
    pools, groups = tuple(_agent_pools(found.azure, run)), tuple(_node_groups(found, run))
    nodes = [ExportedNode(labels, found.files[provider_id]) for provider_id, (_, labels, _) in found.nodes.items()]
    return Observed(_with_own(found), found.subnets, groups, pools), [*nodes, *found.claims.values()]


def _node_groups(found: _Found, run: CommandRun) -> Iterator[NodeGroup]:
    """Node groups, with what is known of their launch templates. What cannot be read is a problem of `run`."""
    for raw, file in found.groups:
        try:
            yield node_group(raw, found.templates)
        except PodError as wrong:
            run.problems.append(Problem(file, f"node group `{raw.get('nodegroupName')}`: {wrong}"))


def _agent_pools(found: Sequence[Export], run: CommandRun) -> Iterator[ExportedAgentPool]:
    """Agent pools. What cannot be read is a problem of `run`."""
    for written in agent_pools_in(found):
        try:
            yield written.read()
        except PodError as wrong:
            run.problems.append(Problem.of(str(wrong), written.source))


def _add(found: _Found, one: ExportDocument, file: Path, places: Sequence[Place], expected: str | None) -> None:
    """Adds what is in use in one document; `expected` names what is recognized, or is `None` if the document has been.

    Raises:
        ValueError: it is not recognized, or invalid.
    """
    stock = one.stock
    if stock.invalid:
        raise ValueError(stock.invalid)
    if not stock and one.nodes is None and expected is not None:
        raise ValueError(expected)
    quotas = _at(stock.usage, file, places) if stock.usage is not None else stock.quotas
    found.quotas.update(quotas if quotas is not None else {})
    found.subnets.update(stock.subnets if stock.subnets is not None else {})
    for node in map(_node, one.nodes if one.nodes is not None else ()):
        if node[0]:
            found.nodes[node[0]] = node
            found.files.setdefault(node[0], shown(file))


def _node(raw: Mapping[str, object]) -> NodeEntry:
    cpus = mapping(mapping(raw.get("status")).get("capacity")).get("cpu", 0)
    return text_in(raw.get("spec"), "providerID"), labels_in(mapping(raw.get("metadata"))), thousandths(cpus, "status.capacity.cpu") // 1000


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
