"""Which of the pools that fit is taken first, and why. Facts: docs/facts/eks.md § 4.5, § 4.6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nodepools.model.kubernetes.pod import Pod
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of a pool among those that fit."""

    place: int
    """0 is taken first; equal places are equally liked."""
    why: str


@dataclass(frozen=True)
class Ranked:
    """A judgement, with the pool that it is about."""

    judged: PoolVerdict
    nodes: StaticPool | None = None
    place: KarpenterPool | None = None

    @cached_property
    def starts(self) -> bool:
        """Karpenter starts nodes for it; all else is there already, or kept by a cluster autoscaler."""
        return self.place is not None and self.place.pool.replicas is None


_VERDICTS = {Verdict.FITS: 0, Verdict.CANNOT: 1, Verdict.UNKNOWN: 2}


def ranked(pod: Pod, found: Sequence[Ranked]) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
    """The judgements in the order in which they are told, and the ranks of those that fit."""
    fitting = sorted((one for one in found if one.judged.verdict is Verdict.FITS), key=lambda one: _key(one, pod))
    others = [one for one in found if one.judged.verdict is not Verdict.FITS]
    others.sort(key=lambda one: (_VERDICTS[one.judged.verdict], one.judged.distance))
    ranks: dict[str, Rank] = {}
    for index, one in enumerate(fitting):
        same = index > 0 and _equals(fitting[index - 1], one, pod)
        place = ranks[fitting[index - 1].judged.pool].place if same else index
        equal = same or (index + 1 < len(fitting) and _equals(one, fitting[index + 1], pod))
        ranks[one.judged.pool] = Rank(place, _why(one, place, equal=equal))
    earlier = [one.judged.pool for one in others if _comes_before(one, fitting)]
    if earlier:
        first = fitting[0].judged.pool
        ranks[first] = Rank(ranks[first].place, f"{ranks[first].why}, unless {' or '.join(earlier)} can take it")
    return (*(one.judged for one in fitting), *(_told(one, fitting) if one.judged.pool in earlier else one.judged for one in others)), ranks


def _key(one: Ranked, pod: Pod) -> tuple[object, ...]:
    """Nodes that are there come before nodes that Karpenter would start."""
    if one.starts and one.place is not None:
        return (1, one.judged.attempt, *one.place.order)
    if one.nodes is None:
        return (0, 0, 0, 0)
    against, liked = one.nodes.score(pod)
    return (0, -against, -liked, 0 if one.nodes.fewest else 1)


def _equals(one: Ranked, other: Ranked, pod: Pod) -> bool:
    return not one.starts and not other.starts and _key(one, pod) == _key(other, pod)


def _why(one: Ranked, place: int, *, equal: bool) -> str:
    when = "taken first" if place == 0 else "fallback"
    if one.starts and one.place is not None:
        preferred = any(reason.kind is Kind.PREFERENCE for reason in one.judged.reasons)
        return f"weight {one.place.weight}: {when}{', after preferences are dropped' if preferred else ''}"
    if equal:
        return f"{when}, with others alike: the scheduler takes the node that is used least"
    if one.nodes is None or one.nodes.names is not None:
        return f"{when}: its nodes are there already"
    fewest = one.nodes.fewest
    if not fewest:
        return f"{when}: may have no node, then the cluster autoscaler starts one"
    return f"{when}: has {fewest} node{'s' * (fewest != 1)} at least"


def _comes_before(one: Ranked, fitting: Sequence[Ranked]) -> bool:
    """It is not known whether it can, and if it can it is taken before the first that fits."""
    first = next(iter(fitting), None)
    if one.judged.verdict is not Verdict.UNKNOWN or not one.starts or one.place is None or first is None or not first.starts or first.place is None:
        return False
    return (one.judged.attempt, one.place.order) < (first.judged.attempt, first.place.order)


def _told(one: Ranked, fitting: Sequence[Ranked]) -> PoolVerdict:
    judged = one.judged
    weight = one.place.weight if one.place is not None else 0
    earlier = Reason(Kind.PREFERENCE, f"weight {weight}: taken before {fitting[0].judged.pool}, if it can", says=Verdict.FITS)
    return PoolVerdict(judged.pool, judged.verdict, (*judged.reasons, earlier), judged.instance_types, judged.attempt)
