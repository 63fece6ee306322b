"""The room on nodes of the images that EKS publishes, as their kubelet reserves it and as Karpenter plans with it.

Source: karpenter-provider-aws 1.14, `pkg/providers/instancetype/types.go`, with the default settings of its controller. Windows and images of one's
own publish no formula. Facts: docs/facts/capacity.md § 5.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import ceil
from typing import Final

from nodepools.data.eks_instance_types import InstanceType, ec2_interfaces
from nodepools.model.values import dataclass, field
from nodepools.placement.machine_index import Bounds

FAMILIES: Final = ("al2", "al2023", "bottlerocket")
"""Families of images with a published formula. All are Linux, for both architectures."""
PODS: Final = "pods"
_BOTTLEROCKET: Final = "bottlerocket"
"""It reserves memory by the pods that the kubelet runs, the others by those that the interfaces hold; it does not read `podsPerCore`."""
_MIB: Final = 1024**2
_THOUSAND: Final = 1000
_CPU_STEPS: Final = ((0, 600), (1000, 100), (2000, 50), (4000, 25))
"""Parts of 10,000 that are reserved of the CPU from this thousandth on."""
_OF_NODE_MIB, _OF_POD_MIB = 255, 11
_ARM_MIB: Final = 64
"""Memory that processors with Arm architecture keep."""
_OVERHEAD: Final = 0.075
"""The part of the memory that Karpenter takes for the hypervisor."""
_EVICTION_MIB: Final = 100
_EVICTION_PARTS: Final = 10
_RESERVED_DISK: Final = 1024**3 * 1000


@dataclass(frozen=True, slots=True)
class Kubelet:
    """The settings of a node class, or of a managed node group, that decide the room on a node. Amounts are in thousandths."""

    family: str
    """One of `FAMILIES`."""
    max_pods: int | None = None
    pods_per_core: int | None = None
    reserved: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)
    """`kubeReserved`: replaces what the image reserves."""
    reserved_for_system: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)
    eviction: str = ""
    """`evictionHard` for `memory.available`: a percentage, or thousandths of bytes as digits; empty: the default."""

    def pods(self, known: InstanceType) -> int | None:
        """The pods that a node runs, those of DaemonSets included; `None` if its interfaces are not known."""
        most = self.max_pods if self.max_pods is not None else by_interfaces(known.name)
        if most is None or not self.pods_per_core or self.family == _BOTTLEROCKET:
            return most
        return min(most, self.pods_per_core * known.cpu)

    def offers(self, known: InstanceType) -> dict[str, Bounds]:
        """CPU, memory and pods of a node: at least what Karpenter plans with, at most what the machine has."""
        pods, cpu, memory = self.pods(known), known.cpu * _THOUSAND, known.memory_mib * _MIB * _THOUSAND
        counted = pods if self.family == _BOTTLEROCKET else by_interfaces(known.name)
        least_cpu = cpu - self.reserved.get("cpu", reserved_cpu(known.cpu)) - self.reserved_for_system.get("cpu", 0)
        least_memory = 0 if counted is None else self._memory(known, counted)
        return {
            "cpu": Bounds(max(least_cpu, 0), cpu),
            "memory": Bounds(max(least_memory, 0), memory),
            **({} if pods is None else {PODS: Bounds(pods * _THOUSAND, pods * _THOUSAND)}),
        }

    def _memory(self, known: InstanceType, pods: int) -> int:
        """Thousandths of bytes that are left for pods."""
        capacity = planned_memory(known)
        by_pods = (_OF_NODE_MIB + _OF_POD_MIB * pods) * _MIB * _THOUSAND
        reserved = self.reserved.get("memory", by_pods) + self.reserved_for_system.get("memory", 0)
        return capacity - reserved - self._eviction(capacity)

    def _eviction(self, capacity: int) -> int:
        if not self.eviction:
            return _EVICTION_MIB * _MIB * _THOUSAND
        if not self.eviction.endswith("%"):
            return int(self.eviction)
        percent = float(self.eviction[:-1])
        return ceil(capacity / _THOUSAND / 100 * (0 if percent == 100 else percent)) * _THOUSAND  # noqa: PLR2004  # 100% turns it off


def by_interfaces(name: str) -> int | None:
    """The pods that the network interfaces of a type hold, with two that use the network of the node; `None` if they are not known."""
    found = ec2_interfaces().get(name)
    return None if found is None else found.count * (found.addresses - 1) + 2


def least_by_interfaces(name: str) -> int:
    """The same, if they are not known as few as those of the smallest type of EC2."""
    found = by_interfaces(name)
    return found if found is not None else 4


def planned_memory(known: InstanceType) -> int:
    """Thousandths of bytes of a type that Karpenter plans with."""
    mib = known.memory_mib - (_ARM_MIB if known.labels.get("kubernetes.io/arch") == "arm64" else 0)
    return (mib - ceil(mib * _MIB * _OVERHEAD / _MIB)) * _MIB * _THOUSAND


def room_on_disk(size: int) -> Bounds:
    """What a disk of this size has for pods: the kubelet keeps 1 GiB, and evicts pods when less than a tenth is free."""
    return Bounds(max(size - -(-size // _EVICTION_PARTS) - _RESERVED_DISK, 0), size)


def reserved_cpu(cpu: int) -> int:
    """Thousandths of a CPU that the images reserve of a node with so many."""
    steps = [*_CPU_STEPS, (max(cpu * _THOUSAND, _CPU_STEPS[-1][0]), 0)]
    return sum(part * max(min(cpu * _THOUSAND, end) - start, 0) // 10_000 for (start, part), (end, _) in pairwise(steps))
