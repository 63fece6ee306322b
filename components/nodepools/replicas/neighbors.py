"""Required affinity and anti-affinity to pods: how many pods of a workload they allow. Source: kube-scheduler 1.35, plugin InterPodAffinity."""

from collections.abc import Sequence
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.topology import PodTerm
from nodepools.model.listing import counted, quoted, saved
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.placement.domains import Domains
from nodepools.placement.existing_nodes import PREFERRED
from nodepools.replicas.count import Bound, PendingReason, PoolEdit
from nodepools.replicas.place import Place, certain_rooms, possible_rooms, raised, reached_domains

_SHOWN: Final = 5
"""Names that are listed in a message."""
_EXPORT: Final = saved("`kubectl get pods -A -o yaml`", existing=True)


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
    anywhere: bool = False
    """They can be on each node."""
    apart: int = 0
    """So many pods are certain on nodes without those, if the term is over nodes."""
    launches: bool = False
    """Karpenter launches as many nodes as are needed for the pods, and none of the other pods is on each of them."""

    nodes: tuple[str, ...] = ()
    """Where all of the other pods run, which the verdicts on nodes that exist follow; empty: not known for all."""
    on_open_nodes: int = 0
    """So many of the pods are certain on nodes that exist, and fit."""
    unexported: str = ""
    """The namespaces that the term reaches, of which an export has no pods."""

    def usable(self) -> list[Place]:
        """The pools that the pods may be scheduled on."""
        return [place for place in self.places if place.usable]

    def reached(self, place: Place) -> Domains:
        """The domains of a pool whose nodes run such pods."""
        return reached_domains(place, self.places, self.term.key, self.pod)


def anti_affinity_bound(case: NeighborCase, room: int) -> Bound:
    """The bound of a term of anti-affinity; `room` is what is certain without it."""
    key = case.term.key
    if not case.to_itself:
        return _from_others(case, room)
    if key == HOSTNAME:
        message = "anti-affinity over `kubernetes.io/hostname` allows one of the pods on each node"
        most = sum(place.room.maximum for place in case.usable())
        more = next((f"{way[:1].upper()}{way[1:]}" for way in raised(case.usable(), _SHOWN)), "Add nodes")
        return Bound(
            PendingReason.ANTI_AFFINITY,
            room if case.launches or case.nodes else max(room - case.other_pods, 0),
            min(case.wanted, most),
            message,
            PoolEdit(f"{more}, or use `preferredDuringSchedulingIgnoredDuringExecution`"),
        )
    if all(place.static is not None and not place.contested and case.reached(place).lacks for place in case.usable()):
        message = f"anti-affinity over `{key}` separates no pods on nodes without this label"
        return Bound(PendingReason.ANTI_AFFINITY, room, case.wanted, message, PoolEdit(f"Set the label `{key}` on a pool, with its values"))
    count = _most_apart(case)
    first = not case.other_pods and any(place.fits and place.domains(key, case.pod).minimum for place in case.places)  # nothing keeps it away
    certain = max(_certainly_apart(case) - case.other_pods, int(first))
    bounded = "at most " if count is not None and count > certain else ""
    has = "an unknown number of values" if count is None else f"{bounded}{counted(count, 'value')}"
    message = f"anti-affinity over `{key}` allows one of the pods for each value, and nodes have {has}"
    most = case.wanted if count is None else min(case.wanted, count)
    return Bound(PendingReason.ANTI_AFFINITY, min(room, certain, most), most, message, PREFERRED)


def _from_others(case: NeighborCase, room: int) -> Bound:
    """Karpenter launches no node without the key, even if there are no such pods; kube-scheduler accepts nodes without it."""
    key = case.term.key
    most = min(case.wanted, sum(place.room.maximum for place in case.usable() if _is_reached(case, place)))
    launched = any(place.static is None for place in case.places)
    if not launched and not case.others:
        return Bound(PendingReason.ANTI_AFFINITY, case.wanted, case.wanted, "")
    if case.others and (most == case.wanted or not launched):
        many = counted(case.other_pods, "node" if key == HOSTNAME else "domain")
        occupied = f"run on {quoted(case.nodes, _SHOWN)}" if case.nodes else f"can occupy {'every domain' if case.anywhere else many}"
        message = f"the pods must not share `{key}` with {_others(case)}, which {occupied}"
        # each node that Karpenter launches is empty at first, and there are only so many other pods to occupy one
        return Bound(PendingReason.ANTI_AFFINITY, room if key == HOSTNAME and case.launches else min(room, _open(case, case.apart)), most, message)
    message = (
        f"anti-affinity over `{key}`: Karpenter launches nodes for the pods only from NodePools that define this label "
        "(otherwise it reports: unsatisfiable topology constraint)"
    )
    return Bound(
        PendingReason.ANTI_AFFINITY,
        0 if case.others else min(room, most),
        most,
        message,
        PoolEdit(f"Set the label `{key}` on a pool, with its values"),
    )


def _is_reached(case: NeighborCase, place: Place) -> bool:
    return case.term.key == HOSTNAME or place.static is not None or place.contested or not case.reached(place).lacks


