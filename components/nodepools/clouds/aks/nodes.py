"""How many nodes the pools of a cluster can have, declared or of others, and the vCPUs that they take of Azure's quotas.

Facts: docs/facts/capacity.md § 1.7, § 1.8, § 4.1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from nodepools.clouds.aks.agent_pool_nodes import (
    NODES_OF_A_CLUSTER,
    NODES_OF_A_POOL,
    NODES_WITH_KUBENET,
    OUTPUT,
    OWN_PODS,
    PODS_FLAT,
    PODS_OVERLAY,
    PODS_WITH_OVERLAY,
    POOLS_OF_A_CLUSTER,
    AgentNodes,
    agent_nodes,
    flat_addresses,
    identifier,
    is_flat,
    node_subnets,
    surge_of,
    vcpus_of_one,
)
from nodepools.clouds.amounts import NOTHING, Amount, Group, constant, exactly, sizes, total, with_every_surge
from nodepools.clouds.item import Counter, Item, Use, What
from nodepools.clouds.karpenter_nodes import node_ceiling, node_floor, vcpu_ceiling
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.aks.network import AksNetworkArgs, ManagedAksNetwork
from nodepools.model.listing import joined
from nodepools.model.name_limits import azure_name
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.wire.aks.cluster_context import cluster_name
from nodepools.wire.aks.generation import is_of_others, subnet_name
from nodepools.wire.aks.network import NODES, network_name, pods_subnet_name

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool


_ANY_FAMILY: Final = frozenset[str | None]({None})


@dataclass(frozen=True, slots=True)
class ExistingAgentNodes:
    """The nodes of an agent pool of others."""

    pool: "ExistingAgentPool"
    node_subnet: str
    """Its name as in `NodeSubnet`; empty: not known."""
    pod_subnet: str = ""
    """The same for its pods; empty: they have none."""
    is_elsewhere: bool = False
    """Possibly, none of its nodes is where they are counted."""

    @property
    def label(self) -> str:
        """A declared pool can have the name as its key."""
        return self.pool.shown_name

    @property
    def families(self) -> frozenset[str | None]:
        """The vCPU quotas of its VM sizes."""
        return frozenset(map(quota_family, self.pool.vm_sizes)) if self.pool.vm_sizes else _ANY_FAMILY

    @property
    def is_spot(self) -> bool:
        """As exported."""
        return self.pool.spot

    @property
    def created(self) -> Amount:
        """The nodes that it has now."""
        return Amount(0 if self.is_elsewhere else self.pool.count, self.pool.count) if self.pool.is_counted else Amount()

    @property
    def machines(self) -> Amount:
        """Stopped machines count against quotas, too."""
        return Amount(0 if self.is_elsewhere else self.pool.least, self._most) if self.pool.keeps_machines else self.group(NOTHING).minimum

    @property
    def vcpus(self) -> Amount:
        """By its sizes; at least one."""
        return vcpus_of_one(self.pool.vm_sizes)

    def of_family(self, family: str) -> "ExistingAgentNodes | None":
        """Possibly none of its nodes, if it has sizes of several families, or of unknown ones."""
        if not {family, None} & self.families:
            return None
        return self if len(self.families) == 1 and family in self.families else replace(self, is_elsewhere=True)

    def max_pods(self, default: int) -> int:
        """As exported."""
        return self.pool.max_pods if self.pool.max_pods is not None else default

    def group(self, each: Amount) -> Group:
        """An autoscaled pool has any number within its bounds."""
        least = exactly(self.pool.least) if self.pool.is_counted else Amount()
        most = Amount(self.pool.least, self._most) if self.pool.is_stopped or not self.pool.is_counted else exactly(self.pool.most)
        if self.is_elsewhere:
            least, most = Amount(0, least.maximum), Amount(0, most.maximum)
        return Group(least, most, each, self.surge)

    def in_subnet(self, name: str) -> "ExistingAgentNodes | None":
        """The nodes that a subnet can have; `None`: none. The id of a subnet that is an Output is not known."""
        return _there(self, self.node_subnet, name)

    def with_pods_in(self, name: str) -> "ExistingAgentNodes | None":
        """The nodes whose pods a subnet can have."""
        return _there(self, self.pod_subnet, name) if self.pod_subnet else None

    def addresses(self, cluster: AksClusterArgs) -> int:
        """Addresses of its node subnet that AKS counts for each node."""
        return flat_addresses(self.max_pods(PODS_FLAT)) if self.has_flat_pods(cluster) else 1

    def has_flat_pods(self, cluster: AksClusterArgs) -> bool:
        """Its pods have addresses of the subnet of its nodes."""
        return is_flat(cluster) and not self.pod_subnet

    @property
    def _most(self) -> int | None:
        return (self.pool.once_started if self.pool.is_stopped else self.pool.most) if self.pool.is_counted else None

    @property
    def surge(self) -> Amount:
        """The nodes that an upgrade adds."""
        if self._most is None:
            return Amount()
        declared, instead = self.pool.surge or None, self.pool.unavailable or None
        low, high = (surge_of(self._most, declared, instead, is_spot=self.pool.spot, minimum=one) for one in (True, False))
        return Amount(0 if self.is_elsewhere or self.pool.is_stopped else low, max(low, high))


CountedNodes: TypeAlias = AgentNodes | ExistingAgentNodes
"""The nodes of one agent pool: declared, or of others."""


def existing_agent_nodes(cluster: AksClusterArgs, stem: str, existing: "Sequence[ExistingAgentPool]") -> Iterator[ExistingAgentNodes]:
    """The exported agent pools of a cluster of which it is certain that others manage them."""
    if not existing:
        return
    from nodepools.clouds.aks.existing import aks_identity  # only what exists needs it

    name, own = cluster_name(cluster, stem).lower(), aks_identity(cluster, stem)
    known = (pool for pool in existing if (pool.cluster.lower() == name if pool.cluster_id is None else own.is_called(pool.cluster_id)))
    for pool in {pool.name: pool for pool in known}.values():
        if is_of_others(cluster, pool.name, pool.labels):
            of_pods = _declared_name(cluster, stem, pool.pod_subnet) if pool.pod_subnet and is_flat(cluster) else ""
            yield ExistingAgentNodes(pool, _declared_name(cluster, stem, pool.node_subnet), of_pods)


def undetermined(pools: Iterable[ExistingAgentNodes]) -> str:
    """What the export does not determine of these pools; empty: nothing."""
    names = [f"`{one.pool.name}`" for one in pools if not one.pool.is_counted]
    listed = f"agent pool{'s' * (len(names) > 1)} {joined(names)}"
    return f"{listed}: the export does not contain how many nodes can exist, so what they need is unknown" if names else ""


def _there(nodes: ExistingAgentNodes, theirs: str, name: str) -> ExistingAgentNodes | None:
    if theirs == name:
        return nodes
    return replace(nodes, is_elsewhere=True) if not theirs or name == OUTPUT else None


def _declared_name(cluster: AksClusterArgs, stem: str, existing: str) -> str:
    """The name of a subnet as `node_subnets` and `in_pod_subnets` have it."""
    network = cluster.network
    if not existing:
        return next((one.name for one in node_subnets(cluster)), "") if isinstance(network, ManagedAksNetwork) else ""
    if isinstance(network, AksNetworkArgs):
        names = {NODES: NODES, **{subnet_name(key, cidr): key for key, cidr in network.pool_subnets.items()}}
        names |= {pods_subnet_name(network.pod_subnet_cidr): OWN_PODS} if network.pod_subnet_cidr is not None else {}
        parent = f"/virtualnetworks/{network_name(stem)}/subnets/".lower()
        found = {f"{parent}{name}".lower(): key for name, key in names.items()}
        return next((key for path, key in found.items() if existing.lower().endswith(path)), identifier(existing))
    return identifier(existing)


@dataclass(frozen=True, slots=True)
class Provisioned:
    """The NodePools of one AKS cluster, including those that AKS creates."""

    cluster: AksClusterArgs
    pools: ClusterPools

    def in_cluster_subnet(self) -> list[Group]:
        """The nodes in the subnet of the cluster, with the addresses that each takes of it."""
        found: list[Group] = []
        for place in self.pools.provisioned:
            declared = self._class_of(place)
            if declared is None or declared.vnet_subnet_id is None:
                found += self._groups([place], each=exactly(self._addresses(declared)))
        return found

    def each(self, each: Amount) -> list[Group]:
        """All nodes, with the same need each."""
        return self._groups(self.pools.provisioned, each=each)

    def largest_addresses(self) -> int:
        """Addresses of the node subnet that a node can take at most."""
        return max((self._addresses(self._class_of(place)) for place in self.pools.provisioned), default=0)

    def _groups(self, places: Sequence[KarpenterPool], *, each: Amount) -> list[Group]:
        return [Group(*self._sizes(place), each) for place in places]

    def _sizes(self, place: KarpenterPool) -> tuple[Amount, Amount]:
        if place.address in self.pools.overridden:
            return Amount(), Amount()
        return node_floor(place), node_ceiling(place)

    def _class_of(self, place: KarpenterPool) -> AksNodeClass | None:
        return self.cluster.node_classes.get(place.pool.node_class) if place.pool.node_class is not None else None

    def _addresses(self, declared: AksNodeClass | None) -> int:
        """Machines are created with an address for each pod, except with overlay networking."""
        if not is_flat(self.cluster):
            return 1
        return declared.max_pods if declared is not None and declared.max_pods is not None else PODS_FLAT


REGIONAL: Final = "cores"
"""Azure's name of the counter of all families of a region together."""
SPOT: Final = "lowPriorityCores"
"""Azure's name of the counter of spot vCPUs, whatever their family."""
RAISE: Final = "Raise the quota in the Azure portal (Quotas), or lower the sizes of the pools"


