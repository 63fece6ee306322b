"""Services of an AKS cluster, which AKS runs for its workloads: monitoring, policies, secrets, images, storage, scaling, service mesh, GPUs.

Facts: docs/facts/aks.md § 2.5, § 10, § 11.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.aks.monitoring import AuditLogs, ContainerLogs, ManagedPrometheus
from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.kubernetes.label import Taint
from nodepools.model.ref import Ref


class DevicePlugin(Model):
    """The NVIDIA device plugin, a DaemonSet on the nodes of GPU pools. Without it, nodes do not advertise `nvidia.com/gpu`."""

    image: str = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
    """Container image of the device plugin."""
    time_slices: int | None = Field(default=None, ge=2)
    """Number of pods that share each GPU by time slicing, at least 2: each GPU is advertised that many times. Pods that share a GPU are not isolated
    from each other. Default: one pod per GPU."""
    fail_on_more_than_one: bool = False
    """With `time_slices`: whether to reject pods that request more than one share. Two shares give a pod no more GPU time than one."""
    mig_strategy: Literal["none", "single", "mixed"] | None = None
    """How MIG instances of GPU pools with `mig` are advertised: `single` as `nvidia.com/gpu`, `mixed` as `nvidia.com/mig-1g.5gb` and so on. Default:
    `single` if a pool has `mig`, otherwise `none`."""
    tolerations: Sequence[Taint] = ()
    """Taints that the DaemonSet tolerates, in addition to those of the GPU pools and `nvidia.com/gpu`."""


def _revision(text: str) -> str:
    if re.fullmatch(r"asm-[0-9]+-[0-9]+", text):
        return text
    raise PydanticCustomError("revision", "must be a revision of the Istio add-on, such as `asm-1-30`")


Revision = Annotated[str, AfterValidator(_revision)]
"""A revision of the Istio add-on, such as `asm-1-30`."""


class KeyVaultProvider(Model):
    """The Azure Key Vault provider of the Secrets Store CSI driver: pods mount secrets of a vault. A change is in place.

    AKS creates an identity for it and assigns it to the nodes, so every pod can use its rights: prefer workload identities, which have rights of
    their own.
    """

    rotate: bool = True
    """Whether mounted secrets follow new versions in the vault. Volumes that are mounted with `subPath` do not. Cloud default false."""
    rotation_interval: Duration = "2m"
    """How often the provider looks for new versions in the vault. Cloud default `2m`."""
    vaults: Sequence[Ref] = ()
    """Ids of key vaults that use Azure RBAC. The identity of the provider gets the role Key Vault Secrets User on each. Default: none."""
    enabled: bool = True
    """Whether the provider runs. AKS keeps it when this part is removed from the declaration: set `False` to turn it off. Cloud default false."""


class ImageCleaner(Model):
    """Deletes images with known vulnerabilities that no container uses from the nodes (Eraser). A change is in place."""

    interval: Duration = Field(default="168h", kw_only=False)
    """Time between two runs, whole hours from `24h` to `2160h` (90 days)."""
    enabled: bool = True
    """Whether it runs. AKS keeps it when this part is removed from the declaration: set `False` to turn it off. Cloud default false."""


class Defender(Model):
    """Microsoft Defender for Containers: the sensor on the nodes. Its plan belongs to the subscription, billed by vCPU. A change is in place."""

    workspace: Ref = Field(kw_only=False)
    """Id of the Log Analytics workspace that gets the security events."""
    enabled: bool = True
    """Whether the sensor runs. AKS keeps it when this part is removed from the declaration: set `False` to turn it off. Cloud default false. A policy
    of the subscription can turn it on again."""
    gating: bool | None = None
    """Whether Defender decides at admission which images can run. Cloud default false. From version 2026-05-01 of the API."""
    gating_in_private_registries: bool | None = None
    """Whether it reads the pull secrets of pods, to see images in private registries. Cloud default false. From version 2026-05-01 of the API."""
    gating_identities: Mapping[str, Ref] | None = None
    """Container registry to the id of the user-assigned identity with which Defender reads it. Default: none. From version 2026-05-01 of the API."""


class StorageDrivers(Model):
    """CSI drivers that AKS installs. A change is in place; volumes of a driver that is turned off can no longer be mounted."""

    disk: bool | None = None
    """Azure Disks. Cloud default true."""
    file: bool | None = None
    """Azure Files. Cloud default true."""
    blob: bool | None = None
    """Azure Blob storage. Cloud default false."""
    snapshots: bool | None = None
    """The snapshot controller, for VolumeSnapshots. Cloud default true."""


class MeshAuthority(Model):
    """A certificate authority of your own for the mesh, from a key vault. The four names are those of objects in the vault."""

    vault_id: Ref = Field(kw_only=False)
    """Id of the key vault, which the Key Vault provider of the cluster must be able to read."""
    root: str = Field(min_length=1)
    """The root certificate."""
    intermediate: str = Field(min_length=1)
    """The intermediate certificate, with which the mesh signs."""
    key: str = Field(min_length=1)
    """Its private key."""
    chain: str = Field(min_length=1)
    """The certificates between both."""


class EgressGateway(Model):
    """An egress gateway of the mesh, behind the fixed addresses of a gateway pool. A change is in place.

    Source: https://learn.microsoft.com/azure/aks/istio-deploy-egress
    """

    name: str = Field(kw_only=False, max_length=53, pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
    """Its name, which is unique in its namespace."""
    configuration: str = Field(max_length=253, pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
    """Name of the StaticGatewayConfiguration in the same namespace that names a gateway pool."""
    namespace: str | None = Field(default=None, pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
    """Its namespace. Cloud default `aks-istio-egress`."""
    enabled: bool = True
    """Whether it runs."""


class Istio(Model):
    """The Istio add-on. It injects sidecars in namespaces with the label `istio.io/rev=asm-X-Y`; `istio-injection=enabled` has no effect."""

    revisions: Sequence[Revision] = Field(min_length=1, max_length=2, kw_only=False)
    """Revision of the control plane, such as `asm-1-30`; two while an upgrade is in progress. Each supports a range of Kubernetes versions. A change
    is in place; sidecars follow when pods restart. Source: https://learn.microsoft.com/azure/aks/istio-support-policy"""
    ingress: Sequence[Literal["External", "Internal"]] = ()
    """Ingress gateways: with a public load balancer, with an internal one, or both. Default: none. A change is in place."""
    egress: Sequence[EgressGateway] = ()
    """Egress gateways. They require `static_egress_gateway` of the network profile. Default: none. A change is in place."""
    certificate_authority: MeshAuthority | None = None
    """A certificate authority of your own. Default: the mesh makes one. A change is in place; proxies get their certificates as they expire."""
    redirection: Literal["InitContainers", "CNIChaining"] | None = None
    """How traffic is redirected to the proxies: by an init container in each pod (cloud default), or by a CNI plugin, so that pods need no right to
    change their network. From version 2026-01-01 of the API."""
    enabled: bool = True
    """Whether the mesh runs. AKS keeps it when this part is removed from the declaration: set `False` to turn it off. Cloud default false."""


