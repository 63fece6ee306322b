"""The fields of every AKS agent pool, and the kinds of pools: system, user, spot, GPU and Windows pools. Facts: docs/facts/aks.md § 2."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field

from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns
from nodepools.model.base import Model
from nodepools.model.cidr import Cidr
from nodepools.model.karpenter import Headroom
from nodepools.model.kubernetes.duration import Duration, Timeouts
from nodepools.model.kubernetes.label import POOL_LABEL, Taint
from nodepools.model.ref import KNOWN, Ref
from nodepools.model.unknowns import assembled


class Autoscale(Model):
    """The range within which the cluster autoscaler scales a pool.

    Example: `Autoscale(2, 10)`.
    """

    min: int = Field(kw_only=False, ge=0, le=1000)
    """Minimum number of nodes, 0 to 1000; at least 1 for system pools."""
    max: int = Field(kw_only=False, ge=1, le=1000)
    """Maximum number of nodes, 1 to 1000."""


class Machines(Model):
    """Nodes of one more VM size in a pool of single virtual machines.

    Example: `Machines("Standard_D8ds_v5", count=2)`.
    """

    vm_size: str = Field(kw_only=False, min_length=1)
    """Azure VM size, of the family of the pool's `vm_size`."""
    count: int = Field(default=1, ge=0, le=1000)
    """Number of nodes, 0 to 1000. Not used with `scale`."""
    scale: Autoscale | None = None
    """Range within which the cluster autoscaler scales the nodes of this size. From version 2026-05-01 of the API."""


class Spot(Model):
    """Spot capacity, which Azure can evict. AKS adds the label and the taint `kubernetes.azure.com/scalesetpriority=spot:NoSchedule`."""

    max_price: float = -1
    """Maximum price in US dollars per hour, with up to five decimals; -1 means up to the on-demand price. Immutable."""
    eviction: Literal["Delete", "Deallocate"] = "Delete"
    """What happens to an evicted node. A deallocated node still counts against the quota. Immutable."""


