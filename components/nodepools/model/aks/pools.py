"""AKS agent pools. Facts: docs/facts/aks.md § 2."""

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
"""On the nodes of a generation that goes: new pods keep off, running ones stay until the nodes are drained."""


class AgentPool(Model, defer_build=True):
    """What every agent pool has. Fields marked *fixed* cannot be changed in place: a pool with another value gets another name."""

    vm_size: str = Field(min_length=1)
    """Azure VM size, `Standard_D4ds_v5`. Fixed."""
    count: int | None = Field(default=None, ge=0, le=1000)
    """Nodes, 0 to 1000; with `scale`, those of the first creation. 1, or `scale.min`, when left out."""
    scale: Autoscale | None = None
    """Kept within a range by the cluster autoscaler; a fixed size when left out."""
    zones: Sequence[Literal[1, 2, 3]] = ()
    """Availability zones; none when left out. Fixed."""
    kubernetes_version: str | None = Field(default=None, pattern=r"^1\.[0-9]+(\.[0-9]+)?$")
    """Version of the nodes, `1.35`; that of the cluster when left out. Not for `system_pool`."""
    os_sku: str | None = None
    """Node image: `Ubuntu` (cloud default) or `AzureLinux`, or one of a version, such as `Ubuntu2204` and `AzureLinux3`, which holds back
    upgrades of Kubernetes."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """GiB, 30 to 2048; by VM size when left out. Fixed."""
    os_disk_type: Literal["Ephemeral", "Managed"] | None = None
    """`Ephemeral` where the VM size can hold it, when left out. Fixed."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Pods a node, 10 to 250; 250 in overlay networks when left out. Fixed."""
    kubelet_disk_type: Literal["OS", "Temporary"] | None = None
    """Disk of container images, logs and `emptyDir`: that of the OS, the cloud's default, or the temporary one. Fixed."""
    ultra_ssd: bool | None = None
    """Whether pods may use ultra disks. Cloud default `False`. Fixed."""
    encryption_at_host: bool | None = None
    """Whether disks are encrypted where they are attached; the VM size must be able to. Cloud default `False`. Fixed."""
    fips: bool | None = None
    """Whether the node image is one that is validated by FIPS 140. Cloud default `False`; when left out again, AKS keeps what it has: write
    `False` to turn it off."""
    secure_boot: bool | None = None
    """Trusted launch: only signed code boots. Not on Windows, nor on arm64 before version 6."""
    vtpm: bool | None = None
    """Trusted launch: a virtual trusted platform module. Not on Windows, nor on arm64 before version 6."""
    ssh_access: Literal["LocalUser", "Disabled"] | None = None
    """Whether nodes take SSH. Cloud default `LocalUser`."""
    kubelet: KubeletConfig | None = None
    """How the kubelet runs. Fixed."""
    local_dns: LocalDns | None = None
    """A DNS cache on every node; from Kubernetes 1.36 on there is one when left out, but where network policies of Cilium or Calico are."""
    upgrade: UpgradeSettings | None = None
    """How nodes are replaced when image or version change."""
    scale_down_mode: Literal["Delete", "Deallocate"] | None = None
    """What becomes of nodes when the pool shrinks; `Deallocate` keeps them stopped, with managed disks only. Cloud default `Delete`."""
    power_state: Literal["Running", "Stopped"] | None = None
    """`Stopped` takes all nodes away and keeps the pool; then say `Running` to have them back. Not for system pools."""
    workload_runtime: Literal["OCIContainer", "WasmWasi", "KataVmIsolation"] | None = None
    """What runs containers. Cloud default `OCIContainer`; `KataVmIsolation` needs Azure Linux, `WasmWasi` is retired."""
    snapshot_id: Ref | None = None
    """Id of a node pool snapshot whose image and version are taken; the VM size is of its family."""
    proximity_placement_group_id: Ref | None = None
    """Id of a proximity placement group, which is in one zone. Fixed."""
    capacity_reservation_group_id: Ref | None = None
    """Id of a group of capacity reservations, for which the cluster's identity has a right. Fixed."""
    host_group_id: Ref | None = None
    """Id of a group of dedicated hosts. Fixed."""
    labels: Mapping[str, str] = {}
    """Labels of every node, beside `nodepools/name`."""
    taints: Sequence[Taint] = ()
    """Taints of every node, beside those that come with the kind of pool."""
    vnet_subnet_id: Ref | None = None
    """Id of an existing subnet; that of the cluster, or one of its own by `network.pool_subnets`, when left out. Fixed."""
    pod_subnet_id: Ref | None = None
    """Id of a subnet for pods, of the same virtual network, where pods are not in an overlay; that of the network when left out. Fixed."""
    pod_ip_allocation: Literal["DynamicIndividual", "StaticBlock"] | None = None
    """Addresses of the pod subnet one by one, the cloud's default, or in blocks of 16. Fixed."""
    node_public_ip: bool | None = None
    """Whether each node has a public address. Cloud default `False`. Fixed."""
    node_public_ip_prefix_id: Ref | None = None
    """Id of a public IP prefix that they are of. Fixed."""
    node_public_ip_tags: Mapping[str, str] = {}
    """Tags of those addresses, `{"RoutingPreference": "Internet"}`. Fixed."""
    allowed_host_ports: Sequence[HostPorts] = ()
    """Ports of the nodes that are open, with `application_security_group_ids`."""
    application_security_group_ids: Sequence[Ref] = ()
    """Ids of the application security groups that the nodes are in."""
    name: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9]{0,11}$")
    """A name of its own in Azure, for a pool that has one already: it can then not be made anew before the old one goes. Of `system_pool`
    the name, `system` when left out. Fixed."""
    generation: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,32}$")
    """Turn it to have the pool made anew, under another name, before the old one goes."""
    tags: Mapping[str, str] = {}
    """Azure tags, beside those of the cluster."""
    timeouts: Timeouts = Timeouts()
    """How long Pulumi waits."""
    overrides: Mapping[str, object] = {}
    """Laid over the arguments of `azure-native:containerservice:AgentPool`, in its Python spelling, for what is not modelled yet."""

    mode: ClassVar[Literal["System", "User"]] = "User"
    os_type: ClassVar[Literal["Linux", "Windows"]] = "Linux"
    longest_name: ClassVar[int] = 12

    @property
    def fewest_nodes(self) -> int:
        """Nodes that it has at least."""
        return self.scale.min if self.scale else self.first_count

    @property
    def most_nodes(self) -> int:
        """Nodes that it may have, upgrades aside."""
        return self.scale.max if self.scale else self.first_count

    @property
    def retiring(self) -> "AgentPool | None":
        """The generation that goes: `previous`, which every kind of pool has of its own kind."""
        return getattr(self, "previous", None)

    @property
    def first_count(self) -> int:
        """Nodes of the first creation: Azure wants the number, autoscaled or not."""
        if self.count is not None:
            return self.count
        return self.scale.min if self.scale else 1

    @property
    def own_labels(self) -> Mapping[str, str]:
        """Labels that come with the kind of pool."""
        return {}

    @property
    def own_taints(self) -> Sequence[Taint]:
        """Taints that come with the kind of pool."""
        return ()

    def node_labels(self, key: str) -> dict[str, str]:
        """All that are declared for the nodes of the pool `key`. AKS adds more."""
        return {POOL_LABEL: key, **self.own_labels, **self.labels}

    @property
    def node_taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes, each once."""
        return tuple(dict.fromkeys([*self.own_taints, *self.taints]))

    @property
    def takes_ordinary_pods(self) -> bool:
        """It can have nodes, and pods without tolerations can be scheduled on them."""
        return not any(taint.is_hard for taint in self.node_taints) and (self.scale is not None or self.first_count > 0)


class _LinuxPool(AgentPool, defer_build=True):
    """A pool of Linux nodes."""

    linux_os: LinuxOsConfig | None = None
    """How Linux runs. Fixed."""
    message_of_the_day: str | None = None
    """What a person reads who logs in to a node. Fixed."""


class SystemPool(_LinuxPool, defer_build=False):
    """Hosts the cluster's own pods. Tainted `CriticalAddonsOnly=true:NoSchedule`, so that applications keep off it."""

    kind: Literal["SystemPool"] = "SystemPool"
    isolated: bool = True
    """Whether it has that taint."""
    retain: bool = False
    """Whether Azure keeps the pool when it is no longer declared: for one that becomes `system_pool`. Not for the first system pool."""
    previous: "SystemPool | None" = None
    """The generation before, as it was declared: kept beside this one until it is removed here. Not for the first system pool."""
    mode: ClassVar[Literal["System", "User"]] = "System"

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`CriticalAddonsOnly`, where it is isolated."""
        return (CRITICAL_ADDONS_ONLY,) if self.isolated else ()


class _Evictable(_LinuxPool, defer_build=True):
    """A pool that may be bought as spot capacity."""

    spot: Spot | None = None
    """On-demand when left out. Fixed."""

    @property
    def own_labels(self) -> Mapping[str, str]:
        """AKS sets the spot label too, but a later update that omits it takes it away (Azure/AKS#3152)."""
        return {SPOT_LABEL: "spot"} if self.spot else {}

    @property
    def own_taints(self) -> Sequence[Taint]:
        """AKS sets the spot taint too; declared, it is no endless difference."""
        return (SPOT_TAINT,) if self.spot else ()


class UserPool(_Evictable, defer_build=False):
    """Hosts applications."""

    kind: Literal["UserPool"] = "UserPool"
    previous: "UserPool | None" = None
    """The generation before, as it was declared: kept beside this one, tainted `nodepools/retiring=true:NoSchedule`, until it is removed here."""


class GpuPool(_Evictable, defer_build=False):
    """NVIDIA GPUs. The taint `sku=gpu:NoSchedule` and the device plugin come with it; AKS adds neither of itself."""

    kind: Literal["GpuPool"] = "GpuPool"
    tainted: bool = True
    """Whether it has that taint."""
    driver: Literal["Install", "None"] = "Install"
    """Who installs the NVIDIA driver: AKS, or someone else. Cloud default `Install`. Fixed."""
    mig: Literal["MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"] | None = None
    """Each GPU cut into instances of so many sevenths, on A100, H100 and H200; whole GPUs when left out. Fixed."""
    previous: "GpuPool | None" = None
    """The generation before, as it was declared: kept beside this one, tainted `nodepools/retiring=true:NoSchedule`, until it is removed here."""

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`sku=gpu`, and the spot taint where it is spot."""
        return (*((GPU_TAINT,) if self.tainted else ()), *super().own_taints)


class WindowsPool(AgentPool, defer_build=False):
    """Windows Server nodes. The cluster has a `windows_profile` from its first day, or it can never have them.

    Tainted `os=windows:NoSchedule`, which AKS does not add: pods without a node selector are made for Linux and fail to start on Windows.
    AKS's own DaemonSets tolerate every taint (Azure/AKS#2146).
    """

    kind: Literal["WindowsPool"] = "WindowsPool"
    tainted: bool = True
    """Whether it has that taint."""
    os_sku: Literal["Windows2019", "Windows2022", "Windows2025"] = "Windows2022"
    """Release of Windows Server; the cloud's default depends on the version of Kubernetes, so it is always said. Fixed."""
    outbound_nat: bool = True
    """Whether the node translates addresses of pods on their way out; off only with a NAT gateway. Fixed."""
    previous: "WindowsPool | None" = None
    """The generation before, as it was declared: kept beside this one, tainted `nodepools/retiring=true:NoSchedule`, until it is removed here."""
    os_type: ClassVar[Literal["Linux", "Windows"]] = "Windows"
    longest_name: ClassVar[int] = 6

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`os=windows`, unless it is turned off."""
        return (WINDOWS_TAINT,) if self.tainted else ()


AnyPool = Annotated[SystemPool | UserPool | GpuPool | WindowsPool, Discriminator("kind"), KNOWN]


def SpotPool(*, spot: Spot | None = None, **fields: object) -> UserPool:  # noqa: N802  # reads as the kind of pool that people know
    """A `UserPool` with `spot`: the fields are its own."""
    return UserPool(**{**fields, "kind": "UserPool", "spot": spot if spot is not None else Spot()})  # type: ignore[arg-type]  # fields are its own
