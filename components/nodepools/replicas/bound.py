"""Bounds on the number of pods that can be scheduled, each with its reason."""

from dataclasses import dataclass
from enum import StrEnum


class PendingReason(StrEnum):
    """Why pods stay Pending, or may stay Pending."""

    NO_POOL = "no_pool"
    ADMISSION = "admission"
    """The API server rejects them, or a ResourceQuota allows no more."""
    ROOM = "room"
    SPREAD = "spread"
    AFFINITY = "affinity"
    ANTI_AFFINITY = "anti_affinity"
    VOLUME = "volume"
    ORDER = "order"
    TOGETHER = "together"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bound:
    """How many pods one reason allows, if it is the only one."""

    kind: PendingReason
    minimum: int
    maximum: int
    message: str
    fix: str = ""
    """What can be changed; empty if nothing is certain to help."""

    def pending(self, wanted: int) -> "Pending | None":
        """The pods that wait for this reason; `None` if none does."""
        if self.minimum >= wanted:
            return None
        return Pending(self.kind, self.message, max(wanted - self.maximum, 0), wanted - self.minimum, self.fix)


@dataclass(frozen=True, slots=True)
class Pending:
    """Pods of a workload that stay Pending."""

    kind: PendingReason
    message: str
    minimum: int
    maximum: int
    fix: str = ""

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`."""
        fix = self.fix if self.fix else None
        return {"kind": self.kind.value, "message": self.message, "fix": fix, "minimum": self.minimum, "maximum": self.maximum}
