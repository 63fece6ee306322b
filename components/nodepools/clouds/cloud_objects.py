"""The properties of Karpenter objects that differ between the clouds."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from nodepools.model.base import Model
from nodepools.model.values import dataclass

Marks: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CloudObjects:
    """The objects of one cloud; each cloud has one such record."""

    parent: type[Model]
    """The part of a cluster that holds NodePools and node classes."""
    not_in_files: tuple[str, ...]
    """Fields of that part that files do not contain."""
    node_pools: tuple[str, ...]
    """Names of the NodePools that the cloud creates."""
    node_classes: tuple[str, ...]
    """Names of the node classes that the cloud creates."""
    is_created_by_cloud: Callable[[Marks, Marks], bool]
    """Tells from labels and annotations whether the cloud created the object."""
    built_in: str
    """The end of a message after the object's name and kind: what a built-in object is, and the effect of changing it."""
    built_in_fix: str
    built_in_source: str

    def names(self, *, pools: bool) -> tuple[str, ...]:
        """Names of the NodePools, or of the node classes, that the cloud creates."""
        return self.node_pools if pools else self.node_classes
