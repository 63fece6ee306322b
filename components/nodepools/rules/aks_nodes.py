"""What AKS asks of the machines of an agent pool. Facts: docs/facts/aks.md § 2.1, § 2.2, § 2.7."""

from collections.abc import Iterator

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, size_in_bytes
from nodepools.model.aks.pool_parts import Spot
from nodepools.model.aks.pools import AgentPool, SystemPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE

_MEBIBYTE = 1024 * 1024
_LEAST_PODS = 30
_LEAST_CPUS, _GOOD_CPUS = 2, 4
_SIZES = "https://learn.microsoft.com/azure/aks/quotas-skus-regions: sizes for system and user node pools"


@rule(
    "AKS029",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/scale-down-mode, virtual-machines/ephemeral-os-disks: no stopped nodes",
    sample=lambda: UserPool(vm_size=SIZE, scale_down_mode="Deallocate", os_disk_type="Ephemeral"),
)
def deallocation_with_ephemeral_disk(pool: AgentPool) -> Iterator[PartFinding]:
    """A node that is stopped and kept, by its pool or by an eviction, needs a disk that lasts."""
    spot = getattr(pool, "spot", None)
    kept = {("scale_down_mode",): pool.scale_down_mode, ("spot", "eviction"): spot.eviction if isinstance(spot, Spot) else None}
    for at, what in kept.items() if pool.os_disk_type == "Ephemeral" else ():
        if what == "Deallocate":
            yield finding(pool, "is not possible with ephemeral OS disks", at=at, fix='write os_disk_type="Managed", or leave it out')


@rule(
    "AKS030",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: evicted nodes that are deallocated count against the quota",
    sample=lambda: Spot(eviction="Deallocate"),
)
def deallocated_spot_nodes(spot: Spot) -> Iterator[PartFinding]:
    """Evicted nodes that are only stopped count against the quota, and keep the pool from growing and from upgrades."""
    if spot.eviction == "Deallocate":
        yield finding(spot, "keeps evicted nodes: they count against the quota and stand in the way of upgrades", at="eviction", fix="leave it out")


@rule(
    "AKS031",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/custom-node-configuration: swap needs failSwapOn false",
    sample=lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(swap_file_size="1Gi")),
)
def swap_without_fail_swap_on(pool: AgentPool) -> Iterator[PartFinding]:
    """With a swap file the kubelet has to be told to start all the same."""
    linux = getattr(pool, "linux_os", None)
    swap = linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None
    if swap is not None and (pool.kubelet is None or pool.kubelet.fail_swap_on is not False):
        yield finding(
            pool, "needs a kubelet that starts with swap", at=("linux_os", "swap_file_size"), fix="add kubelet=KubeletConfig(fail_swap_on=False)"
        )


@rule(
    "AKS036",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/start-stop-nodepools: system pools cannot be stopped",
    sample=lambda: SystemPool(vm_size=SIZE, count=3, power_state="Stopped"),
)
def stopped_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """System pools cannot be stopped."""
    if pool.power_state == "Stopped":
        yield finding(pool, "is not possible for a system pool", at="power_state", fix="remove it; stop the whole cluster")


@rule(
    "AKS037",
    Severity.ERROR,
    source="Azure API reference, KubeletConfig and LinuxOSConfig: sizes in whole MB",
    sample=lambda: UserPool(vm_size=SIZE, kubelet=KubeletConfig(container_log_max_size="500Ki")),
)
def size_not_in_mebibytes(pool: AgentPool) -> Iterator[PartFinding]:
    """Agent pools take sizes of log and swap files in whole MiB."""
    linux = getattr(pool, "linux_os", None)
    sizes = {
        ("kubelet", "container_log_max_size"): pool.kubelet.container_log_max_size if pool.kubelet is not None else None,
        ("linux_os", "swap_file_size"): linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None,
    }
    for at, size in sizes.items():
        if size is not None and (size_in_bytes(size) % _MEBIBYTE or size_in_bytes(size) < _MEBIBYTE):
            yield finding(pool, "is no whole number of MiB", at=at, fix='write it in Mi, "50Mi"')


@rule(
    "AKS039",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: at least 30 pods a node pool",
    sample=lambda: UserPool(vm_size=SIZE, count=2, max_pods=10),
)
def max_pods_too_low(pool: AgentPool) -> Iterator[PartFinding]:
    """A pool has room for 30 pods at least: with 10 a node that is three nodes."""
    least = pool.fewest_nodes
    if pool.max_pods is not None and 0 < least * pool.max_pods < _LEAST_PODS:
        yield finding(pool, f"leaves room for {least * pool.max_pods} pods: AKS wants {_LEAST_PODS}", at="max_pods", fix="raise it, or add nodes")


@rule(
    "AKS047",
    Severity.WARNING,
    source=f"{_SIZES}: 2 vCPUs, by another page 4 for system pools",
    sample=lambda: SystemPool(vm_size="Standard_D2ds_v5", count=3),
)
def vm_size_too_small(pool: AgentPool) -> Iterator[PartFinding]:
    """Nodes of system pools have 4 vCPUs, those of others 2: AKS may refuse smaller ones."""
    size = azure_vm_sizes().get(pool.vm_size)
    least = _GOOD_CPUS if isinstance(pool, SystemPool) else _LEAST_CPUS
    if size is not None and size.cpu is not None and size.cpu < least:
        yield finding(pool, f"has {size.cpu} vCPU: AKS asks for {least} here", at="vm_size", fix="take a larger size, such as Standard_D4ds_v5")
