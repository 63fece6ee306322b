"""What becomes of each field of a node class. One table for each kind of class and target; a field without a row there has a reason in `LEFT`.

Sources, read 2026-11-23: CRD of karpenter-provider-aws 1.15, EKS user guide (create-node-class, auto-migrate-karpenter, auto-networking, auto-kms),
CRD of karpenter-provider-azure 1.14. Facts: docs/facts/eks.md § 2, docs/facts/aks.md § 3.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.conversion.targets import Target
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS


@dataclass(frozen=True, slots=True)
class Left:
    """A field that a target does not have."""

    reason: str
    instead: str | None = None
    same: tuple[object, ...] = ()
    """Values that are what the target does anyway: they are not listed."""


Fields: TypeAlias = Mapping[str, tuple[str, ...] | Left | None]
"""By the field of the `spec`: its path in the target, why there is none, or `None` for a field that has a conversion of its own."""

_IMAGES: Final = Left(
    "nodes of Auto Mode run images that AWS selects and replaces: no other image can be used", "Run what the image contained as a DaemonSet"
)
_METADATA: Final = Left(
    "Auto Mode requires IMDSv2 and a hop limit of 1: pods cannot read instance metadata", "Give pods their permissions with EKS Pod Identity"
)
_TO_AUTO_MODE: Final[Fields] = {
    "role": None,
    "instanceProfile": None,
    "amiFamily": _IMAGES,
    "amiSelectorTerms": _IMAGES,
    "subnetSelectorTerms": ("subnetSelectorTerms",),
    "securityGroupSelectorTerms": ("securityGroupSelectorTerms",),
    "capacityReservationSelectorTerms": None,
    "associatePublicIPAddress": ("advancedNetworking", "associatePublicIPAddress"),
    "ipPrefixCount": Left("Auto Mode assigns IP prefixes itself"),
    "networkInterfaces": ("advancedNetworking", "networkInterfaces"),
    "connectionTracking": Left("Auto Mode has no such setting", "Nodes have EC2's default timeouts of tracked connections"),
    "placementGroupSelector": ("placementGroupSelector",),
    "blockDeviceMappings": None,
    "instanceStorePolicy": Left(
        "Auto Mode uses local disks itself: as one RAID 0 for ephemeral data if they are larger than ephemeralStorage.size",
        "Keep `ephemeralStorage.size` below the size of the local disks",
    ),
    "metadataOptions": _METADATA,
    "kubelet": Left("Auto Mode configures the kubelet; its nodes have at most 110 pods", "Remove what depends on these settings"),
    "userData": Left("nodes of Auto Mode run no user data", "Run what it did as a DaemonSet, or in the image of the container"),
    "cpuOptions": Left("Auto Mode has no such setting", same=({},)),
    "enclaveOptions": Left("Auto Mode has no Nitro Enclaves", "Keep pods that need them on a node group", same=({"enabled": False},)),
    "detailedMonitoring": Left("Auto Mode has no such setting", same=(False,)),
    "context": Left("Auto Mode has no such setting"),
    "tags": None,
}
_ON_AWS_ALONE: Final = "it is a setting of AWS"
KUBELET_OF_AKS: Final = ("cpuCFSQuota", "imageGCHighThresholdPercent", "imageGCLowThresholdPercent")
"""Kubelet fields that both EC2NodeClass and AKSNodeClass have, with the same meaning."""
_TO_NAP: Final[Fields] = {
    **dict.fromkeys((name for name in _TO_AUTO_MODE if name not in ("blockDeviceMappings", "tags", "kubelet")), Left(_ON_AWS_ALONE)),
    "amiFamily": Left("images of AWS do not run on Azure", "Set `imageFamily`: the default is Ubuntu"),
    "amiSelectorTerms": Left("images of AWS do not run on Azure", "Set `imageFamily`: the default is Ubuntu"),
    "subnetSelectorTerms": Left(_ON_AWS_ALONE, "Set `vnetSubnetID` if nodes need another subnet than that of the cluster"),
    "userData": Left("nodes of node auto provisioning run no user data", "Run what it did as a DaemonSet"),
    "metadataOptions": Left("node auto provisioning has no such setting", same=()),
    "blockDeviceMappings": None,
    "kubelet": None,
    "tags": ("tags",),
}
_AUTO_MODE_TO_NAP: Final[Fields] = {
    **dict.fromkeys(
        ("role", "instanceProfile", "subnetSelectorTerms", "securityGroupSelectorTerms", "podSubnetSelectorTerms", "podSecurityGroupSelectorTerms"),
        Left(_ON_AWS_ALONE),
    ),
    **dict.fromkeys(
        ("capacityReservationSelectorTerms", "advancedNetworking", "placementGroupSelector", "certificateBundles", "snatPolicy"), Left(_ON_AWS_ALONE)
    ),
    **dict.fromkeys(("networkPolicy", "networkPolicyEventLogs"), Left("it is a setting of the cluster in AKS", "Set it there")),
    "ephemeralStorage": None,
    "advancedSecurity": Left("fipsMode requires a matching image family", "Set `fipsMode: FIPS` and an image family", same=({"fips": False},)),
    "tags": ("tags",),
}
_OF_AZURE: Final = Left("it is a setting of Azure")
_AKS_TO_AUTO_MODE: Final[Fields] = {
    **dict.fromkeys(("fipsMode", "vnetSubnetID", "gpu", "localDNS", "artifactStreaming", "linuxOSConfig", "security"), _OF_AZURE),
    **dict.fromkeys(("imageFamily", "imageVersion"), Left("nodes of Auto Mode run images that AWS selects and replaces")),
    **dict.fromkeys(("kubelet", "maxPods"), Left("Auto Mode configures the kubelet; its nodes have at most 110 pods")),
    "osDiskSizeGB": None,
    "tags": None,
}
FIELDS: Final[Mapping[tuple[str, Target], Fields]] = {
    (EC2_NODE_CLASS.group, Target.AUTO_MODE): _TO_AUTO_MODE,
    (EC2_NODE_CLASS.group, Target.NAP): _TO_NAP,
    (EKS_NODE_CLASS.group, Target.NAP): _AUTO_MODE_TO_NAP,
    (AKS_NODE_CLASS.group, Target.AUTO_MODE): _AKS_TO_AUTO_MODE,
}
