"""The upgrade of an AKS cluster: control plane, agent pools one after another, the first pool, NodePools; and that of one that others manage.

Facts: docs/facts/aks.md § 2.8, § 2.9.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, Literal

from nodepools.clouds.aks.agent_pool_nodes import agent_nodes, counted
from nodepools.clouds.aks.agent_pool_upgrade import DEFAULT_SURGES, PAGE, AgentPoolUpgrade
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.fleet import VersionsNow
from nodepools.clouds.karpenter_steps import LAUNCHES, followed, node_pool_upgrades
from nodepools.clouds.step import ON_COMMAND, Blocker, CloudUpgrades, Drain, Kind, Round, ServerChecks, Step, WindowUse, version_edit
from nodepools.data.version_support import AKS_SUPPORT, LONG_TERM, aks_skew, minor, patch, short
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import AGENT_POOL, POOL
from nodepools.placement.node_pools import ClusterPools
from nodepools.wire.aks.cluster_context import cluster_name
from nodepools.wire.aks.generation import SYSTEM, first_pool_name, generations, is_of_others


def agent_pool_names(cluster: AksClusterArgs) -> dict[str, str]:
    """The names of agent pools in Azure, by the name for people."""
    others = {f"{one.key} (previous)" if one.is_previous else one.key: one.name for one in generations(cluster)}
    return {**others, SYSTEM: first_pool_name(cluster)}


@dataclass(frozen=True, slots=True)
class AksOperations:
    """The operations of one AKS cluster."""

    cluster: AksClusterArgs
    stem: str

    @property
    def group(self) -> str:
        """Its resource group, as the Azure CLI needs it."""
        group = self.cluster.resource_group
        return group if isinstance(group, str) else self.stem if group is None else "RESOURCE_GROUP"

    def pool_command(self, verb: str, pool: str) -> str:
        """A command of the Azure CLI about an agent pool, by its name in Azure."""
        name = cluster_name(self.cluster, self.stem)
        return f"az aks nodepool {verb} --resource-group {self.group} --cluster-name {name} --name {pool}"

    @property
    def show(self) -> str:
        """The command that prints the cluster."""
        return self._cluster_command("show")

    def watch(self, step: Step, /) -> str:
        """The command that shows the state."""
        shown = self.pool_command("show", step.cloud_name) if step.is_of_agent_pool else self.show
        return f"{shown} --query provisioningState"

    def stop(self, step: Step, /) -> str:
        """How to stop it."""
        abort = self.pool_command("operation-abort", step.cloud_name) if step.is_of_agent_pool else self._cluster_command("operation-abort")
        return (
            f"`{abort}` ends the operation (409 if it has ended already). Finished nodes keep the new version, and the same command continues later"
        )

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone."""
        now = (
            f"The control plane has {new}: it is past the last point of return"
            if passed
            else f"The upgrade of the control plane is the last point of return: once it has {new}"
        )
        final = f"{now}, {'because ' * passed}AKS cannot return it to {old}"
        if self.cluster.sku == "Automatic":  # a rollback requires that its channel is off
            return final
        off = "" if self.cluster.auto_upgrade in (None, "none") else ", after you set `auto_upgrade` to `none`"
        former = "to its former version (`az aks nodepool rollback`) or image (`node_image_version`)"
        return f"{final}. For 7 days after its own upgrade, a node pool can return {former}{off}"

    def _cluster_command(self, verb: str) -> str:
        return f"az aks {verb} --resource-group {self.group} --name {cluster_name(self.cluster, self.stem)}"


CONTROL_PLANE: Final = "https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane"
_OPTIONS: Final = "https://learn.microsoft.com/azure/aks/upgrade-options"
_NO_WINDOW: Final = "AKS starts this upgrade when you run the command"
_NOT_FOR_DECLARED: Final = "AKS applies it to automatic upgrades only, and starts this upgrade when you run the command"
_AUTOMATIC: Final = "Wait until AKS Automatic has upgraded the cluster, then set `kubernetes_version` to the version that it has"
_UPGRADING: Final = ("patch", "stable", "rapid")
"""Channels that upgrade Kubernetes."""
_SUBNET: Final = "InsufficientSubnetSize"
_REFUSALS: Final = {
    "node_subnet": _SUBNET,
    "pod_subnet": _SUBNET,
    "pod_cidr": _SUBNET,
    "outbound_ports": "InvalidLoadBalancerProfileAllocatedOutboundPorts",
    "nodes": "",
    "vcpus": "ErrCode_InsufficientVCPUQuota",
}
_FORCED: Final = "a forced upgrade (`upgradeSettings.overrideSettings`) skips this check, not the drains"
_CHECKS: Final = ServerChecks("UnsatisfiablePDB", "UpgradeBlockedOnDeprecatedAPIUsage", _FORCED, _OPTIONS)
"""AKS looks at all PodDisruptionBudgets of the cluster, and at the calls of the last 12 hours."""
_MISSED: Final = "AKS rejects new clusters and pools of this version, and can upgrade the cluster 30 days later"
_LONGER: Final = "`support_plan=AKSLongTermSupport` with `tier=Premium` extends support by a year"
_OF_AKS: Final = CloudUpgrades(AKS_SUPPORT, _CHECKS, _REFUSALS, (f"{_MISSED}; {_LONGER}", _MISSED, _MISSED), 0.0, runs_karpenter_of_aws=False)
"""Long-term support is part of the tier, and Azure manages the Karpenter of node auto provisioning."""


