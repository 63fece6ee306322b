"""The nodes of agent pools, declared or of others: their number, their surge, their limits, their subnets and the addresses that they take.

Facts: docs/facts/capacity.md § 1, docs/facts/aks.md § 2.8.
"""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network
from math import ceil
from typing import Final

from nodepools.clouds.amounts import Amount, Group, exactly
from nodepools.data.azure_vm_sizes import azure_vm_sizes, quota_family
from nodepools.model.aks.agent_pool import AgentPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, LoadBalancer, ManagedAksNetwork
from nodepools.model.ref import Ref, is_output
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.allocatable import agent_pool_offers

NODES_OF_A_POOL: Final = 1000
"""Nodes of an agent pool including surge nodes: a scale set holds as many machines."""
NODES_OF_A_CLUSTER: Final = 5000
NODES_WITH_KUBENET: Final = 400
"""Nodes of a cluster with kubenet: each needs a route, and a route table holds this many."""
POOLS_OF_A_CLUSTER: Final = 100
"""Agent pools of a cluster."""
PODS_WITH_OVERLAY: Final = 200_000
"""Pods of a cluster with overlay networking."""


PORTS: Final = 64_000
"""Ports of one outbound address."""
_AUTOMATIC: Final = ((50, 1024), (100, 512), (200, 256), (400, 128), (800, 64), (1000, 32))
"""Ports of each node without a declared number, by the number of nodes up to which they apply."""


def automatic_step(nodes: int) -> tuple[int, int] | None:
    """Number of nodes up to which each gets the same ports, and these ports; `None` above the largest number."""
    return next(((most, ports) for most, ports in _AUTOMATIC if nodes <= most), None)


def outbound_addresses(balancer: LoadBalancer) -> int | None:
    """The number of outbound addresses; `None` with prefixes, whose size is unknown."""
    if balancer.outbound_ip_prefix_ids:
        return None
    managed = balancer.managed_outbound_ips if balancer.managed_outbound_ips is not None else 0
    return managed + len(balancer.outbound_ip_ids) or 1


_DEFAULT = "10%"
"""Default in the API reference; the manual documents one node."""
_ALL = 1000


def counted(nodes: str | None, total: int = _ALL) -> int:
    """The number of nodes for a count or a percentage; Azure rounds up."""
    if nodes is None:
        return 0
    number = int(nodes.rstrip("%"))
    return ceil(total * number / 100) if nodes.endswith("%") else number


def is_spot(pool: AgentPool) -> bool:
    """Azure can evict its nodes."""
    return getattr(pool, "spot", None) is not None


def surge(pool: AgentPool, *, minimum: bool) -> int:
    """Surge nodes of `pool` during an upgrade: the minimum or the maximum, where the sources are ambiguous.

    An upgrade adds at most one node for each node that it replaces: that is the minimum of any declared number. It adds none to a spot pool, but
    the checks of AKS before it count the surge of every pool, and no source says whether spot pools are among them.
    """
    declared = pool.upgrade.max_surge if pool.upgrade is not None else None
    instead = pool.upgrade.max_unavailable if pool.upgrade is not None else None
    return surge_of(pool.most_nodes, declared, instead, is_spot=is_spot(pool), minimum=minimum)


def surge_of(most: int, declared: str | None, instead: str | None, *, is_spot: bool, minimum: bool) -> int:
    """The same for a pool of `most` nodes. `declared` is its `max_surge`, and `instead` its `max_unavailable`."""
    if minimum and is_spot:
        return 0
    if declared is not None or counted(instead) > 0 or not most:
        number = counted(declared, total=most)
        return min(number, most) if minimum else number
    return 1 if minimum else counted(_DEFAULT, total=most)