def _most_apart(case: NeighborCase) -> int | None:
    """The most pods with a domain of their own; nodes without the label separate nothing for kube-scheduler."""
    values: set[str] = set()
    unlabeled = unnamed = 0
    for place in case.usable():
        domains = case.reached(place)
        if domains.lacks:
            unlabeled += place.room.maximum if place.static is not None or place.contested else 0
        elif domains.further is None:
            return None
        else:
            unnamed = max(unnamed, domains.further)
        values |= domains.possible
    return len(values) + unnamed + unlabeled


def _certainly_apart(case: NeighborCase) -> int:
    """The domains in which a node for one pod is certain: Karpenter launches it, or a static pool has all its nodes there."""
    key, pod = case.term.key, case.pod
    sure = (place for place in case.places if place.fits and (place.room.launches or (place.static is not None and not place.contested)))
    unnamed = [place.domains(key, pod).minimum for place in sure]
    return max([len(certain_rooms(case.places, key, pod, case.wanted)), *unnamed])


def affinity_bound(case: NeighborCase, room: int) -> Bound:
    """The bound of a term of affinity; `room` is what is certain without it."""
    key = case.term.key
    if not case.to_itself:
        return _to_others(case, room)
    message, fix = f"affinity to each other over `{key}` brings all pods into one domain, the one of the first pod", PREFERRED
    if key != HOSTNAME and all(case.reached(place).lacks for place in case.usable()):
        message = f"no pool that the pods fit defines `{key}`, which affinity to each other over it needs"
        return Bound(PendingReason.AFFINITY, 0, 0, message, PoolEdit(f"Set the label `{key}` on a pool, with its values"))
    if case.others:
        message = f"affinity over `{key}` also selects {_others(case)}: the pods can be in any domain with such pods, and in no other"
        return Bound(PendingReason.AFFINITY, min(room, _open(case)), case.wanted, message, "Select a label that only the pods of this workload have")
    if case.unexported:
        message = f"affinity over `{key}` also selects pods of {case.unexported}, of which no pod that runs is in the input"
        return Bound(PendingReason.AFFINITY, 0, case.wanted, message, _EXPORT)
    most = _most_in_one(case)
    if key != HOSTNAME and not any(place.fits and place.domains(key, case.pod).minimum for place in case.places):
        return Bound(PendingReason.AFFINITY, 0, most, message, fix)
    return Bound(PendingReason.AFFINITY, min(_least_in_one(case), room, most), most, message, fix)


def _to_others(case: NeighborCase, room: int) -> Bound:
    if case.others:
        run = f"which run on {quoted(case.nodes, _SHOWN)}" if case.nodes else "and where those will run cannot be determined offline"
        run = f"or pods of {case.unexported}, of which no pod that runs is in the input" if case.unexported else run
        message = f"the pods need a node whose `{case.term.key}` has {_others(case)}, {run}"
        more = PREFERRED if case.term.key == HOSTNAME else PoolEdit(f"Add nodes that have the `{case.term.key}` of {quoted(case.nodes, _SHOWN)}")
        fix = _EXPORT if case.unexported else more if case.nodes else f"{_EXPORT}, once {_others(case)} run"
        return Bound(PendingReason.AFFINITY, min(room, _open(case)), case.wanted, message, fix)
    if case.term.selector.labels.expressions is None:
        message = f"affinity over `{case.term.key}` has no `labelSelector`, and then selects no pod at all: the pods stay Pending"
        return Bound(PendingReason.AFFINITY, 0, 0, message, "Set `labelSelector`")
    if case.unexported:
        message = f"affinity over `{case.term.key}` selects pods of {case.unexported}, and no such pod that runs is in the input"
        return Bound(PendingReason.AFFINITY, 0, case.wanted, message, _EXPORT)
    exist = any(place.static is not None and place.static.names for place in case.places)
    selects = "selects none of the pods that run, and none that a" if exist else "selects pods that no"
    message = f"affinity over `{case.term.key}` {selects} workload of the input creates: the pods stay Pending until such pods run"
    return Bound(
        PendingReason.AFFINITY, 0, case.wanted, message, "Correct `labelSelector` or `namespaces`, or add the workload with these labels to the input"
    )


def _most_in_one(case: NeighborCase) -> int:
    if case.term.key == HOSTNAME:
        return min(case.wanted, max((place.room.per_node_at_most for place in case.usable()), default=0))
    reached = [(place, case.reached(place)) for place in case.usable()]
    if any(domains.others for _, domains in reached):
        return case.wanted
    return min(case.wanted, max(possible_rooms(reached).values(), default=0))


def _least_in_one(case: NeighborCase) -> int:
    usable, key = case.usable(), case.term.key
    if key != HOSTNAME and all(place.fits and place.room.launches for place in usable):
        return case.wanted
    on_a_node = [1 if place.contested else max(place.room.per_node_at_least, 1) for place in usable]
    reached = [case.reached(place) for place in usable]
    if key == HOSTNAME or any(domains.others for domains in reached):
        return min([case.wanted, *on_a_node])
    rooms, first = certain_rooms(case.places, key, case.pod, case.wanted), min(on_a_node, default=0)
    return min([case.wanted, *(max(rooms.get(value, 0), first) for domains in reached for value in domains.possible)])


def _others(case: NeighborCase) -> str:
    """The pods that run by their names, others by their workloads."""
    return quoted(case.others, _SHOWN) if case.nodes else f"pods of {quoted(case.others, _SHOWN)}"


def _open(case: NeighborCase, otherwise: int = 0) -> int:
    return max(case.on_open_nodes, otherwise) if case.nodes else otherwise
