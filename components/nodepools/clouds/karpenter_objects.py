"""Renders NodePools and node classes as objects. The caller resolves references, into values or outputs of Pulumi."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksNodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import Headroom, NodePool
from nodepools.model.platform import AnyCluster
from nodepools.model.ref import Ref
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL, ClassKind, ObjectContext, node_pool_table
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write

Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""

_READY: Final = {"pulumi.com/waitFor": "condition=Ready"}
"""Pulumi waits until the object is ready, not only until it is stored."""
PLACEHOLDER: Final = "nodepools-headroom"
"""The priority of placeholder pods, and the name of their application."""


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


def headroom_objects(cluster: AnyCluster) -> Iterator[dict[str, object]]:
    """Yields what keeps the headroom of pools free: the priority of placeholder pods, then the objects of each pool.

    Pods of every other priority preempt the placeholders, which preempt none; the cluster autoscaler ignores priorities below -10 (its option
    `expendable-pods-priority-cutoff`). Pulumi does not wait for them: at the limits of the pool they stay Pending.
    """
    kept = [(key, pool, room) for _, key, pool in cluster.declared_pools() if (room := getattr(pool, "headroom", None)) is not None]
    if any(room.by == "placeholder-pods" for _, _, room in kept):
        yield {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": PLACEHOLDER},
            "value": -10,
            "globalDefault": False,
            "preemptionPolicy": "Never",
            "description": "Pods that keep room free for others",
        }
    for key, pool, room in kept:
        yield from _placeholders(key, pool, room) if room.by == "placeholder-pods" else _buffer(key, pool, room)


def _placeholders(key: str, pool: NodePool | AgentPool, room: Headroom) -> Iterator[dict[str, object]]:
    def labels() -> dict[str, str]:
        return {"app.kubernetes.io/name": PLACEHOLDER, "app.kubernetes.io/instance": key}

    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {**_named(key, room), "labels": labels(), "annotations": {"pulumi.com/skipAwait": "true"}},
        "spec": {
            "replicas": room.pods,
            "selector": {"matchLabels": labels()},
            "template": {"metadata": {"labels": labels()}, "spec": {"priorityClassName": PLACEHOLDER, **_pod(key, pool, room)}},
        },
    }


def _buffer(key: str, pool: NodePool | AgentPool, room: Headroom) -> Iterator[dict[str, object]]:
    metadata = _named(key, room)
    yield {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": {"spec": _pod(key, pool, room)}}
    spec = {"provisioningStrategy": "buffer.x-k8s.io/active-capacity", "podTemplateRef": {"name": metadata["name"]}, "replicas": room.pods}
    yield {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer", "metadata": metadata, "spec": spec}


def _named(key: str, room: Headroom) -> dict[str, object]:
    return {"name": f"headroom-{key}", "namespace": room.namespace}


def _pod(key: str, pool: NodePool | AgentPool, room: Headroom) -> dict[str, object]:
    """A pod that only nodes of the pool run. It meets the strictest Pod Security Standard."""
    requests = {name: str(each) for name, each in room.requests.items()}
    return {
        "nodeSelector": pool.selecting_label(key),
        **({"tolerations": [taint.toleration() for taint in pool.node_taints]} if pool.node_taints else {}),
        "terminationGracePeriodSeconds": 0,
        "automountServiceAccountToken": False,
        "securityContext": {"runAsNonRoot": True, "runAsUser": 65535, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "placeholder",
                "image": room.image,
                "resources": {"requests": requests, "limits": dict(requests)},
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "readOnlyRootFilesystem": True},
            }
        ],
    }


def _object(api_version: str, kind: str, name: object, spec: Mapping[str, object]) -> dict[str, object]:
    """Returns an object without a namespace that Pulumi waits for."""
    metadata = {"name": name, "annotations": dict(_READY)}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}