BATCH: Final = 16
"""Addresses that a node reserves at once in a pod subnet: a /28, or a batch of dynamic allocation."""
POD_BLOCK: Final = 256
"""Addresses of the pod CIDR that each node takes with overlay networking, whatever its maximum number of pods."""
RESERVED: Final = 5
"""Addresses that Azure reserves in each subnet; in a pod CIDR it reserves none."""
_SPARE: Final = 8
"""A node asks for another batch when fewer of its addresses are free."""
_OF_THE_HOST: Final = 2
"""Pods of AKS on each node that use the address of the node."""
PODS_OVERLAY, PODS_IN_A_SUBNET, PODS_FLAT = 250, 110, 30
"""Default maximum of pods per node, by network mode."""


def is_flat(cluster: AksClusterArgs) -> bool:
    """Pods have addresses of the virtual network: of the nodes' subnet, or of pod subnets."""
    return cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode is None


def max_pods(pool: AgentPool, default: int) -> int:
    """The maximum number of pods per node."""
    return pool.max_pods if pool.max_pods is not None else default


def flat_addresses(pods: int) -> int:
    """Addresses of the node subnet that AKS counts for a node and its pods: those in the host's network need none."""
    return max(1 + pods - _OF_THE_HOST, 1)


def planned_flat_addresses(pods: int) -> int:
    """The manuals' figure for the same, which is larger."""
    return 1 + pods


def dynamic_addresses(pods: int) -> int:
    """Addresses of a pod subnet that a node takes while this many of its pods need one."""
    return BATCH * ceil((pods + _SPARE) / BATCH)


def static_blocks(pods: int) -> int:
    """Blocks of a pod subnet that a node takes with static allocation."""
    return ceil((pods + 1) / BATCH)


def vcpus_of(vm_size: str) -> Amount:
    """The vCPUs of a VM size."""
    size = azure_vm_sizes().get(vm_size)
    return Amount() if size is None or size.cpu is None else exactly(size.cpu)


def vcpus_of_one(vm_sizes: Sequence[str]) -> Amount:
    """The vCPUs of a node that has one of these sizes: at least one, where a size is not known."""
    known = [vcpus_of(size) for size in vm_sizes]
    most = [one.maximum for one in known if one.maximum is not None]
    return Amount(min(one.minimum for one in known), max(most)) if known and len(most) == len(known) else Amount(1, None)


_DECIDING = frozenset(
    {
        *("count", "min_count", "max_count", "enable_auto_scaling", "max_pods", "vm_size", "upgrade_settings"),
        *("power_state", "scale_set_priority", "spot_max_price", "virtual_machines_profile"),
    }
)
"""Overrides that decide how many nodes a pool has, what each needs or what it costs. Their values are not read."""
_UNKNOWN = Amount()


def deciding(pool: AgentPool) -> list[str]:
    """The overrides that decide the number of its nodes, their size or their price."""
    return sorted(_DECIDING & pool.overrides.keys())


def headroom_nodes(pool: AgentPool) -> int | None:
    """At least so many of its nodes have its headroom, 0 if one pod is too large for a node; `None` without headroom, or if it is not known."""
    room, size = pool.headroom if isinstance(pool, UserPool) else None, azure_vm_sizes().get(pool.vm_size)
    if room is None or size is None or len(pool.by_size) > 1:
        return None
    offers = agent_pool_offers(size.cpu, size.memory_gib, max_pods=max_pods(pool, 0), minor=None)
    return room.nodes({name: each.most for name, each in offers.items()})


def least_nodes(pool: AgentPool) -> int:
    """Its smallest number of nodes: what its range allows, or what its headroom needs."""
    needed = headroom_nodes(pool)
    return pool.fewest_nodes if needed is None or pool.scale is None else min(max(pool.fewest_nodes, needed), pool.most_nodes)