@dataclass(frozen=True, slots=True)
class AksSteps:
    """An AKS cluster during an upgrade."""

    cluster: AksClusterArgs
    key: str
    stem: str
    pools: ClusterPools
    of_cloud: ClassVar = _OF_AKS

    @property
    def extends(self) -> bool:
        """It has AKS's long-term support."""
        return self.cluster.support_plan == LONG_TERM

    @property
    def manual_checks(self) -> tuple[str, ...]:
        """What only Azure knows."""
        return (
            "resource locks on the cluster and on its node resource group",
            "an expired service principal or client secret",
            "a failed or stopped state of the cluster or of a pool",
            "policies and webhooks that reject new nodes or evictions",
            *([LAUNCHES] if self.pools.provisioned else []),
        )

    @property
    def cloud_name(self) -> str:
        """Its name in Azure."""
        return cluster_name(self.cluster, self.stem)

    @property
    def cloud_pools(self) -> Mapping[str, str]:
        """The agent pools."""
        return agent_pool_names(self.cluster)

    @property
    def pool_labels(self) -> Mapping[str, Mapping[str, str]]:
        """AKS labels nodes with the name of their agent pool, and this package with its key."""
        keys = {key for key, _ in self.cluster.all_pools()}
        agents = {name: {AGENT_POOL: cloud, **({POOL_LABEL: name} if name in keys else {})} for name, cloud in self.cloud_pools.items()}
        return {**agents, **{pool.name: {POOL: pool.name} for pool in self.pools.provisioned}}

    def is_of_others(self, name: str, labels: Mapping[str, str], /) -> bool:
        """Pools of this package have derived names and its label."""
        return is_of_others(self.cluster, name, labels)

    @property
    def operations(self) -> AksOperations:
        """Those of AKS."""
        return AksOperations(self.cluster, self.stem)

    def rounds(self, to: str, now: VersionsNow | None = None) -> Iterator[Round]:
        """Pools that are behind catch up first: no version of a pool can be skipped, and the control plane is at most two versions ahead."""
        upgrades = list(self._agent_pools())
        declared = minor(self.cluster.kubernetes_version)
        first = declared if now is None else now.control_plane
        is_patch = first == declared == minor(to) and patch(to) is not None and to != self.cluster.kubernetes_version
        first -= is_patch  # to a patch version, everything moves that has the minor version
        running: Mapping[str, int] = {} if now is None else now.pools
        written = {pool.name: minor(pool.own_version) if pool.own_version is not None else declared for pool in upgrades}
        versions = {name: min(running.get(name, version), first) for name, version in written.items()}
        stays = next((pool.name for pool in upgrades if pool.stays and pool.name not in running), None)
        if stays is not None and versions[stays] == minor(to):
            versions[stays] -= 1  # its version is in no request, so the declaration does not say that it has this one
        followers = {pool.name: running.get(pool.name, first) for pool in self.pools.provisioned}
        missed = version_edit(("clusters", self.key), self.cluster.kubernetes_version, f"1.{first}") if declared < first else ()
        for target in range(min([*versions.values(), *followers.values(), first]) + 1, minor(to) + 1):
            new = to if target == minor(to) else f"1.{target}"
            was = self.cluster.kubernetes_version if is_patch and target == declared else f"1.{target - 1}"
            steps = [self._control_plane(was, new, versions)] if target > first else []
            for pool in upgrades:
                if versions[pool.name] == target - 1:
                    step = pool.step(was, new, self._window)
                    follows = any(each.how == step.how for each in steps)
                    note = f"{step.note}. {self._shows(pool)}" if pool.name == stays and target == declared and not is_patch else step.note
                    steps.append(replace(step, follows=follows, edits=(*missed, *step.edits), note=note))
                    missed = ()
                    if pool.can_have(new):
                        versions[pool.name] = target
            steps += [
                each.step(was if is_patch else old, new if is_patch else short(new))
                for each in node_pool_upgrades(self.cluster, self.pools.provisioned)
                if (old := followed(followers[each.name], first, target))
            ]
            if steps:
                yield Round(new, tuple(steps))

    def refused(self, to: str, control_plane: int) -> Blocker | None:
        """AKS has no way back for a control plane, patch versions included."""
        wanted, declared = patch(to), patch(self.cluster.kubernetes_version)
        is_older = wanted is not None and declared is not None and minor(to) == minor(self.cluster.kubernetes_version) and wanted < declared
        if minor(to) >= control_plane and not is_older:
            return None
        message = f"AKS cannot return a control plane to Kubernetes {to} from {self.cluster.kubernetes_version}"
        fix = "A node pool can return to its former version within 7 days (`az aks nodepool rollback`); for the control plane, create a new cluster"
        return Blocker(kind=Kind.DOWNGRADE, severity=Severity.ERROR, message=message, fix=fix, source=CONTROL_PLANE)

    @property
    def _window(self) -> WindowUse:
        window = self.cluster.maintenance
        if window is None:
            return WindowUse(window=None, applies=False, note=_NO_WINDOW)
        return WindowUse(window=str(window), applies=False, note=_NOT_FOR_DECLARED, is_automatic=self.cluster.upgrade_channel in _UPGRADING)

    def _agent_pools(self) -> Iterator[AgentPoolUpgrade]:
        """The pools with requests of their own, then the first one."""
        every, names = list(agent_nodes(self.cluster)), self.cloud_pools
        for nodes in sorted(every, key=lambda nodes: nodes.is_first):
            yield AgentPoolUpgrade(nodes, self.key, names[nodes.label], self._command if nodes.is_first else None)

    def _shows(self, pool: AgentPoolUpgrade) -> str:
        show = self.operations.pool_command("show", pool.cloud_name)
        return f"The declaration does not say whether it has run: `{show} --query currentOrchestratorVersion` prints the version of its nodes"

    def _command(self, version: str) -> str:
        return f"{self.operations.pool_command('upgrade', first_pool_name(self.cluster))} --kubernetes-version {version}"

    def _control_plane(self, old: str, new: str, pools: dict[str, int]) -> Step:
        return Step(
            what="control_plane",
            name=self.key,
            old=old,
            new=new,
            edits=version_edit(("clusters", self.key), self.cluster.kubernetes_version, new),
            unbounded=("control_plane",),
            window=self._window,
            blocked_by=(
                *self._skew(minor(new), pools),
                *channel_blockers(self.cluster.upgrade_channel, f"clusters.{self.key}.auto_upgrade", is_fixed=self.cluster.sku == "Automatic"),
                *self._patch_of_alias(old, new),
            ),
            note="AKS cannot downgrade a control plane",
            source=CONTROL_PLANE,
        )

    def _patch_of_alias(self, old: str, new: str) -> Iterator[Blocker]:
        """A version without a patch version stands for the newest one at its first use."""
        if minor(old) == minor(new) and patch(old) is None:
            message = f"Which patch version of {old} the cluster has is unknown: AKS rejects {new} if it is lower"
            fix = f"`{self.operations.show} --query currentKubernetesVersion` prints it"
            yield Blocker(kind=Kind.DOWNGRADE, severity=Severity.WARNING, message=message, fix=fix, source=CONTROL_PLANE)

    def _skew(self, target: int, pools: dict[str, int]) -> Iterator[Blocker]:
        for name, version in pools.items():
            behind, rule = target - version, aks_skew(target - version)
            if rule is not None:
                yield Blocker(
                    kind=Kind.SKEW,
                    severity=Severity.ERROR if rule[0] else Severity.WARNING,
                    message=f"Pool `{name}` with Kubernetes 1.{version} would be {behind} minor versions behind the control plane: {rule[1]}",
                    fix=f"Upgrade or replace pool `{name}` first",
                    source=CONTROL_PLANE,
                    refusal="NodePoolMcVersionIncompatible",
                )


