"""The network of an EKS cluster. Facts: docs/facts/eks.md C27, C37, § 1.4, § 12."""

import warnings
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Network
from typing import Final

import pulumi
import pulumi_aws

from nodepools.clouds.eks.auto_mode_objects import INTERNAL_ELB, NETWORK_TAG, private_subnets
from nodepools.component.errors import as_checked, reject_invalid
from nodepools.component.scope import ChildScope
from nodepools.eks.cluster_context import ClusterContext
from nodepools.model.eks.cluster import EksNetworkArgs, default_zone_count, zone_place
from nodepools.model.values import dataclass
from nodepools.wire.eks.network import VPC
from nodepools.wire.reading import write
from nodepools.wire.table import python_name

with warnings.catch_warnings():
    # The SDK warns when the module is loaded: programs that treat warnings as errors could not declare a network.
    warnings.filterwarnings("ignore", message="aws.ec2/encryptioncontrol", category=DeprecationWarning)
    from pulumi_aws import ec2

    _FIRST_USE: Final = ec2.Vpc  # the SDK loads the module at its first use, not at its import

REFUSED = ("use1-az3", "usw1-az2", "cac1-az3")
"""Ids of zones in which EKS does not place control planes; zone names differ between accounts."""


@dataclass(frozen=True, slots=True)
class Zone:
    """One zone of a network."""

    place: int
    """Index in its region, from 0; without declared zones, among those that can be used."""
    name: pulumi.Input[str] | None = None
    id: str | None = None
    fixed: bool = True
    """The zone is declared; otherwise the subnet keeps the zone that AWS listed at creation."""

    @property
    def word(self) -> str:
        """Part of resource names. Declaring the zones that were selected before changes nothing."""
        return str(self.place + 1)


def network_zones(scope: ChildScope, args: EksNetworkArgs, region: str) -> list[Zone]:
    """The zones of a network, in order."""
    if args.zones:
        placed = sorted((place, zone) for zone in args.zones if (place := zone_place(zone)) is not None)
        return [Zone(place, id=zone) if "-az" in zone else Zone(place, name=zone) for place, zone in placed]
    found = pulumi_aws.get_availability_zones_output(
        region=region,
        state="available",
        exclude_zone_ids=list(REFUSED),
        filters=[{"name": "opt-in-status", "values": ["opt-in-not-required"]}],  # excludes local and wavelength zones
        opts=scope.invoke_options,
    )
    names = found.apply(lambda known: _names(known.names, region))
    count = default_zone_count(region)
    return [Zone(place, name=names.apply(lambda known, place=place: _at(place, known, count, region)), fixed=False) for place in range(count)]


def _names(known: Sequence[str] | None, region: str) -> list[str]:
    """The zone names that AWS lists; with Pulumi mocks that return `None`, the usual names."""
    return sorted(known) if known is not None else [f"{region}{letter}" for letter in "abc"]


def _at(place: int, names: Sequence[str], count: int, region: str) -> str:
    if len(names) < count:
        listed = ", ".join(names)
        raise pulumi.RunError(f"{region} has fewer than {count} zones for a control plane ({listed}): set network.zones to two zones")
    return names[place]


_ANYWHERE, _ANYWHERE_IPV6 = "0.0.0.0/0", "::/0"


@dataclass(frozen=True, slots=True)
class ZoneSubnets:
    """The subnets of one zone."""

    zone: Zone
    public: ec2.Subnet | None
    """`None` in a network without public subnets."""
    private: ec2.Subnet


@dataclass(frozen=True, slots=True)
class Egress:
    """The routes of all subnets."""

    resources: Sequence[pulumi.Resource]
    """What must outlive the last node."""
    private_tables: Sequence[ec2.RouteTable]


@dataclass(frozen=True, slots=True)
class _Routes:
    """Creates routes in one VPC."""

    scope: ChildScope
    region: str
    vpc: ec2.Vpc

    def table(self, word: str) -> ec2.RouteTable:
        scope = self.scope
        return ec2.RouteTable(scope.name(word), vpc_id=self.vpc.id, region=self.region, tags=named(scope, word), opts=scope.options())

    def association(self, word: str, table: ec2.RouteTable, subnet: ec2.Subnet) -> ec2.RouteTableAssociation:
        name = self.scope.name(word)
        return ec2.RouteTableAssociation(name, route_table_id=table.id, subnet_id=subnet.id, region=self.region, opts=self.scope.options())

    def route(self, word: str, table: ec2.RouteTable, **target: pulumi.Input[str]) -> ec2.Route:
        name = self.scope.name(word)
        return ec2.Route(name, route_table_id=table.id, region=self.region, opts=self.scope.options(), **target)  # type: ignore[arg-type]  # its arguments


