"""Hard topology spread constraints: how many pods of a workload they allow. Source: kube-scheduler 1.35, plugin PodTopologySpread.

A node has room for a pod while (pods in its domain) + 1 - (the fewest pods in a domain) is at most `maxSkew`. Only domains with nodes count, and
fewer of them than `minDomains` make the fewest 0. Karpenter takes the fewest over all domains that its NodePools define.
"""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, partial
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.topology import HardSpread
from nodepools.model.listing import counted, listed, quoted
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.placement.domains import Domains, most_further, nodes_in_domains
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, Verdict
from nodepools.replicas.count import Bound, PendingReason, PoolEdit
from nodepools.replicas.place import Place, certain_rooms, most_domains, possible_rooms, reached_domains

_UNRESTRICTED = Pod()


@dataclass(frozen=True)
class SpreadCase:
    """One constraint of a workload, and the pools of the cluster."""

    spread: HardSpread
    keys: frozenset[str]
    """The keys of all hard constraints of the pod: a node without one of them does not count."""
    pod: Pod
    wanted: int
    places: Sequence[Place]
    others: tuple[str, ...] = ()
    """Other workloads of the input whose pods the constraint counts."""
    revision: str | None = None
    """All of these are pods of the workload that run, and this label tells them from the new ones; empty: none does."""
    counts_itself: bool = True
    """The constraint counts the pods of the workload."""
    launches: bool = False
    """Karpenter launches as many nodes as are needed for the pods, and none of the other pods is on each of them."""

    @property
    def alone(self) -> bool:
        """The constraint counts no pods of other workloads."""
        return not self.others

    @cached_property
    def counting(self) -> list[Place]:
        """The pools whose nodes may count for the fewest pods in a domain."""
        return [place for place in self.places if self._may_count(place)]

    def _may_count(self, place: Place) -> bool:
        if place.room.nodes_at_most == 0 or (self.spread.honors_affinity and place.other_labels):
            return False
        if self.spread.honors_taints and place.untolerated:
            return False
        return not any(place.domains(key, self.within).lacks for key in self.keys if key != HOSTNAME)

    @cached_property
    def planned(self) -> list[Place]:
        """The pools whose domains count for Karpenter: also those that the pods do not select, or whose nodes lack another key."""
        return [
            place
            for place in self.places
            if not (self.spread.honors_taints and place.untolerated)
            and not (place.static is not None and self.spread.honors_affinity and place.other_labels)
            and not place.domains(self.spread.key, self.pod).lacks
        ]

    @cached_property
    def counted(self) -> Sequence[tuple[int, Domains]]:
        """The domains of both, each with the identity of its place, or 0 for nodes that the pods do not select."""
        key, within, itself = self.spread.key, self.within, self.within is self.pod
        counting = [(id(place) if itself else 0, place.domains(key, within)) for place in self.counting]
        return [*counting, *((id(place), place.domains(key, self.pod)) for place in self.planned)]

    @property
    def within(self) -> Pod:
        """The pod whose node selector and affinity decide which nodes count."""
        return self.pod if self.spread.honors_affinity else _UNRESTRICTED

    @cached_property
    def usable(self) -> list[Place]:
        """The pools that the pods may be scheduled on: their nodes have the key."""
        return [place for place in self.places if place.usable and not self._unreachable(place)]

    @cached_property
    def launching(self) -> list[Place]:
        """The pools of which Karpenter launches as many nodes as are needed, each with all keys."""
        return [place for place in self.usable if place.fits and place.room.launches and _is_certain(self, place)]

    @cached_property
    def reaches_all(self) -> bool:
        """In each domain that counts, Karpenter can launch as many nodes as are needed."""
        certain = {value for place in self.launching for value in place.domains(self.spread.key, self.pod).certain}
        return bool(self.launching) and _reaches_each(self, self.launching, certain)

    def _unreachable(self, place: Place) -> bool:
        """Nodes have no such label, or Karpenter launches none: no pool or node defines a value of a key that a NodePool only requires to exist."""
        if self.spread.key == HOSTNAME:
            return False
        return self.reached(place).lacks

    def reached(self, place: Place) -> Domains:
        """The domains of a pool whose nodes run such pods."""
        return reached_domains(place, self.places, self.spread.key, self.pod)

    @property
    def unselected(self) -> bool:
        """Nodes that the pods do not select count, in domains that other nodes of the same pool can be in."""
        return self.spread.key != HOSTNAME and not self.spread.honors_affinity

    @cached_property
    def always_empty(self) -> list[Place]:
        """Pools with nodes that count and never run such a pod, in a domain of their own: the fewest pods are then 0."""
        if not self.alone:
            return []
        used: set[str] = set()
        for place in self.usable:
            if self.spread.key != HOSTNAME and place.domains(self.spread.key, self.pod).others:
                return []
            used |= place.domains(self.spread.key, self.pod).possible if self.spread.key != HOSTNAME else set()
        closed = [place for place in self.counting if place.has_nodes and (self.unselected or place.evaluated.verdict is Verdict.CANNOT)]
        return [place for place in closed if self._apart(place, used)]

    def _apart(self, place: Place, used: set[str]) -> bool:
        if not all(place.domains(key, self.within).minimum for key in self.keys if key != HOSTNAME):
            return False
        if self.spread.key == HOSTNAME:
            return True
        static = place.static
        return static is not None and any(
            many and value not in used for value, many in nodes_in_domains(static, self.within, self.spread.key).items()
        )

    @cached_property
    def too_few_domains(self) -> int | None:
        """The number of domains, if there are fewer than `minDomains` for certain."""
        most = most_domains(self.counting, self.within, self.spread.key)
        return most if most is not None and most < self.spread.min_domains else None


