"""The upgrade of every cluster of a platform, with everything that blocks its steps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from nodepools.changes.platform_changes import diff
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.aks.steps import agent_pool_step, pools_behind
from nodepools.clouds.change import Change
from nodepools.clouds.eks.cloud import nodes_of_others
from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
from nodepools.clouds.eks.steps import groups_behind, node_group_step
from nodepools.clouds.fleet import Fleet, FleetNode, is_busy
from nodepools.clouds.item import NOTHING_EXISTING, ExistingStock, Item
from nodepools.clouds.registry import cloud_of, node_groups_of
from nodepools.clouds.step import VERSION_FIELD, Blocker, Kind, Round, Step, bounded
from nodepools.data.version_support import NEWER, SupportTable, minor, patch, short
from nodepools.model.derive import derive
from nodepools.model.listing import joined
from nodepools.model.maintenance import AnyWindow
from nodepools.model.path import Operation, path_text
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.steps import Step as PathStep
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field, replace
from nodepools.needs.platform_capacity import capacity
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP
from nodepools.placement.coverage import Coverage
from nodepools.placement.explain import explain
from nodepools.placement.static_pools import StaticPool, pools_of
from nodepools.placement.workloads.objects import NO_OBJECTS, WorkloadObjects
from nodepools.placement.workloads.workload import Workload
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.runner import check
from nodepools.upgrades.cluster_upgrade import STOPPED, ClusterUpgrade, Undecided, room_blockers, rooms, skew_blockers, undecided, unsettled
from nodepools.upgrades.karpenter_versions import InstalledKarpenter, UsedApi, api_blockers, karpenter_blockers
from nodepools.upgrades.node_images import images_by_pool, with_images
from nodepools.upgrades.pod_blockers import DrainedRoom, PodBlockers
from nodepools.upgrades.progress import DeclaredAndExisting, Progress, minutes_text, progress, versions_now

_VERSIONS: Final = ("kubernetes_version", "orchestrator_version", "version")
"""Arguments of clusters and agent pools with a version, which overrides can set."""
_OF_OVERRIDES: Final = "nodepools: overrides replace the arguments that are sent"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is known next to the declaration."""

    workloads: Sequence[Workload] = ()
    objects: WorkloadObjects = NO_OBJECTS
    apis: Sequence[UsedApi] = ()
    karpenter: Sequence[InstalledKarpenter] = ()
    existing: ExistingStock = field(default_factory=lambda: NOTHING_EXISTING)
    fleets: Mapping[tuple[str, str], Fleet] = field(default_factory=dict[tuple[str, str], Fleet])
    """What runs now, by the names of platform and cluster."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where objects are written, for people."""
    has_manifests: bool = True
    """The workloads are those of manifests, or of exports that also have other kinds than pods and Deployments."""
    running: "Mapping[tuple[str, str], Inputs]" = field(default_factory=dict[tuple[str, str], "Inputs"])
    """The inputs of a cluster together with what exports of it have."""

    @property
    def has_workloads(self) -> bool:
        """It is known what runs."""
        return bool(self.workloads) and self.has_manifests


def upgrades(platform: Platform, to: str, today: date, inputs: Inputs) -> list[ClusterUpgrade]:
    """The way of every cluster to the version `to`. `today` decides which rules about support apply."""
    items = {found.cluster: found.items for found in capacity(platform, existing=inputs.existing)}
    plans = {key: _Plan(platform, key, to, inputs.fleets.get((platform.name, key))) for key in platform.clusters}
    findings = dict(_findings(platform, [plan.rounds for plan in plans.values()], today))
    of = {key: inputs.running.get((platform.name, key), inputs) for key in plans}
    return [replace(plan.upgrade(of[key], items.get(key, ()), findings, today), is_over=plan.is_over(today)) for key, plan in plans.items()]


def _findings(platform: Platform, plans: Sequence[Sequence[Round]], today: date) -> Iterator[tuple[int, list[Finding]]]:
    """What the rules find with each minor version, and did not find with the one before."""
    minors = sorted({minor(each.version) for rounds in plans for each in rounds})
    before = platform
    for target in minors:
        edits = [edit for rounds in plans for each in rounds if minor(each.version) <= target for edit in _edits(each)]
        after = with_edits(platform, edits)
        yield target, new_findings(before, after, today)
        before = after


def _edits(each: Round) -> Iterator[Operation]:
    return (edit for step in each.steps for edit in step.edits)


