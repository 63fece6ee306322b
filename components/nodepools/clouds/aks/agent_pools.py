"""AKS agent pools as static pools: the labels that AKS sets, and GPUs with the device plugin, whole, time-sliced or partitioned (MIG).

Facts: docs/facts/aks.md § 2.3 to § 2.5; instances of a profile and their names: https://learn.microsoft.com/azure/aks/gpu-multi-instance and
NVIDIA's MIG user guide (2026-11).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodepools.data.azure_vm_sizes import AzureSize, azure_vm_sizes
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import GATEWAY_TAINT, RETIRING, SPOT_LABEL, AgentPool, GpuPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.services import DevicePlugin
from nodepools.model.kubernetes.label import Taint, domain
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.name_limits import azure_name
from nodepools.placement.allocatable import agent_pool_offers, disk
from nodepools.placement.cloud_labels import AGENT_POOL, HOSTNAME, REGION, ZONE, of_node_software
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds
from nodepools.placement.static_pools import StaticPool
from nodepools.wire.aks.generation import SYSTEM, first_pool_name, pool_name

NVIDIA, AMD = "nvidia.com/gpu", "amd.com/gpu"
_INSTANCES: Final = {"MIG1g": 7, "MIG2g": 3, "MIG3g": 2, "MIG4g": 1, "MIG7g": 1}
"""MIG instances per GPU, by profile."""
_OF_40_GB: Final = {"MIG1g": "1g.5gb", "MIG2g": "2g.10gb", "MIG3g": "3g.20gb", "MIG4g": "4g.20gb", "MIG7g": "7g.40gb"}
_OF_80_GB: Final = {"MIG1g": "1g.10gb", "MIG2g": "2g.20gb", "MIG3g": "3g.40gb", "MIG4g": "4g.40gb", "MIG7g": "7g.80gb"}
_MEMORY: Final = ((re.compile(r"Standard_ND96asr_v4", re.IGNORECASE), _OF_40_GB), (re.compile(r"Standard_N\w+_A100_v4", re.IGNORECASE), _OF_80_GB))
"""Names of MIG instances, by the memory of the GPU; the memory of other sizes is not recorded."""
_NAMES: Final = tuple(f"nvidia.com/mig-{name}" for names in (_OF_40_GB, _OF_80_GB) for name in names.values())
_NO_INSTANCES: Final[Mapping[str, Bounds]] = dict.fromkeys(_NAMES, NO_AMOUNT)


def gpu_offers(args: AksClusterArgs, pool: AgentPool, size: AzureSize | None) -> Mapping[str, Bounds]:
    """Allocatable GPU resources of a node; a resource that is missing is unknown."""
    if size is None or size.gpus is None:
        return {}
    if size.gpus == 0:
        return {NVIDIA: NO_AMOUNT, AMD: NO_AMOUNT, **_NO_INSTANCES}
    plugin = args.own_device_plugin
    if isinstance(pool, GpuPool) and pool.management == "Managed" and pool.mig is None:
        return {NVIDIA: Bounds(size.gpus * 1000, size.gpus * 1000), **_NO_INSTANCES}
    if plugin is None or not isinstance(pool, GpuPool) or pool.management == "Managed" or pool.driver != "Install":
        return {}
    return _partitioned(plugin, pool, pool.mig, size.gpus) if pool.mig is not None else {NVIDIA: _whole(plugin, size.gpus), **_NO_INSTANCES}


def _whole(plugin: DevicePlugin, gpus: int) -> Bounds:
    """Time slices count as GPUs. With `fail_on_more_than_one`, the kubelet rejects a container that requests two of them."""
    shares = plugin.time_slices if plugin.time_slices is not None else 1
    most = gpus * shares * 1000
    return Bounds(1000, most) if plugin.time_slices is not None and plugin.fail_on_more_than_one else Bounds(most, most)


def _partitioned(plugin: DevicePlugin, pool: GpuPool, profile: str, gpus: int) -> Mapping[str, Bounds]:
    each = _INSTANCES[profile] * gpus * 1000
    if plugin.mig_strategy == "mixed":
        return {NVIDIA: NO_AMOUNT, **_NO_INSTANCES, **_named(pool.vm_size, profile, Bounds(each, each))}
    if plugin.mig_strategy == "none":
        return {}
    return {NVIDIA: Bounds(each, each) if plugin.time_slices is None else UNKNOWN_AMOUNT, **_NO_INSTANCES}


def _named(vm_size: str, profile: str, count: Bounds) -> Mapping[str, Bounds]:
    """MIG instances by name; if the memory of the GPU is not recorded, they may have any name of the profile."""
    for size, names in _MEMORY:
        if size.fullmatch(vm_size):
            return {f"nvidia.com/mig-{names[profile]}": count}
    return {f"nvidia.com/mig-{names[profile]}": UNKNOWN_AMOUNT for names in (_OF_40_GB, _OF_80_GB)}


_DOMAINS: Final = ("kubernetes.azure.com", "node.kubernetes.io", "storageprofile", "storagetier")
_LEGACY: Final = frozenset({"agentpool", "storageprofile", "storagetier", "accelerator", HOSTNAME, "kubernetes.io/arch", "kubernetes.io/role"})
_WINDOWS_BUILD: Final = "node.kubernetes.io/windows-build"
_BUILDS: Final = {"Windows2019": "10.0.17763", "Windows2022": "10.0.20348", "Windows2025": "10.0.26100"}
"""Windows builds as the kubelet reports them (https://kubernetes.io/docs/reference/labels-annotations-taints, 2026-11)."""
_DECIDED: Final = frozenset({SPOT_LABEL, _WINDOWS_BUILD})
_TYPE_LABELS: Final = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
_ARCH_LABELS: Final = ("kubernetes.io/arch", "beta.kubernetes.io/arch")
MACHINE_LABELS: Final = (*_TYPE_LABELS, *_ARCH_LABELS)
FAULT_DOMAINS: Final = ("0", "1", "2", "3", "4")
"""What Azure reports as the zone of a node without a zone."""
MOST_PODS, _PODS_KUBENET, _PODS_IN_SUBNET = 250, 110, 30


def agent_nodes(cluster: str, args: AksClusterArgs, key: str, pool: AgentPool) -> Iterator[StaticPool]:
    """The pool `key`, one for each VM size, and its previous generation if one is declared."""
    yield from _by_size(f"{cluster}/{key}", args, key, pool)
    if pool.retiring is not None:
        for previous in _by_size(f"{cluster}/{key} (previous)", args, key, pool.retiring):
            yield replace(previous, taints=(*previous.taints, RETIRING))


def _by_size(address: str, args: AksClusterArgs, key: str, pool: AgentPool) -> Iterator[StaticPool]:
    name = first_pool_name(args) if key == SYSTEM else pool_name(args, key, pool)
    for of_size, one in pool.by_size_at(address):
        yield _nodes(of_size, args, key, one, name)


def _nodes(address: str, args: AksClusterArgs, key: str, pool: AgentPool, name: str) -> StaticPool:
    size = azure_vm_sizes().get(pool.vm_size)
    zones = [zone_name(args.location, zone) for zone in pool.zones]
    labels = {
        **labels_by_aks(name, pool.mode),
        **machine_labels(pool.vm_size),
        **os_labels(pool.os_type, pool.os_sku, fips=bool(pool.fips)),
        **region_labels(args.location),
        **pool.node_labels(key),
    }
    return StaticPool(
        address=address,
        variants=tuple({**labels, **zone_labels(zone)} for zone in zones or FAULT_DOMAINS),
        taints=(*pool.node_taints, *taints_by_aks(pool.mode)),
        offers={**_offers(args, pool, size), **gpu_offers(args, pool, size), "ephemeral-storage": _disk(pool)},
        size=pool.vm_size,
        min_nodes=pool.fewest_nodes,
        max_nodes=0 if pool.power_state == "Stopped" else pool.most_nodes,
        max_pods=pool.max_pods if pool.max_pods is not None else _max_pods(args),
        choices=spellings(pool.vm_size),
        may_set=may_set,
        name_rotates=pool.name is None,
        system=pool.os_type.lower(),
        headroom=str(pool.headroom) if isinstance(pool, UserPool) and pool.headroom is not None and pool.scale is not None else "",
    )


def labels_by_aks(name: str, mode: str) -> dict[str, str]:
    """Labels of the nodes of an agent pool that follow from its name and mode."""
    return {"agentpool": name, AGENT_POOL: name, "kubernetes.azure.com/mode": mode.lower(), "kubernetes.azure.com/role": "agent"}


def taints_by_aks(mode: str) -> tuple[Taint, ...]:
    """Taints of the nodes of an agent pool that follow from its mode alone."""
    return (GATEWAY_TAINT,) if mode == "Gateway" else ()


def machine_labels(vm_size: str) -> dict[str, str]:
    """Labels of a node that follow from its VM size. The architecture of a size that the table does not have is not known."""
    size = azure_vm_sizes().get(vm_size)
    of_type = {} if spellings(vm_size) else dict.fromkeys(_TYPE_LABELS, vm_size)
    return {**({} if size is None else dict.fromkeys(_ARCH_LABELS, size.arch)), **of_type}


def spellings(vm_size: str) -> Mapping[str, frozenset[str]]:
    """The labels of a size in another case than Azure's own: which of both spellings nodes have is not established."""
    size = azure_vm_sizes().get(vm_size)
    return {} if size is None or size.name == vm_size else dict.fromkeys(_TYPE_LABELS, frozenset({vm_size, size.name}))


def region_labels(location: str) -> dict[str, str]:
    """The region of nodes."""
    return dict.fromkeys((REGION, "failure-domain.beta.kubernetes.io/region"), azure_name(location))


def zone_name(location: str, zone: object) -> str:
    """The zone of nodes in a location, which Azure accepts in other spellings. Source: cloud-provider-azure, `MakeZone`."""
    return f"{azure_name(location)}-{zone}"


def zone_labels(zone: str) -> dict[str, str]:
    """The zone of a node."""
    return {ZONE: zone, "failure-domain.beta.kubernetes.io/zone": zone}


def os_labels(os_type: str, os_sku: str | None, *, fips: bool) -> dict[str, str]:
    """Operating system labels. The label for a versioned image (`Ubuntu2204`) is not documented."""
    system = {"kubernetes.io/os": os_type.lower(), "beta.kubernetes.io/os": os_type.lower()}
    image = os_sku if os_sku is not None else "Ubuntu"
    sku = {"kubernetes.azure.com/os-sku": image} if image in ("Ubuntu", "AzureLinux") else {}
    build = {_WINDOWS_BUILD: _BUILDS[image]} if image in _BUILDS else {}
    return {**system, **sku, **build, **({"kubernetes.azure.com/fips_enabled": "true"} if fips else {})}


def _offers(args: AksClusterArgs, pool: AgentPool, size: AzureSize | None) -> Mapping[str, Bounds]:
    if size is None:
        return {}
    most = pool.max_pods if pool.max_pods is not None else MOST_PODS  # the largest default reserves the most memory
    fewest = pool.max_pods if pool.max_pods is not None else _max_pods(args)
    version = pool.kubernetes_version if pool.kubernetes_version is not None else args.kubernetes_version
    minor = minor_of(version) if pool.snapshot_id is None else None
    return agent_pool_offers(size.cpu, size.memory_gib, max_pods=most, minor=minor, windows=pool.os_type == "Windows", fewest_pods=fewest)


def _disk(pool: AgentPool) -> Bounds:
    """The OS disk, unless the kubelet uses the temporary disk."""
    if pool.os_disk_size_gb is None or pool.kubelet_disk_type == "Temporary":
        return UNKNOWN_AMOUNT
    return disk(int(amount(f"{pool.os_disk_size_gb}Gi") * 1000))


def _max_pods(args: AksClusterArgs) -> int:
    if args.network_profile.plugin == "kubenet":
        return _PODS_KUBENET
    return MOST_PODS if args.network_profile.plugin_mode == "overlay" else _PODS_IN_SUBNET


def may_set(key: str) -> bool:
    """AKS sets more labels than are known here. It sets the spot label only on spot pools, and a build only on Windows."""
    return key not in _DECIDED and (domain(key) in _DOMAINS or key in _LEGACY or of_node_software(key))
