"""Self-managed Karpenter on AWS, and what its node classes decide. Facts: docs/facts/eks.md § 3.4; karpenter-provider-aws 1.14.

The instance types are those of the table for Auto Mode, and one more for all others: so no instance type is ever missing for certain.
An EC2NodeClass decides what nodes reserve, their disk, image and operating system: where it is not known, these are not known.
The room on its nodes is that of the published formula of its images, with the default settings of Karpenter's controller.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from nodepools.clouds.eks.kubelet import PODS, Kubelet
from nodepools.clouds.eks.pools import EKS_CLASS, NODE_GROUP_LABELS, RESERVATION_LABELS, WINDOWS_BUILD, eks_capacities, eks_choices_of
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types
from nodepools.model.eks.ec2_node_class import AUTO_MODE_TYPES, OWN_TYPES
from nodepools.model.karpenter import NodePool
from nodepools.model.values import dataclass
from nodepools.placement.allocatable import NOT_IN_AUTO_MODE, eks_offers
from nodepools.placement.cloud_labels import CAPACITY, HOSTNAME, KARPENTER_LABELS, NODE_GROUP, OS, Cloud, LabelValues, OfClass, unknown
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex

EC2_CLASS: Final = NodePool.class_label
ARCH: Final = "kubernetes.io/arch"
_TENANCY: Final = f"{OWN_TYPES}tenancy"
_RARE: Final = frozenset(
    {*(f"karpenter.k8s.aws/{name}" for name in (*RESERVATION_LABELS, "placement-group-id", "placement-group-partition")), WINDOWS_BUILD}
)
_ARCHES: Final = LabelValues(frozenset({"amd64", "arm64"}))
_SYSTEM_CPU: Final = 250
_SYSTEM_PODS: Final = 2_000
"""An allowance for `aws-node` and `kube-proxy`, in thousandths. The chart of the former requests 25m for its first container.

Source: aws/amazon-vpc-cni-k8s, charts/aws-vpc-cni/values.yaml, 2026-11-27. What `kube-proxy` requests is not established.
"""
_DISK: Final = "ephemeral-storage"
_WINDOWS: Final = "windows"


@dataclass(frozen=True, slots=True)
class Ec2Class:
    """The fields of an EC2NodeClass that decide where pods can run; the defaults are those of a class that is not known."""

    name: str
    systems: frozenset[str] = frozenset()
    """Operating systems of its images; empty: not known."""
    any_arch: bool = False
    """It has images for every architecture."""
    kubelet: Kubelet | None = None
    """What decides the room on its nodes; `None`: not known, because of its images or its user data."""
    local_disks: bool = True
    """Local disks of an instance type can be the disk of its nodes."""
    disk: Bounds = UNKNOWN_AMOUNT
    reserves: bool | None = None
    """It selects capacity reservations; `None`: not known."""

    @property
    def nodes(self) -> OfClass:
        """Properties of its nodes."""
        system = LabelValues(self.systems) if self.systems else unknown({"linux", "windows"}.__contains__)
        arch = _ARCHES if self.any_arch else unknown(_ARCHES.certain.__contains__)
        if self.systems == frozenset({_WINDOWS}):
            arch = LabelValues(frozenset({"amd64"}))  # Karpenter offers no other type to images of Windows
        return OfClass({EC2_CLASS: self.name}, {CAPACITY: eks_capacities(selected=self.reserves), OS: system, ARCH: arch}, self.disk)


def systems_of(family: str | None) -> frozenset[str]:
    """The operating systems of a family of images, as `amiFamily` spells it; empty if it is not known."""
    return frozenset() if family is None else frozenset({_WINDOWS if family.lower().startswith(_WINDOWS) else "linux"})


@cache
def self_managed_cloud(kubelet: Kubelet | None = None, *, local_disks: bool = True, lacks: frozenset[str] = frozenset()) -> Cloud:
    """Self-managed Karpenter with nodes whose room this kubelet decides; `local_disks`: some can have more disk than their node class sets.

    `lacks` are labels that the version of Karpenter that runs does not know.
    """
    known = [_machine(found, kubelet, local_disks=local_disks, lacks=lacks) for found in eks_instance_types().types.values()]
    labels = {key for machine in known for key in machine.labels}
    others = Machine("", dict.fromkeys(labels), {} if local_disks else {_DISK: NO_AMOUNT}, certain=False)
    return Cloud(
        f"self-managed, {kubelet}, {local_disks}, {sorted(lacks)}",
        (KARPENTER_LABELS | labels | _RARE | {_TENANCY, EC2_CLASS, "topology.k8s.aws/zone-id"}) - lacks,
        frozenset({"karpenter.sh"}),
        ("karpenter.k8s.aws", "eks.amazonaws.com", "node.kubernetes.io", "topology.k8s.aws"),
        frozenset({HOSTNAME}),
        EC2_CLASS,
        {},
        {},
        lambda regions: eks_choices_of({}, regions),
        TypeIndex((*known, others), frozenset({_TENANCY}) - lacks, _RARE - lacks),
        agent_pool_label=NODE_GROUP,
        foreign={**NODE_GROUP_LABELS, **dict(_of_auto_mode()), **dict.fromkeys(lacks, "")},
    )


def _of_auto_mode() -> Iterator[tuple[str, str]]:
    """The labels of Auto Mode, which nodes of self-managed Karpenter never have."""
    yield "eks.amazonaws.com/compute-type", ""
    yield EKS_CLASS, ""
    keys = {key for known in eks_instance_types().types.values() for key in known.labels if key.startswith(AUTO_MODE_TYPES)}
    yield from ((key, key.replace(AUTO_MODE_TYPES, OWN_TYPES)) for key in sorted(keys))


def _machine(known: InstanceType, kubelet: Kubelet | None, *, local_disks: bool, lacks: frozenset[str]) -> Machine:
    labels: dict[str, str | None] = {key.replace(AUTO_MODE_TYPES, OWN_TYPES): value for key, value in known.labels.items() if _is_of_the_type(key)}
    labels = {key: value for key, value in labels.items() if key not in lacks}
    return Machine(known.name, labels, {**node_offers(known, kubelet), _DISK: UNKNOWN_AMOUNT if local_disks else NO_AMOUNT})


def node_offers(known: InstanceType, kubelet: Kubelet | None) -> dict[str, Bounds]:
    """The room on a node outside of Auto Mode; `None`: its kubelet is not known. Its node class or node group decides the disk."""
    offers = eks_offers(known.cpu, known.memory_mib, known.devices, 0)
    own = {name: Bounds(0, offers[name].most) for name in ("cpu", "memory")} if kubelet is None else left_by_system_pods(kubelet.offers(known))
    return {**offers, **own, **dict.fromkeys((_DISK, *NOT_IN_AUTO_MODE), UNKNOWN_AMOUNT)}


def left_by_system_pods(offers: Mapping[str, Bounds]) -> dict[str, Bounds]:
    """The room on a node where the DaemonSets of EKS can run. Clusters can replace them, or change their requests: the maximum stays."""
    system = {"cpu": _SYSTEM_CPU, PODS: _SYSTEM_PODS}
    return {name: Bounds(max(bounds.least - system.get(name, 0), 0), bounds.most) for name, bounds in offers.items()}


def _is_of_the_type(key: str) -> bool:
    return key.startswith(AUTO_MODE_TYPES) or key in (ARCH, "node.kubernetes.io/instance-type")