def supported(each: Round, today: date, table: SupportTable, *, extended: bool) -> Round:
    """The first step to a version whose support has ended, or that is newer than the table: the cloud offers supported versions only."""
    newer = table.newer(each.version)
    if newer is not None:
        message, fix = f"Kubernetes {short(each.version)} is {newer}: whether it is available is unknown", None
    elif table.has_ended(each.version, today, extended=extended):
        known = f"Support of Kubernetes {short(each.version)} ended on {table.end(each.version, extended=extended)}"
        message = f"{known}: the cloud can reject this step, and upgrade straight to a version that it supports"
        fix = f"Use the lowest version that `{table.command}` lists"
    else:
        return each
    first, *others = each.steps
    told = Blocker(kind=Kind.SUPPORT, severity=Severity.WARNING, message=message, fix=fix, source=table.source)
    return Round(each.version, (replace(first, blocked_by=(*first.blocked_by, told)), *others))


class _Plan:
    """The plan of one cluster."""

    def __init__(self, platform: Platform, key: str, to: str, fleet: Fleet | None) -> None:
        self._platform: Final = platform
        self._key: Final = key
        self._cluster: Final = platform.cluster(key)
        stem, cloud = platform.stem(key), cloud_of(self._cluster)
        declared, of_program = cloud.pools(key, stem), Fleet(groups=tuple(node_groups_of(platform, key)))
        self._others: Final = of_program if fleet is None else of_program.joined(fleet)
        static = () if of_program.groups else declared.static  # those of a cluster of EKS are its node groups
        self._pools: Final = replace(declared, static=(*static, *static_pools(self._others)))
        self._steps: Final = cloud.upgrade(key, stem, declared)
        self._to: Final = to
        self._fleet: Final = fleet
        self._now: Final = None if fleet is None else versions_now(self._steps, self._cluster.kubernetes_version, fleet)
        given = _given_by_overrides(self._cluster, ("clusters", key))
        stopped = STOPPED if fleet is not None and fleet.state == "Stopped" else None
        self._refused: Final = given or stopped or self._steps.refused(to, self._control_plane)
        self.rounds: Final = [] if self._refused is not None else list(self._rounds(to))

    def _rounds(self, to: str) -> Iterator[Round]:
        rounds = with_pools_of_others(self._steps.rounds(to, self._now), self._others, self._control_plane, to)
        own = nodes_of_others(self._cluster)
        return rounds if own is None else (_with_images(each, own) for each in rounds)

    @property
    def _control_plane(self) -> int:
        return minor(self._cluster.kubernetes_version) if self._now is None else self._now.control_plane

    def is_over(self, today: date) -> bool:
        """Standard support of the version that is left has ended."""
        return self._steps.of_cloud.table.has_ended(self._version(self._control_plane), today)

    def _version(self, number: int) -> str:
        """The declared version, if it is this minor version."""
        declared = self._cluster.kubernetes_version
        return declared if number == minor(declared) else f"1.{number}"

    @property
    def _old(self) -> str:
        """The version that is left: the lowest that runs."""
        pools = [] if self._now is None else [*self._now.pools.values()]
        others = [minor(one.version) for one in (*self._others.groups, *self._others.agent_pools) if one.version]
        return self._version(min([self._control_plane, *pools, *others]))

    def _progress(self) -> Progress | None:
        """Where it is; `None` if it was not exported."""
        if self._fleet is None or self._now is None or self._refused is not None:
            return None
        return progress(DeclaredAndExisting(self._steps, self._cluster.kubernetes_version, self._fleet, self._now), self.rounds, self._to)

    def upgrade(self, inputs: Inputs, items: Sequence[Item], findings: Mapping[int, Sequence[Finding]], today: date) -> ClusterUpgrade:
        """The steps with their blockers."""
        room = DrainedRoom(self._pools, inputs.workloads, inputs.objects)
        objects = inputs.objects.with_classes(self._pools.classes)
        pods = PodBlockers(explain(inputs.workloads, [self._pools], inputs.objects), objects, room)
        blocked = [self._round(each, inputs, items, findings.get(minor(each.version), ()), pods) for each in self.rounds]
        rounds = list(
            self._with_changes([supported(each, today, self._steps.of_cloud.table, extended=self._steps.extends) for each in blocked], today)
        )
        version, own = self._old, self._version(self._control_plane)
        now = self._progress()
        covered = None if self._fleet is None else covered_nodes(self._fleet, self._steps.pool_labels)
        room_needed = tuple(rooms(items, self._steps.of_cloud.refusals)) if self.rounds else ()
        unknown = [f"{one} with surge nodes; `--existing` compares it with what is available" for one in room_needed if one.available is None]
        states = [self._fleet.state, *(pool.state for pool in self._fleet.pools.values())] if self._fleet is not None and self.rounds else []
        return ClusterUpgrade(
            self._key,
            version,
            own,
            self._to,
            self._steps.of_cloud.table.end(own),
            tuple(rounds),
            (self._refused,) if self._refused is not None else (),
            (*self._steps.manual_checks, *unknown) if rounds else (),
            now,
            room=room_needed,
            coverage=covered,
            undecided=(
                *(undecided(room_needed, has_workloads=inputs.has_workloads) if rounds else self._unproved(now, covered)),
                *unsettled(filter(is_busy, states) if version != own else states),  # the same command goes on with an upgrade that failed
                *([_PATCHES] if self._fleet is not None and self._refused is None and patch(self._to) is not None else []),
            ),
        )

    def _unproved(self, now: Progress | None, covered: Coverage | None) -> Iterator[Undecided]:
        """Why it is not certain that everything has the version, if there are no steps."""
        if self._refused is not None:
            return
        if now is None:
            yield _RUNNING
            return
        if now.unproved:
            yield Undecided(f"the versions of {joined([f'`{name}`' for name in now.unproved])}, which the exports do not show")
        if covered is not None and covered.without_pool:
            several = "s" * (covered.without_pool != 1)
            yield Undecided(f"the versions of {covered.without_pool:,} node{several} whose pool is not declared")

    def _round(self, each: Round, inputs: Inputs, items: Sequence[Item], findings: Sequence[Finding], pods: PodBlockers) -> Round:
        steps = [self._step(step, inputs, findings, pods) for step in each.steps]
        first = next((number for number, step in enumerate(steps) if step.is_of_agent_pool), None)
        if first is not None:
            more = (
                *room_blockers(items, self._steps.of_cloud.refusals),
                *window_blockers(each, self._cluster.maintenance, (*self._at(), "maintenance")),
            )
            steps[first] = replace(steps[first], blocked_by=(*steps[first].blocked_by, *more))
        return Round(each.version, tuple(steps))

    def _with_changes(self, rounds: Sequence[Round], today: date) -> Iterator[Round]:
        """The rounds, with what their edits do: each change at the step of its pool, all others at the first step that has an edit."""
        before = self._platform
        for each in rounds:
            after = with_edits(before, _edits(each))
            yield Round(each.version, tuple(self._changed(each.steps, diff(before, after, today).all)))
            before = after

    def _changed(self, steps: Sequence[Step], changes: Sequence[Change]) -> Iterator[Step]:
        first = next((number for number, step in enumerate(steps) if step.edits), None)
        own = {f"{self._key}/{step.name}": number for number, step in enumerate(steps) if step.is_of_agent_pool}
        for number, step in enumerate(steps):
            yield replace(step, changes=tuple(change for change in changes if own.get(change.at, first) == number))

    def _step(self, step: Step, inputs: Inputs, findings: Sequence[Finding], pods: PodBlockers) -> Step:
        found = list(step.blocked_by)
        if step.what == "control_plane":
            if self._fleet is not None and minor(step.new) == self._control_plane + 1:
                found += skew_blockers(((one.name, one.labels, one.version) for one in _without_pool(self._fleet, self._steps.pool_labels)), step.new)
            found += [*pods.before(self._steps.of_cloud.checks), *api_blockers(inputs.apis, step.old, step.new, self._steps.of_cloud.checks)]
            found += karpenter_blockers(inputs.karpenter if self._steps.of_cloud.runs_karpenter_of_aws else (), step.new)
            found += blockers_at(findings, self._at(), self._parts())
        else:
            found += (blocker for part in self._parts_of(step) for blocker in blockers_at(findings, part))
        if step.drain is not None:
            found += pods.during(step.drain)
        return replace(step, blocked_by=tuple(found))

    def _at(self) -> tuple[PathStep, ...]:
        return ("clusters", self._key)

    def _parts(self) -> list[tuple[PathStep, ...]]:
        """The paths of all pools, whose findings belong to their own steps."""
        return [(*self._at(), *steps) for steps, _, _ in self._cluster.declared_pools()]

    def _parts_of(self, step: Step) -> list[tuple[PathStep, ...]]:
        name = "system" if step.what == "first_pool" else step.name
        return [(*self._at(), *steps) for steps, key, _ in self._cluster.declared_pools() if key == name]


