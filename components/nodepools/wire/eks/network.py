"""The new VPC of a cluster, in the spelling of pulumi-aws. Facts: docs/facts/eks.md C37, § 12, § 14.

Most arguments are ids of other resources, which the component sends. Nothing is read back: networks of other programs are not checked.
"""

from collections.abc import Mapping
from typing import Final

from nodepools.model.eks.cluster import EksNetworkArgs
from nodepools.wire.eks.access import FACTS, OURS, UNDOCUMENTED, UPDATED
from nodepools.wire.rows import IF_ON, Note, Row
from nodepools.wire.table import Change, Effect, Table


def _on(_: EksNetworkArgs, __: object) -> object:
    return True


_REPLACED: Final = Change(Effect.REPLACES, f"{FACTS}: replaces the resource")
_TAGS: Final = Change(Effect.ROLLS_SOME, f"{FACTS}: in place; NodeClasses select subnets by tags, and nodes in unselected subnets drift")
_ZONES: Final = Change(Effect.ROLLS_SOME, f"{FACTS}: subnets of a zone are created and deleted with it; nodes in deleted subnets drift")
_NAT: Final = Change(Effect.IN_PLACE, f"{FACTS}: routes change; open connections break")
_PUBLIC: Final = Change(Effect.IN_PLACE, f"{FACTS}: public subnets, the internet gateway and its routes are created or deleted")
_ENDPOINTS: Final = Change(Effect.IN_PLACE, "AWS PrivateLink guide: each endpoint is a resource; names of its service resolve to it at once")
_IPV6_RANGE: Final = Change(Effect.IN_PLACE, f"{FACTS}: AWS assigns a range to the VPC, and takes it away only without subnets that use it")
_PLAIN: Final = "for networks that are more than a VPC with public and private subnets: use an existing VPC"
_IPV6: Final = "AWS assigns the IPv6 range of a new VPC: for other ranges use an existing VPC"


def _others(why: str, *names: str) -> tuple[Note, ...]:
    return tuple(Note("unmodeled", name, UNDOCUMENTED, why) for name in names)


def _of_network(**derived: str) -> tuple[Note, ...]:
    """Arguments that are the same for each resource, and those that follow from other resources."""
    named = {"region": "the region of the network", **derived}
    return tuple(Note("derived", name, _REPLACED, why) for name, why in named.items())


_TAGGED: Final = Note("derived", "tags", UPDATED, "the tags of the network, and `Name`")

