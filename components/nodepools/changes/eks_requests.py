"""What an EKS cluster sends: the cluster, its VPC, its access, its add-ons, and the objects inside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import EKS, Site, class_request, pool_request, resolved
from nodepools.changes.request import ADD_ON, EKS_CLUSTER, ENTRY, IDENTITY, NETWORK, POLICY, Request
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.eks.node_class_names import PROFILE, class_name, class_role, node_role_name
from nodepools.wire.eks import access, add_ons
from nodepools.wire.eks import node_class as classes
from nodepools.wire.eks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.eks.cluster import Around
from nodepools.wire.eks.network import VPC
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import Table
from nodepools.wire.writing import write

_TYPES: Final = {
    ENTRY: "aws:eks/accessEntry:AccessEntry",
    POLICY: "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    IDENTITY: "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    ADD_ON: "aws:eks/addon:Addon",
}
_VPC: Final = "aws:ec2/vpc:Vpc"


def eks_requests(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Every resource that has a table, in the order of registration."""
    needs = frozenset({(site.key, NETWORK, "")}) if isinstance(cluster.network, EksNetworkArgs) else frozenset[tuple[str, ...]]()
    if isinstance(cluster.network, EksNetworkArgs):
        made = write(VPC, cluster.network, resolve=resolved)
        yield Request((site.key, NETWORK, ""), site.key, (*site.steps, "network"), ResourceName(_VPC, site.stem), VPC, made)
    around = Around(site.stem, _cluster_role(cluster, site), _built_in_role(cluster, site), _control_plane_subnets(cluster))
    sent = write(CLUSTER_TABLE, cluster, around, resolve=resolved)
    name = ResourceName(EKS_CLUSTER, site.stem)
    yield Request(site.cluster, site.key, site.steps, name, CLUSTER_TABLE, sent, "EksClusterArgs", needs, _other_overrides(cluster))
    yield from _access(cluster, site)
    yield from _objects(cluster, site)


def _access(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    for key, entry in cluster.access_entries.items():
        steps = ("access_entries", key)
        yield _request(site, ENTRY, key, steps, (access.ENTRY, write(access.ENTRY, entry, resolve=resolved)))
        for number, policy in enumerate(entry.policies):
            made = write(access.POLICY, policy, policy.name)
            yield _request(site, POLICY, f"{key}-{policy.name}", (*steps, "policies", number), (access.POLICY, made))
    for key, identity in cluster.pod_identities.items():
        made = write(add_ons.POD_IDENTITY, identity, resolve=resolved)
        yield _request(site, IDENTITY, key, ("pod_identities", key), (add_ons.POD_IDENTITY, made))
    for key, declared in cluster.add_ons.items():
        made = write(add_ons.ADD_ON, declared, resolve=resolved)
        yield _request(site, ADD_ON, key, ("add_ons", key), (add_ons.ADD_ON, made))


def _request(site: Site, subject: str, key: str, steps: tuple[str | int, ...], written: tuple[Table, Mapping[str, object]]) -> Request:
    name = ResourceName(_TYPES[subject], f"{site.stem}-{key}")
    return Request((site.key, subject, key), site.key, (*site.steps, *steps), name, *written, needs=frozenset({site.cluster}))


def _objects(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    groups = [{"tags": {"aws:eks:cluster-name": cluster.cluster_name(site.stem)}}]
    names: dict[str, str] = {}
    for place, key, declared in cluster.auto_mode.all_classes():
        role = class_role(site.stem, cluster, key, declared, _text)
        names[place] = class_name(key, role, site.stem, declared.name)
        around = classes.Around(None if role.startswith(PROFILE) else role, _node_subnets(cluster, site), groups)
        steps = ("auto_mode", "node_classes", *place.split("/"))
        sent = merge_overrides(write(classes.NODE_CLASS, declared, around, resolve=resolved), declared.overrides)
        yield class_request(site, steps, names[place], EKS, sent)
    for name, pool in cluster.applied_node_pools.items():
        class_of = names.get(pool.node_class) if pool.node_class is not None else None
        yield pool_request(site, ("auto_mode", "node_pools", name), pool, EKS, class_of)


def _other_overrides(cluster: EksClusterArgs) -> Mapping[str, object]:
    """The overrides of arguments that the table does not write: it writes the others with their overrides."""
    written = {way.model[1:2] for way in CLUSTER_TABLE.ways if way.model[:1] == ("overrides",)}
    return {name: value for name, value in cluster.overrides.items() if (name,) not in written}


def _cluster_role(cluster: EksClusterArgs, site: Site) -> object:
    return resolved(cluster.cluster_role) if cluster.cluster_role is not None else f"{cluster.iam_path}{site.stem}-cluster"


def _built_in_role(cluster: EksClusterArgs, site: Site) -> object:
    if not cluster.auto_mode.built_in_node_pools:
        return None
    return resolved(cluster.node_role) if cluster.node_role is not None else f"{cluster.iam_path}{node_role_name(site.stem, cluster)}"


def _control_plane_subnets(cluster: EksClusterArgs) -> Sequence[object]:
    network = cluster.network
    if isinstance(network, EksNetworkArgs):
        return [f"subnet of {zone}" for zone in network.zones]
    return [resolved(subnet) for subnet in (network.control_plane_subnet_ids if network.control_plane_subnet_ids else network.private_subnet_ids)]


def _node_subnets(cluster: EksClusterArgs, site: Site) -> Sequence[Mapping[str, object]]:
    network = cluster.network
    if isinstance(network, EksNetworkArgs):
        return [{"tags": {"nodepools/network": site.stem}}]
    return [{"id": resolved(subnet)} for subnet in network.private_subnet_ids]


def _text(reference: object) -> str:
    return str(resolved(reference))
