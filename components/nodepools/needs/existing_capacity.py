"""What clusters that others manage need of quotas and subnets, and the room on their nodes. Facts: docs/facts/capacity.md § 3, § 4, § 5.

Each node takes an address, and at most those of all its interfaces, which can all have prefixes. Source: docs/facts/capacity.md § 3.
"""

from collections.abc import Iterator, Mapping, Sequence

from nodepools.clouds.aks.agent_pool_nodes import flat_addresses, vcpus_of_one
from nodepools.clouds.aks.existing_agent_pools import OWN_PODS, ExistingAgentPool, ExistingNetwork
from nodepools.clouds.aks.nodes import RAISE, REGIONAL, SPOT, ExistingAgentNodes, launched_vcpus
from nodepools.clouds.aks.pools import AKS_CLASS
from nodepools.clouds.aks.resources import existing_items
from nodepools.clouds.amounts import NOTHING, Amount, Group, exactly
from nodepools.clouds.eks.kubelet import PODS
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.eks.nodes_of_others import Classes, selected_subnets
from nodepools.clouds.eks.resources import STANDARD, in_any_subnet, in_subnet, on_demand, on_spot, subnet_item, unknown_vcpus, use_of, vcpus
from nodepools.clouds.item import NOTHING_EXISTING, Counter, ExistingStock, Item, SubnetStock, What
from nodepools.clouds.karpenter_nodes import node_ceiling, node_floor, vcpu_ceiling, vcpu_floor_of_one_capacity
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.model.listing import grouped
from nodepools.model.name_limits import azure_name
from nodepools.model.values import dataclass, field, replace
from nodepools.needs.platform_capacity import ClusterCapacity, shared_item, without_limits
from nodepools.placement.allocatable import spelled
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine
from nodepools.placement.node_pools import ClusterPools, KarpenterPool

_SHOWN_RESOURCES = ("cpu", "memory", PODS)


@dataclass(frozen=True, slots=True)
class RoomOnNode:
    """What a node of a pool has for pods, those of DaemonSets included. Bounds are in thousandths."""

    pool: str
    machine: str
    """The instance type or VM size; empty: one of several."""
    offers: Mapping[str, Bounds]

    def to_json(self) -> dict[str, object]:
        """As plain data; amounts as Kubernetes spells them, and `null` where they are not known."""
        room = {name: self.offers.get(name, UNKNOWN_AMOUNT) for name in _SHOWN_RESOURCES}
        amounts = {
            name: {"minimum": spelled(name, of.least), "maximum": None if of.most is None else spelled(name, of.most)} for name, of in room.items()
        }
        return {"pool": self.pool, "type": self.machine if self.machine else None, **amounts}

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {_room_text(name, self.offers.get(name, UNKNOWN_AMOUNT))}" for name in _SHOWN_RESOURCES)
        return f"{self.pool}{f' on {self.machine}' if self.machine else ''}: {parts}"


def rooms(pools: ClusterPools) -> Iterator[RoomOnNode]:
    """The room on a node of each pool; of a NodePool, on its smallest and its largest known type."""
    for pool in pools.static:
        offers = dict(pool.offers) if pool.offers is not None else {}
        if pool.max_pods is not None:
            offers[PODS] = Bounds(pool.max_pods * 1000, pool.max_pods * 1000)
        yield RoomOnNode(pool.address, pool.size, offers)
    for place in pools.provisioned:
        yield from (RoomOnNode(place.address, machine.name, machine.offers) for machine in _ends(place))


def _ends(place: KarpenterPool) -> list[Machine]:
    known = [machine for machine in place.cloud.index.taken(place.affordable.possible) if machine.name and _cpu(machine)]
    known.sort(key=lambda machine: (_cpu(machine), machine.offers.get("memory", UNKNOWN_AMOUNT).most or 0, machine.name))
    return known if len(known) < 2 else [known[0], known[-1]]  # noqa: PLR2004  # the smallest and the largest


def _cpu(machine: Machine) -> int:
    most = machine.offers.get("cpu", UNKNOWN_AMOUNT).most
    return 0 if most is None else most


def _room_text(name: str, bounds: Bounds) -> str:
    if bounds.most is None:
        return f"at least {spelled(name, bounds.least)}" if bounds.least else "unknown"
    most = spelled(name, bounds.most)
    return most if bounds.least == bounds.most else f"{spelled(name, bounds.least)} to {most}"


