"""A node class as a cluster holds it, and where its nodes can be."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.node_classes import OfClass

RawObject: TypeAlias = Mapping[str, object]
ObservedClass: TypeAlias = tuple[OfClass, Mapping[str, LabelValues]]
ReadClass: TypeAlias = Callable[[str, RawObject | None, frozenset[str]], ObservedClass]
"""Reads a class by its name and its object, `None` where files hold none; the regions are those of the nodes that are known."""
