"""The network interfaces of nodes, as a NodeClass of EKS Auto Mode declares them. Facts: docs/facts/eks.md N13."""

from collections.abc import Iterator

from nodepools.model.eks.node_class import AdvancedNetworking, NetworkInterface
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import Fix, Operation, add, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule

_SOURCE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html, 2026-07-21: networkInterfaces"
_EFA = NetworkInterface(device_index=1, interface_type="efa-only")


@rule("EKS050", Severity.ERROR, source=_SOURCE, sample=Sample("network_interfaces", lambda: AdvancedNetworking(network_interfaces=[_EFA])))
def invalid_network_interfaces(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """A node needs a primary interface (card 0, device 0, type `interface`) and has at most one interface for each device of a card."""
    interfaces = networking.network_interfaces
    places = [(interface.network_card_index, interface.device_index) for interface in interfaces]
    for index, (card, device) in enumerate(places):
        if (card, device) in places[:index]:
            free = next(number for number in range(len(places) + 1) if (card, number) not in places)
            message = f"Two network interfaces have card {card}, device {device}"
            yield finding(networking, message, path=("network_interfaces", index), fix=set_to(("network_interfaces", index, "device_index"), free))
    primary = places.index((0, 0)) if (0, 0) in places else None
    if interfaces and (primary is None or interfaces[primary].interface_type != "interface"):
        message = f"{ref('network_interfaces')} has no primary interface (card 0, device 0, type `interface`)"
        fix = _with_primary(networking) if primary is None else (set_to(("network_interfaces", primary, "interface_type"), "interface"),)
        yield finding(networking, message, path="network_interfaces", value=None, fix=fix)


def _with_primary(networking: AdvancedNetworking) -> tuple[Operation, ...]:
    """Adds a primary interface; AWS assigns no public address to nodes with several interfaces."""
    public = vars(networking)["associate_public_ip_address"] is True  # where it is not known, the finding stays
    several = (remove("associate_public_ip_address"),) if public else ()
    return (add("network_interfaces", NetworkInterface(network_card_index=0, device_index=0)), *several)


@rule(
    "EKS051",
    Severity.ERROR,
    source=_SOURCE,
    sample=Sample("secondary_ipv4_prefix_count", lambda: NetworkInterface(secondary_ipv4_count=1, secondary_ipv4_prefix_count=1)),
)
def conflicting_interface_addresses(interface: NetworkInterface) -> Iterator[PartFinding]:
    """An interface can have either additional addresses or prefixes, and only if it carries IP traffic on card 0."""
    given = [name for name in ("secondary_ipv4_count", "secondary_ipv4_prefix_count") if getattr(interface, name) is not None]
    carries = interface.interface_type == "interface" and interface.network_card_index == 0
    if len(given) > 1:
        fix = Fix(f"Remove {ref(given[1])} or {ref(given[0])}", (remove(given[1]),)) if carries else tuple(map(remove, given))
        yield finding(interface, f"{ref(given[1])} and {ref(given[0])} cannot both be set", path=given[1], fix=fix)
    elif given and not carries:
        only = "interfaces of the type `interface`" if interface.interface_type == "efa-only" else "interfaces of network card 0"
        yield finding(interface, f"{ref(given[0])} is only for {only}", path=given[0], fix=remove(given[0]))


@rule(
    "EKS052",
    Severity.ERROR,
    source=f"{_SOURCE}; EC2: one EFA a network card, no public address with several interfaces",
    sample=Sample(
        "associate_public_ip_address", lambda: AdvancedNetworking(network_interfaces=[NetworkInterface(), _EFA], associate_public_ip_address=True)
    ),
)
def conflicting_network_interfaces(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """EC2 allows one `efa-only` interface for each network card, and assigns no public address to a node with several interfaces."""
    if networking.associate_public_ip_address and len(networking.network_interfaces) > 1:
        public = "associate_public_ip_address"
        yield finding(networking, f"EC2 rejects {ref(public)} for a node with several network interfaces", path=public, fix=remove(public))
    seen: set[int] = set()
    for index, card in enumerate(networking.network_interfaces):
        if card.interface_type == "efa-only" and card.network_card_index in seen:
            message = f"Network card {card.network_card_index} has more than one `efa-only` interface: EC2 allows one"
            fix = Fix("Remove the interface, or move it to another network card", (remove(("network_interfaces", index)),))
            yield finding(networking, message, path=("network_interfaces", index), fix=fix)
        if card.interface_type == "efa-only":
            seen.add(card.network_card_index)