VPC: Final = Table(
    Row("cidr", "cidrBlock", _REPLACED),
    Note("derived", "enableDnsHostnames", UPDATED, "required to resolve the private endpoint of the API server", compute=_on),
    Note("derived", "enableDnsSupport", UPDATED, "required to resolve the private endpoint of the API server", compute=_on),
    *_of_network(),
    _TAGGED,
    Note("ours", "kind", OURS),
    Note("ours", "zones", _ZONES),
    Note("ours", "nat", _NAT),
    Note("ours", "public_subnets", _PUBLIC),
    Note("ours", "endpoints", _ENDPOINTS),
    Row("ipv6", "assignGeneratedIpv6CidrBlock", _IPV6_RANGE, IF_ON, default=False),
    *_others(_PLAIN, "instanceTenancy", "ipv4IpamPoolId", "ipv4NetmaskLength", "enableNetworkAddressUsageMetrics"),
    *_others(_IPV6, "ipv6CidrBlock", "ipv6CidrBlockNetworkBorderGroup", "ipv6IpamPoolId", "ipv6NetmaskLength"),
)
_GATEWAYS: Final = ("carrierGatewayId", "localGatewayId", "transitGatewayId", "networkInterfaceId", "vpcEndpointId", "vpcPeeringConnectionId")
INSIDE: Final[Mapping[str, Table]] = {
    "Subnet": Table(
        Note("derived", "cidrBlock", _REPLACED, "the part of `cidr` for the zone"),
        Note("derived", "availabilityZone", _REPLACED, "name of the zone, from `zones` or from the zones of the region"),
        Note("derived", "availabilityZoneId", _REPLACED, "id of the zone, from `zones`"),
        *_of_network(vpcId="the VPC"),
        Note("derived", "tags", _TAGS, "the tags of the network, `Name`, and the tags by which load balancers and NodeClasses select subnets"),
        *_others(_PLAIN, "customerOwnedIpv4Pool", "mapCustomerOwnedIpOnLaunch", "enableLniAtDeviceIndex", "outpostArn", "mapPublicIpOnLaunch"),
        *_others(_PLAIN, "ipv4IpamPoolId", "ipv4NetmaskLength", "privateDnsHostnameTypeOnLaunch", "enableResourceNameDnsARecordOnLaunch"),
        Note("derived", "ipv6CidrBlock", UPDATED, "the /64 of the subnet in the IPv6 range of the VPC, with `ipv6`"),
        Note("derived", "assignIpv6AddressOnCreation", UPDATED, "on with `ipv6`"),
        *_others(_IPV6, "enableDns64", "enableResourceNameDnsAaaaRecordOnLaunch", "ipv6Native", "ipv6IpamPoolId", "ipv6NetmaskLength"),
    ),
    "InternetGateway": Table(Note("derived", "vpcId", UPDATED, "the VPC"), *_of_network(), _TAGGED),
    "RouteTable": Table(
        *_of_network(vpcId="the VPC"),
        _TAGGED,
        *_others(_PLAIN, "propagatingVgws"),
        *_others("routes are separate resources, so that nodes can depend on them", "routes"),
    ),
    "Route": Table(
        *_of_network(routeTableId="the route table", destinationCidrBlock="every address"),
        Note("derived", "gatewayId", UPDATED, "the internet gateway, for public subnets"),
        Note("derived", "natGatewayId", UPDATED, "a NAT gateway, for private subnets"),
        *_others(_PLAIN, *_GATEWAYS, "coreNetworkArn", "odbNetworkArn", "destinationPrefixListId"),
        Note("derived", "destinationIpv6CidrBlock", _REPLACED, "every IPv6 address, with `ipv6`"),
        Note("derived", "egressOnlyGatewayId", UPDATED, "the egress-only gateway, for private subnets with `ipv6`"),
    ),
    "EgressOnlyInternetGateway": Table(*_of_network(vpcId="the VPC"), _TAGGED),
    "SecurityGroup": Table(
        *_of_network(vpcId="the VPC", description="what the group is for"),
        _TAGGED,
        Note("derived", "ingress", UPDATED, "HTTPS from the range of the VPC"),
        *_others("interfaces of endpoints open no connections", "egress"),
        *_others("Pulumi names it", "name", "namePrefix"),
        *_others(_PLAIN, "revokeRulesOnDelete"),
    ),
    "VpcEndpoint": Table(
        *_of_network(
            vpcId="the VPC", serviceName="the service, from `endpoints`", vpcEndpointType="`Gateway` for `s3` and `dynamodb`, otherwise `Interface`"
        ),
        _TAGGED,
        Note("derived", "privateDnsEnabled", UPDATED, "on for interface endpoints"),
        Note("derived", "subnetIds", UPDATED, "the private subnets, for interface endpoints"),
        Note("derived", "securityGroupIds", UPDATED, "the security group of the endpoints"),
        Note("derived", "routeTableIds", UPDATED, "the route tables of private subnets, for gateway endpoints"),
        *_others(_PLAIN, "autoAccept", "dnsOptions", "ipAddressType", "policy", "resourceConfigurationArn", "serviceNetworkArn", "serviceRegion"),
        *_others(_PLAIN, "subnetConfigurations"),
    ),
    "RouteTableAssociation": Table(
        *_of_network(subnetId="the subnet"), Note("derived", "routeTableId", UPDATED, "the route table"), *_others(_PLAIN, "gatewayId")
    ),
    "Eip": Table(
        *_of_network(domain="vpc"),
        _TAGGED,
        *_others("the NAT gateway refers to the allocation", "instance", "networkInterface", "associateWithPrivateIp"),
        *_others(_PLAIN, "address", "customerOwnedIpv4Pool", "ipamPoolId", "networkBorderGroup", "publicIpv4Pool"),
    ),
    "NatGateway": Table(
        *_of_network(allocationId="the address", subnetId="a public subnet"),
        _TAGGED,
        *_others(_PLAIN, "availabilityMode", "availabilityZoneAddresses", "connectivityType", "privateIp", "vpcId"),
        *_others(_PLAIN, "secondaryAllocationIds", "secondaryPrivateIpAddressCount", "secondaryPrivateIpAddresses"),
    ),
}
"""The inputs of the resources inside the VPC, by the class of pulumi-aws. The component sends them all."""
