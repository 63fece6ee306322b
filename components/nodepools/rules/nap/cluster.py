"""Clusters with node auto provisioning: what it requires, its use next to the cluster autoscaler, its NodePools and node classes.

Facts: docs/facts/aks.md § 2.4, § 3.1, § 3.7.
"""

from collections.abc import Iterator

from nodepools.clouds.aks.agent_pool_nodes import is_spot
from nodepools.keys import aks as keys
from nodepools.keys.kinds import Key
from nodepools.model.aks.agent_pool import SPOT_TAINT, AgentPool, Autoscale, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import BUILT_IN, CAS_BLOCK, CILIUM_LABEL, NAP_BLOCK, AksClusterArgs, AksNodePool, NodeProvisioning
from nodepools.model.aks.network import AksNetworkArgs
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import domain
from nodepools.model.listing import nearest
from nodepools.model.maintenance import Weekly
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping
from nodepools.rules.engine.finding import (
    Fix,
    FixLike,
    PartFinding,
    add,
    certain,
    correct_spelling,
    literal,
    ref,
    remove,
    replacing,
    sentence,
    set_to,
)
from nodepools.rules.engine.registry import (
    BUILT_IN_POOLS,
    FILES_WITHOUT_CLUSTER,
    FILES_WITHOUT_NETWORK,
    NAMES_OF_OBJECTS,
    OTHER_OBJECTS,
    POOLS_OF_FILES,
    Limit,
    Where,
    error,
    finding,
    limited,
    sample,
    warning,
)
from nodepools.rules.engine.samples import AMD64, SIZE, aks_pool, provisioning
from nodepools.rules.platform.labels import aks_zones, in_domain, is_spot_only, misspelt_label, named_labels

_NETWORKING = "https://learn.microsoft.com/azure/aks/node-auto-provisioning-networking"
_LABELS = "https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/apis/v1beta1/labels.go"
_DOMAINS = ("karpenter.azure.com", "kubernetes.azure.com")
_SELECTABLE = frozenset(
    {*(key.name for key in vars(keys).values() if isinstance(key, Key)), "karpenter.azure.com/aksnodeclass"}
    | {f"kubernetes.azure.com/{name}" for name in ("scalesetpriority", "priority", "fips_enabled", "cluster", "sku-cpu", "sku-memory")}
    | {f"kubernetes.azure.com/{name}" for name in ("ebpf-dataplane", "ebpf-host-routing", "network-policy", "hostedvm")}
)
_REFUSED = frozenset(
    {"agentpool", "storageprofile", "storagetier", "accelerator"}
    | {f"karpenter.azure.com/{name}" for name in ("sku-accelerator", "sku-encryptionathost-capable", "zone", "sku-hyperv-generation")}
    | {f"kubernetes.azure.com/{name}" for name in ("agentpool", "managedby", "role", "storageprofile", "storagetier", "node-image-version", "ppg")}
    | {f"kubernetes.azure.com/{name}" for name in ("network-name", "network-subnet", "encrypted-set", "accelerator", "nodepool-type")}
)