@dataclass(frozen=True, slots=True)
class AgentNodes:
    """One generation of an agent pool."""

    key: str
    pool: AgentPool
    is_first: bool = False
    """It is part of the cluster."""
    is_previous: bool = False
    is_elsewhere: bool = False
    """Its nodes can all take of another quota."""
    whole: AgentPool | None = None
    """The pool of several VM sizes that `pool` has one size of."""

    @property
    def by_size(self) -> "Sequence[AgentNodes]":
        """Its nodes of each VM size."""
        return [self if one is self.pool else replace(self, pool=one, whole=self.pool) for one in self.pool.by_size]

    @property
    def label(self) -> str:
        """The name of the pool for people."""
        return f"{self.key} (previous)" if self.is_previous else self.key

    @property
    def families(self) -> frozenset[str | None]:
        """The vCPU quota of its VM size."""
        return frozenset({quota_family(self.pool.vm_size)})

    @property
    def is_spot(self) -> bool:
        """As declared."""
        return getattr(self.pool, "spot", None) is not None

    @property
    def vcpus(self) -> Amount:
        """VCPUs of each node."""
        return vcpus_of(self.pool.vm_size) if self.is_certain else _UNKNOWN

    def of_family(self, family: str) -> "AgentNodes | None":
        """All its nodes, or none; possibly none of a size whose family is unknown."""
        if None in self.families:
            return replace(self, is_elsewhere=True)
        return self if family in self.families else None

    def max_pods(self, default: int) -> int:
        """The maximum number of pods per node."""
        return max_pods(self.pool, default)

    @property
    def rotates(self) -> bool:
        """A change of an immutable field creates it under a new name, next to the old one."""
        return not (self.is_first or self.is_previous) and self.pool.name is None and self.pool.retiring is None

    @property
    def is_certain(self) -> bool:
        """No override decides its size."""
        return not deciding(self.pool)

    @property
    def created(self) -> Amount:
        """Nodes that the request asks for, whatever the autoscaler does later."""
        return self._running(sum(one.first_count for one in self.pool.by_size))

    @property
    def minimum(self) -> Amount:
        """Its smallest number of nodes. A stopped pool has none."""
        return self._running(least_nodes(self.pool) if self._runs else 0)

    @property
    def maximum(self) -> Amount:
        """Its largest number of nodes without surge."""
        return self._running(self.pool.most_nodes)

    @property
    def surge(self) -> Amount:
        """Nodes that an upgrade adds: at most one for each node, and two defaults are documented. Of which size they are is not known."""
        pool = self.whole if self.whole is not None else self.pool
        low, high = surge(pool, minimum=True) if self.whole is None else 0, surge(pool, minimum=False)
        return Amount(low if self._is_there else 0, max(low, high)) if self.is_certain else _UNKNOWN

    @property
    def machines(self) -> Amount:
        """Its smallest number of machines that count against quotas: stopped ones, which wait for the next scale-out, also do."""
        spot = getattr(self.pool, "spot", None)
        kept = self.pool.scale_down_mode == "Deallocate" or (spot is not None and spot.eviction == "Deallocate")
        return Amount(self.minimum.minimum, self.maximum.maximum) if kept else self.minimum

    def group(self, each: Amount) -> Group:
        """Its nodes, with what each of them needs."""
        return Group(self.minimum, self.maximum, each, self.surge, self.rotates)

    @property
    def _runs(self) -> bool:
        return self.pool.power_state != "Stopped"

    def _running(self, nodes: int) -> Amount:
        if not self.is_certain:
            return _UNKNOWN
        return exactly(nodes) if self._is_there else Amount(0, nodes)

    @property
    def _is_there(self) -> bool:
        return self._runs and not self.is_elsewhere


def agent_nodes(cluster: AksClusterArgs) -> Iterator[AgentNodes]:
    """Every agent pool with its previous generation, which exists at the same time."""
    for key, pool in cluster.all_pools():
        yield AgentNodes(key, pool, is_first=pool is cluster.system_pool)
        if pool.retiring is not None:
            yield AgentNodes(key, pool.retiring, is_previous=True)


OWN_PODS = "network"
"""Stands for the pod subnet that is created with the cluster."""
OUTPUT = "subnets known after `pulumi up`"
"""Stands for all subnets whose ids are Outputs."""


