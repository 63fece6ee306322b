"""Orders the pools that a pod fits: which is tried first, and why. Facts: docs/facts/eks.md § 4.5, § 4.6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nodepools.model.kubernetes.pod import Pod
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Rank:
    """The position of a pool among those that fit."""

    position: int
    """0 is the first choice; pools with equal positions are equally good."""
    why: str


@dataclass(frozen=True)
class Ranked:
    """A verdict and its pool."""

    judged: PoolVerdict
    static: StaticPool | None = None
    provisioned: KarpenterPool | None = None

    @cached_property
    def launches(self) -> bool:
        """Karpenter launches nodes for the pod. All other nodes are running already, or the cluster autoscaler adds them."""
        return self.provisioned is not None and self.provisioned.pool.replicas is None


_ORDER = {Verdict.FITS: 0, Verdict.CANNOT: 1, Verdict.UNKNOWN: 2}


def ranked(pod: Pod, found: Sequence[Ranked]) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
    """The verdicts in the order in which they are shown, and the ranks of the pools that fit."""
    fitting = sorted((one for one in found if one.judged.verdict is Verdict.FITS), key=lambda one: _key(one, pod))
    others = [one for one in found if one.judged.verdict is not Verdict.FITS]
    others.sort(key=lambda one: (_ORDER[one.judged.verdict], one.judged.distance))
    ranks: dict[str, Rank] = {}
    for index, one in enumerate(fitting):
        same = index > 0 and _equals(fitting[index - 1], one, pod)
        position = ranks[fitting[index - 1].judged.pool].position if same else index
        equal = same or (index + 1 < len(fitting) and _equals(one, fitting[index + 1], pod))
        ranks[one.judged.pool] = Rank(position, _why(one, position, equal=equal))
    earlier = [one.judged.pool for one in others if _comes_before(one, fitting)]
    if earlier:
        first = fitting[0].judged.pool
        named = " or ".join(f"`{pool}`" for pool in earlier)
        ranks[first] = Rank(ranks[first].position, f"{ranks[first].why}, unless the pod fits {named}")
    shown = (_with_weight(one, fitting) if one.judged.pool in earlier else one.judged for one in others)
    return (*(one.judged for one in fitting), *shown), ranks


def _key(one: Ranked, pod: Pod) -> tuple[object, ...]:
    """Running nodes come before nodes that Karpenter would launch."""
    if one.launches and one.provisioned is not None:
        return (1, one.judged.attempt, *one.provisioned.order)
    if one.static is None:
        return (0, 0, 0, 0)
    taints, preferences = one.static.score(pod)
    return (0, -taints, -preferences, 0 if one.static.min_nodes else 1)


def _equals(one: Ranked, other: Ranked, pod: Pod) -> bool:
    return not one.launches and not other.launches and _key(one, pod) == _key(other, pod)


def _why(one: Ranked, position: int, *, equal: bool) -> str:
    choice = "first choice" if position == 0 else "fallback"
    if one.launches and one.provisioned is not None:
        preferred = any(reason.kind is Kind.PREFERENCE for reason in one.judged.reasons)
        return f"{choice} by weight ({one.provisioned.weight}){', after Karpenter drops preferences' if preferred else ''}"
    if equal:
        return f"{choice} with other pools: the scheduler picks the least used node"
    if one.static is None or one.static.names is not None:
        return f"{choice}: its nodes are running"
    least = one.static.min_nodes
    if not least:
        return f"{choice}: if it has no node, the cluster autoscaler adds one"
    return f"{choice}: has at least {least} node{'s' * (least != 1)}"


def _comes_before(one: Ranked, fitting: Sequence[Ranked]) -> bool:
    """The pod may fit, and would then be scheduled there before the first pool that fits."""
    first = next(iter(fitting), None)
    if one.judged.verdict is not Verdict.UNKNOWN or not one.launches or one.provisioned is None:
        return False
    if first is None or not first.launches or first.provisioned is None:
        return False
    return (one.judged.attempt, one.provisioned.order) < (first.judged.attempt, first.provisioned.order)


def _with_weight(one: Ranked, fitting: Sequence[Ranked]) -> PoolVerdict:
    weight = one.provisioned.weight if one.provisioned is not None else 0
    earlier = Reason(Kind.PREFERENCE, f"first choice by weight ({weight}) before `{fitting[0].judged.pool}`, if the pod fits", verdict=Verdict.FITS)
    return replace(one.judged, reasons=(*one.judged.reasons, earlier))
