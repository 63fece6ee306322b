"""Objects of AKS node auto provisioning. Facts: docs/facts/aks.md § 3.2."""

from typing import Final

from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.model.aks.cluster import BUILT_IN, NodeProvisioning

_HELM_RELEASE: Final = "aks-managed-karpenter-overlay"

AKS_OBJECTS: Final = CloudObjects(
    parent=NodeProvisioning,
    not_in_files=("default_node_pools", "cilium_startup_taint", "with_cluster_autoscaler"),
    node_pools=BUILT_IN,
    node_classes=BUILT_IN,
    is_created_by_cloud=lambda _, annotations: str(annotations.get("meta.helm.sh/release-name", "")).startswith(_HELM_RELEASE),
    built_in="that AKS creates: this object changes it, unless `defaultNodePools` of the cluster is `None`",
    built_in_fix="Rename it, such as to `custom-{name}`, or set `nodeProvisioningProfile.defaultNodePools` of the cluster to `None`",
    built_in_source="karpenter-provider-azure, designs/0006; Azure API reference, nodeProvisioningProfile.defaultNodePools",
)
