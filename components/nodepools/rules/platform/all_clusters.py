"""Rules about all pools and clusters of a platform."""

from collections.abc import Iterator
from ipaddress import ip_network
from itertools import combinations

from nodepools.model.access import ApiServer
from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.cidr import overlap
from nodepools.model.derive import derive
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.platform import AnyCluster, Platform
from nodepools.rules.aks.cluster import is_service_tag, node_network
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, set_to
from nodepools.rules.engine.registry import NAMES_OF_RESOURCES, OTHER_OBJECTS, PLATFORMS, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, auto_mode, eks, platform, provisioning

_AUTHORIZED = "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges and EKS API reference, VpcConfigRequest: publicAccessCidrs"
_ENDPOINT = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html and https://learn.microsoft.com/azure/aks/private-clusters"
_POOL_FOR_ORDINARY_PODS = {
    "AksCluster": ("pools", "Add a user pool without taints, or a NodePool without taints of node auto provisioning"),
    "EksCluster": ("auto_mode", "Add a NodePool without taints, or the built-in NodePool `general-purpose`"),
}
"""The field where a pool for pods without tolerations is missing, and the fix, by the class of the cluster."""


@warning("PLT001", "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration; AKS and EKS taint their system pools")
@limited(OTHER_OBJECTS)
@sample("pools", lambda: aks(pools={"web": None}))
def no_pool_for_ordinary_pods(cluster: AnyCluster) -> Iterator[PartFinding]:
    """Pods without tolerations stay Pending if every pool has taints."""
    if not cluster.takes_ordinary_pods:
        at, fix = _POOL_FOR_ORDINARY_PODS[cluster.kind]
        empty = next((f"`{key}`" for _, key, pool in cluster.declared_pools() if pool.is_open), "")
        pods = "pods without tolerations"
        why = f"Of the pools that accept {pods}, such as {empty}, none can have nodes" if empty else f"No pool accepts {pods}"
        fix = f"Allow {empty} to have nodes, or {fix[0].lower()}{fix[1:]}" if empty else fix
        yield finding(cluster, f"{why}: ordinary pods stay Pending", path=at, fix=fix)


