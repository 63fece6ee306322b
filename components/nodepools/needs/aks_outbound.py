"""Ports and addresses for outbound connections of AKS nodes. Facts: docs/facts/capacity.md § 2."""

from collections.abc import Iterator, Sequence

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.needs.aks_agent_pools import agent_nodes
from nodepools.needs.aks_foreign_nodes import ForeignNodes
from nodepools.needs.aks_outbound_ports import PORTS, automatic_step, outbound_addresses
from nodepools.needs.aks_provisioned import Provisioned
from nodepools.needs.amounts import Amount, exactly
from nodepools.needs.item import Item
from nodepools.needs.sizes import Group, Sizes, sizes, with_every_surge


def outbound(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ForeignNodes]) -> Iterator[Item]:
    """The ports of the load balancer; other outbound types have no fixed number for each node."""
    if cluster.network_profile.outbound_type != "loadBalancer":
        return
    balancer, agents = cluster.network_profile.load_balancer, [*agent_nodes(cluster), *others]
    if balancer is not None and balancer.allocated_outbound_ports:
        ports = balancer.allocated_outbound_ports
        yield from _allocated(ports, outbound_addresses(balancer), [nodes.group(exactly(ports)) for nodes in agents], provisioned)
    else:
        one = exactly(1)
        yield _shared(sizes([*(nodes.group(one) for nodes in agents), *provisioned.each(one)]))


def _allocated(ports: int, addresses: int | None, agents: Sequence[Group], provisioned: Provisioned) -> Iterator[Item]:
    room = None if addresses is None else exactly(PORTS * addresses)
    needs, figures = with_every_surge(agents), sizes(agents)
    has = _has(addresses, room)
    remedy = "Lower `allocated_outbound_ports`, or add outbound addresses"
    yield Item(
        what="outbound_ports",
        name="load_balancer",
        checked_by="server",
        needs=needs,
        room=room,
        sizes=figures,
        message=f"{has}; AKS counts {needs}: {ports:,} for each node at the maximum sizes and for the surge nodes of every agent pool",
        remedy=remedy,
    )
    launched = provisioned.each(exactly(ports))
    if launched:
        used = sizes([*agents, *launched])
        yield Item(
            what="outbound_ports",
            name="load_balancer",
            checked_by="true_use",
            needs=used.upgrade,
            room=room,
            sizes=used,
            message=f"{has}; all nodes take {used.upgrade}, including those of NodePools, which AKS does not count",
            remedy=remedy,
        )


def _has(addresses: int | None, room: Amount | None) -> str:
    if addresses is None:
        return "The number of outbound addresses cannot be determined offline"
    return f"1 outbound address has {room} ports" if addresses == 1 else f"{addresses:,} outbound addresses have {room} ports"


def _shared(figures: Sizes) -> Item:
    """Nothing is rejected without a declared number: the nodes share the ports, and get fewer as their number grows."""
    step = automatic_step(figures.floor.at_least)
    has = "The load balancer divides its ports among the nodes"
    each = f": each gets {step[1]:,} up to {step[0]:,} nodes, and fewer above that" if step is not None else ""
    return Item(
        what="outbound_ports",
        name="load_balancer",
        checked_by="planning",
        needs=figures.upgrade,
        room=None if step is None else exactly(step[0]),
        sizes=figures,
        message=f"{has}{each}; nodes during an upgrade at the maximum sizes: {figures.upgrade}",
        remedy="Set `outbound_type` to a NAT gateway, which shares its ports on demand, or add outbound addresses and set `allocated_outbound_ports`",
    )
