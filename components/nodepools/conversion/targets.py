"""What objects are converted to, and the choices of the caller."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS, ClassKind


class Target(Enum):
    """The managed Karpenter that pods move to."""

    AUTO_MODE = "auto-mode"
    NAP = "nap"

    @property
    def node_class(self) -> ClassKind:
        """The kind of its node classes."""
        return EKS_NODE_CLASS if self is Target.AUTO_MODE else AKS_NODE_CLASS

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return "EKS Auto Mode" if self is Target.AUTO_MODE else "node auto provisioning"

    @property
    def suffix(self) -> str:
        """What names of new objects end with by default: in one cluster, old and new objects exist side by side."""
        return "-auto" if self is Target.AUTO_MODE else ""


NODE_CLASSES: Final[Mapping[str, ClassKind]] = {kind.group: kind for kind in (EC2_NODE_CLASS, EKS_NODE_CLASS, AKS_NODE_CLASS)}
"""The node classes that can be converted, by group."""


@dataclass(frozen=True, slots=True)
class ConversionOptions:
    """A conversion."""

    target: Target
    suffix: str = ""
    """Added to the name of each object that can only be created next to the old one."""
    role: str | None = None
    """The IAM role of nodes of Auto Mode, for every NodeClass."""
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    """The NodePool for the pods of each node group or agent pool, by the name of the group."""
