"""What EKS asks of a cluster with Auto Mode."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Network

from nodepools.model.address import inside, meet
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs, ExistingEksNetwork, zone_place
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks, eks_pool, platform

_LONGEST_NAME = 100
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
_REFUSED_ZONES = ("use1-az3", "usw1-az2", "cac1-az3")
_NETWORK = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
_ROLE = "arn:aws:iam::111122223333:role/eks"


@rule(
    "EKS002",
    Severity.ERROR,
    source="EKS API reference, CreateCluster: name",
    sample=lambda: platform(**{"use.1": eks()}),
)
def invalid_eks_cluster_name(whole: Platform) -> Iterator[PartFinding]:
    """Platform and cluster key together name the cluster: letters, digits, hyphens and underscores, 100 at most."""
    for key, cluster in whole.clusters.items():
        name = whole.stem(key)
        if isinstance(cluster, EksClusterArgs) and not re.fullmatch(rf"[0-9A-Za-z][A-Za-z0-9_-]{{0,{_LONGEST_NAME - 1}}}", name):
            fix = f"use letters, digits and hyphens, {_LONGEST_NAME - len(whole.name) - 1} at most"
            yield finding(whole, f"makes {name}, which EKS refuses as a name", at=("clusters", key), value=key, fix=fix)


@rule(
    "EKS003",
    Severity.ERROR,
    source="EKS API reference, KubernetesNetworkConfigRequest: serviceIpv4Cidr",
    sample=lambda: eks(service_cidr="10.64.0.0/16"),
)
def invalid_eks_service_range(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The range of the services is private, /12 to /24, and does not meet that of the VPC."""
    if cluster.service_cidr is not None and not any(inside(cluster.service_cidr, private) for private in _PRIVATE):
        yield finding(cluster, "is no private range", at="service_cidr", fix="choose one inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16")
    if not 12 <= IPv4Network(cluster.service_range).prefixlen <= 24:  # noqa: PLR2004  # EKS's own bounds
        yield finding(cluster, "is too large or too small for services", at="service_cidr", fix="choose a /12 to /24")
    if cluster.network.cidr is not None and meet(cluster.service_range, cluster.network.cidr):
        yield finding(cluster, f"meets the VPC, {cluster.network.cidr}", at="service_cidr", value=cluster.service_range, fix="choose another range")


