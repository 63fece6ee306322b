"""The verdict on one pod and one pool, and the reasons for it."""

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from nodepools.placement.workloads.pod_changes import Change


class Verdict(StrEnum):
    """Whether a pod fits a pool. `cannot` is certain; `unknown` cannot be determined from declarations alone."""

    FITS = "fits"
    CANNOT = "cannot"
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """The subject of a reason."""

    TAINT = "taint"
    LABEL = "label"
    REQUIREMENT = "requirement"
    INSTANCE = "instance"
    RESOURCES = "resources"
    LIMIT = "limit"
    VOLUME = "volume"
    UNSCHEDULABLE = "unschedulable"
    PODS = "pods"
    """Pods that run, and required affinity or anti-affinity."""
    PREFERENCE = "preference"


class Purpose(IntEnum):
    """What a pool is for, as far as a pod does not ask for it. Advice names ordinary pools first, and pools of the system never."""

    NAMED = -1
    """The pod asks for the pool by its name."""
    ORDINARY = 0
    """Or the pod asks for what the pool has."""
    SPECIAL = 1
    """Accelerators, spot capacity, Windows or a taint for arm64, which the pod does not ask for."""
    SYSTEM = 2
    """The cluster's own pods."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pod does not fit a pool, or is not certain to fit."""

    kind: Kind
    message: str
    """In the schedulers' terms: ``pod did not tolerate taint `sku=gpu:NoSchedule` ``."""
    fix: "Change | None" = None
    """The smallest change of the pod that may remove this reason. It is shown only after it was tried: see `fixes`."""
    verdict: Verdict = Verdict.CANNOT
    """The verdict that this reason implies. A preference that is not met leaves a pool that fits."""
    subject: str = ""
    """The taint that the nodes have, or what they lack (``label `tier=web` ``): the same for all pools. Empty: the message is about one pool."""
    remedy: str = ""
    """What to change about pods that run: nothing that can be tried on a copy of the pod. Empty: nothing helps, or `fix` does."""

    @property
    def short(self) -> str:
        """The reason in a few words, if it is certain: ``taint `sku=gpu` ``, `without an NVIDIA GPU`."""
        return self.message if not self.subject else self.subject if self.kind is Kind.TAINT else f"without {self.subject}"

    @property
    def of_some(self) -> str:
        """The same after a number of pools: ``with taint `sku=gpu` ``."""
        return f"with {self.subject}" if self.kind is Kind.TAINT else self.short

    @property
    def of_all(self) -> str:
        """The same about all pools."""
        return f"{'every pool has' if self.kind is Kind.TAINT else 'no pool has'} {self.subject}" if self.subject else self.message

    def to_json(self, change: "Change | None" = None) -> dict[str, object]:
        """As printed by `explain --format json`."""
        return {"kind": self.kind.value, "message": self.message, **({} if change is None else {"fix": str(change)})}


_RANK = {Verdict.CANNOT: 0, Verdict.UNKNOWN: 1, Verdict.FITS: 2}


def worst(reasons: Iterable[Reason]) -> Verdict:
    """The verdict if all of these reasons hold."""
    found = Verdict.FITS
    for reason in reasons:
        if reason.verdict is Verdict.CANNOT:
            return Verdict.CANNOT
        if reason.verdict is Verdict.UNKNOWN:
            found = Verdict.UNKNOWN
    return found


def best(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict if one of several alternatives is enough."""
    return max(verdicts, key=_RANK.__getitem__, default=Verdict.CANNOT)


@dataclass(frozen=True, slots=True)
class PoolVerdict:
    """The verdict on a pod and one pool."""

    pool: str
    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    instance_types: tuple[str, ...] | None = None
    """The instance types that the pod can run on; `None` if all machines of the pool have one size."""
    attempt: int = 0
    """The attempt of Karpenter at which the pool accepts the pod: each attempt drops another preference."""
    purpose: Purpose = Purpose.ORDINARY

    @property
    def distance(self) -> tuple[int, int, int, int]:
        """The distance of the pod from fitting: named pools first and those of the system last, then the reasons, the effort, and the purpose."""
        decisive, purpose = self.decisive, self.purpose
        outer = purpose if purpose in (Purpose.NAMED, Purpose.SYSTEM) else Purpose.ORDINARY
        return outer, len(decisive), sum(_EFFORT[reason.kind] for reason in decisive), purpose

    @property
    def decisive(self) -> list[Reason]:
        """The reasons that imply the verdict."""
        return [reason for reason in self.reasons if reason.verdict is self.verdict]

    def to_json(self, changes: "Mapping[Change, Change]") -> dict[str, object]:
        """As printed by `explain --format json`; `changes` are those that were tried, by the fix of their reason."""
        types = {} if self.instance_types is None else {"instance_types": list(self.instance_types)}
        reasons = [reason.to_json(None if reason.fix is None else changes.get(reason.fix)) for reason in self.reasons]
        return {"pool": self.pool, "verdict": self.verdict.value, "reasons": reasons, **types}


_EFFORT = {
    Kind.PREFERENCE: 0,
    Kind.TAINT: 1,
    Kind.LABEL: 2,
    Kind.REQUIREMENT: 2,
    Kind.LIMIT: 4,
    Kind.VOLUME: 4,
    Kind.UNSCHEDULABLE: 4,
    Kind.PODS: 4,
    Kind.RESOURCES: 5,
    Kind.INSTANCE: 6,
}
