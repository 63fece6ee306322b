"""Self-managed Karpenter on AWS, and what its node classes decide. Facts: docs/facts/eks.md § 3.4; karpenter-provider-aws 1.14.

The instance types are those of the table for Auto Mode, and one more for all others: so no instance type is ever missing for certain.
An EC2NodeClass decides what nodes reserve, their disk, image and operating system: where it is not known, these are not known.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from nodepools.data.eks_instance_types import InstanceType, eks_instance_types
from nodepools.model.eks.self_managed import AUTO_MODE_TYPES, OWN_TYPES
from nodepools.placement.allocatable import NOT_IN_AUTO_MODE, eks_offers
from nodepools.placement.cloud_labels import CAPACITY, HOSTNAME, KARPENTER_LABELS, OS, Cloud
from nodepools.placement.cluster_labels import LabelValues, unknown
from nodepools.placement.eks_cloud import NODE_GROUP_LABELS
from nodepools.placement.eks_locations import eks_capacities, eks_choices_of
from nodepools.placement.eks_node_classes import EKS_CLASS
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Machine, TypeIndex
from nodepools.placement.node_classes import OfClass

EC2_CLASS: Final = "karpenter.k8s.aws/ec2nodeclass"
ARCH: Final = "kubernetes.io/arch"
_TENANCY: Final = f"{OWN_TYPES}tenancy"
_RARE: Final = frozenset(
    {
        "karpenter.k8s.aws/capacity-reservation-id",
        "karpenter.k8s.aws/capacity-reservation-interruptible",
        "karpenter.k8s.aws/capacity-reservation-type",
        "node.kubernetes.io/windows-build",
    }
)
_ARCHES: Final = LabelValues(frozenset({"amd64", "arm64"}))
_RESERVED: Final = ("cpu", "memory")
"""Resources of which the kubelet settings of a node class reserve a part."""
_BY_CLASS: Final = ("ephemeral-storage", *NOT_IN_AUTO_MODE)
"""Resources that the node class and settings of the cluster decide."""


@dataclass(frozen=True, slots=True)
class Ec2Class:
    """The fields of an EC2NodeClass that decide where pods can run; the defaults are those of a class that is not known."""

    name: str
    systems: frozenset[str] = frozenset()
    """Operating systems of its images; empty: not known."""
    any_arch: bool = False
    """It has images for every architecture."""
    default_kubelet: bool = False
    """Its nodes reserve what the images of EKS reserve: it sets no kubelet fields, and has no user data."""
    reserves: bool | None = None
    """It selects capacity reservations; `None`: not known."""

    @property
    def nodes(self) -> OfClass:
        """Properties of its nodes."""
        system = LabelValues(self.systems) if self.systems else unknown({"linux", "windows"}.__contains__)
        arch = _ARCHES if self.any_arch else unknown(_ARCHES.certain.__contains__)
        return OfClass({EC2_CLASS: self.name}, {CAPACITY: eks_capacities(selected=self.reserves), OS: system, ARCH: arch})


@cache
def self_managed_cloud(*, default_kubelet: bool) -> Cloud:
    """Self-managed Karpenter; `default_kubelet`: nodes reserve what the images of EKS reserve."""
    known = [_machine(found, default_kubelet=default_kubelet) for found in eks_instance_types().types.values()]
    labels = {key for machine in known for key in machine.labels}
    others = Machine("", dict.fromkeys(labels), {}, certain=False)
    return Cloud(
        "self-managed" if default_kubelet else "self-managed with another kubelet",
        KARPENTER_LABELS | labels | _RARE | {_TENANCY, EC2_CLASS, "topology.k8s.aws/zone-id"},
        frozenset({"karpenter.sh"}),
        ("karpenter.k8s.aws", "eks.amazonaws.com", "node.kubernetes.io", "topology.k8s.aws"),
        frozenset({HOSTNAME}),
        EC2_CLASS,
        {},
        {},
        lambda regions: eks_choices_of((), regions),
        TypeIndex((*known, others), frozenset({_TENANCY}), _RARE),
        foreign={**NODE_GROUP_LABELS, **dict(_of_auto_mode())},
    )


def _of_auto_mode() -> Iterator[tuple[str, str]]:
    """The labels of Auto Mode, which nodes of self-managed Karpenter never have."""
    yield "eks.amazonaws.com/compute-type", ""
    yield EKS_CLASS, ""
    keys = {key for known in eks_instance_types().types.values() for key in known.labels if key.startswith(AUTO_MODE_TYPES)}
    yield from ((key, key.replace(AUTO_MODE_TYPES, OWN_TYPES)) for key in sorted(keys))


def _machine(known: InstanceType, *, default_kubelet: bool) -> Machine:
    labels: dict[str, str | None] = {key.replace(AUTO_MODE_TYPES, OWN_TYPES): value for key, value in known.labels.items() if _is_of_the_type(key)}
    offers = eks_offers(known.cpu, known.memory_mib, known.devices, 0)
    reserved = {} if default_kubelet else {name: replace(offers[name], least=0) for name in _RESERVED}
    return Machine(known.name, labels, {**offers, **reserved, **dict.fromkeys(_BY_CLASS, UNKNOWN_AMOUNT)})


def _is_of_the_type(key: str) -> bool:
    return key.startswith(AUTO_MODE_TYPES) or key in (ARCH, "node.kubernetes.io/instance-type")
