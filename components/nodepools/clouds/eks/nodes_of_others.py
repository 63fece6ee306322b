"""What a program registers in a cluster next to its declaration: node groups, and self-managed Karpenter with the subnets of its node classes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.clouds.amounts import NOTHING, Amount, Group, sizes, total
from nodepools.clouds.change import selects
from nodepools.clouds.eks.node_groups import TYPE, NodeGroup
from nodepools.clouds.eks.resources import most_addresses
from nodepools.clouds.eks.self_managed import EC2_CLASS
from nodepools.clouds.item import Item, SubnetStock
from nodepools.clouds.karpenter_nodes import node_ceiling
from nodepools.model.kubernetes.raw_fields import entries
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.node_pools import ClusterPools, KarpenterPool

Classes = Mapping[str, tuple[str, Mapping[str, object]]]
"""Name and `spec` of the EC2NodeClass of each NodePool that has one in the input."""
_NOT_GIVEN: Final[Mapping[str, object]] = {}
_REMEDY: Final = "Use larger subnets, or lower the `limits` of the NodePools"


def selected_subnets(places: Iterable[KarpenterPool], classes: Classes, known: Mapping[str, SubnetStock]) -> Iterator[Item]:
    """One item for each EC2NodeClass: the subnets that it selects together."""
    by_class = grouped((place.own[EC2_CLASS], place) for place in places if place.cloud.class_label == EC2_CLASS)
    for name, of_class in by_class.items():
        figures = sizes([Group(NOTHING, Amount(0, node_ceiling(place).maximum), _of_node(place)) for place in of_class])
        spec: Mapping[str, object] = next((classes[place.name][1] for place in of_class if place.name in classes), _NOT_GIVEN)
        message = f"EC2NodeClass `{name}` selects the subnets of its nodes: {_bound(of_class, figures.maximum)}"
        yield Item(
            "node_subnet",
            f"subnets of {name}",
            "true_use",
            needs=figures.maximum,
            room=_subnet_room(entries(spec, "subnetSelectorTerms"), known),
            sizes=figures,
            message=message,
            remedy=_REMEDY,
        )


def _bound(places: Sequence[KarpenterPool], needs: Amount) -> str:
    """What bounds the addresses, or why nothing does."""
    unlimited = [f"`{place.address}`" for place in places if node_ceiling(place).maximum is None]
    if unlimited:
        return f"without `limits` of {', '.join(unlimited)}, the number of nodes and addresses has no upper bound"
    most = total(node_ceiling(place) for place in places).maximum
    if needs.maximum is None:
        return f"`limits` allow at most {most} nodes; how many addresses a node takes is not known for all instance types that are allowed"
    return f"`limits` allow at most {most} nodes, which take at most {needs.maximum:,} addresses"


def _of_node(place: KarpenterPool) -> Amount:
    """The addresses of a node. A NodePool that names its instance types has no other."""
    offered = place.offered.get(TYPE)
    names = offered.members if offered is not None and not offered.complement else {machine.name for machine in place.machines}
    return Amount(1, most_addresses(names))


def _subnet_room(terms: Sequence[Mapping[str, object]], known: Mapping[str, SubnetStock]) -> Amount | None:
    """The addresses of the selected subnets; tags can also select subnets that were not exported."""
    found = {subnet: stock for subnet, stock in known.items() if any(selects(term, subnet, stock.tags) for term in terms)}
    least = total(stock.addresses.room for stock in found.values())
    is_complete = all(str(term.get("id", "")).lower() in found for term in terms)
    return None if not found else least if is_complete else Amount(least.minimum, None)


@dataclass(frozen=True, slots=True)
class NodesOfOthers:
    """Those of one cluster."""

    groups: Sequence[NodeGroup] = ()
    pools: tuple[KarpenterPool, ...] = ()
    unsure: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why a NodePool is not certain to launch nodes, by its name."""
    classes: Classes = field(default_factory=dict[str, tuple[str, Mapping[str, object]]])

    def next_to(self, declared: ClusterPools) -> ClusterPools:
        """The pools of the cluster with these. Neither the zones of subnets of node groups nor whether an autoscaler runs is declared."""
        own = tuple(replace(place, address=f"{declared.cluster}/{place.name}") for place in self.pools)
        static = tuple(replace(group.nodes(None, autoscaled=None), address=f"{declared.cluster}/{group.name}") for group in self.groups)
        why = {**{group.name: group.why_unsure(autoscaled=None) for group in self.groups}, **self.unsure}
        unsure = {f"{declared.cluster}/{name}": reason for name, reason in why.items() if reason is not None}
        provisioned = (*declared.provisioned, *own)
        return replace(declared, static=(*declared.static, *static), provisioned=provisioned, unsure={**declared.unsure, **unsure})
