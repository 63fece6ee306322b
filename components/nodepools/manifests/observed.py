"""Pools as a cluster holds them: Node and NodePool objects, as kubectl prints them, in place of a declaration."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from nodepools.manifests.node_pool import AKS_NODE_CLASS, EKS_NODE_CLASS
from nodepools.manifests.read import UnreadableObjectError, read_node_pool
from nodepools.manifests.text import TextError, parse_all
from nodepools.model.aks.provisioning import AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.kubernetes.written import PodError, entries, mapping, text
from nodepools.placement.catalog import Pools
from nodepools.placement.clouds import CAPACITY, aks_cloud, eks_cloud
from nodepools.placement.nodes import CORDONED, Nodes
from nodepools.placement.provisioned import Choices, Provisioned
from nodepools.placement.types import Bounds

_GROUPS = {
    EKS_NODE_CLASS.group: (EKS_NODE_CLASS, EksNodePool, eks_cloud),
    AKS_NODE_CLASS.group: (AKS_NODE_CLASS, AksNodePool, aks_cloud),
}
_PASSING = frozenset(
    {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "node.cloudprovider.kubernetes.io/uninitialized", CORDONED.key}
)
"""Taints of a state that passes; that a node is cordoned is read from its `spec.unschedulable`."""
_CLASS_LABELS = {EKS_NODE_CLASS.group: "eks.amazonaws.com/nodeclass", AKS_NODE_CLASS.group: "karpenter.azure.com/aksnodeclass"}


def observed(files: Iterable[tuple[str, str]]) -> Pools:
    """The pools in files, each given as its text and its name.

    Raises:
        TextError: one cannot be read, or holds a NodePool that is none.
    """
    objects = [(raw, name) for written, name in files for document in parse_all(written, name) for raw in _objects(document, name)]
    try:
        nodes = tuple(_node(raw) for raw, _ in objects if raw.get("kind") == "Node")
        places = tuple(_place(raw, name) for raw, name in objects if raw.get("kind") == "NodePool")
    except PodError as wrong:
        raise TextError(f"{objects[0][1]}: {wrong}") from None
    if not nodes and not places:
        raise TextError("--pools: there is no Node and no NodePool in it")
    return Pools(None, nodes, places)


def _objects(document: object, name: str) -> Iterator[Mapping[str, object]]:
    if document is None:
        return
    if not isinstance(document, Mapping):
        raise TextError(f"{name}: should hold Kubernetes objects, not {document!r:.60}")
    raw = cast("Mapping[str, object]", document)
    kind = str(raw.get("kind"))
    if kind.endswith("List"):
        for item in entries(raw, "items"):
            yield item if "kind" in item else {"kind": kind.removesuffix("List"), **item}
    else:
        yield raw


def _node(raw: Mapping[str, object]) -> Nodes:
    metadata, spec, status = mapping(raw, "metadata"), mapping(raw, "spec"), mapping(raw, "status")
    name = text(metadata.get("name"), "name")
    has = {key: thousandths(value, key) for key, value in mapping(status, "allocatable").items()}
    return Nodes(
        name,
        ({key: text(value, key) for key, value in mapping(metadata, "labels").items()},),
        tuple(taint for taint in (_taint(one) for one in entries(spec, "taints")) if taint.key not in _PASSING),
        {key: Bounds(amount, amount) for key, amount in has.items()} if has else None,
        size=name,
        max_pods=has["pods"] // 1000 if "pods" in has else None,
        names=frozenset({name}),
        cordoned=spec.get("unschedulable") is True,
    )


def _taint(raw: Mapping[str, object]) -> Taint:
    return Taint.model_validate({"key": raw.get("key"), "value": text(raw.get("value"), "value"), "effect": raw.get("effect")})


def _place(raw: Mapping[str, object], file: str) -> Provisioned:
    spec, metadata = mapping(raw, "spec"), mapping(raw, "metadata")
    template = mapping(spec, "template")
    group = text(mapping(mapping(template, "spec"), "nodeClassRef").get("group"), "group")
    if group not in _GROUPS:
        known = ", ".join(_GROUPS)
        raise TextError(f"{file}: NodePool/{metadata.get('name')}: its node class is of {group or 'no group'}; known are {known}")
    kind, model, cloud = _GROUPS[group]
    try:
        name, pool = read_node_pool(raw, cast("type[NodePool]", model), kind)
    except UnreadableObjectError as wrong:
        raise TextError(f"{file}: NodePool/{metadata.get('name')}: {wrong.faults[0].path}: {wrong.faults[0].message}") from None
    labels = {key: text(value, key) for key, value in mapping(mapping(template, "metadata"), "labels").items()}
    own = {_CLASS_LABELS[group]: pool.node_class if pool.node_class is not None else "default"}
    capacities = Choices(frozenset({"on-demand", "spot"}), lambda value: value == "reserved")
    return Provisioned(name, name, cloud(), pool, labels, own, {CAPACITY: capacities})
