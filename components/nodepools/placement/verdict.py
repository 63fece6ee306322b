"""What is said of one pod and one pool."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Whether a pool can host a pod. `cannot` is certain; what declarations alone do not decide is `unknown`."""

    FITS = "fits"
    CANNOT = "cannot"
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """What a reason is about."""

    TAINT = "taint"
    LABEL = "label"
    REQUIREMENT = "requirement"
    INSTANCE = "instance"
    RESOURCES = "resources"
    LIMIT = "limit"
    UNSCHEDULABLE = "unschedulable"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why not, or why not for certain."""

    kind: Kind
    message: str
    """In the pool's words: `not tolerated: sku=gpu:NoSchedule`."""
    change: str = ""
    """The smallest change of the pod that would take it away, where there is one."""
    says: Verdict = Verdict.CANNOT
    """How far it goes: a preference that is not met leaves a pool that fits."""

    def to_json(self) -> dict[str, object]:
        """As in the answer of `explain --format json`."""
        return {"kind": self.kind.value, "message": self.message, **({"change": self.change} if self.change else {})}


_RANK = {Verdict.CANNOT: 0, Verdict.UNKNOWN: 1, Verdict.FITS: 2}


def worst(reasons: Iterable[Reason]) -> Verdict:
    """What all of them together say."""
    found = Verdict.FITS
    for reason in reasons:
        if reason.says is Verdict.CANNOT:
            return Verdict.CANNOT
        if reason.says is Verdict.UNKNOWN:
            found = Verdict.UNKNOWN
    return found


def best(verdicts: Iterable[Verdict]) -> Verdict:
    """What is said of several ways of which one is enough."""
    return max(verdicts, key=_RANK.__getitem__, default=Verdict.CANNOT)


@dataclass(frozen=True, slots=True)
class PoolVerdict:
    """What is said of a pod and one pool."""

    pool: str
    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    instance_types: tuple[str, ...] | None = None
    """The types that it may be given; `None` where the pool's machines are all of one size."""
    attempt: int = 0
    """At which of Karpenter's attempts the pool takes the pod: what is preferred is asked for first, and dropped piece by piece."""

    @property
    def distance(self) -> tuple[int, int]:
        """How near a miss it is: how many reasons, and how hard the worst of them is to take away."""
        hard = [reason for reason in self.reasons if reason.says is self.verdict]
        return len(hard), sum(_EFFORT[reason.kind] for reason in hard)

    def to_json(self) -> dict[str, object]:
        """As in the answer of `explain --format json`."""
        types = {} if self.instance_types is None else {"instance_types": list(self.instance_types)}
        return {"pool": self.pool, "verdict": self.verdict.value, "reasons": [reason.to_json() for reason in self.reasons], **types}


_EFFORT = {
    Kind.PREFERENCE: 0,
    Kind.TAINT: 1,
    Kind.LABEL: 2,
    Kind.REQUIREMENT: 3,
    Kind.LIMIT: 4,
    Kind.UNSCHEDULABLE: 4,
    Kind.RESOURCES: 5,
    Kind.INSTANCE: 6,
}
