"""Addresses that a node of EKS Auto Mode takes for itself and its pods. AWS publishes bounds, not a formula. Facts: docs/facts/capacity.md § 3."""

from collections.abc import Iterable
from math import ceil
from typing import Final

from nodepools.clouds.amounts import Amount
from nodepools.data.ec2_interfaces import Interfaces, ec2_interfaces
from nodepools.placement.machine_index import Machine

PREFIX: Final = 16
"""Addresses of a /28, which a node takes at once; it takes the place of one address of an interface."""
_MOST_PODS: Final = 110
_UNCERTAIN: Final = 2
"""One real node is known; its formula for pods can be wrong by this number."""


def most_pods(interfaces: Interfaces, *, apart: bool = False) -> int:
    """Maximum number of pods of a node. With pods in subnets `apart`, the primary interface has none."""
    count = interfaces.count - 1 if apart else interfaces.count
    return min(_MOST_PODS, count * (interfaces.addresses - 1))


def prefix_addresses(interfaces: Interfaces, pods: int) -> Amount:
    """Addresses of a node with this many pods, if its addresses are prefixes: at most one prefix more is in reserve."""
    low = 1 + PREFIX * ceil(pods / PREFIX)
    high = interfaces.count + PREFIX * (ceil(min(most_pods(interfaces) + _UNCERTAIN, _MOST_PODS) / PREFIX) + 1)
    return Amount(low, max(low, high))


def single_addresses(interfaces: Interfaces, pods: int) -> Amount:
    """Addresses of a node with this many pods, if its addresses are single ones: at most one more is in reserve."""
    return Amount(1 + pods, interfaces.count + min(most_pods(interfaces) + _UNCERTAIN, _MOST_PODS) + 1)


def node_addresses(machines: Iterable[Machine], *, prefixes: bool = True) -> Amount:
    """Addresses of a node of any of these types with any number of pods. A type with unknown interfaces has no upper bound."""
    of_node = prefix_addresses if prefixes else single_addresses
    known = {ec2_interfaces().get(machine.name) for machine in machines}
    most = [of_node(interfaces, 0).maximum for interfaces in known if interfaces is not None]
    return Amount(1, max((count for count in most if count is not None), default=1) if None not in known else None)
