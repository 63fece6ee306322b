"""What an EKS cluster sends: the cluster, its VPC, its add-ons, and the objects inside it.

The id of a resource stands for what replaces it: a subnet in another VPC is another one. A cluster stays in the VPC and the zones of its creation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from nodepools.clouds.change import (
    ADD_ON,
    EKS_CLUSTER,
    ENTRY,
    IDENTITY,
    IDENTITY_PROVIDER,
    LOGS,
    NETWORK,
    NEW_KEY,
    POLICY,
    POOL,
    SECRETS_KEY,
    SUBNET,
    Change,
    Key,
    Request,
    ResourceName,
)
from nodepools.clouds.karpenter_requests import EKS, Site, class_request, pool_request, resolved
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs, ExistingEksNetwork, NewKey, default_zone_count, zone_place
from nodepools.model.eks.node_class_names import (
    PROFILE,
    admin_word,
    class_name,
    class_role,
    cluster_role_name,
    entry_word,
    node_role_name,
    pod_role_name,
    role_reference,
)
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, replace
from nodepools.wire.eks import access
from nodepools.wire.eks import node_class as classes
from nodepools.wire.eks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.eks.cluster import LOG_GROUP, EksClusterContext
from nodepools.wire.eks.cluster import SECRETS_KEY as SECRETS_KEY_TABLE
from nodepools.wire.eks.network import INSIDE, VPC
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write
from nodepools.wire.table import Effect

_SUBNETS, _ZONES, _CIDR = ("control_plane_subnet_ids", "private_subnet_ids"), "zones", "cidr"
_KEEPS_ITS_VPC: Final = "EKS keeps a cluster in its VPC and rejects subnets of another one: `pulumi up` fails; declare a new cluster"
_NEW_VPC: Final = "Pulumi creates another VPC, then fails at the cluster, which EKS keeps in its VPC: nodes stay where they are"
_KIND: Final = "EKS keeps a cluster in its VPC: `pulumi up` fails unless the other network is in the same VPC"
_LEFT: Final = "EKS requires a subnet in each zone in which the cluster was created, and rejects the update: `pulumi up` fails"
_MORE: Final = "Nodes stay. AWS documents updates to subnets only in the zones in which the cluster was created"
_UNCLEAR: Final = "The account decides which zones these are; EKS rejects an update that leaves a zone in which the cluster was created"
_SOURCE: Final = "AWS: EKS user guide, network-reqs; EKS API reference, UpdateClusterConfig (2026-11)"


class _Verdict(NamedTuple):
    effect: Effect
    reason: str
    field: str
    """The field that decides which subnets the cluster has."""
    before: object
    after: object


def own_changes(old: Platform, new: Platform, found: Iterable[Change]) -> list[Change]:
    """The changes, with what EKS does with other subnets of a cluster, and what becomes of resources of fields that have no table of their own.

    A cluster that is replaced can be anywhere.
    """
    every = [_with_parts(change, old, new) for change in found]
    replaced = {change.steps[1] for change in every if change.resource.type == EKS_CLUSTER and change.effect is Effect.REPLACES}
    verdicts = {key: _verdict(old.clusters[key], new.clusters[key]) for key in old.clusters.keys() & new.clusters.keys() - replaced}
    judged = [_judged(change, verdicts.get(str(change.steps[1]))) if change.steps[2:3] == ("network",) else change for change in every]
    return [change for place, change in enumerate(judged) if change.steps[2:3] != ("network",) or change not in judged[:place]]


def _with_parts(change: Change, old: Platform, new: Platform) -> Change:
    before, after = (side.clusters.get(str(change.steps[1])) for side in (old, new))
    if not isinstance(before, EksClusterArgs) or not isinstance(after, EksClusterArgs):
        return change
    told = _PARTS.get(change.steps[2:4], lambda _, __, ___: None)(before, after, change.steps[4:])
    if told is None:
        return change
    return replace(change, effect=told[0], message=told[1])


_Told = tuple[Effect, str] | None
KMS_KEY: Final = "aws:kms/key:Key"
_ROLE_LOSES_KEY: Final = (
    "Nodes stay; the role of the cluster loses the right to use the key, and EKS goes on with the first key that the cluster had. Keep it declared"
)
_ONE_GATEWAY: Final = "Nodes stay; NAT gateways of other zones are deleted with their public addresses, and open connections through them break"
_MORE_GATEWAYS: Final = "Nodes stay; NAT gateways are created. Connections of other zones through the only one break, and get other public addresses"
_NO_GATEWAY: Final = "Nodes stay; NAT gateways and their public addresses are deleted: nodes and pods reach only the VPC and its endpoints"
_NEW_GATEWAY: Final = "NAT gateways are created, with routes of the private subnets to them; nodes stay"
_NOT_PUBLIC: Final = (
    "Nodes stay; the public subnets and the internet gateway are deleted, which AWS rejects while load balancers use them: delete their Ingresses "
    "and Services before"
)
_PUBLIC: Final = "Public subnets and the internet gateway are created; nodes stay"
_BALANCERS: Final = "Nodes stay; the load balancers of Ingresses are replaced, and get other addresses and DNS names"
_NO_ENDPOINT: Final = "Nodes stay; endpoints are deleted: nodes and pods reach these services over NAT gateways, or no longer if there are none"
_ENDPOINT: Final = "Endpoints are created; nodes stay. Names of their services resolve to them at once"
_CLASS_GONE: Final = "Nodes and volumes stay; the StorageClass is deleted: new claims that name it, or that take the default, stay Pending"
_CLASS_AGAIN: Final = "Pulumi deletes the StorageClass and creates it again; volumes and nodes stay, and new volumes get the new parameters"
_RECLAIM: Final = "The API server rejects another `reclaimPolicy` of a StorageClass that exists: set another `name`, too"
_INGRESS_GONE: Final = "Nodes stay; the IngressClass is deleted: Ingresses that use it lose their load balancers, or keep ones that nothing updates"


def _gateways(old: EksClusterArgs, new: EksClusterArgs, _: Steps) -> _Told:
    before, after = (cast("EksNetworkArgs", side.network).nat for side in (old, new))
    if after is None:
        return Effect.IN_PLACE_PODS, _NO_GATEWAY
    if before is None:
        return Effect.IN_PLACE, _NEW_GATEWAY
    return Effect.IN_PLACE_PODS, _ONE_GATEWAY if after == "single" else _MORE_GATEWAYS


def _public_subnets(old: EksClusterArgs, new: EksClusterArgs, _: Steps) -> _Told:
    if isinstance(old.network, EksNetworkArgs) and not new.network.public_subnets:
        return Effect.IN_PLACE_PODS, _NOT_PUBLIC
    told = _scheme(old, new, _)
    return told if told is not None else (Effect.IN_PLACE, _PUBLIC) if isinstance(new.network, EksNetworkArgs) else None


def _endpoints(old: EksClusterArgs, new: EksClusterArgs, _: Steps) -> _Told:
    before, after = (set(cast("EksNetworkArgs", side.network).endpoints) for side in (old, new))
    return (Effect.IN_PLACE_PODS, _NO_ENDPOINT) if before - after else (Effect.IN_PLACE, _ENDPOINT)


def _storage_class(old: EksClusterArgs, new: EksClusterArgs, inside: Steps) -> _Told:
    """Another name, or other parameters, make another object, which has everything else that is declared."""
    before, after = old.objects.storage_class, new.objects.storage_class
    if before is None:
        return None
    if after is None or inside[:1] == ("name",):
        return Effect.IN_PLACE_PODS, _CLASS_GONE
    parameters = ("volume_type", "iops", "encrypted", "kms_key")
    if before.name != after.name or any(getattr(before, name) != getattr(after, name) for name in parameters):
        return Effect.IN_PLACE, _CLASS_AGAIN
    return (Effect.REFUSED, _RECLAIM) if inside[:1] == ("reclaim",) else None


def _ingress_class(old: EksClusterArgs, new: EksClusterArgs, inside: Steps) -> _Told:
    before, after = old.objects.ingress_class, new.objects.ingress_class
    if before is not None and (after is None or before.name != after.name):
        return Effect.IN_PLACE_PODS, _INGRESS_GONE
    return _scheme(old, new, inside) if inside[:1] == ("scheme",) else None


def _scheme(old: EksClusterArgs, new: EksClusterArgs, _: Steps) -> _Told:
    is_used = old.objects.ingress_class is not None and new.objects.ingress_class is not None
    return (Effect.IN_PLACE_PODS, _BALANCERS) if is_used and old.ingress_scheme != new.ingress_scheme else None


def _sent_key(old: EksClusterArgs, new: EksClusterArgs, _: Steps) -> _Told:
    """The role of the cluster can use the declared keys only."""
    is_kept = old.secrets_key in (None, new.secrets_key) or (new.secrets_key is None and new.new_secrets_key is None)
    return None if is_kept or new.cluster_role is not None else (Effect.IN_PLACE_PODS, _ROLE_LOSES_KEY)


_PARTS: Final[Mapping[Steps, Callable[[EksClusterArgs, EksClusterArgs, Steps], _Told]]] = {
    ("network", "nat"): _gateways,
    ("network", "public_subnets"): _public_subnets,
    ("network", "endpoints"): _endpoints,
    ("objects", "storage_class"): _storage_class,
    ("objects", "ingress_class"): _ingress_class,
    ("secrets_key",): _sent_key,
}
"""What a change of a field does whose resources have no table."""


def _judged(change: Change, verdict: _Verdict | None) -> Change:
    if verdict is None:
        return change
    if change.steps[-1] == _CIDR and change.effect is Effect.REPLACES:
        return replace(change, message=_NEW_VPC, source=f"{change.source}; {_SOURCE}")
    of_cluster = change.steps[-1] in _SUBNETS and change.resource.type == EKS_CLUSTER
    if not of_cluster and change.steps[-1] not in (_ZONES, verdict.field):
        return change
    steps = (*change.steps[:3], verdict.field)
    values = (verdict.before, verdict.after)
    return replace(change, steps=steps, old=values[0], new=values[1], effect=verdict.effect, message=verdict.reason, source=_SOURCE)


def _verdict(before: object, after: object) -> _Verdict | None:
    if not isinstance(before, EksClusterArgs) or not isinstance(after, EksClusterArgs):
        return None
    old, new = before.network, after.network
    if isinstance(old, EksNetworkArgs) and isinstance(new, EksNetworkArgs):
        if old.cidr != new.cidr:
            return _Verdict(Effect.REFUSED, _KEEPS_ITS_VPC, _CIDR, old.cidr, new.cidr)
        return _of_zones(old, new, default_zone_count(after.region)) if old.zones != new.zones else None
    if isinstance(old, ExistingEksNetwork) and isinstance(new, ExistingEksNetwork):
        known = isinstance(old.vpc_id, str) and isinstance(new.vpc_id, str)
        is_another = known and old.vpc_id != new.vpc_id and any(getattr(old, name) != getattr(new, name) for name in _SUBNETS)
        return _Verdict(Effect.REFUSED, _KEEPS_ITS_VPC, "vpc_id", old.vpc_id, new.vpc_id) if is_another else None
    return _Verdict(Effect.UNKNOWN, _KIND, "kind", old.kind, new.kind)


def _of_zones(old: EksNetworkArgs, new: EksNetworkArgs, default: int) -> _Verdict:
    """Zones that are not declared, or are spelled by name on one side and by id on the other, can be compared only by their number."""
    first, second = set(old.zones), set(new.zones)

    def verdict(effect: Effect, reason: str) -> _Verdict:
        return _Verdict(effect, reason, _ZONES, old.zones, new.zones)

    if (len(second) if second else default) < (len(first) if first else default):
        return verdict(Effect.REFUSED, _LEFT)
    if not first or not second or _by_id(first) != _by_id(second):
        return verdict(Effect.UNKNOWN, _UNCLEAR)
    if first - second:
        return verdict(Effect.REFUSED, _LEFT)
    return verdict(Effect.UNKNOWN, _MORE) if second - first else verdict(Effect.NONE, "The same zones: nothing changes")


def _by_id(zones: Iterable[str]) -> bool:
    return any("-az" in zone for zone in zones)


_TYPES: Final = {
    IDENTITY: "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    ADD_ON: "aws:eks/addon:Addon",
    IDENTITY_PROVIDER: "aws:eks/identityProviderConfig:IdentityProviderConfig",
    LOGS: "aws:cloudwatch/logGroup:LogGroup",
}


def eks_requests(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Every resource that has a table, in the order of registration."""
    needs = frozenset[Key]()
    if isinstance(cluster.network, EksNetworkArgs):
        made = {**write(VPC, cluster.network, resolve=resolved), "region": cluster.region, "tags": dict(cluster.tags)}
        resource = ResourceName("aws:ec2/vpc:Vpc", f"{site.stem}-vpc")
        decided = {"region": [((*site.steps, "region"), cluster.region)], "tags": [((*site.steps, "tags"), cluster.tags)]}
        yield Request((site.key, NETWORK, ""), site.key, (*site.steps, "network"), resource, VPC, made, decided_by=decided)
        inside = list(network_requests(cluster, cluster.network, site))
        needs = frozenset({(site.key, NETWORK, "")}) | needed_by_cluster(inside)
        yield from inside
    if not cluster.logs.existing:
        yield _log_group(cluster, site)
        needs |= {(site.key, LOGS, "")}
    if cluster.new_secrets_key is not None:
        yield _new_key(cluster, cluster.new_secrets_key, site)
        needs |= {(site.key, SECRETS_KEY, "")}
    role = resolved(cluster.cluster_role) if cluster.cluster_role is not None else f"{cluster.iam_path}{cluster_role_name(site.stem, cluster)}"
    created = f"{NEW_KEY}{site.stem}" if cluster.new_secrets_key is not None else None
    around = EksClusterContext(site.stem, role, _built_in_role(cluster, site), _control_plane_subnets(cluster), created)
    sent = write(CLUSTER_TABLE, cluster, around, resolve=resolved)
    name = ResourceName(EKS_CLUSTER, site.stem)
    key = [
        ((*site.steps, "secrets_key"), resolved(cluster.secrets_key)),
        ((*site.steps, "new_secrets_key"), dict(cluster.new_secrets_key or ()) or None),
    ]
    decided = {"vpcConfig.subnetIds": _subnet_fields(cluster, site), "encryptionConfig.resources": key, "encryptionConfig.provider.keyArn": key}
    yield Request(site.cluster, site.key, site.steps, name, CLUSTER_TABLE, sent, "EksClusterArgs", needs, cluster.overrides, decided_by=decided)
    principals = tuple(admissions_of_principals(cluster, site))
    yield from principals
    nodes = admission_of_nodes(cluster, site)
    yield from nodes.requests
    yield from _identities(cluster, site)
    yield from _identity_provider(cluster, site)
    yield from _objects(cluster, site, frozenset(request.key for request in principals), nodes.of_class)
    yield from _add_ons(cluster, site)


