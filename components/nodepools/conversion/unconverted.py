"""What objects are converted to, with the choices of the caller, and values that have no exact equivalent: their paths, messages and fixes."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from nodepools.model.path import path_text
from nodepools.model.redaction import redacted
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field
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


KUBELET_OF_AUTO: Final = "Auto Mode configures the kubelet; its nodes have at most 110 pods"
UNUSED: Final = "Remove what depends on these settings"
HIDDEN: Final = "(not shown)"
"""Instead of user data, which can contain credentials."""


class Outcome(Enum):
    """What became of a value."""

    REMOVED = "removed"
    """It is not in the output."""
    KEPT = "kept"
    """It is in the output as it was: it has no effect there, or another one."""
    CHANGED = "changed"
    """The output has another value, which does not mean quite the same."""
    MISSING = "missing"
    """The output needs a value that the input does not have."""


@dataclass(frozen=True, slots=True)
class Unconverted:
    """One value that has no exact equivalent."""

    steps: Steps
    """Its path in the input."""
    value: object
    outcome: Outcome
    message: str
    """Why: a sentence that stands alone."""
    fix: str | None = None
    """What to do; `None` if nothing needs to be done."""

    @property
    def shown(self) -> object:
        """The value without secrets."""
        return redacted(self.value, self.steps)

    @property
    def path(self) -> str:
        """The path as text."""
        return path_text(self.steps)

    def to_json(self) -> dict[str, object]:
        """The value as JSON data."""
        return {"path": self.path, "value": self.shown, "outcome": self.outcome.value, "message": self.message, "fix": self.fix}


@dataclass(slots=True)
class Log:
    """Collects the values of one object."""

    found: list[Unconverted] = field(default_factory=list[Unconverted])

    def removed(self, steps: Steps, value: object, message: str, fix: str | None = None) -> None:
        """Adds a value that is not in the output."""
        self._add(steps, value, Outcome.REMOVED, message, fix)

    def kept(self, steps: Steps, value: object, message: str, fix: str | None = None) -> None:
        """Adds a value that stays as it is."""
        self._add(steps, value, Outcome.KEPT, message, fix)

    def changed(self, steps: Steps, value: object, message: str, fix: str | None = None) -> None:
        """Adds a value that becomes another one."""
        self._add(steps, value, Outcome.CHANGED, message, fix)

    def missing(self, steps: Steps, message: str, fix: str) -> None:
        """Adds a value that the output needs."""
        self._add(steps, None, Outcome.MISSING, message, fix)

    def _add(self, steps: Steps, value: object, outcome: Outcome, message: str, fix: str | None) -> None:
        self.found.append(Unconverted(steps, value, outcome, message[:1].upper() + message[1:], fix))

    def __iter__(self) -> Iterator[Unconverted]:
        return iter(self.found)
