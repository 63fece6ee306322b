"""Maintenance windows, where they are declared and where they hold. Facts: docs/facts/aks.md § 8, docs/facts/eks.md P6 to P9."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import Configuration, unsayable
from nodepools.model.aks.provisioning import AksNodePool
from nodepools.model.base import Model
from nodepools.model.disruption import MOST_BUDGETS, Budget, Disruption
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.maintenance import AnyWindow, Weekly
from nodepools.model.per_cloud import AnyCluster
from nodepools.model.platform import Platform
from nodepools.model.windows import State, windows
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks, aks_pool, auto_mode, eks, eks_pool, provisioning

_PLANNED = "https://learn.microsoft.com/azure/aks/planned-maintenance"
_DISRUPTION = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
_SATURDAY = Weekly(days="sat", start="01:00", hours=5)
_OWN_WORDS = "maintenance_configurations=MaintenanceConfigurations(…)"
_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
_WITHOUT_BUILT_IN = {"AksCluster": 'default_node_pools="None"', "EksCluster": "built_in_node_pools=[]"}
"""What turns the built-in NodePools off, by the kind of cluster."""


@rule(
    "AKS110",
    Severity.ERROR,
    source=f"{_PLANNED}: one day of the week or every so many days, 4 to 24 hours, a fixed offset",
    sample=lambda: aks(maintenance=Weekly(days="mon-fri", start="22:00", hours=5)),
)
def unsupported_maintenance_window(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """AKS has words for a window of 4 to 24 hours, on one day of the week or every day; what cannot be said would not hold."""
    holder, window = _around(cluster, platform)
    for name in cluster.upkeep:
        why = _unsaid(cluster, window, name) if name != "releases" else None
        if why is not None:
            fix = f"change it, or give {_named(cluster, platform)} {_OWN_WORDS.replace('…', f'{name}=…')}"
            yield finding(holder, f"{why}, for {name} of {_named(cluster, platform)}", at="maintenance", fix=fix)


@rule(
    "AKS111",
    Severity.NOTE,
    source=f"{_PLANNED}: the configuration default takes weekly schedules",
    sample=lambda: aks(maintenance=Weekly(days="mon-sun", start="01:00", hours=5)),
)
def release_window_not_single_day(cluster: AksClusterArgs, platform: Platform | None) -> Iterator[PartFinding]:
    """AKS's own weekly releases, of the control plane and the add-ons, keep a window of one day of the week; others they do not know."""
    holder, window = _around(cluster, platform)
    why = _unsaid(cluster, window, "releases")
    if why is not None and not any(unsupported_maintenance_window(cluster, platform)):
        fix = f"know it, or give {_named(cluster, platform)} {_OWN_WORDS.replace('…', 'releases=…')}"
        yield finding(holder, f"{why}, for its own releases: to {_named(cluster, platform)} they come at any time", at="maintenance", fix=fix)


@rule(
    "KAR070",
    Severity.NOTE,
    source=f"{_DISRUPTION}: budgets are for graceful disruption; expiration is forceful",
    sample=lambda: auto_mode({"web": eks_pool(maintenance=_SATURDAY)}),
)
def expiry_ignores_maintenance_window(holder: Platform | AnyCluster | NodePool) -> Iterator[PartFinding]:
    """Nodes that reach `expire_after` are replaced at any time, and what still drains after `termination_grace_period` is ended at any time."""
    if holder.maintenance is None:
        return
    expiring = {name: pool.expires_after for name, pool in _governed(holder) if pool.expires_after != NEVER}
    if expiring:
        listed = ", ".join(f"{name} after {age}" if name else f"after {age}" for name, age in expiring.items())
        fix = 'know it; on AKS expire_after="Never" leaves their age to the window, EKS ends nodes after 21 days'
        yield finding(holder, f"does not hold for nodes that expire ({listed}), nor for pods whose grace period is over", at="maintenance", fix=fix)