_SHOWN: Final = 5
"""Names that are listed in a message."""


def most_per_node(case: SpreadCase) -> int:
    """The most pods on one node, of a constraint over nodes."""
    skewed = case.always_empty or (case.alone and case.too_few_domains is not None)
    return case.spread.max_skew if skewed and case.counts_itself else case.wanted


def least_per_node(case: SpreadCase, *, alone: bool = True) -> int:
    """The pods that are allowed on one node whatever runs on the others, of a constraint over nodes; `alone`: the pods have no other constraint."""
    if not case.counts_itself:
        return case.wanted
    counting = case.counting
    even = len(counting) == 1 and counting[0].fits and counting[0].static is not None and not counting[0].contested
    return case.wanted if alone and even and case.alone and case.spread.min_domains == 1 else case.spread.max_skew


def spread_bound(case: SpreadCase, room: int, more_room: str = "") -> Bound:
    """The bound of one constraint; `room` is what is certain without it, and `more_room` what gives the pods more of it."""
    usable = case.usable
    if not usable:
        undefined = f"no pool that the pods fit defines `{case.spread.key}`, which {_constraint(case)} needs"
        reported = "kube-scheduler: missing required label; Karpenter: unsatisfiable topology constraint"
        return Bound(
            PendingReason.SPREAD, 0, 0, f"{undefined} ({reported})", PoolEdit(f"Set the label `{case.spread.key}` on a pool, with its values")
        )
    most, texts = _at_most(case, usable, more_room)
    least = min(_at_least(case, usable, room), most)
    return Bound(PendingReason.SPREAD, least, most, *(texts() if least < case.wanted else ("", "")))  # read only if pods can wait


