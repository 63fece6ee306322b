"""How many pods fit the nodes that a NodePool launches within its limits.

Karpenter launches a node while the capacity of some machine type that fits the pod is within what remains of every limit. Which type the cloud
then provides is not certain, so the lower bounds hold for the least favorable one.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import floor, gcd
from typing import NamedTuple

from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Machine
from nodepools.replicas.demand import PODS, Usage

NODES = "nodes"
"""The limit on the number of nodes."""
_SEEN_MEMORY = 0.9
"""The part of a machine's memory that is certain to count against a limit."""
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
        best[key] = max(best.get(key, 0), min(cap, _holds(machine, need)))
    return [Size(low, high, holds) for (low, high), holds in best.items() if holds]


def counted(machine: Machine, resource: str) -> tuple[int, int]:
    """The bounds of what a node of this type counts against a limit; Karpenter counts the machine, not what is allocatable."""
    if resource == NODES:
        return 1000, 1000
    most = machine.offers.get(resource, UNKNOWN_AMOUNT).most
    if most is None:
        return (1000 if resource == "cpu" else 0), 0
    return (floor(most * _SEEN_MEMORY) if resource == "memory" else most), most


def _holds(machine: Machine, need: Mapping[str, int]) -> int:
    bounds = [most // amount for name, amount in need.items() if amount and (most := machine.offers.get(name, UNKNOWN_AMOUNT).most) is not None]
    return min(bounds, default=_LARGEST_TABLE**3)


def most_within(limit: int, found: Sequence[Size]) -> int | None:
    """The most pods that nodes within one limit can hold; `None` if the limit does not bound them."""
    within = [size for size in found if size.counted <= limit]
    if not within:
        return 0
    if any(not size.counted for size in within):
        return None
    unit = gcd(limit, *(size.counted for size in within))
    if limit // unit <= _LARGEST_TABLE:
        return _best_filling(limit // unit, [(size.counted // unit, size.holds_at_most) for size in within])
    return max(limit * size.holds_at_most // size.counted for size in within)


def _best_filling(limit: int, found: Sequence[tuple[int, int]]) -> int:
    best = [0] * (limit + 1)
    for room in range(1, limit + 1):
        best[room] = max((best[room - size] + holds for size, holds in found if size <= room), default=0)
    return best[limit]


def most_nodes_within(limit: int, found: Sequence[Size]) -> int | None:
    """The most nodes within one limit; `None` if the limit does not bound them."""
    smallest = min((size.counted for size in found), default=0)
    return (limit // smallest if smallest else None) if found else 0


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
        if not self.certain or not all(counted(machine, resource)[1] for machine in (*self.possible, *self._launched_for_others())):
            return min(first, len(self.certain))
        fixed, each = self._capacity(resource)
        free = limit - min(counted(machine, resource)[1] for machine in self.certain) - fixed
        if free < 0:
            return first
        return min(wanted, free // each + 1)

    def _launched_for_others(self) -> Sequence[Machine]:
        return self.foreign if self.competing.pods else ()

    def _capacity(self, resource: str) -> tuple[int, int]:
        """The capacity of nodes that are too full for one more pod: a fixed part for the other pods, and a part for each own pod before it."""
        large = [machine for machine in self.possible if self._is_large(machine)]
        small = max((counted(machine, resource)[1] for machine in self.possible if not self._is_large(machine)), default=0)
        foreign = max((counted(machine, resource)[1] for machine in self._launched_for_others()), default=0)
        fixed, each = self.competing.pods * max(small, foreign), small
        for name, amount in self.need.items():
            pairs = [(counted(machine, resource)[1], self._least(machine, name) - amount + 1) for machine in large]
            most, used = max(pairs, key=lambda pair: pair[0] / pair[1], default=(0, 1))
            fixed += -(-self.competing.amounts.get(name, 0) * most // used)
            each += -(-amount * most // used)
        largest = max((counted(machine, resource)[1] for machine in (*self.possible, *self._launched_for_others())), default=0)
        return min(fixed, self.competing.pods * largest), max(each, 1)

    def _is_large(self, machine: Machine) -> bool:
        """It holds at least two of the pods."""
        return all(self._least(machine, name) >= 2 * amount for name, amount in self.need.items())

    def _least(self, machine: Machine, name: str) -> int:
        offered = machine.offers.get(name)
        least = _SLOTS if name == PODS and offered is None else UNKNOWN_AMOUNT.least if offered is None else offered.least
        return least - self.daemons.get(name, 0)
