"""EKS Auto Mode: built-in pools, custom NodeClasses and NodePools. Facts: eks.md § 1.3, § 3."""

from collections.abc import Mapping, Sequence
from typing import Literal

from nodepools.model.base import Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool


class EksNodePool(NodePool):
    """A NodePool of EKS Auto Mode."""


BuiltIn = Literal["system", "general-purpose"]


class AutoMode(Model):
    """EKS Auto Mode."""

    built_in_node_pools: Sequence[BuiltIn] = ("general-purpose", "system")
    """The pools that AWS runs, on a class `default` of its own: `general-purpose`, `system` (tainted `CriticalAddonsOnly`), both or none."""
    node_classes: Mapping[str, EksNodeClass] = {}
    """NodeClasses by name; `default` is the built-in one's."""
    node_pools: Mapping[str, EksNodePool] = {}
    """NodePools by name; `general-purpose` and `system` are the built-in ones'."""
