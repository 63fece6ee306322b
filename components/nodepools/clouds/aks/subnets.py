"""Subnets of an AKS cluster, and the agent pools whose nodes or pods are in them. Facts: docs/facts/capacity.md § 1."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Network

from nodepools.clouds.aks.agent_pool_nodes import AgentNodes, agent_nodes
from nodepools.clouds.aks.pod_addresses import PODS_FLAT, RESERVED, flat_addresses, is_flat, max_pods
from nodepools.clouds.amounts import Amount, exactly
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.ref import Ref, is_output
from nodepools.model.steps import Steps

OWN_PODS = "network"
"""Stands for the pod subnet that is created with the cluster."""
OUTPUT = "output"
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