class AppRouting(Model):
    """The application routing add-on: ingress that AKS runs, with the Gateway API or with NGINX. A change is in place.

    Source: https://learn.microsoft.com/azure/aks/app-routing-gateway-api
    """

    gateway: bool | None = None
    """Whether AKS runs Gateways of the class `approuting-istio`. Requires `gateway_api`, and excludes `istio`. Cloud default false. From version
    2026-02-01 of the API."""
    enabled: bool | None = None
    """Whether the operator of the add-on runs: managed NGINX, DNS records, and certificates from key vaults. Gateways alone do not need it. Cloud
    default false."""
    nginx: Literal["AnnotationControlled", "External", "Internal", "None"] | None = None
    """Load balancer of the default NGINX controller of the operator: set by annotations (cloud default; public without one), public, or internal.
    `None` leaves only DNS records and certificates to the operator. Azure's support for managed NGINX ends on 2026-11-30."""
    dns_zones: Sequence[Ref] = ()
    """Ids of DNS zones in which the operator writes the names of Ingresses of NGINX. Its identity needs the role DNS Zone Contributor on each."""


class HttpProxy(Model):
    """An outbound HTTP proxy, for nodes and, by a webhook, for pods. A change reimages all nodes, and pods get it when they restart.

    AKS adds its own entries to `no_proxy`, such as the pod and service CIDRs. Neither `pulumi up` nor
    `pulumi refresh` reports them as a difference; after a refresh, entries that AKS adds later are one.
    """

    http: str | None = Field(default=None, min_length=1)
    """URL of the proxy for HTTP, such as `http://proxy.example.com:3128`, without user name and password."""
    https: str | None = Field(default=None, min_length=1)
    """URL of the proxy for HTTPS, without user name and password."""
    no_proxy: Sequence[str] = ()
    """Hosts, domains (`.example.com`) and CIDRs that are reached without the proxy."""
    trusted_ca: str | None = Field(default=None, min_length=1)
    """Certificate of the authority that signed the proxy's certificates, as PEM text. It is sent as a secret. Default: none."""
    enabled: bool | None = None
    """Whether the proxy is used: `False` turns off one that AKS keeps. Cloud default true. From version 2026-01-01 of the API."""


