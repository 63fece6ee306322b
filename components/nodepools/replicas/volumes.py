"""What volumes, and the order in which a StatefulSet creates its pods, allow: pods can have volumes in different places."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from nodepools.model.kubernetes.pod import Pod, Toleration
from nodepools.model.kubernetes.volumes import FOR_ONE_POD
from nodepools.model.listing import counted, quoted
from nodepools.model.values import dataclass, replace
from nodepools.placement.explain import Answer, Explainer, reported
from nodepools.placement.fixes import Fix
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.warnings import WarningKind, WorkloadWarning, spread_warnings
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Bound, PendingReason
from nodepools.replicas.demand import wanted
from nodepools.replicas.storage import Storage, Where

_SHOWN: Final = 5  # nodes that are listed in a message
_FEWER: Final = "Use fewer volumes for each pod, or a file system in the network"
_NONE: Final = 10**40
"""The position of a pod that does not exist."""
_PARALLEL: Final = "Set `podManagementPolicy: Parallel` to create all pods at once (Kubernetes allows it only in a new StatefulSet)"


class Counted(NamedTuple):
    """How many pods of a group can be scheduled."""

    minimum: int
    maximum: int
    message: str
    fix: str


_Count: TypeAlias = Callable[[Where, int, Sequence[Where]], Counted]
"""The pods of a group that can be scheduled, by where its volumes are, its size, and where those of the other groups are."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pods of one workload whose volumes are in the same places."""

    where: Where
    size: int
    position: Callable[[int], int]
    """The position among all pods, by that in the group."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    group: Group
    counted: Counted

    @property
    def missing(self) -> tuple[int, int]:
        """The pods that stay Pending: certain, possible."""
        return self.group.size - self.counted.maximum, self.group.size - self.counted.minimum


def volume_bounds(workload: Workload, many: int, storage: Storage, count: _Count, *, on_one_node: bool = False, node: str = "") -> Iterator[Bound]:
    """The bounds that volumes set; `count` returns the pods of a group that can be scheduled, which are `on_one_node` or not: `node`, if known."""
    groups = list(_groups(workload, many, storage))
    if any(group.where != Where() for group in groups):
        yield from _of_groups(workload, [_Outcome(group, _counted(group, groups, count)) for group in groups])
    claim = storage.exclusive(workload)
    if claim is None:
        return
    name, others = claim.place[1], storage.others_with(workload, claim)
    one, fix = int(not others), "Give each pod a volume of its own, or change the access mode of the claim"
    if FOR_ONE_POD in claim.modes:
        using = next((pod for pod in others if pod.pod.node_name and not pod.ends and not workload.pod.may_evict(pod.pod)), None)
        one, most = (0, 0) if workload.running or using is not None else (one, 1)
        uses = "can use it" if using is None else f"can use it, and `{using.name}` does"
        yield Bound(PendingReason.VOLUME, one, most, f"PersistentVolumeClaim `{name}` is `ReadWriteOncePod`: one pod at a time {uses}", fix)
    elif workload.running or not ((on_one_node and one) or (node and {pod.pod.node_name for pod in others} <= {node})):
        message = f"PersistentVolumeClaim `{name}` is `ReadWriteOnce`: its disk is attached to one node, and pods on other nodes do not start"
        yield Bound(PendingReason.VOLUME, 0 if workload.running else one, many, message, fix)


def anywhere(workload: Workload, many: int, storage: Storage) -> Where:
    """The nodes that can mount the volumes of at least one of the pods."""
    found = {group.where.terms: group.where for group in _groups(workload, many, storage)}
    terms = dict.fromkeys(term for alternatives in found for term in (alternatives if alternatives is not None else ()))
    return Where() if not found or None in found else replace(next(iter(found.values())), terms=tuple(terms))


def _groups(workload: Workload, many: int, storage: Storage) -> Iterator[Group]:
    kept = [ordinal for ordinal in storage.kept(workload) if 0 <= ordinal - workload.first < many]
    positions = [ordinal - workload.first for ordinal in kept]
    found: dict[tuple[object, Verdict], tuple[Where, list[int]]] = {}
    for ordinal, position in zip(kept, positions, strict=True):
        where = storage.of(workload, ordinal)
        found.setdefault((where.terms, where.verdict), (where, []))[1].append(position)
    for where, own in found.values():
        yield Group(where, len(own), own.__getitem__)
    if len(kept) < many:
        yield Group(storage.of(workload), many - len(kept), lambda number: _nth_without(positions, number))


def _nth_without(positions: Sequence[int], number: int) -> int:
    """The position of a pod among all, by its number among those at other positions."""
    for position in positions:
        if position > number:
            break
        number += 1
    return number


def _counted(group: Group, groups: Sequence[Group], count: _Count) -> Counted:
    where = group.where
    if where.verdict is Verdict.CANNOT:
        return Counted(0, 0, where.why, where.fix)
    found = count(where, group.size, [one.where for one in groups if one is not group and one.where.verdict is not Verdict.CANNOT])
    if where.verdict is Verdict.UNKNOWN:
        return Counted(0, found.maximum, where.why, where.fix)
    return found._replace(message="; ".join(filter(None, (where.why, found.message))))


def _of_groups(workload: Workload, found: Sequence[_Outcome]) -> Iterator[Bound]:
    least, most = sum(one.counted.minimum for one in found), sum(one.counted.maximum for one in found)
    worst = max(found, key=lambda one: one.missing)
    if not workload.topology.is_free:  # the pods of one group can keep those of another away
        least = min([1, *(one.counted.minimum for one in found)])
    yield Bound(PendingReason.VOLUME, least, most, worst.counted.message, worst.counted.fix)
    if workload.ordered:
        certain = min(_first_missing(one, one.counted.minimum) for one in found)
        possible = min(_first_missing(one, one.counted.maximum) for one in found)
        if certain < least or possible < most:
            stops = possible if possible < _NONE else certain
            scheduled = [one.counted.maximum if possible < _NONE else one.counted.minimum for one in found]
            first = next(one.counted for one, many in zip(found, scheduled, strict=True) if _first_missing(one, many) == stops)
            name, why = f"{workload.name}-{workload.first + stops}", f" ({first.message})" if first.message else ""
            message = f"a StatefulSet creates a pod when the one before it is ready: none after `{name}` while that one is Pending{why}"
            # created at once, the others run, and that one still does not
            yield Bound(PendingReason.ORDER, min(certain, least), min(possible, most), message, first.fix or _PARALLEL)


def _first_missing(one: _Outcome, scheduled: int) -> int:
    """The position of the first pod that stays Pending if so many of the group are scheduled."""
    return one.group.position(scheduled) if scheduled < one.group.size else _NONE


UNDEMANDING: Final = Pod(tolerations=(Toleration(operator="Exists"),))
"""A pod that fits every node."""
_OF_KARPENTER: Final = "incompatible volume requirements"


SURE_DISKS: Final = 4
"""Disks that a node can attach for certain: a size of Azure with 2 vCPUs attaches 4, an EC2 instance at least as many next to its network interfaces.

