"""Cluster settings that node auto provisioning requires, and its use next to the cluster autoscaler. Facts: docs/facts/aks.md § 2.4, § 3.1, § 3.7."""

from collections.abc import Iterator

from nodepools.keys import aks as keys
from nodepools.model.aks.agent_pool import SPOT_TAINT, AgentPool, Autoscale, SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.aks.node_provisioning import CAS_BLOCK, CILIUM_LABEL, NAP_BLOCK, AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.maintenance import Weekly
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping
from nodepools.rules.engine.finding import Fix, PartFinding, add, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import FILES_WITHOUT_CLUSTER, FILES_WITHOUT_NETWORK, POOLS_OF_FILES, Sample, error, finding, warning
from nodepools.rules.engine.samples import AMD64, SIZE, aks_pool, provisioning

EXCLUDED_BY_PROVISIONING = ("enable_rbac", "service_principal_profile")
"""Overrides of a cluster that this module checks if node auto provisioning is on."""

_NAP = "https://learn.microsoft.com/azure/aks/node-auto-provisioning"
_NETWORKING = "https://learn.microsoft.com/azure/aks/node-auto-provisioning-networking"
_MOVE = "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"


@warning(
    "NAP010",
    source=f"{_NETWORKING}: dynamic IP allocation is not supported; the API accepts it",
    sample=Sample(
        "network.pod_subnet_cidr",
        lambda: derive(provisioning(), network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/17"}, network_profile={"plugin_mode": None}),
    ),
    limits=(FILES_WITHOUT_NETWORK,),
)
def nap_with_pod_subnet(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning is not supported with pod subnets."""
    if cluster.node_provisioning is None:
        return
    message = "Node auto provisioning does not support pod subnets"
    at = ("network", "pod_subnet_cidr" if isinstance(cluster.network, AksNetworkArgs) else "pod_subnet_id")
    if getattr(cluster.network, at[1]) is not None:
        yield finding(cluster, message, path=at, fix=remove(at))
    for _, pool in cluster.all_pools():
        if pool.pod_subnet_id is not None:
            yield finding(pool, message, path="pod_subnet_id", fix=remove("pod_subnet_id"))


@error(
    "NAP011",
    source=f"{_NAP}: node pools of such a cluster cannot be stopped; node public IPs are not supported",
    sample=Sample("pools.web.power_state", lambda: derive(provisioning(), pools={"web": {"power_state": "Stopped"}})),
    limits=(FILES_WITHOUT_CLUSTER,),
)
def agent_pool_unsupported_with_nap(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """In a cluster with node auto provisioning AKS does not support stopped pools and public IPs of nodes."""
    if cluster.node_provisioning is not None:
        if pool.power_state == "Stopped":
            message = "AKS does not support stopped pools in a cluster with node auto provisioning"
            empty = isinstance(pool, SystemPool) or pool.scale is not None  # then a count of 0 is rejected, or has no effect
            fix = remove("power_state") if empty else (remove("power_state"), set_to("count", 0))
            yield finding(pool, message, path="power_state", fix=fix)
        if pool.node_public_ip:
            message = "AKS does not support public IPs of nodes in a cluster with node auto provisioning"
            tied = [field for field in ("node_public_ip_prefix_id", "node_public_ip_tags") if getattr(pool, field) not in (None, {})]
            yield finding(pool, message, path="node_public_ip", fix=[remove(field) for field in ("node_public_ip", *tied)])


@error(
    "NAP016",
    source=f"{_NAP}: RBAC, a managed identity; the API rejects kubenet",
    sample=Sample("overrides.enable_rbac", lambda: derive(provisioning(), overrides={"enable_rbac": False})),
    limits=(FILES_WITHOUT_CLUSTER,),
)
def cluster_unsupported_with_nap(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning requires Kubernetes RBAC, a managed identity and Azure CNI."""
    of_network = mapping(cluster.overrides.get("network_profile"))
    taken = {
        ("enable_rbac",): (cluster.overrides.get("enable_rbac", True) is False, "Kubernetes RBAC"),
        ("service_principal_profile",): (cluster.overrides.get("service_principal_profile") is not None, "a managed identity"),
        ("network_profile", "network_plugin"): (of_network.get("network_plugin") == "kubenet", "Azure CNI"),
    }
    if cluster.node_provisioning is not None and cluster.network_profile.plugin == "kubenet":
        at = ("network_profile", "plugin")
        yield finding(cluster, f"Node auto provisioning requires Azure CNI, and {ref(at)} selects another plugin", path=at, fix=set_to(at, "azure"))
    for steps, (is_missing, required) in taken.items():
        if cluster.node_provisioning is not None and is_missing:
            at = ("overrides", *steps)
            message = f"Node auto provisioning does not work with this value of {ref(at)}: it requires {required}"
            yield finding(cluster, message, path=at, fix=Fix(f"{sentence([remove(at)])} (default: {required})", (remove(at),)))


@warning(
    "NAP012",
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning-upgrade-image: without aksManagedNodeOSUpgradeSchedule, at any time",
    sample=Sample("maintenance", lambda: derive(provisioning(), maintenance_configurations={"node_images": None})),
    limits=(FILES_WITHOUT_CLUSTER,),
)
def no_node_image_window(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """Node auto provisioning replaces nodes for new images in the maintenance window of node images, or at any time without one."""
    has_window = cluster.maintenance is not None or (platform is not None and platform.maintenance is not None)
    if cluster.node_provisioning is not None and cluster.maintenance_configurations.node_images is None and not has_window:
        message = "Node auto provisioning replaces nodes for new node images at any time: no maintenance window covers them"
        yield finding(cluster, message, path="maintenance", fix=set_to("maintenance", Weekly(days="sun", start="02:00", hours=5)))


@warning(
    "NAP013",
    source="karpenter-provider-azure: spot nodes get no taint automatically",
    sample=Sample(
        "node_provisioning.node_pools.cheap.taints",
        lambda: provisioning({"cheap": aks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot")])}),
    ),
)
def untainted_spot_node_pool(pool: AksNodePool) -> Iterator[PartFinding]:
    """AKS taints spot nodes of agent pools; Karpenter does not taint those of NodePools, so any pod can be scheduled on them."""
    requested = [requirement for requirement in pool.requirements if requirement.label == keys.capacity_type.name]
    only_spot = any(requirement.operator == "In" and set(requirement.values) == {"spot"} for requirement in requested)
    if only_spot and not any(taint.is_hard for taint in pool.taints):
        message = "This NodePool launches spot nodes without a taint: any pod can be scheduled on them, and Azure can evict them at any time"
        yield finding(pool, message, path="taints", fix=add("taints", SPOT_TAINT))


@warning(
    "NAP014",
    source="karpenter-provider-azure, README: the label and the startup taint of Cilium are required to predict what it takes of a node",
    sample=Sample("node_provisioning.cilium_startup_taint", lambda: provisioning({"general": aks_pool()}, cilium_startup_taint=False)),
    limits=(FILES_WITHOUT_NETWORK,),
)
def cilium_startup_taint_missing(provisioning: NodeProvisioning, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """On the Cilium dataplane NodePools need its label and startup taint; otherwise pods can start before Cilium, and nodes are sized too small."""
    cilium = cluster.network_profile.plugin == "azure" and cluster.network_profile.dataplane == "cilium"
    if (
        cilium
        and not provisioning.cilium_startup_taint
        and any(not CILIUM_LABEL.keys() & pool.labels.keys() for pool in provisioning.node_pools.values())
    ):
        message = (
            f"Pods can start before Cilium: {ref('cilium_startup_taint')} is off, so nodes get neither the label nor the startup taint of Cilium"
        )
        yield finding(provisioning, message, path="cilium_startup_taint", fix=set_to("cilium_startup_taint", value=True))


@warning(
    "NAP015",
    source=f"{_MOVE}: taints keep the two from starting nodes for the same pods",
    sample=Sample(
        "pools.web.taints",
        lambda: derive(
            provisioning({"general": aks_pool(taints=[NAP_BLOCK])}, with_cluster_autoscaler=True, default_node_pools="None"),
            pools={"web": {"scale": Autoscale(1, 5)}, "plain": UserPool(vm_size=SIZE)},
        ),
    ),
    limits=(POOLS_OF_FILES,),
)
def autoscalers_not_separated(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Without taints that separate them, the cluster autoscaler and node auto provisioning both add nodes for the same pending pod."""
    auto = cluster.node_provisioning
    if auto is None or not auto.with_cluster_autoscaler:
        return
    for key, pool in cluster.pools.items():
        if pool.is_autoscaled and not _fenced(CAS_BLOCK.key, pool):
            message = f"The autoscaled pool `{key}` and node auto provisioning can both add a node for a pending pod: no taint separates them"
            yield finding(cluster, message, path=("pools", key, "taints"), fix=add(("pools", key, "taints"), CAS_BLOCK))
    for name, node_pool in auto.node_pools.items():
        if not _fenced(NAP_BLOCK.key, node_pool):
            at = ("node_provisioning", "node_pools", name, "taints")
            message = f"The NodePool `{name}` and autoscaled agent pools can both add a node for a pending pod: no taint separates them"
            yield finding(cluster, message, path=at, fix=add(at, NAP_BLOCK))
    if auto.default_node_pools == "Auto":
        at = ("node_provisioning", "default_node_pools")
        message = "The built-in NodePools and autoscaled agent pools can both add a node for a pending pod: no taint separates them"
        fix = Fix(f"Set {ref(at)} to {literal('None')} while agent pools are autoscaled", (set_to(at, "None"),))
        yield finding(cluster, message, path=at, fix=fix)


def _fenced(key: str, pool: AgentPool | AksNodePool) -> bool:
    return any(taint.key == key and taint.is_hard for taint in pool.taints)
