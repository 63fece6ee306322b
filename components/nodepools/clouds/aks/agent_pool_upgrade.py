"""The upgrade of one agent pool: its steps, batches and time. Facts: docs/facts/aks.md § 2.8, § 2.9."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import AgentNodes, counted, vcpus_of_one
from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.step import PULUMI_UP, Blocker, Drain, Kind, Need, Step, What, WindowUse, batches, version_edit
from nodepools.data.aks_images import os_sku
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.data.version_support import minor
from nodepools.model.aks.agent_pool import UpgradeSettings
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.path import Operation
from nodepools.model.severity import Severity
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass

PAGE: Final = "https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling"
_DRAIN_MINUTES: Final = 30
"""AKS's default drain timeout."""
DEFAULT_SURGES: Final = ("1", "10%")
"""The manual documents one node, the API reference 10%."""
_SINGLE_FROM: Final = 35
"""From this minor version on, AKS continues with one surge node if it cannot have all of them."""
_UNSET: Final = UpgradeSettings()


@dataclass(frozen=True, slots=True)
class AgentPoolUpgrade:
    """An agent pool during an upgrade."""

    nodes: AgentNodes
    cluster: str
    cloud_name: str
    command: Callable[[str], str] | None = None
    """The command that upgrades it to a version; `None` if `pulumi up` does."""

    @property
    def name(self) -> str:
        """The pool, for people."""
        return self.nodes.label

    @property
    def own_version(self) -> str | None:
        """The version that the pool declares; `None` if it follows the cluster."""
        return self.nodes.pool.kubernetes_version

    @property
    def stays(self) -> bool:
        """No request of `pulumi up` has its version: only the command changes it."""
        return self.command is not None

    def can_have(self, version: str) -> bool:
        """A node image for the version exists, and no snapshot determines another version."""
        image = os_sku(self.nodes.pool.os_sku)
        return self.nodes.pool.snapshot_id is None and (image is None or minor(version) <= image.last)

    def step(self, old: str, new: str, window: WindowUse) -> Step:
        """All its nodes get the version."""
        nodes = Amount(self.nodes.minimum.minimum, self.nodes.maximum.maximum)
        done = self._batches(nodes, new)
        each = self._minutes_of_a_batch
        bound = None if each is None or done.maximum is None else done.maximum * each
        what: What = "pool" if self.command is None else "first_pool"
        return Step(
            what=what,
            name=self.name,
            cloud_name=self.cloud_name,
            old=old,
            new=new,
            how=PULUMI_UP if self.command is None else self.command(new),
            edits=tuple(self._edits(new)),
            nodes=nodes,
            extra_nodes=self._extra,
            batches=done,
            bounded_minutes=bound,
            unbounded=("reimage", "capacity") if self._surges else ("reimage",),
            window=window,
            needs=tuple(self._needs()),
            drain=self._drain(nodes),
            blocked_by=tuple(self._blockers(new)),
            note=self._note,
            source=PAGE,
        )

    def _blockers(self, new: str) -> Iterator[Blocker]:
        if self.nodes.pool.snapshot_id is not None:
            message = f"The snapshot of pool `{self.name}` determines its Kubernetes version: the pool does not get {new}"
            fix = "Use a snapshot with that version, or remove `snapshot_id`"
            yield Blocker(kind=Kind.NODE_IMAGE, severity=Severity.WARNING, message=message, fix=fix, source=PAGE)

    @property
    def _is_spot(self) -> bool:
        return getattr(self.nodes.pool, "spot", None) is not None

    @property
    def _settings(self) -> UpgradeSettings:
        return self.nodes.pool.upgrade if self.nodes.pool.upgrade is not None else _UNSET

    @property
    def _extra(self) -> Amount:
        return NOTHING if self._is_spot else self.nodes.surge

    @property
    def _surges(self) -> bool:
        """Nodes are added before others drain, possibly."""
        return self._extra != NOTHING

    @property
    def _sizes(self) -> list[str]:
        """The settings that can determine the size of a batch."""
        settings = self._settings
        if settings.max_surge is not None and counted(settings.max_surge):
            return [settings.max_surge]
        if settings.max_unavailable is not None and counted(settings.max_unavailable):
            return [settings.max_unavailable]
        return list(DEFAULT_SURGES)

    def _batches(self, nodes: Amount, new: str) -> Amount:
        if self._is_spot or not self.nodes.is_certain:
            return Amount(1 if nodes.minimum else 0, nodes.maximum)
        one_by_one = self._surges and minor(new) >= _SINGLE_FROM
        return batches(nodes, [partial(_size, size) for size in self._sizes], one_by_one=one_by_one)

    @property
    def _drain_seconds(self) -> int:
        written = self._settings.drain_timeout
        return _DRAIN_MINUTES * 60 if written is None else seconds(written)

    @property
    def _minutes_of_a_batch(self) -> int | None:
        """The drain and the wait after it; `None` if overrides decide."""
        if not self.nodes.is_certain:
            return None
        soak = seconds(self._settings.soak) if self._settings.soak is not None else 0
        return 0 if self._is_spot else -(-(self._drain_seconds + soak) // 60)

    @property
    def _note(self) -> str:
        if self._is_spot:
            return "AKS does not drain spot nodes and adds none: pods end when their node is reimaged"
        if self.command is not None:
            return (
                "This pool is part of the cluster's request, which never contains its version: its nodes keep their version until this command runs"
            )
        return ""

    def _edits(self, new: str) -> Iterator[Operation]:
        if self.own_version is not None and self.command is None:
            previous: Steps = ("previous",) if self.nodes.is_previous else ()
            yield from version_edit(("clusters", self.cluster, "pools", self.nodes.key, *previous), self.own_version, new)

    def _needs(self) -> Iterator[Need]:
        """The vCPUs of surge nodes: AKS checks quotas with them before it starts."""
        sizes = [one.vm_size for one in self.nodes.pool.by_size]
        families, each = set(map(quota_family, sizes)), vcpus_of_one(sizes)
        family = families.pop() if len(families) == 1 else None
        if self._surges and each.maximum is not None:
            yield Need(what="vcpus", name=family if family is not None else "cores", amount=self._extra.times(each))

    def _rest(self, nodes: Amount) -> Amount | None:
        """AKS drains as many nodes at once as it adds, or as `max_unavailable` says. How many spot nodes it reimages at once is not known."""
        if self._is_spot or not self.nodes.is_certain or nodes.maximum is None:
            return None
        return Amount(*(total - self._largest_batch(total) for total in (nodes.minimum, nodes.maximum)))

    def _largest_batch(self, nodes: int) -> int:
        return max(_size(size, nodes) for size in self._sizes)

    def _drain(self, nodes: Amount) -> Drain:
        timeout = f"{self._drain_seconds // 60} minutes"
        fails = f"the upgrade of the pool fails {timeout} after the drain of that node begins (`undrainable` is `Schedule`)"
        cordons = f"AKS quarantines the node after {timeout}, continues, and the upgrade ends as failed (`undrainable` is `Cordon`)"
        return Drain(
            address=f"{self.cluster}/{self.name}",
            is_drained=not self._is_spot,
            timeout=self._drain_seconds,
            deletes_at_timeout=False,
            outcome=cordons if self._settings.undrainable == "Cordon" else fails,
            refusal="UpgradeFailed",
            setting="`upgrade.drain_timeout`",
            adds_nodes=self._surges,
            batch=Amount(1, self._largest_batch(most)) if (most := nodes.maximum) else NOTHING,
            rest=self._rest(nodes),
            zones=len(self.nodes.pool.zones),
            source="https://learn.microsoft.com/azure/aks/upgrade-options",
        )


def _size(setting: str, nodes: int) -> int:
    """The nodes of a batch: at most all of them."""
    return min(counted(setting, total=nodes), nodes)
