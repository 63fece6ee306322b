"""A node class of a running cluster, and the locations that its nodes can have."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.node_classes import OfClass

RawObject: TypeAlias = Mapping[str, object]
ObservedClass: TypeAlias = tuple[OfClass, Mapping[str, LabelValues]]
ReadClass: TypeAlias = Callable[[str, RawObject | None, frozenset[str]], ObservedClass]
"""Reads a node class from its name and its object (`None` if no file contains it); the regions are those of the known nodes."""