def _given_by_overrides(cluster: AnyCluster, path: Steps) -> Blocker | None:
    """An override of a version is what is sent: no edit of a field changes it."""
    parts = [(path, cluster), *(((*path, *steps), pool) for steps, _, pool in cluster.declared_pools())]
    places = [(*steps, "overrides", name) for steps, part in parts for name in _VERSIONS if part.overrides.get(name) is not None]
    if not places:
        return None
    message = f"`{path_text(places[0])}` sets the version that is sent: edits of `{VERSION_FIELD}` have no effect"
    fix = f"Move the version to the field `{VERSION_FIELD}`, then plan the upgrade again"
    return Blocker(kind=Kind.RULE, severity=Severity.ERROR, message=message, fix=fix, source=_OF_OVERRIDES, path=path_text(places[0]))


def with_edits(platform: Platform, edits: Iterable[Operation]) -> Platform:
    """The declaration with new versions. A version that has to be looked up first stays as it is."""
    for edit in edits:
        if edit.path[-1] == VERSION_FIELD:
            platform = derive(platform, _nested(edit.path, str(edit.value)))
    return platform


def _nested(steps: Steps, value: str) -> dict[str, object]:
    first, *rest = steps
    return {str(first): _nested(tuple(rest), value) if rest else value}


def new_findings(before: Platform, after: Platform, today: date) -> list[Finding]:
    """Errors and warnings that only the edited declaration has. Their fixes were tried."""
    known = {(finding.code, finding.path) for finding in _found(before, today, fixes=False)}
    if all((finding.code, finding.path) in known for finding in _found(after, today, fixes=False)):
        return []  # most versions cause none: there is no fix to try
    return [finding for finding in _found(after, today, fixes=True) if (finding.code, finding.path) not in known]


