"""AKS agent pools: the fields of every pool, and the kinds of pools. Facts: docs/facts/aks.md § 2."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns
from nodepools.model.aks.pool_settings import Autoscale, HostPorts, Spot, UpgradeSettings
from nodepools.model.base import Model
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.ref import KNOWN, Ref
from nodepools.model.timeouts import Timeouts

CRITICAL_ADDONS_ONLY = Taint("CriticalAddonsOnly", "true", "NoSchedule")
SPOT_LABEL = "kubernetes.azure.com/scalesetpriority"
SPOT_TAINT = Taint(SPOT_LABEL, "spot", "NoSchedule")
GPU_TAINT = Taint("sku", "gpu", "NoSchedule")
WINDOWS_TAINT = Taint("os", "windows", "NoSchedule")
RETIRING = Taint("nodepools/retiring", "true", "NoSchedule")
"""The taint on nodes of a previous generation: no new pods are scheduled there, and running pods stay until the nodes are drained."""


class AgentPool(Model, defer_build=True):
    """Fields of every agent pool. Azure cannot change fields marked *Immutable* in place: another value creates a pool under a new name."""

    vm_size: str = Field(min_length=1)
    """Azure VM size, such as `Standard_D4ds_v5`. Immutable."""
    count: int | None = Field(default=None, ge=0, le=1000)
    """Number of nodes, 0 to 1000. With `scale`, only the number at creation. Default: `scale.min`, or 1 without `scale`."""
    scale: Autoscale | None = None
    """Range within which the cluster autoscaler scales the pool. Without it, the pool has a fixed size."""
    zones: Sequence[Literal[1, 2, 3]] = ()
    """Availability zones of the nodes. Default: no zones. Immutable."""
    kubernetes_version: str | None = Field(default=None, pattern=r"^1\.[0-9]+(\.[0-9]+)?$")
    """Kubernetes version of the nodes, such as `1.35`. A change drains and reimages the nodes. Default: the version of the cluster. Not for
    `system_pool`."""
    os_sku: str | None = None
    """Node image: `Ubuntu` (cloud default), `AzureLinux`, or a versioned one such as `Ubuntu2204` or `AzureLinux3`. A versioned image supports a
    limited range of Kubernetes versions and can block an upgrade."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """Size of the OS disk in GiB, 30 to 2048. Default: depends on the VM size. Immutable."""
    os_disk_type: Literal["Ephemeral", "Managed"] | None = None
    """Type of the OS disk. Default: `Ephemeral` if the VM size has room for it, otherwise `Managed`. Immutable."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Maximum number of pods per node, 10 to 250. Default: 250 with overlay networking. Immutable."""
    kubelet_disk_type: Literal["OS", "Temporary"] | None = None
    """Disk for container images, logs and `emptyDir`: the OS disk (`OS`, cloud default) or the temporary disk (`Temporary`). Immutable."""
    ultra_ssd: bool | None = None
    """Whether pods can use ultra disks. Cloud default `False`. Immutable."""
    encryption_at_host: bool | None = None
    """Whether the VM host encrypts the disks of the nodes. The VM size must support it. Cloud default `False`. Immutable."""
    fips: bool | None = None
    """Whether the node image is FIPS 140 validated. Cloud default `False`. AKS keeps the last value when the field is removed: set `False` to turn
    FIPS off. A change reimages the nodes."""
    secure_boot: bool | None = None
    """Trusted launch: nodes boot only signed code. Not on Windows, and not on arm64 sizes before version 6. A change reimages the nodes."""
    vtpm: bool | None = None
    """Trusted launch: nodes have a virtual trusted platform module. Not on Windows, and not on arm64 sizes before version 6. A change reimages the
    nodes."""
    ssh_access: Literal["LocalUser", "Disabled"] | None = None
    """Whether nodes accept SSH. Cloud default `LocalUser`. A change takes effect at the next node image upgrade."""
    kubelet: KubeletConfig | None = None
    """Kubelet settings. Immutable."""
    local_dns: LocalDns | None = None
    """DNS cache on every node. From Kubernetes 1.36 it is on by default, except with network policies of Cilium or Calico or with `plugin="none"`. A
    change reimages the nodes."""
    upgrade: UpgradeSettings | None = None
    """How AKS replaces nodes when it upgrades the Kubernetes version or the node image."""
    scale_down_mode: Literal["Delete", "Deallocate"] | None = None
    """What happens to nodes that the autoscaler removes: `Deallocate` stops and keeps them, with managed OS disks only. Cloud default `Delete`."""
    power_state: Literal["Running", "Stopped"] | None = None
    """`Stopped` removes all nodes and keeps the pool. To start it again, set `Running`: AKS keeps the last value when the field is removed. Not for
    system pools."""
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None = None
    """Container runtime. Cloud default `OCIContainer`. `KataVmIsolation` requires Azure Linux; `WasmWasi` is retired."""
    snapshot_id: Ref | None = None
    """Id of a node pool snapshot, which determines the node image and the Kubernetes version. The VM size must be of the snapshot's family."""
    proximity_placement_group_id: Ref | None = None
    """Id of a proximity placement group. All its VMs are in one zone. Immutable."""
    capacity_reservation_group_id: Ref | None = None
    """Id of a capacity reservation group. The cluster's identity needs a role on it. Immutable."""
    host_group_id: Ref | None = None
    """Id of a dedicated host group. Immutable."""
    labels: Mapping[str, str] = {}
    """Labels of every node, in addition to `nodepools/name`."""
    taints: Sequence[Taint] = ()
    """Taints of every node, in addition to those that the kind of pool adds."""
    vnet_subnet_id: Ref | None = None
    """Id of an existing subnet for the nodes. Default: the pool's own subnet in `network.pool_subnets`, or the subnet of the cluster. Immutable."""
    pod_subnet_id: Ref | None = None
    """Id of a subnet for the pods, in the same virtual network; not with overlay networking. Default: the pod subnet of the network. Immutable."""
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None = None
    """How pods get addresses of the pod subnet: one by one (`DynamicIndividual`, cloud default), or in blocks of 16 (`StaticBlock`). Immutable."""
    node_public_ip: bool | None = None
    """Whether each node has a public IP address. Cloud default `False`. Immutable."""
    node_public_ip_prefix_id: Ref | None = None
    """Id of the public IP prefix that the addresses of the nodes are allocated from. Immutable."""
    node_public_ip_tags: Mapping[str, str] = {}
    """IP tags of the nodes' public addresses, such as `{"RoutingPreference": "Internet"}`. Immutable."""
    allowed_host_ports: Sequence[HostPorts] = ()
    """Host ports that network security groups allow, together with `application_security_group_ids`."""
    application_security_group_ids: Sequence[Ref] = ()
    """Ids of the application security groups that the nodes belong to."""
    name: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9]{0,11}$")
    """Name of the pool in Azure, for a pool that exists under that name. A pool with a fixed name cannot be rotated: the new pool would need the same
    name. For `system_pool`, the default is `system`. Immutable."""
    generation: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,32}$")
    """Any text. Change it to rotate the pool: a pool under a new name is created before the old one is deleted."""
    tags: Mapping[str, str] = {}
    """Azure tags, in addition to those of the cluster."""
    timeouts: Timeouts = Timeouts()
    """How long Pulumi waits for the pool."""
    overrides: Mapping[str, object] = {}
    """Arguments of `azure-native:containerservice:AgentPool` in its Python spelling, for arguments that have no field yet. They replace what the
    fields send."""

    mode: ClassVar[Literal["System", "User"]] = "User"
    os_type: ClassVar[Literal["Linux", "Windows"]] = "Linux"
    longest_name: ClassVar[int] = 12

    @property
    def fewest_nodes(self) -> int:
        """Minimum number of nodes."""
        return self.scale.min if self.scale else self.first_count

    @property
    def most_nodes(self) -> int:
        """Maximum number of nodes, without those that an upgrade adds."""
        return self.scale.max if self.scale else self.first_count

    @property
    def retiring(self) -> "AgentPool | None":
        """The previous generation: the field `previous`, which every kind of pool declares for its own kind."""
        return getattr(self, "previous", None)

    @property
    def first_count(self) -> int:
        """Number of nodes at creation. Azure requires it, even for autoscaled pools."""
        if self.count is not None:
            return self.count
        return self.scale.min if self.scale else 1

    @property
    def own_labels(self) -> Mapping[str, str]:
        """Labels that the kind of pool adds."""
        return {}

    @property
    def own_taints(self) -> Sequence[Taint]:
        """Taints that the kind of pool adds."""
        return ()

    def node_labels(self, key: str) -> dict[str, str]:
        """All labels that are declared for the nodes of the pool `key`. AKS adds more."""
        return {POOL_LABEL: key, **self.own_labels, **self.labels}

    @property
    def node_taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes, without duplicates."""
        return tuple(dict.fromkeys([*self.own_taints, *self.taints]))

    @property
    def takes_ordinary_pods(self) -> bool:
        """The pool can have nodes, and pods without tolerations can be scheduled on them."""
        return not any(taint.is_hard for taint in self.node_taints) and (self.scale is not None or self.first_count > 0)


class _LinuxPool(AgentPool, defer_build=True):
    """An agent pool with Linux nodes."""

    linux_os: LinuxOsConfig | None = None
    """Linux settings: kernel parameters, huge pages and swap. Immutable."""
    message_of_the_day: str | None = None
    """Text shown at login to a node. Immutable."""


class SystemPool(_LinuxPool, defer_build=False):
    """A pool for the cluster's own pods. By default it has the taint `CriticalAddonsOnly=true:NoSchedule`, which keeps applications away."""

    kind: Literal["SystemPool"] = "SystemPool"
    isolated: bool = True
    """Whether the pool has the taint `CriticalAddonsOnly=true:NoSchedule`."""
    retain: bool = False
    """Whether Azure keeps the pool after it is removed from the declaration: for a pool that becomes `system_pool`. Not for `system_pool` itself."""
    previous: "SystemPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool until you remove it here. Not for
    `system_pool`."""
    mode: ClassVar[Literal["System", "User"]] = "System"

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`CriticalAddonsOnly`, if the pool is isolated."""
        return (CRITICAL_ADDONS_ONLY,) if self.isolated else ()


