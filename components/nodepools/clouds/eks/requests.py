"""What an EKS cluster sends: the cluster, its VPC, its add-ons, and the objects inside it.

The id of a resource stands for what replaces it: a subnet in another VPC is another one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.clouds.change import ResourceName
from nodepools.clouds.karpenter_requests import EKS, Site, class_request, pool_request, resolved
from nodepools.clouds.request import ADD_ON, EKS_CLUSTER, ENTRY, IDENTITY, LOGS, NETWORK, POLICY, POOL, SUBNET, Key, Request
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.access_names import admin_word
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs, default_zone_count, zone_place
from nodepools.model.eks.node_class_names import PROFILE, class_name, class_role, entry_word, node_role_name, role_reference
from nodepools.model.eks.role_names import cluster_role_name, pod_role_name
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.eks import access, add_ons
from nodepools.wire.eks import node_class as classes
from nodepools.wire.eks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.eks.cluster import EksClusterContext
from nodepools.wire.eks.log_group import LOG_GROUP
from nodepools.wire.eks.network import INSIDE, VPC
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

_TYPES: Final = {
    IDENTITY: "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    ADD_ON: "aws:eks/addon:Addon",
    LOGS: "aws:cloudwatch/logGroup:LogGroup",
}
_VPC: Final = "aws:ec2/vpc:Vpc"


def eks_requests(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Every resource that has a table, in the order of registration."""
    needs = frozenset[Key]()
    if isinstance(cluster.network, EksNetworkArgs):
        made = {**write(VPC, cluster.network, resolve=resolved), "region": cluster.region, "tags": dict(cluster.tags)}
        resource = ResourceName(_VPC, f"{site.stem}-vpc")
        decided = {"region": [((*site.steps, "region"), cluster.region)], "tags": [((*site.steps, "tags"), cluster.tags)]}
        yield Request((site.key, NETWORK, ""), site.key, (*site.steps, "network"), resource, VPC, made, decided_by=decided)
        inside = list(network_requests(cluster, cluster.network, site))
        needs = frozenset({(site.key, NETWORK, "")}) | needed_by_cluster(inside)
        yield from inside
    if not cluster.logs.existing:
        yield _log_group(cluster, site)
        needs |= {(site.key, LOGS, "")}
    around = EksClusterContext(site.stem, _cluster_role(cluster, site), _built_in_role(cluster, site), _control_plane_subnets(cluster))
    sent = write(CLUSTER_TABLE, cluster, around, resolve=resolved)
    name = ResourceName(EKS_CLUSTER, site.stem)
    overrides, decided = _other_overrides(cluster), {"vpcConfig.subnetIds": _subnet_fields(cluster, site)}
    yield Request(site.cluster, site.key, site.steps, name, CLUSTER_TABLE, sent, "EksClusterArgs", needs, overrides, decided_by=decided)
    principals = tuple(admissions_of_principals(cluster, site))
    yield from principals
    nodes = admission_of_nodes(cluster, site)
    yield from nodes.requests
    yield from _identities(cluster, site)
    yield from _objects(cluster, site, frozenset(request.key for request in principals), nodes.of_class)
    yield from _add_ons(cluster, site)


def _log_group(cluster: EksClusterArgs, site: Site) -> Request:
    written = write(LOG_GROUP, cluster.logs, cluster.cluster_name(site.stem), resolve=resolved)
    made = {**written, "region": cluster.region, "tags": dict(cluster.tags)}
    decided = {"name": [((*site.steps, "name"), cluster.name)], "region": [((*site.steps, "region"), cluster.region)]}
    name = ResourceName(_TYPES[LOGS], f"{site.stem}-logs")
    return Request((site.key, LOGS, ""), site.key, (*site.steps, "logs"), name, LOG_GROUP, made, decided_by=decided)