def _found(platform: Platform, today: date, *, fixes: bool) -> Iterator[Finding]:
    """Without a version that is newer than the table, which `supported` says of each step."""
    found = check(platform, today=today, own=False, fixes=fixes)
    return (finding for finding in found if finding.severity is not Severity.NOTE and NEWER not in finding.message)


def blockers_at(findings: Iterable[Finding], inside: Sequence[PathStep], apart: Iterable[Sequence[PathStep]] = ()) -> Iterator[Blocker]:
    """The findings about a part of the declaration, except those about the parts `apart`."""
    others = [tuple(part) for part in apart]
    for finding in findings:
        if finding.steps[: len(inside)] == tuple(inside) and not any(finding.steps[: len(part)] == part for part in others):
            yield _blocker(finding)


def _blocker(finding: Finding) -> Blocker:
    """The fix of a finding about a version would be another version."""
    is_version = finding.steps[-1:] == (VERSION_FIELD,)
    return Blocker(
        kind=Kind.RULE,
        severity=finding.severity,
        message=finding.message,
        fix=finding.fix.text if finding.fix is not None and not is_version else None,
        source=finding.source,
        refusal=finding.code,
        path=finding.path,
    )


def _shorter(window: AnyWindow) -> str:
    """Why it is open for less time than it is declared for."""
    return "" if window.minutes == window.hours * 60 else f" ({window.hours} h, less the time by which daylight saving time moves it)"


_PATCHES: Final = Undecided("the patch versions that run: steps are those of the declaration, and only minor versions of exports are compared")
_RUNNING: Final = Undecided("the versions of control plane and nodes (`--existing`)", "--existing", is_version=True, short="versions that run")
_WINDOW_SOURCE: Final = "https://learn.microsoft.com/azure/aks/planned-maintenance"


def window_blockers(each: Round, window: AnyWindow | None, path: Steps) -> Iterator[Blocker]:
    """For people who start a round in the window of the cluster, and for automatic upgrades; `path` is that of the window."""
    use, known = each.steps[0].window, bounded(each.steps)
    if window is not None and known is not None and known > window.minutes:
        message = (
            f"Maintenance window `{window}`: {use.note}. If you start it in the window, it can end after the window: drains can take "
            f"{minutes_text(known)}, and the window is open for {minutes_text(window.minutes)}{_shorter(window)}"
        )
        fix = "Upgrade fewer pools at a time, raise `max_surge`, lower `drain_timeout`, or use a longer window"
        severity = Severity.WARNING if use.is_automatic else Severity.NOTE
        yield Blocker(kind=Kind.WINDOW, severity=severity, message=message, fix=fix, source=_WINDOW_SOURCE, path=path_text(path))


