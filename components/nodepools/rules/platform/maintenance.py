"""Maintenance windows, and the upgrades and disruptions that follow them. Facts: docs/facts/aks.md § 8, docs/facts/eks.md P6 to P9."""

from collections.abc import Iterator, Mapping

from nodepools.model.aks.cluster import AksClusterArgs, AksNodePool
from nodepools.model.aks.maintenance import Configuration, why_unsupported
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.listing import listed
from nodepools.model.maintenance import MOST_BUDGETS, REASONS, AnyWindow, Budget, Disruption, Weekly
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import Fix, PartFinding, ref, remove
from nodepools.rules.engine.registry import FILES_WITHOUT_WINDOW, WINDOWS, error, finding, limited, note, sample
from nodepools.rules.engine.samples import aks, aks_pool, auto_mode, eks, eks_pool, provisioning
from nodepools.rules.karpenter.disruption_budgets import DISRUPTION, DONE, blocked_reasons, happens, window_of

_PLANNED = "https://learn.microsoft.com/azure/aks/planned-maintenance"
_DEFAULT_REASONS = Weekly(days="sat", start="01:00", hours=5)
_SATURDAY = derive(_DEFAULT_REASONS, reasons=REASONS)
_COVERS: Mapping[Configuration, str] = {"upgrades": "Kubernetes upgrades", "node_images": "node images", "releases": "AKS releases"}
_LISTED = 5


