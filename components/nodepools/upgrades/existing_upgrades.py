"""The upgrade of a cluster that others manage, in commands of the clouds: control plane, managed node groups or agent pools, then NodePools by drift.

Sources: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html and update-cluster.html. Facts: docs/facts/eks.md § 12.

An alias of self-managed Karpenter names an image of EKS for the version of the control plane: nodes drift to the image for the new version, even
those of a pinned alias. An image that is selected by its id stays. Source: https://karpenter.sh/docs/tasks/managing-amis/;
karpenter-provider-aws 1.14, `pkg/providers/amifamily`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from typing import Final

from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.aks.steps import AKS_REFUSALS, aks_checks, aks_if_missed, channel_blockers
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.eks.steps import eks_extra_usd, eks_if_missed
from nodepools.clouds.item import Item
from nodepools.clouds.karpenter_steps import NodePoolUpgrade
from nodepools.clouds.step import Blocker, Kind, Round, ServerChecks, Step, bounded
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, SupportTable, minor, patch, short
from nodepools.model.listing import joined
from nodepools.model.severity import Severity
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade, Room, room_blockers, rooms, undecided
from nodepools.upgrades.existing_pool_steps import AL2, LAST_AL2, NO_WINDOW, agent_pool_step, node_group_step
from nodepools.upgrades.karpenter_versions import api_blockers, karpenter_blockers
from nodepools.upgrades.platform_upgrades import Inputs, supported
from nodepools.upgrades.pod_blockers import DrainedRoom, PodBlockers
from nodepools.upgrades.support import ClusterSupport, support_of

_SOURCE: Final = "https://karpenter.sh/docs/tasks/managing-amis/"


class Selected(Enum):
    """By what images are selected."""

    LATEST = "the newest image of a family"
    PINNED = "one release of a family"
    IDS = "ids"
    OTHERS = "names, tags or SSM parameters"


@dataclass(frozen=True, slots=True)
class Images:
    """The images of one EC2NodeClass."""

    node_class: str
    by: Selected
    alias: str = ""

    @property
    def family(self) -> str:
        """The family of the alias, in lower case."""
        return self.alias.partition("@")[0].lower()


def images_of(node_class: str, terms: Sequence[Mapping[str, object]]) -> Images:
    """What `amiSelectorTerms` select."""
    alias = next((str(term["alias"]) for term in terms if term.get("alias")), "")
    if alias:
        return Images(node_class, Selected.LATEST if alias.endswith("@latest") else Selected.PINNED, alias)
    return Images(node_class, Selected.IDS if terms and all(term.get("id") for term in terms) else Selected.OTHERS)


def with_images(step: Step, images: Images, new: str) -> Step:
    """The step of a NodePool whose nodes have these images."""
    found = _blocker(images, new)
    note = "" if images.by is not Selected.LATEST else f"`{images.alias}` is the image for the new version: nodes drift to it. {step.note}".strip()
    return replace(step, note=note if note else step.note, blocked_by=(*step.blocked_by, *([] if found is None else [found])))


def _blocker(images: Images, new: str) -> Blocker | None:
    if images.family == "al2" and minor(new) > LAST_AL2:
        message = f"EKS publishes no images of Amazon Linux 2 for Kubernetes {new}: EC2NodeClass `{images.node_class}` launches no node"
        return _of(Severity.ERROR, message, "Use an alias of `al2023` with a release, such as `al2023@v20260801`", AL2)
    match images.by:
        case Selected.LATEST:
            return None
        case Selected.PINNED:
            message = f"`{images.alias}` is pinned, and nodes drift to this release for {new}: no node launches if EKS did not publish it for {new}"
            return _of(Severity.NOTE, message, "Compare it with the releases of the image, and pin one that exists for both versions", _SOURCE)
        case Selected.IDS:
            message = f"EC2NodeClass `{images.node_class}` selects images by id: its nodes do not drift, and keep the old version"
            return _of(Severity.WARNING, message, f"Select images for {new} after the control plane has it", _SOURCE)
        case _:
            message = f"EC2NodeClass `{images.node_class}` selects images by name, tags or SSM parameter: which version they have is unknown offline"
            return _of(Severity.NOTE, message, f"Make sure that an image for {new} is selected after the control plane has it", _SOURCE)


def _of(severity: Severity, message: str, fix: str, source: str) -> Blocker:
    return Blocker(kind=Kind.NODE_IMAGE, severity=severity, message=message, fix=fix, source=source)


_ROOM: Final = "quotas and subnets for the extra nodes: `nodepools capacity --existing PATH` counts them"
_EKS: Final = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html"
_AKS: Final = "https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingUpgrade:
    """A cluster that others manage, before its upgrade."""

    name: str
    version: str
    """Kubernetes version of its control plane."""
    resource_group: str = ""
    """Of an AKS cluster; empty: it is an EKS cluster."""
    groups: Sequence[NodeGroup] = ()
    agent_pools: Sequence[ExistingAgentPool] = ()
    pools: ClusterPools
    """All its pools, for its pods."""
    images: Mapping[str, Images] = field(default_factory=dict[str, Images])
    """How self-managed Karpenter selects the images of its NodePools, by their names."""
    extends: bool = False
    """It stays on a version after standard support."""
    channel: str = ""
    """The channel of automatic upgrades of an AKS cluster."""
    is_automatic: bool = False
    """It is an AKS Automatic cluster, which has its channel permanently."""
    items: Sequence[Item] = ()
    """What it needs a number of, next to what is available."""

    def plan(self, to: str, inputs: Inputs, today: date) -> ClusterUpgrade:
        """The way to a version that is not lower."""
        blocked = (self._blocked(each, inputs) for each in self._rounds(to))
        rounds = tuple(supported(each, today, self._table, extended=self.extends) for each in blocked)
        needed = tuple(rooms(self.items, AKS_REFUSALS)) if self._is_aks and rounds else ()
        versions = [self.version, *(version for version in (one.version for one in (*self.groups, *self.agent_pools)) if version)]
        old = short(min(versions, key=minor))
        ends = self._table.end(old)
        is_over = self._table.has_ended(old, today)
        left_open = tuple(self._left_open(needed, inputs) if rounds else self._unproved(to))
        checks = self._not_checked if rounds else ()
        return ClusterUpgrade(self.name, old, to, ends, rounds, not_checked=checks, is_over=is_over, room=needed, undecided=left_open)

    def support(self, today: date) -> ClusterSupport:
        """When the support of its version ends. The maintenance windows of AKS are not read."""
        extends, rounds = self.extends, self._rounds(f"1.{minor(self.version) + 1}")
        return support_of(
            self.name,
            self.version,
            self._table,
            today,
            extends=extends,
            if_missed=aks_if_missed(extends=extends) if self._is_aks else eks_if_missed(extends=extends),
            extra_usd_per_hour=0.0 if self._is_aks else eks_extra_usd(extends=extends),
            bounded_minutes=bounded(step for each in rounds for step in each.steps),
            window="unknown" if self._is_aks else None,
        )

    def _left_open(self, needed: Sequence[Room], inputs: Inputs) -> Iterator[str]:
        """Node auto provisioning and pools without a known subnet need more than is counted."""
        has_others = bool(self.pools.provisioned) or not all(pool.node_subnet and pool.is_counted for pool in self.agent_pools)
        yield from undecided(needed, has_workloads=bool(inputs.workloads), has_others=self._is_aks and has_others)
        if not self._is_aks:
            yield _ROOM

    def _unproved(self, to: str) -> Iterator[str]:
        """Pools that the files do not show with a version: Karpenter's nodes, groups without one, and agent pools with another patch version."""
        others = [one.name for one in self.agent_pools if one.version and one.version != to] if patch(to) is not None else []
        if others:
            yield f"what moves {joined([f'`{name}`' for name in others])} to {to}: the files show another patch version"
        without = [one.name for one in (*self.groups, *self.agent_pools) if not one.version]
        names = [*without, *(place.name for place in self.pools.provisioned)]
        if names:
            yield f"the versions of the nodes of {joined([f'`{name}`' for name in names])}, which the files do not show"

    def _rounds(self, to: str) -> Iterator[Round]:
        """Node groups that are behind come first: EKS updates the control plane only when they have its version."""
        now = minor(self.version)
        is_patch = self._is_aks and minor(to) == now and patch(to) is not None and to != self.version
        behind = list(self._pools_before(now, is_patch=is_patch))
        if behind:
            yield Round(f"1.{now}", tuple(behind))
        for target in range(now + (not is_patch), minor(to) + 1):
            old, new = self.version if is_patch else f"1.{target - 1}", to if self._is_aks and target == minor(to) else f"1.{target}"
            yield Round(new, (self._control_plane(old, new), *self._pools_to(old, new), *self._node_pools(old, new)))

    def _pools_before(self, now: int, *, is_patch: bool) -> Iterator[Step]:
        """The steps to the version of the control plane; those to its next patch version are the last ones of agent pools."""
        for group in self.groups:
            if group.version and minor(group.version) < now:
                yield node_group_step(group, short(group.version), f"1.{now}")
        for pool in self.agent_pools:
            for target in range(minor(pool.version) + 1, now + (not is_patch)) if pool.version else ():
                yield agent_pool_step(pool, self.resource_group, f"1.{target - 1}", f"1.{target}")

    def _control_plane(self, old: str, new: str) -> Step:
        azure = f"az aks upgrade --resource-group {self.resource_group} --name {self.name} --control-plane-only --kubernetes-version {new}"
        return Step(
            what="control_plane",
            name=self.name,
            old=old,
            new=new,
            how=azure if self._is_aks else f"aws eks update-cluster-version --name {self.name} --kubernetes-version {new}",
            unbounded=("control_plane",),
            window=NO_WINDOW,
            blocked_by=tuple(channel_blockers(self.channel, is_fixed=self.is_automatic)),
            source=_AKS if self._is_aks else _EKS,
        )

    def _pools_to(self, old: str, new: str) -> Iterable[Step]:
        groups = (node_group_step(group, old, new) for group in self.groups)
        starts = ((pool, minor(pool.version) if pool.version else minor(new)) for pool in self.agent_pools)
        pools = ((pool, f"1.{minor(new) - 1}" if start < minor(new) else old) for pool, start in starts)
        return (*groups, *(agent_pool_step(pool, self.resource_group, before, new) for pool, before in pools))

    def _node_pools(self, old: str, new: str) -> Iterator[Step]:
        for place in self.pools.provisioned:
            step = NodePoolUpgrade(place, None).step(old, new)
            yield with_images(step, self.images[place.name], new) if place.name in self.images else step

    def _blocked(self, each: Round, inputs: Inputs) -> Round:
        room = DrainedRoom(self.pools, inputs.workloads, inputs.objects)
        pods = PodBlockers(explain(inputs.workloads, [self.pools], inputs.objects), inputs.objects, room)
        steps = [self._with_blockers(step, inputs, pods) for step in each.steps]
        first = next((number for number, step in enumerate(steps) if step.drain is not None), None)
        if self._is_aks and first is not None:
            steps[first] = replace(steps[first], blocked_by=(*steps[first].blocked_by, *room_blockers(self.items, AKS_REFUSALS)))
        return Round(each.version, tuple(steps))

    def _with_blockers(self, step: Step, inputs: Inputs, pods: PodBlockers) -> Step:
        found = list(step.blocked_by)
        if step.what == "control_plane":
            found += [*pods.before(self._checks), *api_blockers(inputs.apis, step.old, step.new, self._checks)]
            found += karpenter_blockers(() if self._is_aks else inputs.karpenter, step.new)
        if step.drain is not None:
            found += pods.during(step.drain)
        return replace(step, blocked_by=tuple(found))

    @property
    def _is_aks(self) -> bool:
        return bool(self.resource_group)

    @property
    def _table(self) -> SupportTable:
        return AKS_SUPPORT if self._is_aks else EKS_SUPPORT

    @property
    def _checks(self) -> ServerChecks:
        return aks_checks() if self._is_aks else ServerChecks()

    @property
    def _not_checked(self) -> tuple[str, ...]:
        if self._is_aks:
            return ("outbound ports for surge nodes, which AKS checks before it starts",)
        insights = f"upgrade insights (`aws eks list-insights --cluster-name {self.name}`)"
        others = "self-managed nodes and Fargate, which are not in the files"
        return (insights, "versions of add-ons, which EKS does not update with the cluster", others)
