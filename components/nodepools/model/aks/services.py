"""Services that AKS runs in a cluster for its workloads: secrets, images, storage, service mesh. Facts: docs/facts/aks.md § 11."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.ref import Ref


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


class Istio(Model):
    """The Istio add-on. It injects sidecars in namespaces with the label `istio.io/rev=asm-X-Y`; `istio-injection=enabled` has no effect."""

    revisions: Sequence[Revision] = Field(min_length=1, max_length=2, kw_only=False)
    """Revision of the control plane, such as `asm-1-30`; two while an upgrade is in progress. Each supports a range of Kubernetes versions. A change
    is in place; sidecars follow when pods restart. Source: https://learn.microsoft.com/azure/aks/istio-support-policy"""
    ingress: Sequence[Literal["External", "Internal"]] = ()
    """Ingress gateways: with a public load balancer, with an internal one, or both. Default: none. A change is in place."""
    enabled: bool = True
    """Whether the mesh runs. AKS keeps it when this part is removed from the declaration: set `False` to turn it off. Cloud default false."""


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
