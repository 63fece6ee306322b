"""The network of a cluster in Azure's API: a new virtual network with its subnets, or an existing subnet."""

import re
from typing import Final

from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.cidr import twin
from nodepools.model.name_limits import cut
from nodepools.model.values import dataclass
from nodepools.wire.aks.generation import subnet_name
from nodepools.wire.aks.network_profile import Ranges
from nodepools.wire.aks.sources import EGRESS, IN_PLACE, OURS, PATH, RANGE, REPLACED, SEPARATE, SUBNET_OF_POOLS, SUBNET_RANGE, UNDOCUMENTED
from nodepools.wire.rows import Note, Row, computed
from nodepools.wire.table import Table

NODES: Final = "nodes"
"""The name of the subnet for all nodes."""
_LONGEST_NAME: Final = 64


@dataclass(frozen=True, slots=True)
class NetworkContext:
    """Values of a virtual network's request that are not its fields."""

    name: str
    location: str


@dataclass(frozen=True, slots=True)
class Subnet:
    """One subnet of a virtual network."""

    name: str
    cidr: str
    gateway_id: object = None
    """Id of the NAT gateway, if one is created."""
    route_table_id: object = None


def subnets(network: AksNetworkArgs) -> dict[str, Subnet]:
    """The subnets in the order of registration: `nodes` for all nodes, those of pools by `subnet_name`, then the one for pods."""
    pods = {pods_subnet_name(network.pod_subnet_cidr): network.pod_subnet_cidr} if network.pod_subnet_cidr is not None else {}
    ranges = {NODES: network.node_range, **{subnet_name(key, cidr): cidr for key, cidr in network.pool_subnets.items()}, **pods}
    return {name: Subnet(name, cidr) for name, cidr in ranges.items()}


def pods_subnet_name(cidr: str) -> str:
    """The name of the subnet for all pods."""
    return subnet_name("pods", cidr)


def network_name(stem: str) -> str:
    """The name of the virtual network in Azure."""
    return cut(stem, _LONGEST_NAME)


def network_id(subnet_id: str) -> str:
    """The id of the virtual network that a subnet is in, as that of the subnet is written."""
    return re.split("/subnets/", subnet_id, maxsplit=1, flags=re.IGNORECASE)[0]


def _space(network: AksNetworkArgs, _: NetworkContext) -> object:
    return (network.cidr,) if network.cidr_v6 is None else (network.cidr, network.cidr_v6)


def _prefix(network: AksNetworkArgs, subnet: Subnet) -> object:
    return subnet.cidr if _prefixes(network, subnet) is None else None


def _prefixes(network: AksNetworkArgs, subnet: Subnet) -> object:
    """Both families for node subnets of a dual-stack network. A pod subnet is only in single-stack networks."""
    if network.cidr_v6 is None or subnet.cidr == network.pod_subnet_cidr:
        return None
    return [subnet.cidr, twin(subnet.cidr, network.cidr, network.cidr_v6)]


def _gateway(_: AksNetworkArgs, subnet: Subnet) -> object:
    return {"id": subnet.gateway_id} if subnet.gateway_id is not None else None


def _routes(_: AksNetworkArgs, subnet: Subnet) -> object:
    return {"id": subnet.route_table_id} if subnet.route_table_id is not None else None


_EXISTING: Final = "create such a network separately, and use it as an `ExistingAksNetwork`"
_SEPARATE_RESOURCES: Final = "separate resources: the provider removes those that are set in both places"
_HEADS: Final = ("id", "etag", "provisioningState", "azureApiVersion")

