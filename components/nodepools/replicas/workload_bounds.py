"""Every bound on the replicas of one workload in one cluster."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from typing import Final

from nodepools.model.kubernetes.topology import REVISIONS, HardSpread, PodTerm, PodTopology
from nodepools.model.listing import counted, listed, quoted
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.placement.domains import certain_nodes, needed_keys
from nodepools.placement.existing_nodes import OTHER_PORT, Relations, follows, is_settled, once
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import Kind, Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Bound, PendingReason, PoolEdit
from nodepools.replicas.demand import created, wanted
from nodepools.replicas.neighbors import NeighborCase, affinity_bound, anti_affinity_bound
from nodepools.replicas.place import Place, raised
from nodepools.replicas.spreads import SpreadCase, holding_up, is_free, launches_everywhere, least_per_node, most_per_node, spread_bound

UNDECIDED: Final = "whether the pods fit a pool cannot be determined offline"
_EVERY_NODE: Final = "every node"
_IN_ORDER: Final = "how many pods satisfy all constraints depends on the order of scheduling"


_OF_THE_CLOUD: Final = PodTopology("kube-system")
"""A pod that the cloud runs on nodes; none of its labels is known."""
_FEW: Final = 2
_SHOWN: Final = 5
"""Names that are listed in a message."""


class Bounds:
    """The bounds of one workload, or of those of its pods that `answer` is about.

    `places` returns its pools for a maximum and a guaranteed number of pods on one node.
    """

    def __init__(
        self, answer: Answer, many: int, places: Callable[[int, int], list[Place]], relations: Relations, original: Workload | None = None
    ) -> None:
        self._answer: Final = answer
        self._workload: Final = answer.workload if original is None else original
        self._topology: Final = answer.workload.topology
        self._wanted: Final = many
        self._find_places: Final = places
        self._relations: Final = relations

    def found(self) -> Iterator[Bound]:
        """The bounds; at least one."""
        if self._answer.verdict is Verdict.CANNOT:
            yield Bound(PendingReason.NO_POOL, 0, 0, "the pods fit no pool" if self._answer.pools else "the cluster has no pools")
            yield from (bound for bound in held(self._answer.workload, self._wanted) if not bound.maximum)
            return
        yield from held(self._answer.workload, self._wanted)
        if self._answer.verdict is Verdict.UNKNOWN:
            yield Bound(PendingReason.NO_POOL, 0, self._wanted, UNDECIDED)
        most, together = min(self._wanted, sum(place.room.maximum for place in self._rooms)), self._together
        certain = most if self._answer.verdict is Verdict.UNKNOWN else sum(place.room.alone for place in self._rooms)
        least = min(certain, most)
        texts = (self._room(), self._more_room) if least < self._wanted else ("", "")  # long, and read only if pods can wait
        yield Bound(PendingReason.ROOM, least, most, *texts)
        if together < self._alone:
            yield Bound(PendingReason.TOGETHER, together, self._wanted, self._beside(), self._more_room)
        if not self._topology.is_free:
            found = list(self._if_sure(self._of_topology(together)))
            yield from [bound for bound in found if not bound.maximum] or found
        yield from self._of_others()

    @cached_property
    def _rooms(self) -> list[Place]:
        """The pools, before the constraints over nodes."""
        each = 1 if self._topology.host_ports else self._wanted
        return self._find_places(each, each)

    @cached_property
    def _places(self) -> list[Place]:
        """The pools, for as many pods on one node as the constraints over nodes allow."""
        over_nodes = self._spreads(self._rooms, [spread for spread in self._topology.spreads if spread.key == HOSTNAME])
        if not over_nodes and not self._alone_on_node():
            return self._rooms
        each = 1 if self._topology.host_ports or self._alone_on_node() else self._wanted
        most = min([each, *(most_per_node(case) for case in over_nodes)])
        alone = len(self._topology.spreads) + len(self._topology.anti_affinities) + len(self._topology.affinities) == 1
        return self._find_places(most, min([most, *(least_per_node(case, alone=alone) for case in over_nodes)]))

    def _alone_on_node(self) -> bool:
        return any(term.key == HOSTNAME and self._selects_itself(term) for term in self._topology.anti_affinities)

    def _selects_itself(self, term: PodTerm) -> bool:
        return term.selector.selects(self._topology, itself=True)

    @cached_property
    def _launches(self) -> bool:
        return any(place.fits and place.room.launches for place in self._with_keys)

    @cached_property
    def _with_keys(self) -> list[Place]:
        """The pools that the pods may fit, whose nodes have the topology keys that they need: room on others is none for them.

        Karpenter needs the keys of anti-affinity too, kube-scheduler does not.
        """
        pod, topology = self._answer.workload.pod, self._topology
        keys = needed_keys(topology)
        apart = {term.key for term in topology.anti_affinities} - {HOSTNAME}
        return [
            place
            for place in self._places
            if place.evaluated.verdict is not Verdict.CANNOT
            and not any(place.domains(key, pod).lacks for key in keys)
            and (place.static is not None or all(place.domains(key, pod).minimum for key in apart))
        ]

    @cached_property
    def _alone(self) -> int:
        """The pods that are certain to be scheduled without other workloads, and without what relates them to other pods."""
        return min(self._wanted, sum(place.room.alone for place in self._with_keys))

    @cached_property
    def _together(self) -> int:
        """The same next to the other workloads. While a pod is pending, each pool runs what it is certain to run whatever others use of it."""
        return min(self._wanted, sum(place.room.together for place in self._with_keys))

    def _spreads(self, places: Sequence[Place], spreads: Sequence[HardSpread], *, launches: bool = False) -> list[SpreadCase]:
        keys = frozenset(spread.key for spread in self._topology.spreads)
        counting = [(spread, self._relations.selected(self._workload, spread.selector)) for spread in spreads]
        return [
            SpreadCase(
                spread,
                keys,
                self._answer.workload.pod,
                self._wanted,
                places,
                others=_names(others),
                revision=self._revision(others),
                counts_itself=spread.selector.selects(self._topology, itself=True),
                launches=launches and not _on_every_node(others),
            )
            for spread, others in counting
        ]

    def _revision(self, others: Sequence[Workload]) -> str | None:
        """The label of revisions, if all of these are pods of this workload that run; empty if they are of the revision of the new ones."""
        own = self._workload
        mine = others and all(
            other.namespace == own.namespace and any((by.kind, by.name) == (own.kind, own.name) for by in other.controllers) for other in others
        )
        return None if not mine else "" if own.running else REVISIONS.get(own.kind, "")

    def _if_sure(self, found: Iterator[Bound]) -> Iterator[Bound]:
        """The bounds; if it is not certain that the terms select the workload's own pods, they need not keep any of them Pending."""
        topology = self._topology
        terms = (*topology.affinities, *topology.anti_affinities, *topology.spreads)
        unsure = [term for term in terms if term.selector.selection(topology, itself=True) is None]
        if not unsure:
            yield from found
            return
        message, fix = unsure[0].selector.doubt(topology)
        yield from (replace(bound, maximum=self._wanted, message=f"{bound.message}; {message}", fix=fix) for bound in found)
        certain = 0 if any(term in topology.affinities for term in unsure) else self._wanted
        yield Bound(PendingReason.UNKNOWN, certain, self._wanted, message, fix)

    def _of_topology(self, room: int) -> Iterator[Bound]:
        spreads = self._spreads(self._places, self._topology.spreads, launches=self._launches)
        for case in spreads:
            yield spread_bound(case, room, self._more_room)
        for term in self._topology.anti_affinities:
            yield anti_affinity_bound(self._neighbors(term), room)
        for term in self._topology.affinities:
            yield affinity_bound(self._neighbors(term), room)
        if self._restricting(spreads) > 1:
            yield Bound(PendingReason.UNKNOWN, min(room, 1), self._wanted, _IN_ORDER)

    def _restricting(self, spreads: Sequence[SpreadCase]) -> int:
        """The constraints that can exclude each other: each of the schedulers satisfies them one after the other, and does not search."""
        free = [case for case in spreads if is_free(case)]
        over = [(case.spread.key, case.alone) for case in spreads if case not in free]
        own, selected = self._topology.anti_affinities, self._relations.selected
        over += [(term.key, self._selects_itself(term) and not selected(self._workload, term.selector)) for term in own]
        count = len(self._topology.affinities) + sum(not (key == HOSTNAME and (self._launches or alone)) for key, alone in over)
        together = any(all(launches_everywhere(case, place) for case in free) for place in self._places)
        return count if together and not count else count + len(free)

    def _running(self, terms: Sequence[PodTerm], others: Sequence[Workload], keys: Sequence[str] = ()) -> tuple[str, ...]:
        """The nodes of pods that run, with these keys; none if it is not certain that those are all, or that the terms select them."""
        known = {name: place.static.variants[0] for place in self._rooms if place.static is not None for name in place.static.names or ()}
        nodes = sorted({other.pod.node_name for other in others})
        sure = not self._workload.unsure and is_settled(terms, others)
        return tuple(nodes) if sure and all(name in known and all(key in known[name] for key in keys) for name in nodes) else ()

    @cached_property
    def _on_open_nodes(self) -> int:
        """The pods that nodes that exist are certain to run: those that pods that run close to them are not among these."""
        places = [place for place in self._with_keys if place.fits and place.static is not None and place.static.names]
        return min(self._wanted, sum(place.room.together for place in places))

    def _neighbors(self, term: PodTerm) -> NeighborCase:
        affinity = term in self._topology.affinities
        terms = self._topology.affinities if affinity else (term,)
        others = self._relations.selected(self._workload, term.selector)
        exist = any(place.static is not None and place.static.names for place in self._rooms)
        unexported = self._relations.unexported(terms, self._topology.namespace if self._selects_itself(term) else "") if exist else ""
        sure = [other for other in others if not (affinity and follows(other, terms))]
        nodes = () if affinity and unexported else self._running(terms, sure, [each.key for each in terms] if affinity else ())
        apart, where = self._apart_from(others)
        return NeighborCase(
            term,
            self._answer.workload.pod,
            self._wanted,
            self._places,
            to_itself=self._selects_itself(term),
            others=_names(sure if nodes else others),
            other_pods=sum(map(created, others)),
            anywhere=where == _EVERY_NODE,
            apart=apart if term.key == HOSTNAME else 0,
            launches=self._launches and not _on_every_node(others),
            nodes=nodes,
            on_open_nodes=self._on_open_nodes,
            unexported=unexported,
        )

    def _of_others(self) -> Iterator[Bound]:
        """What keeps the pods away from nodes of other workloads."""
        found = self._relations.repelling(self._workload)
        for term in self._topology.anti_affinities:
            if term.selector.selects(_OF_THE_CLOUD, itself=False):
                message = (
                    f"anti-affinity over `{term.key}` selects all pods of namespace `kube-system` too, and the cloud runs some of them on each node"
                )
                yield Bound(PendingReason.ANTI_AFFINITY, 0, self._wanted, message, "Select pods by a label that they have")
        repelling = [(other, term) for other, term in found if other.is_daemon or not (term.key == HOSTNAME and self._launches)]
        sharing = [other for other in self._relations.sharing_ports(self._workload) if other.is_daemon or not self._launches]
        bounds = [self._repelled(repelling)] if repelling else []
        if sharing:
            message = f"{quoted(_names(sharing), _SHOWN)} uses the same host port on each node that it runs on"
            bounds.append(Bound(PendingReason.ROOM, self._apart_from(sharing)[0], self._wanted, message, OTHER_PORT))
        yield from bounds
        yield from self._of_all([*(other for other, _ in repelling), *sharing], min((bound.minimum for bound in bounds), default=self._wanted))

    def _of_all(self, closing: Sequence[Workload], certain: int) -> Iterator[Bound]:
        """What is certain if pods of all of them close nodes, and perhaps all nodes of a domain that the pods are spread over."""
        own, terms = self._topology, [term for term in self._topology.anti_affinities if term.key == HOSTNAME]
        avoided = once(other for term in terms for other in self._relations.selected(self._workload, term.selector))
        others = once([*closing, *(other for other in avoided if other.is_daemon or not self._launches)])
        if others:
            related = own.spreads or own.affinities or len(terms) < len(own.anti_affinities)
            least = min(self._apart_from(others)[0], 1 if related else self._wanted)
            if least < min(certain, self._apart_from(avoided)[0] if avoided else self._wanted):
                yield Bound(PendingReason.UNKNOWN, least, self._wanted, _IN_ORDER)

    def _repelled(self, repelling: Sequence[tuple[Workload, PodTerm]]) -> Bound:
        """Each pod whose anti-affinity is over nodes closes at most one of them."""
        others = list({other.identity: other for other, _ in repelling}.values())
        certain, where = self._apart_from(others)
        if any(term.key != HOSTNAME for _, term in repelling):
            selected = all(term.selector.selection(self._topology, itself=False) for _, term in repelling)
            certain, where = (
                self._on_open_nodes if selected and self._running((), others) else 0,
                "every domain" if where == _EVERY_NODE else "their domains",
            )
        message = f"anti-affinity of {quoted(_names(others), _SHOWN)} can keep the pods out of {where}"
        return Bound(PendingReason.ANTI_AFFINITY, certain, self._wanted, message)

    def _apart_from(self, others: Sequence[Workload]) -> tuple[int, str]:
        """How many pods are certain on nodes without pods of other workloads, each of which is on one node, and which nodes those can be."""
        running = {other.pod.node_name for other in others if other.pod.node_name}
        coming = [other for other in others if not other.pod.node_name]
        if any(other.is_daemon or other.uncounted for other in coming):
            return 0, _EVERY_NODE
        closed = sum(map(created, coming))
        rooms = [place.room.on_nodes(max(many - closed, 0)) for place, many in self._nodes_without(running)]
        where = quoted(sorted(running), _SHOWN) if running and not closed else counted(closed + len(running), "node")
        return min(sum(rooms), self._wanted), where

    def _nodes_without(self, names: AbstractSet[str]) -> Iterator[tuple[Place, int]]:
        """The static pools that the pods fit, except running nodes of these names, with the nodes that are certain."""
        for place in self._with_keys:
            if place.fits and place.static is not None and not (place.static.names and place.static.names <= names):
                yield place, certain_nodes(place.static, self._answer.workload.pod)

    def _room(self) -> str:
        rooms = [f"`{place.room.address}` {_amount(place, self._wanted)}" for place in self._rooms if place.usable]
        return f"room on {listed(rooms, _SHOWN)}" if rooms else "no pool that the pods fit has room for one of them"

    @cached_property
    def _more_room(self) -> str:
        """What can be changed where the pods may not have enough room."""
        if few := [name for case in self._spreads(self._places, self._topology.spreads) for name in holding_up(case)]:
            return PoolEdit(f"Add nodes to {quoted(list(dict.fromkeys(few)), _SHOWN)}")
        short = [place for place in self._possible if min(place.room.alone, place.room.together) < self._wanted]
        if not short:  # pods of which each needs a node of its own, or a zone
            short = [place for place in self._possible if any(raised([place], 1))]
        full = [place for place in self._rooms if {one.kind for one in place.evaluated.decisive} == {Kind.LIMIT} and place.static is None]
        if not short and not full:  # each pool has room for all: others keep them off
            return PoolEdit("Add nodes")
        nodes = [place for place in short if place.static is not None]
        found = [*([self._more_nodes(nodes)] if nodes and not full else []), *raised([*full, *short], _FEW)]
        first, *others = found if found and self._one_a_node else [*found, "add nodes" if self._one_a_node else "request less"]
        text = ", ".join([first[:1].upper() + first[1:], *others[:-1], *(f"or {last}" for last in others[-1:])])
        return text if first == "request less" else PoolEdit(text)

    @property
    def _one_a_node(self) -> bool:
        """Each pod needs a node of its own."""
        own = self._topology
        return bool(own.host_ports) or any(term.key == HOSTNAME and term.selector.selects(own, itself=True) for term in own.anti_affinities)

    def _more_nodes(self, short: Sequence[Place]) -> str:
        """The pools that need more nodes, and how many one pool needs: more than it is certain to have. Nodes that run are not pools.

        A number helps for certain only if all nodes are open to the pods, and no others use them.
        """
        names = [place.room.address for place in short if place.room.address not in self._answer.nodes]
        room, pool = (short[0].room, short[0].static) if len(names) == len(short) == 1 else (None, None)
        if room is not None and pool is not None:
            bound = "maximum" if pool.is_scaled else "number"
            is_open = certain_nodes(pool, self._answer.workload.pod) == pool.most_sure
            is_certain = room.per_node_at_least and self._topology.is_free and is_open and not short[0].contested
            many = -(-self._wanted // room.per_node_at_least) if is_certain else 0
            if room.nodes_at_most is not None and 0 < room.maximum < self._wanted:
                needed = -(-self._wanted // room.per_node_at_most)
                enough = f" (to be certain; {needed:,} at best)" if many > needed else ""
                open_ended = " nodes (fewer are too few: run this again after it)"
                most = f"at least {max(needed, many):,} nodes{enough}" if is_certain else f"at least {needed:,}{open_ended}"
                return f"raise the {bound} of `{names[0]}` from {room.nodes_at_most:,} to {most}"
            if many > pool.min_nodes:
                bound = "minimum" if pool.is_scaled and many <= pool.max_nodes else bound
                return f"raise the {bound} of `{names[0]}` to {counted(many, 'node')}"
        return f"add nodes to `{'` or `'.join(names)}`" if 0 < len(names) <= _FEW else "add nodes"

    @property
    def _possible(self) -> Sequence[Place]:
        """The pools that are not excluded."""
        return [place for place in self._rooms if place.evaluated.verdict is not Verdict.CANNOT]

    def _beside(self) -> str:
        """The other workloads on the pool where they can take most."""
        place = max(self._places, key=lambda place: place.room.alone - place.room.together)
        rivals = [other for other in place.rivals[: _SHOWN + 1] if other is not self._workload][:_SHOWN]
        left = len(place.rivals) - 1 - len(rivals)
        names = ", ".join(f"`{other.subject}` ({'any number' if other.uncounted else f'{wanted(other):,}'})" for other in rivals)
        others = f"pods of other workloads that can use `{place.room.address}`: {names}{f' and {left:,} more' if left else ''}"
        if not rivals:  # the pods are some of the workload's: those whose volumes are in the same place
            others = f"the workload's other pods, which can use `{place.room.address}` too"
        alone = f"{self._alone:,} pod{'s are' if self._alone != 1 else ' is'}"
        return f"{alone} certain to be scheduled alone, {self._together:,} next to {others}"


def held(workload: Workload, many: int) -> Iterator[Bound]:
    """What keeps the pods from being created or scheduled, on whichever pool."""
    for hold in workload.holds:
        kind = PendingReason.UNKNOWN if hold.maximum is None else PendingReason.ADMISSION
        most = many if hold.maximum is None else min(hold.maximum, many)
        yield Bound(kind, min(hold.minimum, most), most, hold.message, hold.fix)


def _amount(place: Place, wanted: int) -> str:
    room = place.room
    certain = f"{room.alone:,} certain" if room.alone < room.maximum else ""
    nodes = ""
    if place.static is not None and room.nodes_at_most is not None:
        with_daemons = room.with_daemons_at_most
        next_to = f", {with_daemons:,} next to DaemonSets" if with_daemons is not None and with_daemons < room.per_node_at_most else ""
        nodes = f"at most {counted(room.nodes_at_most, 'node')} with at most {room.per_node_at_most:,} each{next_to}"
    limits = f"limits {room.limits}" if room.limits else f"{room.replicas:,} nodes" if room.replicas is not None else ""
    details = ", ".join(part for part in (nodes, limits, certain if room.maximum < wanted else "") if part)
    if certain and room.maximum >= wanted:  # the rest may have room
        return f"certain for {room.alone:,} of {wanted:,} pods{f' ({details})' if details else ''}"
    return f"at most {room.maximum:,}{f' ({details})' if details else ''}"


def _on_every_node(others: Sequence[Workload]) -> bool:
    """Some of them may be on each node, before the pods are."""
    return any(other.is_daemon for other in others)


def _names(workloads: Sequence[Workload]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other.subject for other in workloads))