def named(scope: ChildScope, *word: str, **more: str) -> dict[str, pulumi.Input[str]]:
    """Tags of an EC2 resource. The console shows the tag `Name` as its name."""
    return {**scope.tags, "Name": scope.name(*word), **more}


def egress(scope: ChildScope, region: str, vpc: ec2.Vpc, subnets: Sequence[ZoneSubnets], args: EksNetworkArgs) -> Egress:
    """Creates the routes of all subnets, which must outlive the last node.

    Each zone has a private route table, whatever the number of NAT gateways: a change of that number changes routes only.
    Routes are separate resources, so that nodes can depend on them.
    """
    routes = _Routes(scope, region, vpc)
    made, nats = _public(routes, subnets, args)
    outbound = _egress_only(routes) if args.ipv6 else None
    made += [outbound] if outbound is not None else []
    tables: list[ec2.RouteTable] = []
    for place, of in enumerate(subnets):
        word = f"private-{of.zone.word}"
        tables.append(routes.table(word))
        made.append(routes.association(word, tables[-1], of.private))
        if nats:
            nat = nats[min(place, len(nats) - 1)]
            made.append(routes.route(word, tables[-1], destination_cidr_block=_ANYWHERE, nat_gateway_id=nat.id))
        if outbound is not None:
            made.append(routes.route(f"{word}-ipv6", tables[-1], destination_ipv6_cidr_block=_ANYWHERE_IPV6, egress_only_gateway_id=outbound.id))
    return Egress(made, tables)


def _public(routes: _Routes, subnets: Sequence[ZoneSubnets], args: EksNetworkArgs) -> tuple[list[pulumi.Resource], list[ec2.NatGateway]]:
    """The internet gateway, the routes of public subnets, and the NAT gateways in them."""
    public = [(of.zone, of.public) for of in subnets if of.public is not None]
    if not public:
        return [], []
    scope = routes.scope
    tags = named(scope, "internet")
    gateway = ec2.InternetGateway(scope.name("internet"), vpc_id=routes.vpc.id, region=routes.region, tags=tags, opts=scope.options())
    table = routes.table("public")
    made: list[pulumi.Resource] = [gateway, routes.route("public", table, destination_cidr_block=_ANYWHERE, gateway_id=gateway.id)]
    if args.ipv6:
        made.append(routes.route("public-ipv6", table, destination_ipv6_cidr_block=_ANYWHERE_IPV6, gateway_id=gateway.id))
    made += [routes.association(f"public-{zone.word}", table, subnet) for zone, subnet in public]
    how_many = {None: 0, "single": 1, "per-zone": len(public)}[args.nat]
    nats = [_nat(routes, zone, subnet, gateway) for zone, subnet in public[:how_many]]
    return [*made, *nats], nats


def _egress_only(routes: _Routes) -> ec2.EgressOnlyInternetGateway:
    """Lets private subnets open connections over IPv6; no connection from outside reaches them."""
    scope, word = routes.scope, "outbound-ipv6"
    return ec2.EgressOnlyInternetGateway(scope.name(word), vpc_id=routes.vpc.id, region=routes.region, tags=named(scope, word), opts=scope.options())


def _nat(routes: _Routes, zone: Zone, subnet: ec2.Subnet, gateway: ec2.InternetGateway) -> ec2.NatGateway:
    scope, region, word = routes.scope, routes.region, f"nat-{zone.word}"
    address = ec2.Eip(scope.name(word), domain="vpc", region=region, tags=named(scope, word), opts=scope.options(depends_on=[gateway]))
    return ec2.NatGateway(
        scope.name(word),
        allocation_id=address.allocation_id,
        subnet_id=subnet.id,
        region=region,
        tags=named(scope, word),
        opts=scope.options(depends_on=[gateway]),
    )


_ELB = {"kubernetes.io/role/elb": "1"}
_SUBNET_IPV6 = 64
"""AWS requires it of each subnet."""
_FIRST_PUBLIC = 8
"""Number of the first public /64: private subnets are numbered by their zone."""


