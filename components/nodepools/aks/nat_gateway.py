"""A NAT gateway for the subnets of a new network. Facts: docs/facts/aks.md § 2.11."""

from collections.abc import Mapping
from typing import NamedTuple

import pulumi
from pulumi_azure_native import network

from nodepools.aks.told import text
from nodepools.component.scope import ChildScope
from nodepools.model.aks.nat_gateway import NatGateway
from nodepools.wire.codecs import MINUTES


class Egress(NamedTuple):
    """A gateway with its addresses."""

    gateway_id: pulumi.Output[str]
    address_ids: tuple[pulumi.Output[str], ...]
    addresses: tuple[pulumi.Output[str], ...]


def nat_gateway(scope: ChildScope, declared: NatGateway, resource_group: pulumi.Input[str], location: str, tags: Mapping[str, str]) -> Egress:
    """Registers the addresses and the gateway. The subnets refer to it, so it exists before them and is deleted after them.

    Addresses are numbered: another one leaves those before it as they are. The zone is part of the names, because it cannot change.
    """
    zones = [str(declared.zone)] if declared.zone is not None else None
    mark = [f"zone{declared.zone}"] if declared.zone is not None else []
    made = [
        network.PublicIPAddress(
            name := scope.name("nat", *mark, str(number)),
            public_ip_address_name=name,
            resource_group_name=resource_group,
            location=location,
            sku={"name": "Standard"},
            public_ip_allocation_method="Static",
            public_ip_address_version="IPv4",
            zones=zones,
            tags=dict(tags),
            opts=scope.options(),
        )
        for number in range(1, declared.addresses + 1)
    ]
    gateway = network.NatGateway(
        name := scope.name("nat", *mark),
        nat_gateway_name=name,
        resource_group_name=resource_group,
        location=location,
        sku={"name": "Standard"},
        public_ip_addresses=[{"id": address.id} for address in made],
        idle_timeout_in_minutes=MINUTES.write(declared.idle_timeout) if declared.idle_timeout is not None else None,  # type: ignore[arg-type]  # a number
        zones=zones,
        tags=dict(tags),
        opts=scope.options(),
    )
    return Egress(gateway.id, tuple(address.id for address in made), tuple(address.ip_address.apply(text) for address in made))
