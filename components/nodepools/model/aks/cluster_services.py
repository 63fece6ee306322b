"""Services of an AKS cluster: monitoring, policies, secrets, scaling, service mesh. Facts: docs/facts/aks.md § 10, § 11."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from nodepools.model.aks.monitoring import AuditLogs, ContainerLogs, ManagedPrometheus
from nodepools.model.aks.services import Defender, EtcdKey, HttpProxy, ImageCleaner, Istio, KeyVaultProvider, StorageDrivers
from nodepools.model.base import Model
from nodepools.model.ref import Ref


class AksServices(Model):
    """Services of an AKS cluster: the base class of its declaration."""

    logs: ContainerLogs | None = None
    """Container Insights: container logs, events and inventory. AKS keeps the agent without this field, but it sends nothing. Default: none."""
    metrics: ManagedPrometheus | None = None
    """Managed Prometheus. Default: none."""
    audit: AuditLogs | None = None
    """Audit logs and other logs of the control plane. Default: none."""
    log_analytics_workspace_id: Ref | None = None
    """Id of a Log Analytics workspace for Container Insights with its default settings: the same as `logs=ContainerLogs(…)`. The data collection rule
    and its association are created too; no role is needed."""
    log_analytics_workspace_location: str | None = Field(default=None, min_length=1)
    """Azure region of that workspace. Its data collection rule must be in the same region. Default: the region of the cluster."""
    azure_policy: bool | None = None
    """Whether the Azure Policy add-on enforces the policies that are assigned to the subscription or resource group. Cloud default false. A change is
    in place. Source: https://learn.microsoft.com/azure/governance/policy/concepts/policy-for-kubernetes"""
    key_vault_provider: KeyVaultProvider | None = None
    """The Azure Key Vault provider of the Secrets Store CSI driver. Default: none."""
    keda: bool | None = None
    """Whether AKS runs KEDA, which scales workloads by events. It must be the only adapter of external metrics. Cloud default false. A change is in
    place. Source: https://learn.microsoft.com/azure/aks/keda-about"""
    vertical_pod_autoscaler: bool | None = None
    """Whether AKS runs the vertical pod autoscaler. Cloud default false. A change is in place.
    Source: https://learn.microsoft.com/azure/aks/vertical-pod-autoscaler"""
    cost_analysis: bool | None = None
    """Whether Microsoft Cost Management shows costs by namespace. Requires the `Standard` or `Premium` tier, which cannot become `Free` while it is
    on. Cloud default false. A change is in place. Source: https://learn.microsoft.com/azure/aks/cost-analysis"""
    image_cleaner: ImageCleaner | None = None
    """Deletes vulnerable images that no container uses from the nodes. Default: none."""
    defender: Defender | None = None
    """The sensor of Microsoft Defender for Containers. Default: none."""
    istio: Istio | None = None
    """The Istio add-on, a service mesh. Default: none."""
    storage: StorageDrivers = StorageDrivers()
    """CSI drivers that AKS installs. Default: disks, files and snapshots."""
    http_proxy: HttpProxy | None = None
    """An outbound HTTP proxy. Default: none. AKS keeps it when it is removed here."""
    trusted_certificates: Annotated[Sequence[str], Field(max_length=10)] = ()
    """Certificates of authorities that nodes trust, each as PEM text; at most 10. A change reimages all nodes. Default: none.
    Source: https://learn.microsoft.com/azure/aks/custom-certificate-authority"""
    etcd_key: EtcdKey | None = None
    """A key of your own that encrypts Kubernetes Secrets in etcd. Default: none; Azure encrypts etcd with keys of its own."""