class _Evictable(_LinuxPool, defer_build=True):
    """A pool that can use spot capacity."""

    spot: Spot | None = None
    """Spot capacity. Default: on-demand. Immutable."""

    @property
    def own_labels(self) -> Mapping[str, str]:
        """AKS sets the spot label too, but a later update without the label removes it (Azure/AKS#3152)."""
        return {SPOT_LABEL: "spot"} if self.spot else {}

    @property
    def own_taints(self) -> Sequence[Taint]:
        """AKS sets the spot taint too; declared here, it does not show up as a diff in every preview."""
        return (SPOT_TAINT,) if self.spot else ()


class UserPool(_Evictable, defer_build=False):
    """A pool for applications."""

    kind: Literal["UserPool"] = "UserPool"
    previous: "UserPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool, with the taint
    `nodepools/retiring=true:NoSchedule`, until you remove it here."""


class GpuPool(_Evictable, defer_build=False):
    """A pool with NVIDIA GPUs. It adds the taint `sku=gpu:NoSchedule` and the NVIDIA device plugin, which AKS does not add."""

    kind: Literal["GpuPool"] = "GpuPool"
    tainted: bool = True
    """Whether the pool has the taint `sku=gpu:NoSchedule`."""
    driver: Literal["Install", "None"] = "Install"
    """Whether AKS installs the NVIDIA driver. `None` leaves it to you, for example to the NVIDIA GPU operator. Cloud default `Install`. Immutable."""
    mig: Literal["MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"] | None = None
    """MIG profile: splits each A100, H100 or H200 into instances of 1/7 to 7/7 of the GPU. Default: whole GPUs. Immutable."""
    previous: "GpuPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool, with the taint
    `nodepools/retiring=true:NoSchedule`, until you remove it here."""

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`sku=gpu` if tainted, and the spot taint if the pool uses spot capacity."""
        return (*((GPU_TAINT,) if self.tainted else ()), *super().own_taints)


class WindowsPool(AgentPool, defer_build=False):
    """A pool with Windows Server nodes. The cluster must have had a `windows_profile` since its creation.

    By default it has the taint `os=windows:NoSchedule`, which AKS does not add: pods without a node selector usually run Linux images, which fail
    on Windows. AKS's own DaemonSets tolerate every taint (Azure/AKS#2146).
    """

    kind: Literal["WindowsPool"] = "WindowsPool"
    tainted: bool = True
    """Whether the pool has the taint `os=windows:NoSchedule`."""
    os_sku: Literal["Windows2019", "Windows2022", "Windows2025"] = "Windows2022"
    """Windows Server version. It is always sent, because the cloud default depends on the Kubernetes version. Immutable."""
    outbound_nat: bool = True
    """Whether nodes translate the addresses of outbound pod traffic (OutboundNAT). It can be turned off only with a NAT gateway. Immutable."""
    previous: "WindowsPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool, with the taint
    `nodepools/retiring=true:NoSchedule`, until you remove it here."""
    os_type: ClassVar[Literal["Linux", "Windows"]] = "Windows"
    longest_name: ClassVar[int] = 6

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`os=windows`, if tainted."""
        return (WINDOWS_TAINT,) if self.tainted else ()


AnyPool = Annotated[SystemPool | UserPool | GpuPool | WindowsPool, Discriminator("kind"), KNOWN]


def SpotPool(*, spot: Spot | None = None, **fields: object) -> UserPool:  # noqa: N802  # reads as the kind of pool that people know
    """A `UserPool` with spot capacity; accepts the same fields."""
    return UserPool(**{**fields, "kind": "UserPool", "spot": spot if spot is not None else Spot()})  # type: ignore[arg-type]  # fields are its own
