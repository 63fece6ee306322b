"""What an AKS cluster needs. Facts: docs/facts/capacity.md § 1, § 2, § 4.1."""

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Network
from math import ceil
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import (
    BATCH,
    OWN_PODS,
    POD_BLOCK,
    PODS_FLAT,
    PODS_IN_A_SUBNET,
    PORTS,
    RESERVED,
    NodeSubnet,
    agent_nodes,
    automatic_step,
    dynamic_addresses,
    identifier,
    in_pod_subnets,
    node_subnets,
    outbound_addresses,
    planned_flat_addresses,
    static_blocks,
)
from nodepools.clouds.aks.existing_agent_pools import ExistingNetwork
from nodepools.clouds.aks.nodes import CountedNodes, ExistingAgentNodes, Provisioned, counted_nodes, node_counts, vcpu_uses
from nodepools.clouds.amounts import Amount, Group, constant, exactly, sizes, with_every_surge
from nodepools.clouds.cloud import ClusterNeeds
from nodepools.clouds.item import Item, Stock, Subnets, SubnetStock
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs, LoadBalancer
from nodepools.model.listing import grouped
from nodepools.model.values import replace
from nodepools.placement.node_pools import ClusterPools


def aks_needs(cluster: AksClusterArgs, pools: ClusterPools, subnets: Subnets, others: Sequence[ExistingAgentNodes] = ()) -> ClusterNeeds:
    """Addresses, ports, nodes and vCPUs of an AKS cluster, the last of the quotas of its subscription."""
    launched = Provisioned(cluster, pools)
    items = (*addresses(cluster, launched, subnets, others), *outbound(cluster, launched, others), *node_counts(cluster, launched, others))
    return ClusterNeeds(items, tuple(vcpu_uses(cluster, launched, others)))


_API_SERVER: Final = 9
"""Addresses that the API server needs in its own subnet."""
_OF_THE_HOST: Final = 2
_LARGER_RANGE: Final = "Use a larger range, or lower the maximum sizes of the pools"