class EtcdKey(Model):
    """A key of your own that encrypts Kubernetes Secrets in etcd (Key Vault KMS), on top of Azure's encryption at rest. A change is in place.

    If the key or its vault is lost, so is the cluster. A new version of the key takes effect when `key_id` changes and all Secrets are written again.
    """

    key_id: Ref = Field(kw_only=False)
    """Id of the key with its version: `https://VAULT.vault.azure.net/keys/KEY/VERSION`."""
    vault_id: Ref | None = None
    """Resource id of its key vault. The identity of the cluster that is created gets the role Key Vault Crypto User on it, and also Key Vault
    Contributor if the access is private. Default: no role is granted."""
    vault_access: Literal["Public", "Private"] = "Public"
    """Whether the vault can be reached from public networks. `Private` requires `vault_id` and `api_server_subnet_id`. Cloud default `Public`."""
    enabled: bool = True
    """Whether the key is used. AKS keeps it when this part is removed from the declaration: set `False` to turn it off, then write all Secrets again
    before you delete the key. Cloud default false."""


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
    app_monitoring: bool | None = None
    """Whether Azure Monitor instruments applications in namespaces that ask for it. Cloud default false. From version 2026-02-01 of the API."""
    cost_analysis: bool | None = None
    """Whether Microsoft Cost Management shows costs by namespace. Requires the `Standard` or `Premium` tier, which cannot become `Free` while it is
    on. Cloud default false. A change is in place. Source: https://learn.microsoft.com/azure/aks/cost-analysis"""
    image_cleaner: ImageCleaner | None = None
    """Deletes vulnerable images that no container uses from the nodes. Default: none."""
    defender: Defender | None = None
    """The sensor of Microsoft Defender for Containers. Default: none."""
    istio: Istio | None = None
    """The Istio add-on, a service mesh. Default: none."""
    gateway_api: bool | None = None
    """Whether AKS installs the CRDs of the Gateway API and upgrades them with Kubernetes. Cloud default false. A change is in place. From version
    2026-02-01 of the API. Source: https://learn.microsoft.com/azure/aks/managed-gateway-api"""
    app_routing: AppRouting | None = None
    """The application routing add-on. Default: none. AKS keeps it when it is removed here."""
    scheduler_profiles: bool | None = None
    """Whether kube-scheduler has the profiles of the SchedulerConfiguration `upstream` in the cluster, such as bin packing. Cloud default false. A
    change is in place. From version 2026-05-01 of the API. Source: https://learn.microsoft.com/azure/aks/configure-aks-scheduler"""
    ai_toolchain_operator: bool | None = None
    """Whether AKS runs the AI toolchain operator (KAITO), which creates GPU nodes for models. Cloud default false. A change is in place.
    Source: https://learn.microsoft.com/azure/aks/ai-toolchain-operator"""
    storage: StorageDrivers = StorageDrivers()
    """CSI drivers that AKS installs. Default: disks, files and snapshots."""
    http_proxy: HttpProxy | None = None
    """An outbound HTTP proxy. Default: none. AKS keeps it when it is removed here."""
    trusted_certificates: Annotated[Sequence[str], Field(max_length=10)] = ()
    """Certificates of authorities that nodes trust, each as PEM text; at most 10. A change reimages all nodes. Default: none.
    Source: https://learn.microsoft.com/azure/aks/custom-certificate-authority"""
    etcd_key: EtcdKey | None = None
    """A key of your own that encrypts Kubernetes Secrets in etcd. Default: none; Azure encrypts etcd with keys of its own."""
