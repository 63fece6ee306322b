"""What clusters that others manage need of quotas and subnets, and the room on their nodes. Facts: docs/facts/capacity.md § 3, § 4, § 5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.data.azure_quota_families import quota_family
from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.data.ec2_interfaces import ec2_interfaces
from nodepools.data.ec2_quotas import VcpuQuota, vcpu_quotas
from nodepools.data.eks_instance_types import eks_instance_types
from nodepools.data.regions import azure_name
from nodepools.needs.aks_nodes import REGIONAL, SPOT
from nodepools.needs.amounts import NOTHING, Amount, exactly
from nodepools.needs.counters import Counter, Use
from nodepools.needs.item import Item, What
from nodepools.needs.karpenter_nodes import node_ceiling, vcpu_ceiling, vcpu_floor
from nodepools.needs.platform_capacity import ClusterCapacity, shared_item
from nodepools.needs.room_on_nodes import RoomOnNode, rooms
from nodepools.needs.sizes import Group, sizes
from nodepools.needs.stock import NOTHING_OBSERVED, Observed, SubnetStock
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.exported_agent_pools import ExportedAgentPool
from nodepools.placement.machine_index import Machine
from nodepools.placement.node_groups import NodeGroup
from nodepools.placement.node_pools import KarpenterPool

_RAISE: Final = "Raise the quota, or lower the largest sizes of the pools"
_SPOT: Final = "SPOT"
_PREFIX: Final = 16
"""Addresses of a prefix, which takes the place of one address of an interface."""
Grouped = tuple[Counter, Group]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCapacity:
    """A cluster that others manage."""

    name: str
    region: str
    """Empty: not known."""
    groups: Sequence[NodeGroup] = ()
    agent_pools: Sequence[ExportedAgentPool] = ()
    pools: Pools

    def counted(self, observed: Observed = NOTHING_OBSERVED) -> ClusterCapacity:
        """What it needs next to what is available."""
        by_counter: dict[Counter, list[Group]] = {}
        for counter, group in (*self._of_groups(), *self._of_agent_pools(), *self._of_node_pools()):
            by_counter.setdefault(counter, []).append(group)
        uses = [_use(counter, groups) for counter, groups in by_counter.items()]
        return ClusterCapacity(self.name, (*self._subnets(observed.subnets), *(shared_item([use], observed) for use in uses)))

    @property
    def rooms(self) -> list[RoomOnNode]:
        """The room on the nodes of each pool."""
        return list(rooms(self.pools))

    def _of_groups(self) -> Iterator[Grouped]:
        """The vCPUs of node groups. A node of a group with several types can be of any of them."""
        for group in self.groups:
            is_spot = group.capacity_type == _SPOT
            quotas = {quota for name in group.instance_types if (quota := _quota(name, spot=is_spot)) is not None}
            known = group.known_types
            cpus = [found.cpu for found in known] if known is not None else []
            each = Amount(min(cpus), max(cpus)) if cpus else Amount(1, None)
            for quota in quotas:
                least = group.least if len(quotas) == 1 else 0
                yield self._vcpus(quota.name, spot=is_spot), Group(exactly(least), Amount(least, group.most), each)

    def _of_agent_pools(self) -> Iterator[Grouped]:
        for pool in self.agent_pools:
            size, family = azure_vm_sizes().get(pool.vm_size), quota_family(pool.vm_size)
            each = Amount(1, None) if size is None or size.cpu is None else exactly(size.cpu)
            for name in [SPOT] if pool.spot else [REGIONAL, *([family] if family is not None else [])]:
                counter = Counter("spot_vcpus" if name == SPOT else "vcpus", name, azure_name(self.region))
                yield counter, Group(exactly(pool.least), Amount(pool.least, pool.most), each)

    def _of_node_pools(self) -> Iterator[Grouped]:
        """The vCPUs of NodePools on EKS; those of Azure are counted where the cluster is declared."""
        for place in self.pools.provisioned if not self.agent_pools else ():
            for spot in (False, True):
                yield from self._launched(place, spot=spot)

    def _launched(self, place: KarpenterPool, *, spot: bool) -> Iterator[Grouped]:
        name = "spot" if spot else "on-demand"
        if CAPACITY in place.offered and name not in place.offered[CAPACITY]:
            return
        everything = place.affordable.possible
        for quota, among in place.cloud.index.grouped(_ON_SPOT if spot else _ON_DEMAND, everything).items():
            if quota is not None:
                amount = Amount(vcpu_floor(place) if among == everything else 0, vcpu_ceiling(place, among))
                yield self._vcpus(quota.name, spot=spot), Group(exactly(amount.at_least), amount, exactly(1))

    def _vcpus(self, name: str, *, spot: bool) -> Counter:
        what: What = "spot_vcpus" if spot else "vcpus"
        return Counter(what, name, self.region)

    def _subnets(self, known: Mapping[str, SubnetStock]) -> Iterator[Item]:
        """The subnets of node groups. Nodes of a group can all be in one of its subnets; Karpenter uses those that its node classes select."""
        for subnet in dict.fromkeys(subnet for group in self.groups for subnet in group.subnets):
            groups = [self._in_subnet(group) for group in self.groups if subnet in group.subnets]
            launched = [Group(NOTHING, Amount(0, node_ceiling(place).at_most), Amount(1, None)) for place in self.pools.provisioned]
            figures, stock = sizes([*groups, *launched]), known.get(subnet.lower())
            has = "cannot be determined offline" if stock is None else f"are {stock.addresses.room}"
            yield Item(
                what="node_subnet",
                name=subnet,
                checked_by="true_use",
                needs=figures.ceiling,
                room=None if stock is None else stock.addresses.room,
                sizes=figures,
                message=f"The addresses of the subnet `{subnet}` {has}; nodes and their pods can take {figures.ceiling}",
                remedy="Use a larger subnet, or lower the largest sizes of the pools",
            )

    def _in_subnet(self, group: NodeGroup) -> Group:
        """Each node takes an address, and at most those of all its interfaces, which can all have prefixes. One subnet alone has all nodes."""
        known = [ec2_interfaces().get(name) for name in group.instance_types]
        most = max((found.count + _PREFIX * found.count * (found.addresses - 1) for found in known if found is not None), default=0)
        each = Amount(1, most if known and None not in known else None)
        only = len(set(group.subnets)) == 1
        return Group(exactly(group.least if only else 0), Amount(group.least if only else 0, group.most), each)


def _use(counter: Counter, groups: Sequence[Group]) -> Use:
    figures = sizes(groups)
    return Use(counter=counter, checked_by="true_use", needs=figures.ceiling, sizes=figures, remedy=_RAISE)


def _quota(name: str, *, spot: bool) -> VcpuQuota | None:
    quotas = vcpu_quotas(name) if name in eks_instance_types().types or name in ec2_interfaces() else None
    return None if quotas is None else quotas.spot if spot else quotas.on_demand


def _quota_of(*, spot: bool) -> Callable[[Machine], VcpuQuota | None]:
    return lambda machine: _quota(machine.name, spot=spot)


_ON_SPOT: Final = _quota_of(spot=True)
_ON_DEMAND: Final = _quota_of(spot=False)
