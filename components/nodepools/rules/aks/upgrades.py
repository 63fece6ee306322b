"""Upgrade settings of agent pools. Facts: docs/facts/aks.md § 2.8."""

from collections.abc import Iterator
from math import ceil

from nodepools.clouds.aks.limits import NODES_OF_A_POOL
from nodepools.clouds.aks.surge import counted
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.pool_settings import Autoscale, UpgradeSettings
from nodepools.model.aks.pools import SystemPool, UserPool
from nodepools.model.kubernetes.duration import seconds
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import ref
from nodepools.rules.engine.fix import FixLike, remove, set_to
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import SIZE

_ROLLING = "https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling"
_MINUTE = 60
_WHOLE = 100
_LIMITS = {"drain_timeout": (1, 1440), "soak": (0, 30)}
_SURE = {"drain_timeout": 5, "soak": 0}
"""Least minutes on which all pages agree."""


@rule(
    "AKS019",
    Severity.ERROR,
    source=f"{_ROLLING}: max unavailable is not for system node pools; spot node pools have no surge",
    sample=Sample("upgrade.max_unavailable", lambda: SystemPool(vm_size=SIZE, count=3, upgrade=UpgradeSettings(max_unavailable="1"))),
)
def unsupported_upgrade_settings(pool: AgentPool) -> Iterator[PartFinding]:
    """AKS upgrades system pools with surge nodes only, and spot pools without surge nodes and without unavailable nodes."""
    settings, spot = pool.upgrade, _is_spot(pool)
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


@rule(
    "AKS020",
    Severity.ERROR,
    source=f"{_ROLLING}: when max unavailable is 0, max surge is greater than 0",
    sample=Sample("max_surge", lambda: UpgradeSettings(max_surge="0")),
)
def no_surge_and_no_unavailable(settings: UpgradeSettings, pool: AgentPool | None) -> Iterator[PartFinding]:
    """AKS requires surge nodes if no node can be unavailable during an upgrade."""
    if settings.max_surge is not None and not counted(settings.max_surge) and not counted(settings.max_unavailable):
        message = f"{ref('max_surge')} and {ref('max_unavailable')} are both 0: AKS cannot upgrade any node"
        fix = remove("max_surge") if pool is not None and _is_spot(pool) else set_to("max_surge", "1")
        yield finding(settings, message, path="max_surge", fix=fix)


@rule(
    "AKS334",
    Severity.ERROR,
    source="https://learn.microsoft.com/azure/aks/upgrade-cluster: percentages of max surge and max unavailable are 1 % to 100 % (2026-11-25)",
    sample=Sample("max_surge", lambda: UpgradeSettings(max_surge="101%")),
)
def percentage_above_all_nodes(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """Surge nodes and unavailable nodes are at most 100 % of the nodes of a pool."""
    for field in ("max_surge", "max_unavailable"):
        text: str | None = getattr(settings, field)
        if text is not None and text.endswith("%") and int(text[:-1]) > _WHOLE:
            message = f"{ref(field)} is `{text}`: AKS accepts at most {_WHOLE} % of the nodes of a pool"
            yield finding(settings, message, path=field, fix=f"Use a percentage up to `{_WHOLE}%`, or a number of nodes")


@rule(
    "AKS026",
    Severity.WARNING,
    source=f"{_ROLLING}: both together are a preview, max unavailable as a fallback",
    sample=Sample("max_unavailable", lambda: UpgradeSettings(max_surge="1", max_unavailable="1")),
)
def surge_and_max_unavailable(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS accepts surge and unavailable nodes together only with a preview feature."""
    if counted(settings.max_surge) and counted(settings.max_unavailable):
        message = f"{ref('max_surge')} together with {ref('max_unavailable')} requires a preview feature: without it AKS rejects the pool"
        yield finding(settings, message, path="max_unavailable", fix=remove("max_unavailable"))


@rule(
    "AKS027",
    Severity.WARNING,
    source=f"{_ROLLING}: AKS rejects an upgrade if size and surge exceed 1,000",
    sample=Sample("scale.max", lambda: UserPool(vm_size=SIZE, scale=Autoscale(1, 1000), upgrade=UpgradeSettings(max_surge="10%"))),
)
def no_room_for_surge(pool: AgentPool) -> Iterator[PartFinding]:
    """A node pool has at most 1,000 nodes, including the surge nodes of an upgrade."""
    most = pool.most_nodes
    surge = counted(pool.upgrade.max_surge, total=most) if pool.upgrade is not None else 0
    if most + surge > NODES_OF_A_POOL:
        at = ("scale", "max") if pool.scale is not None else ("count",)
        message = f"AKS rejects upgrades of a full pool: {ref(at)} ({most}) plus {surge} surge nodes exceeds the limit of 1,000 nodes"
        yield finding(pool, message, path=at, fix=_with_room(pool))


@rule(
    "AKS028",
    Severity.ERROR,
    source="Azure API reference, AgentPoolUpgradeSettings: minutes, drain timeout 1 to 1440, soak 0 to 30",
    sample=Sample("soak", lambda: UpgradeSettings(soak="45m")),
)
def invalid_drain_or_soak(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS accepts a drain timeout of 1 minute to 24 hours and a soak time of at most 30 minutes, in whole minutes."""
    for field, (least, most) in _LIMITS.items():
        value = getattr(settings, field)
        if value is not None and (seconds(value) % _MINUTE or not least <= seconds(value) // _MINUTE <= most):
            message = f"{ref(field)} (`{value}`) must be whole minutes, from {least}m to {most}m"
            yield finding(settings, message, path=field, fix=set_to(field, f"{max(_SURE[field], min(ceil(seconds(value) / _MINUTE), most))}m"))


@rule(
    "AKS105",
    Severity.WARNING,
    source=f"{_ROLLING}: 5 minutes at least; by the API reference 1",
    sample=Sample("drain_timeout", lambda: UpgradeSettings(drain_timeout="2m")),
)
def short_drain(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """AKS documents a minimum drain timeout of 5 minutes on one page and of 1 minute on another."""
    least, sure = _LIMITS["drain_timeout"][0], _SURE["drain_timeout"]
    if settings.drain_timeout is not None and least * _MINUTE <= seconds(settings.drain_timeout) < sure * _MINUTE:
        value = f"{ref('drain_timeout')} (`{settings.drain_timeout}`)"
        message = f"AKS can reject {value}: one page documents a minimum of {sure} minutes, another of {least}"
        yield finding(settings, message, path="drain_timeout", fix=set_to("drain_timeout", f"{sure}m"))


def _with_room(pool: AgentPool) -> FixLike:
    """The largest pool that leaves room for its surge nodes; advice if the range of sizes does not allow that."""
    surge = pool.upgrade.max_surge if pool.upgrade is not None else None
    most = next((size for size in range(NODES_OF_A_POOL, 0, -1) if size + counted(surge, total=size) <= NODES_OF_A_POOL), 0)
    if pool.scale is None and most:
        return set_to("count", most)
    if pool.scale is not None and most >= max(pool.scale.min, 1):
        return set_to("scale.max", most)
    return f"Lower {ref('upgrade.max_surge')}"


def _is_spot(pool: AgentPool) -> bool:
    return getattr(pool, "spot", None) is not None
