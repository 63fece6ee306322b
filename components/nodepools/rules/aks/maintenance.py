"""Versions, upgrade channels, maintenance windows, autoscaler settings and size of AKS clusters. Facts: docs/facts/aks.md § 2.1, § 2.9, § 8."""

from collections.abc import Iterator

from nodepools.clouds.aks.limits import NODES_OF_A_CLUSTER
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.autoscaler import AutoscalerProfile
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import DailySchedule, Dates, MaintenanceConfigurations, MaintenanceWindow, WeeklySchedule
from nodepools.model.aks.pool_settings import Autoscale
from nodepools.model.aks.pools import GpuPool, UserPool
from nodepools.model.nearest import nearest
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, remove, set_to
from nodepools.rules.engine.registry import PRIORITIES, Sample, finding, rule
from nodepools.rules.engine.samples import SIZE, aks

_LTS = "https://learn.microsoft.com/azure/aks/long-term-support"
_AUTO = "https://learn.microsoft.com/azure/aks/auto-upgrade-cluster"
_NODE_OS = "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image"
_PLANNED = "https://learn.microsoft.com/azure/aks/planned-maintenance"
_SCALER = "https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview"
_SKEW, _FREE_NODES = 3, 10
_NIGHT = MaintenanceWindow(schedule=WeeklySchedule("Sunday"))


