"""Versions, upgrades, maintenance windows, autoscaler settings and size of AKS clusters. Facts: docs/facts/aks.md § 2.1, § 2.8, § 2.9, § 8."""

from collections.abc import Iterator
from math import ceil

from nodepools.clouds.aks.agent_pool_nodes import NODES_OF_A_CLUSTER, NODES_OF_A_POOL, counted, is_spot, surge_of
from nodepools.data.version_support import minor as minor_of
from nodepools.model.aks.agent_pool import AgentPool, Autoscale, GpuPool, SystemPool, UpgradeSettings, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, AutoscalerProfile
from nodepools.model.aks.maintenance import DailySchedule, Dates, MaintenanceConfigurations, MaintenanceWindow, WeeklySchedule
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.listing import as_code, nearest
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import PRIORITIES, About, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import NIGHTLY, SIZE, aks, with_pool_of

_ROLLING = "https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling"
_MINUTE = 60
_WHOLE = 100
_LIMITS = {"drain_timeout": (1, 1440), "soak": (0, 30)}
_SURE = {"drain_timeout": 5, "soak": 0}
"""Least minutes on which all pages agree."""


@error("AKS019", f"{_ROLLING}: max unavailable is not for system node pools; spot node pools have no surge")
@sample("upgrade.max_unavailable", lambda: SystemPool(vm_size=SIZE, count=3, upgrade=UpgradeSettings(max_unavailable="1")))
def unsupported_upgrade_settings(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS upgrades system pools with surge nodes only, and spot pools without surge nodes and without unavailable nodes."""
    settings, spot = pool.upgrade, is_spot(pool)
    if settings is None:
        return
    if counted(settings.max_unavailable) and (spot or isinstance(pool, SystemPool)):
        message = f"AKS does not support {ref('max_unavailable')} on a {'spot' if spot else 'system'} pool"
        without_surge = settings.max_surge is not None and not counted(settings.max_surge)  # which alone cannot upgrade: AKS020
        fix = (remove("max_unavailable"), *((remove("max_surge"),) if without_surge else ()))
        yield finding(settings, message, path="max_unavailable", fix=fix)
    if spot and counted(settings.max_surge):
        message = f"AKS does not support {ref('max_surge')} on a spot pool: it is upgraded without surge nodes"
        yield finding(settings, message, path="max_surge", fix=remove("max_surge"))


@error("AKS020", f"{_ROLLING}: when max unavailable is 0, max surge is greater than 0")
@sample("max_surge", lambda: UpgradeSettings(max_surge="0"))
def no_surge_and_no_unavailable(settings: UpgradeSettings, pool: AgentPool | None) -> Iterator[PartFinding]:
    """AKS requires surge nodes if no node can be unavailable during an upgrade."""
    if settings.max_surge is not None and not counted(settings.max_surge) and not counted(settings.max_unavailable):
        message = f"{ref('max_surge')} and {ref('max_unavailable')} are both 0: AKS cannot upgrade any node"
        fix = remove("max_surge") if pool is not None and is_spot(pool) else set_to("max_surge", "1")
        yield finding(settings, message, path="max_surge", fix=fix)


@error("AKS334", "https://learn.microsoft.com/azure/aks/upgrade-cluster: percentages of max surge and max unavailable are 1 % to 100 % (2026-11-25)")
@sample("max_surge", lambda: UpgradeSettings(max_surge="101%"))
def percentage_above_all_nodes(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """Surge nodes and unavailable nodes are at most 100 % of the nodes of a pool."""
    for field in ("max_surge", "max_unavailable"):
        text: str | None = getattr(settings, field)
        if text is not None and text.endswith("%") and int(text[:-1]) > _WHOLE:
            message = f"{ref(field)} is `{text}`: AKS accepts at most {_WHOLE} % of the nodes of a pool"
            yield finding(settings, message, path=field, fix=f"Use a percentage up to `{_WHOLE}%`, or a number of nodes")


@warning("AKS026", f"{_ROLLING}: both together are a preview, max unavailable as a fallback")
@sample("max_unavailable", lambda: UpgradeSettings(max_surge="1", max_unavailable="1"))
def surge_and_max_unavailable(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS accepts surge and unavailable nodes together only with a preview feature."""
    if counted(settings.max_surge) and counted(settings.max_unavailable):
        message = f"{ref('max_surge')} together with {ref('max_unavailable')} requires a preview feature: without it AKS rejects the pool"
        yield finding(settings, message, path="max_unavailable", fix=remove("max_unavailable"))


@warning("AKS027", f"{_ROLLING}: AKS rejects an upgrade if size and surge exceed 1,000")
@sample("scale.max", lambda: UserPool(vm_size=SIZE, scale=Autoscale(1, 1000), upgrade=UpgradeSettings(max_surge="10%")))
def no_room_for_surge(pool: AgentPool) -> Iterator[PartFinding]:
    """A node pool has at most 1,000 nodes, including the surge nodes of an upgrade."""
    most = pool.most_nodes
    surges = _surges(pool, most)
    if most + surges > NODES_OF_A_POOL:
        at = ("scale", "max") if pool.scale is not None else ("count",)
        message = (
            f"AKS rejects upgrades of a full pool: {ref(at)} ({most}) plus {surges} surge node{'s' * (surges > 1)} exceeds the limit of 1,000 nodes"
        )
        yield finding(pool, message, path=at, fix=_with_room(pool))


@error("AKS028", "Azure API reference, AgentPoolUpgradeSettings: minutes, drain timeout 1 to 1440, soak 0 to 30")
@sample("soak", lambda: UpgradeSettings(soak="45m"))
def invalid_drain_or_soak(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS accepts a drain timeout of 1 minute to 24 hours and a soak time of at most 30 minutes, in whole minutes."""
    for field, (least, most) in _LIMITS.items():
        value = getattr(settings, field)
        if value is not None and (seconds(value) % _MINUTE or not least <= seconds(value) // _MINUTE <= most):
            message = f"{ref(field)} (`{value}`) must be whole minutes, from {least}m to {most}m"
            yield finding(settings, message, path=field, fix=set_to(field, f"{max(_SURE[field], min(ceil(seconds(value) / _MINUTE), most))}m"))


@warning("AKS105", f"{_ROLLING}: 5 minutes at least; by the API reference 1")
@sample("drain_timeout", lambda: UpgradeSettings(drain_timeout="2m"))
def short_drain(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS documents a minimum drain timeout of 5 minutes on one page and of 1 minute on another."""
    least, sure = _LIMITS["drain_timeout"][0], _SURE["drain_timeout"]
    if settings.drain_timeout is not None and least * _MINUTE <= seconds(settings.drain_timeout) < sure * _MINUTE:
        value = f"{ref('drain_timeout')} (`{settings.drain_timeout}`)"
        message = f"AKS can reject {value}: one page documents a minimum of {sure} minutes, another of {least}"
        yield finding(settings, message, path="drain_timeout", fix=set_to("drain_timeout", f"{sure}m"))


def _with_room(pool: AgentPool) -> FixLike:
    """The largest pool that leaves room for its surge nodes; advice if the range of sizes does not allow that."""
    most = next((size for size in range(NODES_OF_A_POOL, 0, -1) if size + _surges(pool, size) <= NODES_OF_A_POOL), 0)
    if pool.scale is None and most:
        return set_to("count", most)
    if pool.scale is not None and most >= max(pool.scale.min, 1):
        return set_to("scale.max", most)
    return f"Lower {ref('upgrade.max_surge')}"


def _surges(pool: AgentPool, size: int) -> int:
    """The declared number for so many nodes, or the least that AKS adds by default."""
    declared, instead = (pool.upgrade.max_surge, pool.upgrade.max_unavailable) if pool.upgrade is not None else (None, None)
    if declared is not None:
        return counted(declared, total=size)
    return surge_of(size, None, instead, is_spot=is_spot(pool), minimum=True)


_LTS = "https://learn.microsoft.com/azure/aks/long-term-support"
_AUTO = "https://learn.microsoft.com/azure/aks/auto-upgrade-cluster"
_NODE_OS = "https://learn.microsoft.com/azure/aks/auto-upgrade-node-os-image"
_PLANNED = "https://learn.microsoft.com/azure/aks/planned-maintenance"
_SCALER = "https://learn.microsoft.com/azure/aks/cluster-autoscaler-overview"
_SKEW, _FREE_NODES, _MOST_FREE_NODES = 3, 10, 1000


@error("AKS064", f"{_LTS}: in the Premium tier")
@sample("support_plan", lambda: aks(support_plan="AKSLongTermSupport"))
def long_term_support_without_premium_tier(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Long-term support requires the Premium tier."""
    if cluster.support_plan == "AKSLongTermSupport" and cluster.tier != "Premium":
        message = f"Long-term support requires the Premium tier, and {ref('tier')} is `{cluster.tier}`"
        text = f"Set {ref('tier')} to {literal('Premium')}, or remove {ref('support_plan')} (default: standard support)"
        fix = remove("support_plan") if cluster.sku == "Automatic" else Fix(text, (set_to("tier", "Premium"),))
        yield finding(cluster, message, path="support_plan", fix=fix)


@note(
    "AKS065", "https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane, supported-kubernetes-versions (2026-08): at most three minor versions"
)
@sample("pools.web.kubernetes_version", lambda: with_pool_of("1.33"))
def pool_blocks_cluster_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A pool three minor versions behind its cluster, the most that any page of AKS allows, has to be upgraded before the cluster's next upgrade."""
    if pool.kubernetes_version is not None and minor_of(cluster.kubernetes_version) - minor_of(pool.kubernetes_version) == _SKEW:
        message = f"AKS can reject the next upgrade of the cluster before this pool (Kubernetes {pool.kubernetes_version}) is upgraded"
        yield finding(pool, f"{message}: it is three minor versions behind", path="kubernetes_version")


@warning("AKS066", f"{_AUTO}: the channel upgrades the version; AKS rejects an older patch as a downgrade", about=About.LATER)
@sample("kubernetes_version", lambda: aks(auto_upgrade="patch", kubernetes_version="1.36.1"))
def pinned_patch_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Automatic upgrades move past a patch version; a request for the older one is then a downgrade, which AKS rejects."""
    if cluster.auto_upgrade in (None, "none", "node-image"):
        return
    versions: dict[tuple[Step, ...], str] = {("kubernetes_version",): cluster.kubernetes_version}
    versions |= {("pools", key, "kubernetes_version"): pool.kubernetes_version for key, pool in cluster.pools.items() if pool.kubernetes_version}
    for at, version in versions.items():
        if version.count(".") > 1:
            why = f"The upgrade channel `{cluster.auto_upgrade}` moves past the patch version `{version}`"
            message = f"{why}: from then on, `pulumi up` requests an older version and fails"
            yield finding(cluster, message, path=at, fix=set_to(at, version.rpartition(".")[0]))


@warning("AKS067", f"{_AUTO}: stable and rapid change the minor version", about=About.LATER)
@sample("auto_upgrade", lambda: aks(auto_upgrade="stable"))
def pinned_version_with_auto_upgrade(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The channels `stable` and `rapid` upgrade to a newer minor version; AKS then rejects changes that request the older one."""
    if cluster.auto_upgrade in ("stable", "rapid") and cluster.sku != "Automatic":
        version = ref("kubernetes_version")
        message = f"The upgrade channel `{cluster.auto_upgrade}` upgrades past {version}: later deployments request a lower one and fail"
        text = f"Set {ref('auto_upgrade')} to {literal('patch')}, or raise {version} after each upgrade"
        yield finding(cluster, message, path="auto_upgrade", fix=Fix(text, (set_to("auto_upgrade", "patch"),)))


@warning("AKS068", f"{_NODE_OS}: with the channel node-image the node OS channel is NodeImage")
@sample("node_os_upgrade", lambda: aks(auto_upgrade="node-image", node_os_upgrade="None"))
def conflicting_upgrade_channels(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """With the upgrade channel `node-image` the node OS upgrade channel is `NodeImage`."""
    if cluster.auto_upgrade == "node-image" and cluster.node_os_upgrade not in (None, "NodeImage"):
        message = f"The upgrade channel `node-image` upgrades node images, although {ref('node_os_upgrade')} is `{cluster.node_os_upgrade}`"
        yield finding(cluster, message, path="node_os_upgrade", fix=set_to("node_os_upgrade", "NodeImage"))


@warning("AKS069", f"{_AUTO}: a control plane is not upgraded apart from its pools where upgrades are automatic", about=About.LATER)
@sample("pools.web.kubernetes_version", lambda: aks(auto_upgrade="patch", pools={"web": UserPool(vm_size=SIZE, kubernetes_version="1.35")}))
def pinned_pool_version_with_auto_upgrade(pool: AgentPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Automatic upgrades of Kubernetes upgrade the pools too, whatever version they declare."""
    on = cluster.auto_upgrade not in (None, "none", "node-image")
    if on and pool.kubernetes_version is not None and minor_of(pool.kubernetes_version) != minor_of(cluster.kubernetes_version):
        kept = f"it does not stay at `{pool.kubernetes_version}`"
        message = f"The upgrade channel `{cluster.auto_upgrade}` upgrades this pool to the version of the cluster: {kept}"
        fix = Fix(
            f"{sentence([remove('kubernetes_version')])}; to keep the pool at its version, turn the channel off", (remove("kubernetes_version"),)
        )
        yield finding(pool, message, path="kubernetes_version", fix=fix)


@warning("AKS072", f"{_PLANNED}: default takes weekly schedules; the two others take daily, weekly and monthly ones")
@sample(
    "maintenance_configurations.releases.schedule",
    lambda: aks(maintenance_configurations=MaintenanceConfigurations(releases=MaintenanceWindow(schedule=DailySchedule()))),
)
def release_window_not_weekly(declared: MaintenanceConfigurations) -> Iterator[PartFinding]:
    """The maintenance window of AKS releases accepts weekly schedules only."""
    if declared.releases is not None and not isinstance(declared.releases.schedule, WeeklySchedule):
        message = "The maintenance window of AKS releases accepts weekly schedules only"
        yield finding(declared, message, path=("releases", "schedule"), fix=set_to("releases.schedule", WeeklySchedule("Sunday")))


@warning("AKS073", f"{_PLANNED}: windows do not turn upgrades on")
@sample("maintenance_configurations.upgrades", lambda: aks(maintenance_configurations={"upgrades": NIGHTLY}))
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


@error("AKS074", f"{_PLANNED}: not allowed dates, start and end")
@sample("start", lambda: Dates("2027-01-06", "2026-12-20"))
def reversed_dates(dates: Dates) -> Iterator[PartFinding]:
    """A period without upgrades cannot start after it ends."""
    if dates.start > dates.end:
        message = f"{ref('start')} ({dates.start}) is after {ref('end')} ({dates.end})"
        yield finding(dates, message, path="start", fix=f"Set {ref('start')} to an earlier date, or {ref('end')} to a later one")


@warning("AKS075", f"{_NODE_OS}: SecurityPatch is not supported on Azure Linux with GPUs, nor on Windows")
@sample(
    "pools.gpu.os_sku",
    lambda: aks(
        node_os_upgrade="SecurityPatch", pools={"web": UserPool(vm_size=SIZE), "gpu": GpuPool(vm_size="Standard_NC4as_T4_v3", os_sku="AzureLinux")}
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


@warning("AKS076", f"{_SCALER}: the priority expander reads a ConfigMap")
@limited(PRIORITIES)
@sample("priorities", lambda: AutoscalerProfile(priorities={10: ["web"]}))
def priorities_without_expander(profile: AutoscalerProfile) -> Iterator[PartFinding]:
    """Only the expander `priority` reads priorities, and without them it treats all pools alike."""
    if profile.priorities and profile.expander != "priority":
        message = f"{ref('priorities')} has no effect: only the expander `priority` reads it"
        yield finding(profile, message, path="priorities", fix=set_to("expander", "priority"))
    if profile.expander == "priority" and not profile.priorities:
        message = f"The expander `priority` treats all pools alike without {ref('priorities')}"
        yield finding(profile, message, path="expander", fix=f"Add {ref('priorities')}, or use another {ref('expander')}")


@error("AKS077", "nodepools: priorities name the autoscaled agent pools of the cluster")
@limited(PRIORITIES)
@sample("autoscaler.priorities[10][0]", lambda: aks(autoscaler=AutoscalerProfile(expander="priority", priorities={10: ["wbe"]})))
def priority_for_unknown_pool(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The priorities of an expander can only name agent pools of the cluster."""
    known = [key for key, _ in cluster.all_pools()]
    for priority, keys in cluster.priorities.items():
        for index, key in enumerate(keys):
            if key not in known:
                at = ("autoscaler", "priorities", priority, index)
                near = nearest(key, known)
                fix = f"Use {f'`{near}`' if near is not None else f'one of {as_code(known)}'}"
                yield finding(cluster, f"`{key}` is not the key of an agent pool of this cluster", path=at, value=key, fix=fix)


@warning(
    "AKS078",
    "https://learn.microsoft.com/azure/aks/free-standard-pricing-tiers: Free for up to 10 nodes, without an uptime guarantee, and for at most 1,000",
)
@sample("tier", lambda: aks(tier="Free", pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 20))}))
def free_tier_too_large(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure recommends the Free tier for clusters of up to 10 nodes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if cluster.tier == "Free" and nodes > _FREE_NODES:
        advice = f"has no uptime guarantee, and Azure recommends it for at most {_FREE_NODES} nodes"
        bound = f"supports at most {_MOST_FREE_NODES:,} nodes" if nodes > _MOST_FREE_NODES else advice
        message = f"The Free tier {bound}; the pools can have {nodes:,}"
        yield finding(cluster, message, path="tier", fix=set_to("tier", "Standard"))


@warning("AKS079", "https://learn.microsoft.com/azure/aks/best-practices-performance-scale-large: 5,000 nodes a cluster")
@sample(
    "pools",
    lambda: aks(
        network_profile={"pod_cidr": "11.0.0.0/8"}, pools={f"p{number}": UserPool(vm_size=SIZE, scale=Autoscale(1, 900)) for number in range(6)}
    ),
)
def too_many_cluster_nodes(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """A cluster can have at most 5,000 nodes."""
    nodes = sum(pool.most_nodes for _, pool in cluster.all_pools())
    if nodes > NODES_OF_A_CLUSTER:
        message = f"The pools can have {nodes:,} nodes in total; a cluster can have at most {NODES_OF_A_CLUSTER:,}"
        yield finding(cluster, message, path="pools", fix="Lower the sizes of the pools, or use two clusters")
