"""How an AKS cluster is kept up: versions, channels, windows, autoscaler, size. Facts: docs/facts/aks.md § 2.1, § 2.9, § 8."""

from collections.abc import Iterator

from nodepools.model.aks.autoscaler import AutoscalerProfile
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import DailySchedule, Dates, MaintenanceConfigurations, MaintenanceWindow, WeeklySchedule
from nodepools.model.aks.pool_parts import Autoscale
from nodepools.model.aks.pools import AgentPool, GpuPool, UserPool
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE, aks

_LTS = "https://learn.microsoft.com/azure/aks/long-term-support"
_AUTO = "https://learn.microsoft.com/azure/aks/auto-upgrade-cluster"
_NODE_OS = "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image"
_PLANNED = "https://learn.microsoft.com/azure/aks/planned-maintenance"
_SCALER = "https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview"
_SKEW, _FREE_NODES, _MOST_NODES = 3, 10, 5000
_NIGHT = MaintenanceWindow(schedule=WeeklySchedule("Sunday"))


@rule("AKS064", Severity.ERROR, source=f"{_LTS}: in the Premium tier", sample=lambda: aks(support_plan="AKSLongTermSupport"))
def long_term_support_without_premium_tier(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Long-term support is of the Premium tier."""
    if cluster.support_plan == "AKSLongTermSupport" and cluster.tier != "Premium":
        yield finding(cluster, f"is not of tier {cluster.tier}", at="support_plan", fix='write tier="Premium", or leave it out')


@rule(
    "AKS065",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane, supported-kubernetes-versions (2026-08): at most three minor versions",
    sample=lambda: aks(pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.33")}),
)
def pool_blocks_cluster_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool three minor versions behind its cluster, the most that AKS supports, has to be upgraded before the cluster's next upgrade."""
    if pool.kubernetes_version is not None and _minor(cluster.kubernetes_version) - _minor(pool.kubernetes_version) == _SKEW:
        message = f"Kubernetes {pool.kubernetes_version} is three minor versions behind the cluster, the most that AKS supports"
        yield finding(pool, message, at="kubernetes_version", fix="Upgrade the pool before the next upgrade of the cluster")


@rule(
    "AKS066",
    Severity.WARNING,
    source=f"{_AUTO}: the channel moves the version on; an older patch is refused as a downgrade",
    sample=lambda: aks(auto_upgrade="patch", kubernetes_version="1.36.1"),
)
def pinned_patch_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Where AKS upgrades by itself, the versions here name no patch: it would soon be an older one, which is refused."""
    if cluster.auto_upgrade in (None, "none", "node-image"):
        return
    fix = "write the minor version alone"
    if _is_patch(cluster.kubernetes_version):
        yield finding(cluster, f"is left behind by the channel {cluster.auto_upgrade}", at="kubernetes_version", fix=fix)
    for key, pool in cluster.pools.items():
        if pool.kubernetes_version is not None and _is_patch(pool.kubernetes_version):
            at = ("pools", key, "kubernetes_version")
            yield finding(cluster, f"is left behind by the channel {cluster.auto_upgrade}", at=at, fix=fix)


@rule("AKS067", Severity.WARNING, source=f"{_AUTO}: stable and rapid change the minor version", sample=lambda: aks(auto_upgrade="stable"))
def pinned_version_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`stable` and `rapid` move on to the next minor version: the one here is then older, and the next change of the cluster refused."""
    if cluster.auto_upgrade in ("stable", "rapid"):
        fix = "use patch, and raise kubernetes_version by hand; or raise it after each upgrade"
        yield finding(cluster, "runs ahead of kubernetes_version: raise that after each upgrade, or changes are refused", at="auto_upgrade", fix=fix)


@rule(
    "AKS068",
    Severity.WARNING,
    source=f"{_NODE_OS}: with the channel node-image the node OS channel is NodeImage",
    sample=lambda: aks(auto_upgrade="node-image", node_os_upgrade="None"),
)
def conflicting_upgrade_channels(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The channel `node-image` is about node images, as the node OS channel `NodeImage` is."""
    if cluster.auto_upgrade == "node-image" and cluster.node_os_upgrade not in (None, "NodeImage"):
        yield finding(cluster, "contradicts auto_upgrade, node-image", at="node_os_upgrade", fix="leave it out, or write NodeImage")


@rule(
    "AKS069",
    Severity.WARNING,
    source=f"{_AUTO}: a control plane is not upgraded apart from its pools where upgrades are automatic",
    sample=lambda: aks(auto_upgrade="patch", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.35")}),
)
def pinned_pool_version_with_auto_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Where AKS upgrades by itself, it upgrades the pools too."""
    on = cluster.auto_upgrade not in (None, "none", "node-image")
    if on and pool.kubernetes_version is not None and _minor(pool.kubernetes_version) != _minor(cluster.kubernetes_version):
        yield finding(pool, f"is not kept by the channel {cluster.auto_upgrade}", at="kubernetes_version", fix="leave it out")


@rule(
    "AKS072",
    Severity.WARNING,
    source=f"{_PLANNED}: default takes weekly schedules; the two others take daily, weekly and monthly ones",
    sample=lambda: aks(maintenance_configurations=MaintenanceConfigurations(releases=MaintenanceWindow(schedule=DailySchedule()))),
)
def release_window_not_weekly(declared: MaintenanceConfigurations) -> Iterator[PartFinding]:
    """AKS's own releases have a weekly schedule; daily and monthly ones are for upgrades and node images."""
    if declared.releases is not None and not isinstance(declared.releases.schedule, WeeklySchedule):
        yield finding(declared, "is not for AKS's own releases", at=("releases", "schedule"), fix='write WeeklySchedule("Sunday")')


@rule(
    "AKS073",
    Severity.WARNING,
    source=f"{_PLANNED}: windows do not turn upgrades on",
    sample=lambda: aks(maintenance_configurations=MaintenanceConfigurations(upgrades=_NIGHT)),
)
def unused_maintenance_window(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A window says when AKS upgrades, not that it does."""
    declared, at, said = cluster.maintenance_configurations, "maintenance_configurations", "is for upgrades that are off"
    if declared.upgrades is not None and "upgrades" not in cluster.upkeep:
        yield finding(cluster, said, at=(at, "upgrades"), fix='add auto_upgrade="patch", or remove it')
    if declared.node_images is not None and cluster.upkeep == ("releases",):
        yield finding(cluster, said, at=(at, "node_images"), fix="leave node_os_upgrade out, or remove it")


@rule("AKS074", Severity.ERROR, source=f"{_PLANNED}: not allowed dates, start and end", sample=lambda: Dates("2027-01-06", "2026-12-20"))
def reversed_dates(dates: Dates) -> Iterator[PartFinding]:
    """A time without upgrades begins before it ends."""
    if dates.start > dates.end:
        yield finding(dates, f"is after its end, {dates.end}", at="start", fix=f'write Dates("{dates.end}", "{dates.start}")')


@rule(
    "AKS075",
    Severity.WARNING,
    source=f"{_NODE_OS}: SecurityPatch is not supported on Azure Linux with GPUs, nor on Windows",
    sample=lambda: aks(
        node_os_upgrade="SecurityPatch", pools={"web": UserPool(vm_size=SIZE), "gpu": GpuPool(vm_size="Standard_NC4as_T4_v3", os_sku="AzureLinux")}
    ),
)
def security_patch_channel_unsupported(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """GPU nodes of Azure Linux and Windows nodes get no security patches by the channel `SecurityPatch`."""
    if cluster.node_os_upgrade != "SecurityPatch":
        return
    if isinstance(pool, GpuPool) and pool.os_sku is not None and pool.os_sku.lower() in ("azurelinux", "azurelinux3"):
        yield finding(pool, "gets no patches by node_os_upgrade, SecurityPatch", at="os_sku", fix="write Ubuntu, or the channel NodeImage")
    if pool.os_type == "Windows":
        fix = "Set the channel of the cluster to `NodeImage`"
        yield finding(pool, "Windows nodes get no patches by the channel of the cluster, `SecurityPatch`", at="os_sku", fix=fix)


@rule(
    "AKS076",
    Severity.WARNING,
    source=f"{_SCALER}: the priority expander reads a ConfigMap",
    sample=lambda: AutoscalerProfile(priorities={10: ["web"]}),
)
def priorities_without_expander(profile: AutoscalerProfile) -> Iterator[PartFinding]:
    """Priorities are read by the expander `priority`, and it reads nothing else."""
    if profile.priorities and profile.expander != "priority":
        yield finding(profile, "are read by the expander priority only", at="priorities", fix='add expander="priority"')
    if profile.expander == "priority" and not profile.priorities:
        fix = 'add priorities, {10: ["web"]}'
        yield finding(profile, "wants priorities: without its ConfigMap every pool is alike", at="expander", fix=fix)


@rule(
    "AKS077",
    Severity.ERROR,
    source="nodepools: priorities name the autoscaled agent pools of the cluster",
    sample=lambda: aks(autoscaler=AutoscalerProfile(expander="priority", priorities={10: ["wbe"]})),
)
def priority_for_unknown_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Priorities name agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for priority, keys in cluster.priorities.items():
        for index, key in enumerate(keys):
            if key not in known:
                at = ("autoscaler", "priorities", priority, index)
                yield finding(cluster, "is no agent pool of this cluster", at=at, value=key, fix=f"name one of {', '.join(known)}")


@rule(
    "AKS078",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers: Free for up to 10 nodes, without an uptime guarantee",
    sample=lambda: aks(tier="Free", pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 20))}),
)
def free_tier_too_large(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The tier `Free` is for up to ten nodes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if cluster.tier == "Free" and nodes > _FREE_NODES:
        yield finding(cluster, f"is for up to {_FREE_NODES} nodes: the pools may have {nodes}", at="tier", fix="leave it out: Standard")


@rule(
    "AKS079",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/best-practices-performance-scale-large: 5,000 nodes a cluster",
    sample=lambda: aks(
        network_profile={"pod_cidr": "11.0.0.0/8"},
        pools={f"p{number}": UserPool(vm_size=SIZE, scale=Autoscale(1, 1000)) for number in range(6)},
    ),
)
def too_many_cluster_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster has 5000 nodes at the most."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if nodes > _MOST_NODES:
        yield finding(
            cluster, f"may have {nodes} nodes together: a cluster has {_MOST_NODES}", at="pools", fix="lower their scales, or make two clusters"
        )


def _minor(version: str) -> int:
    return int(version.split(".")[1])


def _is_patch(version: str) -> bool:
    return version.count(".") > 1