@error("AKS110", f"{_PLANNED}: one day of the week or every so many days, 4 to 24 hours, a fixed offset")
@limited(WINDOWS)
@sample("maintenance", lambda: aks(maintenance=Weekly(days="mon-fri", start="22:00", hours=5)))
def unsupported_maintenance_window(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """AKS supports maintenance windows of 4 to 24 hours on one weekday or every day; another window would have no effect."""
    parent, window = _around(cluster, platform)
    for name in cluster.effective_configurations:
        why = _unsaid(cluster, window, name) if name != "releases" else None
        if why is not None:
            message = f"The maintenance window has no effect on {_COVERS[name]} of {_named(cluster, platform)}: it {why}"
            fix = f"Use a window of at least 5 hours (4 in the time zone `UTC`) on one day or on every day, or set {_own(cluster, platform, name)}"
            yield finding(parent, message, path="maintenance", fix=fix)


@note("AKS111", f"{_PLANNED}: the configuration default takes weekly schedules")
@limited(WINDOWS)
@sample("maintenance", lambda: aks(maintenance=Weekly(days="mon-sun", start="01:00", hours=5)))
def release_window_not_single_day(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """Releases of AKS itself (control plane and add-ons) follow maintenance windows on one weekday only."""
    parent, window = _around(cluster, platform)
    why = _unsaid(cluster, window, "releases")
    if why is not None and not any(unsupported_maintenance_window(cluster, platform)):
        anytime = f"AKS releases reach {_named(cluster, platform)} at any time"
        yield finding(parent, f"{anytime}: the window {why} (in {_own(cluster, platform, 'releases')})", path="maintenance")


@note("KAR070", f"{DISRUPTION}: budgets are for graceful disruption; expiration is forceful")
@limited(WINDOWS, FILES_WITHOUT_WINDOW)
@sample("auto_mode.node_pools.web.maintenance", lambda: auto_mode({"web": eks_pool(maintenance=_SATURDAY)}))
def expiry_ignores_maintenance_window(parent: Platform | AnyCluster | NodePool) -> Iterator[PartFinding]:
    """Karpenter replaces expired nodes, and ends pods whose grace period is over, outside maintenance windows too."""
    if parent.maintenance is None:
        return
    expiring = {name: pool.expires_after for name, pool in _governed(parent) if pool.expires_after != NEVER}
    if expiring:
        ages = [f"`{name}` after {age}" if name else f"after {age}" for name, age in expiring.items()]
        yield finding(parent, f"Karpenter replaces expired nodes ({listed(ages, _LISTED)}) outside the maintenance window, too", path="maintenance")


@note("KAR073", f"{DISRUPTION} (2026-11): a budget with reasons limits these reasons only")
@limited(WINDOWS, FILES_WITHOUT_WINDOW)
@sample("node_provisioning.node_pools.jobs.maintenance", lambda: provisioning({"jobs": aks_pool(maintenance=_DEFAULT_REASONS, expire_after=NEVER)}))
def reasons_outside_maintenance_window(parent: Platform | AnyCluster | NodePool) -> Iterator[PartFinding]:
    """A maintenance window holds disruption for its reasons only; by default, Karpenter removes empty nodes at any time."""
    if parent.maintenance is None:
        return
    outside = parent.maintenance.reasons_outside
    happening = [DONE[reason] for reason in outside if any(happens(reason, pool) for _, pool in _governed(parent))]
    if happening:
        held = ", ".join(f"`{reason}`" for reason in parent.maintenance.reasons)
        message = f"Karpenter {' and '.join(happening)} outside the maintenance window, too: the window is only for {held}"
        yield finding(parent, message, path="maintenance")


@error("KAR071", f"{DISRUPTION}: of all budgets that hold at a time the most restrictive wins")
@limited(WINDOWS, FILES_WITHOUT_WINDOW)
@sample(
    "node_provisioning.node_pools.jobs.disruption.budgets",
    lambda: provisioning({"jobs": _kept(Budget(nodes="0", schedule="0 0 * * sat", duration="12h"))}),
)
def budgets_block_whole_window(pool: NodePool, cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """The most restrictive budget applies: if a NodePool's own budgets block its whole maintenance window, Karpenter never disrupts its nodes."""
    window = window_of(pool, cluster, platform)
    if window is None or pool.disruption.budgets is None:
        return
    applied = Disruption(budgets=[*pool.disruption.budgets, *window.disruption_budgets()][:MOST_BUDGETS])
    blocked = blocked_reasons(applied) - blocked_reasons(pool.disruption)
    if blocked:
        at = ("disruption", "budgets")
        never = "never upgrades its nodes" if "Drifted" in blocked else f"never disrupts nodes that are {' or '.join(sorted(blocked)).lower()}"
        message = f"The budgets of the NodePool block its whole maintenance window ({window}): Karpenter {never}"
        fix = Fix(f"Remove {ref(at)} (the window blocks all other times), or leave part of the window free", (remove(at),))
        yield finding(pool, message, path=at, fix=fix)


@error("KAR072", "NodePool CRD (karpenter.sh/v1): 50 budgets at most")
@limited(WINDOWS, FILES_WITHOUT_WINDOW)
@sample("node_provisioning.node_pools.jobs.disruption.budgets", lambda: provisioning({"jobs": _kept(*[Budget(nodes="5")] * MOST_BUDGETS)}))
def too_many_budgets(pool: NodePool, cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """A NodePool has at most 50 disruption budgets, including those of its maintenance window."""
    window = window_of(pool, cluster, platform)
    of_window = len(window.disruption_budgets()) if window is not None else 0
    own = len(pool.disruption.applied_budgets)
    if of_window and own + of_window > MOST_BUDGETS:
        both = f"{own} budgets, and its maintenance window needs {of_window} more"
        fix = f"Keep at most {MOST_BUDGETS - of_window} budgets"
        yield finding(pool, f"The NodePool has {both}: at most {MOST_BUDGETS} are allowed", path=("disruption", "budgets"), fix=fix)


@note(
    "PLT040",
    "https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html, "
    "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools: built-in NodePools have the cloud's own budgets, 10% at any time",
)
@limited(WINDOWS)
@sample("maintenance", lambda: eks(maintenance=_SATURDAY))
def built_in_pools_ignore_window(cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """Built-in NodePools keep the disruption budgets of the cloud and ignore maintenance windows."""
    parent, window = _around(cluster, platform)
    names = cluster.built_in_node_pools
    if window is not None and names:
        pools = ", ".join(f"`{name}`" for name in names)
        where = _named(cluster, platform)
        message = f"The built-in NodePools ({pools}) of {where} ignore the maintenance window: they have the disruption budgets of the cloud"
        yield finding(parent, message, path="maintenance")


def _around(cluster: AnyCluster, platform: Platform | None) -> tuple[Model, AnyWindow | None]:
    """The part that declares the window of a cluster, and the window."""
    if cluster.maintenance is not None or platform is None:
        return cluster, cluster.maintenance
    return platform, platform.maintenance


def _unsaid(cluster: AksClusterArgs, window: AnyWindow | None, name: Configuration) -> str | None:
    """The reason that the window cannot become this configuration; `None` if it can, or if the cluster declares the configuration itself."""
    own: object = getattr(cluster.maintenance_configurations, name)
    return why_unsupported(window, name) if window is not None and own is None else None


def _named(cluster: AnyCluster, platform: Platform | None) -> str:
    key = _key(cluster, platform)
    return f"`{key}`" if key is not None else "this cluster"


def _key(cluster: AnyCluster, platform: Platform | None) -> str | None:
    return next((key for key, item in platform.clusters.items() if item is cluster), None) if platform is not None else None


def _own(cluster: AksClusterArgs, platform: Platform | None, name: Configuration) -> str:
    """A reference to the configuration that replaces the window, relative to the part that declares the window."""
    key = _key(cluster, platform)
    around: tuple[Step, ...] = ("clusters", key) if key is not None and cluster.maintenance is None else ()
    return ref((*around, "maintenance_configurations", name))


def _governed(parent: Platform | AnyCluster | NodePool) -> Iterator[tuple[str, NodePool]]:
    """The NodePools that have the window of `parent`, by their keys there."""
    if isinstance(parent, NodePool):
        yield "", parent
    elif isinstance(parent, Platform):
        for key, cluster in parent.clusters.items():
            if cluster.maintenance is None:
                yield from ((f"{key}/{name}", pool) for name, pool in _governed(cluster))
    else:
        yield from ((name, pool) for name, pool in parent.node_pools.items() if pool.maintenance is None)


def _kept(*budgets: Budget) -> AksNodePool:
    return aks_pool(maintenance=_SATURDAY, expire_after=NEVER, disruption=Disruption(budgets=budgets))
