"""What each effect means, as one sentence about the resource."""

from collections.abc import Mapping
from typing import Final

from nodepools.changes.request import CLUSTER, POOL, Request
from nodepools.wire.effects import Effect

_POOL: Final[Mapping[Effect, str]] = {
    Effect.NONE: "Nothing changes: the same value in another spelling or order, or a value that is not sent",
    Effect.IN_PLACE: "The pool is updated in place; its nodes stay",
    Effect.IN_PLACE_LATER: "The nodes get it at their next image upgrade, which does not start automatically",
    Effect.IN_PLACE_PODS: "The nodes stay; pods that do not tolerate the new `NoExecute` taint are evicted at once",
    Effect.REIMAGES: "Every node of the pool is drained and reimaged, in batches",
    Effect.ROTATES: "A pool under a new name is created, then the old one is deleted",
    Effect.ROLLS: "Karpenter replaces every node of the pool, within its disruption budgets",
    Effect.ROLLS_SOME: "Karpenter replaces the nodes that no longer meet it, within the disruption budgets",
    Effect.REMOVES_NODES: "Nodes are removed, and no disruption budget limits how many at a time",
    Effect.REPLACES: "Pulumi deletes the pool with its nodes, and creates it again",
    Effect.REFUSED: "The change is rejected: `pulumi up` fails",
    Effect.UNKNOWN: "The effect is not documented, or sources disagree",
}
_OTHER: Final[Mapping[Effect, str]] = {
    **_POOL,
    Effect.REIMAGES: "All nodes of all agent pools are drained and reimaged",
    Effect.ROLLS: "Karpenter replaces every node of the pools that use it, within their disruption budgets",
    Effect.ROLLS_SOME: "Karpenter replaces the nodes that no longer match, within the disruption budgets of their pools",
}
_CLUSTER_REPLACED: Final = "Pulumi deletes the cluster with all nodes and everything in it, and creates it again"
_REPLACED_WITH_NODE_POOLS: Final = (
    "Pulumi deletes the cluster with everything in it, and with NodePools one `up` fails (pulumi#14650): "
    "declare a second cluster under another key, move the workloads, remove this one"
)
KEPT: Final = "The cloud keeps the old value when the field is no longer sent: set the value that you want"
NOT_SENT: Final = "Pulumi ignores changes of this field after creation"
SCALED: Final = "Pulumi ignores it while the pool has an autoscaler"
LEFT_IDENTITY: Final = "AKS keeps the identity of the nodes; if `pulumi up` deletes it, nodes cannot pull images: keep `kubelet_identity`"
REIMAGED_WITH_NODE_POOLS: Final = "All nodes of agent pools are drained and reimaged, and Karpenter replaces those of NodePools within their budgets"
FIXED_NAME: Final = "The pool has a fixed name, so it cannot be rotated: remove `name`, or add a pool under another key"
SUBNETS: Final = "EKS rejects subnets of another VPC or other zones than those of its creation, and ids do not say where subnets are; nodes stay"
FIXED_ROLE: Final = "The role of a NodeClass is immutable, and its `name` is fixed: use another name"
EMPTY: Final = "An empty map, list or block that was absent before, or the reverse, changes Karpenter's hash: every node is replaced"
GROUPS: Final = "Karpenter replaces every node of the pools that use it if the terms select other security groups, and none otherwise"
SPOT_REIMAGED: Final = "Every node of the pool is reimaged; AKS does not drain spot nodes"
ALL_NODE_POOLS: Final = "The control plane is upgraded; then Karpenter replaces every node of the NodePools, within their disruption budgets"
CONTROL_PLANE: Final = "The control plane is upgraded; nodes stay"


def with_node_pools(sentence: str) -> str:
    """The reason of the replacement of a cluster that has NodePools. A reason of its own stays."""
    return _REPLACED_WITH_NODE_POOLS if sentence == _CLUSTER_REPLACED else f"{sentence}. {_REPLACED_WITH_NODE_POOLS}"


def reason(effect: Effect, request: Request) -> str:
    """The sentence for an effect on a resource."""
    if effect is Effect.REPLACES and request.subject == CLUSTER:
        return _CLUSTER_REPLACED
    if effect is Effect.REPLACES and request.subject != POOL:
        return f"Pulumi deletes the `{request.resource.type.rpartition(':')[2]}` and creates it again"
    if effect is Effect.IN_PLACE and request.subject != POOL:
        name = "cluster" if request.subject == CLUSTER else f"`{request.resource.type.rpartition(':')[2]}`"
        return f"The {name} is updated in place; nodes stay"
    return (_POOL if request.subject == POOL else _OTHER)[effect]
