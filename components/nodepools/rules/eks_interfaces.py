"""The network interfaces of nodes, as a NodeClass of EKS Auto Mode declares them. Facts: docs/facts/eks.md N13."""

from collections import Counter
from collections.abc import Iterator

from nodepools.model.eks.node_class import AdvancedNetworking, NetworkInterface
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule

_SOURCE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html, 2026-07-21: networkInterfaces"
_EFA = NetworkInterface(device_index=1, interface_type="efa-only")


@rule("EKS050", Severity.ERROR, source=_SOURCE, sample=lambda: AdvancedNetworking(network_interfaces=[_EFA]))
def invalid_network_interfaces(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """A node has a primary interface, card 0 and device 0 of the type `interface`, and one interface a device."""
    interfaces = networking.network_interfaces
    places = Counter((one.network_card_index, one.device_index) for one in interfaces)
    for index, one in enumerate(interfaces):
        place = (one.network_card_index, one.device_index)
        if places[place] > 1 and place in [(other.network_card_index, other.device_index) for other in interfaces[:index]]:
            yield finding(
                networking, "is there twice: card {} device {}".format(*place), at=("network_interfaces", index), fix="give it a device of its own"
            )
    primary = [one for one in interfaces if (one.network_card_index, one.device_index) == (0, 0)]
    if interfaces and (not primary or primary[0].interface_type != "interface"):
        fix = "add NetworkInterface(), card 0 and device 0"
        yield finding(networking, "have no primary interface among them", at="network_interfaces", value=None, fix=fix)


@rule(
    "EKS051",
    Severity.ERROR,
    source=_SOURCE,
    sample=lambda: NetworkInterface(secondary_ipv4_count=1, secondary_ipv4_prefix_count=1),
)
def conflicting_interface_addresses(interface: NetworkInterface) -> Iterator[PartFinding]:
    """An interface has further addresses or prefixes of them, and only one that carries IP, on card 0, has either."""
    given = [name for name in ("secondary_ipv4_count", "secondary_ipv4_prefix_count") if getattr(interface, name) is not None]
    if len(given) > 1:
        yield finding(interface, f"excludes {given[0]}", at=given[1], fix="keep one of them")
    elif given and interface.interface_type == "efa-only":
        yield finding(interface, "is for interfaces that carry IP", at=given[0], fix="remove it")
    elif given and interface.network_card_index != 0:
        yield finding(interface, "is for network card 0", at=given[0], fix="remove it")


@rule(
    "EKS052",
    Severity.ERROR,
    source=f"{_SOURCE}; EC2: one EFA a network card, no public address with several interfaces",
    sample=lambda: AdvancedNetworking(network_interfaces=[NetworkInterface(), _EFA], associate_public_ip_address=True),
)
def conflicting_network_interfaces(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """A card has one `efa-only` interface at most, and a node with several interfaces no public address of its own accord."""
    if networking.associate_public_ip_address and len(networking.network_interfaces) > 1:
        yield finding(networking, "is refused with several interfaces", at="associate_public_ip_address", fix="leave it out")
    seen: set[int] = set()
    for index, one in enumerate(networking.network_interfaces):
        if one.interface_type == "efa-only" and one.network_card_index in seen:
            message = f"is the second efa-only interface of card {one.network_card_index}"
            yield finding(networking, message, at=("network_interfaces", index), fix="put it on a card of its own")
        if one.interface_type == "efa-only":
            seen.add(one.network_card_index)
