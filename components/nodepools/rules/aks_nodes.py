"""Nodes of agent pools: disks, swap, pods, sizes. Facts: docs/facts/aks.md § 2.1, § 2.2, § 2.7."""

from collections.abc import Iterator
from math import ceil

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, size_in_bytes
from nodepools.model.aks.pool_settings import Spot
from nodepools.model.aks.pools import SystemPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import literal, ref
from nodepools.rules.fix import Fix, remove, set_to
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
    """Nodes that are deallocated instead of deleted, on scale-in or eviction, require managed OS disks."""
    spot = getattr(pool, "spot", None)
    kept = {("scale_down_mode",): pool.scale_down_mode, ("spot", "eviction"): spot.eviction if isinstance(spot, Spot) else None}
    for at, what in kept.items() if pool.os_disk_type == "Ephemeral" else ():
        if what == "Deallocate":
            message = f"{ref(at)} (`Deallocate`) requires managed OS disks: AKS cannot deallocate nodes with ephemeral ones"
            yield finding(pool, message, path=at, fix=set_to("os_disk_type", "Managed"))


@rule(
    "AKS030",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/spot-node-pool: evicted nodes that are deallocated count against the quota",
    sample=lambda: Spot(eviction="Deallocate"),
)
def deallocated_spot_nodes(spot: Spot) -> Iterator[PartFinding]:
    """Evicted nodes that are deallocated instead of deleted count against the quota and block scale-out and upgrades."""
    if spot.eviction == "Deallocate":
        message = f"{ref('eviction')} (`Deallocate`) keeps evicted nodes: they count against the quota and block scale-out and upgrades"
        yield finding(spot, message, path="eviction", fix=set_to("eviction", "Delete"))


@rule(
    "AKS031",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/custom-node-configuration: swap needs failSwapOn false",
    sample=lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(swap_file_size="1Gi")),
)
def swap_without_fail_swap_on(pool: AgentPool) -> Iterator[PartFinding]:
    """With a swap file the kubelet starts only if `fail_swap_on` is off."""
    linux = getattr(pool, "linux_os", None)
    swap = linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None
    if swap is not None and (pool.kubelet is None or pool.kubelet.fail_swap_on is not False):
        message = f"The kubelet does not start with a swap file unless {ref('kubelet.fail_swap_on')} is {literal(False)}"
        fix = set_to("kubelet.fail_swap_on", False) if pool.kubelet is not None else set_to("kubelet", KubeletConfig(fail_swap_on=False))
        yield finding(pool, message, path=("linux_os", "swap_file_size"), fix=fix)


@rule(
    "AKS036",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/start-stop-nodepools: system pools cannot be stopped",
    sample=lambda: SystemPool(vm_size=SIZE, count=3, power_state="Stopped"),
)
def stopped_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS cannot stop system pools."""
    if pool.power_state == "Stopped":
        fix = Fix(f"Remove {ref('power_state')}: to stop its nodes, stop the whole cluster", (remove("power_state"),))
        yield finding(pool, "AKS cannot stop a system pool", path="power_state", fix=fix)


@rule(
    "AKS037",
    Severity.ERROR,
    source="Azure API reference, KubeletConfig and LinuxOSConfig: sizes in whole MB",
    sample=lambda: UserPool(vm_size=SIZE, kubelet=KubeletConfig(container_log_max_size="500Ki")),
)
def size_not_in_mebibytes(pool: AgentPool) -> Iterator[PartFinding]:
    """Agent pools accept sizes of log and swap files in whole MiB."""
    linux = getattr(pool, "linux_os", None)
    sizes = {
        ("kubelet", "container_log_max_size"): pool.kubelet.container_log_max_size if pool.kubelet is not None else None,
        ("linux_os", "swap_file_size"): linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None,
    }
    for at, size in sizes.items():
        if size is not None and (size_in_bytes(size) % _MEBIBYTE or size_in_bytes(size) < _MEBIBYTE):
            message = f"{ref(at)} (`{size}`) must be a whole number of MiB, at least 1"
            yield finding(pool, message, path=at, fix=set_to(at, f"{max(1, ceil(size_in_bytes(size) / _MEBIBYTE))}Mi"))


@rule(
    "AKS039",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: at least 30 pods a node pool",
    sample=lambda: UserPool(vm_size=SIZE, count=2, max_pods=10),
)
def max_pods_too_low(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS requires room for at least 30 pods in a node pool: with 10 pods per node that is three nodes."""
    least = pool.fewest_nodes
    if pool.max_pods is not None and 0 < least * pool.max_pods < _LEAST_PODS:
        message = f"{ref('max_pods')} ({pool.max_pods}) leaves room for {least * pool.max_pods} pods in the pool: AKS requires at least {_LEAST_PODS}"
        yield finding(pool, message, path="max_pods", fix=set_to("max_pods", ceil(_LEAST_PODS / least)))


@rule(
    "AKS047",
    Severity.WARNING,
    source=f"{_SIZES}: 2 vCPUs, by another page 4 for system pools",
    sample=lambda: SystemPool(vm_size="Standard_D2ds_v5", count=3),
)
def vm_size_too_small(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS documents at least 4 vCPUs for nodes of system pools and 2 for others, and can reject smaller sizes."""
    size = azure_vm_sizes().get(pool.vm_size)
    least = _GOOD_CPUS if isinstance(pool, SystemPool) else _LEAST_CPUS
    if size is not None and size.cpu is not None and size.cpu < least:
        kind = "system" if isinstance(pool, SystemPool) else "user"
        has = f"`{pool.vm_size}` has {size.cpu} vCPU{'s' * (size.cpu > 1)}"
        message = f"{has}: AKS documents a minimum of {least} for {kind} pools, and can reject smaller sizes"
        yield finding(pool, message, path="vm_size", fix=f"Use a larger size, such as `{SIZE}`")
