"""Nodes of agent pools: disks, swap, pods, and VM sizes that Azure retires. Facts: docs/facts/aks.md § 2.1, § 2.2, § 2.7."""

import re
from collections.abc import Iterator
from datetime import date
from math import ceil
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import POOLS_OF_A_CLUSTER
from nodepools.data.aks_images import retirement_of
from nodepools.data.azure_vm_sizes import azure_vm_sizes, lacks_host_encryption, lacks_premium_disks, largest_ephemeral_disk, parts_of
from nodepools.model.aks.agent_pool import AgentPool, Machines, Spot, SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ManagedAksNetwork
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, size_in_bytes
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, remove, set_to
from nodepools.rules.engine.registry import About, error, finding, sample, warning
from nodepools.rules.engine.samples import SIZE, aks
from nodepools.wire.aks.cluster_context import SYSTEM_ASSIGNED

_STORAGE = "https://learn.microsoft.com/azure/aks/concepts-storage: ephemeral OS disks"
_MACHINES = "https://learn.microsoft.com/azure/aks/virtual-machines-node-pools"
_MOST_SIZES: Final = 5
_REFUSALS = "Azure/AKS#2635 (VMCacheSizeTooSmall), #2694 (VMSizeDoesNotSupportEphemeralOS)"
_USUAL, _SINCE_2025 = 100, 128
"""GiB of an OS disk without a declared size: the concepts-storage page counts with 100, and uses the whole temporary disk from 128 on."""
_SMALLEST = 30
"""GiB of an OS disk that AKS accepts."""
_STATE_OF_LAUNCH = 1
"""GiB of the local disk that trusted launch reserves (virtual-machines/ephemeral-os-disks)."""


