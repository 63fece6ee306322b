"""Workloads that share pools without room for all of their pods: at least how many stay Pending, whichever pods these are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.model.listing import grouped, joined, listed, quoted
from nodepools.model.values import dataclass, replace
from nodepools.placement.explain import Answer
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Outcome
from nodepools.replicas.demand import VOLUMES, needs
from nodepools.replicas.explained import Explained
from nodepools.replicas.room import most_of, most_together

_NAMED: Final = 3
"""Workloads and pools that a text names."""
_SIZES: Final = 16
"""So many sizes of pods are looked at."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """Workloads that share pools without room for all of their pods."""

    workloads: tuple[Workload, ...]
    pools: tuple[str, ...]
    """All pools that may run the pods."""
    wanted: int
    most: int
    """So many of the pods are scheduled at most."""
    quota: str = ""
    """What a ResourceQuota allows, if this is what they share."""

    @property
    def pending(self) -> int:
        """So many stay Pending at least."""
        return self.wanted - self.most

    @property
    def of(self) -> str:
        """How many pods of which workloads."""
        names = [f"`{workload.shown}`" for workload in self.workloads]
        return f"the {self.wanted:,} pods of {joined(names) if len(names) <= _NAMED else listed(names, _NAMED)}"

    def __str__(self) -> str:
        if self.quota:
            return f"{self.quota}, at most {self.most:,} of {self.of}: at least {self.pending:,} {'is' if self.pending == 1 else 'are'} not created"
        some = f"{quoted(self.pools, _NAMED)} run{'s' * (len(self.pools) == 1)} at most {self.most:,} of {self.of}"
        return f"{some}: at least {self.pending:,} stay{'s' * (self.pending == 1)} Pending"

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`."""
        names = [f"{workload.kind}/{workload.name}" for workload in self.workloads]
        return {"workloads": names, "pools": list(self.pools), "wanted": self.wanted, "maximum": self.most, "pending": self.pending}


def with_shortages(found: Sequence[Explained], pools: Iterable[ClusterPools]) -> list[Explained]:
    """The same, with what workloads lack together: over the clusters of a stack, as one of these is enough for each workload."""
    shortages: dict[tuple[str, object], Shortage] = {}
    clusters = [cluster for cluster in pools if not (cluster.unread or cluster.fargate)]  # other nodes can run what these lack room for
    for stack in dict.fromkeys(map(stack_of, clusters)):
        own = [cluster for cluster in clusters if stack_of(cluster) == stack]
        rooms = {pool.address: pool for cluster in own for pool in _bounded(cluster)}
        groups = grouped((one.answer.workload.identity, one) for one in found if stack_of(one.answer) == stack)
        runs = any(cluster.bound for cluster in own)
        certain = [each for group in groups.values() if (each := _sharing(group, runs=runs)) is not None]
        sharing = [each for each in certain if each.reach <= rooms.keys()]
        fitting = {each.workload.identity for each in sharing if each.fits}  # they evict the others
        for shortage in _shortages(sharing, rooms):
            shortages |= {(stack, workload.identity): shortage for workload in shortage.workloads if workload.identity not in fitting}
        for shortage in _of_quotas(certain) if len(own) == 1 else ():  # each cluster has a quota of its own
            shortages |= {(stack, workload.identity): shortage for workload in shortage.workloads}
    return [replace(one, shortage=shortages.get((stack_of(one.answer), one.answer.workload.identity))) for one in found]


def _bounded(cluster: ClusterPools) -> Iterator[StaticPool | KarpenterPool]:
    """The pools whose number of nodes has a maximum."""
    for pool in (*cluster.static, *cluster.provisioned):
        bounded = isinstance(pool, StaticPool) or bool(pool.limits) or pool.pool.replicas is not None
        if bounded and pool.address not in cluster.overridden:
            yield pool


def stack_of(of: ClusterPools | Answer) -> str:
    """The stack of a cluster that a platform declares; empty for others."""
    return (of.cluster if of.cluster is not None else "").rpartition("/")[0]


class _Sharing(NamedTuple):
    """A workload whose pods are certain to be created and to run on."""

    workload: Workload
    reach: frozenset[str]
    """All pools that may run the pods."""
    need: Mapping[str, int]
    wanted: int
    most: int
    """So many of its pods are scheduled at most if there are no other workloads."""
    fits: bool
    """All of its pods are certain to be scheduled, next to the others."""


