"""The pools of a cluster for the pods of one workload: verdict, room, and the domains of each topology key."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.listing import listed
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import HOSTNAME
from nodepools.placement.domains import Domains, most_further, nodes_in_domains
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, PoolVerdict, Verdict
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.room import Room

_UNRESTRICTED = Pod()
_OF_LABELS = frozenset({Kind.LABEL, Kind.REQUIREMENT})
_OF_TAINTS = frozenset({Kind.TAINT, Kind.UNSCHEDULABLE})


@dataclass(frozen=True)
class Place:
    """A pool, as one workload sees it."""

    evaluated: PoolVerdict
    room: Room
    domains: Callable[[str, Pod], Domains]
    """The values of a topology key on the nodes that a pod's node selector and affinity allow."""
    static: StaticPool | None = None
    contested: bool = False
    """Other workloads of the input may be scheduled on it."""
    rivals: Sequence[Workload] = ()
    """All workloads of the input that may be scheduled on it, those with most pods first."""

    @property
    def fits(self) -> bool:
        """One pod is certain to fit."""
        return self.evaluated.verdict is Verdict.FITS

    @property
    def usable(self) -> bool:
        """The pods may be scheduled here."""
        return self.evaluated.verdict is not Verdict.CANNOT and self.room.maximum > 0

    @property
    def serves_others(self) -> bool:
        """Other workloads of the input may be scheduled on it, whether the pods may or not."""
        return self.contested or (self.evaluated.verdict is Verdict.CANNOT and bool(self.rivals))

    @cached_property
    def other_labels(self) -> bool:
        """The nodes do not have the labels that the pod requires, for certain."""
        return self.evaluated.verdict is Verdict.CANNOT and any(reason.kind in _OF_LABELS for reason in self.evaluated.decisive)

    @cached_property
    def untolerated(self) -> bool:
        """The pod does not tolerate a taint of the pool, for certain: a cordoned node has one too."""
        return self.evaluated.verdict is Verdict.CANNOT and any(reason.kind in _OF_TAINTS for reason in self.evaluated.decisive)

    @property
    def has_nodes(self) -> bool:
        """It is certain to have a node."""
        return self.static is not None and not self.static.lost and min(self.static.min_nodes, self.static.max_nodes) > 0


def reached_domains(place: Place, places: Iterable[Place], key: str, pod: Pod) -> Domains:
    """The values on the nodes of one of `places` that run such pods.

    For pods related over a key, a NodePool that only requires it to exist launches nodes with the values that other pools or nodes define. Its nodes
    for other workloads can have any value.
    """
    domains = place.domains(key, pod)
    if not domains.undefined or place.contested:
        return domains
    found = [(other, other.domains(key, _UNRESTRICTED)) for other in places]
    others = [domains for other, domains in found if not domains.undefined or other.serves_others]
    return Domains(possible=frozenset(value for found in others for value in found.possible), further=most_further(others))


def certain_rooms(places: Iterable[Place], key: str, pod: Pod, wanted: int) -> Mapping[str, int]:
    """The pods that nodes of some pools are certain to run in each domain, where the nodes are, or are certain to be added."""
    found: Counter[str] = Counter()
    for place in places:
        if place.fits and place.static is not None:
            found.update({value: place.room.on_nodes(nodes) for value, nodes in nodes_in_domains(place.static, pod, key).items()})
        elif place.fits and place.room.launches:
            found.update(dict.fromkeys(place.domains(key, pod).certain, wanted))
    return {value: min(room, wanted) for value, room in found.items() if room}


def raised(places: Iterable[Place], shown: int) -> Iterator[str]:
    """What gives NodePools more nodes: a static one has `replicas` of them whatever its limits are."""
    found: dict[str, dict[str, None]] = {}
    for place in places:
        static = place.room.replicas is not None and not place.room.limits
        if static or place.room.limits:
            now = place.room.replicas if static else place.room.limits
            found.setdefault("replicas" if static else "limits", {})[f"`{place.room.address}` ({now})"] = None
    for field in sorted(found):
        yield f"raise `{field}` of NodePool {listed(list(found[field]), shown)}"


def possible_rooms(reached: Iterable[tuple[Place, Domains]]) -> Counter[str]:
    """The most pods that nodes of some pools can run in each domain that is known."""
    return sum((Counter(dict.fromkeys(domains.possible, place.room.maximum)) for place, domains in reached), Counter[str]())


def most_nodes(places: Iterable[Place]) -> int | None:
    """The most nodes that some pools have together; `None`: there is no bound."""
    found = [place.room.nodes_at_most for place in places]
    known = [count for count in found if count is not None]
    return sum(known) if len(known) == len(found) else None


def most_domains(places: Iterable[Place], pod: Pod, key: str) -> int | None:
    """The most values of a topology key that the nodes of some pools have; `None`: there is no bound."""
    if key == HOSTNAME:
        return most_nodes(places)
    found = [place.domains(key, pod) for place in places]
    further = most_further(found)
    return None if further is None else len({value for domains in found for value in domains.possible}) + further
