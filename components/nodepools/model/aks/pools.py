"""AKS agent pools. Facts: aks.md § 2."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.ref import KNOWN, Ref
from nodepools.model.timeouts import Timeouts

CRITICAL_ADDONS_ONLY = Taint("CriticalAddonsOnly", "true", "NoSchedule")
SPOT_LABEL = "kubernetes.azure.com/scalesetpriority"
SPOT_TAINT = Taint(SPOT_LABEL, "spot", "NoSchedule")
GPU_TAINT = Taint("sku", "gpu", "NoSchedule")


class Autoscale(Model):
    """The range within which the cluster autoscaler keeps a pool. Written `Autoscale(2, 10)`."""

    min: int = Field(kw_only=False, ge=0, le=1000)
    """Fewest nodes, 0 to 1000; at least 1 for system pools."""
    max: int = Field(kw_only=False, ge=1, le=1000)
    """Most nodes, 1 to 1000."""


class Spot(Model):
    """Evictable capacity. The label and the taint `kubernetes.azure.com/scalesetpriority=spot:NoSchedule` come with it."""

    max_price: float = Field(default=-1, ge=-1)
    """US dollars an hour, up to five decimals; -1 is up to the on-demand price. Cannot be changed in place."""
    eviction: Literal["Delete", "Deallocate"] = "Delete"
    """What becomes of an evicted node; `Deallocate` keeps counting against the quota. Cannot be changed in place."""


class AgentPool(Model):
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
    """Version of the nodes, `1.35`; that of the cluster when left out."""
    os_sku: str | None = None
    """`Ubuntu` (cloud default) or `AzureLinux`."""
    os_disk_size_gb: int | None = Field(default=None, ge=30, le=2048)
    """GiB, 30 to 2048; by VM size when left out. Fixed."""
    os_disk_type: Literal["Ephemeral", "Managed"] | None = None
    """`Ephemeral` where the VM size can hold it, when left out. Fixed."""
    max_pods: int | None = Field(default=None, ge=10, le=250)
    """Pods a node, 10 to 250; 250 in overlay networks when left out. Fixed."""
    labels: Mapping[str, str] = {}
    """Labels of every node, beside `nodepools/name`."""
    taints: Sequence[Taint] = ()
    """Taints of every node, beside those that come with the kind of pool."""
    vnet_subnet_id: Ref | None = None
    """Id of an existing subnet; that of the cluster, or one of its own by `network.pool_subnets`, when left out. Fixed."""
    generation: str | None = Field(default=None, pattern=r"^[a-z0-9-]{1,32}$")
    """Turn it to have the pool made anew, under another name, before the old one goes."""
    tags: Mapping[str, str] = {}
    """Azure tags, beside those of the cluster."""
    timeouts: Timeouts = Timeouts()
    """How long Pulumi waits."""
    overrides: Mapping[str, object] = {}
    """Laid over the arguments of `azure-native:containerservice:AgentPool`, in its Python spelling, for what is not modelled yet."""

    mode: ClassVar[Literal["System", "User"]] = "User"

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


class SystemPool(AgentPool):
    """Hosts the cluster's own pods. Tainted `CriticalAddonsOnly=true:NoSchedule`, so that applications keep off it."""

    kind: Literal["SystemPool"] = "SystemPool"
    isolated: bool = True
    """Whether it has that taint."""
    mode: ClassVar[Literal["System", "User"]] = "System"

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`CriticalAddonsOnly`, where it is isolated."""
        return (CRITICAL_ADDONS_ONLY,) if self.isolated else ()


class _Evictable(AgentPool):
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


class UserPool(_Evictable):
    """Hosts applications."""

    kind: Literal["UserPool"] = "UserPool"


class GpuPool(_Evictable):
    """NVIDIA GPUs. The taint `sku=gpu:NoSchedule` and the device plugin come with it; AKS adds neither of itself."""

    kind: Literal["GpuPool"] = "GpuPool"
    tainted: bool = True
    """Whether it has that taint."""
    driver: Literal["Install", "None"] = "Install"
    """Who installs the NVIDIA driver: AKS, or someone else. Cloud default `Install`. Fixed."""

    @property
    def own_taints(self) -> Sequence[Taint]:
        """`sku=gpu`, and the spot taint where it is spot."""
        return (*((GPU_TAINT,) if self.tainted else ()), *super().own_taints)


AnyPool = Annotated[SystemPool | UserPool | GpuPool, Discriminator("kind"), KNOWN]


def SpotPool(*, spot: Spot | None = None, **fields: object) -> UserPool:  # noqa: N802  # reads as the kind of pool that people know
    """A `UserPool` with `spot`: the fields are its own."""
    return UserPool.model_validate({**fields, "kind": "UserPool", "spot": spot if spot is not None else Spot()})
