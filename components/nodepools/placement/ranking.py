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

    evaluated: PoolVerdict
    static: StaticPool | None = None
    provisioned: KarpenterPool | None = None

    @cached_property
    def launches(self) -> bool:
        """Karpenter launches nodes for the pod. All other nodes are running already, or the cluster autoscaler adds them."""
        return self.provisioned is not None and self.provisioned.pool.replicas is None

    @cached_property
    def launcher(self) -> str:
        """The Karpenter that launches nodes here, by the label of its node classes; empty if none does, or if it is not known which one.

        Each Karpenter has only its own NodePools.
        """
        return self.provisioned.cloud.class_label if self.launches and self.provisioned is not None else ""


_ORDER = {Verdict.FITS: 0, Verdict.CANNOT: 1, Verdict.UNKNOWN: 2}


def ranked(pod: Pod, found: Sequence[Ranked]) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
    """The verdicts in the order in which they are shown, and the ranks of the pools that fit."""
    fitting = sorted((item for item in found if item.evaluated.verdict is Verdict.FITS), key=lambda entry: _key(entry, pod))
    others = [item for item in found if item.evaluated.verdict is not Verdict.FITS]
    others.sort(key=lambda entry: (_ORDER[entry.evaluated.verdict], entry.evaluated.distance))
    ranks: dict[str, Rank] = {}
    for index, item in enumerate(fitting):
        same = index > 0 and _equals(fitting[index - 1], item, pod)
        position = ranks[fitting[index - 1].evaluated.pool].position if same else index
        if _leads(item, fitting[:index]):
            position = 0
        equal = same or (index + 1 < len(fitting) and _equals(item, fitting[index + 1], pod))
        ranks[item.evaluated.pool] = Rank(position, _why(item, position, equal=equal))
    leads = {item.launcher: item for index, item in enumerate(fitting) if _leads(item, fitting[:index])}
    after = {other.evaluated.pool: leads[other.launcher] for other in others if _comes_before(other, leads)}
    for launcher, first in leads.items():
        pool = first.evaluated.pool
        named = " or ".join(f"`{other}`" for other, lead in after.items() if lead is first)
        unless = f", unless the pod fits {named}" if named else ""
        ranks[pool] = Rank(0, f"{ranks[pool].why}{unless}{_launched_too(launcher, leads, others)}")
    shown = (_with_weight(other, after[other.evaluated.pool]) if other.evaluated.pool in after else other.evaluated for other in others)
    return (*(item.evaluated for item in fitting), *shown), ranks


def _leads(item: Ranked, earlier: Sequence[Ranked]) -> bool:
    """Its Karpenter launches a node of this pool: no pool that is running already comes before it, and none of the same Karpenter."""
    return item.launches and all(other.launches and other.launcher != item.launcher for other in earlier)


def _launched_too(launcher: str, leads: Mapping[str, Ranked], others: Sequence[Ranked]) -> str:
    """What every other Karpenter does for the same Pending pod: none knows of the nodes that another launches."""
    sure = [f"`{item.evaluated.pool}`" for name, item in leads.items() if name != launcher]
    possible = [other for other in others if other.launcher and other.evaluated.verdict is Verdict.UNKNOWN and other.launcher not in leads]
    possible.sort(key=_order, reverse=True)
    unsure = {other.launcher: f"`{other.evaluated.pool}`" for other in possible}
    return "".join(
        [
            *(f"; the Karpenter of {pool} can launch a node for it too" for pool in sure),
            *(f"; the Karpenter of {pool} can launch a node for it too, if the pod fits" for pool in unsure.values()),
        ]
    )


def _key(item: Ranked, pod: Pod) -> tuple[object, ...]:
    """Running nodes come before nodes that Karpenter would launch."""
    if item.launches and item.provisioned is not None:
        return (1, item.evaluated.attempt, *item.provisioned.order)
    if item.static is None:
        return (0, 0, 0, 0)
    taints, preferences = item.static.score(pod)
    return (0, -taints, -preferences, 0 if item.static.min_nodes else 1)


def _order(item: Ranked) -> tuple[object, ...]:
    return (item.evaluated.attempt, item.provisioned.order if item.provisioned is not None else ())


def _equals(item: Ranked, other: Ranked, pod: Pod) -> bool:
    return not item.launches and not other.launches and _key(item, pod) == _key(other, pod)


def _why(item: Ranked, position: int, *, equal: bool) -> str:
    choice = "first choice" if position == 0 else "fallback"
    if item.launches and item.provisioned is not None:
        preferred = any(reason.kind is Kind.PREFERENCE for reason in item.evaluated.reasons)
        return f"{choice} by weight ({item.provisioned.weight}){', after Karpenter drops preferences' if preferred else ''}"
    if equal:
        return f"{choice} with other pools: the scheduler picks the least used node"
    if item.static is None or item.static.names is not None:
        return f"{choice}: its nodes are running"
    least = item.static.min_nodes
    if not least:
        return f"{choice}: if it has no node, the cluster autoscaler adds one"
    return f"{choice}: has at least {least} node{'s' * (least != 1)}"


def _comes_before(item: Ranked, leads: Mapping[str, Ranked]) -> bool:
    """The pod may fit, and its Karpenter would then launch a node of this pool before one of the first pool that fits."""
    first = leads.get(item.launcher)
    return item.evaluated.verdict is Verdict.UNKNOWN and first is not None and _order(item) < _order(first)


def _with_weight(item: Ranked, first: Ranked) -> PoolVerdict:
    weight = item.provisioned.weight if item.provisioned is not None else 0
    earlier = Reason(Kind.PREFERENCE, f"first choice by weight ({weight}) before `{first.evaluated.pool}`, if the pod fits", verdict=Verdict.FITS)
    return replace(item.evaluated, reasons=(*item.evaluated.reasons, earlier))