Sources: https://learn.microsoft.com/azure/virtual-machines/sizes/general-purpose/ddsv5-series,
https://docs.aws.amazon.com/ebs/latest/userguide/volume_limits.html, 2026-11.
"""


class AttachedDisks:
    """The disks of the pods that run, by node."""

    def __init__(self, objects: WorkloadObjects, bound: Iterable[Workload]) -> None:
        self._objects: Final = objects
        self._attached: Final[Counter[str]] = Counter()
        for pod in bound:
            self._attached[pod.pod.node_name] += objects.attached(pod)

    def lacks(self, workload: Workload, address: str) -> bool:
        """It is not certain that nodes of a pool attach the disks of a pod next to these."""
        disks = self._objects.attached(workload)
        return bool(disks) and self._attached[address] + disks > self._objects.attachable.get(address, SURE_DISKS)

    def bounds(self, answer: Answer, many: int, certain: int) -> Iterator[Bound]:
        """Why only so many of the pods are certain, if some that fit but for their disks are not."""
        disks = self._objects.attached(answer.workload)
        if disks and (full := [one.pool for one in answer.pools if one.verdict is Verdict.FITS and self.lacks(answer.workload, one.pool)]):
            sure = f"a node attaches {SURE_DISKS}, or as many as its CSINode allows (`kubectl get csinodes -o yaml`)"
            why = f"each pod can have {counted(disks, 'disk')}, which {quoted(full, _SHOWN)} may not attach next to those of others: {sure}"
            yield Bound(PendingReason.VOLUME, 0 if disks > SURE_DISKS else certain, many, why, _FEWER)


@dataclass(frozen=True)
class VolumeVerdicts:
    """What the volumes of all workloads of the input exclude in one cluster."""

    pools: ClusterPools
    workloads: Sequence[Workload]
    objects: WorkloadObjects

    def of(self, answer: Answer) -> Answer:
        """The answer, where pools that none of the pods can use because of its volumes are `cannot`."""
        workload = answer.workload
        where = Where() if workload.is_daemon else anywhere(workload, wanted(workload), self.storage)
        if where.terms is None:
            return answer
        answer = replace(answer, warnings=tuple(self._warnings(answer, where)))
        before = {evaluated.pool: evaluated for evaluated in answer.pools}
        pinned = self._explainer.answer(replace(workload, pod=where.pinned(workload.pod)))
        excluded = before.keys() & {pool for pod in (workload.pod, UNDEMANDING) for pool in self._excluded_from(workload, pod, where)}
        if not excluded:
            return answer
        kept = [before[one.pool] for one in pinned.pools if one.pool in before]
        pools = tuple(self._with_volume(one, where) if one.pool in excluded else one for one in kept)

        def fix(evaluated: PoolVerdict) -> Fix | None:
            return None if evaluated.pool in excluded else answer.fix(evaluated)

        return reported(replace(answer, pools=pools, ranks={**answer.ranks, **pinned.ranks}, notices=pinned.notices, fix=fix), self.pools)

    def _warnings(self, answer: Answer, where: Where) -> Iterator[WorkloadWarning]:
        """The warnings, without that of a spread over zones of which the volumes allow one."""
        pinned = replace(answer.workload, pod=where.pinned(answer.workload.pod))
        for warning in answer.warnings:
            if warning.kind is not WarningKind.SPREAD:
                yield warning
                continue
            launching = [pool for pool in self.pools.provisioned if pool.address in warning.pools]
            yield from spread_warnings(pinned, launching, [pool for pool in self.pools.static if pool.address in warning.pools])

    def _excluded_from(self, workload: Workload, pod: Pod, where: Where) -> set[str]:
        """The pools that such a pod can only use without the volumes."""
        without, with_them = (self._explainer.answer(replace(workload, pod=one)).pools for one in (pod, where.pinned(pod)))
        possible = {one.pool for one in without if one.verdict is not Verdict.CANNOT}
        return {one.pool for one in with_them if one.pool in possible and one.verdict is Verdict.CANNOT}

    def _with_volume(self, evaluated: PoolVerdict, where: Where) -> PoolVerdict:
        launched = any(pool.address == evaluated.pool for pool in self.pools.provisioned)
        reason = Reason(Kind.VOLUME, f"{_OF_KARPENTER if launched else where.conflict}: {where.why}")
        others = evaluated.reasons if evaluated.verdict is Verdict.CANNOT else ()
        return PoolVerdict(evaluated.pool, Verdict.CANNOT, (*others, reason))

    @cached_property
    def storage(self) -> Storage:
        """The volumes of the input, and the classes of the cluster."""
        return Storage(self.objects, self.pools.classes, self.workloads)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.pools, self.workloads, self.objects)
