"""API versions that Kubernetes stops serving, by the minor version from which they are missing.

Read in the generated lifecycle of k8s.io/api v0.36.3 (`APILifecycleRemoved`, `APILifecycleReplacement`), which has every removal that is planned up
to 1.42, and in the deprecated API migration guide. Only kinds that people keep in manifests, and only beta versions: clouds do not serve alpha ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

SOURCE: Final = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/"
DAY: Final = date(2026, 11, 22)


@dataclass(frozen=True, slots=True)
class Removal:
    """One kind in one API version."""

    minor: int
    """The first minor version of Kubernetes that does not serve it."""
    replacement: str | None
    """The API version to use instead; `None` if nothing replaces the kind."""


def _removed(minor: int, version: str, replacement: str | None, *kinds: str) -> dict[tuple[str, str], Removal]:
    return {(version, kind): Removal(minor, replacement) for kind in kinds}


_WEBHOOKS: Final = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_FLOW: Final = ("FlowSchema", "PriorityLevelConfiguration")
_FLOW_V1: Final = "flowcontrol.apiserver.k8s.io/v1"
_POLICIES: Final = ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
_MUTATING: Final = ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding")
_DEVICES: Final = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")

_REMOVALS: Final[Mapping[tuple[str, str], Removal]] = {
    **_removed(16, "extensions/v1beta1", "apps/v1", "DaemonSet", "Deployment", "ReplicaSet"),
    **_removed(16, "extensions/v1beta1", "networking.k8s.io/v1", "NetworkPolicy"),
    **_removed(16, "apps/v1beta1", "apps/v1", "Deployment", "StatefulSet"),
    **_removed(16, "apps/v1beta2", "apps/v1", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    **_removed(22, "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", *_WEBHOOKS),
    **_removed(22, "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    **_removed(22, "apiregistration.k8s.io/v1beta1", "apiregistration.k8s.io/v1", "APIService"),
    **_removed(22, "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1", "Lease"),
    **_removed(22, "extensions/v1beta1", "networking.k8s.io/v1", "Ingress"),
    **_removed(22, "networking.k8s.io/v1beta1", "networking.k8s.io/v1", "Ingress", "IngressClass"),
    **_removed(22, "rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
    **_removed(22, "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1", "PriorityClass"),
    **_removed(22, "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "CSIDriver", "StorageClass"),
    **_removed(25, "batch/v1beta1", "batch/v1", "CronJob"),
    **_removed(25, "discovery.k8s.io/v1beta1", "discovery.k8s.io/v1", "EndpointSlice"),
    **_removed(25, "autoscaling/v2beta1", "autoscaling/v2", "HorizontalPodAutoscaler"),
    **_removed(25, "node.k8s.io/v1beta1", "node.k8s.io/v1", "RuntimeClass"),
    **_removed(25, "policy/v1beta1", "policy/v1", "PodDisruptionBudget"),
    **_removed(25, "policy/v1beta1", None, "PodSecurityPolicy"),
    **_removed(26, "autoscaling/v2beta2", "autoscaling/v2", "HorizontalPodAutoscaler"),
    **_removed(26, "flowcontrol.apiserver.k8s.io/v1beta1", _FLOW_V1, *_FLOW),
    **_removed(27, "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "CSIStorageCapacity"),
    **_removed(29, "flowcontrol.apiserver.k8s.io/v1beta2", _FLOW_V1, *_FLOW),
    **_removed(32, "flowcontrol.apiserver.k8s.io/v1beta3", _FLOW_V1, *_FLOW),
    **_removed(34, "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", *_POLICIES),
    **_removed(37, "networking.k8s.io/v1beta1", "networking.k8s.io/v1", "IPAddress", "ServiceCIDR"),
    **_removed(37, "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "VolumeAttributesClass"),
    **_removed(38, "resource.k8s.io/v1beta1", "resource.k8s.io/v1", *_DEVICES),
    **_removed(39, "resource.k8s.io/v1beta2", "resource.k8s.io/v1", *_DEVICES),
    **_removed(40, "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", *_MUTATING),
}


def removal(api_version: str, kind: str) -> Removal | None:
    """When Kubernetes stops serving a kind in an API version; `None` if no removal is planned or known."""
    return _REMOVALS.get((api_version, kind))