def _at_most(case: SpreadCase, usable: Sequence[Place], more_room: str) -> tuple[int, Callable[[], tuple[str, str]]]:
    spread, key = case.spread, case.spread.key
    held, uneven = min(case.wanted, sum(place.room.maximum for place in usable)), partial(_may_be_uneven, case, more_room)
    if key == HOSTNAME or not case.counts_itself:
        return held, partial(_of_nodes, case, more_room)
    rooms = _rooms(case, usable)
    if rooms is None or not case.alone:
        return held, uneven
    few = case.too_few_domains
    if few is not None or len(rooms) < spread.min_domains:
        return min(held, sum(min(room, spread.max_skew) for room in rooms)), partial(_too_few, case, len(rooms) if few is None else few)
    if case.always_empty:
        return min(held, sum(min(room, spread.max_skew) for room in rooms)), partial(_unusable, case, more_room)
    return min(held, _even(rooms, spread.max_skew, spread.min_domains)), uneven


def _of_nodes(case: SpreadCase, more_room: str) -> tuple[str, str]:
    """Of a constraint over nodes, or one that does not count the pods: why it can hold up some."""
    if case.counts_itself and case.alone and case.too_few_domains is not None:
        return _too_few(case, case.too_few_domains)
    return _unusable(case, more_room) if case.counts_itself and case.always_empty else _may_be_uneven(case, more_room)


def _unusable(case: SpreadCase, more_room: str) -> tuple[str, str]:
    pools = ", ".join(f"`{place.room.address}`" for place in case.always_empty)
    message = f"{_constraint(case)} counts {'nodes' if case.unselected else 'the nodes'} of {pools}, which the pods cannot use: {_skewed(case)}"
    full = [place for place in case.always_empty if any(reason.kind is Kind.RESOURCES for reason in place.evaluated.decisive)]
    if full:  # more room elsewhere does not help
        return message, PoolEdit(f"Free room on the nodes of {quoted([place.room.address for place in full], _SHOWN)}")
    return message, _honored(case, case.always_empty, more_room)


def _honored(case: SpreadCase, places: Iterable[Place], more_room: str) -> str:
    """The policies after which nodes that are closed to the pods do not count, if these help."""
    closed = list(places)
    labels, taints = any(case.unselected or place.other_labels for place in closed), any(place.untolerated for place in closed)
    fix = " and ".join(f"`{policy}: Honor`" for policy, helps in (("nodeAffinityPolicy", labels), ("nodeTaintsPolicy", taints)) if helps)
    return f"Set {fix}" if fix else more_room


def _rooms(case: SpreadCase, usable: Iterable[Place]) -> list[int] | None:
    """The most room in each domain, largest first; `None` if there may be any number of domains."""
    reached = [(place, case.reached(place)) for place in usable]
    further = most_further(domains for _, domains in reached)
    if further is None:
        return None
    unnamed = sum(place.room.maximum for place, domains in reached if domains.further)
    return sorted((min(room, case.wanted) for room in (*possible_rooms(reached).values(), *([unnamed] * further))), reverse=True)


def _even(rooms: Sequence[int], skew: int, least: int) -> int:
    """The most pods, for whichever of the domains have nodes."""
    best = sum(min(room, skew) for room in rooms[: least - 1])
    for count in range(least, len(rooms) + 1):
        best = max(best, sum(min(room, rooms[count - 1] + skew) for room in rooms[:count]))
    return best


def _at_least(case: SpreadCase, usable: Sequence[Place], room: int) -> int:
    fitting = [place for place in usable if place.fits and _is_certain(case, place)]
    if case.alone and not case.counts_itself:
        return min(room, sum(place.room.alone for place in fitting))
    if case.spread.key == HOSTNAME or (case.alone and is_never_blocked(case)):
        # other pods that count can be on every node, but not on one that Karpenter launches
        return room if case.alone or case.launches else 0
    if case.alone and case.reaches_all:
        return min(room, case.spread.max_skew * _certain_count(case))
    if not case.alone or not fitting:
        return 0
    return min(room, max(case.spread.max_skew, _in_certain_domains(case, fitting), _anywhere(case, fitting)))


