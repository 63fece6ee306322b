"""How the nodes of a pool are upgraded. Facts: docs/facts/aks.md § 2.8."""

from collections.abc import Iterator

from nodepools.model.aks.pool_parts import Autoscale, UpgradeSettings
from nodepools.model.aks.pools import AgentPool, SystemPool, UserPool
from nodepools.model.kubernetes.duration import seconds
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import SIZE
from nodepools.rules.surge import counted

_ROLLING = "https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling"
_MOST_NODES = 1000
_MINUTE = 60
_SURE_DRAIN = 5
_LIMITS = {"drain_timeout": (1, 1440), "soak": (0, 30)}


@rule(
    "AKS019",
    Severity.ERROR,
    source=f"{_ROLLING}: max unavailable is not for system node pools; spot node pools have no surge",
    sample=lambda: SystemPool(vm_size=SIZE, count=3, upgrade=UpgradeSettings(max_unavailable="1")),
)
def unsupported_upgrade_settings(pool: AgentPool) -> Iterator[PartFinding]:
    """System pools are upgraded by surge, never by `max_unavailable`; spot pools by neither."""
    settings, spot = pool.upgrade, getattr(pool, "spot", None) is not None
    if settings is None:
        return
    if counted(settings.max_unavailable) and (spot or isinstance(pool, SystemPool)):
        kind = "spot pool" if spot else "system pool"
        yield finding(settings, f"is not possible on a {kind}", at="max_unavailable", fix="remove it")
    if spot and counted(settings.max_surge):
        yield finding(settings, "is not possible on a spot pool: it has no surge nodes", at="max_surge", fix="remove it")


@rule(
    "AKS020",
    Severity.ERROR,
    source=f"{_ROLLING}: when max unavailable is 0, max surge is greater than 0",
    sample=lambda: UpgradeSettings(max_surge="0"),
)
def no_surge_and_no_unavailable(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """Either a node more or a node less: with neither no node can be upgraded."""
    if settings.max_surge is not None and not counted(settings.max_surge) and not counted(settings.max_unavailable):
        yield finding(settings, "leaves no node to upgrade with, and max_unavailable none to upgrade", at="max_surge", fix='write "1" or "33%"')


@rule(
    "AKS026",
    Severity.WARNING,
    source=f"{_ROLLING}: both together are a preview, max unavailable as a fallback",
    sample=lambda: UpgradeSettings(max_surge="1", max_unavailable="1"),
)
def surge_and_max_unavailable(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """Surge and unavailable nodes exclude each other, but for a preview."""
    if counted(settings.max_surge) and counted(settings.max_unavailable):
        yield finding(settings, "is a preview beside max_surge, and refused elsewhere", at="max_unavailable", fix="keep one of them")


@rule(
    "AKS027",
    Severity.WARNING,
    source=f"{_ROLLING}: an upgrade is refused where size and surge exceed 1,000",
    sample=lambda: UserPool(vm_size=SIZE, scale=Autoscale(1, 1000), upgrade=UpgradeSettings(max_surge="10%")),
)
def no_room_for_surge(pool: AgentPool) -> Iterator[PartFinding]:
    """A scale set has 1000 nodes at the most, those of an upgrade among them."""
    most = pool.most_nodes
    surge = counted(pool.upgrade.max_surge, of=most) if pool.upgrade is not None else 0
    if most + surge > _MOST_NODES:
        at = ("scale", "max") if pool.scale is not None else "count"
        yield finding(pool, f"leaves no room for {surge} nodes of an upgrade: {_MOST_NODES} is the most", at=at, fix=f"write {_MOST_NODES - surge}")


@rule(
    "AKS028",
    Severity.ERROR,
    source="Azure API reference, AgentPoolUpgradeSettings: minutes, drain timeout 1 to 1440, soak 0 to 30",
    sample=lambda: UpgradeSettings(soak="45m"),
)
def invalid_drain_or_soak(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """A node drains for 1 minute to 24 hours, and rests for 30 minutes at the most; in whole minutes."""
    for field, (least, most) in _LIMITS.items():
        said = getattr(settings, field)
        if said is not None and (seconds(said) % _MINUTE or not least <= seconds(said) // _MINUTE <= most):
            yield finding(settings, f"should be whole minutes, {least} to {most}", at=field, fix=f"write {least}m to {most}m")


@rule(
    "AKS105",
    Severity.WARNING,
    source=f"{_ROLLING}: 5 minutes at least; by the API reference 1",
    sample=lambda: UpgradeSettings(drain_timeout="2m"),
)
def short_drain(settings: UpgradeSettings) -> Iterator[PartFinding]:
    """By the documentation a node drains for 5 minutes at least, by the API reference for 1."""
    least = _LIMITS["drain_timeout"][0]
    if settings.drain_timeout is not None and least * _MINUTE <= seconds(settings.drain_timeout) < _SURE_DRAIN * _MINUTE:
        yield finding(settings, f"is less than {_SURE_DRAIN} minutes, which AKS may refuse", at="drain_timeout", fix=f"write {_SURE_DRAIN}m or more")