def _with_images(each: Round, own: NodesOfOthers) -> Round:
    """The round with what the images of self-managed Karpenter do."""
    images = images_by_pool(own.classes)
    steps = (with_images(step, images[step.name], each.version) if step.what == "node_pool" and step.name in images else step for step in each.steps)
    return Round(each.version, tuple(steps))


def with_pools_of_others(rounds: Iterable[Round], fleet: Fleet, now: int, to: str) -> Iterator[Round]:
    """Adds the steps of node groups and agent pools on the way to `to`; the control plane has the minor version `now`.

    Those that are behind come first: EKS updates the control plane only when node groups have its version, and AKS limits how far pools are behind.
    """
    behind = tuple(_behind(fleet, now, is_patched=minor(to) == now and patch(to) is not None))
    planned = list(rounds)
    if behind and (not planned or minor(planned[0].version) > now):
        yield Round(f"1.{now}", behind)
    elif behind:
        planned[0] = Round(planned[0].version, (*behind, *planned[0].steps))
    for each in planned:
        target = minor(each.version)
        added = _together(fleet, f"1.{target - 1}", each.version) if target > now else _patched(fleet, each.version)
        yield Round(each.version, (*each.steps, *added))
    if not planned and minor(to) == now and (left := tuple(_patched(fleet, to))):
        yield Round(to, left)


def _patched(fleet: Fleet, new: str) -> Iterator[Step]:
    """Agent pools of AKS with a lower version, and those whose version is not known, if `new` is a patch version: one drain of each."""
    number = patch(new)
    for pool in fleet.agent_pools if number is not None else ():
        known = patch(pool.version) if pool.version and minor(pool.version) == minor(new) else None
        before = f"1.{minor(new) - 1}" if pool.version and minor(pool.version) < minor(new) else short(new)
        if known is None or known < (number or 0):
            yield _of_agent_pool(pool, fleet, pool.version if known is not None else before, new)


def _behind(fleet: Fleet, now: int, *, is_patched: bool) -> Iterator[Step]:
    """The steps to the version of the control plane. With `is_patched`, the last one of agent pools is that of `_patched`."""
    yield from groups_behind(fleet.groups, now)
    yield from (_of_agent_pool(pool, fleet, old, new) for pool, old, new in pools_behind(fleet.agent_pools, now, is_patch=is_patched))


def _together(fleet: Fleet, old: str, new: str) -> Iterator[Step]:
    yield from (node_group_step(group, old, new) for group in fleet.groups)
    yield from (_of_agent_pool(pool, fleet, old, new) for pool in fleet.agent_pools)


def _of_agent_pool(pool: ExistingAgentPool, fleet: Fleet, old: str, new: str) -> Step:
    step, name = agent_pool_step(pool, fleet.resource_group, old, new), pool.shown_name
    return replace(step, name=name, drain=None if step.drain is None else replace(step.drain, address=name))


def static_pools(fleet: Fleet) -> Iterator[StaticPool]:
    """These pools, as pods see them."""
    yield from (group.nodes(None, autoscaled=None) for group in fleet.groups)
    yield from (replace(pool.nodes(None), address=pool.shown_name) for pool in fleet.agent_pools)


def covered_nodes(fleet: Fleet, labels: Mapping[str, Mapping[str, str]]) -> Coverage | None:
    """The share of the nodes of a running cluster in declared pools, with these labels, or in exported ones; `None` if there is nothing more."""
    others = len(_without_pool(fleet, labels))
    if not fleet.groups and not fleet.agent_pools and not others:
        return None
    existing = sum(group.desired for group in fleet.groups) + sum(pool.count for pool in fleet.agent_pools)
    return Coverage.with_declared(len(fleet.nodes), others, existing)


def _without_pool(fleet: Fleet, labels: Mapping[str, Mapping[str, str]]) -> list[FleetNode]:
    """The nodes in no declared pool and in no pool of the exports."""
    groups = [(group.name, {NODE_GROUP: group.name}) for group in fleet.groups]
    agents = [(pool.shown_name, {AGENT_POOL: pool.name}) for pool in fleet.agent_pools]
    return [node for node in fleet.nodes if not pools_of(node.labels, [*labels.items(), *groups, *agents])]
