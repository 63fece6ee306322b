"""NodePools and node classes as manifests and clusters have them."""

from collections.abc import Mapping
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.plain_data import mapping
from nodepools.changes.request import CLASS, CLUSTER, POOL, Request
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.paths import value_at

_OF_AKS, _OF_EKS = node_pool_table(AKS_NODE_CLASS), node_pool_table(EKS_NODE_CLASS)
_CLASSES: Final = {AKS_NODE_CLASS.kind: AKS_CLASS, EKS_NODE_CLASS.kind: EKS_CLASS}
_DEFAULTS: Final[Mapping[str, object]] = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s", "budgets": [{"nodes": "10%"}]}
"""Defaults of the NodePool CRD, which objects of a running cluster contain."""


def object_request(manifest: Mapping[str, object], cluster: str = "") -> Request | None:
    """A NodePool or a node class; `None` for other objects."""
    name, kind = mapping(manifest.get("metadata")).get("name"), str(manifest.get("kind"))
    spec = mapping(manifest.get("spec"))
    version = str(manifest.get("apiVersion"))
    if not isinstance(name, str):
        return None
    at = f"{cluster}/{name}" if cluster else name
    resource = ResourceName(f"kubernetes:{version}:{kind}", name)
    steps = (kind, name, "spec")
    if kind == "NodePool" and version.startswith("karpenter.sh/"):
        reference = mapping(value_at(spec, ("template", "spec", "nodeClassRef")))
        needs = frozenset({(cluster, CLASS, str(reference.get("name"))), (cluster, CLUSTER, "")})
        table = _OF_EKS if reference.get("kind") == EKS_NODE_CLASS.kind else _OF_AKS
        sent = {**spec, "disruption": {**_DEFAULTS, **mapping(spec.get("disruption"))}}
        return Request((cluster, POOL, name), at, steps, resource, table, sent, needs=needs)
    if kind in _CLASSES and version.partition("/")[0] in ("eks.amazonaws.com", "karpenter.azure.com"):
        return Request((cluster, CLASS, name), at, steps, resource, _CLASSES[kind], spec, needs=frozenset({(cluster, CLUSTER, "")}))
    return None


def as_object(request: Request, stem: str) -> Request:
    """The object of a request as a manifest has it, with the defaults of its CRD. Names in Pulumi begin with `stem`."""
    name = request.key[2] if request.subject == POOL else request.resource.name.removeprefix(f"{stem}-")
    version, _, kind = request.resource.type.removeprefix("kubernetes:").rpartition(":")
    made = object_request({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": request.sent})
    return made if made is not None else request