@error("AKS177", f"{_STORAGE}; {_REFUSALS}; sizes: data/azure_vm_sizes.py")
@sample("os_disk_type", lambda: UserPool(vm_size="Standard_D4s_v5", os_disk_type="Ephemeral"))
def ephemeral_disk_too_large(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS rejects an ephemeral OS disk that does not fit into the cache, the temporary disk or the NVMe disks of the VM size."""
    room = _room(pool)
    if room is None or not _is_ephemeral(pool):
        return
    if not room:
        message = f"`{pool.vm_size}` has no local storage for an ephemeral OS disk: AKS rejects it (VMSizeDoesNotSupportEphemeralOS)"
        fix = Fix(
            f"Remove {ref('os_disk_type')} (default here: managed disks), or use a size with a local disk, such as `{SIZE}`",
            (remove("os_disk_type"),),
        )
        yield finding(pool, message, path="os_disk_type", fix=fix)
    elif pool.os_disk_size_gb is not None and pool.os_disk_size_gb > room:
        message = f"`{pool.vm_size}` can hold an ephemeral OS disk of at most {room} GiB: AKS rejects {ref('os_disk_size_gb')} {pool.os_disk_size_gb}"
        yield finding(pool, message, path="os_disk_size_gb", fix=_smaller(room))
    elif pool.os_disk_size_gb is None and room < _USUAL:
        message = f"`{pool.vm_size}` can hold an ephemeral OS disk of at most {room} GiB, less than the default size: AKS rejects it"
        yield finding(pool, message, path="os_disk_type", fix=_smaller(room))


@warning("AKS178", f"{_STORAGE}: a default size of 100 GiB in its example; from 2025-03 on the temporary disk where that has 128 GiB")
@sample("os_disk_type", lambda: UserPool(vm_size="Standard_D4s_v3", os_disk_type="Ephemeral"))
def ephemeral_disk_size_not_set(pool: AgentPool) -> Iterator[PartFinding]:
    """A VM size with 100 to 127 GiB of local storage may not hold an ephemeral OS disk of the default size."""
    room = _room(pool)
    if room is not None and _is_ephemeral(pool) and pool.os_disk_size_gb is None and _USUAL <= room < _SINCE_2025:
        message = f"AKS can reject the ephemeral OS disk: its default size can exceed the {room} GiB that `{pool.vm_size}` has for it"
        yield finding(pool, message, path="os_disk_type", fix=_smaller(room))


@warning("AKS181", "https://learn.microsoft.com/azure/aks/use-ultra-disks: availability zones, and sizes with premium storage")
@sample("ultra_ssd", lambda: UserPool(vm_size=SIZE, ultra_ssd=True))
def ultra_disk_without_zones(pool: AgentPool) -> Iterator[PartFinding]:
    """Ultra disks require a node pool in availability zones, and a VM size that supports premium disks."""
    if pool.ultra_ssd and not pool.zones:
        message = f"Ultra disks require a node pool in availability zones: without {ref('zones')} AKS can reject {ref('ultra_ssd')}"
        fix = f"Set {ref('zones')} to availability zones that have ultra disks, or remove {ref('ultra_ssd')}"
        yield finding(pool, message, path="ultra_ssd", fix=fix)
    if pool.ultra_ssd and lacks_premium_disks(pool.vm_size):
        message = f"`{pool.vm_size}` does not support premium disks, which ultra disks require: AKS can reject {ref('ultra_ssd')}"
        fix = f"Use a size with `s` in its name, such as `{SIZE}`, or remove {ref('ultra_ssd')}"
        yield finding(pool, message, path="ultra_ssd", fix=fix)


@error(
    "AKS189",
    "https://learn.microsoft.com/azure/aks/enable-host-encryption: with supported VM sizes only; Azure's SKU list: EncryptionAtHostSupported",
)
@sample("encryption_at_host", lambda: UserPool(vm_size="Standard_D4_v3", encryption_at_host=True))
def unsupported_encryption_at_host(pool: AgentPool) -> Iterator[PartFinding]:
    """Encryption at host requires a VM size that supports it, which the oldest series do not."""
    if pool.encryption_at_host and lacks_host_encryption(pool.vm_size):
        message = f"`{pool.vm_size}` does not support encryption at host: AKS rejects the pool"
        yield finding(pool, message, path="encryption_at_host", fix=f"Use a newer size such as `{SIZE}`, or remove {ref('encryption_at_host')}")


def _smaller(room: int) -> FixLike:
    """An OS disk that fits; a managed disk if AKS accepts none that fits."""
    return set_to("os_disk_size_gb", room) if room >= _SMALLEST else remove("os_disk_type")


def _is_ephemeral(pool: AgentPool) -> bool:
    """The pool declares an ephemeral disk. Without a declared type, AKS uses a managed disk if an ephemeral one does not fit."""
    return pool.os_disk_type == "Ephemeral"


def _room(pool: AgentPool) -> int | None:
    """GiB for an ephemeral OS disk; `None` if unknown."""
    largest = largest_ephemeral_disk(pool.vm_size)
    if not largest:
        return largest
    return largest - _STATE_OF_LAUNCH if pool.secure_boot or pool.vtpm else largest


_MEBIBYTE = 1024 * 1024
_LEAST_PODS, _FEW_PODS = 30, 15
_DEFAULT_DISK = 128
"""GiB of an OS disk at least, if its size is not declared."""
_DEFAULT_DISKS: Final = ((64, 1024), (16, 512), (8, 256), (0, _DEFAULT_DISK))
"""GiB of a managed OS disk without a declared size, by the fewest vCPUs (the concepts-storage page)."""
_LEAST_CPUS, _GOOD_CPUS = 2, 4
_SIZES = "https://learn.microsoft.com/azure/aks/quotas-skus-regions: sizes for system and user node pools"


@error("AKS029", "https://learn.microsoft.com/azure/aks/scale-down-mode, virtual-machines/ephemeral-os-disks: no stopped nodes")
@sample("scale_down_mode", lambda: UserPool(vm_size=SIZE, scale_down_mode="Deallocate", os_disk_type="Ephemeral"))
def deallocation_with_ephemeral_disk(pool: AgentPool) -> Iterator[PartFinding]:
    """Nodes that are deallocated instead of deleted, on scale-in or eviction, require managed OS disks."""
    for at in _deallocating(pool) if pool.os_disk_type == "Ephemeral" else ():
        message = f"AKS cannot deallocate nodes with ephemeral OS disks: {ref(at)} (`Deallocate`) requires managed ones"
        yield finding(pool, message, path=at, fix=set_to("os_disk_type", "Managed"))


@warning(
    "AKS338", "https://learn.microsoft.com/azure/aks/scale-down-mode: set managed OS disks; the default is ephemeral where the size has room for it"
)
@sample("scale_down_mode", lambda: UserPool(vm_size=SIZE, scale_down_mode="Deallocate"))
def deallocation_with_default_disk(pool: AgentPool) -> Iterator[PartFinding]:
    """Without a type of OS disk AKS uses an ephemeral one where the VM size has room, and nodes with those cannot be deallocated."""
    room, size = largest_ephemeral_disk(pool.vm_size), pool.os_disk_size_gb if pool.os_disk_size_gb is not None else _DEFAULT_DISK
    for at in _deallocating(pool) if pool.os_disk_type is None and room is not None and room >= size else ():
        message = f"AKS can reject {ref(at)} (`Deallocate`): it requires managed OS disks, and those of `{pool.vm_size}` are ephemeral by default"
        yield finding(pool, message, path=at, fix=set_to("os_disk_type", "Managed"))


def _deallocating(pool: AgentPool) -> list[tuple[str, ...]]:
    """The settings with which nodes are deallocated."""
    spot = getattr(pool, "spot", None)
    kept = ((("scale_down_mode",), pool.scale_down_mode), (("spot", "eviction"), spot.eviction if isinstance(spot, Spot) else None))
    return [at for at, what in kept if what == "Deallocate"]


@error("AKS348", f"{_MACHINES} (2026-07): limitations, and the required identity in a network of one's own (InvalidParameter)")
@sample("pools.web.machines", lambda: _with_machines(Machines("Standard_E8ds_v5")))
def unsupported_machines(pool: UserPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool of single virtual machines has at most five different sizes of one family, and nothing that needs a scale set, such as zones or spot."""
    sizes = [one.vm_size for one in pool.by_size] if pool.machines is not None else []
    others = [size for size in sizes if _kind_of(size) != _kind_of(pool.vm_size)]
    if others:
        fix = "Move the other sizes to another pool"
        message = (
            f"AKS rejects `{others[0]}` next to `{pool.vm_size}`: sizes of one pool must have the same family and architecture, and all or none a GPU"
        )
        yield finding(pool, message, path="machines", fix=fix)
    if len(sizes) > _MOST_SIZES:
        message = f"The pool has {len(sizes)} sizes, that of {ref('vm_size')} included: AKS accepts at most {_MOST_SIZES}"
        yield finding(pool, message, path="machines", fix="Move entries to another pool")
    for size in sorted({size for size in sizes if [other.lower() for other in sizes].count(size.lower()) > 1})[:1]:
        message = f"AKS accepts each size of a pool once, that of {ref('vm_size')} included: `{size}` is set more than once"
        yield finding(pool, message, path="machines", fix="Add the counts of the size in one place, and remove the other entries")
    for field in _OF_SCALE_SETS if sizes else ():
        if getattr(pool, field) not in ((), None):
            yield finding(pool, f"AKS does not support {ref(field)} for single virtual machines", path=field, fix=remove(field))
    if sizes and cluster.identity == SYSTEM_ASSIGNED and not isinstance(cluster.network, ManagedAksNetwork):
        message = "AKS rejects single virtual machines in a network of your own with the system-assigned identity of the cluster (InvalidParameter)"
        fix = f"Set {ref('identity')} of the cluster to a user-assigned identity, or remove {ref('machines')}"
        yield finding(pool, message, path="machines", fix=fix)


_OF_SCALE_SETS: Final = ("zones", "snapshot_id", "spot", "proximity_placement_group_id")
"""Fields that only pools with a scale set can have: https://learn.microsoft.com/azure/aks/spot-node-pool and reduce-latency-ppg (2026-08-21)."""


def _kind_of(vm_size: str) -> tuple[str, str | None, bool]:
    """Family, architecture and whether it has GPUs: the same for all sizes of a pool."""
    size, parts = azure_vm_sizes().get(vm_size), parts_of(vm_size)
    return parts.family if parts is not None else vm_size, size.arch if size is not None else None, bool(size is not None and size.gpus)


def _with_machines(*machines: Machines) -> AksClusterArgs:
    return aks(pools={"web": UserPool(vm_size=SIZE, machines=machines)})


@warning("AKS339", "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: pods of the system count (2026-11-25)")
@sample("max_pods", lambda: UserPool(vm_size=SIZE, count=3, max_pods=10))
def few_pods_next_to_daemon_sets(pool: AgentPool) -> Iterator[PartFinding]:
    """DaemonSets of AKS, such as kube-proxy and the CSI drivers, take some of the pods of each node: with a low maximum few are left."""
    if pool.max_pods is not None and pool.max_pods < _FEW_PODS and not 0 < pool.fewest_nodes * pool.max_pods < _LEAST_PODS:  # otherwise AKS039
        message = (
            f"Few of your pods fit on a node: {ref('max_pods')} ({pool.max_pods}) counts the DaemonSets of AKS too, "
            "such as kube-proxy and CSI drivers"
        )
        yield finding(pool, message, path="max_pods", fix=f"Set {ref('max_pods')} to {literal(_LEAST_PODS)} or more")


@warning("AKS030", "https://learn.microsoft.com/azure/aks/spot-node-pool: evicted nodes that are deallocated count against the quota")
@sample("eviction", lambda: Spot(eviction="Deallocate"))
def deallocated_spot_nodes(spot: Spot) -> Iterator[PartFinding]:
    """Evicted nodes that are deallocated instead of deleted count against the quota and block scale-out and upgrades."""
    if spot.eviction == "Deallocate":
        message = f"{ref('eviction')} (`Deallocate`) keeps evicted nodes: they count against the quota and block scale-out and upgrades"
        yield finding(spot, message, path="eviction", fix=set_to("eviction", "Delete"))


@error("AKS031", "https://learn.microsoft.com/azure/aks/custom-node-configuration: swap needs failSwapOn false")
@sample("linux_os.swap_file_size", lambda: UserPool(vm_size=SIZE, linux_os=LinuxOsConfig(swap_file_size="1Gi")))
def swap_without_fail_swap_on(pool: AgentPool) -> Iterator[PartFinding]:
    """With a swap file the kubelet starts only if `fail_swap_on` is off."""
    linux = getattr(pool, "linux_os", None)
    swap = linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None
    if swap is not None and (pool.kubelet is None or pool.kubelet.fail_swap_on is not False):
        message = f"The kubelet does not start with a swap file unless {ref('kubelet.fail_swap_on')} is {literal(False)}"
        fix = set_to("kubelet.fail_swap_on", False) if pool.kubelet is not None else set_to("kubelet", KubeletConfig(fail_swap_on=False))
        yield finding(pool, message, path=("linux_os", "swap_file_size"), fix=fix)


@error(
    "AKS384", f"Azure/AgentBaker, cse_config.sh, configureSwapFile: the temporary disk, otherwise the OS disk, or the node's set-up fails; {_STORAGE}"
)
@sample(
    "linux_os.swap_file_size",
    lambda: UserPool(vm_size=SIZE, kubelet=KubeletConfig(fail_swap_on=False), linux_os=LinuxOsConfig(swap_file_size="200Gi")),
)
def swap_file_too_large(pool: AgentPool) -> Iterator[PartFinding]:
    """A swap file is on the temporary disk of a node, otherwise on its OS disk: if it fits on neither, no node joins the cluster."""
    linux = getattr(pool, "linux_os", None)
    swap = linux.swap_file_size if isinstance(linux, LinuxOsConfig) else None
    if swap is None:
        return
    for one in pool.by_size:
        local, size = largest_ephemeral_disk(one.vm_size), azure_vm_sizes().get(one.vm_size)
        if local is None or size is None or size.cpu is None:
            continue
        managed = next(gib for cpus, gib in _DEFAULT_DISKS if size.cpu >= cpus)
        room = max(local, one.os_disk_size_gb if one.os_disk_size_gb is not None else managed)
        if size_in_bytes(swap) >= room * 1024 * _MEBIBYTE:
            message = (
                f"No node joins the cluster: a swap file of `{swap}` fits on no disk of `{one.vm_size}`, of which the largest has {room} GiB at most"
            )
            yield finding(
                pool, message, path=("linux_os", "swap_file_size"), fix="Use a smaller swap file, or a VM size with a larger temporary disk"
            )


@error("AKS036", "https://learn.microsoft.com/azure/aks/start-stop-nodepools: system pools cannot be stopped")
@sample("power_state", lambda: SystemPool(vm_size=SIZE, count=3, power_state="Stopped"))
def stopped_system_pool(pool: SystemPool) -> Iterator[PartFinding]:
    """AKS cannot stop system pools."""
    if pool.power_state == "Stopped":
        fix = Fix(f"Remove {ref('power_state')} (default: running); only the whole cluster can be stopped", (remove("power_state"),))
        yield finding(pool, "AKS cannot stop a system pool", path="power_state", fix=fix)


@error("AKS037", "Azure API reference, KubeletConfig and LinuxOSConfig: sizes in whole MB")
@sample("kubelet.container_log_max_size", lambda: UserPool(vm_size=SIZE, kubelet=KubeletConfig(container_log_max_size="500Ki")))
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


@warning("AKS039", "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning: at least 30 pods a node pool")
@sample("max_pods", lambda: UserPool(vm_size=SIZE, count=2, max_pods=10))
def max_pods_too_low(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS requires room for at least 30 pods in a node pool: with 10 pods per node that is three nodes."""
    least = pool.fewest_nodes
    if pool.max_pods is not None and 0 < least * pool.max_pods < _LEAST_PODS:
        message = (
            f"AKS requires room for at least {_LEAST_PODS} pods in a pool: "
            f"{ref('max_pods')} ({pool.max_pods}) times the number of nodes ({least}) is {least * pool.max_pods}"
        )
        yield finding(pool, message, path="max_pods", fix=set_to("max_pods", ceil(_LEAST_PODS / least)))


@error("AKS335", "https://learn.microsoft.com/azure/aks/quotas-skus-regions: 100 node pools of a cluster (2026-11)")
@sample("pools", lambda: aks(pools={f"p{number}": UserPool(vm_size=SIZE) for number in range(POOLS_OF_A_CLUSTER)}))
def agent_pools_beyond_the_limit(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster of AKS has at most 100 agent pools, including the first system pool and previous generations."""
    number = sum(1 if pool.retiring is None else 2 for _, pool in cluster.all_pools())
    if number > POOLS_OF_A_CLUSTER:
        message = f"The cluster has {number} agent pools, previous generations included: AKS accepts at most {POOLS_OF_A_CLUSTER}"
        fix = f"Remove {number - POOLS_OF_A_CLUSTER} pools, or move them to another cluster"
        yield finding(cluster, message, path="pools", value=number, fix=fix)


@warning("AKS340", "https://learn.microsoft.com/azure/aks/use-arm64-vms: select arm64 nodes by their label, or taint them")
@sample("pools.arm.taints", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "arm": UserPool(vm_size="Standard_D4ps_v5")}))
def untainted_arm64_pool(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS adds no taint to arm64 nodes: next to pools of amd64, pods without a node selector run on either, and some images start on one only."""
    is_open = _arch(pool) == "arm64" and pool.takes_ordinary_pods
    if is_open and any(_arch(other) == "amd64" and other.takes_ordinary_pods for _, other in cluster.all_pools()):
        message = "Pods without a node selector can be scheduled on these arm64 nodes, where images for amd64 do not start"
        fix = f"Add a taint such as {literal('arch=arm64:NoSchedule')}, or build all images for both architectures"
        yield finding(pool, message, path="taints", value=None, fix=fix)


@warning("AKS047", f"{_SIZES}: 2 vCPUs, by another page 4 for system pools")
@sample("vm_size", lambda: SystemPool(vm_size="Standard_D2ds_v5", count=3))
def vm_size_too_small(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS documents at least 4 vCPUs for nodes of system pools and 2 for others, and can reject smaller sizes."""
    size = azure_vm_sizes().get(pool.vm_size)
    least = _GOOD_CPUS if isinstance(pool, SystemPool) else _LEAST_CPUS
    if size is not None and size.cpu is not None and size.cpu < least:
        kind = "system" if isinstance(pool, SystemPool) else "user"
        has = f"`{pool.vm_size}` has {size.cpu} vCPU{'s' * (size.cpu > 1)}"
        message = f"{has}: AKS documents a minimum of {least} for {kind} pools, and can reject smaller sizes"
        yield finding(pool, message, path="vm_size", fix=f"Use a larger size, such as `{SIZE}`")


def _arch(pool: AgentPool) -> str | None:
    """The architecture of Linux nodes, if the size is known."""
    size = azure_vm_sizes().get(pool.vm_size)
    return size.arch if size is not None and pool.os_type == "Linux" else None


_RETIRED: Final = "https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list (2026-04)"
_EPHEMERAL: Final = "https://github.com/Azure/AKS/issues/5568, 5602, 5609: open on 2026-11-25"
_SEEN_REJECTED: Final = re.compile(r"standard_(D[0-9]+p[a-z]*d[a-z]*_v6|NV[0-9]+adm?s_V710_v5)", re.IGNORECASE)


@warning("AKS328", "Azure ignores the case of VM sizes; the generation of a pool does not", about=About.CREATION)
@sample("vm_size", lambda: UserPool(vm_size=SIZE.lower()))
def vm_size_in_another_case(pool: AgentPool) -> Iterator[PartFinding]:
    """Azure accepts a VM size in any case, but every later change of its spelling rotates the pool."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is not None and size.name != pool.vm_size:
        message = f"Azure spells this size `{size.name}`: every spelling works, but changing it later replaces the pool"
        fix = f"Set {ref('vm_size')} to {literal(size.name)} if the pool does not exist yet; keep the spelling of an existing pool"
        yield finding(pool, message, path="vm_size", fix=fix)


@error("AKS330", _RETIRED, about=About.CREATION)
@sample("vm_size", lambda: UserPool(vm_size="Standard_NC6s_v3"))
def retired_vm_size(pool: AgentPool, today: date) -> Iterator[PartFinding]:
    """Azure has retired the series of a VM size, and provisions no machines of it."""
    row = retirement_of(pool.vm_size)
    if row is not None and row.is_refused(today):
        yield finding(pool, f"Azure retired {row.name} on {row.ends}: `{pool.vm_size}` cannot be provisioned", path="vm_size", fix=_REPLACE)


@warning("AKS331", _RETIRED)
@sample("vm_size", lambda: UserPool(vm_size="Standard_NV4as_v4"))
def retiring_vm_size(pool: AgentPool, today: date) -> Iterator[PartFinding]:
    """Azure retires the series of a VM size within a year, or planned to do so by now: its machines are then stopped."""
    row = retirement_of(pool.vm_size)
    if row is not None and not row.is_refused(today) and not row.is_far(today):
        yield finding(pool, f"{row.ended(today)}: from then on Azure stops its VMs, and creates no new ones", path="vm_size", fix=_REPLACE)


@warning("AKS333", _EPHEMERAL)
@sample("os_disk_type", lambda: UserPool(vm_size="Standard_D4pds_v6", os_disk_type="Ephemeral"))
def ephemeral_disk_seen_rejected(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS was seen to reject ephemeral OS disks on Dpdsv6 and V710 sizes in some regions, although their documentation allows them."""
    if pool.os_disk_type == "Ephemeral" and _SEEN_REJECTED.fullmatch(pool.vm_size):
        message = f"AKS can reject an ephemeral OS disk on `{pool.vm_size}`: that was seen in some regions, although it is documented to fit"
        yield finding(
            pool, message, path="os_disk_type", fix=f"Set {ref('os_disk_type')} to {literal('Managed')}, or keep it if this region accepts it"
        )


_REPLACE: Final = "Use a size of a newer series; an existing pool is then replaced (it rotates)"
