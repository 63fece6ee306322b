"""The network that is made for a cluster, as pulumi-aws has its resources. Facts: docs/facts/eks.md C37, § 12, § 14.

Most arguments are ids of each other, which the component sends. Nothing is read back: networks of other programs are not checked.
"""

from collections.abc import Mapping
from typing import Final

from nodepools.model.eks.network import EksNetworkArgs
from nodepools.wire.effects import Change, Effect
from nodepools.wire.rows import Row
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def _on(_: EksNetworkArgs, __: object) -> object:
    return True


_FACTS: Final = "docs/facts/eks.md § 14"
_UPDATED: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the resource")
_TAGS: Final = Change(Effect.ROLLS_SOME, f"{_FACTS}: in place; NodeClasses select subnets by tags, and nodes in others drift")
_ZONES: Final = Change(Effect.ROLLS_SOME, f"{_FACTS}: subnets of a zone come and go with it, and those of the others stay; nodes in them drift")
_NAT: Final = Change(Effect.IN_PLACE, f"{_FACTS}: routes lead elsewhere; open connections break")
_UNTOLD: Final = Change(Effect.UNKNOWN, "no source says")
_OURS: Final = Change(Effect.NONE, "no argument has it")
_PLAIN: Final = "of networks that are more than one VPC with public and private subnets: bring one that exists"
_IPV6: Final = "of IPv6, which the networks that are made do not have"


def _others(why: str, *names: str) -> tuple[Note, ...]:
    return tuple(Note("left", name, _UNTOLD, why) for name in names)


def _of_network(**derived: str) -> tuple[Note, ...]:
    """Arguments that are the same for each resource, and those that follow from other resources."""
    named = {"region": "the region of the network", **derived}
    return tuple(Note("derived", name, _REPLACED, why) for name, why in named.items())


_TAGGED: Final = Note("derived", "tags", _UPDATED, "the tags of the network, and the name")

VPC: Final = Table(
    Row("cidr", "cidrBlock", _REPLACED),
    Note("derived", "enableDnsHostnames", _UPDATED, "the private endpoint of the API server is found by both", says=_on),
    Note("derived", "enableDnsSupport", _UPDATED, "the private endpoint of the API server is found by both", says=_on),
    *_of_network(),
    _TAGGED,
    Note("ours", "kind", _OURS),
    Note("ours", "zones", _ZONES),
    Note("ours", "nat", _NAT),
    *_others(_PLAIN, "instanceTenancy", "ipv4IpamPoolId", "ipv4NetmaskLength", "enableNetworkAddressUsageMetrics"),
    *_others(_IPV6, "assignGeneratedIpv6CidrBlock", "ipv6CidrBlock", "ipv6CidrBlockNetworkBorderGroup", "ipv6IpamPoolId", "ipv6NetmaskLength"),
)
"""The inputs of a Vpc."""
_GATEWAYS: Final = ("carrierGatewayId", "localGatewayId", "transitGatewayId", "networkInterfaceId", "vpcEndpointId", "vpcPeeringConnectionId")
INSIDE: Final[Mapping[str, Table]] = {
    "Subnet": Table(
        Note("derived", "cidrBlock", _REPLACED, "a part of `cidr` that follows from the zone"),
        Note("derived", "availabilityZone", _REPLACED, "a zone by name: one of `zones`, or of those that the region has"),
        Note("derived", "availabilityZoneId", _REPLACED, "a zone by id: one of `zones`"),
        *_of_network(vpcId="the VPC"),
        Note("derived", "tags", _TAGS, "the tags of the network, the name, and what load balancers and NodeClasses select subnets by"),
        *_others(_PLAIN, "customerOwnedIpv4Pool", "mapCustomerOwnedIpOnLaunch", "enableLniAtDeviceIndex", "outpostArn", "mapPublicIpOnLaunch"),
        *_others(_PLAIN, "ipv4IpamPoolId", "ipv4NetmaskLength", "privateDnsHostnameTypeOnLaunch", "enableResourceNameDnsARecordOnLaunch"),
        *_others(_IPV6, "assignIpv6AddressOnCreation", "enableDns64", "enableResourceNameDnsAaaaRecordOnLaunch", "ipv6CidrBlock", "ipv6Native"),
        *_others(_IPV6, "ipv6IpamPoolId", "ipv6NetmaskLength"),
    ),
    "InternetGateway": Table(
        Note("derived", "vpcId", _UPDATED, "the VPC"),
        *_of_network(),
        _TAGGED,
    ),
    "RouteTable": Table(
        *_of_network(vpcId="the VPC"),
        _TAGGED,
        *_others(_PLAIN, "propagatingVgws"),
        *_others("routes are resources of their own, so that nodes can depend on them", "routes"),
    ),
    "Route": Table(
        *_of_network(routeTableId="the route table", destinationCidrBlock="every address"),
        Note("derived", "gatewayId", _UPDATED, "the internet gateway, for public subnets"),
        Note("derived", "natGatewayId", _UPDATED, "a NAT gateway, for private subnets"),
        *_others(_PLAIN, *_GATEWAYS, "coreNetworkArn", "odbNetworkArn", "destinationPrefixListId"),
        *_others(_IPV6, "destinationIpv6CidrBlock", "egressOnlyGatewayId"),
    ),
    "RouteTableAssociation": Table(
        *_of_network(subnetId="the subnet"),
        Note("derived", "routeTableId", _UPDATED, "the route table"),
        *_others(_PLAIN, "gatewayId"),
    ),
    "Eip": Table(
        *_of_network(domain="vpc"),
        _TAGGED,
        *_others("the NAT gateway takes it by its allocation", "instance", "networkInterface", "associateWithPrivateIp"),
        *_others(_PLAIN, "address", "customerOwnedIpv4Pool", "ipamPoolId", "networkBorderGroup", "publicIpv4Pool"),
    ),
    "NatGateway": Table(
        *_of_network(allocationId="the address", subnetId="a public subnet"),
        _TAGGED,
        *_others(_PLAIN, "availabilityMode", "availabilityZoneAddresses", "connectivityType", "privateIp", "vpcId"),
        *_others(_PLAIN, "secondaryAllocationIds", "secondaryPrivateIpAddressCount", "secondaryPrivateIpAddresses"),
    ),
}
"""The inputs of what is in the VPC, by the class of pulumi-aws: the component sends them all."""
