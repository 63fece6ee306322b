"""How many nodes and vCPUs a NodePool can have: its limits bound them, and nothing else does.

Karpenter checks limits before it launches nodes. Nodes that it launches at the same time can exceed them a little.
"""

from math import floor

from nodepools.clouds.amounts import Amount, exactly
from nodepools.model.karpenter import Headroom
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bits, Machine
from nodepools.placement.node_pools import KarpenterPool

_UNIT = 1000
"""Limits and machines are counted in thousandths."""
_SEEN_MEMORY = 0.9
"""The part of a machine's memory that is certain to count against a limit."""


def node_floor(place: KarpenterPool) -> Amount:
    """Its smallest number of nodes: without pods, only a static NodePool keeps nodes, and one that has headroom."""
    if place.pool.replicas is None:
        return exactly(0 if place.pool.headroom is None else _headroom_nodes(place, place.pool.headroom))
    return exactly(place.pool.replicas)


def _headroom_nodes(place: KarpenterPool, room: Headroom) -> int:
    """At least so many nodes have the headroom, if they are the largest that the NodePool allows."""
    index, possible, most = place.cloud.index, place.affordable.possible, _most_nodes(place)
    each = {name: index.most(name, possible)[1] if index.knows_amounts(name, possible) else None for name in room.requests} if possible else {}
    needed = room.nodes(each) if possible else 0
    return needed if most is None else min(needed, most)


def node_ceiling(place: KarpenterPool) -> Amount:
    """Its number of nodes at the largest size."""
    return Amount(node_floor(place).minimum, _most_nodes(place))


def vcpu_ceiling(place: KarpenterPool, among: Bits) -> int | None:
    """The largest number of vCPUs that its nodes can have on the machine types `among`; `None` if it has no bound."""
    if not among:
        return 0
    index, nodes = place.cloud.index, _most_nodes(place)
    bounds = [place.limits["cpu"] // _UNIT] if "cpu" in place.limits else []
    bounds += [nodes * (index.most("cpu", among)[1] // _UNIT)] if nodes is not None and index.knows_amounts("cpu", among) else []
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
    return floor(limit / (smallest * (_SEEN_MEMORY if resource == "memory" else 1)))
