"""What node auto provisioning asks of the cluster around it, and of a cluster autoscaler beside it. Facts: docs/facts/aks.md § 2.4, § 3.1, § 3.7."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.keys import aks as keys
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.aks.pool_parts import Autoscale
from nodepools.model.aks.pools import AgentPool, UserPool
from nodepools.model.aks.provisioning import CAS_BLOCK, CILIUM_LABEL, NAP_BLOCK, AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import AMD64, SIZE, aks_pool, provisioning

BESIDE_PROVISIONING = ("enable_rbac", "service_principal_profile")
"""Overrides of a cluster that are judged here, where node auto provisioning is on."""

_NAP = "https://learn.microsoft.com/azure/aks/node-auto-provisioning"
_NETWORKING = "https://learn.microsoft.com/azure/aks/node-auto-provisioning-networking"
_MOVE = "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"


@rule(
    "NAP010",
    Severity.WARNING,
    source=f"{_NETWORKING}: dynamic IP allocation is not supported; the API does not refuse it",
    sample=lambda: derive(
        provisioning(), network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/17"}, network_profile={"plugin_mode": None}
    ),
)
def nap_with_pod_subnet(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning is not supported with pod subnets."""
    if cluster.node_provisioning is None:
        return
    fix = "use overlay, or pods in the nodes' subnet"
    field = "pod_subnet_cidr" if isinstance(cluster.network, AksNetworkArgs) else "pod_subnet_id"
    if getattr(cluster.network, field) is not None:
        yield finding(cluster, "is not supported with node auto provisioning", at=("network", field), fix=fix)
    for key, pool in cluster.all_pools():
        if pool.pod_subnet_id is not None:
            holder = ("system_pool",) if pool is cluster.system_pool else ("pools", key)
            yield finding(cluster, "is not supported with node auto provisioning", at=(*holder, "pod_subnet_id"), fix=fix)


@rule(
    "NAP011",
    Severity.ERROR,
    source=f"{_NAP}: node pools of such a cluster cannot be stopped; node public IPs are not supported",
    sample=lambda: derive(provisioning(), pools={"web": {"power_state": "Stopped"}}),
)
def agent_pool_unsupported_with_nap(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Beside node auto provisioning no pool is stopped, and no node has a public address."""
    if cluster.node_provisioning is not None:
        if pool.power_state == "Stopped":
            yield finding(pool, "is not possible beside node auto provisioning", at="power_state", fix="write count=0")
        if pool.node_public_ip:
            yield finding(pool, "is not possible beside node auto provisioning", at="node_public_ip", fix="remove it")


@rule(
    "NAP016",
    Severity.ERROR,
    source=f"{_NAP}: RBAC, a managed identity; kubenet is refused by the API",
    sample=lambda: derive(provisioning(), overrides={"enable_rbac": False}),
)
def cluster_unsupported_with_nap(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning wants RBAC, a managed identity, and Azure CNI: overrides do not take them away."""
    profile = cluster.overrides.get("network_profile")
    of_network = cast("Mapping[str, object]", profile if isinstance(profile, Mapping) else {})
    taken = {
        ("enable_rbac",): cluster.overrides.get("enable_rbac", True) is False,
        ("service_principal_profile",): cluster.overrides.get("service_principal_profile") is not None,
        ("network_profile", "network_plugin"): of_network.get("network_plugin") == "kubenet",
    }
    for steps, refused in taken.items():
        if cluster.node_provisioning is not None and refused:
            yield finding(cluster, "is not possible with node auto provisioning", at=("overrides", *steps), fix="remove it")


@rule(
    "NAP012",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning-upgrade-image: without aksManagedNodeOSUpgradeSchedule, at any time",
    sample=lambda: derive(provisioning(), maintenance_configurations={"node_images": None}),
)
def no_node_image_window(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """New node images are taken up in the window for node images, and at any time where there is none: each replaces nodes."""
    has_window = cluster.maintenance is not None or (platform is not None and platform.maintenance is not None)
    if cluster.node_provisioning is not None and cluster.maintenance_configurations.node_images is None and not has_window:
        fix = 'add maintenance=Weekly(days="sun", start="02:00", hours=5)'
        yield finding(cluster, "has no window for node images: nodes are replaced at any time", at="maintenance", fix=fix)


@rule(
    "NAP013",
    Severity.WARNING,
    source="karpenter-provider-azure: spot nodes get no taint of themselves",
    sample=lambda: provisioning({"cheap": aks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot")])}),
)
def untainted_spot_node_pool(pool: AksNodePool) -> Iterator[PartFinding]:
    """Spot nodes of node auto provisioning are not tainted, as those of agent pools are: any pod may land on them."""
    asked = [requirement for requirement in pool.requirements if requirement.key == keys.capacity_type.name]
    only_spot = any(requirement.operator == "In" and set(requirement.values) == {"spot"} for requirement in asked)
    if only_spot and not any(taint.is_hard for taint in pool.taints):
        fix = "add the taint kubernetes.azure.com/scalesetpriority=spot:NoSchedule"
        yield finding(pool, "have no taint: any pod may land on spot nodes", at="taints", fix=fix)


@rule(
    "NAP014",
    Severity.WARNING,
    source="karpenter-provider-azure, README: the label and the startup taint of Cilium are required to predict what it takes of a node",
    sample=lambda: provisioning({"general": aks_pool()}, cilium_marks=False),
)
def cilium_startup_taint_missing(provisioning: NodeProvisioning, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """On the Cilium dataplane NodePools carry its label and startup taint: else pods start before it, and nodes turn out too small."""
    cilium = cluster.network_profile.plugin == "azure" and cluster.network_profile.dataplane == "cilium"
    if cilium and not provisioning.cilium_marks and any(not CILIUM_LABEL.keys() & pool.labels.keys() for pool in provisioning.node_pools.values()):
        yield finding(provisioning, "leaves NodePools without the marks of Cilium", at="cilium_marks", fix="leave it out")


@rule(
    "NAP015",
    Severity.WARNING,
    source=f"{_MOVE}: taints keep the two from starting nodes for the same pods",
    sample=lambda: derive(
        provisioning({"general": aks_pool(taints=[NAP_BLOCK])}, beside_cluster_autoscaler=True, default_node_pools="None"),
        pools={"web": {"scale": Autoscale(1, 5)}, "plain": UserPool(vm_size=SIZE)},
    ),
)
def autoscalers_not_separated(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """While the cluster autoscaler is beside it, both are fenced off by taints: else a pending pod starts nodes of both."""
    auto = cluster.node_provisioning
    if auto is None or not auto.beside_cluster_autoscaler:
        return
    for key, pool in cluster.pools.items():
        if pool.scale is not None and not _fenced(CAS_BLOCK.key, pool):
            yield finding(cluster, "is open to pods that start nodes elsewhere too", at=("pools", key, "taints"), fix=f'add "{CAS_BLOCK}"')
    for name, node_pool in auto.node_pools.items():
        if not _fenced(NAP_BLOCK.key, node_pool):
            at = ("node_provisioning", "node_pools", name, "taints")
            yield finding(cluster, "is open to pods that start nodes elsewhere too", at=at, fix=f'add "{NAP_BLOCK}"')
    if auto.default_node_pools == "Auto":
        fix = 'write default_node_pools="None" for the time of the move'
        yield finding(cluster, "has no such taint", at=("node_provisioning", "default_node_pools"), fix=fix)


def _fenced(key: str, pool: AgentPool | AksNodePool) -> bool:
    return any(taint.key == key and taint.is_hard for taint in pool.taints)
