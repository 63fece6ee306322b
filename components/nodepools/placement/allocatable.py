"""Allocatable resources of a machine: the maximum, and a proven minimum.

Auto Mode publishes no formula. One real node is known (c5a.large, December 2024): of 2 CPUs, 4096 MiB memory and 80Gi disk, 1480m, 2699Mi and
71Gi were allocatable, well below what other EKS images leave. The minimum used here is below the share of that node: the part that a node
reserves shrinks as nodes grow. Facts: docs/facts/eks.md § 11.

AKS documents what the kubelet reserves, by Kubernetes version, and Karpenter plans nodes of node auto provisioning with a formula of its own.
The minimum is by these formulas, less 600m and 1Gi for the DaemonSets that AKS runs on every node. Facts: docs/facts/capacity.md § 5.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds

GPU_RESOURCES = ("nvidia.com/gpu", "amd.com/gpu")
ACCELERATOR_RESOURCES = ("aws.amazon.com/neuron", "aws.amazon.com/neuroncore")
DEVICES = {"nvidia.com/gpu": "an NVIDIA GPU", "amd.com/gpu": "an AMD GPU", **dict.fromkeys(ACCELERATOR_RESOURCES, "an AWS accelerator")}
NOT_IN_AUTO_MODE = ("vpc.amazonaws.com/pod-eni", "vpc.amazonaws.com/PrivateIPv4Address")
"""Auto Mode supports neither security groups for pods nor Windows. Facts: docs/facts/eks.md § 1.1."""
_GIB = 1024**3 * 1000
_MIB = 1024**2 * 1000
_CPU_SHARE, _MEMORY_SHARE, _DISK_SHARE = 0.7, 0.5, 0.85
_AKS_CPU_STEPS: Final = ((0, 60), (1, 40), (2, 20), (4, 10))
"""Thousandths of a vCPU that AKS reserves of each vCPU from this number on."""
_AKS_MEMORY_STEPS: Final = ((0.0, 0.25), (4.0, 0.2), (8.0, 0.1), (16.0, 0.06), (128.0, 0.02))
"""The part of each GiB from this number on that AKS reserves before Kubernetes 1.29, and that Karpenter always plans with."""
_BY_PODS: Final = 29
"""The minor version of Kubernetes from which AKS reserves memory by the maximum number of pods."""
_OF_POD_MIB, _OF_NODE_MIB, _MOST_RESERVED, _MIB_OR_MB = 20, 50, 0.25, 1.05
"""AKS documents megabytes, and which unit is meant is not established: the larger one is certain to be enough."""
_EVICTION_GIB, _OLD_EVICTION_GIB = 100 / 1024, 750 / 1024
_SEEN, _PLANNED = 0.94, 0.925
"""The part of the nominal memory that the kernel sees at least, and that Karpenter plans with."""
_DAEMONS_CPU, _DAEMONS_GIB, _WINDOWS_GIB = 600, 1, 2


def eks_offers(cpu: int, memory_mib: int, devices: Mapping[str, int], nvme_gib: int) -> dict[str, Bounds]:
    """Allocatable resources of an instance type in Auto Mode, without the disk, which the node class declares."""
    offers = {
        "cpu": Bounds(int(cpu * 1000 * _CPU_SHARE), cpu * 1000),
        "memory": Bounds(int(memory_mib * _MIB * _MEMORY_SHARE), memory_mib * _MIB),
        **dict.fromkeys((*GPU_RESOURCES, *ACCELERATOR_RESOURCES, *NOT_IN_AUTO_MODE), NO_AMOUNT),
        "ephemeral-storage": UNKNOWN_AMOUNT if nvme_gib else NO_AMOUNT,
    }
    return offers | {name: Bounds(count * 1000, count * 1000) for name, count in devices.items()}


def disk(size: int) -> Bounds:
    """The allocatable part of a disk, in thousandths of bytes."""
    return Bounds(int(size * _DISK_SHARE), size)


def agent_pool_offers(
    cpu: int | None, memory_gib: float | None, *, max_pods: int, minor: int | None, windows: bool = False, fewest_pods: int | None = None
) -> dict[str, Bounds]:
    """Allocatable resources of a node of an agent pool, without its GPUs and its disk. The kubelet of a `minor` version decides them.

    `max_pods` is what the kubelet runs, or its largest default, and `fewest_pods` the smallest one.
    """
    if memory_gib is None:
        return _without_reserved(_aks_offers(cpu, None, 0), cpu)
    by_pods = minor is not None and minor >= _BY_PODS
    left = _by_pods(memory_gib, max_pods) if by_pods else (memory_gib * _SEEN - _stepped(memory_gib) - _OLD_EVICTION_GIB)
    if minor is None:
        left = min(left, _by_pods(memory_gib, max_pods))
    offers = _without_reserved(_aks_offers(cpu, memory_gib, left - (_WINDOWS_GIB if windows else 0)), cpu)
    if by_pods:
        fewest = max_pods if fewest_pods is None else fewest_pods
        reserved = min((_OF_POD_MIB * fewest + _OF_NODE_MIB) / 1024, memory_gib * _MOST_RESERVED) / _MIB_OR_MB + _EVICTION_GIB
        offers["memory"] = Bounds(offers["memory"].least, int((memory_gib - reserved) * _GIB))
    return offers


def _without_reserved(offers: dict[str, Bounds], cpu: int | None) -> dict[str, Bounds]:
    """No pod can have the CPU that the kubelet reserves."""
    return offers if cpu is None else {**offers, "cpu": Bounds(offers["cpu"].least, cpu * 1000 - _reserved_cpu(cpu))}


def provisioned_offers(cpu: int | None, memory_gib: float | None) -> dict[str, Bounds]:
    """Allocatable resources of a VM size in node auto provisioning: a pod needs room in Karpenter's plan, and on the node with any number of pods."""
    if memory_gib is None:
        return _aks_offers(cpu, None, 0)
    planned = memory_gib * _PLANNED - _stepped(memory_gib) - _OLD_EVICTION_GIB
    return _aks_offers(cpu, memory_gib, min(planned, _by_pods(memory_gib, None)))


