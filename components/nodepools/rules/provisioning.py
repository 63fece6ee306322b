"""What node auto provisioning asks of a cluster, of its NodePools and of its node classes."""

from collections.abc import Iterator

from nodepools.keys import aks as keys
from nodepools.keys.kinds import Key
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.pool_parts import Autoscale
from nodepools.model.aks.pools import AgentPool
from nodepools.model.aks.provisioning import BUILT_IN, AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import domain
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.labels import did_you_mean, in_domain, named_labels
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks_pool, provisioning
from nodepools.rules.zones import aks_zones

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


@rule(
    "NAP001",
    Severity.WARNING,
    source="https://github.com/Azure/AKS/issues/5412: feature AllowClusterAutoscalerAndNAP, in all public clouds since 2026-07-30",
    sample=lambda: derive(provisioning(), pools={"web": {"scale": Autoscale(1, 5)}}),
)
def autoscaled_pool_with_nap(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS refuses autoscaled agent pools beside node auto provisioning, unless the subscription has registered `AllowClusterAutoscalerAndNAP`."""
    auto = cluster.node_provisioning
    if auto is not None and not auto.beside_cluster_autoscaler and pool.scale is not None:
        yield finding(
            pool,
            "is refused beside node auto provisioning, unless the subscription has the feature AllowClusterAutoscalerAndNAP",
            at="scale",
            fix="write a fixed count; or register the feature, and write beside_cluster_autoscaler=True",
        )


@rule(
    "NAP002",
    Severity.ERROR,
    source=f"{_NETWORKING}: Calico is not supported, and refused by the API",
    sample=lambda: derive(provisioning(), network_profile={"dataplane": "azure", "policy": "calico"}),
)
def nap_with_calico(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning does not work with Calico network policies."""
    if cluster.node_provisioning is not None and cluster.network_profile.policy == "calico":
        yield finding(
            cluster, "is refused with node auto provisioning", at=("network_profile", "policy"), fix="use Cilium: leave dataplane and policy out"
        )


@rule(
    "NAP003",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning: IPv6 clusters are not supported",
    sample=lambda: derive(provisioning(), network_profile={"ip_families": ["IPv4", "IPv6"]}),
)
def nap_with_ipv6(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Node auto provisioning does not know IPv6."""
    if cluster.node_provisioning is not None and "IPv6" in cluster.network_profile.ip_families:
        yield finding(
            cluster, "is not possible with node auto provisioning", at=("network_profile", "ip_families"), fix='write ["IPv4"], or leave it out'
        )


@rule(
    "NAP004",
    Severity.WARNING,
    source="Azure API reference, nodeProvisioningProfile.defaultNodePools: no scaling unless NodePools are created",
    sample=lambda: provisioning(default_node_pools="None"),
)
def nap_without_node_pools(provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """Without the default NodePools, and with none declared, no node is ever provisioned."""
    if provisioning.default_node_pools == "None" and not provisioning.node_pools:
        yield finding(
            provisioning,
            "leaves no NodePool: nothing is provisioned",
            at="default_node_pools",
            fix="declare node_pools, or leave the default ones on",
        )


@rule(
    "NAP005",
    Severity.WARNING,
    source="https://github.com/Azure/karpenter-provider-azure/tree/main/designs: 0006, AKS makes and owns these objects",
    sample=lambda: provisioning({"default": aks_pool()}),
)
def built_in_nap_name(provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """`default` and `system-surge` are made by AKS, as NodePools and as node classes, unless `default_node_pools` is None."""
    for field, declared in (("node_pools", provisioning.node_pools), ("node_classes", provisioning.node_classes)):
        for name in declared:
            if name in provisioning.built_in_node_pools:
                fix = 'give it another name, or write default_node_pools="None"'
                yield finding(provisioning, "is the name of what AKS makes itself", at=(field, name), value=name, fix=fix)


@rule(
    "NAP006",
    Severity.ERROR,
    source="https://karpenter.sh/docs/concepts/nodepools: a NodePool of a missing node class never becomes ready",
    sample=lambda: provisioning({"general": aks_pool(node_class="missing")}),
)
def missing_aks_node_class(pool: AksNodePool, provisioning: NodeProvisioning) -> Iterator[PartFinding]:
    """A NodePool names a node class of its cluster, or one that AKS makes."""
    if pool.node_class is not None and pool.node_class not in (*provisioning.node_classes, *BUILT_IN):
        known = ", ".join(provisioning.node_classes)
        yield finding(
            pool,
            "is no node class of this cluster",
            at="node_class",
            fix=f"use one of {known}" if known else "leave it out: AKS makes the class default",
        )


@rule(
    "NAP007",
    Severity.ERROR,
    source=f"{_LABELS}: restricted labels",
    sample=lambda: aks_pool(labels={"kubernetes.azure.com/agentpool": "web"}),
)
def label_rejected_by_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Labels that AKS sets itself, old ones that are gone, and any whose domain only ends as one of AKS, are refused of a NodePool."""
    for key, at in named_labels(pool):
        if key in _REFUSED or any(in_domain(key, end) and domain(key) != end for end in _DOMAINS):
            yield finding(
                pool, "is no label that a NodePool may name", at=at, value=key, fix="remove it, or use a label that node auto provisioning documents"
            )


@rule(
    "NAP008",
    Severity.WARNING,
    source=f"{_LABELS}: labels of these domains that are not listed are restricted",
    sample=lambda: aks_pool(Requirement("karpenter.azure.com/sku-cpus", "In", ["8"])),
)
def label_unknown_to_nap(pool: AksNodePool) -> Iterator[PartFinding]:
    """Under `karpenter.azure.com` and `kubernetes.azure.com` NodePools may name known labels only."""
    for key, at in named_labels(pool):
        if domain(key) in _DOMAINS and key not in _SELECTABLE | _REFUSED:
            fix = did_you_mean(key, _SELECTABLE, "use a label that node auto provisioning documents, or a prefix of your own")
            yield finding(pool, "is not known as a label of node auto provisioning: others are refused", at=at, value=key, fix=fix)


@rule(
    "NAP009",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools: zones are written region-number",
    sample=lambda: provisioning({"general": aks_pool(Requirement("topology.kubernetes.io/zone", "In", ["1"]))}),
)
def zone_without_region(requirement: Requirement, _: AksNodePool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """NodePools write zones with the region, `westeurope-1`, where agent pools write `1`; `0` is no zone."""
    if requirement.key == keys.zone.name and requirement.operator == "In":
        zones = aks_zones(cluster)
        if not any(map(zones.has, requirement.values)):
            yield finding(requirement, f"names no zone of {zones.where}", at="values", fix=f"write {zones.example}")