class EgressConfiguration(Model):
    """What gives pods of one namespace the addresses of a gateway pool: a StaticGatewayConfiguration, which their annotation names.

    Source: https://learn.microsoft.com/azure/aks/configure-static-egress-gateway (2026-09)
    """

    namespace: str = Field(kw_only=False, pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
    """Namespace of the pods. In a new cluster, add the configuration once its namespace is there: without it, `pulumi up` fails. Another one
    replaces the object."""
    exclude: Sequence[Cidr] = ()
    """Ranges of addresses that pods reach without the gateway, such as those of your networks."""
    prefix_id: Ref | None = None
    """Id of a public IP prefix of the size `gateway_prefix_size`. The identity that is created gets the role Network Contributor on it. Default: AKS
    creates one."""


class UpgradeSettings(Model):
    """How AKS replaces the nodes of a pool when their image or version changes. When a field is removed, AKS keeps its last value."""

    max_surge: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes that AKS adds during an upgrade, as a count `"5"` or a percentage of the pool `"33%"`, rounded up. Cloud default `10%`,
    before Kubernetes 1.32 `1`; AKS recommends 33%."""
    max_unavailable: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes that can be unavailable during an upgrade, `"1"` or `"10%"`. Cloud default 0. Not for system pools or spot pools."""
    drain_timeout: Duration | None = None
    """How long AKS waits for a node to drain, in whole minutes, `1m` to `24h`. Cloud default 30m."""
    soak: Duration | None = None
    """How long AKS waits between two nodes, in whole minutes, up to `30m`. Cloud default: no wait."""
    undrainable: Literal["Cordon", "Schedule"] | None = None
    """What happens when a node cannot be drained: `Cordon` leaves it cordoned and continues, `Schedule` fails the upgrade. Cloud default
    `Schedule`."""


class HostPorts(Model):
    """A range of host ports that network security groups allow."""

    start: int = Field(kw_only=False, ge=1, le=65535)
    """First port."""
    end: int = Field(kw_only=False, ge=1, le=65535)
    """Last port."""
    protocol: Literal["TCP", "UDP"] = Field(default="TCP", kw_only=False)
    """Protocol of the ports."""


class AgentPool(Model):
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
    ssh_access: Literal["LocalUser", "Disabled", "EntraId"] | None = None
    """Whether nodes accept SSH: with a private key (`LocalUser`, cloud default), with an identity of Entra ID (`EntraId`, from version 2026-06-01 of
    the API), or not. A change takes effect at the next node image upgrade; from Kubernetes 1.37 on, it reimages the nodes."""
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
    node_image_version: str | None = Field(default=None, min_length=1)
    """Node image to roll back to, such as `AKSUbuntu-2204gen2containerd-202610.12.0`: one that the pool had before, within 7 days after an upgrade.
    Remove the field before the next upgrade. From version 2026-04-01 of the API. A change reimages the nodes."""
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
    labeled: bool = True
    """Whether nodes have the label `nodepools/name` with the key of the pool. `False` is for a pool that exists without it. A change is in place."""
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
    owner: str | None = Field(default=None, min_length=1, max_length=256)
    """Who is responsible for the pool, as free text: `diff`, `cost` and `capacity` group by it. Sent only if `owners` of the platform says where.
    Default: the owner of the cluster."""
    timeouts: Timeouts = Timeouts()
    """How long Pulumi waits for the pool."""
    overrides: Mapping[str, object] = {}
    """Arguments of `azure-native:containerservice:AgentPool` in its Python spelling, for arguments that have no field yet. They replace what the
    fields send."""

    os_type: ClassVar[Literal["Linux", "Windows"]] = "Linux"
    longest_name: ClassVar[int] = 12

    @property
    def mode(self) -> Literal["System", "User", "Gateway"]:
        """What AKS uses the pool for."""
        return "User"

    @property
    def by_size(self) -> "Sequence[AgentPool]":
        """The pool as one pool for each of its VM sizes; itself if it has one."""
        return (self,)

    def by_size_at(self, address: str) -> "Iterator[tuple[str, AgentPool]]":
        """The same with the address of each: that of the pool, and the VM size if there are several."""
        yield from ((address if one is self else f"{address} ({one.vm_size})", one) for one in self.by_size)

    @property
    def is_autoscaled(self) -> bool:
        """The cluster autoscaler scales it, or its nodes of one VM size."""
        return any(one.scale is not None for one in self.by_size)

    @property
    def fewest_nodes(self) -> int:
        """Minimum number of nodes."""
        return sum(one.scale.min if one.scale else one.first_count for one in self.by_size)

    @property
    def most_nodes(self) -> int:
        """Maximum number of nodes, without those that an upgrade adds."""
        return sum(one.scale.max if one.scale else one.first_count for one in self.by_size)

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
        return {**({POOL_LABEL: key} if self.labeled else {}), **self.own_labels, **self.labels}

    def selecting_label(self, key: str) -> dict[str, str]:
        """The label that only the nodes of the pool `key` have: `nodepools/name`, or without it, AKS's label with the name in Azure.

        Only the first system pool, whose key is its default name, can be without both the label and a fixed name.
        """
        return {POOL_LABEL: key} if self.labeled else {"kubernetes.azure.com/agentpool": self.name if self.name is not None else key}

    @property
    def node_taints(self) -> tuple[Taint, ...]:
        """All taints of its nodes, without duplicates."""
        return tuple(dict.fromkeys([*self.own_taints, *self.taints]))

    @property
    def is_open(self) -> bool:
        """Pods without tolerations can be scheduled on its nodes, if it has any."""
        return self.mode != "Gateway" and not any(taint.is_hard for taint in self.node_taints)

    @property
    def takes_ordinary_pods(self) -> bool:
        """The pool can have nodes, and pods without tolerations can be scheduled on them."""
        return self.is_open and self.power_state != "Stopped" and (self.scale is not None or self.first_count > 0)


CRITICAL_ADDONS_ONLY = Taint("CriticalAddonsOnly", "true", "NoSchedule")
SPOT_LABEL = "kubernetes.azure.com/scalesetpriority"
SPOT_TAINT = Taint(SPOT_LABEL, "spot", "NoSchedule")
GPU_TAINT = Taint("sku", "gpu", "NoSchedule")
GATEWAY_TAINT = Taint("kubeegressgateway.azure.com/mode", "true", "NoSchedule")
"""The taint on nodes of gateway pools, which AKS adds."""
WINDOWS_TAINT = Taint("os", "windows", "NoSchedule")
RETIRING = Taint("nodepools/retiring", "true", "NoSchedule")
"""The taint on nodes of a previous generation: no new pods are scheduled there, and running pods stay until the nodes are drained."""


class _LinuxPool(AgentPool):
    """An agent pool with Linux nodes."""

    linux_os: LinuxOsConfig | None = None
    """Linux settings: kernel parameters, huge pages and swap. Immutable."""
    message_of_the_day: str | None = None
    """Text shown at login to a node. Immutable."""
    artifact_streaming: bool | None = None
    """Whether containers start before their whole image is pulled, for images of Azure Container Registry with artifact streaming. Cloud default
    `False`. From version 2026-03-01 of the API. A change reimages the nodes."""
    dranet: Literal["Managed", "Unmanaged"] | None = None
    """`Managed`: AKS installs DRANET, with which pods claim network interfaces as devices. Cloud default `Unmanaged`. From version 2026-06-01 of the
    API. Immutable."""


class SystemPool(_LinuxPool):
    """A pool for the cluster's own pods. By default it has the taint `CriticalAddonsOnly=true:NoSchedule`, which keeps applications away."""

    kind: Literal["SystemPool"] = "SystemPool"
    isolated: bool = True
    """Whether the pool has the taint `CriticalAddonsOnly=true:NoSchedule`."""
    retain: bool = False
    """Whether Azure keeps the pool after it is removed from the declaration: for a pool that becomes `system_pool`. Not for `system_pool` itself."""
    previous: "SystemPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool until you remove it here. Not for
    `system_pool`."""

    @property
    def mode(self) -> Literal["System", "User", "Gateway"]:
        """The cluster's own pods."""
        return "System"

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`CriticalAddonsOnly`, if the pool is isolated."""
        return (CRITICAL_ADDONS_ONLY,) if self.isolated else ()


class _Evictable(_LinuxPool):
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


class UserPool(_Evictable):
    """A pool for applications."""

    kind: Literal["UserPool"] = "UserPool"
    machines: Sequence[Machines] | None = None
    """Nodes of other VM sizes, next to those of `vm_size`. A pool with this field has single virtual machines (`VirtualMachines`), of at most five
    sizes of one family, without zones; one without it has a scale set. Changing to or from `None` rotates the pool, other changes are in place."""
    gateway_prefix_size: int | None = Field(default=None, ge=28, le=31)
    """Makes the pool a gateway pool (static egress gateway), with the size of its public IP prefixes: 31 for at most 2 nodes, to 28 for at most 16.
    It forwards traffic of other pods and runs none of its own. Not with `scale`. Immutable."""
    egress_configurations: Mapping[str, EgressConfiguration] = {}
    """StaticGatewayConfigurations of a gateway pool, by name. A change is in place, and gives pods that use one other addresses, or none of yours."""
    headroom: Headroom | None = None
    """Room that is kept free, by objects inside the cluster: the cluster autoscaler adds nodes for it, up to `scale.max`. A change is in place.
    Default: none, and a pod that does not fit waits for a node."""
    previous: "UserPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool, with the taint
    `nodepools/retiring=true:NoSchedule`, until you remove it here."""

    @property
    def mode(self) -> Literal["System", "User", "Gateway"]:
        """Pods, or their traffic."""
        return "User" if self.gateway_prefix_size is None else "Gateway"

    @property
    def by_size(self) -> "Sequence[UserPool]":
        """The pool as one pool for each of its VM sizes; itself if it has a scale set."""
        if self.machines is None:
            return (self,)
        own = assembled(self, machines=None, headroom=None)  # whose nodes have it is not known
        return (own, *(assembled(own, vm_size=one.vm_size, count=one.count, scale=one.scale) for one in self.machines))


class GpuPool(_Evictable):
    """A pool with NVIDIA GPUs. It adds the taint `sku=gpu:NoSchedule` and the NVIDIA device plugin, which AKS does not add."""

    kind: Literal["GpuPool"] = "GpuPool"
    tainted: bool = True
    """Whether the pool has the taint `sku=gpu:NoSchedule`."""
    driver: Literal["Install", "None"] = "Install"
    """Whether AKS installs the NVIDIA driver. `None` leaves it to you, for example to the NVIDIA GPU operator. Cloud default `Install`. Immutable."""
    management: Literal["Managed", "Unmanaged"] | None = None
    """`Managed`: AKS installs the driver, the device plugin and the metrics exporter; the device plugin of the cluster does not run on the pool.
    Cloud default `Unmanaged`: the driver alone. From version 2026-08-01 of the API. Immutable."""
    mig: Literal["MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"] | None = None
    """MIG profile: splits each A100, H100 or H200 into instances of 1/7 to 7/7 of the GPU. Default: whole GPUs. Immutable."""
    previous: "GpuPool | None" = None
    """The previous generation, with the fields it was declared with. It is kept next to the new pool, with the taint
    `nodepools/retiring=true:NoSchedule`, until you remove it here."""

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`sku=gpu` if tainted, and the spot taint if the pool uses spot capacity."""
        return (*((GPU_TAINT,) if self.tainted else ()), *super().own_taints)


class WindowsPool(AgentPool):
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
    """A `UserPool` with spot capacity; accepts the same fields.

    >>> SpotPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 20)).spot
    Spot(max_price=-1.0, eviction='Delete')
    """
    return UserPool(**{**fields, "kind": "UserPool", "spot": spot if spot is not None else Spot()})  # type: ignore[arg-type]  # fields are its own