@rule("AKS064", Severity.ERROR, source=f"{_LTS}: in the Premium tier", sample=Sample("support_plan", lambda: aks(support_plan="AKSLongTermSupport")))
def long_term_support_without_premium_tier(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Long-term support requires the Premium tier."""
    if cluster.support_plan == "AKSLongTermSupport" and cluster.tier != "Premium":
        message = f"Long-term support requires the Premium tier, and {ref('tier')} is `{cluster.tier}`"
        fix = Fix(
            f"Set {ref('tier')} to {literal('Premium')}, or remove {ref('support_plan')} (default: standard support)", (set_to("tier", "Premium"),)
        )
        yield finding(cluster, message, path="support_plan", fix=fix)


@rule(
    "AKS065",
    Severity.NOTE,
    source="https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane, supported-kubernetes-versions (2026-08): at most three minor versions",
    sample=Sample("pools.web.kubernetes_version", lambda: aks(pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.33")})),
)
def pool_blocks_cluster_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool three minor versions behind its cluster, the most that any page of AKS allows, has to be upgraded before the cluster's next upgrade."""
    if pool.kubernetes_version is not None and minor_of(cluster.kubernetes_version) - minor_of(pool.kubernetes_version) == _SKEW:
        message = f"AKS can reject the next upgrade of the cluster before this pool (Kubernetes {pool.kubernetes_version}) is upgraded"
        yield finding(pool, f"{message}: it is three minor versions behind", path="kubernetes_version")


@rule(
    "AKS066",
    Severity.WARNING,
    source=f"{_AUTO}: the channel upgrades the version; AKS rejects an older patch as a downgrade",
    sample=Sample("kubernetes_version", lambda: aks(auto_upgrade="patch", kubernetes_version="1.36.1")),
)
def pinned_patch_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Automatic upgrades move past a patch version; a request for the older one is then a downgrade, which AKS rejects."""
    if cluster.auto_upgrade in (None, "none", "node-image"):
        return
    versions: dict[tuple[Step, ...], str] = {("kubernetes_version",): cluster.kubernetes_version}
    versions |= {("pools", key, "kubernetes_version"): pool.kubernetes_version for key, pool in cluster.pools.items() if pool.kubernetes_version}
    for at, version in versions.items():
        if _is_patch(version):
            why = f"The upgrade channel `{cluster.auto_upgrade}` moves past the patch version `{version}`"
            message = f"{why}: the next `pulumi up` then requests an older version and fails"
            yield finding(cluster, message, path=at, fix=set_to(at, version.rpartition(".")[0]))


@rule(
    "AKS067",
    Severity.WARNING,
    source=f"{_AUTO}: stable and rapid change the minor version",
    sample=Sample("auto_upgrade", lambda: aks(auto_upgrade="stable")),
)
def pinned_version_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The channels `stable` and `rapid` upgrade to a newer minor version; AKS then rejects changes that request the older one."""
    if cluster.auto_upgrade in ("stable", "rapid"):
        version = ref("kubernetes_version")
        message = f"The upgrade channel `{cluster.auto_upgrade}` upgrades past {version}: later deployments request a lower one and fail"
        text = f"Set {ref('auto_upgrade')} to {literal('patch')}, or raise {version} after each upgrade"
        yield finding(cluster, message, path="auto_upgrade", fix=Fix(text, (set_to("auto_upgrade", "patch"),)))


@rule(
    "AKS068",
    Severity.WARNING,
    source=f"{_NODE_OS}: with the channel node-image the node OS channel is NodeImage",
    sample=Sample("node_os_upgrade", lambda: aks(auto_upgrade="node-image", node_os_upgrade="None")),
)
def conflicting_upgrade_channels(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With the upgrade channel `node-image` the node OS upgrade channel is `NodeImage`."""
    if cluster.auto_upgrade == "node-image" and cluster.node_os_upgrade not in (None, "NodeImage"):
        message = f"The upgrade channel `node-image` upgrades node images, although {ref('node_os_upgrade')} is `{cluster.node_os_upgrade}`"
        yield finding(cluster, message, path="node_os_upgrade", fix=set_to("node_os_upgrade", "NodeImage"))


@rule(
    "AKS069",
    Severity.WARNING,
    source=f"{_AUTO}: a control plane is not upgraded apart from its pools where upgrades are automatic",
    sample=Sample(
        "pools.web.kubernetes_version", lambda: aks(auto_upgrade="patch", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.35")})
    ),
)
def pinned_pool_version_with_auto_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Automatic upgrades of Kubernetes upgrade the pools too, whatever version they declare."""
    on = cluster.auto_upgrade not in (None, "none", "node-image")
    if on and pool.kubernetes_version is not None and minor_of(pool.kubernetes_version) != minor_of(cluster.kubernetes_version):
        kept = f"it does not stay at `{pool.kubernetes_version}`"
        message = f"The upgrade channel `{cluster.auto_upgrade}` upgrades this pool to the version of the cluster: {kept}"
        fix = Fix(f"{remove('kubernetes_version').text}; to keep the pool at its version, turn the channel off", (remove("kubernetes_version"),))
        yield finding(pool, message, path="kubernetes_version", fix=fix)


@rule(
    "AKS072",
    Severity.WARNING,
    source=f"{_PLANNED}: default takes weekly schedules; the two others take daily, weekly and monthly ones",
    sample=Sample(
        "maintenance_configurations.releases.schedule",
        lambda: aks(maintenance_configurations=MaintenanceConfigurations(releases=MaintenanceWindow(schedule=DailySchedule()))),
    ),
)
def release_window_not_weekly(declared: MaintenanceConfigurations) -> Iterator[PartFinding]:
    """The maintenance window of AKS releases accepts weekly schedules only."""
    if declared.releases is not None and not isinstance(declared.releases.schedule, WeeklySchedule):
        message = "The maintenance window of AKS releases accepts weekly schedules only"
        yield finding(declared, message, path=("releases", "schedule"), fix=set_to("releases.schedule", WeeklySchedule("Sunday")))


@rule(
    "AKS073",
    Severity.WARNING,
    source=f"{_PLANNED}: windows do not turn upgrades on",
    sample=Sample("maintenance_configurations.upgrades", lambda: aks(maintenance_configurations=MaintenanceConfigurations(upgrades=_NIGHT))),
)
def unused_maintenance_window(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A maintenance window has no effect while the automatic upgrades that it schedules are off."""
    declared = cluster.maintenance_configurations
    if declared.upgrades is not None and "upgrades" not in cluster.effective_configurations:
        message = "The maintenance window of Kubernetes upgrades has no effect: automatic upgrades are off"
        fix = f"Set {ref('auto_upgrade')} to {literal('patch')}, or remove the window"
        yield finding(cluster, message, path=("maintenance_configurations", "upgrades"), fix=fix)
    if declared.node_images is not None and cluster.effective_configurations == ("releases",):
        message = f"The maintenance window of node images has no effect: {ref('node_os_upgrade')} is `{cluster.node_os_upgrade}`"
        fix = f"Set {ref('node_os_upgrade')} to {literal('NodeImage')}, or remove the window"
        yield finding(cluster, message, path=("maintenance_configurations", "node_images"), fix=fix)


@rule(
    "AKS074",
    Severity.ERROR,
    source=f"{_PLANNED}: not allowed dates, start and end",
    sample=Sample("start", lambda: Dates("2027-01-06", "2026-12-20")),
)
def reversed_dates(dates: Dates) -> Iterator[PartFinding]:
    """A period without upgrades cannot start after it ends."""
    if dates.start > dates.end:
        message = f"{ref('start')} ({dates.start}) is after {ref('end')} ({dates.end})"
        yield finding(dates, message, path="start", fix=f"Set {ref('start')} to an earlier date, or {ref('end')} to a later one")


@rule(
    "AKS075",
    Severity.WARNING,
    source=f"{_NODE_OS}: SecurityPatch is not supported on Azure Linux with GPUs, nor on Windows",
    sample=Sample(
        "pools.gpu.os_sku",
        lambda: aks(
            node_os_upgrade="SecurityPatch",
            pools={"web": UserPool(vm_size=SIZE), "gpu": GpuPool(vm_size="Standard_NC4as_T4_v3", os_sku="AzureLinux")},
        ),
    ),
)
def security_patch_channel_unsupported(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The node OS upgrade channel `SecurityPatch` does not patch GPU nodes of Azure Linux and Windows nodes."""
    if cluster.node_os_upgrade != "SecurityPatch":
        return
    channel = ref("node_os_upgrade", part=AksClusterArgs)
    if isinstance(pool, GpuPool) and pool.os_sku is not None and pool.os_sku.lower() in ("azurelinux", "azurelinux3"):
        message = "The node OS upgrade channel `SecurityPatch` does not patch GPU nodes of Azure Linux"
        yield finding(pool, message, path="os_sku", fix=f"Set {channel} to {literal('NodeImage')}, or {ref('os_sku')} to {literal('Ubuntu')}")
    if pool.os_type == "Windows":
        message = "The node OS upgrade channel `SecurityPatch` does not patch Windows nodes"
        yield finding(pool, message, path="os_sku", fix=f"Set {channel} to {literal('NodeImage')}")


@rule(
    "AKS076",
    Severity.WARNING,
    source=f"{_SCALER}: the priority expander reads a ConfigMap",
    sample=Sample("priorities", lambda: AutoscalerProfile(priorities={10: ["web"]})),
    limits=(PRIORITIES,),
)
def priorities_without_expander(profile: AutoscalerProfile) -> Iterator[PartFinding]:
    """Only the expander `priority` reads priorities, and without them it treats all pools alike."""
    if profile.priorities and profile.expander != "priority":
        message = f"{ref('priorities')} has no effect: only the expander `priority` reads it"
        yield finding(profile, message, path="priorities", fix=set_to("expander", "priority"))
    if profile.expander == "priority" and not profile.priorities:
        message = f"The expander `priority` treats all pools alike without {ref('priorities')}"
        yield finding(profile, message, path="expander", fix=f"Add {ref('priorities')}, or use another {ref('expander')}")


@rule(
    "AKS077",
    Severity.ERROR,
    source="nodepools: priorities name the autoscaled agent pools of the cluster",
    sample=Sample("autoscaler.priorities[10][0]", lambda: aks(autoscaler=AutoscalerProfile(expander="priority", priorities={10: ["wbe"]}))),
    limits=(PRIORITIES,),
)
def priority_for_unknown_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The priorities of an expander can only name agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for priority, keys in cluster.priorities.items():
        for index, key in enumerate(keys):
            if key not in known:
                at = ("autoscaler", "priorities", priority, index)
                near = nearest(key, known)
                fix = f"Use {f'`{near}`' if near is not None else f'one of {_listed(known)}'}"
                yield finding(cluster, f"`{key}` is not the key of an agent pool of this cluster", path=at, value=key, fix=fix)


@rule(
    "AKS078",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers: Free for up to 10 nodes, without an uptime guarantee",
    sample=Sample("tier", lambda: aks(tier="Free", pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 20))})),
)
def free_tier_too_large(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure recommends the Free tier for clusters of up to 10 nodes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if cluster.tier == "Free" and nodes > _FREE_NODES:
        message = f"The Free tier has no uptime guarantee, and Azure recommends it for at most {_FREE_NODES} nodes; the pools can have {nodes:,}"
        yield finding(cluster, message, path="tier", fix=set_to("tier", "Standard"))


@rule(
    "AKS079",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/aks/best-practices-performance-scale-large: 5,000 nodes a cluster",
    sample=Sample(
        "pools",
        lambda: aks(
            network_profile={"pod_cidr": "11.0.0.0/8"},
            pools={f"p{number}": UserPool(vm_size=SIZE, scale=Autoscale(1, 1000)) for number in range(6)},
        ),
    ),
)
def too_many_cluster_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster can have at most 5,000 nodes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if nodes > NODES_OF_A_CLUSTER:
        message = f"The pools can have {nodes:,} nodes in total; a cluster can have at most {NODES_OF_A_CLUSTER:,}"
        yield finding(cluster, message, path="pools", fix="Lower the sizes of the pools, or use two clusters")


def _listed(keys: list[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _is_patch(version: str) -> bool:
    return version.count(".") > 1