@warning("NAP001", "https://github.com/Azure/AKS/issues/5412: feature AllowClusterAutoscalerAndNAP, in all public clouds since 2026-07-30")
@limited(FILES_WITHOUT_CLUSTER)
@sample("pools.web.scale", lambda: derive(provisioning(), pools={"web": {"scale": Autoscale(1, 5)}}))
def autoscaled_pool_with_nap(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects autoscaled agent pools with node auto provisioning, unless `with_cluster_autoscaler` declares a registered feature."""
    auto = cluster.node_provisioning
    if auto is not None and not auto.with_cluster_autoscaler and pool.is_autoscaled:
        message = "AKS rejects autoscaled pools next to node auto provisioning, unless the feature `AllowClusterAutoscalerAndNAP` is registered"
        yield finding(pool, message, path="scale", fix=_not_autoscaled(pool))


@error("NAP002", f"{_NETWORKING}: Calico is not supported, and the API rejects it")
@limited(FILES_WITHOUT_NETWORK)
@sample("network_profile.policy", lambda: derive(provisioning(), network_profile={"dataplane": "azure", "policy": "calico"}))
def nap_with_calico(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS rejects node auto provisioning with Calico network policies."""
    profile = cluster.network_profile
    if cluster.node_provisioning is not None and profile.policy == "calico":
        has_windows = any(isinstance(pool, WindowsPool) for pool in cluster.pools.values())  # which Cilium does not support
        fix = set_to("policy", "azure") if has_windows else replacing(set_to("dataplane", "cilium"), remove("policy"))
        yield finding(profile, "Node auto provisioning does not support Calico network policies", path="policy", fix=fix)


@error("NAP003", "https://learn.microsoft.com/azure/aks/node-auto-provisioning: IPv6 clusters are not supported")
@limited(FILES_WITHOUT_NETWORK)
@sample("network_profile.ip_families", lambda: derive(provisioning(), network_profile={"ip_families": ["IPv4", "IPv6"]}))
def nap_with_ipv6(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning does not support IPv6."""
    profile = cluster.network_profile
    if cluster.node_provisioning is not None and "IPv6" in profile.ip_families:
        yield finding(profile, "Node auto provisioning does not support IPv6", path="ip_families", fix=set_to("ip_families", ["IPv4"]))


@warning("NAP004", "Azure API reference, nodeProvisioningProfile.defaultNodePools: no scaling unless NodePools are created")
@limited(OTHER_OBJECTS, BUILT_IN_POOLS)
@sample("node_provisioning.default_node_pools", lambda: provisioning(default_node_pools="None"))
def nap_without_node_pools(provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """Without any NodePool, built-in or declared, node auto provisioning never launches a node."""
    if provisioning.default_node_pools == "None" and not provisioning.node_pools:
        message = "No node is ever launched: the built-in NodePools are off, and no other NodePool is declared"
        text = f"Add NodePools to {ref('node_pools')}, or set {ref('default_node_pools')} to {literal('Auto')}"
        yield finding(provisioning, message, path="default_node_pools", fix=Fix(text, (set_to("default_node_pools", "Auto"),)))


@warning("NAP005", "https://github.com/Azure/karpenter-provider-azure/tree/main/designs: 0006, AKS makes and owns these objects")
@limited(NAMES_OF_OBJECTS)
@sample("node_provisioning.node_pools.default", lambda: provisioning({"default": aks_pool()}))
def built_in_nap_name(provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """AKS creates the NodePools and AKSNodeClasses `default` and `system-surge` and owns them, unless the built-in NodePools are off."""
    for field, declared in (("node_pools", provisioning.node_pools), ("node_classes", provisioning.node_classes)):
        for name in declared:
            if name in provisioning.built_in_node_pools:
                kind = "NodePool" if field == "node_pools" else "AKSNodeClass"
                message = f"AKS can overwrite this {kind}: it creates one with the name `{name}` itself"
                fix = f"Rename `{name}`, such as to `custom-{name}`, or set {ref('default_node_pools')} to {literal('None')}"
                yield finding(provisioning, message, path=(field, name), value=name, fix=fix)


@error("NAP006", "https://karpenter.sh/docs/concepts/nodepools: a NodePool of a missing node class never becomes ready")
@limited(Limit(Where.MISSING_CLASS, "others can create node classes in the cluster too", "AKSNodeClass"))
@sample("node_provisioning.node_pools.general.node_class", lambda: provisioning({"general": aks_pool(node_class="missing")}))
def missing_aks_node_class(pool: AksNodePool, provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """A NodePool whose AKSNodeClass does not exist never becomes ready."""
    if pool.node_class is not None and pool.node_class not in (*provisioning.node_classes, *provisioning.existing_node_classes, *BUILT_IN):
        near = nearest(pool.node_class, provisioning.node_classes)
        message = f"The AKSNodeClass `{pool.node_class}` does not exist: the NodePool never becomes ready"
        declare = f"Add `{pool.node_class}` to the node classes of the cluster, or use the built-in class `{BUILT_IN[0]}`"
        yield finding(pool, message, path="node_class", fix=correct_spelling("node_class", pool.node_class, near) if near is not None else declare)


@error("NAP007", f"{_LABELS}: restricted labels")
@sample('labels["kubernetes.azure.com/agentpool"]', lambda: aks_pool(labels={"kubernetes.azure.com/agentpool": "web"}))
def label_rejected_by_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Node auto provisioning rejects labels that AKS sets itself, retired ones, and subdomains of the domains of AKS."""
    for key, at in named_labels(pool):
        if key in _REFUSED or any(in_domain(key, end) and domain(key) != end for end in _DOMAINS):
            message = f"Node auto provisioning rejects the label `{key}` in a NodePool"
            yield finding(pool, message, path=at, value=key, fix=remove(at[:2]))


@warning("NAP008", f"{_LABELS}: labels of these domains that are not listed are restricted")
@sample("requirements[2].key", lambda: aks_pool(Requirement("karpenter.azure.com/rack", "In", ["8"])))
def label_unknown_to_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Under `karpenter.azure.com` and `kubernetes.azure.com` node auto provisioning accepts only the labels that it knows."""
    for key, at in named_labels(pool):
        if domain(key) in _DOMAINS and key not in _SELECTABLE | _REFUSED and misspelt_label(pool, key) is None:
            message = f"`{key}` is not a known label of node auto provisioning, which rejects others of the domain `{domain(key)}`"
            yield finding(pool, message, path=at, value=key, fix=f"Use a prefix of your own, such as `example.com/{key.partition('/')[2]}`")


@error("NAP009", "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools: zones are written region-number")
@sample(
    "node_provisioning.node_pools.general.requirements[2].values",
    lambda: provisioning({"general": aks_pool(Requirement("topology.kubernetes.io/zone", "In", ["1"]))}),
)
def zone_without_region(requirement: Requirement, _: AksNodePool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """The zone label of nodes contains the region, as in `westeurope-1`; agent pools name zones by number."""
    if requirement.label == keys.zone.name and requirement.operator == "In":
        zones = aks_zones(cluster)
        if not any(map(zones.has, requirement.values)):
            where = f"`{zones.where}`" if cluster is not None else zones.where
            message = f"None of the values is a zone of {where}: no node is ever launched"
            if zones.where in zones.regions_without:
                message = f"{where} has no availability zones: no node is ever launched"
                yield finding(requirement, message, path="values", fix="Remove the requirement, or deploy to a region with zones")
                return
            numbered = [f"{zones.where}-{value}" for value in requirement.values if value.isdigit()]
            advice = f"Set {ref('values')} to zones with their region, such as `{zones.example}`"
            mechanical = certain(set_to("values", numbered)) if len(numbered) == len(requirement.values) else advice
            yield finding(requirement, message, path="values", fix=mechanical if cluster is not None else advice)


_FEATURE = "az feature register --namespace Microsoft.ContainerService --name AllowClusterAutoscalerAndNAP"
_REGISTER = f"Set {ref('with_cluster_autoscaler', part=NodeProvisioning)} after `{_FEATURE}`"


def _not_autoscaled(pool: AgentPool) -> FixLike:
    """A fixed number of nodes; a spot pool would lose those that Azure evicts: AKS017."""
    if is_spot(pool):
        return f"{_REGISTER}, or use a NodePool for spot nodes instead of this pool"
    nodes = max(pool.first_count, 1)
    text = f"{_REGISTER}, or replace {ref('scale')} by {ref('count')} {literal(nodes)}"
    return Fix(text, (remove("scale"), set_to("count", nodes)))


EXCLUDED_BY_PROVISIONING = ("enable_rbac", "service_principal_profile")
"""Overrides of a cluster that this module checks if node auto provisioning is on."""

_NAP = "https://learn.microsoft.com/azure/aks/node-auto-provisioning"
_MOVE = "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"


@warning("NAP010", f"{_NETWORKING}: dynamic IP allocation is not supported; the API accepts it")
@limited(FILES_WITHOUT_NETWORK)
@sample(
    "network.pod_subnet_cidr",
    lambda: derive(provisioning(), network={"cidr": "10.10.0.0/16", "pod_subnet_cidr": "10.10.128.0/17"}, network_profile={"plugin_mode": None}),
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


@error("NAP011", f"{_NAP}: node pools of such a cluster cannot be stopped; node public IPs are not supported")
@limited(FILES_WITHOUT_CLUSTER)
@sample("pools.web.power_state", lambda: derive(provisioning(), pools={"web": {"power_state": "Stopped"}}))
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


@error("NAP016", f"{_NAP}: RBAC, a managed identity; the API rejects kubenet")
@limited(FILES_WITHOUT_CLUSTER)
@sample("overrides.enable_rbac", lambda: derive(provisioning(), overrides={"enable_rbac": False}))
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


@warning("NAP012", "https://learn.microsoft.com/azure/aks/node-auto-provisioning-upgrade-image: without aksManagedNodeOSUpgradeSchedule, at any time")
@limited(FILES_WITHOUT_CLUSTER)
@sample("maintenance", lambda: derive(provisioning(), maintenance_configurations={"node_images": None}))
def no_node_image_window(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """Node auto provisioning replaces nodes for new images in the maintenance window of node images, or at any time without one."""
    has_window = cluster.maintenance is not None or (platform is not None and platform.maintenance is not None)
    if cluster.node_provisioning is not None and cluster.maintenance_configurations.node_images is None and not has_window:
        message = "Node auto provisioning replaces nodes for new node images at any time: no maintenance window covers them"
        yield finding(cluster, message, path="maintenance", fix=set_to("maintenance", Weekly(days="sun", start="02:00", hours=5)))


@warning("NAP013", "karpenter-provider-azure: spot nodes get no taint automatically")
@sample(
    "node_provisioning.node_pools.cheap.taints", lambda: provisioning({"cheap": aks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot")])})
)
def untainted_spot_node_pool(pool: AksNodePool) -> Iterator[PartFinding]:
    """AKS taints spot nodes of agent pools; Karpenter does not taint those of NodePools, so any pod can be scheduled on them."""
    if is_spot_only(pool) and not any(taint.is_hard for taint in pool.taints):
        message = "This NodePool launches spot nodes without a taint: any pod can be scheduled on them, and Azure can evict them at any time"
        yield finding(pool, message, path="taints", fix=add("taints", SPOT_TAINT))


@warning("NAP014", "karpenter-provider-azure, README: the label and the startup taint of Cilium are required to predict what it takes of a node")
@limited(FILES_WITHOUT_NETWORK)
@sample("node_provisioning.cilium_startup_taint", lambda: provisioning({"general": aks_pool()}, cilium_startup_taint=False))
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


@warning("NAP015", f"{_MOVE}: taints keep the two from starting nodes for the same pods")
@limited(POOLS_OF_FILES)
@sample(
    "pools.web.taints",
    lambda: derive(
        provisioning({"general": aks_pool(taints=[NAP_BLOCK])}, with_cluster_autoscaler=True, default_node_pools="None"),
        pools={"web": {"scale": Autoscale(1, 5)}, "plain": UserPool(vm_size=SIZE)},
    ),
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
