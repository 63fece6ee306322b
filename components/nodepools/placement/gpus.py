"""Allocatable GPUs of an agent pool with the device plugin of this library: whole, time-sliced, or partitioned (MIG).

Facts: docs/facts/aks.md § 2.5; instances of a profile and their names: https://learn.microsoft.com/azure/aks/gpu-multi-instance and NVIDIA's
MIG user guide (2026-11).
"""

import re
from collections.abc import Mapping
from typing import Final

from nodepools.data.azure_vm_sizes import AzureSize
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pools import GpuPool
from nodepools.model.aks.services import DevicePlugin
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds

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
    if plugin is None or not isinstance(pool, GpuPool) or pool.driver != "Install":
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
