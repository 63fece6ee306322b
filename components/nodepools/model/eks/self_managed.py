"""Objects of self-managed Karpenter on AWS. They are read and checked; no component registers them."""

from collections.abc import Mapping
from typing import Final

from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.karpenter import NodePool

AUTO_MODE_TYPES: Final = "eks.amazonaws.com/instance-"
"""Prefix of the labels of instance types on nodes of EKS Auto Mode."""
OWN_TYPES: Final = "karpenter.k8s.aws/instance-"
"""The same on nodes of self-managed Karpenter."""


class SelfManagedKarpenter(Model):
    """The NodePools and EC2NodeClasses of one cluster."""

    node_pools: Mapping[str, NodePool] = {}
    """NodePools, by name."""
    node_classes: Mapping[str, Ec2NodeClass] = {}
    """EC2NodeClasses, by name."""