Grouped = tuple[Counter, Group]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingCapacity:
    """A cluster that others manage."""

    name: str
    region: str
    """Empty: not known."""
    groups: Sequence[NodeGroup] = ()
    agent_pools: Sequence[ExistingAgentPool] = ()
    pools: ClusterPools
    classes: Classes = field(default_factory=dict[str, tuple[str, Mapping[str, object]]])
    """The EC2NodeClasses of NodePools, by the names of these."""
    network: ExistingNetwork = field(default_factory=ExistingNetwork)
    """Of an AKS cluster."""

    def counted(self, existing: ExistingStock = NOTHING_EXISTING) -> ClusterCapacity:
        """What it needs next to what is available."""
        by_counter = grouped((*vcpus(self.groups, self.region), *self._of_agent_pools(), *self._of_node_pools()))
        unknown = {counter.what: groups for counter, groups in self._unknown()}
        by_counter |= {counter: [] for counter, _ in self._unknown() if counter not in by_counter}
        uses = [use_of(counter, [*groups, *unknown.get(counter.what, ())]) for counter, groups in by_counter.items()]
        uses = [replace(use, remedy=RAISE) for use in uses] if self.agent_pools else uses
        return ClusterCapacity(
            self.name,
            (*self._subnets(existing.subnets), *self._selected(existing), *(shared_item([use], existing) for use in uses)),
            *without_limits(self.pools),
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
                in_one = name not in families or len(families) == 1
                least = pool.least if in_one else 0
                most = Amount(least, pool.most if pool.is_counted else None)
                yield counter, Group(exactly(least), most, vcpus_of_one(pool.vm_sizes), ExistingAgentNodes(pool, "", is_elsewhere=not in_one).surge)

    def _of_node_pools(self) -> Iterator[Grouped]:
        """The vCPUs of NodePools: of those of Azure, the families that agent pools have, too."""
        automatic = replace(self.pools, provisioned=tuple(place for place in self.pools.provisioned if place.cloud.class_label == AKS_CLASS))
        families = {family for pool in self.agent_pools for family in map(quota_family, pool.vm_sizes) if family is not None and not pool.spot}
        for name in (REGIONAL, SPOT, *sorted(families)) if automatic.provisioned else ():
            counter = Counter("spot_vcpus" if name == SPOT else "vcpus", name, azure_name(self.region))
            for amount in launched_vcpus(automatic, name if name in families else None, spot=name == SPOT):
                yield counter, Group(NOTHING, amount, exactly(1))
        for place in self.pools.provisioned:
            for spot in (False, True):
                yield from self._launched(place, spot=spot)

    def _launched(self, place: KarpenterPool, *, spot: bool) -> Iterator[Grouped]:
        name = "spot" if spot else "on-demand"
        if CAPACITY in place.offered and name not in place.offered[CAPACITY]:
            return
        everything = place.affordable.possible
        for quota, among in place.cloud.index.grouped(on_spot if spot else on_demand, everything).items():
            if quota is not None:
                amount = Amount(vcpu_floor_of_one_capacity(place) if among == everything else 0, vcpu_ceiling(place, among))
                yield self._vcpus(quota.name, spot=spot), Group(exactly(amount.minimum), amount, exactly(1))

    def _vcpus(self, name: str, *, spot: bool) -> Counter:
        what: What = "spot_vcpus" if spot else "vcpus"
        return Counter(what, name, self.region)

    def _selected(self, existing: ExistingStock) -> Iterator[Item]:
        return selected_subnets(self.pools.provisioned, self.classes, existing.subnets)

    def _subnets(self, known: Mapping[str, SubnetStock]) -> Iterator[Item]:
        """The subnets of nodes, and what nodes of AKS share. Those of a group can all be in one subnet; Karpenter uses those of its node classes."""
        launched = in_any_subnet(self.pools.provisioned)
        for subnet in dict.fromkeys(subnet for group in self.groups for subnet in group.subnets):
            groups = [in_subnet(group) for group in self.groups if subnet in group.subnets]
            yield subnet_item(subnet, known.get(subnet.lower()), [*groups, *launched])
        for subnet in dict.fromkeys(pool.node_subnet for pool in self.agent_pools if pool.node_subnet):
            yield subnet_item(subnet, known.get(subnet.lower()), list(self._agents_in(subnet)))
        agents = [ExistingAgentNodes(pool, pool.node_subnet, pool.pod_subnet) for pool in self.agent_pools]
        places = [place for place in self.pools.provisioned if place.cloud.class_label == AKS_CLASS]
        launched = [Group(node_floor(place), node_ceiling(place), exactly(1)) for place in places]
        yield from existing_items(self.network, agents, launched, known)

    def _agents_in(self, subnet: str) -> Iterator[Group]:
        """The nodes of agent pools in a subnet, with what AKS counts for their pods there. Nodes of node auto provisioning can be in it, too."""
        for pool in self.agent_pools:
            if pool.node_subnet == subnet:
                own = self.network.mode in OWN_PODS or bool(pool.pod_subnet)
                each = exactly(1) if own else Amount(1, None if pool.max_pods is None else flat_addresses(pool.max_pods))
                yield Group(
                    exactly(pool.least), Amount(pool.least, pool.most if pool.is_counted else None), each, ExistingAgentNodes(pool, subnet).surge
                )
        yield from in_any_subnet(self.pools.provisioned)
