"""What goes across pools and clusters."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import combinations

from nodepools.model.access import ApiServer
from nodepools.model.address import meet
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.model.aks.provisioning import AksNodePool
from nodepools.model.derive import derive
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.per_cloud import AnyCluster, PerCloud, is_cluster
from nodepools.model.platform import Platform
from nodepools.rules.aks_api_server import is_service_tag
from nodepools.rules.aks_overrides import judged_aks_overrides
from nodepools.rules.eks_overrides import judged_eks_overrides
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks, aks_pool, auto_mode, eks, platform, provisioning

_AUTHORIZED = "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges and EKS API reference, VpcConfigRequest: publicAccessCidrs"
_ENDPOINT = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html and https://learn.microsoft.com/azure/aks/private-clusters"
_POOL_FOR_ORDINARY_PODS = {
    "AksCluster": ("pools", "add a UserPool without taints, or node_provisioning"),
    "EksCluster": ("auto_mode", "add a NodePool without taints, or the built-in general-purpose"),
}
"""Where a pool for pods without tolerations is missing, and which, by the kind of cluster."""
judged_overrides = PerCloud(aks=judged_aks_overrides, eks=judged_eks_overrides)
"""The overrides of a cluster that other rules judge."""


@rule(
    "PLT001",
    Severity.WARNING,
    source="https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration; AKS and EKS taint their system pools",
    sample=lambda: aks(pools={"web": None}),
)
def no_pool_for_ordinary_pods(cluster: AnyCluster) -> Iterator[PartFinding]:
    """Some pool takes pods without tolerations; else applications stay Pending."""
    if not cluster.takes_ordinary_pods:
        at, fix = _POOL_FOR_ORDINARY_PODS[cluster.kind]
        yield finding(cluster, "nothing here takes a pod without tolerations: applications stay Pending", at=at, fix=fix)


@rule(
    "PLT002",
    Severity.WARNING,
    source="nodepools: every node carries the label nodepools/name with the key of its pool",
    sample=lambda: provisioning({"web": aks_pool()}),
)
def duplicate_pool_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """An agent pool and a NodePool of one name have one label: what selects one selects both."""
    agent_pools = {key for key, _ in cluster.all_pools()}
    for name in cluster.node_provisioning.node_pools if cluster.node_provisioning is not None else ():
        if name in agent_pools:
            at = ("node_provisioning", "node_pools", name)
            yield finding(cluster, f"is an agent pool too: {POOL_LABEL}={name} selects both", at=at, value=name, fix="give one of them another key")


@rule(
    "PLT003",
    Severity.ERROR,
    source="nodepools: the label by which pods are sent to a pool",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, labels={POOL_LABEL: "api"})}),
)
def pool_label_overridden(whole: AnyCluster) -> Iterator[PartFinding]:
    """`nodepools/name` is the key of the pool: another value would send its pods elsewhere."""
    for at, key, pool in whole.declared_pools():
        if pool.labels.get(POOL_LABEL, key) != key:
            yield finding(whole, f"is no longer the name of the pool, {key}", at=(*at, "labels", POOL_LABEL), fix="remove it: it comes by itself")


@rule(
    "PLT004",
    Severity.WARNING,
    source="Azure virtual network peering and AWS VPC peering: networks with overlapping ranges cannot be joined",
    sample=lambda: platform(one=aks(), two=aks()),
)
def overlapping_cluster_networks(whole: Platform) -> Iterator[PartFinding]:
    """Networks whose ranges overlap can never be joined, by peering or otherwise."""
    ranges = [(key, cluster.network.cidr) for key, cluster in whole.clusters.items() if cluster.network.cidr is not None]
    for (other, taken), (key, cidr) in combinations(ranges, 2):
        if meet(taken, cidr):
            at = ("clusters", key, "network", "cidr")
            yield finding(
                whole, f"meets the range of {other}, {taken}: the two can never be joined", at=at, fix="give each cluster a range of its own"
            )


@rule("PLT010", Severity.NOTE, source=_AUTHORIZED, sample=lambda: eks(api_server={"authorized_ip_ranges": []}))
def public_api_server(server: ApiServer) -> Iterator[PartFinding]:
    """An API server that is neither private nor limited to some ranges answers to the whole internet; log-in alone guards it."""
    if not server.private and (not server.authorized_ip_ranges or "0.0.0.0/0" in server.authorized_ip_ranges):
        fix = "name the ranges that may in authorized_ip_ranges of api_server, or make it private there"
        yield finding(server, "lets every address reach the API server", at="authorized_ip_ranges", fix=fix)


@rule("PLT011", Severity.ERROR, source=_AUTHORIZED, sample=lambda: eks(api_server={"authorized_ip_ranges": ["203.0.113/24"]}))
def invalid_authorized_range(server: ApiServer, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Ranges that may reach the API server are addresses with a prefix length; on AKS one of them may be a service tag, such as `AzureCloud`."""
    for index, text in enumerate(server.authorized_ip_ranges):
        if not _is_range(text) and not (cluster is not None and is_service_tag(text)):
            yield finding(server, "is no address range", at=("authorized_ip_ranges", index), fix="write it as 203.0.113.0/24")


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


@rule("PLT012", Severity.WARNING, source=_AUTHORIZED, sample=lambda: derive(eks(apply="render"), api_server={"private": True}))
def authorized_ranges_on_private_server(server: ApiServer) -> Iterator[PartFinding]:
    """Authorized ranges are those of the public endpoint, which a private API server does not have."""
    if server.private and server.authorized_ip_ranges:
        yield finding(server, "has no effect: a private API server has no public endpoint", at="authorized_ip_ranges", fix="remove it, or private")


@rule(
    "PLT013",
    Severity.WARNING,
    source=_ENDPOINT,
    sample=lambda: derive(auto_mode(classes={"own": EksNodeClass()}), api_server=ApiServer(private=True)),
)
def private_cluster_applied_from_outside(cluster: AnyCluster) -> Iterator[PartFinding]:
    """Objects are put into a private cluster from inside its network only."""
    if cluster.api_server.private and cluster.apply == "direct" and cluster.has_objects:
        yield finding(
            cluster,
            "works only if Pulumi runs where the private API server can be reached and its name resolved: in its network, or one joined to it",
            at="apply",
            fix='run Pulumi there, or write apply="render"',
        )


@rule(
    "PLT020",
    Severity.NOTE,
    source="nodepools: overrides are laid over what is sent, unchecked",
    sample=lambda: UserPool(vm_size=SIZE, overrides={"enable_fips": True}),
)
def unchecked_override(
    part: AnyCluster | AgentPool | AksNodeClass | EksNodeClass | AksNodePool | EksNodePool,
) -> Iterator[PartFinding]:
    """Overrides are not modelled: nothing here judges them."""
    judged = judged_overrides(part) if is_cluster(part) else frozenset[str]()
    for name in part.overrides:
        if name not in judged:
            fix = "check it against the cloud's own reference"
            yield finding(part, "is laid over what is sent, and not checked", at=("overrides", name), fix=fix)
