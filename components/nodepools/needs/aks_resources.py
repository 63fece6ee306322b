"""What an AKS cluster needs. Facts: docs/facts/capacity.md § 1, § 2, § 4.1."""

from collections.abc import Iterator

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.needs.aks_addresses import addresses
from nodepools.needs.aks_foreign_nodes import ForeignNodes
from nodepools.needs.aks_nodes import node_counts, vcpu_uses
from nodepools.needs.aks_outbound import outbound
from nodepools.needs.aks_provisioned import Provisioned
from nodepools.needs.counters import Use
from nodepools.needs.item import Item
from nodepools.needs.stock import Subnets
from nodepools.placement.cluster_pools import Pools


class AksResources:
    """Addresses, ports, nodes and vCPUs of an AKS cluster."""

    def __init__(self, cluster: AksClusterArgs, pools: Pools, subnets: Subnets, others: tuple[ForeignNodes, ...] = ()) -> None:
        self._cluster = cluster
        self._provisioned = Provisioned(cluster, pools)
        self._subnets = subnets
        self._others = others

    def items(self) -> Iterator[Item]:
        """What belongs to the cluster alone."""
        yield from addresses(self._cluster, self._provisioned, self._subnets, self._others)
        yield from outbound(self._cluster, self._provisioned, self._others)
        yield from node_counts(self._cluster, self._provisioned, self._others)

    def uses(self) -> Iterator[Use]:
        """What it takes of the quotas of its subscription."""
        yield from vcpu_uses(self._cluster, self._provisioned, self._others)
