"""Outbound routes of the subnets of a network. Facts: docs/facts/eks.md § 1.4."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pulumi
from pulumi_aws import ec2

from nodepools.component.scope import ChildScope
from nodepools.eks.zones import Zone

_ANYWHERE = "0.0.0.0/0"


@dataclass(frozen=True, slots=True)
class ZoneSubnets:
    """The subnets of one zone."""

    zone: Zone
    public: ec2.Subnet
    private: ec2.Subnet


def named(scope: ChildScope, *word: str, **more: str) -> dict[str, pulumi.Input[str]]:
    """Tags of an EC2 resource. The console shows the tag `Name` as its name."""
    return {**scope.tags, "Name": scope.name(*word), **more}


def egress(
    scope: ChildScope, region: str, vpc: ec2.Vpc, subnets: Sequence[ZoneSubnets], nat: Literal["per-zone", "single"] | None
) -> list[pulumi.Resource]:
    """Creates the routes of all subnets, which must outlive the last node.

    Each zone has a private route table, whatever the number of NAT gateways: a change of that number changes routes only.
    Routes are separate resources, so that nodes can depend on them.
    """
    gateway = ec2.InternetGateway(scope.name("internet"), vpc_id=vpc.id, region=region, tags=named(scope, "internet"), opts=scope.options())
    table = _table(scope, region, vpc, "public")
    public_route = ec2.Route(
        scope.name("public"),
        route_table_id=table.id,
        destination_cidr_block=_ANYWHERE,
        gateway_id=gateway.id,
        region=region,
        opts=scope.options(),
    )
    made: list[pulumi.Resource] = [gateway, public_route]
    made += [_association(scope, region, f"public-{of.zone.word}", table, of.public) for of in subnets]
    how_many = {None: 0, "single": 1, "per-zone": len(subnets)}[nat]
    nats = [_nat(scope, region, of, gateway) for of in subnets[:how_many]]
    made += nats
    for place, of in enumerate(subnets):
        word = f"private-{of.zone.word}"
        private = _table(scope, region, vpc, word)
        made.append(_association(scope, region, word, private, of.private))
        if nats:
            made.append(_nat_route(scope, region, word, private, nats[min(place, len(nats) - 1)]))
    return made


def _table(scope: ChildScope, region: str, vpc: ec2.Vpc, word: str) -> ec2.RouteTable:
    return ec2.RouteTable(scope.name(word), vpc_id=vpc.id, region=region, tags=named(scope, word), opts=scope.options())


def _association(scope: ChildScope, region: str, word: str, table: ec2.RouteTable, subnet: ec2.Subnet) -> ec2.RouteTableAssociation:
    return ec2.RouteTableAssociation(scope.name(word), route_table_id=table.id, subnet_id=subnet.id, region=region, opts=scope.options())


def _nat(scope: ChildScope, region: str, network: ZoneSubnets, gateway: ec2.InternetGateway) -> ec2.NatGateway:
    word = f"nat-{network.zone.word}"
    address = ec2.Eip(scope.name(word), domain="vpc", region=region, tags=named(scope, word), opts=scope.options(depends_on=[gateway]))
    return ec2.NatGateway(
        scope.name(word),
        allocation_id=address.allocation_id,
        subnet_id=network.public.id,
        region=region,
        tags=named(scope, word),
        opts=scope.options(depends_on=[gateway]),
    )


def _nat_route(scope: ChildScope, region: str, word: str, table: ec2.RouteTable, nat: ec2.NatGateway) -> ec2.Route:
    return ec2.Route(
        scope.name(word),
        route_table_id=table.id,
        destination_cidr_block=_ANYWHERE,
        nat_gateway_id=nat.id,
        region=region,
        opts=scope.options(),
    )