class EksNetwork(pulumi.ComponentResource):
    """A VPC with a private and, by default, a public subnet in each zone, for one or several EKS clusters.

    Its subnets have the tag `nodepools/network` with the name of the component.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[Sequence[str]]
    public_subnet_ids: pulumi.Output[Sequence[str]]

    def __init__(
        self,
        name: str,
        args: EksNetworkArgs,
        region: str,
        tags: Mapping[str, pulumi.Input[str]] | None = None,
        opts: pulumi.ResourceOptions | None = None,
        *,
        protect: bool = True,
    ) -> None:
        """Registers the network.

        Args:
            name: prefix of all names.
            args: its addresses, zones and NAT gateways.
            region: AWS region, `us-east-1`.
            tags: AWS tags of all resources.
            opts: options of the component; all resources use a provider in them.
            protect: whether Pulumi rejects deletion and replacement of the VPC.

        Raises:
            InvalidDeclarationError: `args` have errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, EksNetworkArgs, "EksNetwork")
        super().__init__("nodepools:index:EksNetwork", name, {}, opts)
        scope = ChildScope(self, name, tags if tags is not None else {})
        vpc = ec2.Vpc(
            scope.name("vpc"),
            **write(VPC, args, spell=python_name),  # type: ignore[arg-type]  # its arguments
            region=region,
            tags=named(scope, "vpc"),
            opts=scope.options(protect=protect),
        )
        subnets = [_subnets(scope, args, region, vpc, zone) for zone in network_zones(scope, args, region)]
        self.private_subnets: Sequence[ec2.Subnet] = [of.private for of in subnets]
        """Subnets of the nodes and of the control plane."""
        outbound = egress(scope, region, vpc, subnets, args)
        reached = endpoints(scope, region, args.endpoints, Reached(vpc, self.private_subnets, outbound.private_tables))
        self.egress: Sequence[pulumi.Resource] = [*outbound.resources, *reached]
        """Outbound routes and endpoints of the nodes. NodeClasses depend on all of them directly: without them nodes never finish draining."""
        self.vpc_id = vpc.id
        self.private_subnet_ids = _ids([of.private for of in subnets])
        self.public_subnet_ids = _ids([of.public for of in subnets if of.public is not None])
        self.register_outputs({"vpc_id": self.vpc_id, "private_subnet_ids": self.private_subnet_ids, "public_subnet_ids": self.public_subnet_ids})


