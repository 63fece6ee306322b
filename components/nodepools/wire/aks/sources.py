"""Effects of changes of a cluster and its network, with their sources."""

from typing import Final

from nodepools.wire.table import Change, Effect

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_NETWORKS: Final = "https://learn.microsoft.com/azure/virtual-network"
_DISRUPTIONS: Final = f"{_PAGES}/node-disruption-policy"
_TRAPS: Final = "docs/facts/aks.md § 4"
_FORCED: Final = "hashicorp/terraform-provider-azurerm, kubernetes_cluster: ForceNew"

_SECOND: Final = "declare a second cluster with it under another key, move the workloads, and remove this one"
_UPGRADES: Final = "AKS upgrades by one minor version at a time, and never to a lower version: declare the next minor version, apply it, then go on"
OURS: Final = Change(Effect.NONE, "not sent")
SEPARATE: Final = Change(Effect.NONE, "sent by resources of their own, whose tables have the effect")
PATH: Final = Change(Effect.REPLACES, "part of the resource's path")
PACKAGE: Final = Change(
    Effect.UNKNOWN,
    "docs/guides/api-versions.md: Pulumi asks azure-native whether another package replaces a resource, and its answer has not been tried with Azure",
)
REPLACED: Final = Change(Effect.REPLACES, f"{_TRAPS}: G7, the provider deletes the cluster and creates another")
IN_PLACE: Final = Change(Effect.IN_PLACE, f"{_DISRUPTIONS}: nodes stay")
KEPT: Final = Change(Effect.IN_PLACE, f"{_DISRUPTIONS}: nodes stay; {_TRAPS}: G19, AKS keeps a value that is no longer sent", kept=True)
CREATED_WITH: Final = Change(Effect.REFUSED, _FORCED, refused=f"AKS rejects it: it is decided when a cluster is created. Instead, {_SECOND}")
_MIGRATION: Final = f"{_PAGES}/automatic/aks-automatic-sku-migration, read 2026-11-29"
SKU: Final = Change(
    Effect.REFUSED, f"{_MIGRATION}: only from Automatic to Base", refused=f"AKS supports no change to `Automatic`. Instead, {_SECOND}"
)
HOSTED: Final = Change(
    Effect.REFUSED,
    f"{_MIGRATION}: cannot be turned off; turned on by a preview feature of the subscription",
    refused="AKS supports it only with `sku`: declare a `SystemPool` in `pools`, apply it, then set `sku` to `Base`",
)
VERSION: Final = Change(
    Effect.IN_PLACE, f"{_PAGES}/upgrade-aks-control-plane: the control plane; Karpenter replaces the nodes of NodePools", refused=_UPGRADES
)
UPGRADED: Final = Change(Effect.REIMAGES, f"{_PAGES}/upgrade-aks-cluster: nodes are drained and reimaged", refused=_UPGRADES)
CHANNEL: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: a change to or from Unmanaged reimages all nodes, others none", kept=True)
ENTRA: Final = Change(
    Effect.REFUSED,
    f"{_PAGES}/enable-authentication-microsoft-entra-id: cannot be turned off; turned on in place",
    refused="AKS rejects it: Entra ID cannot be turned off again. Keep `entra`",
)
PROVISIONING: Final = Change(
    Effect.REFUSED,
    f"{_PAGES}/node-auto-provisioning: cannot be turned off while it has nodes; turned on in place",
    refused="AKS rejects it while node auto provisioning has nodes: first remove its NodePools, and turn it off when their nodes are gone",
)
BUILT_IN: Final = Change(Effect.UNKNOWN, "docs/facts/aks.md § 3.2: from Auto to None, sources disagree on whether the NodePools stay")
ISSUER: Final = Change(
    Effect.REFUSED,
    f"{_PAGES}/use-oidc-issuer: cannot be turned off",
    refused="AKS rejects it: the OIDC issuer cannot be turned off again. Keep `oidc_issuer`",
)
INTEGRATED: Final = Change(
    Effect.REFUSED,
    f"{_PAGES}/api-server-vnet-integration: cannot be turned off; turning it on reimages all nodes and requires a stop and start",
    refused=f"AKS rejects it: an API server stays in its subnet. Keep the subnet, or {_SECOND}",
)
ZONE: Final = Change(Effect.UNKNOWN, f"{_DISRUPTIONS}: reimages all nodes, in contradiction to {_FORCED}", kept=True)
FAMILIES: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: for a change to dual-stack")
ADVANCED: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: eBPF acceleration reimages all nodes, other settings none", kept=True)
PROXY: Final = Change(Effect.REIMAGES, "Azure/AKS release notes of 2025-04: all pools are reimaged")
CERTIFICATES: Final = PROXY
PRINCIPAL: Final = Change(Effect.REIMAGES, f"{_PAGES}/use-managed-identity: nodes get the new identity when they are reimaged")
ARTIFACTS: Final = Change(Effect.IN_PLACE_LATER, f"{_PAGES}/network-isolated: applied by the next upgrade of the node image", kept=True)
EGRESS: Final = Change(Effect.IN_PLACE, f"{_PAGES}/egress-outboundtype: nodes stay, connections break and the outbound address changes")
UNDOCUMENTED: Final = Change(Effect.UNKNOWN, "no source documents it")
WINDOW: Final = Change(Effect.IN_PLACE, "docs/facts/aks.md § 8: changes only the configuration")
_RANGED: Final = f"Azure rejects another range while nodes are in it. Keep the range, or {_SECOND}"
RANGE: Final = Change(Effect.REFUSED, f"{_NETWORKS}/manage-virtual-network: rejected while a subnet uses the range", refused=_RANGED)
SUBNET_RANGE: Final = Change(Effect.REFUSED, f"{_NETWORKS}/virtual-network-manage-subnet: rejected while nodes are in it", refused=_RANGED)
SUBNET_OF_POOLS: Final = Change(Effect.ROTATES, "docs/facts/aks.md § 2.10: the subnets of a pool are immutable, and part of its name")