@rule(
    "EKS004",
    Severity.ERROR,
    source=f"{_NETWORK}: subnets in at least two availability zones",
    sample=lambda: eks(network={"zones": ["us-east-1a"]}),
)
def too_few_zones(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """A cluster stands in two zones at least."""
    if len(network.zones) == 1:
        yield finding(network, "is one zone: EKS asks for two", at="zones", fix="name two or three, or leave zones out")


@rule(
    "EKS005",
    Severity.ERROR,
    source=f"{_NETWORK}: zones that cannot hold a control plane",
    sample=lambda: eks(network={"zones": ["use1-az1", "use1-az3"]}),
)
def zone_without_control_plane(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """The zones use1-az3, usw1-az2 and cac1-az3 hold no control plane."""
    for index, zone in enumerate(network.zones):
        if zone in _REFUSED_ZONES:
            yield finding(network, "cannot hold a control plane", at=("zones", index), fix="name another zone of the region")


@rule(
    "EKS006",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html: a zone's name begins with its region",
    sample=lambda: eks(network={"zones": ["us-east-1a", "us-west-2b"]}),
)
def cluster_zone_in_other_region(network: EksNetworkArgs, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Zones lie in the region of the cluster."""
    for index, zone in enumerate(network.zones):
        if re.fullmatch(r"[a-z]+(-[a-z]+)+-[0-9]+[a-z]", zone) and zone[:-1] != cluster.region:
            yield finding(
                network, f"is no zone of {cluster.region}", at=("zones", index), fix=f"name zones of {cluster.region}, such as {cluster.region}a"
            )


@rule(
    "EKS007",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html",
    sample=lambda: eks(network={"nat": None}),
)
def no_eks_outbound_route(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """Without NAT, private nodes reach neither AWS nor a registry, unless the VPC has endpoints for all that they need."""
    if network.nat is None:
        yield finding(
            network, "leaves private nodes without a way out: they join only if the VPC has endpoints", at="nat", fix='write "single" or "per-zone"'
        )


@rule(
    "EKS008",
    Severity.ERROR,
    source=f"{_NETWORK}: at least two subnets, in different zones",
    sample=lambda: eks(network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1"])),
)
def too_few_subnets(network: ExistingEksNetwork) -> Iterator[PartFinding]:
    """The control plane has two subnets at least; it has those of the nodes when none are given."""
    field = "control_plane_subnet_ids" if network.control_plane_subnet_ids else "private_subnet_ids"
    if len(network.control_plane_subnet_ids or network.private_subnet_ids) < 2:  # noqa: PLR2004  # two
        yield finding(network, "is one subnet: EKS asks for two, in two zones", at=field, fix="name two, or more in control_plane_subnet_ids")


@rule(
    "EKS009",
    Severity.ERROR,
    source="IAM user guide: ARNs of roles; EKS API reference, CreateAccessEntry: principalArn",
    sample=lambda: eks(node_role="eks-node"),
)
def role_is_not_an_arn(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Cluster role, node role, permissions boundary and admins are given by ARN; only the role of a node class is given by name."""
    given = [("cluster_role",), ("node_role",), ("permissions_boundary",), *(("admins", index) for index in range(len(cluster.admins)))]
    values = [cluster.cluster_role, cluster.node_role, cluster.permissions_boundary, *cluster.admins]
    for at, value in zip(given, values, strict=True):
        if isinstance(value, str) and not value.startswith("arn:"):
            yield finding(cluster, "is no ARN", at=at, fix=f"write it in full, such as {_ROLE}")


@rule(
    "EKS010",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-create-node-role.html: not the role that creates clusters",
    sample=lambda: eks(cluster_role=_ROLE, node_role=_ROLE),
)
def same_role_for_cluster_and_nodes(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The role of the nodes is not that of the cluster."""
    if isinstance(cluster.node_role, str) and cluster.node_role == cluster.cluster_role:
        yield finding(cluster, "is the cluster role too", at="node_role", fix="give the nodes a role of their own, or leave node_role out")


@rule(
    "EKS011",
    Severity.WARNING,
    source="nodepools: built-in pools and node classes without a role use it",
    sample=lambda: derive(
        auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass(own_role=True)}, built_in_node_pools=[]), node_role=_ROLE
    ),
)
def unused_node_role(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A node role is for the built-in pools, and for the node classes that bring none."""
    used = cluster.auto_mode.built_in_node_pools or cluster.auto_mode.shares_a_role
    if cluster.node_role is not None and not used:
        yield finding(cluster, "is used by nothing: no built-in pool is on, and every node class has its own", at="node_role", fix="remove it")


@rule(
    "EKS012",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html: /16 to /28; subnets too",
    sample=lambda: eks(network={"cidr": "10.0.0.0/12"}),
)
def invalid_vpc_range(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """AWS refuses a VPC larger than /16, and in one smaller than /23 the subnets of some zones find no room."""
    if IPv4Network(network.cidr).prefixlen < 16:  # noqa: PLR2004  # AWS's own bound
        yield finding(network, "is larger than a VPC can be", at="cidr", fix="choose a /16 to /23")
    elif not _has_room(network):
        yield finding(network, "has no room for the subnets of every zone", at="cidr", fix="choose a /16 to /23")


def _has_room(network: EksNetworkArgs) -> bool:
    places = [place for place in map(zone_place, network.zones) if place is not None]
    try:
        for place in places or range(3):  # the first three of the region
            network.ranges(place)
    except (IndexError, ValueError):
        return False
    return True
