"""Agent pools of others in a declared AKS cluster: which they are, and what their nodes need, as far as an export determines it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nodepools.clouds.aks.counted_nodes import vcpus_of_one
from nodepools.clouds.aks.pod_addresses import PODS_FLAT, flat_addresses, is_flat
from nodepools.clouds.aks.subnets import OUTPUT, OWN_PODS, identifier, node_subnets
from nodepools.clouds.aks.surge import surge_of
from nodepools.clouds.amounts import NOTHING, Amount, exactly
from nodepools.clouds.sizes import Group
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, ManagedAksNetwork
from nodepools.model.listing import joined
from nodepools.wire.aks.cluster_names import cluster_name
from nodepools.wire.aks.generation import is_of_others, subnet_name
from nodepools.wire.aks.network import NODES, network_name, pods_subnet_name

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing_agent_pools import ExportedAgentPool

_ANY_FAMILY: Final = frozenset[str | None]({None})


@dataclass(frozen=True, slots=True)
class ForeignNodes:
    """The nodes of an agent pool of others."""

    pool: "ExportedAgentPool"
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
    def has_static_pods(self) -> bool:
        """As exported."""
        return self.pool.pod_ip_allocation == "StaticBlock"

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

    def of_family(self, family: str) -> "ForeignNodes | None":
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

    def in_subnet(self, name: str) -> "ForeignNodes | None":
        """The nodes that a subnet can have; `None`: none. The id of a subnet that is an Output is not known."""
        return _there(self, self.node_subnet, name)

    def with_pods_in(self, name: str) -> "ForeignNodes | None":
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


def foreign_nodes(cluster: AksClusterArgs, stem: str, exported: "Iterable[ExportedAgentPool]") -> Iterator[ForeignNodes]:
    """The exported agent pools of a cluster of which it is certain that others manage them."""
    name = cluster_name(cluster, stem).lower()
    for pool in {pool.name: pool for pool in exported if pool.cluster.lower() == name}.values():
        if is_of_others(cluster, pool.name, pool.labels):
            of_pods = _declared_name(cluster, stem, pool.pod_subnet) if pool.pod_subnet and is_flat(cluster) else ""
            yield ForeignNodes(pool, _declared_name(cluster, stem, pool.node_subnet), of_pods)


def undetermined(pools: Iterable[ForeignNodes]) -> str:
    """What the export does not determine of these pools; empty: nothing."""
    names = [f"`{one.pool.name}`" for one in pools if not one.pool.is_counted]
    listed = f"agent pool{'s' * (len(names) > 1)} {joined(names)}"
    return f"{listed}: the export does not contain how many nodes can exist, so what they need is unknown" if names else ""


def _there(nodes: ForeignNodes, theirs: str, name: str) -> ForeignNodes | None:
    if theirs == name:
        return nodes
    return replace(nodes, is_elsewhere=True) if not theirs or name == OUTPUT else None


def _declared_name(cluster: AksClusterArgs, stem: str, exported: str) -> str:
    """The name of a subnet as `node_subnets` and `in_pod_subnets` have it."""
    network = cluster.network
    if not exported:
        return node_subnets(cluster)[0].name if isinstance(network, ManagedAksNetwork) else ""
    if isinstance(network, AksNetworkArgs):
        names = {NODES: NODES, **{subnet_name(key, cidr): key for key, cidr in network.pool_subnets.items()}}
        names |= {pods_subnet_name(network.pod_subnet_cidr): OWN_PODS} if network.pod_subnet_cidr is not None else {}
        parent = f"/virtualnetworks/{network_name(stem)}/subnets/".lower()
        found = {f"{parent}{name}".lower(): key for name, key in names.items()}
        return next((key for path, key in found.items() if exported.lower().endswith(path)), identifier(exported))
    return identifier(exported)