def node_counts(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    """The agent pools, the nodes of each with its surge, those of the cluster, and their pods with overlay networking."""
    declared, profile = list(agent_nodes(cluster)), cluster.network_profile
    yield _agent_pools(len(declared), len(others))
    agents: dict[str, CountedNodes] = {nodes.label: nodes for nodes in (*declared, *others)}
    mode = "overlay" if profile.plugin == "azure" and profile.plugin_mode == "overlay" else profile.plugin
    yield from counted_nodes(agents, provisioned.each(exactly(1)), mode)


def counted_nodes(agents: Mapping[str, CountedNodes], launched: Sequence[Group], mode: str) -> Iterator[Item]:
    """The same but agent pools, which are by their names; `mode` is `overlay` or the network plugin, empty if it is not known."""
    yield from (_nodes_of_pool(name, nodes) for name, nodes in agents.items())
    least, most = (NODES_WITH_KUBENET if mode in few else NODES_OF_A_CLUSTER for few in (("kubenet", ""), ("kubenet",)))
    room = Amount(least, most)
    figures = sizes([*(nodes.group(exactly(1)) for nodes in agents.values()), *launched])
    message = f"A cluster{' with kubenet' if mode == 'kubenet' else ''} can have {room} nodes; the pools can have {figures.maximum}"
    remedy = "Lower the maximum sizes of the pools, or use another cluster"
    yield Item("nodes", "cluster", "true_use", needs=figures.maximum, room=room, sizes=figures, message=message, remedy=remedy)
    if mode == "overlay":
        yield from _pods(agents.values(), launched)


def _agent_pools(declared: int, others: int) -> Item:
    needs = exactly(declared + others)
    more = f", {others:,} of others {'exists' if others == 1 else 'exist'}" if others else ""
    message = f"A cluster can have {POOLS_OF_A_CLUSTER:,} agent pools; {declared:,} {'is' if declared == 1 else 'are'} declared{more}"
    remedy = "Use node auto provisioning, or another cluster"
    return Item(
        "agent_pools", "cluster", "server", needs=needs, room=exactly(POOLS_OF_A_CLUSTER), sizes=constant(needs), message=message, remedy=remedy
    )


def _nodes_of_pool(name: str, nodes: CountedNodes) -> Item:
    figures = sizes([nodes.group(exactly(1))])
    message = f"An agent pool can have {NODES_OF_A_POOL:,} nodes including surge nodes; `{name}` can have {figures.upgrade}"
    remedy = "Lower the maximum size or the surge of the pool, or split it"
    return Item("nodes", name, "server", needs=figures.upgrade, room=exactly(NODES_OF_A_POOL), sizes=figures, message=message, remedy=remedy)


def _pods(agents: Iterable[CountedNodes], launched: Iterable[Group]) -> Iterator[Item]:
    """The pods that fit on all nodes; workloads decide how many there are. Without an upper bound of nodes, their number says everything."""
    on_agents = [nodes.group(Amount(0, nodes.max_pods(PODS_OVERLAY))) for nodes in agents]
    figures = sizes([*on_agents, *(replace(group, each=Amount(0, PODS_OVERLAY)) for group in launched)])
    if figures.maximum.maximum is not None:
        message = f"A cluster with overlay networking can have {PODS_WITH_OVERLAY:,} pods; its nodes have room for {figures.maximum}"
        yield Item("pods", "cluster", "true_use", needs=figures.maximum, room=exactly(PODS_WITH_OVERLAY), sizes=figures, message=message)


def vcpu_uses(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Use]:
    """The vCPUs of each family, of all families together, and of spot nodes apart."""
    agents: list[CountedNodes] = [*(part for nodes in agent_nodes(cluster) for part in nodes.by_size), *others]
    on_demand = [nodes for nodes in agents if not nodes.is_spot]
    spot = [nodes for nodes in agents if nodes.is_spot]
    for family in dict.fromkeys(family for nodes in on_demand for family in sorted(known for known in nodes.families if known is not None)):
        of_family = [part for nodes in on_demand if (part := nodes.of_family(family)) is not None]
        yield from _uses(cluster, "vcpus", family, of_family, launched_vcpus(provisioned.pools, family))
    yield from _uses(cluster, "vcpus", REGIONAL, on_demand, launched_vcpus(provisioned.pools))
    launched = launched_vcpus(provisioned.pools, spot=True)
    if spot or launched:
        yield from _uses(cluster, "spot_vcpus", SPOT, spot, launched)


def _uses(cluster: AksClusterArgs, what: What, name: str, agents: list[CountedNodes], launched: list[Amount]) -> Iterator[Use]:
    counter = Counter(what, name, azure_name(cluster.location), cluster.subscription_id)
    groups = [replace(nodes.group(nodes.vcpus), minimum=nodes.machines) for nodes in agents]
    figures = sizes(groups)
    created = total(nodes.created.times(nodes.vcpus) for nodes in agents)
    more = [Group(NOTHING, amount, exactly(1)) for amount in launched]
    used = sizes([*groups, *more])
    yield Use(counter=counter, checked_by="server", needs=created, sizes=figures, remedy=RAISE)
    yield Use(counter=counter, checked_by="true_use", needs=used.upgrade, sizes=used, remedy=RAISE)
    yield Use(counter=counter, checked_by="planning", needs=with_every_surge([*groups, *more]), sizes=used, remedy=RAISE)


def launched_vcpus(pools: ClusterPools, family: str | None = None, *, spot: bool = False) -> list[Amount]:
    """The vCPUs of a family, or of all, that each NodePool can launch. Without a requirement, it can launch both on-demand and spot nodes."""
    kind = "spot" if spot else "on-demand"
    launching = [place for place in pools.provisioned if CAPACITY not in place.offered or kind in place.offered[CAPACITY]]
    found: list[Amount] = []
    for place in launching:
        everything = place.affordable.possible
        among = everything if family is None else place.cloud.index.grouped(lambda machine: quota_family(machine.name), everything).get(family, 0)
        found.append(Amount() if place.address in pools.overridden else Amount(0, vcpu_ceiling(place, among)))
    return found
