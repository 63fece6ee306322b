"""The network of an AKS cluster."""

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

import pulumi
from pulumi_azure_native import network

from nodepools.component.errors import reject_invalid
from nodepools.component.scope import ChildScope, with_secrets
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, NatGateway
from nodepools.model.values import dataclass, replace
from nodepools.wire.aks.generation import subnet_name
from nodepools.wire.aks.network import NODES, SUBNET, VIRTUAL_NETWORK, NetworkContext, network_id, pods_subnet_name, subnets
from nodepools.wire.reading import write
from nodepools.wire.rows import MINUTES
from nodepools.wire.table import python_name


class AksNetwork(pulumi.ComponentResource):
    """A virtual network with a subnet for all nodes, and one for each pool that declares its own."""

    vnet_id: pulumi.Output[str]
    """Id of the virtual network."""
    node_subnet_id: pulumi.Output[str]
    """Id of the subnet of all nodes."""
    nat_addresses: pulumi.Output[list[str]]
    """Public IP addresses of the NAT gateway, for firewalls of others; empty without one."""
    pool_subnet_ids: pulumi.Output[dict[str, str]]
    """Pool key to the id of its own subnet."""

    def __init__(
        self,
        name: str,
        args: AksNetworkArgs,
        *,
        resource_group_name: pulumi.Input[str],
        location: str,
        tags: Mapping[str, str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
        protect: bool = True,
    ) -> None:
        """Registers the network.

        Args:
            name: name of the virtual network, and prefix of all names.
            args: address ranges.
            resource_group_name: an existing resource group.
            location: Azure region.
            tags: tags of the virtual network; subnets cannot have tags.
            opts: options of the component; children inherit its provider, and `protect=True`.
            protect: whether Pulumi rejects deletion and replacement of the virtual network.

        Raises:
            InvalidDeclarationError: `args` have errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, AksNetworkArgs, "AksNetwork")
        super().__init__("nodepools:index:AksNetwork", name, {}, opts)
        scope = ChildScope(self, name)
        vnet = network.VirtualNetwork(
            name,
            resource_group_name=resource_group_name,
            **write(VIRTUAL_NETWORK, args, NetworkContext(name, location), spell=python_name),  # type: ignore[arg-type]  # made for it
            tags=with_secrets(tags, ("tags",)),
            opts=scope.options(protect=protect),
        )
        gateway = nat_gateway(scope, args.nat, resource_group_name, location, tags if tags is not None else {}) if args.nat is not None else None
        self.nat_address_ids = gateway.address_ids if gateway is not None else ()
        self.nat_addresses = pulumi.Output.all(*(gateway.addresses if gateway is not None else ()))
        made = _subnets(scope, vnet, resource_group_name, args, gateway.gateway_id if gateway is not None else None)
        self.own_subnets = {key: made[subnet_name(key, cidr)] for key, cidr in args.pool_subnets.items()}
        self.node_subnet = made[NODES]
        self.pod_subnet = made[pods_subnet_name(args.pod_subnet_cidr)] if args.pod_subnet_cidr is not None else None
        self.vnet_id = vnet.id
        self.node_subnet_id = self.node_subnet.id
        self.pool_subnet_ids = pulumi.Output.all(**{key: subnet.id for key, subnet in self.own_subnets.items()}).apply(dict)  # a list if it is empty
        self.register_outputs(
            {
                "vnet_id": self.vnet_id,
                "node_subnet_id": self.node_subnet_id,
                "pool_subnet_ids": self.pool_subnet_ids,
                "nat_addresses": self.nat_addresses,
            }
        )


@dataclass(frozen=True, slots=True)
class Subnets:
    """The subnets of a cluster."""

    vnet_id: pulumi.Output[str] | None
    """`None` if AKS manages the network."""
    nodes: pulumi.Input[str] | None
    """Id of the subnet of all nodes; `None` if AKS selects it."""
    own: Mapping[str, pulumi.Input[str]]
    """Pool key to the id of a subnet of its own."""
    pods: pulumi.Input[str] | None = None
    """Id of the subnet of all pods, if they have one."""
    egress_ids: tuple[pulumi.Output[str], ...] = ()
    """Ids of the addresses of the NAT gateway that is created."""
    egress: tuple[pulumi.Output[str], ...] = ()
    """These addresses, as ranges."""

    def of(self, scope: ChildScope, key: str, pool: AgentPool) -> pulumi.Input[str] | None:
        """Id of the subnet of one pool: the one that it names, its own, or that of all nodes."""
        if pool.vnet_subnet_id is not None:
            return scope.value(pool.vnet_subnet_id)
        return self.own.get(key, self.nodes)


NO_SUBNETS: Final = Subnets(None, None, {})
"""AKS manages the network, and no request names a subnet."""


def subnets_of(made: AksNetwork) -> Subnets:
    """Subnets of a network that was created for the cluster."""
    return Subnets(
        made.vnet_id,
        made.node_subnet_id,
        {key: subnet.id for key, subnet in made.own_subnets.items()},
        made.pod_subnet.id if made.pod_subnet else None,
        made.nat_address_ids,
        tuple(made.nat_addresses.apply(partial(_range, number)) for number in range(len(made.nat_address_ids))),
    )


def existing_subnets(scope: ChildScope, args: ExistingAksNetwork) -> Subnets:
    """The existing subnet."""
    subnet_id = scope.value(args.subnet_id)
    return Subnets(
        pulumi.Output.from_input(subnet_id).apply(network_id),
        subnet_id,
        {},
        scope.value(args.pod_subnet_id) if args.pod_subnet_id is not None else None,
    )


def _subnets(
    scope: ChildScope, vnet: network.VirtualNetwork, resource_group_name: pulumi.Input[str], args: AksNetworkArgs, gateway_id: object
) -> dict[str, network.Subnet]:
    """Registers subnets one at a time: Azure rejects parallel changes of a virtual network (409), also deletions of subnets."""
    made: dict[str, network.Subnet] = {}
    routes = scope.value(args.route_table_id) if args.route_table_id is not None else None
    for name, subnet in subnets(args).items():
        made[name] = network.Subnet(
            scope.name(name),
            virtual_network_name=vnet.name,
            resource_group_name=resource_group_name,
            **write(SUBNET, args, replace(subnet, gateway_id=gateway_id, route_table_id=routes), resolve=scope.value, spell=python_name),  # type: ignore[arg-type]  # made for it
            opts=scope.options(depends_on=[vnet, *made.values()]),
        )
    return made


def _range(number: int, addresses: list[str]) -> str:
    return f"{addresses[number]}/32"


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


def text(value: object) -> str:
    """The text; empty if there is none. Mocks of other programs return what was sent, which lacks what Azure sets."""
    return value if isinstance(value, str) else ""
