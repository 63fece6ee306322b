"""NodePools and node classes as requests: inside a declared cluster, and as manifests and clusters have them."""

from collections.abc import Mapping
from typing import Final

from nodepools.clouds.change import AKS_NODE_CLASS as AKS_CLASS_TYPE
from nodepools.clouds.change import CLASS, CLUSTER, NODE_POOL, OUTPUT, POOL, Key, Request, ResourceName
from nodepools.clouds.change import EKS_NODE_CLASS as EKS_CLASS_TYPE
from nodepools.model.karpenter import NodePool
from nodepools.model.ref import SecretValue, is_output
from nodepools.model.steps import Steps, mapping, without_nulls
from nodepools.model.values import dataclass
from nodepools.wire.aks import node_class as aks
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks import node_class as eks
from nodepools.wire.eks.ec2_node_class import NODE_CLASS as EC2_CLASS
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS, ClassKind, ObjectContext, node_pool_table
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.paths import value_at
from nodepools.wire.reading import write
from nodepools.wire.table import Table, Written

_CLASSES: Final = {AKS_NODE_CLASS: AKS_CLASS, EKS_NODE_CLASS: EKS_CLASS, EC2_NODE_CLASS: EC2_CLASS}
_BY_KIND: Final = {found.kind: found for found in _CLASSES}
_POOLS: Final = {found.kind: node_pool_table(found) for found in _CLASSES}
_USER_DATA: Final = "userData"
_DEFAULTS: Final[Mapping[str, object]] = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s", "budgets": [{"nodes": "10%"}]}
"""Defaults of the NodePool CRD, which objects of a running cluster contain. The policy of EKS Auto Mode depends on the version of the cluster: it is
`Balanced` for NodePools that are created from 1.37 on."""


def object_request(manifest: Mapping[str, object], cluster: str = "") -> Request | None:
    """A NodePool or a node class; `None` for other objects."""
    name, kind = mapping(manifest.get("metadata")).get("name"), str(manifest.get("kind"))
    spec = mapping(without_nulls(manifest.get("spec")))
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
        defaults = {name: value for name, value in _DEFAULTS.items() if kind_of_class != EKS_NODE_CLASS.kind or name != "consolidationPolicy"}
        sent = {**spec, "disruption": {**defaults, **mapping(spec.get("disruption"))}}
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


@dataclass(frozen=True, slots=True)
class CloudKinds:
    """What differs between the objects of the clouds."""

    kind: ClassKind
    type: str
    table: Table


AKS: Final = CloudKinds(AKS_NODE_CLASS, AKS_CLASS_TYPE, aks.NODE_CLASS)
EKS: Final = CloudKinds(EKS_NODE_CLASS, EKS_CLASS_TYPE, eks.NODE_CLASS)


@dataclass(frozen=True, slots=True)
class Site:
    """A cluster of a platform."""

    stem: str
    """Prefix of the names of its resources."""
    key: str

    @property
    def steps(self) -> Steps:
        """Its path in the platform."""
        return ("clusters", self.key)

    @property
    def cluster(self) -> Key:
        """The key of its own request."""
        return (self.key, CLUSTER, "")


def resolved(value: object) -> object:
    """A reference as it is compared: all outputs of resources count as equal, because their values are unknown here."""
    return OUTPUT if is_output(value) else value


def pool_request(site: Site, steps: Steps, pool: NodePool, cloud: CloudKinds, class_name: str | None = None) -> Request:
    """A NodePool as it is applied; the last of `steps` is its name. `class_name` is the name of its node class, if it differs from the key."""
    name = str(steps[-1])
    table = node_pool_table(cloud.kind)
    sent = merge_overrides(write(table, pool, ObjectContext(name, class_name), resolve=resolved), pool.overrides)
    needs = frozenset({site.cluster, *([(site.key, CLASS, pool.node_class)] if pool.node_class is not None else [])})
    resource = ResourceName(NODE_POOL, f"{site.stem}-{name}")
    return Request((site.key, POOL, name), f"{site.key}/{name}", (*site.steps, *steps), resource, table, sent, needs=needs)


def class_request(site: Site, steps: Steps, name: str, cloud: CloudKinds, sent: Written) -> Request:
    """A node class. `name` is its name in the cluster, its key is in `steps` after `node_classes`."""
    key = tuple(map(str, steps[2:]))
    resource = ResourceName(cloud.type, f"{site.stem}-{name}")
    at, needs = "/".join((site.key, *key)), frozenset({site.cluster})
    return Request((site.key, CLASS, *key), at, (*site.steps, *steps), resource, cloud.table, sent, needs=needs)
