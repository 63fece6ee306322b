"""Objects of self-managed Karpenter on AWS. They are read and checked; no component registers them."""

from collections.abc import Mapping, Sequence
from typing import Final

from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.karpenter import NodePool

AUTO_MODE_TYPES: Final = "eks.amazonaws.com/instance-"
"""Prefix of the labels of instance types on nodes of EKS Auto Mode."""
OWN_TYPES: Final = "karpenter.k8s.aws/instance-"
"""The same on nodes of self-managed Karpenter."""
OWN_DOMAIN: Final = "karpenter.k8s.aws"
_OF_TYPES: Final = (
    "accelerator-count accelerator-manufacturer accelerator-name capability-flex category cpu cpu-manufacturer cpu-sustained-clock-speed-mhz "
    "ebs-bandwidth encryption-in-transit-supported family generation gpu-count gpu-manufacturer gpu-memory gpu-name hypervisor local-nvme memory "
    "network-bandwidth size tenancy"
)
_OTHERS: Final = (
    "capacity-reservation-id capacity-reservation-interruptible capacity-reservation-type ec2nodeclass placement-group-id placement-group-partition"
)
OWN_LABELS: Final = frozenset(
    {*(f"{OWN_TYPES}{name}" for name in _OF_TYPES.split()), *(f"{OWN_DOMAIN}/{name}" for name in _OTHERS.split())},
)
"""The labels of its domain that self-managed Karpenter accepts (karpenter-provider-aws 1.14, hack/validation)."""


class SelfManagedKarpenter(Model):
    """The NodePools and EC2NodeClasses of one cluster."""

    node_pools: Mapping[str, NodePool] = {}
    """NodePools, by name."""
    node_classes: Mapping[str, Ec2NodeClass] = {}
    """EC2NodeClasses, by name."""

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """None: only EKS and AKS create NodePools."""
        return ()
