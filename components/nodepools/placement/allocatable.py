"""Allocatable resources of a machine: the maximum, and a proven minimum.

Auto Mode publishes no formula. One real node is known (c5a.large, December 2024): of 2 CPUs, 4096 MiB memory and 80Gi disk, 1480m, 2699Mi and
71Gi were allocatable, well below what other EKS images leave. The minimum used here is below the share of that node: the part that a node
reserves shrinks as nodes grow. Facts: docs/facts/eks.md § 11. For AKS the minimum is below what its documentation reserves (resource
reservations, 2026-08), less 600m and 1Gi for the DaemonSets that AKS runs on every node, and another 2Gi on Windows.
"""

from collections.abc import Mapping

from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds

GPU_RESOURCES = ("nvidia.com/gpu", "amd.com/gpu")
ACCELERATOR_RESOURCES = ("aws.amazon.com/neuron", "aws.amazon.com/neuroncore")
_NOT_IN_AUTO_MODE = ("vpc.amazonaws.com/pod-eni", "vpc.amazonaws.com/PrivateIPv4Address")
"""Auto Mode supports neither security groups for pods nor Windows. Facts: docs/facts/eks.md § 1.1."""
_GIB = 1024**3 * 1000
_MIB = 1024**2 * 1000
_CPU_SHARE, _MEMORY_SHARE, _DISK_SHARE = 0.7, 0.5, 0.85
_AKS_CPU_SHARE, _AKS_CPU_OF_DAEMONS = 0.9, 600
_AKS_MEMORY_SHARE, _AKS_OWN_GIB, _WINDOWS_GIB = 0.55, 1, 2


def eks_offers(cpu: int, memory_mib: int, devices: Mapping[str, int], nvme_gib: int) -> dict[str, Bounds]:
    """Allocatable resources of an instance type in Auto Mode, without the disk, which the node class declares."""
    offers = {
        "cpu": Bounds(int(cpu * 1000 * _CPU_SHARE), cpu * 1000),
        "memory": Bounds(int(memory_mib * _MIB * _MEMORY_SHARE), memory_mib * _MIB),
        **dict.fromkeys((*GPU_RESOURCES, *ACCELERATOR_RESOURCES, *_NOT_IN_AUTO_MODE), NO_AMOUNT),
        "ephemeral-storage": UNKNOWN_AMOUNT if nvme_gib else NO_AMOUNT,
    }
    return offers | {name: Bounds(count * 1000, count * 1000) for name, count in devices.items()}


def disk(size: int) -> Bounds:
    """The allocatable part of a disk, in thousandths of bytes."""
    return Bounds(int(size * _DISK_SHARE), size)


def aks_offers(cpu: int | None, memory_gib: float | None, *, windows: bool = False) -> dict[str, Bounds]:
    """Allocatable resources of a VM size, without its GPUs and its disk."""
    own = _AKS_OWN_GIB + (_WINDOWS_GIB if windows else 0)
    return {
        "cpu": UNKNOWN_AMOUNT if cpu is None else Bounds(max(int(cpu * 1000 * _AKS_CPU_SHARE) - _AKS_CPU_OF_DAEMONS, 0), cpu * 1000),
        "memory": UNKNOWN_AMOUNT
        if memory_gib is None
        else Bounds(max(int((memory_gib * _AKS_MEMORY_SHARE - own) * _GIB), 0), int(memory_gib * _GIB)),
        **dict.fromkeys(ACCELERATOR_RESOURCES, NO_AMOUNT),
    }


def spelled(resource: str, thousandths: int) -> str:
    """An amount as people write it, rounded down: `1480m`, `2`, `16Gi`."""
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        for unit, size in (("Gi", _GIB), ("Mi", _MIB), ("Ki", 1024 * 1000)):
            if thousandths >= size and thousandths % size == 0:
                return f"{thousandths // size}{unit}"
        return f"{thousandths // _MIB}Mi" if thousandths >= _MIB else str(thousandths // 1000)
    return str(thousandths // 1000) if thousandths % 1000 == 0 else f"{thousandths}m"
