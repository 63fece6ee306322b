"""How much of a machine pods can be given: a certain most, and a least that is proven.

Auto Mode publishes no formula. One real node is known (c5a.large, December 2024): of 2 CPU and 4096 MiB pods got 1480m and 2699Mi, of 80Gi
disk 71Gi; that is well below what other images of EKS leave. The least taken here is below that node's share: what a node keeps for itself
shrinks, in proportion, as nodes grow. Facts: docs/facts/eks.md § 11. For AKS it is below what its documentation reserves (resource
reservations, 2026-08) less 600m and 1Gi for the DaemonSets that AKS itself runs on every node, and 2Gi more on Windows.
"""

from collections.abc import Mapping

from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds

GPU_RESOURCES = ("nvidia.com/gpu", "amd.com/gpu")
ACCELERATOR_RESOURCES = ("aws.amazon.com/neuron", "aws.amazon.com/neuroncore")
_GIB = 1024**3 * 1000
_MIB = 1024**2 * 1000
_CPU_SHARE, _MEMORY_SHARE, _DISK_SHARE = 0.7, 0.5, 0.85
_AKS_CPU_SHARE, _AKS_CPU_OF_DAEMONS = 0.9, 600
_AKS_MEMORY_SHARE, _AKS_OWN_GIB, _WINDOWS_GIB = 0.55, 1, 2


def eks_offers(cpu: int, memory_mib: int, devices: Mapping[str, int], nvme_gib: int) -> dict[str, Bounds]:
    """What a type of Auto Mode has for pods, its disk aside: that is its node class's."""
    offers = {
        "cpu": Bounds(int(cpu * 1000 * _CPU_SHARE), cpu * 1000),
        "memory": Bounds(int(memory_mib * _MIB * _MEMORY_SHARE), memory_mib * _MIB),
        **dict.fromkeys((*GPU_RESOURCES, *ACCELERATOR_RESOURCES), NO_AMOUNT),
        "ephemeral-storage": UNKNOWN_AMOUNT if nvme_gib else NO_AMOUNT,
    }
    return offers | {name: Bounds(count * 1000, count * 1000) for name, count in devices.items()}


def disk(size: int) -> Bounds:
    """What pods can have of a disk, in thousandths of bytes."""
    return Bounds(int(size * _DISK_SHARE), size)


def aks_offers(cpu: int | None, memory_gib: float | None, *, windows: bool = False) -> dict[str, Bounds]:
    """What a VM size has for pods, its GPUs and its disk aside."""
    own = _AKS_OWN_GIB + (_WINDOWS_GIB if windows else 0)
    return {
        "cpu": UNKNOWN_AMOUNT if cpu is None else Bounds(max(int(cpu * 1000 * _AKS_CPU_SHARE) - _AKS_CPU_OF_DAEMONS, 0), cpu * 1000),
        "memory": UNKNOWN_AMOUNT
        if memory_gib is None
        else Bounds(max(int((memory_gib * _AKS_MEMORY_SHARE - own) * _GIB), 0), int(memory_gib * _GIB)),
        **dict.fromkeys(ACCELERATOR_RESOURCES, NO_AMOUNT),
    }


def spelled(resource: str, thousandths: int) -> str:
    """An amount as people write it: `1480m`, `2`, `16Gi`."""
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        for unit, size in (("Gi", _GIB), ("Mi", _MIB), ("Ki", 1024 * 1000)):
            if thousandths >= size and thousandths % size == 0:
                return f"{thousandths // size}{unit}"
        return f"{thousandths // _MIB}Mi" if thousandths >= _MIB else str(thousandths // 1000)
    return str(thousandths // 1000) if thousandths % 1000 == 0 else f"{thousandths}m"
