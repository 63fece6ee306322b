"""Labels, disk and excluded machine types that node classes set for their NodePools; readers of those of running clusters.

Facts: docs/facts/eks.md § 2, aks.md § 3.4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from nodepools.model.karpenter import Requirement
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds


@dataclass(frozen=True)
class OfClass:
    """Properties of all nodes of a node class."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Mapping[str, LabelValues] = field(default_factory=dict[str, LabelValues])
    """Labels whose value is not known."""
    disk: Bounds = UNKNOWN_AMOUNT
    requirements: tuple[Requirement, ...] = ()
    """Requirements that the machines must satisfy."""


RawObject: TypeAlias = Mapping[str, object]
ExistingClass: TypeAlias = tuple[OfClass, Mapping[str, LabelValues]]
ReadClass: TypeAlias = Callable[[str, RawObject | None, frozenset[str]], ExistingClass]
"""Reads a node class from its name and its object (`None` if no file contains it); the regions are those of the known nodes."""