@warning("PLT002", "nodepools: every node carries the label nodepools/name with the key of its pool")
@limited(NAMES_OF_RESOURCES)
@sample("node_provisioning.node_pools.web", lambda: provisioning({"web": aks_pool()}))
def duplicate_pool_name(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Agent pools and NodePools have the label `nodepools/name` with their key: a selector for it matches all of the same key."""
    agent_pools = {key for key, pool in cluster.all_pools() if pool.labeled}
    for name, pool in cluster.node_pools.items():
        if name in agent_pools and pool.labeled:
            at = ("node_provisioning", "node_pools", name)
            message = f"A NodePool and an agent pool share the key `{name}`: a selector for `{POOL_LABEL}={name}` matches both"
            yield finding(cluster, message, path=at, value=name, fix="Rename one of them")


@error("PLT003", "nodepools: the label by which pods are sent to a pool")
@limited(NAMES_OF_RESOURCES)
@sample('pools.web.labels["nodepools/name"]', lambda: aks(pools={"web": UserPool(vm_size=SIZE, labels={POOL_LABEL: "api"})}))
def pool_label_overridden(whole: AnyCluster) -> Iterator[PartFinding]:
    """The label `nodepools/name` must be the key of the pool: pods select the pool by it."""
    for at, key, pool in whole.declared_pools():
        if pool.labels.get(POOL_LABEL, key) != key:
            label = (*at, "labels", POOL_LABEL)
            message = f"Pods cannot select the pool by its key: its label `{POOL_LABEL}` is not `{key}`"
            yield finding(whole, message, path=label, fix=Fix(f"Remove the label (default: `{key}`)", (remove(label),)))


@warning("PLT004", "Azure virtual network peering and AWS VPC peering: networks with overlapping ranges cannot be joined")
@limited(PLATFORMS)
@sample("clusters.two.network.cidr", lambda: platform(one=aks(), two=aks()))
def overlapping_cluster_networks(whole: Platform) -> Iterator[PartFinding]:
    """Two networks with overlapping address ranges cannot be peered."""
    ranges = [
        (key, cluster.network.cidr, node_network(cluster, whole)) for key, cluster in whole.clusters.items() if cluster.network.cidr is not None
    ]
    for (other, taken, one), (key, cidr, two) in combinations(ranges, 2):
        if overlap(taken, cidr) and (one is None or one != two):
            message = f"The network of `{key}` ({cidr}) overlaps the network of `{other}` ({taken}): the two cannot be peered"
            yield finding(whole, message, path=("clusters", key, "network", "cidr"), fix="Use a separate address range for each cluster")


@note("PLT010", _AUTHORIZED)
@sample("api_server.authorized_ip_ranges", lambda: eks(api_server={"authorized_ip_ranges": []}))
def public_api_server(server: ApiServer) -> Iterator[PartFinding]:
    """An API server that is neither private nor limited to some ranges is reachable from the whole internet."""
    if not server.private and (not server.authorized_ip_ranges or "0.0.0.0/0" in server.authorized_ip_ranges):
        message = "The API server is reachable from any address on the internet: only authentication protects it"
        yield finding(server, message, path="authorized_ip_ranges")


@error("PLT011", _AUTHORIZED)
@sample("api_server.authorized_ip_ranges[0]", lambda: eks(api_server={"authorized_ip_ranges": ["203.0.113/24"]}))
def invalid_authorized_range(server: ApiServer, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Authorized ranges are addresses with a prefix length; on AKS one of them can be a service tag, such as `AzureCloud`."""
    for index, text in enumerate(server.authorized_ip_ranges):
        if not _is_range(text) and not (cluster is not None and is_service_tag(text)):
            near, at = _completed(text), ("authorized_ip_ranges", index)
            fix = set_to(at, near) if _is_range(near) else "Use a range such as `203.0.113.0/24`"
            yield finding(server, f"`{text}` is not an address range", path=at, fix=fix)


def _completed(text: str) -> str:
    """A range with all four parts of its address, without spaces."""
    address, slash, prefix = text.strip().partition("/")
    parts = address.split(".")
    return ".".join([*parts, *["0"] * (4 - len(parts))]) + slash + prefix


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


@warning("PLT012", _AUTHORIZED)
@sample("api_server.authorized_ip_ranges", lambda: derive(eks(apply="render"), api_server={"private": True}))
def authorized_ranges_on_private_server(server: ApiServer, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Authorized ranges apply to the public endpoint, which a private API server does not have."""
    if server.private and server.authorized_ip_ranges:
        both = "" if cluster is None else ", and AKS rejects a request with both (InvalidParameter)"
        message = f"{ref('authorized_ip_ranges')} has no effect: a private API server has no public endpoint{both}"
        yield finding(server, message, path="authorized_ip_ranges", fix=remove("authorized_ip_ranges"))


@warning("PLT013", _ENDPOINT)
@limited(Limit(Where.UNREAD, "it is not known where a program runs"))
@sample("apply", lambda: derive(auto_mode(classes={"own": EksNodeClass()}), api_server=ApiServer(private=True)))
def private_cluster_applied_from_outside(cluster: AnyCluster) -> Iterator[PartFinding]:
    """A private API server is reachable only from the network of its cluster, and networks peered with it."""
    if cluster.api_server.private and cluster.apply == "direct" and cluster.has_objects:
        message = "Pulumi can create objects only from the network of the cluster, or a peered one that resolves its name: the API server is private"
        fix = f"Run Pulumi there, or set {ref('apply')} to {literal('render')} and apply the manifests that `nodepools render` writes"
        yield finding(cluster, message, path="apply", fix=fix)
