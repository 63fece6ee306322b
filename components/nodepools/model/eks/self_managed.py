"""Objects of self-managed Karpenter on AWS. They are read and checked; no component registers them."""

from collections.abc import Mapping

from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.karpenter import NodePool


class SelfManagedKarpenter(Model):
    """The NodePools and EC2NodeClasses of one cluster."""

    node_pools: Mapping[str, NodePool] = {}
    """NodePools, by name."""
    node_classes: Mapping[str, Ec2NodeClass] = {}
    """EC2NodeClasses, by name."""