def addresses(cluster: AksClusterArgs, provisioned: Provisioned, subnets: Subnets, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    """One item for each range and kind of figure."""
    for subnet in (*node_subnets(cluster), *_not_declared(cluster, others)):
        there = [found for nodes in others if (found := nodes.in_subnet(subnet.name)) is not None]
        yield from _node_subnet(cluster, subnet, provisioned, subnets.get(subnet.name), there)
    yield from _pod_cidr(cluster, provisioned, others)
    yield from _pod_subnets(cluster, subnets, others)
    if cluster.api_server_subnet_id is not None:
        yield _api_server(identifier(cluster.api_server_subnet_id), subnets)


def _not_declared(cluster: AksClusterArgs, others: Sequence[ExistingAgentNodes]) -> Iterator[NodeSubnet]:
    """The subnets in which only agent pools of others are."""
    declared = {subnet.name for subnet in node_subnets(cluster)}
    yield from (NodeSubnet(name, ()) for name in dict.fromkeys(nodes.node_subnet for nodes in others) if name and name not in declared)


def _api_server(name: str, subnets: Subnets) -> Item:
    room, needs = None if (known := subnets.get(name)) is None else known.addresses.room, exactly(_API_SERVER)
    message = f"{_room_text('The subnet of the API server', room)}; each cluster needs {_API_SERVER}"
    remedy = "Use another subnet: one that is in use cannot be resized"
    return Item("api_server_subnet", name, "true_use", needs=needs, room=room, sizes=constant(needs), message=message, remedy=remedy)


def _node_subnet(
    cluster: AksClusterArgs, subnet: NodeSubnet, provisioned: Provisioned, known: SubnetStock | None, others: Sequence[ExistingAgentNodes]
) -> Iterator[Item]:
    room = known.addresses.room if known is not None else subnet.room
    cidr = known.cidr if known is not None else subnet.cidr
    counted = [nodes.group(exactly(subnet.each(nodes.pool))) for nodes in subnet.nodes]
    counted += [nodes.group(exactly(nodes.addresses(cluster))) for nodes in others]
    figures = sizes(counted)
    has = _room_text(f"The node subnet `{cidr if cidr is not None else subnet.name}`", room)
    message = f"{has}; AKS counts {figures.maximum} for its agent pools at their maximum sizes"
    yield Item("node_subnet", subnet.name, "server", needs=figures.maximum, room=room, sizes=figures, message=message, remedy=_LARGER_RANGE)
    launched = provisioned.in_cluster_subnet() if any(nodes.is_first for nodes in subnet.nodes) else []
    endpoint = [Group(exactly(1), exactly(1), exactly(1))] if cluster.api_server.private and any(nodes.is_first for nodes in subnet.nodes) else []
    used = sizes([*counted, *launched, *endpoint])
    left = _room_left(room, used.upgrade, provisioned.largest_addresses()) if launched else ""
    message = f"{has}; nodes take {used.upgrade} during an upgrade at their maximum sizes, and each internal load balancer takes 1{left}"
    yield Item("node_subnet", subnet.name, "true_use", needs=used.upgrade, room=room, sizes=used, message=message, remedy=_LARGER_RANGE)
    if subnet.pods_too:
        with_pods = [*subnet.nodes, *(nodes for nodes in others if nodes.has_flat_pods(cluster))]
        planned = [nodes.group(exactly(planned_flat_addresses(nodes.max_pods(PODS_FLAT)))) for nodes in with_pods]
        needs = with_every_surge(planned)
        counts = f"AKS counts {figures.maximum}, and before an upgrade up to {with_every_surge(counted)}, with the surge of each pool"
        message = f"{has}; the manuals plan {needs}; {counts}"
        yield Item("node_subnet", subnet.name, "planning", needs=needs, room=room, sizes=sizes(planned), message=message)


def _pod_cidr(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    if cluster.pod_cidr is not None and cluster.network_profile.plugin != "none":
        agents, is_checked = [*agent_nodes(cluster), *others], cluster.network_profile.plugin == "azure"
        yield from _pod_range(cluster.pod_cidr, agents, provisioned.each(exactly(1)), is_checked=is_checked)


def _pod_range(cidr: str, agents: Iterable[CountedNodes], launched: Sequence[Group], *, is_checked: bool) -> Iterator[Item]:
    """A /24 for each node, with kubenet, too. That AKS checks it before is documented of overlay networking only."""
    room = exactly(IPv4Network(cidr).num_addresses)
    counted = [nodes.group(exactly(POD_BLOCK)) for nodes in agents]
    figures, used = sizes(counted), sizes([*counted, *(replace(group, each=exactly(POD_BLOCK)) for group in launched)])
    has = f"The pod CIDR `{cidr}` has {room} addresses"
    left = _room_left(room, used.upgrade, POD_BLOCK) if launched else ""
    server = f"{has}; AKS counts {figures.maximum} for its agent pools at their maximum sizes, {POD_BLOCK} for each node"
    true_use = f"{has}; nodes take {used.upgrade} during an upgrade at their maximum sizes{left}"
    name = "pods"
    if is_checked:
        yield Item("pod_cidr", name, "server", needs=figures.maximum, room=room, sizes=figures, message=server, remedy=_LARGER_RANGE)
    yield Item(what="pod_cidr", name=name, checked_by="true_use", needs=used.upgrade, room=room, sizes=used, message=true_use, remedy=_LARGER_RANGE)


def _pod_subnets(cluster: AksClusterArgs, subnets: Subnets, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    found = grouped((subnet, nodes) for nodes, subnet in in_pod_subnets(cluster))
    found |= {nodes.pod_subnet: [] for nodes in others if nodes.pod_subnet and nodes.pod_subnet not in found}
    for subnet, declared in found.items():
        tenants = [*declared, *(there for nodes in others if (there := nodes.with_pods_in(subnet)) is not None)]
        own = cluster.network.pod_subnet_cidr if subnet == OWN_PODS and isinstance(cluster.network, AksNetworkArgs) else None
        known = subnets.get(subnet) if own is None else SubnetStock(own, Stock(max(IPv4Network(own).num_addresses - RESERVED, 0), 0))
        yield from _pod_subnet("pods" if subnet == OWN_PODS else subnet, known, tenants)


def _pod_subnet(name: str, known: SubnetStock | None, tenants: Sequence[CountedNodes]) -> Iterator[Item]:
    usable = None if known is None else known.addresses.room
    counted = sizes(nodes.group(exactly(BATCH)) for nodes in tenants)
    is_static = any(nodes.pool.pod_ip_allocation == "StaticBlock" for nodes in tenants)
    used = sizes(nodes.group(_taken(nodes.max_pods(PODS_IN_A_SUBNET), is_static=is_static)) for nodes in tenants)
    room = _whole_blocks(known) if is_static and known is not None else usable
    shown = f"The pod subnet `{known.cidr if known is not None else name}`"
    unit = f"in whole blocks of {BATCH} " if is_static else ""
    server = f"{_room_text(shown, usable)}; AKS counts {counted.maximum} for its agent pools at their maximum sizes, {BATCH} for each node"
    true_use = f"{_room_text(shown, room)} {unit}for pods; nodes take {used.upgrade} during an upgrade at their maximum sizes"
    yield Item(
        what="pod_subnet", name=name, checked_by="server", needs=counted.maximum, room=usable, sizes=counted, message=server, remedy=_LARGER_RANGE
    )
    yield Item(what="pod_subnet", name=name, checked_by="true_use", needs=used.upgrade, room=room, sizes=used, message=true_use, remedy=_LARGER_RANGE)


def existing_items(network: ExistingNetwork, agents: Sequence[ExistingAgentNodes], launched: Sequence[Group], subnets: Subnets) -> Iterator[Item]:
    """What the nodes of a cluster that exists share next to the subnets of nodes: ranges and subnets of pods, outbound ports, and their number.

    A pool that exists was accepted: its number of nodes is what an upgrade needs.
    """
    counts = counted_nodes({nodes.pool.name: nodes for nodes in agents}, launched, network.mode) if agents or launched else ()
    yield from (replace(item, checked_by="true_use") for item in counts)
    if network.pod_cidr:
        yield from _pod_range(network.pod_cidr, agents, launched, is_checked=network.mode == "overlay")
    for subnet in dict.fromkeys(nodes.pod_subnet for nodes in agents if nodes.pod_subnet):
        yield from _pod_subnet(subnet, subnets.get(subnet.lower()), [nodes for nodes in agents if nodes.pod_subnet == subnet])
    if network.ports:
        yield from _allocated(network.ports, network.outbound_addresses, agents, launched)


def _taken(pods: int, *, is_static: bool) -> Amount:
    """Addresses of the pod subnet that a node takes with no pods, and with as many as it can have; one more has been seen."""
    if is_static:
        return exactly(BATCH * static_blocks(pods))
    return Amount(BATCH, dynamic_addresses(max(pods - _OF_THE_HOST, 0)) + 1)


def _whole_blocks(subnet: SubnetStock) -> Amount:
    """The addresses in whole blocks. The first and the last block contain reserved addresses; whether Azure uses the rest of them is not known.

    Each address of others can occupy a block of its own.
    """
    blocks, room = IPv4Network(subnet.cidr).num_addresses // BATCH, subnet.addresses.room
    others = max(subnet.addresses.limit - room.minimum, 0)
    most = blocks if room.maximum is None or not subnet.addresses.used else min(blocks, ceil((room.maximum + RESERVED) / BATCH))
    return Amount(max(blocks - 2 - others, 0) * BATCH, most * BATCH)


def _room_text(subject: str, room: Amount | None) -> str:
    return f"{subject} has {room} usable addresses" if room is not None else f"{subject} has a range that cannot be determined offline"


def _room_left(room: Amount | None, needs: Amount, each: int) -> str:
    """How many more nodes fit if their number has no upper bound."""
    if room is None or room.maximum is None or needs.maximum is not None:
        return ""
    left = max(room.maximum - needs.minimum, 0) // each
    return (
        f"; NodePools without `limits` have no upper bound: there is room for {left:,} of their nodes with {each:,} address{'es' * (each > 1)} each"
    )


def outbound(cluster: AksClusterArgs, provisioned: Provisioned, others: Sequence[ExistingAgentNodes]) -> Iterator[Item]:
    """The ports of the load balancer; other outbound types have no fixed number for each node."""
    if cluster.network_profile.outbound_type != "loadBalancer":
        return
    balancer, agents = cluster.network_profile.load_balancer, [*agent_nodes(cluster), *others]
    if balancer is not None and balancer.allocated_outbound_ports:
        yield from _allocated(balancer.allocated_outbound_ports, outbound_addresses(balancer), agents, provisioned.each(exactly(1)))
    else:
        one = exactly(1)
        yield _shared_ports([*(nodes.group(one) for nodes in agents), *provisioned.each(one)], balancer if balancer is not None else LoadBalancer())


def _allocated(ports: int, addresses: int | None, nodes: Iterable[CountedNodes], launched: Sequence[Group]) -> Iterator[Item]:
    agents = [one.group(exactly(ports)) for one in nodes]
    room = None if addresses is None else exactly(PORTS * addresses)
    needs, figures = with_every_surge(agents), sizes(agents)
    has = _gateway_room(addresses, room)
    remedy = "Lower `allocated_outbound_ports`, or add outbound addresses"
    message = f"{has}; AKS counts {needs}: {ports:,} for each node at the maximum sizes and for the surge nodes of every agent pool"
    yield Item("outbound_ports", "load_balancer", "server", needs=needs, room=room, sizes=figures, message=message, remedy=remedy)
    if launched:
        used = sizes([*agents, *(replace(group, each=exactly(ports)) for group in launched)])
        message = f"{has}; all nodes take {used.upgrade}, including those of NodePools, which AKS does not count"
        yield Item("outbound_ports", "load_balancer", "true_use", needs=used.upgrade, room=room, sizes=used, message=message, remedy=remedy)


def _gateway_room(addresses: int | None, room: Amount | None) -> str:
    if addresses is None:
        return "The number of outbound addresses cannot be determined offline"
    return f"1 outbound address has {room} ports" if addresses == 1 else f"{addresses:,} outbound addresses have {room} ports"


def _shared_ports(groups: Sequence[Group], balancer: LoadBalancer) -> Item:
    """Nothing is rejected without a declared number: the nodes share the ports, and get fewer as their number grows. A number counts every surge."""
    figures, most = sizes(groups), with_every_surge(groups).maximum
    step = automatic_step(figures.minimum.minimum)
    edit = "Add outbound addresses and set `allocated_outbound_ports`"
    if step is not None and most is not None and not balancer.outbound_ip_ids and (addresses := outbound_addresses(balancer)) is not None:
        enough = max(ceil(most * step[1] / PORTS), addresses)
        edit = f"Set `network_profile.load_balancer.managed_outbound_ips` to `{enough}` and `allocated_outbound_ports` to `{step[1]}`"
    has = "The load balancer divides its ports among the nodes"
    each = f": each gets {step[1]:,} up to {step[0]:,} nodes, and fewer above that" if step is not None else ""
    message = f"{has}{each}; nodes during an upgrade at the maximum sizes: {figures.upgrade}"
    return Item(
        "outbound_ports",
        "load_balancer",
        "planning",
        needs=figures.upgrade,
        room=None if step is None else exactly(step[0]),
        sizes=figures,
        message=message,
        remedy=f"{edit}, or use a NAT gateway in a new cluster",
    )
