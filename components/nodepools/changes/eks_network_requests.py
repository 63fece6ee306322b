"""The resources inside a new VPC: subnets, gateways and routes. They change only with the network, whose changes are reported; the order has them.

The id of a resource stands for what replaces it: a subnet in another VPC is another one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import Site
from nodepools.changes.request import NETWORK, SUBNET, Key, Request
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs, default_zone_count, zone_place
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.eks.network import INSIDE

_OUTBOUND: Final = "outbound route"
"""Gateways, routes and what belongs to them."""
_ANYWHERE: Final = "0.0.0.0/0"


@dataclass(frozen=True, slots=True)
class _Inside:
    """Makes the requests inside one VPC."""

    cluster: EksClusterArgs
    network: EksNetworkArgs
    site: Site

    @property
    def vpc(self) -> str:
        return f"Vpc {self.network.cidr} in {self.cluster.region}"

    @property
    def zones(self) -> Mapping[int, Mapping[str, object]]:
        """The arguments of each zone, by its place in the region; those that the account decides are unknown."""
        if not self.network.zones:
            return {place: {"availabilityZone": UNKNOWN, "availabilityZoneId": UNKNOWN} for place in range(default_zone_count(self.cluster.region))}
        placed = {place: zone for zone in self.network.zones if (place := zone_place(zone)) is not None}
        return {place: {"availabilityZoneId" if "-az" in placed[place] else "availabilityZone": placed[place]} for place in sorted(placed)}

    def subnet(self, place: int, word: str, zone: Mapping[str, object]) -> Request:
        ranges = self.network.ranges(place)
        cidr = ranges.public if word == "public" else ranges.private
        sent = {"cidrBlock": cidr, "vpcId": self.vpc, **zone, "tags": dict(self.cluster.tags)}
        return self.made("Subnet", f"{word}-{place + 1}", sent, (self.site.key, NETWORK, ""))

    def table(self, word: str) -> Request:
        return self.made("RouteTable", word, {"vpcId": self.vpc, "tags": dict(self.cluster.tags)}, (self.site.key, NETWORK, ""))

    def association(self, table: Request, subnet: Request) -> Request:
        sent = {"routeTableId": _id(table), "subnetId": _id(subnet)}
        return self.made("RouteTableAssociation", _word(subnet, self.site), sent, table.key, subnet.key)

    def route(self, table: Request, through: str, gateway: Request) -> Request:
        sent = {"routeTableId": _id(table), "destinationCidrBlock": _ANYWHERE, through: _id(gateway)}
        return self.made("Route", _word(table, self.site), sent, table.key, gateway.key)

    def made(self, kind: str, word: str, sent: Mapping[str, object], *needs: Key) -> Request:
        steps, name = (*self.site.steps, "network"), ResourceName(f"aws:ec2/{kind[0].lower()}{kind[1:]}:{kind}", f"{self.site.stem}-{word}")
        key = (self.site.key, SUBNET if kind == "Subnet" else _OUTBOUND, f"{kind} {word}")
        every = {**sent, "region": self.cluster.region}
        return Request(key, self.site.key, steps, name, INSIDE[kind], every, needs=frozenset(needs), follows=True)


def network_requests(cluster: EksClusterArgs, network: EksNetworkArgs, site: Site) -> Iterator[Request]:
    """Everything inside the VPC, in the order of registration; eks/network.py and eks/egress.py register it."""
    inside = _Inside(cluster, network, site)
    subnets = {word: [inside.subnet(place, word, zone) for place, zone in inside.zones.items()] for word in ("public", "private")}
    yield from (*subnets["public"], *subnets["private"])
    tags = {"tags": dict(cluster.tags)}
    internet = inside.made("InternetGateway", "internet", {"vpcId": inside.vpc, **tags}, (site.key, NETWORK, ""))
    public = inside.table("public")
    yield from (internet, public, inside.route(public, "gatewayId", internet))
    yield from (inside.association(public, subnet) for subnet in subnets["public"])
    nats: list[Request] = []
    for subnet in subnets["public"][: {None: 0, "single": 1, "per-zone": len(subnets["public"])}[network.nat]]:
        word = _word(subnet, site).replace("public", "nat")
        address = inside.made("Eip", word, {"domain": "vpc", **tags}, internet.key)
        sent = {"allocationId": _id(address), "subnetId": _id(subnet), **tags}
        nats.append(inside.made("NatGateway", word, sent, address.key, subnet.key, internet.key))
        yield from (address, nats[-1])
    for place, subnet in enumerate(subnets["private"]):
        table = inside.table(_word(subnet, site))
        yield from (table, inside.association(table, subnet))
        if nats:
            yield inside.route(table, "natGatewayId", nats[min(place, len(nats) - 1)])


def needed_by_cluster(inside: Iterable[Request]) -> frozenset[Key]:
    """What a cluster needs until its last node is gone: private subnets, and all outbound routes."""
    return frozenset(request.key for request in inside if request.key[1] == _OUTBOUND or "private" in request.key[2])


def _id(request: Request) -> str:
    """Another text if another resource has the place of this one."""
    kind = request.resource.type.rpartition(":")[2]
    parts = [request.sent.get(name) for name in ("vpcId", "cidrBlock", "subnetId", "allocationId", "domain", "region")]
    return " ".join([kind, request.resource.name, *(str(part) for part in parts if part is not None and kind != "InternetGateway")])


def _word(request: Request, site: Site) -> str:
    return request.resource.name.removeprefix(f"{site.stem}-")
