"""What an EKS cluster sends: the cluster, its VPC, its access, its add-ons, and the objects inside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.eks_access_requests import declared_access
from nodepools.changes.karpenter_requests import EKS, Site, class_request, pool_request, resolved
from nodepools.changes.request import EKS_CLUSTER, NETWORK, Request
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.model.eks.node_class_names import PROFILE, class_name, class_role, node_role_name
from nodepools.wire.eks import node_class as classes
from nodepools.wire.eks.cluster import CLUSTER as CLUSTER_TABLE
from nodepools.wire.eks.cluster import Around
from nodepools.wire.eks.network import VPC
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

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
    yield from declared_access(cluster, site)
    yield from _objects(cluster, site)


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
        return [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": site.stem}}]  # as manifests/eks_selectors.py has them
    return [{"id": resolved(subnet)} for subnet in network.private_subnet_ids]


def _text(reference: object) -> str:
    return str(resolved(reference))