def _log_group(cluster: EksClusterArgs, site: Site) -> Request:
    written = write(LOG_GROUP, cluster.logs, cluster.cluster_name(site.stem), resolve=resolved)
    made = {**written, "region": cluster.region, "tags": dict(cluster.tags)}
    decided = {name: [((*site.steps, name), getattr(cluster, name))] for name in ("name", "region", "tags")}
    name = ResourceName(_TYPES[LOGS], f"{site.stem}-logs")
    return Request((site.key, LOGS, ""), site.key, (*site.steps, "logs"), name, LOG_GROUP, made, decided_by=decided)


def _new_key(cluster: EksClusterArgs, declared: NewKey, site: Site) -> Request:
    made = {**write(SECRETS_KEY_TABLE, declared, cluster.cluster_name(site.stem)), "region": cluster.region, "tags": dict(cluster.tags)}
    decided = {name: [((*site.steps, name), getattr(cluster, name))] for name in ("name", "region", "tags")}
    name = ResourceName(KMS_KEY, f"{site.stem}-secrets-key")
    return Request((site.key, SECRETS_KEY, ""), site.key, (*site.steps, "new_secrets_key"), name, SECRETS_KEY_TABLE, made, decided_by=decided)


def _identities(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    for key, identity in cluster.pod_identities.items():
        role = _pod_role(cluster, site, "pod", key)
        made = {**write(access.POD_IDENTITY, identity, role, resolve=resolved), "tags": dict(cluster.tags)}
        name = ResourceName(_TYPES[IDENTITY], f"{site.stem}-pod-identity-{key}")
        steps, needs = (*site.steps, "pod_identities", key), frozenset({site.cluster})
        yield Request((site.key, IDENTITY, key), site.key, steps, name, access.POD_IDENTITY, made, needs=needs, overrides=identity.overrides)


def _identity_provider(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    if cluster.identity_provider is None:
        return
    made = {**write(access.IDENTITY_PROVIDER, cluster.identity_provider, resolve=resolved), "tags": dict(cluster.tags)}
    key, name = (site.key, IDENTITY_PROVIDER, ""), ResourceName(_TYPES[IDENTITY_PROVIDER], f"{site.stem}-identity-provider")
    steps, needs = (*site.steps, "identity_provider"), frozenset({site.cluster})
    yield Request(key, site.key, steps, name, access.IDENTITY_PROVIDER, made, needs=needs)


def _add_ons(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Each add-on needs the NodePools, on whose nodes its pods run."""
    needs = frozenset({site.cluster, *((site.key, POOL, key) for key in cluster.applied_node_pools)})
    for key, declared in cluster.add_ons.items():
        roles = {account: _pod_role(cluster, site, "add-on", key, account) for account in declared.pod_identity}
        made = {**write(access.ADD_ON, declared, roles, resolve=resolved), "tags": dict(cluster.tags)}
        name = ResourceName(_TYPES[ADD_ON], f"{site.stem}-add-on-{key}")
        yield Request((site.key, ADD_ON, key), site.key, (*site.steps, "add_ons", key), name, access.ADD_ON, made, needs=needs)


def _objects(cluster: EksClusterArgs, site: Site, admitted: frozenset[Key], of_class: Mapping[str, Key]) -> Iterator[Request]:
    """Each object needs `admitted`, the access of those who can create it; a NodeClass also needs the access of its nodes."""
    groups = [{"tags": {"aws:eks:cluster-name": cluster.cluster_name(site.stem)}}]
    names: dict[str, str] = {}
    for place, key, declared in cluster.auto_mode.all_classes():
        role = class_role(site.stem, cluster, key, declared, lambda reference: str(resolved(reference)))
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
        return [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": site.stem}}]  # as clouds/eks/auto_mode_objects.py has them
    return [{"id": resolved(subnet)} for subnet in network.private_subnet_ids]


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
    name = ResourceName("aws:eks/accessEntry:AccessEntry", f"{site.stem}-{word}")
    return Request((site.key, ENTRY, word), site.key, (*site.steps, *steps), name, access.ENTRY, sent, needs=frozenset({site.cluster}))


def _policy(site: Site, word: str, steps: Steps, policy: AccessPolicy, entry: Key) -> Request:
    sent, name = write(access.POLICY, policy, policy.name), ResourceName(_POLICY, f"{site.stem}-{word}")
    place, needs = (*site.steps, *steps), frozenset({site.cluster, entry})
    decided = {"accessScope.type": [((*place, "namespaces"), list(policy.namespaces))]}
    return Request((site.key, POLICY, word), site.key, place, name, access.POLICY, sent, needs=needs, decided_by=decided)


_OUTBOUND: Final = "outbound route"
"""Gateways, routes and what belongs to them."""


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
        sent = {"routeTableId": _created_id(table), "destinationCidrBlock": "0.0.0.0/0", through: _created_id(gateway)}
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