def _in_certain_domains(case: SpreadCase, fitting: Sequence[Place]) -> int:
    """While a pod is pending, the domain with the fewest pods is full, and so is each other one, unless it has `maxSkew` more."""
    key, skew = case.spread.key, case.spread.max_skew
    if any(domains.others for _, domains in case.counted):
        return 0
    rooms = certain_rooms(fitting, key, case.pod, case.wanted)
    values = {value for _, domains in case.counted for value in domains.possible}
    fewest = min((rooms.get(value, 0) for value in values), default=0) if len(rooms) >= case.spread.min_domains else 0
    return sum(min(room, fewest + skew) for room in rooms.values())


def _anywhere(case: SpreadCase, fitting: Sequence[Place]) -> int:
    """Every node that counts can run the pods: those of the domain with the fewest are full, wherever they are."""
    counting = case.counting
    if case.spread.min_domains > 1 or not all(any(place is other for other in fitting) and not place.contested for place in counting):
        return 0
    if len(counting) == 1 and counting[0].static is not None:
        return _on_existing(counting[0], counting[0].static, case)
    return min((place.room.per_node_at_least for place in counting), default=0)


def _is_certain(case: SpreadCase, place: Place) -> bool:
    """Every node of the pool has the keys."""
    return all(place.domains(key, case.pod).minimum > 0 for key in case.keys if key != HOSTNAME)


def is_never_blocked(case: SpreadCase) -> bool:
    """In each domain that counts, Karpenter can launch as many nodes as are needed, and there are enough domains."""
    return case.reaches_all and _certain_count(case) >= case.spread.min_domains


def is_free(case: SpreadCase) -> bool:
    """As long as no other constraint restricts the domains of the pods, it keeps none of them Pending."""
    return case.alone and case.spread.key != HOSTNAME and is_never_blocked(case)


def holding_up(case: SpreadCase) -> list[str]:
    """The pools in the domains that hold up the others, if these are too small for the pods: more nodes elsewhere do not help."""
    reached = [(place, case.reached(place)) for place in case.usable]
    uneven = case.alone and case.counts_itself and case.spread.key != HOSTNAME and case.too_few_domains is None and not case.always_empty
    if not uneven or any(place.static is None or place.static.names or domains.others for place, domains in reached):
        return []
    rooms = possible_rooms(reached)
    most = min(rooms.values(), default=0) + case.spread.max_skew
    short = [place.room.address for place, domains in reached if any(rooms[value] < most for value in domains.possible)]
    return short if sum(min(room, most) for room in rooms.values()) < case.wanted and len(short) < len(reached) else []


def launches_everywhere(case: SpreadCase, place: Place) -> bool:
    """Karpenter can launch nodes from this pool in each domain that counts."""
    if not any(place is launching for launching in case.launching):
        return False
    certain = place.domains(case.spread.key, case.pod).certain
    return _reaches_each(case, [place], certain)


def _reaches_each(case: SpreadCase, launching: Sequence[Place], certain: AbstractSet[str]) -> bool:
    own = [place.domains(case.spread.key, case.pod) for place in launching]
    places = {id(place) for place in launching}
    return all(of in places or _is_reached(domains, own, certain) for of, domains in case.counted)


def _is_reached(domains: Domains, launching: Sequence[Domains], certain: AbstractSet[str]) -> bool:
    if domains.others:  # zones without known names: all pools that allow every zone of the cluster have the same
        return domains.further is not None and domains.minimum > 0 and domains.possible <= certain and domains in launching
    return domains.possible <= certain


def _certain_count(case: SpreadCase) -> int:
    """The number of domains that are certain to exist."""
    found = [place.domains(case.spread.key, case.pod) for place in case.launching]
    return max([len({value for domains in found for value in domains.certain}), *(domains.minimum for domains in found)])


