"""What a change of a cluster and of its network does, and where that is documented."""

from typing import Final

from nodepools.wire.effects import Change, Effect

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_NETWORKS: Final = "https://learn.microsoft.com/azure/virtual-network"
_DISRUPTIONS: Final = f"{_PAGES}/node-disruption-policy"
_TRAPS: Final = "docs/facts/aks.md § 4"
_FORCED: Final = "hashicorp/terraform-provider-azurerm, kubernetes_cluster: ForceNew"

OURS: Final = Change(Effect.NONE, "no argument has it")
BESIDE: Final = Change(Effect.NONE, "nothing of the cluster: resources of their own say it, and their tables what a change does")
PATH: Final = Change(Effect.REPLACES, "a part of the resource's path")
REPLACED: Final = Change(Effect.REPLACES, f"{_TRAPS}: G7, the provider deletes the cluster and creates another")
IN_PLACE: Final = Change(Effect.IN_PLACE, f"{_DISRUPTIONS}: nodes stay")
KEPT: Final = Change(Effect.IN_PLACE, f"{_DISRUPTIONS}: nodes stay; {_TRAPS}: G19, AKS keeps what is no longer sent", kept=True)
CREATED_WITH: Final = Change(Effect.REFUSED, _FORCED)
VERSION: Final = Change(Effect.IN_PLACE, f"{_PAGES}/upgrade-aks-control-plane: the control plane; Karpenter replaces the nodes of NodePools")
CHANNEL: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: to or from Unmanaged reimages all nodes, others none", kept=True)
ENTRA: Final = Change(Effect.REFUSED, f"{_PAGES}/enable-authentication-microsoft-entra-id: it cannot be turned off; on is in place")
PROVISIONING: Final = Change(Effect.REFUSED, f"{_PAGES}/node-auto-provisioning: off is refused while it has nodes; on is in place")
BUILT_IN: Final = Change(Effect.UNKNOWN, "docs/facts/aks.md § 3.2: from Auto to None, sources disagree whether the NodePools stay")
ISSUER: Final = Change(Effect.REFUSED, f"{_PAGES}/use-oidc-issuer: it cannot be turned off")
INTEGRATED: Final = Change(Effect.REFUSED, f"{_PAGES}/api-server-vnet-integration: off is refused; on reimages all nodes, after a stop and a start")
ZONE: Final = Change(Effect.UNKNOWN, f"{_DISRUPTIONS} says that it reimages all nodes; {_FORCED}", kept=True)
FAMILIES: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: to both families")
ADVANCED: Final = Change(Effect.REIMAGES, f"{_DISRUPTIONS}: acceleration by eBPF reimages all nodes, the rest none", kept=True)
PROXY: Final = Change(Effect.REIMAGES, "Azure/AKS release notes of 2025-04: all pools are reimaged")
CERTIFICATES: Final = PROXY
PRINCIPAL: Final = Change(Effect.REIMAGES, f"{_PAGES}/use-managed-identity: nodes take the new identity when they are reimaged")
ARTIFACTS: Final = Change(Effect.IN_PLACE_LATER, f"{_PAGES}/network-isolated: applied by the next upgrade of the node image")
UNKNOWN: Final = Change(Effect.UNKNOWN, "no source says")
WINDOW: Final = Change(Effect.IN_PLACE, "docs/facts/aks.md § 8: the configuration alone")
RANGE: Final = Change(Effect.REFUSED, f"{_NETWORKS}/manage-virtual-network: not while a subnet uses the range")
SUBNET_RANGE: Final = Change(Effect.REFUSED, f"{_NETWORKS}/virtual-network-manage-subnet: not while nodes are in it")
SUBNET_OF_POOLS: Final = Change(Effect.ROTATES, "docs/facts/aks.md § 2.10: the subnets of a pool are immutable, and a part of its name")