def _sharing(group: Sequence[Explained], *, runs: bool) -> _Sharing | None:
    """One workload over its clusters; `None` if its pods end or can evict others, or if it is not known what they need or whether they come."""
    workload = group[0].answer.workload
    spec = mapping(workload.template if workload.template is not None else {}, "spec")
    passing = workload.kind in ("Job", "CronJob") or spec.get("restartPolicy", "Always") != "Always" or (runs and "priorityClassName" in spec)
    if passing or not workload.unplaced or workload.resized is not None or workload.unsure or any(hold.maximum is None for hold in workload.holds):
        return None
    wanted = workload.unplaced
    counts = [one.count for one in group]
    most = max(wanted if count.scheduled.maximum is None else count.scheduled.maximum - workload.running for count in counts)
    reach = frozenset[str]().union(*(one.answer.possible for one in group))
    return _Sharing(workload, reach, needs(workload), wanted, most, any(count.verdict is Outcome.FITS for count in counts))


def _of_quotas(certain: Iterable[_Sharing]) -> Iterator[Shortage]:
    """Workloads of which a ResourceQuota does not allow all pods together."""
    shares = ((each, hold.share) for each in certain for hold in each.workload.holds)
    found = grouped((share[0], (each, *share[1:])) for each, share in shares if share is not None)
    for text, members in found.items():
        most = _within(max(left for _, left, _ in members), [(amount, each.most) for each, _, amount in members])
        if len(members) > 1 and most < sum(each.most for each, _, _ in members):
            yield Shortage(tuple(each.workload for each, _, _ in members), (), sum(each.wanted for each, _, _ in members), most, text)


def _within(left: int, pods: Sequence[tuple[int, int]]) -> int:
    """So many pods a quota allows at most: of so many workloads, or by what each pod takes."""
    if all(amount for amount, _ in pods):
        return _filled(left, pods)
    return sum(sorted((many for _, many in pods), reverse=True)[:left])


def _shortages(sharing: Sequence[_Sharing], rooms: Mapping[str, StaticPool | KarpenterPool]) -> Iterator[Shortage]:
    """Those with most pods first; each workload is in one."""
    reaches = list(dict.fromkeys(each.reach for each in sharing if not each.fits))
    joined: list[frozenset[str]] = []
    for reach in reaches:
        apart = [area for area in joined if not area & reach]
        joined = [*apart, reach.union(*(area for area in joined if area & reach))]
    found = [each for area in dict.fromkeys([*reaches, *joined]) if (each := _in_area(area, sharing, rooms)) is not None]
    named: set[object] = set()
    for shortage in sorted(found, key=lambda each: (-each.pending, len(each.workloads))):
        own = {workload.identity for workload in shortage.workloads}
        if named.isdisjoint(own):
            named |= own
            yield shortage


def _in_area(area: frozenset[str], sharing: Sequence[_Sharing], rooms: Mapping[str, StaticPool | KarpenterPool]) -> Shortage | None:
    """The largest shortage of workloads that can run in an area only: of all of them, or of those whose pods are large."""
    within = [each for each in sharing if each.reach <= area and each.most]
    pools = [rooms[address] for address in sorted(area)]
    best, lacking = None, 0
    for resource in dict.fromkeys(name for each in within for name in each.need if name != VOLUMES):
        ordered = sorted(within, key=lambda each: -each.need.get(resource, 0))
        sizes = [each.need.get(resource, 0) for each in ordered]
        steps = [number for number in range(1, len(ordered) + 1) if number == len(ordered) or sizes[number - 1] != sizes[number]]
        for step in steps[-_SIZES:]:
            members = ordered[:step]
            alone, most = sum(each.most for each in members), _most(members, pools)
            if len(members) > 1 and alone - most > lacking:
                lacking, wanted = alone - most, sum(each.wanted for each in members)
                best = Shortage(tuple(each.workload for each in within if each in members), tuple(sorted(area)), wanted, most)
    return best


def _most(members: Sequence[_Sharing], pools: Sequence[StaticPool | KarpenterPool]) -> int:
    """The most pods of the workloads together: each is at least as large as the smallest, and all are within the sum of what nodes have."""
    names = set[str].intersection(*(set(each.need) for each in members))
    least = {name: min(each.need[name] for each in members) for name in names - {VOLUMES}}
    wanted = sum(each.most for each in members)
    bounds = [wanted, sum(most_together(pool, least, wanted) for pool in pools)]
    for name in least:
        offered = [most_of(pool, name) for pool in pools]
        if None not in offered:
            bounds.append(_filled(sum(filter(None, offered)), [(each.need[name], each.most) for each in members]))
    return min(bounds)


def _filled(left: int, pods: Sequence[tuple[int, int]]) -> int:
    """So many pods are within an amount at most: the smallest ones."""
    count = 0
    for amount, many in sorted(pods):
        some = min(many, left // amount) if amount else many
        count, left = count + some, left - some * amount
    return count