def _on_existing(place: Place, pool: StaticPool, case: SpreadCase) -> int:
    """One static pool: each domain with nodes has room on at least one of them, however the nodes are distributed over the domains."""
    each, skew = place.room.per_node_at_least, case.spread.max_skew
    nodes = max(pool.min_nodes, 1)
    known = place.domains(case.spread.key, case.pod)
    domains = nodes if known.others else min(nodes, max(len(known.possible), 1))
    return min(nodes * each if count in (1, nodes) else count * each + min(skew, (nodes - count) * each) for count in range(1, domains + 1))


def _constraint(case: SpreadCase) -> str:
    return f"the topology spread constraint over `{case.spread.key}`"


def _too_few(case: SpreadCase, many: int) -> tuple[str, str]:
    key = case.spread.key
    bounded = "at most " if any(place.domains(key, case.within).others for place in case.counting) else ""
    have = f"nodes have {bounded}{counted(many, 'value')} of `{key}`"
    return (
        f"{_constraint(case)} requires `minDomains: {case.spread.min_domains}`, and {have}: {_skewed(case)}",
        "Lower `minDomains`, or add nodes with more values of the key",
    )


def _skewed(case: SpreadCase) -> str:
    return f"each domain runs at most {case.spread.max_skew} (`maxSkew`)"


def _may_be_uneven(case: SpreadCase, more_room: str) -> tuple[str, str]:
    """What can hold up pods: pods of others, domains that are closed to the pods, or full ones."""
    skew, key = case.spread.max_skew, case.spread.key
    allows = f"{_constraint(case)} allows {counted(skew, 'more pod')} in a domain than in the one with the fewest (`maxSkew`)"
    if case.revision is not None:
        fix = f"Add `matchLabelKeys: [{case.revision}]` to the constraint, which then counts the pods of one revision"
        has = not case.revision or any(one.key == case.revision for one in case.spread.selector.labels.expressions or ())
        return f"{allows}, and counts the pods of the workload that run now too", more_room if has else fix
    if not case.alone:
        return f"{allows}, and counts the pods of {quoted(case.others, _SHOWN)} too", "Select a label that only the pods of this workload have"
    if key == HOSTNAME:
        return f"{allows}: a node that is full, or closed to the pods, holds up the others", more_room
    reached, planned = (_closed(case, places, pod) for places, pod in ((case.counting, case.within), (case.planned, case.pod)))
    if reached:
        return f"{allows}, and counts {_values(case, reached, case.within)}, which the pods cannot use", _honored(case, reached, more_room)
    if planned:
        message = f"{allows}, and Karpenter also counts {_values(case, planned, case.pod)}, which the pods cannot use"
        return message, f"Require the values of `{key}` on the pools that the pods can use, with node affinity"
    return f"{allows}: a domain whose nodes are full holds up the others", more_room


def _closed(case: SpreadCase, places: Iterable[Place], pod: Pod) -> list[Place]:
    """The pools with domains of their own that the pods cannot use."""
    reached = [place.domains(case.spread.key, case.pod) for place in case.usable]
    known = {value for domains in reached for value in domains.possible}
    others = [(place, place.domains(case.spread.key, pod)) for place in places if not place.usable or pod is not case.pod]
    return [
        place
        for place, domains in others
        # nodes in one or several of these domains, which ones is not known, can be in one that the pods cannot use
        if (not place.usable and place.has_nodes and domains.minimum < len(domains.possible))
        or (domains not in reached and (domains.others or not domains.possible <= known))
    ]


def _values(case: SpreadCase, places: Iterable[Place], pod: Pod) -> str:
    """`a`, `b` of `pool`: the values that the pods cannot use."""

    def closed(place: Place) -> str:
        domains, own = (place.domains(case.spread.key, each) for each in (pod, case.pod))
        left = domains.possible - own.possible if place.usable else domains.possible
        return f"{'the nodes' if domains.others else quoted(sorted(left), _SHOWN)} of `{place.room.address}`"

    return listed([closed(place) for place in places], _SHOWN)