def _aks_offers(cpu: int | None, memory_gib: float | None, left_gib: float) -> dict[str, Bounds]:
    """Resources of a node with this memory left for pods, those of AKS included."""
    memory = UNKNOWN_AMOUNT
    if memory_gib is not None:
        memory = Bounds(max(int((left_gib - _DAEMONS_GIB) * _GIB), 0), int(memory_gib * _GIB))
    return {
        "cpu": UNKNOWN_AMOUNT if cpu is None else Bounds(max(cpu * 1000 - _reserved_cpu(cpu) - _DAEMONS_CPU, 0), cpu * 1000),
        "memory": memory,
        **dict.fromkeys(ACCELERATOR_RESOURCES, NO_AMOUNT),
    }


def _reserved_cpu(cpu: int) -> int:
    steps = [*_AKS_CPU_STEPS, (max(cpu, _AKS_CPU_STEPS[-1][0]), 0)]
    return sum(share * max(min(cpu, end) - start, 0) for (start, share), (end, _) in pairwise(steps))


def _by_pods(memory_gib: float, max_pods: int | None) -> float:
    """Minimum GiB that a newer kubelet leaves for pods; `None`: with any maximum number of pods."""
    by_pods = float("inf") if max_pods is None else (_OF_POD_MIB * max_pods + _OF_NODE_MIB) / 1024
    return memory_gib * _SEEN - min(by_pods, memory_gib * _MOST_RESERVED) * _MIB_OR_MB - _EVICTION_GIB


def _stepped(memory_gib: float) -> float:
    """GiB of the nominal memory that AKS reserves before Kubernetes 1.29."""
    steps = [*_AKS_MEMORY_STEPS, (max(memory_gib, _AKS_MEMORY_STEPS[-1][0]), 0.0)]
    return sum(share * max(min(memory_gib, end) - start, 0.0) for (start, share), (end, _) in pairwise(steps))


def spelled(resource: str, thousandths: int) -> str:
    """An amount as people write it, rounded down: `1480m`, `2`, `16Gi`."""
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        for unit, size in (("Gi", _GIB), ("Mi", _MIB), ("Ki", 1024 * 1000)):
            if thousandths >= size and thousandths % size == 0:
                return f"{thousandths // size}{unit}"
        return f"{thousandths // _MIB}Mi" if thousandths >= _MIB else str(thousandths // 1000)
    return str(thousandths // 1000) if thousandths % 1000 == 0 else f"{thousandths}m"
