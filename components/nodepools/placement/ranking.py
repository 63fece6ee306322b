"""Orders the pools of a pod: which is tried first and why, and what those are for that it does not fit. Facts: docs/facts/eks.md § 4.5, § 4.6."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.cloud_labels import NODE_GROUP, POOL
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.verdict import Kind, PoolVerdict, Purpose, Reason, Verdict

_SYSTEM_TAINT: Final = "CriticalAddonsOnly"
_MODE: Final = ("kubernetes.azure.com/mode", "system")
_NAMES: Final = frozenset({POOL_LABEL, *POOL_NAME_LABELS, POOL, NODE_GROUP, _MODE[0]})
"""Labels by which pods ask for one pool, or for those of the system. The name that a pool has in the cloud can differ from its key."""
_SPECIAL: Final = re.compile(r"gpu|neuron|accelerator|habana|gaudi|spot|windows", re.IGNORECASE)
"""Words in taints that keep ordinary pods off."""


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

    @property
    def taints(self) -> Sequence[Taint]:
        """The taints of its nodes."""
        return self.static.taints if self.static is not None else self.provisioned.taints if self.provisioned is not None else ()

    @property
    def names(self) -> Sequence[Mapping[str, str]]:
        """The labels that name the pool or its mode, of each kind of its nodes."""
        if self.provisioned is not None:
            every = [{**self.provisioned.labels, POOL: self.provisioned.name}]
        else:
            every = list(self.static.variants) if self.static is not None else []
        return [{key: value for key, value in labels.items() if key in _NAMES} for labels in every]

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


def with_purpose(item: Ranked, pod: Pod) -> Ranked:
    """The verdict with what the pool is for, unless the pod tolerates the taint or selects the label that says so."""
    asked = {(expression.key, value) for expression in pod.selector for value in expression.values}
    by_name = {value for key, value in asked if key in _NAMES and key != _MODE[0]}
    if item.evaluated.pool.rpartition("/")[2] in by_name or any((asked - {_MODE}) & labels.items() for labels in item.names):
        return replace(item, evaluated=replace(item.evaluated, purpose=Purpose.NAMED))
    if any(asked & labels.items() for labels in item.names):
        return item
    hard = [taint for taint in item.taints if taint.is_hard and not pod.tolerates(taint)]
    purpose = Purpose.SPECIAL if any(_SPECIAL.search(f"{taint.key}={taint.value}") for taint in hard) else Purpose.ORDINARY
    if any(taint.key == _SYSTEM_TAINT for taint in hard) or any(_MODE in labels.items() for labels in item.names):
        purpose = Purpose.SYSTEM
    return replace(item, evaluated=replace(item.evaluated, purpose=purpose)) if purpose else item


ORDER: Final = {Verdict.FITS: 0, Verdict.CANNOT: 1, Verdict.UNKNOWN: 2}
"""In which verdicts are shown."""


def ranked(pod: Pod, found: Sequence[Ranked]) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
    """The verdicts in the order in which they are shown, and the ranks of the pools that fit."""
    fitting = sorted((item for item in found if item.evaluated.verdict is Verdict.FITS), key=lambda entry: _key(entry, pod))
    others = [item for item in found if item.evaluated.verdict is not Verdict.FITS]
    others.sort(key=lambda entry: (ORDER[entry.evaluated.verdict], entry.evaluated.distance))
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
