"""Roles of the identity that is created for an AKS cluster, and what they do not cover."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.access import ApiServer
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.pools import UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import Fix, remove, set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_PAGES: Final = "https://learn.microsoft.com/azure/aks"
_PERMISSIONS: Final = f"{_PAGES}/aks-service-permissions"
_WHOLE: Final = set_to("network_rights", "network")
_EXISTING: Final = ExistingAksNetwork(subnet_id="/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes")
_GROUP: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/web"


def _has_subnet_rights(cluster: AksClusterArgs) -> bool:
    """The identity that is created has the role on subnets only."""
    return cluster.network_rights == "subnets" and cluster.identity is None and not isinstance(cluster.network, ManagedAksNetwork)


@rule(
    "AKS264",
    Severity.ERROR,
    source=f"{_PERMISSIONS}: IP-based backend pools need virtualNetworks/joinLoadBalancer/action on the virtual network",
    sample=lambda: aks(network_rights="subnets", network_profile={"load_balancer": {"backend_pool_type": "NodeIP"}}),
)
def node_ip_backends_with_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A load balancer with IP-based backend pools joins the virtual network, for which a role on subnets is not enough."""
    balancer = cluster.network_profile.load_balancer
    if balancer is not None and balancer.backend_pool_type == "NodeIP" and _has_subnet_rights(cluster):
        message = f"Backend pools by IP address need a role on the virtual network, and {ref('network_rights')} has it on subnets only: Services fail"
        yield finding(cluster, message, path="network_rights", fix=_WHOLE)


@rule(
    "AKS265",
    Severity.WARNING,
    source=f"{_PAGES}/private-clusters: Network Contributor on the virtual network, to which the private DNS zone is linked",
    sample=lambda: aks(network_rights="subnets", api_server=ApiServer(private=True)),
)
def private_dns_zone_with_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS links the private DNS zone of a private API server to the virtual network, and documents a role on the whole network for that."""
    if cluster.api_server.private and cluster.private_dns_zone != "none" and _has_subnet_rights(cluster):
        message = f"AKS links the private DNS zone to the virtual network, and {ref('network_rights')} gives roles on subnets only: creation can fail"
        fix = Fix(f"{_WHOLE.text}, or set {ref('private_dns_zone')} to `none`", (_WHOLE,))
        yield finding(cluster, message, path="network_rights", fix=fix)


@rule(
    "AKS266",
    Severity.NOTE,
    source=f"{_PAGES}/internal-lb: Private Link Services; {_PERMISSIONS}: network security groups and route tables of other resource groups",
    sample=lambda: aks(network=_EXISTING, network_rights="subnets"),
)
def uses_beyond_subnet_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Some uses need a role on the virtual network, or on resources that subnets refer to."""
    if isinstance(cluster.network, ExistingAksNetwork) and _has_subnet_rights(cluster):
        message = "Roles on subnets do not cover Private Link Services, nor route tables and network security groups of other resource groups"
        yield finding(cluster, message, path="network_rights")


@rule(
    "AKS267",
    Severity.WARNING,
    source="nodepools: roles are assigned to the identity that is created for the cluster, in a network that AKS does not manage",
    sample=lambda: aks(
        network_rights="subnets", identity="/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i"
    ),
)
def network_rights_without_effect(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The scope of the role concerns only the identity that is created for the cluster, and networks that AKS does not manage."""
    if cluster.network_rights == "subnets" and not _has_subnet_rights(cluster):
        why = "an existing identity gets no roles" if cluster.identity is not None else "AKS assigns the roles on its own network"
        message = f"{ref('network_rights')} has no effect: {why}"
        yield finding(cluster, message, path="network_rights", fix=remove("network_rights"))


@rule(
    "AKS268",
    Severity.NOTE,
    source=f"{_PAGES}/use-capacity-reservation-groups: Contributor on the resource group of the group; up to 60 minutes to take effect",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, capacity_reservation_group_id=_GROUP)}),
)
def slow_capacity_reservation_rights(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The role on the resource group of a capacity reservation group takes up to an hour to take effect."""
    named = [key for key, pool in cluster.all_pools() if pool.capacity_reservation_group_id is not None]
    if named and cluster.identity is None:
        at = ("system_pool",) if named[0] == "system" else ("pools", named[0])
        message = "The new role on the resource group of the capacity reservation can take 60 minutes to take effect: the first `pulumi up` can fail"
        yield finding(cluster, message, path=(*at, "capacity_reservation_group_id"))