def _identities(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    for key, identity in cluster.pod_identities.items():
        role = _pod_role(cluster, site, "pod", key)
        made = {**write(add_ons.POD_IDENTITY, identity, role, resolve=resolved), "tags": dict(cluster.tags)}
        name = ResourceName(_TYPES[IDENTITY], f"{site.stem}-pod-identity-{key}")
        steps, needs = (*site.steps, "pod_identities", key), frozenset({site.cluster})
        yield Request((site.key, IDENTITY, key), site.key, steps, name, add_ons.POD_IDENTITY, made, needs=needs, overrides=identity.overrides)


def _add_ons(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Each add-on needs the NodePools, on whose nodes its pods run."""
    needs = frozenset({site.cluster, *((site.key, POOL, key) for key in cluster.applied_node_pools)})
    for key, declared in cluster.add_ons.items():
        roles = {account: _pod_role(cluster, site, "add-on", key, account) for account in declared.pod_identity}
        made = {**write(add_ons.ADD_ON, declared, roles, resolve=resolved), "tags": dict(cluster.tags)}
        name = ResourceName(_TYPES[ADD_ON], f"{site.stem}-add-on-{key}")
        yield Request((site.key, ADD_ON, key), site.key, (*site.steps, "add_ons", key), name, add_ons.ADD_ON, made, needs=needs)


def _objects(cluster: EksClusterArgs, site: Site, admitted: frozenset[Key], of_class: Mapping[str, Key]) -> Iterator[Request]:
    """Each object needs `admitted`, the access of those who can create it; a NodeClass also needs the access of its nodes."""
    groups = [{"tags": {"aws:eks:cluster-name": cluster.cluster_name(site.stem)}}]
    names: dict[str, str] = {}
    for place, key, declared in cluster.auto_mode.all_classes():
        role = class_role(site.stem, cluster, key, declared, _text)
        names[place] = class_name(key, role, site.stem, declared.name)
        around = classes.NodeClassContext(None if role.startswith(PROFILE) else role, _node_subnets(cluster, site), groups)
        steps = ("auto_mode", "node_classes", *place.split("/"))
        sent = merge_overrides(write(classes.NODE_CLASS, declared, around, resolve=resolved), declared.overrides)
        of_nodes = frozenset({of_class[place]}) if place in of_class else frozenset[Key]()
        made = class_request(site, steps, names[place], EKS, sent)
        own = ((*made.steps, "subnets"), declared.subnets)
        decided = {"subnetSelectorTerms": [own, *_subnet_fields(cluster, site)[1:]]}
        yield replace(made, needs=made.needs | admitted | of_nodes, decided_by=decided, is_registered=cluster.apply == "direct")
    for name, pool in cluster.applied_node_pools.items():
        class_of = names.get(pool.node_class) if pool.node_class is not None else None
        made = pool_request(site, ("auto_mode", "node_pools", name), pool, EKS, class_of)
        yield replace(made, needs=made.needs | admitted, is_registered=cluster.apply == "direct")


def _other_overrides(cluster: EksClusterArgs) -> Mapping[str, object]:
    """The overrides of arguments that the table does not write: it writes the others with their overrides."""
    written = {way.model[1:2] for way in CLUSTER_TABLE.field_paths if way.model[:1] == ("overrides",)}
    return {name: value for name, value in cluster.overrides.items() if (name,) not in written}


def _cluster_role(cluster: EksClusterArgs, site: Site) -> object:
    return resolved(cluster.cluster_role) if cluster.cluster_role is not None else f"{cluster.iam_path}{cluster_role_name(site.stem, cluster)}"


def _pod_role(cluster: EksClusterArgs, site: Site, *word: str) -> object:
    return f"{cluster.iam_path}{pod_role_name(site.stem, cluster, *word)}"


def _built_in_role(cluster: EksClusterArgs, site: Site) -> object:
    if not cluster.auto_mode.built_in_node_pools:
        return None
    return resolved(cluster.node_role) if cluster.node_role is not None else f"{cluster.iam_path}{node_role_name(site.stem, cluster)}"


def _control_plane_subnets(cluster: EksClusterArgs) -> Sequence[object]:
    network = cluster.network
    if isinstance(network, EksNetworkArgs):
        return [f"subnet of {network.cidr} in {zone}" for zone in (sorted(network.zones) if network.zones else ("each zone",))]
    return [resolved(subnet) for subnet in (network.control_plane_subnet_ids if network.control_plane_subnet_ids else network.private_subnet_ids)]


def _subnet_fields(cluster: EksClusterArgs, site: Site) -> Sequence[tuple[Steps, object]]:
    """The fields that name existing subnets of the control plane, and of nodes."""
    network = cluster.network
    if isinstance(network, EksNetworkArgs):
        return []
    return [((*site.steps, "network", name), getattr(network, name)) for name in ("control_plane_subnet_ids", "private_subnet_ids")]


def _node_subnets(cluster: EksClusterArgs, site: Site) -> Sequence[Mapping[str, object]]:
    network = cluster.network
    if isinstance(network, EksNetworkArgs):
        return [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": site.stem}}]  # as clouds/eks/selectors.py has them
    return [{"id": resolved(subnet)} for subnet in network.private_subnet_ids]


def _text(reference: object) -> str:
    return str(resolved(reference))


_ENTRY: Final = "aws:eks/accessEntry:AccessEntry"
_POLICY: Final = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_ADMIN_POLICY: Final = (AccessPolicy("AmazonEKSClusterAdminPolicy"),)
_NODE: Final = (AccessPolicy("AmazonEKSAutoNodePolicy"),)


@dataclass(frozen=True, slots=True)
class NodeAdmission:
    """The access of the nodes of NodeClasses."""

    requests: tuple[Request, ...]
    of_class: Mapping[str, Key]
    """What each NodeClass needs, by its name in the cluster."""


def admissions_of_principals(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """The entries of admins and other principals, with their policies."""
    for number, admin in enumerate(cluster.admins):
        yield from _with_policy(
            cluster, site, f"admin-{admin_word(admin, number + 1)}", ("admins", number), AccessEntry(principal=admin, policies=_ADMIN_POLICY)
        )
    for key, declared in cluster.access_entries.items():
        steps = ("access_entries", key)
        entry = _entry(cluster, site, f"entry-{key}", steps, declared)
        yield replace(entry, key=(site.key, ENTRY, key))
        for number, policy in enumerate(declared.policies):
            made = _policy(site, f"entry-{key}-{policy.name}", (*steps, "policies", number), policy, (site.key, ENTRY, key))
            yield replace(made, key=(site.key, POLICY, f"{key}-{policy.name}"))


def admission_of_nodes(cluster: EksClusterArgs, site: Site) -> NodeAdmission:
    """One entry for each node role of NodeClasses, except the role of the built-in NodePools, for which EKS creates it."""
    requests: dict[str, list[Request]] = {}
    of_class: dict[str, Key] = {}
    built_in = _built_in(cluster, site)
    for place, key, declared in cluster.auto_mode.all_classes():
        role = class_role(site.stem, cluster, key, declared, lambda reference: str(resolved(reference)))
        if role.startswith(PROFILE) or role == built_in:
            continue
        word = f"access-{entry_word(cluster, key, declared)}"
        if role not in requests:
            steps = ("auto_mode", "node_classes", *place.split("/"), "role")
            admission = _with_policy(cluster, site, word, steps, AccessEntry(principal=role, type="EC2", policies=_NODE))
            requests[role] = [replace(request, follows=True) for request in admission]
        of_class[place] = requests[role][-1].key
    return NodeAdmission(tuple(request for several in requests.values() for request in several), of_class)


def _built_in(cluster: EksClusterArgs, site: Site) -> str | None:
    if not cluster.auto_mode.built_in_node_pools:
        return None
    if cluster.node_role is not None:
        return role_reference(str(resolved(cluster.node_role)))
    return f"{role_reference(cluster.iam_path)}{node_role_name(site.stem, cluster)}"


def _with_policy(cluster: EksClusterArgs, site: Site, word: str, steps: Steps, declared: AccessEntry) -> list[Request]:
    """An entry with one policy, which is not part of the resource names."""
    entry = _entry(cluster, site, word, steps, declared)
    made = [_policy(site, f"{word}-policy", steps, policy, entry.key) for policy in declared.policies]
    principal = entry.sent.get("principalArn")
    return [entry, *(replace(one, sent={**one.sent, "principalArn": principal}, follows=True) for one in made)]


def _entry(cluster: EksClusterArgs, site: Site, word: str, steps: Steps, declared: AccessEntry) -> Request:
    sent = {**write(access.ENTRY, declared, resolve=resolved), "tags": dict(cluster.tags)}
    name = ResourceName(_ENTRY, f"{site.stem}-{word}")
    return Request((site.key, ENTRY, word), site.key, (*site.steps, *steps), name, access.ENTRY, sent, needs=frozenset({site.cluster}))


def _policy(site: Site, word: str, steps: Steps, policy: AccessPolicy, entry: Key) -> Request:
    sent, name = write(access.POLICY, policy, policy.name), ResourceName(_POLICY, f"{site.stem}-{word}")
    return Request((site.key, POLICY, word), site.key, (*site.steps, *steps), name, access.POLICY, sent, needs=frozenset({site.cluster, entry}))


_OUTBOUND: Final = "outbound route"
"""Gateways, routes and what belongs to them."""
_ANYWHERE: Final = "0.0.0.0/0"


@dataclass(frozen=True, slots=True)
class _NetworkRequests:
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
        sent = {"routeTableId": _created_id(table), "subnetId": _created_id(subnet)}
        return self.made("RouteTableAssociation", _word(subnet, self.site), sent, table.key, subnet.key)

    def route(self, table: Request, through: str, gateway: Request) -> Request:
        sent = {"routeTableId": _created_id(table), "destinationCidrBlock": _ANYWHERE, through: _created_id(gateway)}
        return self.made("Route", _word(table, self.site), sent, table.key, gateway.key)

    def made(self, kind: str, word: str, sent: Mapping[str, object], *needs: Key) -> Request:
        steps, name = (*self.site.steps, "network"), ResourceName(f"aws:ec2/{kind[0].lower()}{kind[1:]}:{kind}", f"{self.site.stem}-{word}")
        key = (self.site.key, SUBNET if kind == "Subnet" else _OUTBOUND, f"{kind} {word}")
        every = {**sent, "region": self.cluster.region}
        return Request(key, self.site.key, steps, name, INSIDE[kind], every, needs=frozenset(needs), follows=True)


def network_requests(cluster: EksClusterArgs, network: EksNetworkArgs, site: Site) -> Iterator[Request]:
    """Everything inside the VPC, in the order of registration; eks/network.py and eks/egress.py register it."""
    inside = _NetworkRequests(cluster, network, site)
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
        sent = {"allocationId": _created_id(address), "subnetId": _created_id(subnet), **tags}
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


def _created_id(request: Request) -> str:
    """Another text if another resource has the place of this one."""
    kind = request.resource.type.rpartition(":")[2]
    parts = [request.sent.get(name) for name in ("vpcId", "cidrBlock", "subnetId", "allocationId", "domain", "region")]
    return " ".join([kind, request.resource.name, *(str(part) for part in parts if part is not None and kind != "InternetGateway")])


def _word(request: Request, site: Site) -> str:
    return request.resource.name.removeprefix(f"{site.stem}-")
