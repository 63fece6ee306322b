"""How many pods fit the nodes that a NodePool launches within its limits.

Karpenter launches a node while the capacity of some machine type that fits the pod is within what remains of every limit. Which type the cloud
then provides is not certain, so the lower bounds hold for the least favorable one.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, gcd
from typing import NamedTuple

from nodepools.placement.allocatable import ACCELERATOR_RESOURCES, GPU_RESOURCES
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Machine
from nodepools.replicas.demand import PODS, Usage

NODES = "nodes"
"""The limit on the number of nodes."""
_SEEN_MEMORY = 0.9
"""The part of a machine's memory that is certain to count against a limit."""
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
        if not self.certain or not all(counted(machine, resource)[1] for machine in (*self.possible, *self._launched_for_others())):
            return min(first, len(self.certain))
        if not self.competing.pods:
            return min(wanted, self._alone(resource, limit))
        fixed, each = self._capacity(resource)
        free = limit - min(counted(machine, resource)[1] for machine in self.certain) - fixed
        if free < 0:
            return first
        return min(wanted, free // each + 1)

    def _alone(self, resource: str, limit: int) -> int:
        """The same without other pods: a node that is too full holds as many pods as fit it."""
        free = limit - min(counted(machine, resource)[1] for machine in self.certain)
        fewest: dict[int, int] = {}
        for machine in self.possible:
            count = counted(machine, resource)[1]
            fewest[count] = min(fewest.get(count, sys.maxsize), self.holds(machine))
        unit = gcd(*fewest)
        if free // unit >= _LARGEST_TABLE:
            return free // max(Fraction(count, holds) for count, holds in fewest.items()) + 1
        return _fewest_pods(max(free // unit + 1, 0), [(count // unit, holds) for count, holds in fewest.items()])

    def holds(self, machine: Machine) -> int:
        """The pods that a node of this type is certain to hold, if it is launched for one."""
        return max(min(self._least(machine, name) // amount for name, amount in self.need.items() if amount), 1)

    def holding(self, pods: int) -> Iterator[Machine]:
        """The types without devices that are certain to hold so many pods."""
        for machine in self.certain:
            fits = all(self._least(machine, name) >= amount * pods for name, amount in self.need.items())
            if fits and not any(_most(machine, device) for device in (*GPU_RESOURCES, *ACCELERATOR_RESOURCES)):
                yield machine

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