@dataclass(frozen=True, slots=True)
class NodeSubnet:
    """A subnet with nodes of agent pools."""

    name: str
    """`nodes` for the subnet of all nodes, the key of a pool for its own, the id of an existing subnet, or `managed` for that of AKS."""
    at: Steps
    """Its field in the declaration."""
    cidr: str | None = None
    """`None`: an existing subnet, whose range is not declared."""
    pods_too: bool = False
    """Pods also have addresses of this subnet."""
    nodes: list[AgentNodes] = field(default_factory=list[AgentNodes])
    inside: str | None = None
    """The range of the network of an existing subnet."""

    @property
    def usable(self) -> int | None:
        """Addresses that nodes and pods can have."""
        return None if self.cidr is None else _addresses(self.cidr)

    @property
    def room(self) -> Amount | None:
        """The same as an amount: of a subnet whose range is not known, at most what its network has; `None` if neither is known."""
        if self.usable is not None:
            return exactly(self.usable)
        return None if self.inside is None else Amount(0, _addresses(self.inside))

    def each(self, pool: AgentPool) -> int:
        """Addresses that AKS counts for each node of a pool."""
        return flat_addresses(max_pods(pool, PODS_FLAT)) if self.pods_too and pool.pod_subnet_id is None else 1


def _addresses(cidr: str) -> int:
    """Addresses of a subnet that nodes and pods can have."""
    return max(IPv4Network(cidr).num_addresses - RESERVED, 0)


def node_subnets(cluster: AksClusterArgs) -> list[NodeSubnet]:
    """The subnets of nodes, each with its pools."""
    found: dict[str, NodeSubnet] = {}
    pods_too = is_flat(cluster) and own_pod_subnet(cluster) is None
    inside = cluster.network.cidr if isinstance(cluster.network, ExistingAksNetwork) else None
    for nodes in agent_nodes(cluster):
        name, at, cidr = _node_subnet(cluster, nodes)
        found.setdefault(name, NodeSubnet(name, at, cidr, pods_too, inside=inside)).nodes.append(nodes)
    return list(found.values())


def own_pod_subnet(cluster: AksClusterArgs) -> str | None:
    """An identifier of the pod subnet of pools that do not name one."""
    network = cluster.network
    if isinstance(network, AksNetworkArgs):
        return OWN_PODS if network.pod_subnet_cidr is not None else None
    return identifier(network.pod_subnet_id) if network.pod_subnet_id is not None else None


def in_pod_subnets(cluster: AksClusterArgs) -> Iterator[tuple[AgentNodes, str]]:
    """The nodes whose pods have a subnet, each with an identifier of that subnet."""
    if is_flat(cluster):
        shared = own_pod_subnet(cluster)
        for nodes in agent_nodes(cluster):
            subnet = identifier(nodes.pool.pod_subnet_id) if nodes.pool.pod_subnet_id is not None else shared
            if subnet is not None:
                yield nodes, subnet


def _node_subnet(cluster: AksClusterArgs, nodes: AgentNodes) -> tuple[str, Steps, str | None]:
    network, key = cluster.network, nodes.key
    if nodes.pool.vnet_subnet_id is not None:
        parent = ("system_pool",) if nodes.is_first else ("pools", key)
        return identifier(nodes.pool.vnet_subnet_id), (*parent, "vnet_subnet_id"), None
    if isinstance(network, ManagedAksNetwork):
        return "managed", ("network",), None
    if not isinstance(network, AksNetworkArgs):
        return identifier(network.subnet_id), ("network", "subnet_id"), None
    if key in network.pool_subnets:
        return key, ("network", "pool_subnets", key), network.pool_subnets[key]
    return "nodes", ("network", "node_subnet_cidr"), network.node_range


def identifier(ref: Ref) -> str:
    """An id, ignoring case as Azure does. All Outputs count as the same subnet, because their values are unknown here."""
    return OUTPUT if is_output(ref) else str(ref).lower()
