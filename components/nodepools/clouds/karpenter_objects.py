"""Renders NodePools and node classes as objects. The caller resolves references, into values or outputs of Pulumi."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.ref import Ref
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL, ClassKind, ObjectContext, node_pool_table
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""

_READY: Final = {"pulumi.com/waitFor": "condition=Ready"}
"""Pulumi waits until the object is ready, not only until it is stored."""


def _as_it_is(value: object) -> object:
    return value


def node_pool(name: str, pool: NodePool, kind: ClassKind, node_class: object = None, resolve: Resolve = _as_it_is) -> dict[str, object]:
    """Returns a NodePool. `node_class` replaces the declared key of the node class, for example by an output that has its name."""
    spec = write(node_pool_table(kind), pool, ObjectContext(name, node_class), resolve=_as_it_is)
    return _object(NODE_POOL.api_version, NODE_POOL.kind, name, merge_overrides(spec, pool.overrides, resolve))


def eks_node_class(
    name: object,
    declared: EksNodeClass,
    resolve: Resolve,
    *,
    role: object,
    subnets: Sequence[Mapping[str, object]],
    security_groups: Sequence[Mapping[str, object]],
) -> dict[str, object]:
    """Returns a NodeClass. `role`, `subnets` and `security_groups` are those of the cluster, for a declared class without them."""
    spec = write(eks.NODE_CLASS, declared, eks.NodeClassContext(role, subnets, security_groups), resolve=resolve)
    return _object(EKS_NODE_CLASS.api_version, EKS_NODE_CLASS.kind, name, merge_overrides(spec, declared.overrides, resolve))


def aks_node_class(name: str, declared: AksNodeClass, resolve: Resolve) -> dict[str, object]:
    """Returns an AKSNodeClass."""
    spec = write(aks.NODE_CLASS, declared, resolve=resolve)
    return _object(AKS_NODE_CLASS.api_version, AKS_NODE_CLASS.kind, name, merge_overrides(spec, declared.overrides, resolve))


def _object(api_version: str, kind: str, name: object, spec: Mapping[str, object]) -> dict[str, object]:
    """Returns an object without a namespace that Pulumi waits for."""
    metadata = {"name": name, "annotations": dict(_READY)}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}
