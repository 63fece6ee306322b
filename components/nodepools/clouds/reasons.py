"""What each effect means, as one sentence about the resource."""

from collections.abc import Mapping, Sequence
from typing import Final

from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, AKS_NODE_CLASS, AZURE_NETWORK, CLUSTER, EKS_CLUSTER, NODE_GROUP, POOL, Request
from nodepools.wire.table import Effect, Pattern

_POOL: Final[Mapping[Effect, str]] = {
    Effect.NONE: "Nothing changes: the same value in another spelling or order, or a value that is not sent",
    Effect.IGNORED: "Pulumi or the cloud keeps the old value",
    Effect.CREATES: "Pulumi creates it",
    Effect.IN_PLACE: "The pool is updated in place; its nodes stay",
    Effect.IN_PLACE_LATER: "The nodes get it at their next image upgrade, which does not start automatically",
    Effect.IN_PLACE_PODS: "The nodes stay; pods that do not tolerate the new `NoExecute` taint are evicted at once",
    Effect.REIMAGES: "Every node of the pool is drained and reimaged, in batches",
    Effect.ROTATES: "A pool under a new name is created, then the old one is deleted",
    Effect.ROLLS: "Karpenter replaces every node of the pool, within its disruption budgets",
    Effect.ROLLS_SOME: "Karpenter replaces the nodes that no longer meet it, within the disruption budgets",
    Effect.DELETES: "Pulumi deletes it",
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
CONSOLIDATED: Final = {
    "WhenEmpty": "The nodes stay; Karpenter then consolidates empty nodes only",
    "WhenEmptyOrUnderutilized": "The nodes stay; Karpenter then also moves pods off underutilized nodes, within the disruption budgets",
    "Balanced": "The nodes stay; Karpenter then moves pods off underutilized nodes only if the savings are worth it, within the disruption budgets",
}
"""By the new consolidation policy."""
KEPT: Final = "The cloud keeps the old value when the field is no longer sent: set the value that you want"
NO_EXTRA_EFFECT: Final = "No extra effect"
"""Begins the reasons of what is replaced because of another field."""
NOT_SENT: Final = "Pulumi ignores changes of this field after creation"
HIDDEN: Final = "Plans and encrypted states do not contain secrets: if this one is another, the effect is `{effect}`; compare the declarations"
SCALED: Final = "Pulumi ignores it while the pool has an autoscaler"
FEWER_NODES: Final = (
    "The autoscaler has given the pool {least} to {most} nodes: those above {count} are removed at once. `az aks nodepool show --query count` decides"
)
COUNT_UNKNOWN: Final = "The pool gets the declared number of nodes, and how many it has cannot be determined offline"
LEFT_IDENTITY: Final = "AKS keeps the identity of the nodes; if `pulumi up` deletes it, nodes cannot pull images: keep `kubelet_identity`"
REIMAGED_WITH_NODE_POOLS: Final = "All nodes of agent pools are drained and reimaged, and Karpenter replaces those of NodePools within their budgets"
FIXED_NAME: Final = "The pool has a fixed name, so it cannot be rotated: remove `name`, or add a pool under another key"
DELETED_FIRST: Final = "The pool has a fixed name, so Pulumi deletes it with its nodes before it creates the new one: remove `name` to rotate it"
GROUP_DELETED_FIRST: Final = (
    "The node group has a fixed name, so Pulumi deletes it with its nodes before it creates the new one: without `node_group_name`, it creates first"
)
GROUP_CREATED_FIRST: Final = "Pulumi creates a node group under another name, then deletes the old one with its nodes"
ADDED_TO_LIST: Final = (
    "AKS rejects a pool that is added to the list in a cluster (`A new agent pool was introduced`): declare it as a resource `agentPools`"
)
LEFT_LIST: Final = "It is not certain that AKS deletes a pool that leaves the list in its cluster: such pools have been seen to stay, unmanaged"
FIXED_IN_LIST: Final = "AKS rejects it for a pool in the list of its cluster: add a pool with it as a resource `agentPools`, and delete this one"
BY_LISTS: Final = "https://github.com/pulumi/pulumi-azure-native/issues/579 and 1686; docs/facts/aks.md § 2"
BY_SUPPORT: Final = (
    "AKS offers only versions that it supports, and upgrades a cluster whose version it no longer supports straight to one of them: "
    "`az aks get-upgrades` lists what this cluster accepts"
)
BY_VERSION: Final = "The version of Kubernetes decides: from 1.37 on AKS reimages the nodes, before they get it at their next image upgrade"
SKIPPED_VERSION: Final = "{cloud} upgrades by one minor version at a time: declare `{following}`, apply it, then go on"
LOWER_VERSION: Final = "{cloud} upgrades to no lower version: keep `{old}`"
LOWER_EKS: Final = "EKS takes the previous minor version for 7 days after an upgrade, and what `pulumi up` does with a lower version is not known"
TOO_LATE: Final = "EKS takes another upgrade policy only while the version has standard support: upgrade the cluster first"
_SUBNETS: Final = "EKS rejects subnets of another VPC or other zones than those of its creation, and ids do not say where subnets are; nodes stay"
FIXED_ROLE: Final = "The role of a NodeClass is immutable, and its `name` is fixed: use another name"
EMPTY: Final = "An empty map, list or block that was absent before, or the reverse, changes Karpenter's hash: every node is replaced"
GROUPS: Final = "Karpenter replaces every node of the pools that use it if the terms select other security groups, and none otherwise"
SPOT_REIMAGED: Final = "Every node of the pool is reimaged; AKS does not drain spot nodes"
LOST_RIGHTS: Final = (
    "AKS keeps the value, and Pulumi deletes the role of the identity on what it names, so the cluster fails to use it: "
    "turn it off or declare another value, and remove the field later"
)
SAME_WORD: Final = "Only capitals differ: whether AKS takes both as the same is not documented. Keep the spelling"
REPLACED_FOR_CAPITALS: Final = "Only capitals differ, and Pulumi compares them: it deletes the resource, and creates it again. Keep the spelling"
ROLLED_FOR_CAPITALS: Final = "Only capitals differ, and Karpenter compares them: it replaces every node of the pools that use it. Keep the spelling"
LEFT_LONG_SUPPORT: Final = (
    "AKS keeps long-term support when the plan is no longer sent, and requires the tier Premium for it: declare `support_plan=KubernetesOfficial`"
)
FIRST_OF_HOSTED: Final = "No source says what AKS does with the first system pool of a cluster whose system nodes it ran, or runs from then on"
MOVED_TO_BASE: Final = "AKS documents the change to `Base`, not what becomes of system nodes that it ran: see its guide on migration first"
NO_LONGER_SENT: Final = (
    "No longer sent: whether AKS keeps the old value, or reimages every node with its default, is not documented. Set the value that you want"
)
GRACE_PERIOD: Final = (
    "EKS may already have set `24h` where none is sent: then nothing changes; otherwise every node is replaced. "
    "`kubectl get nodepool -o yaml` decides"
)
OTHER_ORDER: Final = "The same values in another order: whether AKS reimages every node for it is not documented. Keep the order"
SAME_AMOUNT: Final = "The same amount: nothing changes if EKS compares amounts, and every node is replaced if it compares texts. Keep the spelling"
BY_CHANNEL: Final = (
    "The upgrade channel can already have upgraded the cluster further: then AKS rejects the version, or nothing changes. "
    "`az aks show --query currentKubernetesVersion` decides"
)
_FIRST_STAYS: Final = (
    ". The first system pool stays on its version, because AKS rejects it in the same request: after `pulumi up`, run "
    "`az aks nodepool upgrade --name {pool} --kubernetes-version {version}`"
)
ALL_NODE_POOLS: Final = "The control plane is upgraded; then Karpenter replaces every node of the NodePools, within their disruption budgets"
ROOM: Final = "Before, no replacement of a node had room: Karpenter now replaces the nodes that drifted in that time, within the disruption budgets"
CONTROL_PLANE: Final = "The control plane is upgraded; nodes stay"


_ALIAS: Final[Mapping[Effect, str]] = {
    Effect.UNKNOWN: "A minor version stands for its newest patch version when it was first used: nothing changes if that is this one, nodes are "
    "upgraded if it was lower, and AKS rejects a lower one. `az aks show --query currentKubernetesVersion` decides",
    Effect.NONE: "Nothing changes: AKS keeps the patch version of a cluster that is updated with its own minor version",
}
_VOLUMES: Final = "Nodes stay. {kind} volumes can no longer be attached, mounted or detached: pods with them hang when they start, move or end"
HURTS_PODS: Final[Mapping[str, str]] = {
    "storageProfile.diskCSIDriver.enabled": _VOLUMES.format(kind="Azure Disk"),
    "storageProfile.fileCSIDriver.enabled": _VOLUMES.format(kind="Azure Files"),
    "storageProfile.blobCSIDriver.enabled": _VOLUMES.format(kind="Azure Blob"),
    "storageProfile.snapshotController.enabled": "Nodes stay; volumes are no longer copied to snapshots, or created from them",
    "addonProfiles.azureKeyvaultSecretsProvider.enabled": "Nodes stay; pods that mount secrets of a vault no longer start",
    "serviceMeshProfile.mode": "Nodes stay; the mesh is deleted: traffic through its gateways stops, and proxies in pods get no certificates",
    "workloadAutoScalerProfile.keda.enabled": "Nodes stay; workloads with a ScaledObject are no longer scaled",
    "workloadAutoScalerProfile.verticalPodAutoscaler.enabled": "Nodes stay; workloads with a VerticalPodAutoscaler are no longer resized",
    "securityProfile.workloadIdentity.enabled": "Nodes stay; pods that start get no token of their workload identity, and have no access to Azure",
}
"""What pods lose if a service of an AKS cluster is turned off, by the place of its switch."""
BUILT_IN_GONE: Final = "EKS removes the nodes of {pools}, and no disruption budget limits how many at a time; other nodes stay"
_GROUP_REPLACED: Final = "EKS launches new nodes, then drains and terminates every node of the group, in batches"
_PARTICULAR: Final[Mapping[str, Mapping[str, Mapping[Effect, str]]]] = {
    AKS_CLUSTER: {
        "kubernetesVersion": _ALIAS,
        "identity.userAssignedIdentities": {
            Effect.IN_PLACE: "AKS gets a new identity, which Pulumi gives its roles first; nodes stay",
            Effect.UNKNOWN: "Nodes stay; an identity that Pulumi created is deleted with its roles. Unless the other one has the roles on the "
            "network, and on everything that the cluster uses, AKS rejects it, or load balancers, disks and new nodes fail: "
            "`az role assignment list --assignee` decides",
        },
        **{wire: {Effect.IN_PLACE_PODS: sentence} for wire, sentence in HURTS_PODS.items()},
    },
    AGENT_POOL: {"orchestratorVersion": _ALIAS},
    NODE_GROUP: {name: {Effect.REIMAGES: _GROUP_REPLACED} for name in ("version", "releaseVersion", "launchTemplate.version")},
    AZURE_NETWORK: {
        "addressSpace.addressPrefixes": {
            Effect.IN_PLACE: "The range grows; subnets and nodes stay. Networks that are peered with it must be synchronized",
            Effect.UNKNOWN: "Azure accepts a smaller range if every subnet is still in it, and rejects it otherwise",
        }
    },
    AKS_NODE_CLASS: {
        "vnetSubnetID": {
            Effect.UNKNOWN: "A change to another subnet is not supported: no node is created until it is changed back, and those that run may stay"
        }
    },
    EKS_CLUSTER: {
        "vpcConfig.subnetIds": dict.fromkeys(Effect, _SUBNETS),
        "encryptionConfig.provider.keyArn": {
            Effect.IGNORED: "The provider does not send another key: EKS goes on with the old one, so keep it declared"
        },
    },
}
"""Reasons of arguments for which the usual one does not say it all, by the type of the resource and the place of the argument."""


def particular(resource_type: str, wire: Pattern, effect: Effect) -> str:
    """The reason of an argument of its own; empty if it has none."""
    resource_type, wire = of_pool(resource_type, wire)
    return _PARTICULAR.get(resource_type, {}).get(".".join(map(str, wire)), {}).get(effect, "")


def of_pool(resource_type: str, wire: Pattern) -> tuple[str, Pattern]:
    """An argument of the first system pool, which is part of its cluster, as one of an agent pool."""
    is_first = resource_type == AKS_CLUSTER and wire[:1] == ("agentPoolProfiles",)
    return (AGENT_POOL, wire[2:]) if is_first else (resource_type, wire)


def first_stays(pool: object, version: object) -> str:
    """What remains to do after an upgrade of an AKS cluster."""
    return _FIRST_STAYS.format(pool=pool, version=version)


def no_room(pools: Sequence[str]) -> str:
    """Why Karpenter replaces no node of static NodePools."""
    named = " and ".join(f"`{pool}`" for pool in pools)
    return f"Nodes of {named} stay until they expire: `limits.nodes` leaves no room for a replacement, so raise it above `replicas`"


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


OTHER_PACKAGE: Final = (
    "Another package of azure-native sends the cluster, its pools and its maintenance configurations; aliases connect them with what exists. In "
    "simulated clouds nothing is replaced; with Azure it has not been tried: look at `pulumi preview` before `pulumi up`"
)
