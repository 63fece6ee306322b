"""In how many batches the nodes of a pool are replaced."""

from collections.abc import Callable, Iterable
from math import ceil
from typing import Final

from nodepools.clouds.amounts import Amount

_MOST: Final = 5000
"""Nodes of a cluster. Larger numbers are not tried one by one."""


def batches(nodes: Amount, sizes: Iterable[Callable[[int], int]], *, one_by_one: bool = False) -> Amount:
    """The number of batches for every number of nodes between the bounds, and every possible size of a batch.

    Args:
        nodes: how many nodes the pool can have.
        sizes: for each possible setting, the size of a batch by the number of nodes. A batch has at least one node.
        one_by_one: the cloud can also replace one node at a time, if it has no machines for larger batches.
    """
    most = nodes.maximum
    if most is None or most > _MOST:
        return Amount(1 if nodes.minimum else 0, most)
    counts = [ceil(number / max(size(number), 1)) for size in sizes for number in range(nodes.minimum, most + 1)]
    if not counts:
        return Amount(1 if nodes.minimum else 0, most)
    return Amount(min(counts), most if one_by_one else max(counts))
