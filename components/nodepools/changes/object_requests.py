"""NodePools and node classes as manifests and clusters have them."""

from collections.abc import Mapping
from typing import Final

from nodepools.clouds.change import ResourceName
from nodepools.clouds.request import CLASS, CLUSTER, POOL, Key, Request
from nodepools.model.plain_data import mapping
from nodepools.model.secret import SecretValue
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.ec2_node_class import NODE_CLASS as EC2_CLASS
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.paths import value_at

_CLASSES: Final = {AKS_NODE_CLASS: AKS_CLASS, EKS_NODE_CLASS: EKS_CLASS, EC2_NODE_CLASS: EC2_CLASS}
_BY_KIND: Final = {found.kind: found for found in _CLASSES}
_POOLS: Final = {found.kind: node_pool_table(found) for found in _CLASSES}
_USER_DATA: Final = "userData"
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
        kind_of_class = str(reference.get("kind"))
        needs = frozenset({_class_key(cluster, kind_of_class, str(reference.get("name"))), (cluster, CLUSTER, "")})
        table = _POOLS.get(kind_of_class, _POOLS[AKS_NODE_CLASS.kind])
        sent = {**spec, "disruption": {**_DEFAULTS, **mapping(spec.get("disruption"))}}
        return Request((cluster, POOL, name), at, steps, resource, table, sent, needs=needs, is_manifest=True)
    known = _BY_KIND.get(kind)
    if known is None or version.partition("/")[0] != known.group:
        return None
    key = _class_key(cluster, kind, name)
    needs = frozenset({(cluster, CLUSTER, "")})
    return Request(key, at, steps, resource, _CLASSES[known], _without_secrets(spec), needs=needs, is_manifest=True)


def _class_key(cluster: str, kind: str, name: str) -> Key:
    """A NodeClass and an EC2NodeClass of one cluster can have the same name."""
    return (cluster, CLASS, f"{kind}/{name}" if kind == EC2_NODE_CLASS.kind else name)


def _without_secrets(spec: Mapping[str, object]) -> Mapping[str, object]:
    """User data can contain credentials."""
    held = spec.get(_USER_DATA)
    return {**spec, _USER_DATA: SecretValue(held)} if isinstance(held, str) else spec


def as_object(request: Request, stem: str) -> Request:
    """The object of a request as a manifest has it, with the defaults of its CRD. Names in Pulumi begin with `stem`."""
    name = request.key[2] if request.subject == POOL else request.resource.name.removeprefix(f"{stem}-")
    version, _, kind = request.resource.type.removeprefix("kubernetes:").rpartition(":")
    made = object_request({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": request.sent})
    return made if made is not None else request
