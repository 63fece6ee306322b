"""What managed node groups of EKS need: vCPUs of quotas, and addresses of subnets.

Addresses of a node of Auto Mode and its pods: AWS publishes bounds, not a formula. Facts: docs/facts/capacity.md § 3.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, Final

from nodepools.clouds.amounts import NOTHING, Amount, Group, exactly, sizes
from nodepools.clouds.item import Counter, Item, SubnetStock, Use
from nodepools.data.eks_instance_types import Interfaces, ec2_interfaces, eks_instance_types
from nodepools.data.limits import VcpuQuota, vcpu_quotas
from nodepools.placement.machine_index import Machine

if TYPE_CHECKING:
    from nodepools.clouds.eks.node_groups import NodeGroup

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


_RAISE: Final = "Raise the quota, or lower the largest sizes of the pools"
_LARGER: Final = "Use a larger subnet, or lower the largest sizes of the pools"
STANDARD: Final = "Standard"
"""The quota of most instance types."""


def quota_of(name: str, *, spot: bool) -> VcpuQuota | None:
    """The quota of an instance type; `None`: not known."""
    quotas = vcpu_quotas(name) if name in eks_instance_types().types or name in ec2_interfaces() else None
    return None if quotas is None else quotas.spot if spot else quotas.on_demand


def use_of(counter: Counter, groups: Sequence[Group]) -> Use:
    """What these nodes take of a quota."""
    figures = sizes(groups)
    return Use(counter=counter, checked_by="true_use", needs=figures.maximum, sizes=figures, remedy=_RAISE)


def vcpus(groups: "Iterable[NodeGroup]", region: str) -> Iterator[tuple[Counter, Group]]:
    """The vCPUs of node groups whose types are known. A node of a group with several types can be of any of them."""
    for group in groups:
        quotas = {quota for name in group.instance_types if (quota := quota_of(name, spot=group.is_spot)) is not None}
        known = group.known_types
        cpus = [found.cpu for found in known] if known is not None else []
        each = Amount(min(cpus), max(cpus)) if cpus else Amount(1, None)
        for quota in quotas:
            least = group.least if len(quotas) == 1 and not _has_unknown_types(group) else 0
            counter = Counter("spot_vcpus" if group.is_spot else "vcpus", quota.name, region)
            yield counter, Group(exactly(least), Amount(least, group.most), each)


def unknown_vcpus(groups: "Iterable[NodeGroup]", *, spot: bool) -> list[Group]:
    """The nodes of groups that can have a type which is not known: they can count against any quota."""
    unknown = [group for group in groups if _has_unknown_types(group) and group.is_spot == spot]
    return [Group(NOTHING, Amount(0, group.most), Amount(0, None)) for group in unknown]


def _has_unknown_types(group: "NodeGroup") -> bool:
    return not group.instance_types or not all(name in eks_instance_types().types or name in ec2_interfaces() for name in group.instance_types)


def most_addresses(instance_types: Iterable[str]) -> int | None:
    """The most addresses that a node of one of these types takes: those of all its interfaces, with a prefix each. `None`: not known."""
    known = [ec2_interfaces().get(name) for name in instance_types]
    most = [found.count + PREFIX * found.count * (found.addresses - 1) for found in known if found is not None]
    return max(most) if most and len(most) == len(known) else None


def in_subnet(group: "NodeGroup") -> Group:
    """Each node takes an address, and at most those of all its interfaces, which can all have prefixes. One subnet alone has all nodes."""
    each = Amount(1, most_addresses(group.instance_types))
    only = len(set(group.subnets)) == 1
    return Group(exactly(group.least if only else 0), Amount(group.least if only else 0, group.most), each)


def subnet_item(subnet: str, stock: SubnetStock | None, groups: Sequence[Group]) -> Item:
    """The addresses of a subnet that node groups name."""
    figures = sizes(groups)
    has = "cannot be determined offline" if stock is None else f"are {stock.addresses.room}"
    return Item(
        what="node_subnet",
        name=subnet,
        checked_by="true_use",
        needs=figures.maximum,
        room=None if stock is None else stock.addresses.room,
        sizes=figures,
        message=f"The addresses of the subnet `{subnet}` {has}; nodes and their pods can take {figures.maximum}",
        remedy=_LARGER,
    )
