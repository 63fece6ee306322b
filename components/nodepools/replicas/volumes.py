"""What volumes, and the order in which a StatefulSet creates its pods, allow.

The pods of a StatefulSet can have volumes in different places: those in one place are counted like a workload that requires such nodes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Bound, PendingReason
from nodepools.replicas.storage import Storage, Where

_NONE: Final = 10**40
"""The position of a pod that does not exist."""
_PARALLEL: Final = "Set `podManagementPolicy: Parallel` to create all pods at once (Kubernetes allows it only in a new StatefulSet)"


class Counted(NamedTuple):
    """How many pods of a group can be scheduled."""

    minimum: int
    maximum: int
    message: str
    fix: str


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


def volume_bounds(workload: Workload, many: int, storage: Storage, count: Callable[[Where, int], Counted]) -> Iterator[Bound]:
    """The bounds that volumes set; `count` returns the pods of a group that can be scheduled."""
    groups = list(_groups(workload, many, storage))
    if any(group.where != Where() for group in groups):
        yield from _of_groups(workload, [_Outcome(group, _counted(group, count)) for group in groups])
    claim = storage.exclusive(workload)
    if claim:
        message = f"PersistentVolumeClaim `{claim}` is `ReadWriteOncePod`: one pod at a time can use it"
        fix = "Give each pod a volume of its own, or change the access mode of the claim"
        yield Bound(PendingReason.VOLUME, 0 if storage.is_shared(workload, claim) else 1, 1, message, fix)


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


def _counted(group: Group, count: Callable[[Where, int], Counted]) -> Counted:
    where = group.where
    if where.verdict is Verdict.CANNOT:
        return Counted(0, 0, where.why, where.fix)
    found = count(where, group.size)
    if where.verdict is Verdict.UNKNOWN:
        return Counted(0, found.maximum, where.why, where.fix)
    return found._replace(message=f"{where.why}; {found.message}") if where.why else found


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
            yield Bound(
                PendingReason.ORDER, min(certain, least), min(possible, most), _in_order(f"{workload.name}-{workload.first + stops}"), _PARALLEL
            )


def _first_missing(one: _Outcome, scheduled: int) -> int:
    """The position of the first pod that stays Pending if so many of the group are scheduled."""
    return one.group.position(scheduled) if scheduled < one.group.size else _NONE


def _in_order(name: str) -> str:
    return f"a StatefulSet creates a pod when the one before it is ready: none after `{name}` while that one is Pending"