def channel_blockers(channel: str | None, path: str = "", *, is_fixed: bool = False) -> Iterator[Blocker]:
    """What an automatic channel does to an upgrade of the control plane alone; `path` is its place in a declaration, and AKS Automatic fixes it."""
    if channel in _UPGRADING:
        yield Blocker(
            kind=Kind.AUTO_UPGRADE,
            severity=Severity.WARNING,
            message=f"AKS documents that it rejects an upgrade of the control plane alone while `auto_upgrade` is `{channel}`",
            fix=_AUTOMATIC if is_fixed else "Set `auto_upgrade` to `none` until all pools have the version",
            source=CONTROL_PLANE,
            path=path,
        )


_DRAIN_MINUTES: Final = 30
"""AKS's default drain timeout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingAksSteps:
    """An AKS cluster as exports show it."""

    name: str
    resource_group: str
    agent_pools: Sequence[ExistingAgentPool] = ()
    channel: str = ""
    """Its channel of automatic upgrades."""
    is_automatic: bool = False
    """It is an AKS Automatic cluster, which has its channel permanently."""
    extends: bool = False
    """It has AKS's long-term support."""
    of_cloud: ClassVar = _OF_AKS
    window: ClassVar[Literal["unknown"]] = "unknown"
    """Maintenance configurations are not read."""
    has_patch_versions: ClassVar = True
    source: ClassVar = CONTROL_PLANE
    not_checked: ClassVar[tuple[str, ...]] = ("outbound ports for surge nodes, which AKS checks before it starts",)
    """What AKS checks, and exports do not show."""

    @property
    def is_counted(self) -> bool:
        """The sizes and subnets of all pools are known."""
        return all(pool.node_subnet and pool.is_counted for pool in self.agent_pools)

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of its pools by their names; empty: not known."""
        return {pool.name: pool.version for pool in self.agent_pools}

    @property
    def blocked_by(self) -> tuple[Blocker, ...]:
        """What its channel does to an upgrade of the control plane."""
        return tuple(channel_blockers(self.channel, is_fixed=self.is_automatic))

    def control_plane_command(self, version: str) -> str:
        """The command that upgrades the control plane."""
        return f"az aks upgrade --resource-group {self.resource_group} --name {self.name} --control-plane-only --kubernetes-version {version}"

    def behind(self, now: int, *, is_patch: bool) -> Iterator[Step]:
        """The steps of pools that are behind."""
        return (agent_pool_step(pool, self.resource_group, old, new) for pool, old, new in pools_behind(self.agent_pools, now, is_patch=is_patch))

    def pools(self, old: str, new: str) -> Iterator[Step]:
        """The steps of all pools after that of the control plane."""
        for pool in self.agent_pools:
            is_older = bool(pool.version) and minor(pool.version) < minor(new)
            yield agent_pool_step(pool, self.resource_group, f"1.{minor(new) - 1}" if is_older else old, new)


def pools_behind(pools: Iterable[ExistingAgentPool], now: int, *, is_patch: bool) -> Iterator[tuple[ExistingAgentPool, str, str]]:
    """Each step of agent pools to the minor version of the control plane; the last one comes later if the way is to a patch version of it."""
    for pool in pools:
        for target in range(minor(pool.version) + 1, now + (not is_patch)) if pool.version else ():
            yield pool, f"1.{target - 1}", f"1.{target}"


def agent_pool_step(pool: ExistingAgentPool, resource_group: str, old: str, new: str) -> Step:
    """All nodes of an agent pool get the version."""
    most = pool.most if pool.is_counted else None
    minutes = _DRAIN_MINUTES if pool.drain_minutes is None else pool.drain_minutes
    bound = None if most is None else most * minutes
    surges, sizes = not pool.spot and pool.surge not in ("0", "0%"), [pool.surge] if pool.surge else DEFAULT_SURGES
    command = f"az aks nodepool upgrade --resource-group {resource_group} --cluster-name {pool.cluster}"
    return Step(
        what="pool",
        name=pool.name,
        cloud_name=pool.name,
        old=old,
        new=new,
        how=f"{command} --name {pool.name} --kubernetes-version {new}",
        nodes=Amount(pool.least, most),
        extra_nodes=Amount(1, None if most is None else max(most, 1)) if surges else NOTHING,
        batches=Amount(1 if pool.least else 0, most),
        bounded_minutes=0 if pool.spot else bound,
        unbounded=("reimage", "capacity") if surges else ("reimage",),
        window=ON_COMMAND,
        drain=Drain(
            address=pool.name,
            is_drained=not pool.spot,
            timeout=minutes * 60,
            deletes_at_timeout=False,
            outcome="AKS leaves the node in quarantine, and goes on" if pool.undrainable == "Cordon" else "the upgrade of the pool fails",
            refusal="UpgradeFailed",
            setting="`az aks nodepool update --drain-timeout`",
            adds_nodes=surges,
            batch=Amount(1, max(min(counted(size, total=most), most) for size in sizes)) if surges and most else NOTHING,
            zones=len(pool.zones),
            source=PAGE,
        ),
        source=PAGE,
    )
