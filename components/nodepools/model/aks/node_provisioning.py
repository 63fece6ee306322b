"""AKS node auto provisioning (NAP): Karpenter managed by AKS. Facts: docs/facts/aks.md § 3."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import Taint
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


BUILT_IN = ("default", "system-surge")
"""The NodePools that AKS creates; AKS creates AKSNodeClasses with the same names."""
CILIUM_LABEL = {"kubernetes.azure.com/ebpf-dataplane": "cilium"}
CILIUM_TAINT = Taint("node.cilium.io/agent-not-ready", "true", "NoExecute")
"""Cilium removes this taint when it runs on the node."""
CAS_BLOCK = Taint("autoscaling.azure.com/cas-block", "true", "NoSchedule")
"""On agent pools of the cluster autoscaler while node auto provisioning is on too."""
NAP_BLOCK = Taint("autoscaling.azure.com/nap-block", "true", "NoSchedule")
"""On nodes of node auto provisioning while the cluster autoscaler is on too."""


class AksNodePool(NodePool):
    """A NodePool of node auto provisioning."""

    further_reasons: ClassVar[tuple[str, ...]] = ()
    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot")
    """Karpenter cannot use reserved capacity in Azure."""
    operating_systems: ClassVar[tuple[str, ...]] = ("linux",)
    fewest_cpus: ClassVar[int] = 2
    label_domains: ClassVar[tuple[str, ...]] = ("karpenter.azure.com", "kubernetes.azure.com")


class NodeProvisioning(Model):
    """Node auto provisioning in mode `Auto`. Declaring it turns it on."""

    default_node_pools: Literal["Auto", "None"] = "Auto"
    """Whether AKS creates the NodePools `default` and `system-surge`. A change from `Auto` to `None` can delete them and their nodes."""
    node_classes: Mapping[str, AksNodeClass] = {}
    """AKSNodeClasses by name, in addition to the built-in `default` and `system-surge`."""
    existing_node_classes: Sequence[str] = ()
    """Names of AKSNodeClasses that another tool creates in the cluster. NodePools can use them; nothing is known about them offline."""
    node_pools: Mapping[str, AksNodePool] = {}
    """NodePools by name, in addition to the built-in ones."""
    with_cluster_autoscaler: bool = False
    """The subscription has registered the feature `AllowClusterAutoscalerAndNAP`, so autoscaled agent pools are allowed during a migration. They need
    the taint `autoscaling.azure.com/cas-block=true:NoSchedule`, and NodePools need `autoscaling.azure.com/nap-block=true:NoSchedule`."""
    cilium_startup_taint: bool = True
    """Whether NodePools on the Cilium dataplane get Cilium's label and startup taint. Karpenter then accounts for Cilium's overhead on each node."""

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that AKS creates."""
        return BUILT_IN if self.default_node_pools == "Auto" else ()

    def applied(self, pool: AksNodePool, *, cilium: bool) -> AksNodePool:
        """`pool` with the label and startup taint of Cilium, if the cluster uses its dataplane."""
        if not (cilium and self.cilium_startup_taint):
            return pool
        marked = {(taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints)}
        own = () if (CILIUM_TAINT.key, CILIUM_TAINT.effect) in marked else (CILIUM_TAINT,)
        return derive(pool, labels={**CILIUM_LABEL, **pool.labels}, startup_taints=(*pool.startup_taints, *own))

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """Built-in NodePools for pods without tolerations. They have no weight, and launch on-demand amd64 nodes."""
        return ["default"] if self.default_node_pools == "Auto" else []
