"""The upgrade of a cluster that others manage, in commands of the clouds: control plane, node groups or agent pools, then NodePools by drift."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from nodepools.clouds.aks.steps import ExistingAksSteps
from nodepools.clouds.eks.steps import ExistingEksSteps
from nodepools.clouds.fleet import QUARANTINE
from nodepools.clouds.item import Item
from nodepools.clouds.karpenter_steps import NodePoolUpgrade
from nodepools.clouds.step import ON_COMMAND, Round, Step
from nodepools.data.version_support import minor, patch, short
from nodepools.model.listing import joined, listed
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP, POOL
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.upgrades.cluster_upgrade import STOPPED, ClusterUpgrade, Room, Undecided, room_blockers, rooms, skew_blockers, undecided, unsettled
from nodepools.upgrades.karpenter_versions import api_blockers, karpenter_blockers
from nodepools.upgrades.node_images import Images, with_images
from nodepools.upgrades.platform_upgrades import Inputs, supported
from nodepools.upgrades.pod_blockers import DrainedRoom, PodBlockers
from nodepools.upgrades.support import ClusterSupport, support_of

_GROUPS: Final = (NODE_GROUP, AGENT_POOL)
_ROOM: Final = Undecided("quotas and subnets for the extra nodes: `nodepools capacity` counts them", "capacity")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingUpgrade:
    """A cluster that others manage, before its upgrade."""

    cloud: ExistingAksSteps | ExistingEksSteps
    version: str
    """Kubernetes version of its control plane."""
    pools: ClusterPools
    """All its pools, for its pods."""
    images: Mapping[str, Images] = field(default_factory=dict[str, Images])
    """How self-managed Karpenter selects the images of its NodePools, by their names."""
    items: Sequence[Item] = ()
    """What it needs a number of, next to what is available."""
    nodes: Sequence[StaticPool] = ()
    """Those that run."""
    states: Sequence[str] = ()
    """Of the cluster and of its pools."""

    def plan(self, to: str, inputs: Inputs, today: date) -> ClusterUpgrade:
        """The way to a version that is not lower."""
        refused = (STOPPED,) if "Stopped" in self.states else ()
        blocked, cloud = (self._blocked(each, inputs) for each in (() if refused else self._rounds(to))), self.cloud
        rounds = tuple(supported(each, today, cloud.of_cloud.table, extended=cloud.extends) for each in blocked)
        needed = tuple(rooms(self.items, cloud.of_cloud.refusals)) if rounds else ()
        versions = [self.version, *(version for version in (*cloud.versions.values(), *(node.kubelet for node in self.nodes)) if version)]
        old = short(min(versions, key=minor))
        own = short(self.version)
        ends, is_over = cloud.of_cloud.table.end(own), cloud.of_cloud.table.has_ended(own, today)
        is_there = minor(to) == minor(self.version) and not refused
        left_open = (*(self._left_open(needed, inputs) if rounds else ()), *(self._unproved(to, rounds) if is_there else ()))
        checks = cloud.not_checked if rounds else ()
        return ClusterUpgrade(cloud.name, old, own, to, ends, rounds, refused, checks, is_over=is_over, room=needed, undecided=left_open)

    def support(self, today: date) -> ClusterSupport:
        """When the support of its version ends."""
        rounds = self._rounds(f"1.{minor(self.version) + 1}")
        return support_of(self.cloud.name, self.version, self.cloud, rounds, today, window=self.cloud.window)

    def _left_open(self, needed: Sequence[Room], inputs: Inputs) -> Iterator[Undecided]:
        """Node auto provisioning and pools without a known subnet need more than is counted."""
        counts = bool(self.cloud.of_cloud.refusals)
        has_others = counts and bool(self.pools.provisioned or not self.cloud.is_counted)
        yield from undecided(needed, has_workloads=inputs.has_workloads, has_others=has_others)
        if not counts:
            yield _ROOM
        yield from unsettled(self.states)
        if kept := [f"`{node.address}`" for node in self.nodes if QUARANTINE in node.variants[0].items()]:
            yield Undecided(f"what holds {listed(kept, 2)} in quarantine: AKS could not drain it")

    def _unproved(self, to: str, rounds: Sequence[Round]) -> Iterator[Undecided]:
        """What no step raises, and the files show older, or without a version. A NodePool without nodes among those that they show has none."""
        versions, raised = self.cloud.versions, {step.name for each in rounds for step in each.steps if step.what != "control_plane"}
        behind = [name for name, version in versions.items() if name not in raised and version and _is_older(version, to)]
        rest = [node for node in self.nodes if not raised.intersection(pools := _pools_of(node)) and not pools.intersection(behind)]
        behind += [node.address for node in rest if node.kubelet and _is_older(node.kubelet, to)]
        if behind:
            yield Undecided(f"what moves {listed([f'`{name}`' for name in behind], 2)} to {to}: the files show an older version")
        shown = {name for node in self.nodes for name in _pools_of(node)}
        without = [name for name, version in versions.items() if not version and name not in shown]
        without += [place.name for place in self.pools.provisioned if not self.nodes]
        without += [node.address for node in rest if not node.kubelet and not versions.get(next(iter(_pools_of(node)), ""))]
        if without:
            yield Undecided(f"the versions of the nodes of {joined([f'`{name}`' for name in without])}, which the files do not show")

    def _rounds(self, to: str) -> Iterator[Round]:
        now, cloud = minor(self.version), self.cloud
        is_patch = cloud.has_patch_versions and minor(to) == now and patch(to) is not None and to != self.version
        behind = [*cloud.behind(now, is_patch=is_patch), *self._drifting(now)]
        if behind:
            yield Round(f"1.{now}", tuple(behind))
        for target in range(now + (not is_patch), minor(to) + 1):
            old = self.version if is_patch else f"1.{target - 1}"
            new = to if cloud.has_patch_versions and target == minor(to) else f"1.{target}"
            yield Round(
                new, (self._control_plane(old, new), *cloud.pools(old, new), *(self._node_pool(place, old, new) for place in self.pools.provisioned))
            )

    def _control_plane(self, old: str, new: str) -> Step:
        cloud = self.cloud
        return Step(
            what="control_plane",
            name=cloud.name,
            old=old,
            new=new,
            how=cloud.control_plane_command(new),
            unbounded=("control_plane",),
            window=ON_COMMAND,
            blocked_by=cloud.blocked_by,
            source=cloud.source,
        )

    def _drifting(self, now: int) -> Iterator[Step]:
        """NodePools with nodes that are behind the control plane: Karpenter is not done."""
        for place in self.pools.provisioned:
            kubelets = [node.kubelet for node in self.nodes if node.kubelet and node.variants[0].get(POOL) == place.name]
            oldest = min(map(minor, kubelets), default=now)
            if oldest < now:
                yield self._node_pool(place, f"1.{oldest}", f"1.{now}")

    def _node_pool(self, place: KarpenterPool, old: str, new: str) -> Step:
        step = NodePoolUpgrade(place, None).step(old, new)
        return with_images(step, self.images[place.name], new) if place.name in self.images else step

    def _blocked(self, each: Round, inputs: Inputs) -> Round:
        room = DrainedRoom(self.pools, inputs.workloads, inputs.objects)
        pods = PodBlockers(explain(inputs.workloads, [self.pools], inputs.objects), inputs.objects, room)
        steps = [self._with_blockers(step, inputs, pods) for step in each.steps]
        first = next((number for number, step in enumerate(steps) if step.drain is not None), None)
        if first is not None:
            steps[first] = replace(steps[first], blocked_by=(*steps[first].blocked_by, *room_blockers(self.items, self.cloud.of_cloud.refusals)))
        return Round(each.version, tuple(steps))

    def _with_blockers(self, step: Step, inputs: Inputs, pods: PodBlockers) -> Step:
        found, checks = list(step.blocked_by), self.cloud.of_cloud.checks
        if step.what == "control_plane":
            found += skew_blockers(self._left(), step.new) if minor(step.new) == minor(self.version) + 1 else []
            found += [*pods.before(checks), *api_blockers(inputs.apis, step.old, step.new, checks)]
            found += karpenter_blockers(inputs.karpenter if self.cloud.of_cloud.runs_karpenter_of_aws else (), step.new)
        if step.drain is not None:
            found += pods.during(step.drain)
        return replace(step, blocked_by=tuple(found))

    def _left(self) -> Iterator[tuple[str, Mapping[str, str], str]]:
        """Nodes that no step before the control plane raises: those of groups and pools with a known version come first."""
        for node in self.nodes:
            labels = node.variants[0]
            if not self.cloud.versions.get(next((labels[label] for label in _GROUPS if label in labels), "")):
                yield node.address, labels, node.kubelet


def _is_older(version: str, to: str) -> bool:
    return minor(version) < minor(to) or (patch(to) is not None and minor(version) == minor(to) and (patch(version) or 0) < (patch(to) or 0))


def _pools_of(node: StaticPool) -> set[str]:
    return {node.variants[0][label] for label in (*_GROUPS, POOL) if label in node.variants[0]}
