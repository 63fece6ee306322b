"""What clusters that others manage need of quotas and subnets, and the room on their nodes. Facts: docs/facts/capacity.md § 3, § 4, § 5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.data.azure_quota_families import quota_family
from nodepools.data.ec2_quotas import VcpuQuota
from nodepools.data.regions import azure_name
from nodepools.needs.aks_counted_nodes import vcpus_of_one
from nodepools.needs.aks_nodes import REGIONAL, SPOT
from nodepools.needs.amounts import NOTHING, Amount, exactly
from nodepools.needs.counters import Counter
from nodepools.needs.item import Item, What
from nodepools.needs.karpenter_nodes import node_ceiling, vcpu_ceiling, vcpu_floor
from nodepools.needs.node_group_needs import STANDARD, in_subnet, quota_of, subnet_item, unknown_vcpus, use_of, vcpus
from nodepools.needs.platform_capacity import ClusterCapacity, shared_item
from nodepools.needs.room_on_nodes import RoomOnNode, rooms
from nodepools.needs.selected_subnets import Classes, selected_subnets
from nodepools.needs.sizes import Group
from nodepools.needs.stock import NOTHING_OBSERVED, Observed, SubnetStock
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.exported_agent_pools import ExportedAgentPool
from nodepools.placement.machine_index import Machine
from nodepools.placement.node_groups import NodeGroup
from nodepools.placement.node_pools import KarpenterPool

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
    classes: Classes = field(default_factory=dict[str, tuple[str, Mapping[str, object]]])
    """The EC2NodeClasses of NodePools, by the names of these."""

    def counted(self, observed: Observed = NOTHING_OBSERVED) -> ClusterCapacity:
        """What it needs next to what is available."""
        by_counter: dict[Counter, list[Group]] = {}
        for counter, group in (*vcpus(self.groups, self.region), *self._of_agent_pools(), *self._of_node_pools()):
            by_counter.setdefault(counter, []).append(group)
        unknown = {counter.what: groups for counter, groups in self._unknown()}
        by_counter |= {counter: [] for counter, _ in self._unknown() if counter not in by_counter}
        uses = [use_of(counter, [*groups, *unknown.get(counter.what, ())]) for counter, groups in by_counter.items()]
        return ClusterCapacity(
            self.name, (*self._subnets(observed.subnets), *self._selected(observed), *(shared_item([use], observed) for use in uses))
        )

    @property
    def rooms(self) -> list[RoomOnNode]:
        """The room on the nodes of each pool."""
        return list(rooms(self.pools))

    def _unknown(self) -> Iterator[tuple[Counter, list[Group]]]:
        """Node groups without a known type, with a quota for those that have no other row."""
        for spot in (False, True):
            if groups := unknown_vcpus(self.groups, spot=spot):
                yield self._vcpus(STANDARD, spot=spot), groups

    def _of_agent_pools(self) -> Iterator[Grouped]:
        for pool in self.agent_pools:
            families = set(map(quota_family, pool.vm_sizes))
            for name in [SPOT] if pool.spot else [REGIONAL, *sorted(family for family in families if family is not None)]:
                counter = Counter("spot_vcpus" if name == SPOT else "vcpus", name, azure_name(self.region))
                least = pool.least if name not in families or len(families) == 1 else 0
                yield counter, Group(exactly(least), Amount(least, pool.most if pool.is_counted else None), vcpus_of_one(pool.vm_sizes))

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

    def _selected(self, observed: Observed) -> Iterator[Item]:
        return selected_subnets(self.pools.provisioned, self.classes, observed.subnets)

    def _subnets(self, known: Mapping[str, SubnetStock]) -> Iterator[Item]:
        """The subnets of node groups. Nodes of a group can all be in one of its subnets; Karpenter uses those that its node classes select."""
        for subnet in dict.fromkeys(subnet for group in self.groups for subnet in group.subnets):
            groups = [in_subnet(group) for group in self.groups if subnet in group.subnets]
            launched = [Group(NOTHING, Amount(0, node_ceiling(place).at_most), Amount(1, None)) for place in self.pools.provisioned]
            yield subnet_item(subnet, known.get(subnet.lower()), [*groups, *launched])


def _quota_of(*, spot: bool) -> Callable[[Machine], VcpuQuota | None]:
    return lambda machine: quota_of(machine.name, spot=spot)


_ON_SPOT: Final = _quota_of(spot=True)
_ON_DEMAND: Final = _quota_of(spot=False)
