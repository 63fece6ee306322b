"""One hard topology spread constraint of a workload, and the pools that it counts. Source: kube-scheduler 1.35, plugin PodTopologySpread."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.topology import HardSpread
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.replicas.domains import Domains
from nodepools.replicas.place import Place, most_domains, reached_domains

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
    revision: str = ""
    """All of these are pods of the workload as it is now, and this label tells them from the new ones."""
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

    @property
    def within(self) -> Pod:
        """The pod whose node selector and affinity decide which nodes count."""
        return self.pod if self.spread.honors_affinity else _UNRESTRICTED

    @cached_property
    def usable(self) -> list[Place]:
        """The pools that the pods may be scheduled on: their nodes have the key."""
        return [place for place in self.places if place.usable and not self._unreachable(place)]

    def _unreachable(self, place: Place) -> bool:
        """Nodes have no such label, or Karpenter launches none: no pool or node defines a value of a key that a NodePool only requires to exist."""
        if self.spread.key == HOSTNAME:
            return False
        return self.reached(place).lacks

    def reached(self, place: Place) -> Domains:
        """The domains of a pool whose nodes run such pods."""
        return reached_domains(place, self.places, self.spread.key, self.pod)

    @cached_property
    def always_empty(self) -> list[Place]:
        """Pools with nodes that count and never run such a pod, in a domain of their own: the fewest pods are then 0."""
        if not self.alone or self.spread.honors_taints:
            return []
        used: set[str] = set()
        for place in self.usable:
            if self.spread.key != HOSTNAME and place.domains(self.spread.key, self.pod).others:
                return []
            used |= place.domains(self.spread.key, self.pod).possible if self.spread.key != HOSTNAME else set()
        return [place for place in self.counting if place.only_untolerated and place.has_nodes and self._apart(place, used)]

    def _apart(self, place: Place, used: set[str]) -> bool:
        if not all(place.domains(key, self.within).minimum for key in self.keys if key != HOSTNAME):
            return False
        if self.spread.key == HOSTNAME:
            return True
        domains = place.domains(self.spread.key, self.within)
        return len(domains.possible) == 1 and not domains.others and not domains.possible & used

    @cached_property
    def too_few_domains(self) -> int | None:
        """The number of domains, if there are fewer than `minDomains` for certain."""
        most = most_domains(self.counting, self.within, self.spread.key)
        return most if most is not None and most < self.spread.min_domains else None
