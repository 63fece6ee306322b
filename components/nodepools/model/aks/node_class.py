"""The AKSNodeClass of node auto provisioning, with all its fields. Facts: docs/facts/aks.md § 3.3, § 3.4."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns
from nodepools.model.base import Model
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class AksNodeClass(Model):
    """A karpenter.azure.com/v1beta1 AKSNodeClass. A change of any field except `tags` replaces the nodes of every NodePool that uses it."""

    image_family: Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"] = "Ubuntu"
    """Node image. Cloud default `Ubuntu`, which is Ubuntu 24.04 from Kubernetes 1.34."""
    fips_mode: Literal["FIPS", "Disabled"] | None = None
    """`FIPS` selects a FIPS 140 validated image. Not available for `Ubuntu2404`; `Ubuntu2204` requires trusted launch."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """Size of the OS disk in GiB, 30 to 2048. Cloud default 128. The disk is ephemeral if the VM size has room for it."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Maximum number of pods per node, 10 to 250. Default: 250 with overlay networking."""
    vnet_subnet_id: Ref | None = None
    """Id of a subnet in the cluster's virtual network. Default: the subnet of the cluster. Not in a network that AKS manages."""
    gpu_mode: Literal["Driver", "None"] | None = None
    """`Driver` (cloud default) allows GPU sizes for which AKS installs the driver. `None` allows all GPU sizes and installs no driver. Since managed
    Karpenter 1.12."""
    artifact_streaming: bool | None = None
    """Whether nodes stream container images from an Azure container registry. Then no arm64 nodes are launched. Since managed Karpenter 1.10."""
    encryption_at_host: bool | None = None
    """Whether the VM host encrypts the disks of the nodes. Then only VM sizes that support it are launched."""
    secure_boot: bool | None = None
    """Trusted launch: nodes boot only signed code. Requires a managed Karpenter newer than 1.14."""
    vtpm: bool | None = None
    """Trusted launch: nodes have a virtual trusted platform module. Requires a managed Karpenter newer than 1.14."""
    kubelet: KubeletConfig | None = None
    """Kubelet settings."""
    linux_os: LinuxOsConfig | None = None
    """Linux settings: kernel parameters, huge pages and swap. Since managed Karpenter 1.10."""
    local_dns: LocalDns | None = None
    """DNS cache on every node. With it, only VM sizes with at least 4 vCPUs are launched."""
    tags: Mapping[str, str] = {}
    """Azure tags of the nodes. A change updates running nodes in place."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits. A node class is deleted only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Fields of the object's `spec`, for fields that are not modeled yet. They replace what the fields send."""
