"""Addresses that nodes of self-managed Karpenter take in the subnets that their EC2NodeClass selects. Only `limits` bound the number of nodes.

Each node takes an address, and at most those of all its interfaces, which can all have prefixes. Source: docs/facts/capacity.md § 3.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.kubernetes.raw_fields import entries
from nodepools.needs.amounts import NOTHING, Amount, total
from nodepools.needs.item import Item
from nodepools.needs.karpenter_nodes import machines, node_ceiling
from nodepools.needs.node_group_needs import most_addresses
from nodepools.needs.selector_terms import selects
from nodepools.needs.sizes import Group, sizes
from nodepools.needs.stock import SubnetStock
from nodepools.placement.eks_self_managed import EC2_CLASS
from nodepools.placement.node_groups import TYPE
from nodepools.placement.node_pools import KarpenterPool

Classes = Mapping[str, tuple[str, Mapping[str, object]]]
"""Name and `spec` of the EC2NodeClass of each NodePool that has one in the input."""
_NOT_GIVEN: Final[Mapping[str, object]] = {}
_REMEDY: Final = "Use larger subnets, or lower the `limits` of the NodePools"


def selected_subnets(places: Iterable[KarpenterPool], classes: Classes, known: Mapping[str, SubnetStock]) -> Iterator[Item]:
    """One item for each EC2NodeClass: the subnets that it selects together."""
    by_class: dict[str, list[KarpenterPool]] = {}
    for place in places:
        if place.cloud.class_label == EC2_CLASS:
            by_class.setdefault(place.own[EC2_CLASS], []).append(place)
    for name, of_class in by_class.items():
        figures = sizes([Group(NOTHING, Amount(0, node_ceiling(place).at_most), _of_node(place)) for place in of_class])
        spec: Mapping[str, object] = next((classes[place.name][1] for place in of_class if place.name in classes), _NOT_GIVEN)
        yield Item(
            what="node_subnet",
            name=f"subnets of {name}",
            checked_by="true_use",
            needs=figures.ceiling,
            room=_room(entries(spec, "subnetSelectorTerms"), known),
            sizes=figures,
            message=f"EC2NodeClass `{name}` selects the subnets of its nodes: {_bound(of_class, figures.ceiling)}",
            remedy=_REMEDY,
        )


def _bound(places: Sequence[KarpenterPool], needs: Amount) -> str:
    """What bounds the addresses, or why nothing does."""
    unlimited = [f"`{place.address}`" for place in places if node_ceiling(place).at_most is None]
    if unlimited:
        return f"without `limits` of {', '.join(unlimited)}, the number of nodes and addresses has no upper bound"
    most = total(node_ceiling(place) for place in places).at_most
    if needs.at_most is None:
        return f"`limits` allow at most {most} nodes; how many addresses a node takes is not known for all instance types that are allowed"
    return f"`limits` allow at most {most} nodes, which take at most {needs.at_most:,} addresses"


def _of_node(place: KarpenterPool) -> Amount:
    """The addresses of a node. A NodePool that names its instance types has no other."""
    offered = place.offered.get(TYPE)
    names = offered.members if offered is not None and not offered.complement else {machine.name for machine in machines(place)}
    return Amount(1, most_addresses(names))


def _room(terms: Sequence[Mapping[str, object]], known: Mapping[str, SubnetStock]) -> Amount | None:
    """The addresses of the selected subnets; tags can also select subnets that were not exported."""
    found = {subnet: stock for subnet, stock in known.items() if any(selects(term, subnet, stock.tags) for term in terms)}
    least = total(stock.addresses.room for stock in found.values())
    is_complete = all(str(term.get("id", "")).lower() in found for term in terms)
    return None if not found else least if is_complete else Amount(least.at_least, None)
