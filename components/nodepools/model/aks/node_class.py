"""The AKSNodeClass of node auto provisioning, every field of it. Facts: docs/facts/aks.md § 3.3, § 3.4."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns
from nodepools.model.base import Model
from nodepools.model.ref import Ref
from nodepools.model.timeouts import Timeouts


class AksNodeClass(Model):
    """A karpenter.azure.com/v1beta1 AKSNodeClass. A change replaces the nodes of every pool that uses it, `tags` aside."""

    image_family: Literal["Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux"] = "Ubuntu"
    """Node image. Cloud default `Ubuntu`, which is 24.04 from Kubernetes 1.34 on."""
    fips_mode: Literal["FIPS", "Disabled"] | None = None
    """`FIPS` for an image that is validated by FIPS 140: not of Ubuntu 24.04, and of 22.04 by name with trusted launch only."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """GiB, 30 to 2048; cloud default 128. Ephemeral where the VM size can hold it."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Pods a node, 10 to 250; 250 in overlay networks when left out."""
    vnet_subnet_id: Ref | None = None
    """Id of a subnet in the cluster's virtual network; the cluster's own when left out. Not in a network that AKS manages."""
    gpu_mode: Literal["Driver", "None"] | None = None
    """`Driver`, the cloud's default, admits GPU sizes for which AKS installs the driver;
    `None` admits all, and installs none. Since managed Karpenter 1.12."""
    artifact_streaming: bool | None = None
    """Whether images are streamed from an Azure registry; then there are no arm64 nodes. Since managed Karpenter 1.10."""
    encryption_at_host: bool | None = None
    """Whether disks are encrypted where they are attached; only sizes that can."""
    secure_boot: bool | None = None
    """Trusted launch: only signed code boots. Newer than managed Karpenter 1.14."""
    vtpm: bool | None = None
    """Trusted launch: a virtual trusted platform module. Newer than managed Karpenter 1.14."""
    kubelet: KubeletConfig | None = None
    """How the kubelet runs."""
    linux_os: LinuxOsConfig | None = None
    """How Linux runs. Since managed Karpenter 1.10."""
    local_dns: LocalDns | None = None
    """A DNS cache on every node; then only sizes of 4 vCPUs or more are started."""
    tags: Mapping[str, str] = {}
    """Azure tags of the nodes."""
    timeouts: Timeouts = Timeouts(create="15m", update="15m", delete="60m")
    """How long Pulumi waits; a class goes only after the last of its nodes."""
    overrides: Mapping[str, object] = {}
    """Laid over the object's `spec`, for what is not modelled yet."""