def _subnets(scope: ChildScope, args: EksNetworkArgs, region: str, vpc: ec2.Vpc, zone: Zone) -> ZoneSubnets:
    ranges = args.ranges(zone.place)
    public = f"public-{zone.word}", ranges.public, _FIRST_PUBLIC + zone.place
    private = f"private-{zone.word}", ranges.private, zone.place
    place = _Place(scope, args, region, vpc, zone)
    return ZoneSubnets(
        zone, public=place.subnet(*public, elb=_ELB) if args.public_subnets else None, private=place.subnet(*private, elb=INTERNAL_ELB)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """A zone of a VPC."""

    scope: ChildScope
    args: EksNetworkArgs
    region: str
    vpc: ec2.Vpc
    zone: Zone

    def subnet(self, word: str, cidr: str, number: int, *, elb: Mapping[str, str]) -> ec2.Subnet:
        """A zone that was selected automatically is kept: the list of zones can change, and another zone would replace the subnet."""
        scope, zone = self.scope, self.zone
        return ec2.Subnet(
            scope.name(word),
            vpc_id=self.vpc.id,
            cidr_block=cidr,
            ipv6_cidr_block=self.vpc.ipv6_cidr_block.apply(lambda known: _ipv6_part(known, number)) if self.args.ipv6 else None,
            assign_ipv6_address_on_creation=True if self.args.ipv6 else None,
            availability_zone=zone.name,
            availability_zone_id=zone.id,
            region=self.region,
            tags=named(scope, word, **elb, **{NETWORK_TAG: scope.stem}),
            opts=scope.options(ignore_changes=() if zone.fixed else ["availabilityZone"]),
        )


def _ipv6_part(cidr: str | None, number: int) -> str:
    """The /64 of a subnet in the /56 that AWS assigned; empty with mocks that return the inputs."""
    if not cidr:
        return ""
    whole = IPv6Network(cidr)
    return str(IPv6Network((int(whole.network_address) + (number << 64), _SUBNET_IPV6)))


def _ids(subnets: Sequence[ec2.Subnet]) -> pulumi.Output[Sequence[str]]:
    return pulumi.Output.all(*[subnet.id for subnet in subnets])


_GATEWAYS: Final = ("s3", "dynamodb")
"""Services whose endpoints are routes, not interfaces."""
_FULL_NAMES: Final = ("com.amazonaws.", "cn.com.amazonaws.", "aws.")
"""Beginnings of full service names."""
_HTTPS: Final = 443


@dataclass(frozen=True, slots=True)
class Reached:
    """Where endpoints are."""

    vpc: ec2.Vpc
    subnets: Sequence[ec2.Subnet]
    """The private subnets, in which interface endpoints have addresses."""
    tables: Sequence[ec2.RouteTable]
    """The route tables of private subnets, to which gateway endpoints add routes."""


def endpoints(scope: ChildScope, region: str, services: Sequence[str], reached: Reached) -> list[pulumi.Resource]:
    """Creates the endpoints, which must outlive the last node: without them nodes of a private network reach no AWS service."""
    has_interfaces = any(_short_service(service) not in _GATEWAYS for service in services)
    groups = [_security_group(scope, region, reached.vpc).id] if has_interfaces else []
    made: list[pulumi.Resource] = []
    for service in services:
        word = f"endpoint-{_short_service(service).replace('.', '-')}"
        is_gateway = _short_service(service) in _GATEWAYS
        made.append(
            ec2.VpcEndpoint(
                scope.name(word),
                vpc_id=reached.vpc.id,
                vpc_endpoint_type="Gateway" if is_gateway else "Interface",
                service_name=service if service.startswith(_FULL_NAMES) else f"com.amazonaws.{region}.{service}",
                private_dns_enabled=None if is_gateway else True,
                subnet_ids=None if is_gateway else [subnet.id for subnet in reached.subnets],
                security_group_ids=None if is_gateway else groups,
                route_table_ids=[table.id for table in reached.tables] if is_gateway else None,
                region=region,
                tags=named(scope, word),
                opts=scope.options(),
            )
        )
    return made


def _security_group(scope: ChildScope, region: str, vpc: ec2.Vpc) -> ec2.SecurityGroup:
    return ec2.SecurityGroup(
        scope.name("endpoints"),
        vpc_id=vpc.id,
        description="HTTPS from the VPC to the VPC endpoints",
        ingress=[ec2.SecurityGroupIngressArgs(protocol="tcp", from_port=_HTTPS, to_port=_HTTPS, cidr_blocks=[vpc.cidr_block])],
        region=region,
        tags=named(scope, "endpoints"),
        opts=scope.options(),
    )


def _short_service(service: str) -> str:
    """`s3` for `com.amazonaws.eu-west-1.s3`."""
    return service.rpartition(".")[2] if service.startswith(_FULL_NAMES) and service.rpartition(".")[2] in _GATEWAYS else service


@dataclass(frozen=True, slots=True)
class SelectedNetwork:
    """The network as the cluster and its NodeClasses use it."""

    control_plane_subnets: Sequence[pulumi.Input[str]]
    node_subnets: Sequence[dict[str, object]]
    """Selector terms of a NodeClass."""
    vpc_id: pulumi.Input[str]
    private_subnet_ids: Sequence[pulumi.Input[str]]
    """Subnets of the nodes."""
    egress: Sequence[pulumi.Resource] = ()
    """Resources that must outlive the last node; empty for an existing network."""


def network_location(site: ClusterContext) -> SelectedNetwork:
    """Creates the network, or uses the existing one."""
    scope, declared = site.scope, site.args.network
    if isinstance(declared, EksNetworkArgs):
        with as_checked(declared):
            made = EksNetwork(scope.stem, declared, site.args.region, scope.tags, protect=site.args.is_protected, opts=scope.component_options())
        subnets = [subnet.id for subnet in made.private_subnets]
        return SelectedNetwork(subnets, private_subnets(scope.stem), made.vpc_id, subnets, made.egress)
    nodes = [scope.value(subnet) for subnet in declared.private_subnet_ids]
    control_plane = [scope.value(subnet) for subnet in declared.control_plane_subnet_ids]
    return SelectedNetwork(control_plane if control_plane else nodes, [{"id": subnet} for subnet in nodes], scope.value(declared.vpc_id), nodes)
