"""The room for the pods of a workload in one pool: nodes, and pods on each node.

Karpenter launches a node while the capacity of some machine type that fits the pod is within what remains of every limit. Which type the cloud
then provides is not certain, so the lower bounds hold for the least favorable one.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, gcd
from typing import Final, NamedTuple

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.values import dataclass, replace
from nodepools.placement.allocatable import ACCELERATOR_RESOURCES, GPU_RESOURCES
from nodepools.placement.domains import certain_nodes
from nodepools.placement.machine_filter import MachineFilter
from nodepools.placement.machine_index import SEEN_MEMORY, UNKNOWN_AMOUNT, Bounds, Machine
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.pod_requirements import RequirementSet
from nodepools.replicas.demand import PODS, VOLUMES, Usage

NODES = "nodes"
"""The limit on the number of nodes."""
_NAMED = 120
"""Twice the number of types that Karpenter names at most: the cloud may not have some of them."""
_DEARER = 4
"""A type of so many times the size is certain to be dearer: prices for the size differ less between families."""
_SLOTS = 20_000
"""Pods that every machine can run, next to those that the cloud runs on each node, in thousandths: the smallest sizes run 29 in all."""
_LARGEST_TABLE = 512


class Size(NamedTuple):
    """What nodes of one size count against one limit, and how many of the pods they hold."""

    counted: int
    """At least so much counts."""
    counted_at_most: int
    holds_at_most: int


def sizes(machines: Iterable[Machine], resource: str, need: Mapping[str, int], cap: int) -> list[Size]:
    """The sizes of the machines, for one limited resource; of those that count the same, the one that holds most."""
    best: dict[tuple[int, int], int] = {}
    for machine in machines:
        key = counted(machine, resource)
        best[key] = max(best.get(key, 0), min(cap, _size_holds(machine, need)))
    return [Size(low, high, holds) for (low, high), holds in best.items() if holds]


def counted(machine: Machine, resource: str) -> tuple[int, int]:
    """The bounds of what a node of this type counts against a limit; Karpenter counts the machine, not what is allocatable."""
    if resource == NODES:
        return 1000, 1000
    most = machine.offers.get(resource, UNKNOWN_AMOUNT).most
    if most is None:
        return (1000 if resource == "cpu" else 0), 0
    return (floor(most * SEEN_MEMORY) if resource == "memory" else most), most


def _size_holds(machine: Machine, need: Mapping[str, int]) -> int:
    bounds = [most // amount for name, amount in need.items() if amount and (most := machine.offers.get(name, UNKNOWN_AMOUNT).most) is not None]
    return min(bounds, default=_LARGEST_TABLE**3)


def most_within(limit: int, found: Sequence[Size], wanted: int) -> int | None:
    """The most pods that nodes within one limit can hold, or `wanted` if that is less; `None` if the limit does not bound them."""
    within = [size for size in found if size.counted <= limit]
    if not within:
        return 0
    if any(not size.counted for size in within):
        return None
    if any(limit // size.counted * size.holds_at_most >= wanted for size in within):
        return wanted
    unit = gcd(limit, *(size.counted for size in within))
    if limit // unit <= _LARGEST_TABLE:
        return _best_filling(limit // unit, [(size.counted // unit, size.holds_at_most) for size in within])
    return max(limit * size.holds_at_most // size.counted for size in within)


def _best_filling(limit: int, found: Sequence[tuple[int, int]]) -> int:
    best = [0] * (limit + 1)
    for room in range(1, limit + 1):
        best[room] = max((best[room - size] + holds for size, holds in found if size <= room), default=0)
    return best[limit]


def _fewest_pods(more: int, found: Sequence[tuple[int, int]]) -> int:
    """The fewest pods on full nodes that count so much together."""
    fewest = [0] * (more + 1)
    for counts in range(1, more + 1):
        fewest[counts] = min(holds + fewest[max(counts - size, 0)] for size, holds in found)
    return fewest[more]


def most_nodes_within(limit: int, found: Sequence[Size]) -> int | None:
    """The most nodes within one limit; `None` if the limit does not bound them."""
    smallest = min((size.counted for size in found), default=0)
    return (limit // smallest if smallest else None) if found else 0


def cost_of_each(types: "Launching", resource: str, many: int) -> int | None:
    """What nodes count against one limit at most for each of `many` pods, whichever of the types that Karpenter names the cloud provides.

    Karpenter names the cheapest types that fit the pods of a planned node. `None`: not known.
    """
    if resource == NODES:
        return 1000
    counts = [(_size(machine), counted(machine, resource)[1]) for machine in types.possible]
    if not all(count for _, count in counts):
        return None
    most, fewest = 0, 1
    while True:  # nodes that are planned for `fewest` pods or more, and for less than twice as many
        cheap = sorted(_size(machine) for machine in types.holding(2 * fewest - 1))[:_NAMED]
        dear = _DEARER * cheap[-1] if len(cheap) == _NAMED else None
        most = max(most, -(-max((count for size, count in counts if dear is None or size < dear), default=0) // fewest))
        fewest *= 2
        if dear is None or fewest > many:
            return most


def _size(machine: Machine) -> int:
    """CPU and memory as one number: 8 GiB cost about as much as a CPU."""
    return _most(machine, "cpu") * 8 + _most(machine, "memory") // 1024**3


def _most(machine: Machine, name: str) -> int:
    most = machine.offers.get(name, UNKNOWN_AMOUNT).most
    return 0 if most is None else most


class Launching(NamedTuple):
    """The machine types of a NodePool with limits, and the pods that compete for them."""

    certain: Sequence[Machine]
    """The types that are certain to fit a pod."""
    possible: Sequence[Machine]
    """The types that may fit a pod, including the certain ones."""
    foreign: Sequence[Machine]
    """All types but the certain ones: the pool may launch them for other pods."""
    need: Mapping[str, int]
    daemons: Mapping[str, int]
    competing: Usage

    def guaranteed(self, resource: str, limit: int, wanted: int) -> int:
        """How many of `wanted` pods a node is certain to be launched for, or to have room for, within one limit.

        While a pod is pending, every node of the pool is too full for it. That bounds the capacity of those nodes by what their pods request.
        """
        first = 0 if self.competing.pods else 1
        counts = [counted(machine, resource)[1] for machine in self.possible]
        foreign = [counted(machine, resource)[1] for machine in self.foreign] if self.competing.pods else []
        if not (self.certain and all(counts) and all(foreign)):
            return min(first, len(self.certain))
        free = limit - min(counted(machine, resource)[1] for machine in self.certain)
        sized = [(count, {name: self._least(machine, name) for name in self.need}) for count, machine in zip(counts, self.possible, strict=True)]
        if not self.competing.pods:
            return min(wanted, self._alone(free, sized, wanted))
        fixed, each = self._capacity(sized, max(foreign, default=0))
        return min(wanted, (free - fixed) // each + 1) if free >= fixed else first

    def _alone(self, free: int, sized: Iterable[tuple[int, Mapping[str, int]]], wanted: int) -> int:
        """The same without other pods, if it is less than `wanted`: a node that is too full holds as many pods as fit it."""
        fewest: dict[int, int] = {}
        for count, least in sized:
            fewest[count] = min(fewest.get(count, sys.maxsize), self._held(least))
        unit = gcd(*fewest)
        at_least = free // max(Fraction(count, holds) for count, holds in fewest.items()) + 1
        if free // unit >= _LARGEST_TABLE or at_least >= wanted:
            return at_least
        return _fewest_pods(max(free // unit + 1, 0), [(count // unit, holds) for count, holds in fewest.items()])

    def holds(self, machine: Machine) -> int:
        """The pods that a node of this type is certain to hold, if it is launched for one."""
        return self._held({name: self._least(machine, name) for name in self.need})

    def _held(self, least: Mapping[str, int]) -> int:
        return max(min(least[name] // amount for name, amount in self.need.items() if amount), 1)

    def holding(self, pods: int) -> Iterator[Machine]:
        """The types without devices that are certain to hold so many pods."""
        for machine in self.certain:
            fits = all(self._least(machine, name) >= amount * pods for name, amount in self.need.items())
            if fits and not any(_most(machine, device) for device in (*GPU_RESOURCES, *ACCELERATOR_RESOURCES)):
                yield machine

    def _capacity(self, sized: Sequence[tuple[int, Mapping[str, int]]], foreign: int) -> tuple[int, int]:
        """The capacity of nodes that are too full for one more pod: a fixed part for the other pods, and a part for each own pod before it.

        Large types hold at least two of the pods; `foreign` is the most that a node for other pods counts.
        """
        large = [(count, least) for count, least in sized if all(least[name] >= 2 * amount for name, amount in self.need.items())]
        largest, small = max(foreign, *(count for count, _ in sized)), 0
        if len(large) < len(sized):
            small = max(count for count, least in sized if any(least[name] < 2 * amount for name, amount in self.need.items()))
        fixed, each = self.competing.pods * max(small, foreign), small
        for name, amount in self.need.items():
            pairs = [(count, least[name] - amount + 1) for count, least in large]
            most, used = max(pairs, key=lambda pair: pair[0] / pair[1], default=(0, 1))
            fixed += -(-self.competing.amounts.get(name, 0) * most // used)
            each += -(-amount * most // used)
        return min(fixed, self.competing.pods * largest), max(each, 1)

    def _least(self, machine: Machine, name: str) -> int:
        offered = machine.offers.get(name)
        least = _SLOTS if name == PODS and offered is None else UNKNOWN_AMOUNT.least if offered is None else offered.least
        return least - self.daemons.get(name, 0)


_DISK: Final = "ephemeral-storage"
_OWN: Final = "own pods"
"""The resource that counts the pods of the workload itself on a node."""
_OWN_PODS: Final = 12
"""Pods that AKS itself runs on each node: at most so many DaemonSets are on."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Pods of one shape, for which room is counted."""

    pod: Pod
    need: Mapping[str, int]
    wanted: int
    most_per_node: int
    """At most so many can be on one node, for certain, whatever its size."""
    least_per_node: int
    """So many are allowed on one node, for certain, if they are the only pods of their kind there."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many pods of one workload a pool has room for."""

    address: str
    maximum: int
    """Pods, at most the number that is wanted."""
    nodes_at_most: int | None
    """Nodes that can exist; `None`: there is no bound."""
    per_node_at_most: int
    alone: int = 0
    """Pods that are certain to be scheduled if there are no other workloads."""
    together: int = 0
    """Pods that are certain to be scheduled if the other workloads of the input use as much as they can."""
    per_node_at_least: int = 0
    """Pods that an empty node is certain to hold."""
    launches: bool = False
    """Karpenter launches as many nodes as are needed."""
    with_daemons_at_most: int | None = None
    """Pods that a node holds at most next to the pods of DaemonSets, if those are there first; `None`: not known."""
    limits: str = ""
    """The limits within which Karpenter launches nodes; empty: there are none, or they bind no pod, or `replicas` does."""
    replicas: int | None = None
    """The nodes that a static NodePool keeps."""
    on_nodes: Callable[[int], int] = lambda _: 0
    """The pods that so many of the nodes of a static pool are certain to run next to the other workloads of the input."""


