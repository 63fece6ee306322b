"""What the pods of a workload need, and what the other workloads of the input may use before them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import gcd
from operator import mul
from typing import Final

from nodepools.model.kubernetes.pod import SYSTEMS
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field
from nodepools.placement.explain import Answer
from nodepools.placement.static_pools import other_os
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.workload import Workload

PODS = "pods"
"""The resource that counts pods: a node runs at most so many."""
VOLUMES = "volumes"
"""The resource that counts pods with volumes of their own. How many a node can mount is not known: it is certain to mount those of one pod."""

_UNCOUNTED: Final = 10_000
_MOST_SUMS: Final = 500
_MOST_UNITS: Final = 50_000
"""Sums of amounts that have so many different values at most are found exactly."""


def wanted(workload: Workload) -> int:
    """The number of its pods that are to be placed; an unknown number counts as 1."""
    return 1 if workload.unplaced is None else workload.unplaced


def created(workload: Workload) -> int:
    """How many of them the API server accepts at most; if only a controller knows, more than what is certain next to them has room for."""
    if workload.uncounted:
        return _UNCOUNTED
    return min([wanted(workload), *(hold.maximum for hold in workload.holds if hold.maximum is not None)])


def needs(workload: Workload) -> Mapping[str, int]:
    """What one pod takes of a node, with its place among the node's pods and those that have volumes of their own."""
    own = {VOLUMES: 1000} if any(use.created for use in workload.lifecycle.volumes) else {}
    return {**dict(workload.pod.requests), PODS: 1000, **own, **({workload.devices: 1000} if workload.devices else {})}


@dataclass(frozen=True, slots=True)
class Usage:
    """What pods take of the nodes of a pool, in thousandths."""

    amounts: Mapping[str, int] = field(default_factory=dict[str, int])
    each: Mapping[str, Mapping[int, int]] = field(default_factory=dict[str, Mapping[int, int]])
    """How many pods take the same amount, by resource."""

    @property
    def pods(self) -> int:
        """How many pods these are."""
        return self.amounts.get(PODS, 0) // 1000

    def without(self, workload: Workload) -> "Usage":
        """The usage by the others, of a sum that includes this workload."""
        own, many = needs(workload), created(workload)
        others = dict(self.each)
        for name, amount in own.items():
            found = self.each.get(name, {})
            others[name] = {**found, amount: found.get(amount, 0) - many}
        return Usage({name: amount - own.get(name, 0) * many for name, amount in self.amounts.items()}, others)

    def least_above(self, resource: str, amount: int, most: int | None) -> int | None:
        """The least that whole pods use of a resource on one node if it is more than `amount`; `None`: they never use that much within `most`."""
        each = self.each.get(resource, {})
        sums, sizes = {0}, sorted((size for size, many in each.items() if size and many > 0), reverse=True)
        unit = gcd(*sizes)
        if sizes and (amount + sizes[0]) // unit <= _MOST_UNITS:
            least = _least_sum_above(amount // unit, [(size // unit, each[size]) for size in sizes])
            return None if least is None or (most is not None and least * unit > most) else least * unit
        for size in sizes:
            fitting = amount // size + 1 if most is None else min(amount, most) // size + 1
            sums = {before + size * count for before in sums for count in range(min(each[size], fitting) + 1)}
            if len(sums) > _MOST_SUMS:
                return amount + 1
        return min((total for total in sums if total > amount and (most is None or total <= most)), default=None)


def _least_sum_above(amount: int, sizes: Sequence[tuple[int, int]]) -> int | None:
    """The same for sizes, the largest first, and how many pods have each; the bits of a number are the sums that pods reach."""
    most = amount + sizes[0][0]
    reached, whole = 1, (1 << (most + 1)) - 1
    for size, many in reversed(sizes):
        left, part = many, 1
        while left > 0 and size * part <= most:
            part = min(part, left)
            reached |= (reached << size * part) & whole
            left, part = left - part, 2 * part
        if reached >> (amount + 1) & 1:
            return amount + 1
    above = reached >> (amount + 1)
    return amount + (above & -above).bit_length() if above else None


def owed_by(answer: Answer) -> list[PoolVerdict]:
    """The pools without room for the pods of a DaemonSet, whose nodes it may have to run on: its controller asks for labels and taints alone.

    Source: Kubernetes 1.36, `pkg/controller/daemon/daemon_controller.go`, NodeShouldRunDaemonPod.
    """
    rejected = {reason for system in SYSTEMS for reason in other_os(answer.workload.pod, system)}

    def is_of_room(reason: Reason) -> bool:
        of_a_device = reason.kind is Kind.INSTANCE and reason.subject != "" and not reason.subject.startswith("label")
        return reason.kind in (Kind.RESOURCES, Kind.PODS, Kind.VOLUME) or of_a_device or reason in rejected

    return [
        one
        for one in answer.pools
        if any(is_of_room(each) for each in one.decisive)
        and all(is_of_room(each) or each.verdict is not Verdict.CANNOT for each in one.reasons)
        and one.verdict is not Verdict.FITS
    ]


def daemons_of(answers: Iterable[Answer]) -> Mapping[str, Usage]:
    """What the DaemonSets of the input request on each node, by the address of the pool."""
    return _by_pool((answer, 1) for answer in answers if answer.workload.is_daemon)


def users_of(answers: Iterable[Answer]) -> Mapping[str, Sequence[Workload]]:
    """The workloads that may be scheduled on a pool, by its address; those with most pods first."""
    ordered = sorted((one for one in answers if not one.workload.is_daemon and created(one.workload)), key=lambda one: -created(one.workload))
    return grouped((evaluated.pool, one.workload) for one in ordered for evaluated in one.pools if evaluated.verdict is not Verdict.CANNOT)


def usage_of(answers: Iterable[Answer]) -> Mapping[str, Usage]:
    """What all pods together would request of each pool that they may be scheduled on."""
    return _by_pool((answer, created(answer.workload)) for answer in answers if not answer.workload.is_daemon)


def _by_pool(found: Iterable[tuple[Answer, int]]) -> Mapping[str, Usage]:
    alike: Counter[tuple[tuple[str, ...], tuple[tuple[str, int], ...]]] = Counter()
    for answer, many in found:
        open_to = tuple(one.pool for one in answer.pools if one.verdict is not Verdict.CANNOT)
        alike[open_to, tuple(needs(answer.workload).items())] += many
    each: dict[str, dict[str, Counter[int]]] = {}
    for (open_to, own), many in alike.items():
        for pool in open_to:
            of_pool = each.setdefault(pool, {})
            for name, amount in own:
                of_pool.setdefault(name, Counter())[amount] += many
    return {
        address: Usage({name: sum(map(mul, many, many.values())) for name, many in of_pool.items()}, of_pool) for address, of_pool in each.items()
    }
