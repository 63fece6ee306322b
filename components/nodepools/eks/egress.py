"""Outbound routes of the subnets of a network. Facts: docs/facts/eks.md § 1.4, § 19."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from nodepools.component.scope import ChildScope
from nodepools.eks.aws_ec2 import ec2
from nodepools.eks.zones import Zone
from nodepools.model.eks.network import EksNetworkArgs

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
