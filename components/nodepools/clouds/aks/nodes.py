"""How many nodes a pool and a cluster can have, and the vCPUs that they take of Azure's quotas. Facts: docs/facts/capacity.md § 1.7, § 1.8, § 4.1.

Nothing checks subnets and quotas before nodes of node auto provisioning are created.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import agent_nodes
from nodepools.clouds.aks.counted_nodes import CountedNodes
from nodepools.clouds.aks.existing_agent_nodes import ExistingAgentNodes
from nodepools.clouds.aks.limits import NODES_OF_A_CLUSTER, NODES_OF_A_POOL, NODES_WITH_KUBENET, PODS_WITH_OVERLAY, POOLS_OF_A_CLUSTER
from nodepools.clouds.aks.pod_addresses import PODS_FLAT, PODS_OVERLAY, is_flat
from nodepools.clouds.amounts import NOTHING, Amount, exactly, total
from nodepools.clouds.item import Counter, Item, Use, What
from nodepools.clouds.karpenter_nodes import node_ceiling, node_floor, vcpu_ceiling
from nodepools.clouds.sizes import Group, constant, sizes, with_every_surge
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.data.regions import azure_name
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_provisioning import AksNodeClass
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.node_pools import KarpenterPool


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
_RAISE: Final = "Raise the quota, or lower the sizes of the pools"


def node_counts(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    """The agent pools, the nodes of each with its surge, those of the cluster, and their pods with overlay networking."""
    declared, one = list(agent_nodes(cluster)), exactly(1)
    agents: list[CountedNodes] = [*declared, *others]
    yield _agent_pools(len(declared), len(others))
    yield from map(_nodes_of_pool, agents)
    most = NODES_WITH_KUBENET if cluster.network_profile.plugin == "kubenet" else NODES_OF_A_CLUSTER
    figures = sizes([*(nodes.group(one) for nodes in agents), *provisioned.each(one)])
    yield Item(
        what="nodes",
        name="cluster",
        checked_by="true_use",
        needs=figures.maximum,
        room=exactly(most),
        sizes=figures,
        message=f"A cluster{' with kubenet' if most == NODES_WITH_KUBENET else ''} can have {most:,} nodes; the pools can have {figures.maximum}",
        remedy="Lower the maximum sizes of the pools, or use another cluster",
    )
    if cluster.network_profile.plugin == "azure" and cluster.network_profile.plugin_mode == "overlay":
        yield from _pods(agents, provisioned)


def _agent_pools(declared: int, others: int) -> Item:
    needs = exactly(declared + others)
    more = f", {others:,} of others {'exists' if others == 1 else 'exist'}" if others else ""
    return Item(
        what="agent_pools",
        name="cluster",
        checked_by="server",
        needs=needs,
        room=exactly(POOLS_OF_A_CLUSTER),
        sizes=constant(needs),
        message=f"A cluster can have {POOLS_OF_A_CLUSTER:,} agent pools; {declared:,} {'is' if declared == 1 else 'are'} declared{more}",
        remedy="Use node auto provisioning, or another cluster",
    )


def _nodes_of_pool(nodes: CountedNodes) -> Item:
    figures = sizes([nodes.group(exactly(1))])
    return Item(
        what="nodes",
        name=nodes.label,
        checked_by="server",
        needs=figures.upgrade,
        room=exactly(NODES_OF_A_POOL),
        sizes=figures,
        message=f"An agent pool can have {NODES_OF_A_POOL:,} nodes including surge nodes; `{nodes.label}` can have {figures.upgrade}",
        remedy="Lower the maximum size or the surge of the pool, or split it",
    )


def _pods(agents: Sequence[CountedNodes], provisioned: Provisioned) -> Iterator[Item]:
    """The pods that fit on all nodes; workloads decide how many there are. Without an upper bound of nodes, their number says everything."""
    on_agents = [nodes.group(Amount(0, nodes.max_pods(PODS_OVERLAY))) for nodes in agents]
    figures = sizes([*on_agents, *provisioned.each(Amount(0, PODS_OVERLAY))])
    if figures.maximum.maximum is not None:
        yield Item(
            what="pods",
            name="cluster",
            checked_by="true_use",
            needs=figures.maximum,
            room=exactly(PODS_WITH_OVERLAY),
            sizes=figures,
            message=f"A cluster with overlay networking can have {PODS_WITH_OVERLAY:,} pods; its nodes have room for {figures.maximum}",
        )


def vcpu_uses(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Use]:
    """The vCPUs of each family, of all families together, and of spot nodes apart."""
    agents: list[CountedNodes] = [*(part for nodes in agent_nodes(cluster) for part in nodes.by_size), *others]
    on_demand = [nodes for nodes in agents if not nodes.is_spot]
    spot = [nodes for nodes in agents if nodes.is_spot]
    for family in dict.fromkeys(family for nodes in on_demand for family in sorted(known for known in nodes.families if known is not None)):
        of_family = [part for nodes in on_demand if (part := nodes.of_family(family)) is not None]
        yield from _uses(cluster, "vcpus", family, of_family, _launched(provisioned, family))
    yield from _uses(cluster, "vcpus", REGIONAL, on_demand, _launched(provisioned))
    launched = _launched(provisioned, spot=True)
    if spot or launched:
        yield from _uses(cluster, "spot_vcpus", SPOT, spot, launched)


def _uses(cluster: AksClusterArgs, what: What, name: str, agents: list[CountedNodes], launched: list[Amount]) -> Iterator[Use]:
    counter = Counter(what, name, azure_name(cluster.location), cluster.subscription_id)
    groups = [replace(nodes.group(nodes.vcpus), minimum=nodes.machines) for nodes in agents]
    figures = sizes(groups)
    created = total(nodes.created.times(nodes.vcpus) for nodes in agents)
    more = [Group(NOTHING, amount, exactly(1)) for amount in launched]
    used = sizes([*groups, *more])
    yield Use(counter=counter, checked_by="server", needs=created, sizes=figures, remedy=_RAISE)
    yield Use(counter=counter, checked_by="true_use", needs=used.upgrade, sizes=used, remedy=_RAISE)
    yield Use(counter=counter, checked_by="planning", needs=with_every_surge([*groups, *more]), sizes=used, remedy=_RAISE)


def _launched(provisioned: Provisioned, family: str | None = None, *, spot: bool = False) -> list[Amount]:
    """The vCPUs of a family, or of all, that each NodePool can launch. Without a requirement, it can launch both on-demand and spot nodes."""
    kind = "spot" if spot else "on-demand"
    launching = [place for place in provisioned.pools.provisioned if CAPACITY not in place.offered or kind in place.offered[CAPACITY]]
    found: list[Amount] = []
    for place in launching:
        everything = place.affordable.possible
        among = everything if family is None else place.cloud.index.grouped(lambda machine: quota_family(machine.name), everything).get(family, 0)
        found.append(Amount() if place.address in provisioned.pools.overridden else Amount(0, vcpu_ceiling(place, among)))
    return found
