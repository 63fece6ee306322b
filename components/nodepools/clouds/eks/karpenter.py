"""EKS Auto Mode as Karpenter sees it. Facts: docs/facts/eks.md § 1.3, § 3.4, § 4.3."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from nodepools.clouds.eks.locations import eks_choices_of
from nodepools.clouds.eks.node_classes import EKS_CLASS
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types
from nodepools.keys import eks
from nodepools.keys.kinds import Key
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.allocatable import eks_offers
from nodepools.placement.cloud_labels import CAPACITY, HOSTNAME, KARPENTER_LABELS, NODE_GROUP, Cloud
from nodepools.placement.machine_index import Machine, TypeIndex

_RARE = frozenset(
    {
        "eks.amazonaws.com/capacity-reservation-id",
        "eks.amazonaws.com/capacity-reservation-interruptible",
        "eks.amazonaws.com/capacity-reservation-type",
        "eks.amazonaws.com/placement-group-id",
        "node.kubernetes.io/windows-build",
    }
)
"""Labels that few nodes have."""
NODE_GROUP_CAPACITY: Final = "eks.amazonaws.com/capacityType"
NODE_GROUP_LABELS: Final = {
    NODE_GROUP: "",
    "eks.amazonaws.com/nodegroup-image": "",
    NODE_GROUP_CAPACITY: CAPACITY,
    "eks.amazonaws.com/sourceLaunchTemplateId": "",
    "eks.amazonaws.com/sourceLaunchTemplateVersion": "",
}
"""Labels of managed node groups (https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html, 2026-11)."""
_REQUIREMENTS: Final = (
    Requirement(CAPACITY, "In", ["on-demand"]),
    Requirement("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"]),
    Requirement("eks.amazonaws.com/instance-generation", "Gt", ["4"]),
    Requirement("kubernetes.io/os", "In", ["linux"]),
)
_BUILT_IN: Final[Mapping[str, EksNodePool]] = {
    "general-purpose": EksNodePool(requirements=[*_REQUIREMENTS, Requirement("kubernetes.io/arch", "In", ["amd64"])]),
    "system": EksNodePool(
        requirements=[*_REQUIREMENTS, Requirement("kubernetes.io/arch", "In", ["amd64", "arm64"])],
        taints=[Taint("CriticalAddonsOnly", "", "NoSchedule")],
    ),
}


@cache
def eks_cloud() -> Cloud:
    """EKS Auto Mode."""
    index = TypeIndex(tuple(_ec2(known) for known in eks_instance_types().types.values()), rare=_RARE)
    own = {key.name for key in vars(eks).values() if isinstance(key, Key)} | _RARE
    return Cloud(
        "eks",
        KARPENTER_LABELS | own,
        frozenset({"karpenter.sh", "karpenter.k8s.aws"}),
        ("eks.amazonaws.com", "node.kubernetes.io", "topology.k8s.aws"),
        frozenset({HOSTNAME, "app.kubernetes.io/managed-by"}),
        EKS_CLASS,
        {"eks.amazonaws.com/compute-type": "auto"},
        _BUILT_IN,
        lambda regions: eks_choices_of((), regions),
        index,
        agent_pool_label=NODE_GROUP,
        listed=frozenset(eks_instance_types().types),
        claims="EKS Auto Mode does not support dynamic resource allocation",  # docs/facts/eks.md
        volume_drivers={"ebs.csi.aws.com": "ebs.csi.eks.amazonaws.com"},
        foreign={**NODE_GROUP_LABELS, **dict(_self_managed(own))},
    )


def _self_managed(own: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The labels of self-managed Karpenter: the same names in another domain."""
    yield "karpenter.k8s.aws/ec2nodeclass", EKS_CLASS
    yield from ((f"karpenter.k8s.aws/{key.partition('/')[2]}", key) for key in own if key.startswith("eks.amazonaws.com/instance-"))


def _ec2(known: InstanceType) -> Machine:
    nvme = known.labels.get("eks.amazonaws.com/instance-local-nvme")
    return Machine(known.name, known.labels, eks_offers(known.cpu, known.memory_mib, known.devices, int(nvme) if nvme is not None else 0))