VIRTUAL_NETWORK: Final = Table(
    Note("derived", "virtualNetworkName", PATH, "derived from the name of the component", computed(lambda _, around: network_name(around.name))),
    Note("derived", "resourceGroupName", PATH, "the resource group of the cluster"),
    Note("derived", "location", REPLACED, "the region of the cluster", compute=computed(lambda _, around: around.location)),
    Note("derived", "tags", IN_PLACE, "the tags of the cluster"),
    Ranges("cidr", "cidr_v6", "", "addressSpace.addressPrefixes", _space, RANGE),
    Note("ours", "node_subnet_cidr", SUBNET_RANGE, "a subnet"),
    *(Note("ours", name, SUBNET_OF_POOLS, "subnets") for name in ("pool_subnets", "pod_subnet_cidr")),
    *(Note("ours", name, EGRESS, "sent with subnets") for name in ("nat", "route_table_id")),
    Note("ours", "kind", OURS),
    *(Note("unmodeled", name, UNDOCUMENTED, _SEPARATE_RESOURCES) for name in ("subnets", "virtualNetworkPeerings")),
    *(
        Note("unmodeled", name, UNDOCUMENTED, _EXISTING)
        for name in ("addressSpace.ipamPoolPrefixAllocations", "bgpCommunities", "ddosProtectionPlan")
    ),
    *(Note("unmodeled", name, UNDOCUMENTED, _EXISTING) for name in ("dhcpOptions", "enableDdosProtection", "enableVmProtection", "encryption")),
    *(
        Note("unmodeled", name, UNDOCUMENTED, _EXISTING)
        for name in ("extendedLocation", "flowTimeoutInMinutes", "ipAllocations", "privateEndpointVNetPolicies")
    ),
    *(Note("read_only", name) for name in (*_HEADS, "name", "type", "flowLogs", "resourceGuid")),
)
"""A new VirtualNetwork for a cluster."""
SUBNET: Final = Table(
    Note("derived", "subnetName", PATH, "`nodes`, or the key of the pool with a fingerprint of the range", computed(lambda _, subnet: subnet.name)),
    Note("derived", "name", PATH, "not sent: `subnetName` has the name"),
    Note("derived", "virtualNetworkName", PATH, "the network"),
    Note("derived", "resourceGroupName", PATH, "that of the network"),
    Note("derived", "natGateway", EGRESS, "the NAT gateway of the network", compute=_gateway),
    Note("derived", "routeTable", EGRESS, "the route table of the network", compute=_routes),
    Note("derived", "addressPrefix", SUBNET_RANGE, "the range of nodes, of a pool or of pods", compute=_prefix),
    Note("derived", "addressPrefixes", SUBNET_RANGE, "the same in networks of both families", compute=_prefixes),
    *(Note("unmodeled", name, UNDOCUMENTED, _EXISTING) for name in ("applicationGatewayIPConfigurations", "defaultOutboundAccess", "delegations")),
    *(Note("unmodeled", name, UNDOCUMENTED, _EXISTING) for name in ("ipAllocations", "ipamPoolPrefixAllocations", "networkSecurityGroup")),
    *(Note("unmodeled", name, UNDOCUMENTED, _EXISTING) for name in ("privateEndpointNetworkPolicies", "privateLinkServiceNetworkPolicies")),
    *(Note("unmodeled", name, UNDOCUMENTED, _EXISTING) for name in ("serviceEndpointPolicies", "serviceEndpoints", "sharingScope", "type")),
    *(Note("read_only", name) for name in (*_HEADS, "ipConfigurationProfiles", "ipConfigurations", "privateEndpoints", "purpose")),
    *(Note("read_only", name) for name in ("resourceNavigationLinks", "serviceAssociationLinks")),
)
"""A Subnet of a new VirtualNetwork."""
EXISTING: Final = Table(
    Row("subnet_id", "vnetSubnetID", SUBNET_OF_POOLS),
    Row("pod_subnet_id", "podSubnetID", SUBNET_OF_POOLS),
    Note("ours", "cidr", SEPARATE, "for checks, and for the default pod and service CIDRs"),
    Note("ours", "kind", OURS),
)
"""An existing network, which the first pool of a cluster refers to."""
MANAGED: Final = Table(Note("ours", "cidr", SEPARATE, "for checks, and for the default pod and service CIDRs"), Note("ours", "kind", OURS))
"""A network that AKS manages, which no request names."""
