"""What its node class says of the nodes of a NodePool: labels, disk, and machines that it leaves out. Facts: docs/facts/eks.md § 2, aks.md § 3.4."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nodepools.model.karpenter import Requirement
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds


@dataclass(frozen=True)
class OfClass:
    """What holds for all nodes of a class."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues])
    """Labels of which the value is not known."""
    disk: Bounds = UNKNOWN_AMOUNT
    requirements: tuple[Requirement, ...] = ()
    """Machines that Karpenter starts for it."""