def static_room(pool: StaticPool, demand: Demand, daemons: Usage, competing: Usage, *, fits: bool, bounded: bool) -> Room:
    """The room on declared or running nodes. `bounded` is false if overrides may change the number of nodes or their size."""
    offers: Mapping[str, Bounds] = pool.offers if pool.offers is not None else {}
    freed = pool.freed(demand.pod)
    slots = [] if pool.max_pods is None else [pool.max_pods + freed.get(PODS, 0) // 1000]
    most_of_each = ((amount, offers.get(name, UNKNOWN_AMOUNT).most, freed.get(name, 0)) for name, amount in demand.need.items())
    bounds = [(most + evicted) // amount for amount, most, evicted in most_of_each if amount and most is not None]
    holds = min([*slots, *bounds, demand.most_per_node]) if bounded else demand.most_per_node
    nodes = pool.max_nodes if bounded else None
    maximum = demand.wanted if nodes is None else min(demand.wanted, nodes * holds)
    room = Room(pool.address, maximum, nodes, holds, with_daemons_at_most=_beside_daemons(offers, slots, demand, daemons) if bounded else None)
    if not fits:
        return room
    free = {name: offers.get(name, UNKNOWN_AMOUNT).least - daemons.amounts.get(name, 0) for name in demand.need if name != PODS}
    if pool.max_pods is not None:
        free[PODS] = _slots(pool.max_pods * 1000, pool, daemons)
    elif PODS in offers:
        free[PODS] = _slots(offers[PODS].least, pool, daemons)
    free |= {VOLUMES: 1000, _OWN: demand.least_per_node * 1000}
    need = {name: amount for name, amount in {**demand.need, _OWN: 1000}.items() if name in free and amount}
    each = min(free[name] // amount for name, amount in need.items())
    sure = certain_nodes(pool, demand.pod)

    def on_nodes(nodes: int) -> int:
        return min(demand.wanted, _beside_others(nodes, each, need, free, competing, offers=offers))

    return replace(room, alone=min(demand.wanted, sure * each), together=on_nodes(sure), per_node_at_least=each, on_nodes=on_nodes)


def most_together(pool: StaticPool | KarpenterPool, least: Mapping[str, int], wanted: int) -> int:
    """The most of so many pods that the nodes of a pool hold, whichever pods they are, if each needs at least so much."""
    demand = Demand(Pod(), least, wanted, wanted, wanted)
    if isinstance(pool, StaticPool):
        return static_room(pool, demand, Usage(), Usage(), fits=False, bounded=True).maximum
    most = pool.emptied
    return _within_limits(most, Room(pool.address, wanted, None, wanted), _different(most, most.affordable.possible, demand), demand).maximum


def most_of(pool: StaticPool | KarpenterPool, resource: str) -> int | None:
    """The most of a resource that all nodes of a pool have together; `None`: not known."""
    if isinstance(pool, StaticPool):
        each = pool.max_pods * 1000 if resource == PODS and pool.max_pods is not None else (pool.offers or {}).get(resource, UNKNOWN_AMOUNT).most
        return None if each is None else each * pool.max_nodes
    pool = pool.emptied
    sized = resource in ("cpu", "memory") and resource in pool.limits and all(counted(machine, resource)[1] for machine in pool.machines)
    return floor(pool.limits[resource] / (SEEN_MEMORY if resource == "memory" else 1)) + 1 if sized else None


def _beside_daemons(offers: Mapping[str, Bounds], slots: Sequence[int], demand: Demand, daemons: Usage) -> int:
    left = [max(pods - daemons.pods, 0) for pods in slots]
    for name, amount in demand.need.items():
        most = offers.get(name, UNKNOWN_AMOUNT).most
        if amount and most is not None:
            left.append(max(most - daemons.amounts.get(name, 0), 0) // amount)
    return min([*left, demand.most_per_node])


def _slots(most: int, pool: StaticPool, daemons: Usage) -> int:
    own, least = (0, 0) if pool.names is not None else (_OWN_PODS * 1000, 1000)  # the pods of a running node are counted already
    return max(most - own - daemons.amounts.get(PODS, 0), least)


def _beside_others(nodes: int, each: int, need: Mapping[str, int], free: Mapping[str, int], competing: Usage, *, offers: Mapping[str, Bounds]) -> int:
    """The pods that find room wherever the others are: for each number of pods on a node, the nodes on which others can prevent it."""
    best = 0
    for on_node in {1, 2, (each + 1) // 2, each} & set(range(1, each + 1)):
        prevented = 0
        for name, amount in need.items():
            used = competing.least_above(name, free[name] - on_node * amount, offers.get(name, UNKNOWN_AMOUNT).most)
            prevented += 0 if used is None else competing.amounts.get(name, 0) // used
        best = max(best, on_node * (nodes - min(prevented, competing.pods)))
    return max(best, _one_by_one(nodes, need, free, competing) if each > 1 else 0)


def _one_by_one(nodes: int, need: Mapping[str, int], free: Mapping[str, int], competing: Usage) -> int:
    """The pods that are scheduled before all nodes can be too full for one more."""

    def full(before: int) -> int:
        return sum((competing.amounts.get(name, 0) + before * amount) // (free[name] - amount + 1) for name, amount in need.items())

    low, high = 0, nodes * min(free[name] // amount for name, amount in need.items()) if need else 0
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if full(middle) < nodes else (low, middle)
    return low


def costs_of_each(pool: KarpenterPool, alternatives: Sequence[RequirementSet], demand: Demand, daemons: Usage) -> Mapping[str, int | None]:
    """What the nodes for each of the pods count at most against each limit of a NodePool; `None`: not known."""
    possible, certain = _types(pool, alternatives, demand.pod, daemons)
    machines = _with_disk(pool, pool.cloud.index.taken(possible), demand)
    sure = {machine.name for machine in pool.cloud.index.taken(certain)}
    types = Launching([machine for machine in machines if machine.name in sure], machines, (), demand.need, daemons.amounts, Usage())
    return {resource: cost_of_each(types, resource, demand.wanted) for resource in pool.limits}


def provisioned_room(
    pool: KarpenterPool,
    alternatives: Sequence[RequirementSet],
    demand: Demand,
    daemons: Usage,
    competing: Usage,
    *,
    fits: bool,
    bounded: bool,
    ample: bool = False,
) -> Room:
    """The room on the nodes that Karpenter launches, within the limits of the NodePool. `ample`: these are more than all pods need."""
    if fits and bounded and (ample or (not pool.limits and pool.pool.replicas is None)):
        return launching_room(pool, demand)
    limits = "" if pool.standing is not None and pool.standing == pool.pool.replicas else pool.limits_text
    free = Room(pool.address, demand.wanted, None, demand.most_per_node, limits=limits, replicas=pool.standing)
    if not bounded or ample or (not pool.limits and pool.pool.replicas is None):
        return free
    possible, certain = _types(pool, alternatives, demand.pod, daemons)
    machines = _different(pool, possible, demand)
    room = free if pool.hides_nodes else _within_limits(pool, free, machines, demand)
    if not fits:
        return room
    if pool.standing is not None:
        alone = min(demand.wanted, pool.standing * min(demand.least_per_node, 1))
        return replace(room, alone=alone, together=0 if competing.pods else alone)
    foreign = pool.affordable.possible & ~(certain if _is_usable(pool, alternatives) else 0)
    sure, others = _different(pool, certain, demand), _different(pool, foreign, demand)
    types = Launching(sure, machines, others, demand.need, daemons.amounts, Usage())
    alone, together = (_guaranteed(pool, types._replace(competing=usage), demand) for usage in (Usage(), competing))
    smallest = min((types.holds(machine) for machine in machines), default=0)
    return replace(room, alone=alone, together=together, per_node_at_least=min(smallest, demand.least_per_node))


def can_fill(pool: KarpenterPool, need: Iterable[str], daemons: Usage, others: Usage) -> bool:
    """Other pods can leave a node that Karpenter launches without room for its DaemonSets.

    Karpenter plans room for these on each node; kube-scheduler also binds pods there that are planned for other nodes.
    """
    seen: set[tuple[int, int | None]] = set()
    for name in need:
        taken = daemons.amounts.get(name, 0)
        for machine in pool.machines if others.amounts.get(name, 0) else ():
            offered = machine.offers.get(name, Bounds(_SLOTS, _SLOTS) if name == PODS else UNKNOWN_AMOUNT)
            if (offered.least, offered.most) in seen or (offered.most is not None and offered.most < taken):
                continue  # the DaemonSets do not fit it: Karpenter launches none
            seen.add((offered.least, offered.most))
            free = max(offered.least - taken, 0)
            if others.amounts[name] > free and others.least_above(name, free, offered.most) is not None:
                return True
        seen.clear()
    return False


def _is_usable(pool: KarpenterPool, alternatives: Sequence[RequirementSet]) -> bool:
    """The pods can use each node of a type that they fit, for whichever pods it is launched: it is not in a zone, say, that they exclude."""
    index = pool.cloud.index
    return any(all(index.knows(key) or pool.settles(key, values) for key, values in required.values.items()) for required in alternatives)


def launching_room(pool: KarpenterPool, demand: Demand) -> Room:
    """The room where Karpenter launches as many nodes as are needed for pods that fit."""
    most, many, least = demand.most_per_node, demand.wanted, min(1, demand.least_per_node)
    return Room(pool.address, many, None, most, many, many, least, launches=True, replicas=pool.pool.replicas)


def _types(pool: KarpenterPool, alternatives: Sequence[RequirementSet], pod: Pod, daemons: Usage) -> tuple[int, int]:
    """The types that a pod can possibly run on, and those that it is certain to run on with the DaemonSets."""
    possible = certain = 0
    overhead = tuple(daemons.amounts.items())
    for required in alternatives:
        possible |= MachineFilter(pool, pod, required, ()).left.possible
        certain |= MachineFilter(pool, pod, required, overhead).left.certain
    return possible, certain & possible


def _different(pool: KarpenterPool, types: int, demand: Demand) -> Sequence[Machine]:
    """One of the types for each of the amounts that count here."""
    return _with_disk(pool, pool.cloud.index.different(types, frozenset((*demand.need, *pool.limits, PODS))), demand)


def _with_disk(pool: KarpenterPool, found: Sequence[Machine], demand: Demand) -> Sequence[Machine]:
    if _DISK not in demand.need:
        return found
    return [replace(machine, offers={**machine.offers, _DISK: _disk(pool, machine)}) for machine in found]


def _disk(pool: KarpenterPool, machine: Machine) -> Bounds:
    own = machine.offers.get(_DISK, UNKNOWN_AMOUNT).most
    return pool.disk if own is not None else Bounds(pool.disk.least, None)


def _within_limits(pool: KarpenterPool, room: Room, machines: Sequence[Machine], demand: Demand) -> Room:
    """Karpenter counts every limit but `nodes` before it launches a node; those in one batch can exceed `nodes`."""
    replicas = pool.standing
    pods, nodes = [demand.wanted], [] if replicas is None else [replicas]
    for resource, limit in pool.limits.items():
        if resource == NODES and limit:
            continue
        if (most := most_within(limit, sizes(machines, resource, demand.need, demand.most_per_node), demand.wanted)) is not None:
            pods.append(most)
        if (
            count := most_nodes_within(limit, sizes(pool.cloud.index.different(pool.affordable.possible, frozenset((resource,))), resource, {}, 1))
        ) is not None:
            nodes.append(count)
    if replicas is not None:
        pods.append(replicas * max((size.holds_at_most for size in sizes(machines, NODES, demand.need, demand.most_per_node)), default=0))
    return replace(room, maximum=min(pods), nodes_at_most=min(nodes, default=None))


def _guaranteed(pool: KarpenterPool, types: Launching, demand: Demand) -> int:
    if demand.least_per_node < demand.wanted:
        share = {PODS: 20_000 // max(demand.least_per_node, 1)}  # of what a node holds: no machine is large enough for two such pods
        types = types._replace(need={**types.need, **share})
    return min(types.guaranteed(resource, limit, demand.wanted) for resource, limit in pool.limits.items())
