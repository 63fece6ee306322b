"""How many replicas of a workload can be scheduled, and why others stay Pending."""

from collections.abc import Sequence
from enum import StrEnum

from nodepools.clouds.amounts import Amount
from nodepools.model.values import dataclass


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
    GROUP = "group"
    """A PodGroup starts with more pods at once than can be scheduled."""
    UNKNOWN = "unknown"


class PoolEdit(str):
    """A fix that is an edit of pools; other fixes are of workloads, volumes or the input."""

    __slots__ = ()


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


class Outcome(StrEnum):
    """The verdict on all replicas of a workload."""

    FITS = "fits"
    PARTLY = "partly"
    CANNOT = "cannot"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Count:
    """The replicas of one workload in one cluster."""

    replicas: int | None
    """As declared; `None`: one pod on each node, counted as 1."""
    wanted: int
    """0 for a DaemonSet that no node has to run, and one for each pool of its nodes if some have no room for it."""
    scheduled: Amount
    pending: tuple[Pending, ...] = ()
    doubtful: frozenset[str] | None = None
    """The pools that the reasons are about; `None`: all."""

    @property
    def verdict(self) -> Outcome:
        """`fits` and `cannot` are certain; `partly`: some pods stay Pending for certain."""
        if self.scheduled.minimum >= self.wanted:
            return Outcome.FITS
        if self.scheduled.maximum == 0:
            return Outcome.CANNOT
        return Outcome.PARTLY if self.misses_some else Outcome.UNKNOWN

    @property
    def misses_some(self) -> bool:
        """Some pods stay Pending for certain."""
        return self.scheduled.maximum is not None and self.scheduled.maximum < self.wanted

    @property
    def decisive(self) -> Pending | None:
        """The reason that keeps most pods Pending."""
        return max(self.pending, key=lambda pending: (pending.minimum, pending.maximum), default=None)

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`."""
        return {
            "verdict": self.verdict.value,
            "replicas": self.replicas,
            "scheduled": self.scheduled.to_json(),
            "pending": [pending.to_json() for pending in self.pending],
        }

    def __str__(self) -> str:
        most = self.scheduled.maximum
        return f"{f'up to {most:,}' if most and not self.scheduled.minimum else self.scheduled} of {self.wanted:,}"


def best(counts: Sequence[Count]) -> Count:
    """The count in the cluster that runs most pods; one cluster is enough."""
    most = [(count.scheduled.minimum, count.wanted if count.scheduled.maximum is None else count.scheduled.maximum, count.wanted) for count in counts]
    return counts[most.index(max(most))]
