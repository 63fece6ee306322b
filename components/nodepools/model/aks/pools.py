"""The kinds of AKS agent pools: system, user, spot, GPU and Windows pools. Facts: docs/facts/aks.md § 2."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field

from nodepools.model.aks.agent_pool import AgentPool, Machines, Spot
from nodepools.model.aks.node_settings import LinuxOsConfig
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.ref import KNOWN
from nodepools.model.unknowns import assembled

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
    It forwards traffic of other pods and runs none of its own. A StaticGatewayConfiguration in the cluster names it. Not with `scale`. Immutable."""
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
        own = assembled(self, machines=None)
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
