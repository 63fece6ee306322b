"""Required affinity and anti-affinity to pods: how many pods of a workload they allow. Source: kube-scheduler 1.35, plugin InterPodAffinity."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.topology import PodTerm
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.replicas.bound import Bound, Reason
from nodepools.replicas.place import Place

_PREFERRED: Final = "Use `preferredDuringSchedulingIgnoredDuringExecution`"


@dataclass(frozen=True)
class NeighborCase:
    """One term of a workload, and the pools of the cluster."""

    term: PodTerm
    pod: Pod
    wanted: int
    places: Sequence[Place]
    to_itself: bool
    """The term selects the workload's own pods."""
    others: tuple[str, ...]
    """Other workloads of the input whose pods the term selects, or whose terms select these pods."""
    other_pods: int = 0
    """How many pods those have."""

    def usable(self) -> list[Place]:
        """The pools that the pods may be scheduled on."""
        return [place for place in self.places if place.usable]


def anti_affinity_bound(case: NeighborCase, room: int) -> Bound:
    """The bound of a term of anti-affinity; `room` is what is certain without it."""
    key = case.term.key
    if not case.to_itself:
        message = f"the pods must not share `{key}` with pods of {_listed(case.others)}, which can occupy every domain"
        return Bound(Reason.ANTI_AFFINITY, 0 if case.others else room, case.wanted, message)
    if key == HOSTNAME:
        message = "anti-affinity over `kubernetes.io/hostname` allows one of the pods on each node"
        most = sum(place.room.at_most for place in case.usable())
        launches = any(place.fits and place.room.launches for place in case.places)
        return Bound(
            Reason.ANTI_AFFINITY,
            room if launches else max(room - case.other_pods, 0),
            min(case.wanted, most),
            message,
            "Add nodes, or use `preferredDuringSchedulingIgnoredDuringExecution`",
        )
    count = _most_apart(case)
    certain = max(_certainly_apart(case) - case.other_pods, 0 if case.other_pods else _first(case))
    bounded = "at most " if count is not None and count > certain else ""
    has = "an unknown number of values" if count is None else f"{bounded}{count} value{'s' * (count != 1)}"
    message = f"anti-affinity over `{key}` allows one of the pods for each value, and nodes have {has}"
    most = case.wanted if count is None else min(case.wanted, count)
    return Bound(Reason.ANTI_AFFINITY, min(room, certain, most), most, message, _PREFERRED)


def _most_apart(case: NeighborCase) -> int | None:
    """The most pods with a domain of their own; nodes without the label separate nothing for kube-scheduler."""
    values: set[str] = set()
    unlabeled = unnamed = 0
    for place in case.usable():
        domains = place.domains(case.term.key, case.pod)
        if domains.lacks:
            unlabeled += place.room.at_most if place.static is not None or place.contested else 0
        elif domains.undefined and not place.contested and place.static is None:
            continue
        elif domains.further is None:
            return None
        else:
            unnamed = max(unnamed, domains.further)
        values |= domains.possible
    return len(values) + unnamed + unlabeled


def _first(case: NeighborCase) -> int:
    """The first pod, which nothing keeps away from nodes with the label."""
    return int(any(place.fits and place.domains(case.term.key, case.pod).at_least for place in case.places))


def _certainly_apart(case: NeighborCase) -> int:
    """The domains in which a node for one pod is certain: Karpenter launches it, or a static pool has all its nodes there."""
    values: set[str] = set()
    unnamed = 0
    for place in case.places:
        if place.fits and (place.room.launches or (place.static is not None and not place.contested)):
            domains = place.domains(case.term.key, case.pod)
            values |= domains.certain
            unnamed = max(unnamed, domains.at_least)
    return max(len(values), unnamed)


def affinity_bound(case: NeighborCase, room: int) -> Bound:
    """The bound of a term of affinity; `room` is what is certain without it."""
    key = case.term.key
    if not case.to_itself:
        return _to_others(case)
    message, fix = f"affinity to each other over `{key}` brings all pods into one domain, the one of the first pod", _PREFERRED
    most = _most_in_one(case)
    if case.others or (not any(place.fits and place.domains(key, case.pod).at_least for place in case.places if key != HOSTNAME) and key != HOSTNAME):
        return Bound(Reason.AFFINITY, 0, most, message, fix)
    return Bound(Reason.AFFINITY, min(_least_in_one(case), room, most), most, message, fix)


def _to_others(case: NeighborCase) -> Bound:
    if case.others:
        message = f"the pods need a node whose `{case.term.key}` has pods of {_listed(case.others)}: where those run cannot be determined offline"
        return Bound(Reason.AFFINITY, 0, case.wanted, message, _PREFERRED)
    message = f"affinity over `{case.term.key}` selects pods that no workload of the input creates: the pods stay Pending until such pods run"
    return Bound(Reason.AFFINITY, 0, case.wanted, message, "Correct the label selector, or add the workload with these labels to the input")


def _most_in_one(case: NeighborCase) -> int:
    if case.term.key == HOSTNAME:
        return min(case.wanted, max((place.room.per_node_at_most for place in case.usable()), default=0))
    rooms: dict[str, int] = {}
    for place in case.usable():
        domains = place.domains(case.term.key, case.pod)
        if domains.others and not (domains.undefined and not place.contested and place.static is None):
            return case.wanted
        for value in domains.possible:
            rooms[value] = rooms.get(value, 0) + place.room.at_most
    return min(case.wanted, max(rooms.values(), default=0))


def _least_in_one(case: NeighborCase) -> int:
    usable = case.usable()
    if case.term.key != HOSTNAME and all(place.fits and place.room.launches for place in usable):
        return case.wanted
    return min(case.wanted, *(1 if place.contested else max(place.room.per_node_at_least, 1) for place in usable))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
