"""What an EKS cluster sends: the cluster, its VPC, its add-ons, and the objects inside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.eks_admissions import admission_of_nodes, admissions_of_principals
from nodepools.changes.eks_network_requests import needed_by_cluster, network_requests
from nodepools.changes.karpenter_requests import EKS, Site, class_request, pool_request, resolved
from nodepools.changes.request import ADD_ON, EKS_CLUSTER, IDENTITY, LOGS, NETWORK, POOL, Key, Request
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.eks.node_class_names import PROFILE, class_name, class_role, node_role_name
from nodepools.model.eks.role_names import cluster_role_name, pod_role_name
from nodepools.model.steps import Steps
from nodepools.wire.eks import add_ons
from nodepools.wire.eks import node_class as classes
from nodepools.wire.eks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.eks.cluster import Around
from nodepools.wire.eks.log_group import LOG_GROUP
from nodepools.wire.eks.network import VPC
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
    around = Around(site.stem, _cluster_role(cluster, site), _built_in_role(cluster, site), _control_plane_subnets(cluster))
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
        steps = (*site.steps, "pod_identities", key)
        yield Request((site.key, IDENTITY, key), site.key, steps, name, add_ons.POD_IDENTITY, made, needs=frozenset({site.cluster}))


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
        around = classes.Around(None if role.startswith(PROFILE) else role, _node_subnets(cluster, site), groups)
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
    written = {way.model[1:2] for way in CLUSTER_TABLE.ways if way.model[:1] == ("overrides",)}
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
        return [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": site.stem}}]  # as manifests/eks_selectors.py has them
    return [{"id": resolved(subnet)} for subnet in network.private_subnet_ids]


def _text(reference: object) -> str:
    return str(resolved(reference))
