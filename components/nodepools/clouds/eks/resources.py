"""What an EKS cluster and its node groups need: addresses of subnets, and vCPUs of quotas. Facts: docs/facts/capacity.md § 3, § 4.2.

AWS publishes bounds, not a formula, for the addresses of a node of Auto Mode and its pods.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from ipaddress import IPv4Network
from math import ceil
from typing import TYPE_CHECKING, Final, TypeAlias

from nodepools.clouds.amounts import NOTHING, Amount, Group, constant, exactly, largest, sizes
from nodepools.clouds.eks.pools import own_subnets
from nodepools.clouds.eks.self_managed import EC2_CLASS
from nodepools.clouds.item import Counter, Item, Subnets, SubnetStock, Use, What
from nodepools.clouds.karpenter_nodes import node_ceiling, vcpu_ceiling, vcpu_floor_of_one_capacity
from nodepools.data.eks_instance_types import Interfaces, ec2_interfaces, eks_instance_types
from nodepools.data.limits import ELASTIC_IPS, NAT_GATEWAYS, VPCS, Quota, VcpuQuota, vcpu_quotas
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs, default_zone_count, zone_place
from nodepools.model.listing import grouped
from nodepools.model.ref import is_output
from nodepools.model.values import dataclass
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import Machine
from nodepools.placement.node_pools import ClusterPools, KarpenterPool

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


_RAISE_QUOTA: Final = "Raise the quota in the AWS console (Service Quotas), or lower the largest sizes of the pools"
_LARGER_SUBNET: Final = "Use a larger subnet, or lower the largest sizes of the pools"
STANDARD: Final = "Standard"
"""The quota of most instance types."""


def quota_of(name: str, *, spot: bool) -> VcpuQuota | None:
    """The quota of an instance type; `None`: not known."""
    quotas = vcpu_quotas(name) if name in eks_instance_types().types or name in ec2_interfaces() else None
    return None if quotas is None else quotas.spot if spot else quotas.on_demand


def use_of(counter: Counter, groups: Sequence[Group]) -> Use:
    """What these nodes take of a quota."""
    figures = sizes(groups)
    return Use(counter=counter, checked_by="true_use", needs=figures.upgrade, sizes=figures, remedy=_RAISE_QUOTA)


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


def in_any_subnet(places: Iterable[KarpenterPool]) -> list[Group]:
    """Nodes of Karpenter, each with one address at least, in whichever subnets their classes select."""
    return [Group(NOTHING, Amount(0, node_ceiling(place).maximum), Amount(1, None)) for place in places]


def in_subnet(group: "NodeGroup") -> Group:
    """Each node takes an address, and at most those of all its interfaces, which can all have prefixes. One subnet alone has all nodes."""
    each = Amount(1, most_addresses(group.instance_types))
    only = len(set(group.subnets)) == 1
    return Group(exactly(group.least if only else 0), Amount(group.least if only else 0, group.most), each)


def subnet_item(subnet: str, stock: SubnetStock | None, groups: Sequence[Group]) -> Item:
    """The addresses of a subnet that node groups name."""
    figures = sizes(groups)
    has = "cannot be determined offline" if stock is None else f"are {stock.addresses.room}"
    message = f"The addresses of the subnet `{subnet}` {has}; nodes and their pods can take {figures.upgrade}"
    return Item(
        "node_subnet",
        subnet,
        "true_use",
        needs=figures.upgrade,
        room=None if stock is None else stock.addresses.room,
        sizes=figures,
        message=message,
        remedy=_LARGER_SUBNET,
    )


RESERVED: Final = 5
"""Addresses that AWS reserves in each subnet."""
_CONTROL_PLANE: Final = 16
"""Addresses that AWS advises for the control plane; a version update takes some of them."""
_INTERFACES: Final = 6
"""Free addresses that AWS requires in each subnet of the control plane to create a cluster. A version update takes up to 5."""
_LARGER: Final = "Use a larger range, or lower the `limits` of the NodePools"
_RAISE: Final = "Raise the quota in the AWS console (Service Quotas), or lower the `limits` of the NodePools"

QuotaOf: TypeAlias = Callable[[Machine], VcpuQuota | None]


@dataclass(frozen=True, slots=True)
class EksResources:
    """What an EKS cluster needs."""

    cluster: EksClusterArgs
    pools: ClusterPools
    subnets: Subnets
    groups: "tuple[NodeGroup, ...]" = ()
    """Managed node groups of the cluster, which others manage."""

    def items(self) -> Iterator[Item]:
        """The private subnet of each zone. Nothing checks it before nodes are launched."""
        network = self.cluster.network
        others = (place for place in self.pools.provisioned if place.cloud.class_label != EC2_CLASS)
        launched = [self._nodes(place) for place in others if not own_subnets(self.cluster, self._class_of(place))]
        if isinstance(network, EksNetworkArgs):
            for name, place in zones(network, self.cluster.region):
                cidr = network.ranges(place).private
                usable = max(IPv4Network(cidr).num_addresses - RESERVED, 0)
                room = Amount(max(usable - _CONTROL_PLANE, 0), usable)
                message = f"The subnet `{cidr}` has {usable:,} usable addresses for nodes, pods, load balancers and the control plane"
                yield _node_subnet(name, message, room, [*launched, *self._others(self._ids(cidr))])
        else:
            for subnet in dict.fromkeys(str(subnet) for subnet in network.private_subnet_ids if not is_output(subnet)):
                yield _existing_subnet(subnet, self.subnets.get(subnet.lower()), [*launched, *self._others({subnet})])
            for subnet in dict.fromkeys(str(subnet) for subnet in network.control_plane_subnet_ids if not is_output(subnet)):
                yield _control_plane_subnet(subnet, self.subnets.get(subnet.lower()))
        declared = self._declared_subnets()
        anywhere = in_any_subnet(place for place in self.pools.provisioned if place.cloud.class_label == EC2_CLASS)
        for subnet in dict.fromkeys(subnet for group in self.groups for subnet in group.subnets if subnet not in declared):
            yield subnet_item(subnet, self.subnets.get(subnet.lower()), [*self._others({subnet}), *anywhere])

    def _declared_subnets(self) -> set[str]:
        """The ids of the declared subnets that are known."""
        network = self.cluster.network
        if isinstance(network, EksNetworkArgs):
            return {known for _, place in zones(network, self.cluster.region) for known in self._ids(network.ranges(place).private)}
        return {str(subnet) for subnet in network.private_subnet_ids if not is_output(subnet)}

    def _ids(self, cidr: str) -> set[str]:
        """The subnets that exist with this range, among those of node groups."""
        named = {subnet for group in self.groups for subnet in group.subnets}
        return {subnet for subnet in named if (known := self.subnets.get(subnet.lower())) is not None and known.cidr == cidr}

    def _others(self, subnets: Collection[str]) -> list[Group]:
        """Nodes of node groups in a subnet."""
        return [in_subnet(group) for group in self.groups if any(subnet in group.subnets for subnet in subnets)]

    def uses(self) -> Iterator[Use]:
        """VCPUs by class, on-demand and spot instances apart; then what a new network takes."""
        yield from self._vcpus("vcpus", "on-demand", on_demand)
        yield from self._vcpus("spot_vcpus", "spot", on_spot)
        network = self.cluster.network
        if isinstance(network, EksNetworkArgs):
            names = [name for name, _ in zones(network, self.cluster.region)]
            gateways = {"per-zone": names, "single": names[:1], None: []}[network.nat]
            yield self._of_network("vpcs", "VPCs", 1, VPCS)
            if gateways:
                yield self._of_network("elastic_ips", "Elastic IPs", len(gateways), ELASTIC_IPS)
            for name in gateways:
                yield self._of_network("nat_gateways", f"NAT gateways of {name}", 1, NAT_GATEWAYS)

    def _vcpus(self, what: What, capacity: str, quota_of: QuotaOf) -> Iterator[Use]:
        launching = [place for place in self.pools.provisioned if CAPACITY not in place.offered or capacity in place.offered[CAPACITY]]
        launched = ((quota.name, group) for place in launching for quota, group in self._by_quota(place, quota_of))
        groups = grouped((*launched, *((counter.name, group) for counter, group in vcpus(self.groups, self.cluster.region) if counter.what == what)))
        unknown = unknown_vcpus(self.groups, spot=capacity == "spot")
        if unknown:
            groups.setdefault(STANDARD, [])
        for name, same in groups.items():
            used = sizes([*same, *unknown])
            yield Use(counter=self._counter(what, name), checked_by="true_use", needs=used.maximum, sizes=used, remedy=_RAISE)

    def _by_quota(self, place: KarpenterPool, quota_of: QuotaOf) -> Iterator[tuple[VcpuQuota, Group]]:
        """The vCPUs that a NodePool can have of each quota."""
        everything = place.affordable.possible
        for quota, among in place.cloud.index.grouped(quota_of, everything).items():
            if quota is None:
                continue
            if place.address in self.pools.overridden:
                yield quota, Group(NOTHING, Amount(), exactly(1))
            else:
                floor = vcpu_floor_of_one_capacity(place) if among == everything else 0
                amount = Amount(floor, vcpu_ceiling(place, among))
                yield quota, Group(amount, amount, exactly(1))

    def _nodes(self, place: KarpenterPool) -> Group:
        """Nodes of a NodePool in one zone: any part of them, also all."""
        most = None if place.address in self.pools.overridden else node_ceiling(place).maximum
        declared = self.cluster.node_classes.get(self._class_of(place))
        if self.cluster.ip_family == "IPv6":
            return Group(NOTHING, Amount(0, most), Amount(1, None))  # pods have no IPv4 addresses; those of interfaces are not documented
        prefixes = declared is None or declared.advanced_networking is None or declared.advanced_networking.ipv4_prefix_size == "Auto"
        return Group(NOTHING, Amount(0, most), node_addresses(place.machines, prefixes=prefixes))

    def _class_of(self, place: KarpenterPool) -> str:
        return place.pool.node_class if place.pool.node_class is not None else "default"

    def _of_network(self, what: What, name: str, number: int, quota: Quota) -> Use:
        needs = exactly(number)
        other = "an existing VPC" if what == "vpcs" else "one NAT gateway for each network"
        return Use(
            counter=self._counter(what, name),
            checked_by="planning",
            needs=needs,
            sizes=constant(needs),
            default=quota.default,
            remedy=f"Raise the quota in the AWS console (Service Quotas), or use {other}",
        )

    def _counter(self, what: What, name: str) -> Counter:
        account = self.cluster.account.id if self.cluster.account is not None else None
        return Counter(what, name, self.cluster.region, account)


def _existing_subnet(name: str, known: SubnetStock | None, launched: Sequence[Group]) -> Item:
    if known is None:
        return _node_subnet(name, f"The addresses of the subnet `{name}` cannot be determined offline", None, launched)
    message = f"The subnet `{known.cidr}` has {known.addresses.room} addresses for nodes and pods"
    return _node_subnet(name, message, known.addresses.room, launched)


def _control_plane_subnet(name: str, known: SubnetStock | None) -> Item:
    """A subnet that only the control plane uses. A cluster that exists has its addresses already."""
    room, needs = None if known is None else known.addresses.room, Amount(0, _INTERFACES)
    has = f"`{name}` cannot be determined offline" if known is None else f"`{known.cidr}` are {known.addresses.room}"
    message = f"The free addresses of the subnet {has}; the control plane needs {_INTERFACES} to be created, and up to 5 for each version update"
    return Item("control_plane_subnet", name, "true_use", needs=needs, room=room, sizes=constant(needs), message=message)


def _node_subnet(name: str, message: str, room: Amount | None, launched: Sequence[Group]) -> Item:
    figures = sizes(launched)
    message = f"{message}; {_bound(figures.maximum, room, launched)}"
    return Item("node_subnet", name, "true_use", needs=figures.maximum, room=room, sizes=figures, message=message, remedy=_LARGER)


def _bound(needs: Amount, room: Amount | None, launched: Sequence[Group]) -> str:
    """What nodes can take, or how many there is room for."""
    if needs.maximum is not None:
        return f"nodes in one zone can take {needs}"
    most = largest(group.each for group in launched).maximum
    if room is None:
        return "NodePools without `limits` have no upper bound"
    if most is None:
        return "the addresses of some instance types are unknown"
    return f"there is room for {room.minimum // most:,} nodes of {most:,} addresses, the most that a node can take"


def zones(network: EksNetworkArgs, region: str) -> list[tuple[str, int]]:
    """The zones of a new network, each with its number in the region; by number if none are declared."""
    if network.zones:
        return [(zone, place) for zone in network.zones if (place := zone_place(zone)) is not None]
    return [(f"zone {place + 1}", place) for place in range(default_zone_count(region))]


def on_demand(machine: Machine) -> VcpuQuota | None:
    """The quota of its on-demand instances."""
    return quota_of(machine.name, spot=False)


def on_spot(machine: Machine) -> VcpuQuota | None:
    """The quota of its spot instances."""
    return quota_of(machine.name, spot=True)
