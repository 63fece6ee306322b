"""How many nodes and vCPUs a NodePool can have: its limits bound them, and nothing else does.

Karpenter checks limits before it launches nodes. Nodes that it launches at the same time can exceed them a little.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import floor, gcd, inf
from typing import Final

from nodepools.clouds.amounts import Amount, exactly
from nodepools.model.karpenter import Headroom
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import SEEN_MEMORY, UNKNOWN_AMOUNT, Bits, Machine
from nodepools.placement.node_pools import KarpenterPool

_UNIT = 1000
"""Limits and machines are counted in thousandths."""
PRECISION: Final = 9
"""Decimal places of a bound of several limits, which a search finds."""
_COUNTED: Final = 1000
"""Units of a limit up to which whole nodes are counted."""
_STEPS: Final = 60
"""Of a ternary search, each of which leaves two thirds of the interval."""


def node_floor(place: KarpenterPool) -> Amount:
    """Its smallest number of nodes: without pods, only a static NodePool keeps nodes, and one that has headroom."""
    if place.standing is None:
        return exactly(0 if place.pool.headroom is None else _headroom_nodes(place, place.pool.headroom))
    return exactly(place.standing)


def _headroom_nodes(place: KarpenterPool, room: Headroom) -> int:
    """At least so many nodes have the headroom, if they are the largest that the NodePool allows."""
    index, possible, most = place.cloud.index, place.affordable.possible, _most_nodes(place)
    each = {name: index.most(name, possible)[1] if index.knows_amounts(name, possible) else None for name in room.requests} if possible else {}
    needed = room.nodes(each) if possible else 0
    return needed if most is None else min(needed, most)


def node_ceiling(place: KarpenterPool) -> Amount:
    """Its number of nodes at the largest size."""
    return Amount(node_floor(place).minimum, _most_nodes(place))


def counted_by_limits(machine: Machine, resource: str) -> float | None:
    """Thousandths of the resource of one node that limits count, at least; `None` if unknown."""
    amount = _UNIT if resource == "nodes" else machine.offers.get(resource, UNKNOWN_AMOUNT).most
    return None if amount is None else amount * (SEEN_MEMORY if resource == "memory" else 1)


def most_within_limits(place: KarpenterPool, valued: Iterable[tuple[Machine, float]]) -> float:
    """A bound of the value of all its nodes, whichever mixture of these machine types they have; infinite if its limits do not bound it.

    A mixture within two limits is within each weighted mean of both, too: the one that allows least is what a mixture of two limits can have.
    """
    most: dict[tuple[float, ...], float] = {}
    for machine, value in valued:
        parts = tuple(_part(machine, resource, limit) for resource, limit in place.limits.items())
        most[parts] = max(value, most.get(parts, 0.0))
    limits, values = list(zip(*most, strict=True)), list(most.values())
    means = (_least_mean(values, *pair) for pair in combinations(limits, 2))
    return round(min((*(_most_of(values, parts) for parts in limits), *means), default=inf), PRECISION)


def most_of_whole_nodes(valued: Iterable[tuple[float, float]], limit: int) -> float:
    """The most value of nodes with these amounts and values within one limit; infinite if there are so many that parts hardly matter."""
    best: dict[int, float] = {}
    for amount, value in valued:
        best[round(amount)] = max(value, best.get(round(amount), 0.0))
    unit, most = gcd(*best), [0.0]
    if limit >= unit * _COUNTED:
        return inf
    for room in range(unit, limit + 1, unit):
        most.append(max([most[-1], *(most[(room - amount) // unit] + value for amount, value in best.items() if amount <= room)]))
    return round(most[-1], PRECISION)


def _part(machine: Machine, resource: str, limit: int) -> float:
    """The part of a limit that one node takes; none if its amount is not known."""
    amount = counted_by_limits(machine, resource)
    return 0.0 if amount is None or not limit else amount / limit


def _most_of(values: Sequence[float], parts: Sequence[float]) -> float:
    return max((value / part if part else inf for value, part in zip(values, parts, strict=True) if value), default=0)


def _least_mean(values: Sequence[float], one: Sequence[float], other: Sequence[float]) -> float:
    """The smallest bound of all weighted means: it has one minimum, because each value is convex in the weight."""

    def bound(weight: float) -> float:
        return _most_of(values, [weight * first + (1 - weight) * second for first, second in zip(one, other, strict=True)])

    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        third = (high - low) / 3
        low, high = (low, high - third) if bound(low + third) <= bound(high - third) else (low + third, high)
    return bound((low + high) / 2)


def vcpu_ceiling(place: KarpenterPool, among: Bits) -> int | None:
    """The largest number of vCPUs that its nodes can have on the machine types `among`; `None` if it has no bound."""
    if not among:
        return 0
    index, nodes = place.cloud.index, _most_nodes(place)
    bounds = [place.limits["cpu"] // _UNIT] if "cpu" in place.limits else []
    if index.knows_amounts("cpu", among):
        most = most_within_limits(place, [(machine, cpu) for machine in index.taken(among) if (cpu := vcpus(machine)) is not None])
        bounds += [floor(most)] if most < inf else []
        bounds += [nodes * (index.most("cpu", among)[1] // _UNIT)] if nodes is not None else []
    return min(bounds, default=None)


def vcpu_floor(place: KarpenterPool) -> int:
    """The number of vCPUs that its nodes always have."""
    room, replicas = place.pool.headroom, node_floor(place).minimum
    if place.pool.replicas is None and room is not None and replicas:
        return -(-room.total("cpu") // _UNIT)
    known = [cpu for machine in place.machines if (cpu := vcpus(machine)) is not None] if replicas else []
    return replicas * min(known, default=0)


def vcpu_floor_of_one_capacity(place: KarpenterPool) -> int:
    """The number of vCPUs that its nodes always take of one quota: none is certain if they can be both spot and on-demand."""
    capacity = place.offered.get(CAPACITY)
    return vcpu_floor(place) if capacity is not None and not capacity.complement and len(capacity.members) == 1 else 0


def vcpus(machine: Machine) -> int | None:
    """The vCPUs of a machine type."""
    most = machine.offers.get("cpu", UNKNOWN_AMOUNT).most
    return None if most is None else most // _UNIT


def _most_nodes(place: KarpenterPool) -> int | None:
    if not place.affordable.possible:
        return 0
    bounds = [most for resource, limit in place.limits.items() if (most := _within(place, resource, limit)) is not None]
    if place.pool.replicas is not None and "nodes" not in place.limits:
        return None
    return min(bounds, default=None)


def _within(place: KarpenterPool, resource: str, limit: int) -> int | None:
    """The number of nodes of the smallest type within one limit."""
    if resource == "nodes":
        return limit // _UNIT
    unknown = _UNIT if resource == "cpu" else 0  # every machine has a vCPU
    smallest = place.cloud.index.fewest(resource, place.affordable.possible, unknown)
    if not smallest:
        return None
    return floor(limit / (smallest * (SEEN_MEMORY if resource == "memory" else 1)))
