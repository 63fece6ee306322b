"""The room for the pods of a workload in one pool: nodes, and pods on each node."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.placement.machine_filter import MachineFilter
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.pod_requirements import RequirementSet
from nodepools.placement.static_pools import StaticPool
from nodepools.replicas.demand import PODS, VOLUMES, Usage
from nodepools.replicas.domains import certain_nodes
from nodepools.replicas.limited_room import NODES, Launching, cost_of_each, most_nodes_within, most_within, sizes

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
    at_most: int
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
    beside_daemons_at_most: int | None = None
    """Pods that a node holds at most next to the pods of DaemonSets, if those are there first; `None`: not known."""
    limits: str = ""
    """The limits within which Karpenter launches nodes; empty: there are none, or they bind no pod."""
    replicas: int | None = None
    """The nodes that a static NodePool keeps."""
    on_nodes: Callable[[int], int] = lambda _: 0
    """The pods that so many of the nodes of a static pool are certain to run next to the other workloads of the input."""


def static_room(pool: StaticPool, demand: Demand, daemons: Usage, competing: Usage, *, fits: bool, bounded: bool) -> Room:
    """The room on declared or running nodes. `bounded` is false if overrides may change the number of nodes or their size."""
    offers: Mapping[str, Bounds] = pool.offers if pool.offers is not None else {}
    slots = [] if pool.max_pods is None else [pool.max_pods]
    bounds = [most // amount for name, amount in demand.need.items() if amount and (most := offers.get(name, UNKNOWN_AMOUNT).most) is not None]
    holds = min([*slots, *bounds, demand.most_per_node]) if bounded else demand.most_per_node
    nodes = pool.max_nodes if bounded else None
    at_most = demand.wanted if nodes is None else min(demand.wanted, nodes * holds)
    room = Room(pool.address, at_most, nodes, holds, beside_daemons_at_most=_beside_daemons(offers, slots, demand, daemons) if bounded else None)
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


def _beside_daemons(offers: Mapping[str, Bounds], slots: Sequence[int], demand: Demand, daemons: Usage) -> int:
    left = [max(pods - daemons.pods, 0) for pods in slots]
    for name, amount in demand.need.items():
        most = offers.get(name, UNKNOWN_AMOUNT).most
        if amount and most is not None:
            left.append(max(most - daemons.amounts.get(name, 0), 0) // amount)
    return min([*left, demand.most_per_node])


def _slots(most: int, pool: StaticPool, daemons: Usage) -> int:
    return max(most - _own_pods(pool) * 1000 - daemons.amounts.get(PODS, 0), 1000)


def _own_pods(pool: StaticPool) -> int:
    """A running node is counted as empty: its pods are not known."""
    return 0 if pool.names is not None else _OWN_PODS


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
    machines = _with_disk(pool, possible, demand)
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
    free = Room(pool.address, demand.wanted, None, demand.most_per_node, limits=pool.limits_text, replicas=pool.pool.replicas)
    if not bounded or ample or (not pool.limits and pool.pool.replicas is None):
        return _unlimited(free, demand) if fits and bounded else free
    possible, certain = _types(pool, alternatives, demand.pod, daemons)
    machines = _with_disk(pool, possible, demand)
    room = _within_limits(pool, free, machines, demand)
    if not fits:
        return room
    if pool.pool.replicas is not None:
        alone = min(demand.wanted, pool.pool.replicas * min(demand.least_per_node, 1))
        return replace(room, alone=alone, together=0 if competing.pods else alone)
    sure = {machine.name for machine in pool.cloud.index.taken(certain)}
    settled = _is_usable(pool, alternatives)
    foreign = [machine for machine in _launched(pool) if not settled or machine.name not in sure]
    types = Launching([machine for machine in machines if machine.name in sure], machines, foreign, demand.need, daemons.amounts, Usage())
    alone, together = (_guaranteed(pool, types._replace(competing=others), demand) for others in (Usage(), competing))
    smallest = min((types.holds(machine) for machine in machines), default=0)
    return replace(room, alone=alone, together=together, per_node_at_least=min(smallest, demand.least_per_node))


def _is_usable(pool: KarpenterPool, alternatives: Sequence[RequirementSet]) -> bool:
    """The pods can use each node of a type that they fit, for whichever pods it is launched: it is not in a zone, say, that they exclude."""
    index = pool.cloud.index
    return any(all(index.knows(key) or pool.settles(key, values) for key, values in required.values.items()) for required in alternatives)


def _unlimited(room: Room, demand: Demand) -> Room:
    return replace(room, alone=demand.wanted, together=demand.wanted, launches=True, per_node_at_least=min(1, demand.least_per_node), limits="")


def _types(pool: KarpenterPool, alternatives: Sequence[RequirementSet], pod: Pod, daemons: Usage) -> tuple[int, int]:
    """The types that a pod can possibly run on, and those that it is certain to run on with the DaemonSets."""
    possible = certain = 0
    overhead = tuple(daemons.amounts.items())
    for required in alternatives:
        possible |= MachineFilter(pool, pod, required, ()).left.possible
        certain |= MachineFilter(pool, pod, required, overhead).left.certain
    return possible, certain & possible


def _with_disk(pool: KarpenterPool, types: int, demand: Demand) -> Sequence[Machine]:
    found = pool.cloud.index.taken(types)
    if _DISK not in demand.need:
        return found
    return [replace(machine, offers={**machine.offers, _DISK: _disk(pool, machine)}) for machine in found]


def _disk(pool: KarpenterPool, machine: Machine) -> Bounds:
    own = machine.offers.get(_DISK, UNKNOWN_AMOUNT).most
    return pool.disk if own is not None else Bounds(pool.disk.least, None)


def _within_limits(pool: KarpenterPool, room: Room, machines: Sequence[Machine], demand: Demand) -> Room:
    """Karpenter counts every limit but `nodes` before it launches a node; those in one batch can exceed `nodes`."""
    replicas = pool.pool.replicas
    pods, nodes = [demand.wanted], [] if replicas is None else [replicas]
    for resource, limit in pool.limits.items():
        if resource == NODES and limit:
            continue
        if (most := most_within(limit, sizes(machines, resource, demand.need, demand.most_per_node))) is not None:
            pods.append(most)
        if (count := most_nodes_within(limit, sizes(_launched(pool), resource, {}, 1))) is not None:
            nodes.append(count)
    if replicas is not None:
        pods.append(replicas * max((size.holds_at_most for size in sizes(machines, NODES, demand.need, demand.most_per_node)), default=0))
    return replace(room, at_most=min(pods), nodes_at_most=min(nodes, default=None))


def _launched(pool: KarpenterPool) -> Sequence[Machine]:
    """All types that the pool may launch, for whichever pods."""
    return pool.cloud.index.taken(pool.affordable.possible)


def _guaranteed(pool: KarpenterPool, types: Launching, demand: Demand) -> int:
    if demand.least_per_node < demand.wanted:
        types = types._replace(need={**types.need, **_alone_on_node(demand)})
    return min(types.guaranteed(resource, limit, demand.wanted) for resource, limit in pool.limits.items())


def _alone_on_node(demand: Demand) -> Mapping[str, int]:
    """A limit on the pods of one node as a share of what it holds: no machine is large enough for two such pods."""
    return {PODS: 20_000 // max(demand.least_per_node, 1)}