@rule(
    "KAR071",
    Severity.ERROR,
    source=f"{_DISRUPTION}: of all budgets that hold at a time the most restrictive wins",
    sample=lambda: provisioning({"jobs": _kept(Budget(nodes="0", schedule="0 0 * * sat", duration="12h"))}),
)
def budgets_block_whole_window(pool: NodePool, cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """A pool's own budgets leave some of its window free; else nothing is ever disrupted, and nodes are upgraded when they expire."""
    window = _window_of(pool, cluster, platform)
    if window is None or not pool.disruption.budgets or _is_blocked(pool.disruption):
        return
    applied = Disruption(budgets=[*pool.disruption.budgets, *window.budgets()][:MOST_BUDGETS])
    if _is_blocked(applied):
        fix = "leave a part of it free, or remove the budgets: the window blocks the rest by itself"
        yield finding(pool, f"leave nothing of the window, {window}: no node would ever be upgraded", at=("disruption", "budgets"), fix=fix)


@rule(
    "KAR072",
    Severity.ERROR,
    source="NodePool CRD (karpenter.sh/v1): 50 budgets at most",
    sample=lambda: provisioning({"jobs": _kept(*[Budget(nodes="5")] * MOST_BUDGETS)}),
)
def too_many_budgets(pool: NodePool, cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """A pool's own budgets and those of its window are 50 at most."""
    window = _window_of(pool, cluster, platform)
    of_window = len(window.budgets()) if window is not None else 0
    if of_window and len(pool.disruption.budgets) + of_window > MOST_BUDGETS:
        fix = f"leave {MOST_BUDGETS - of_window}"
        yield finding(pool, f"leave no room for the {of_window} of the window: {MOST_BUDGETS} at most", at=("disruption", "budgets"), fix=fix)


@rule(
    "PLT040",
    Severity.NOTE,
    source="docs/facts/eks.md § 3.6, docs/facts/aks.md § 3.2: built-in NodePools have the cloud's own budgets, 10% at any time",
    sample=lambda: eks(maintenance=_SATURDAY),
)
def built_in_pools_ignore_window(cluster: AnyCluster, platform: Platform | None) -> Iterator[PartFinding]:
    """NodePools that the cloud makes itself keep its own budgets, and no window."""
    holder, window = _around(cluster, platform)
    names = cluster.built_in_node_pools
    if window is not None and names:
        where = _named(cluster, platform)
        fix = f"know it, or write {_WITHOUT_BUILT_IN[cluster.kind]} and NodePools of your own"
        yield finding(holder, f"is not kept by {', '.join(names)} of {where}, which the cloud makes", at="maintenance", fix=fix)


def _around(cluster: AnyCluster, platform: Platform | None) -> tuple[Model, AnyWindow | None]:
    """The window of a cluster, and what says it."""
    if cluster.maintenance is not None or platform is None:
        return cluster, cluster.maintenance
    return platform, platform.maintenance


def _window_of(pool: NodePool, cluster: AnyCluster, platform: Platform | None) -> AnyWindow | None:
    return pool.maintenance if pool.maintenance is not None else _around(cluster, platform)[1]


def _unsaid(cluster: AksClusterArgs, window: AnyWindow | None, name: Configuration) -> str | None:
    """Why a configuration cannot be made of the window, where the cluster does not say it itself."""
    own: object = getattr(cluster.maintenance_configurations, name)
    return unsayable(window, name) if window is not None and own is None else None


def _named(cluster: AnyCluster, platform: Platform | None) -> str:
    return next((key for key, one in platform.clusters.items() if one is cluster), "") if platform is not None else "this cluster"


def _governed(holder: Platform | AnyCluster | NodePool) -> Iterator[tuple[str, NodePool]]:
    """The NodePools that have the window of `holder`, by what they are called there."""
    if isinstance(holder, NodePool):
        yield "", holder
    elif isinstance(holder, Platform):
        for key, cluster in holder.clusters.items():
            if cluster.maintenance is None:
                yield from ((f"{key}/{name}", pool) for name, pool in _governed(cluster))
    else:
        yield from ((name, pool) for name, pool in holder.node_pools.items() if pool.maintenance is None)


def _kept(*budgets: Budget) -> AksNodePool:
    return aks_pool(maintenance=_SATURDAY, expire_after=NEVER, disruption=Disruption(budgets=budgets))


def _is_blocked(disruption: Disruption) -> bool:
    """At every time of a year."""
    return all(window.state is State.BLOCKED for window in windows(disruption, _YEAR, _YEAR + timedelta(days=365)))
