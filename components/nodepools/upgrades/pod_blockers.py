"""Pods that keep nodes from draining, are down while their node drains, or have no room on the nodes that stay. Facts: docs/facts/aks.md § 9."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Self

from nodepools.clouds.amounts import Amount
from nodepools.clouds.step import Blocker, Drain, Kind, ServerChecks
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget
from nodepools.model.kubernetes.pod_lifecycle import DO_NOT_DISRUPT
from nodepools.model.kubernetes.volumes import NO_PROVISIONER
from nodepools.model.listing import counted, listed
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, replace
from nodepools.placement.explain import Answer
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.warnings import AT_MINIMUM, MatchedBudgets, WarningKind
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Count, Outcome


class DrainedRoom:
    """The pools of one cluster, with the workloads of the input placed together.

    What drains differs between steps by the nodes that stay in one pool alone: each number of nodes is counted once.
    """

    def __init__(self, pools: ClusterPools, workloads: Sequence[Workload], objects: WorkloadObjects) -> None:
        self._pools: Final = pools
        self._workloads: Final = workloads
        self._objects: Final = objects
        self._known: Final[dict[tuple[str, int, int], Mapping[Workload, Count]]] = {}

    @cached_property
    def before(self) -> Mapping[Workload, Count]:
        """The pods that have room as declared."""
        return self._counts(self._pools)

    def during(self, address: str) -> Mapping[Workload, Count]:
        """The pods that have room with one node less in a pool: the smallest batch of a drain."""
        pool = self._pool(address)
        return self._with(pool, max(pool.min_nodes - 1, 0), max(pool.max_nodes - 1, 0))

    def during_batch(self, address: str, rest: Amount) -> Mapping[Workload, Count]:
        """The pods that have room while the largest batch drains, and only the `rest` of the nodes stays."""
        pool = self._pool(address)
        return self._with(pool, rest.minimum, pool.max_nodes if rest.maximum is None else rest.maximum)

    def _pool(self, address: str) -> StaticPool:
        return next(pool for pool in self._pools.static if pool.address == address)

    def _with(self, changed: StaticPool, least: int, most: int) -> Mapping[Workload, Count]:
        key = (changed.address, least, most)
        if key not in self._known:
            left = replace(changed, min_nodes=least, max_nodes=most)
            static = tuple(left if pool is changed else pool for pool in self._pools.static)
            self._known[key] = self._counts(replace(self._pools, static=static))
        return self._known[key]

    def _counts(self, pools: ClusterPools) -> Mapping[Workload, Count]:
        from nodepools.replicas.explained import explain_replicas  # most upgrades are planned without workloads

        return {explained.answer.workload: explained.count for explained in explain_replicas(self._workloads, [pools], self._objects)}


_EVICTION: Final = "https://kubernetes.io/docs/tasks/run-application/configure-pdb"
_UNCOUNTED: Final = (
    "Give the controllers of these pods to `--workloads` too, or export the PodDisruptionBudget with its status while all these pods are ready"
)
_VOLUMES: Final = "https://kubernetes.io/docs/concepts/storage/volumes/#local"
_SURGE_ZONES: Final = "https://github.com/Azure/AKS/issues/3292"
_RISKS: Final = {
    WarningKind.SPREAD: Kind.SPREAD,
    WarningKind.EVICTION: Kind.EVICTION,
    WarningKind.DAEMON_SHARE: Kind.DAEMON_SHARE,
    WarningKind.EXPIRY: Kind.EXPIRY,
}
"""What `explain` warns of that the nodes of a drain bring about, or that stops none."""
_SHOWN: Final = 3
_LONGEST: Final = 24 * 60 * 60  # seconds of the longest drain timeout of AKS


@dataclass(frozen=True, slots=True)
class Tenant:
    """A workload with pods that run on a pool."""

    workload: Workload
    is_certain: bool
    """No other pool of the cluster can run them."""


@dataclass(frozen=True, slots=True)
class _Basis:
    """Where a blocker is documented, and the error code of the cloud."""

    source: str
    refusal: str = ""

    @classmethod
    def of(cls, drain: Drain) -> Self:
        """For what stops a drain."""
        return cls(drain.source, drain.refusal)


class PodBlockers:
    """What the workloads of one input mean for the drains of a cluster."""

    def __init__(self, answers: Sequence[Answer], objects: WorkloadObjects, room: DrainedRoom) -> None:
        """`answers` are those of one cluster, for all workloads of the input."""
        self._answers: Final = answers
        self._room: Final = room
        self._objects: Final = objects
        self._budgets: Final = MatchedBudgets([answer.workload for answer in answers], objects)

    def before(self, checks: ServerChecks) -> Iterator[Blocker]:
        """What the cloud finds before the upgrade starts, whichever pool is upgraded."""
        here = {answer.workload for answer in self._answers if answer.verdict is not Verdict.CANNOT}
        for budget in self._objects.budgets if checks.budgets else ():
            selected = self._budgets.workloads(budget)
            is_of_daemons = all(workload.is_daemon for workload in selected) and not budget.blocks_any_number  # no source has AKS's check for these
            if budget.allowed or not here.intersection(selected):
                continue
            if self._budgets.never_allows(budget) and not is_of_daemons:
                message = f"{self._head(budget)}. The cloud rejects every upgrade of the cluster and of its pools while it exists ({checks.budgets})"
                fix = f"{self._fix(budget)}. Otherwise, {checks.override}"
                yield _of_budget(budget, Severity.ERROR, message, fix, _Basis(checks.source, checks.budgets))
            elif self._budgets.is_uncounted(budget) or is_of_daemons:
                message = f"{_uncounted(budget)}: if it allows no eviction, the cloud rejects every upgrade of the cluster ({checks.budgets})"
                yield _of_budget(budget, Severity.WARNING, message, _UNCOUNTED, _Basis(checks.source, checks.budgets))

    def during(self, drain: Drain) -> Iterator[Blocker]:
        """What happens to pods while the nodes of a pool are replaced."""
        tenants = [tenant for answer in self._answers if (tenant := _tenant(answer, drain.address)) is not None]
        if drain.is_drained:
            yield from self._never_evicted(tenants, drain)
            yield from self._evicted_twice(tenants, drain)
            yield from _protected(tenants, drain)
            yield from _grace_periods(tenants, drain)
        yield from self._local_volumes(tenants, drain)
        yield from self._zonal_volumes(tenants, drain)
        yield from self._without_room(tenants, drain)
        yield from self._single_replicas(tenants)
        yield from dict.fromkeys(self._warned(drain.address))

    def _warned(self, address: str) -> Iterator[Blocker]:
        """What `explain` warns of on the same pool. None of it stops the drain."""
        for answer in self._answers:
            for warning in answer.warnings:
                if (kind := _RISKS.get(warning.kind)) is not None and address in warning.pools:
                    of = "" if not warning.is_of_pods else f" ({_name(answer.workload)})"
                    found = _of(answer.workload, (kind, Severity.NOTE), f"{warning.message}{of}", warning.fix, _Basis(warning.source))
                    yield found if of else replace(found, subject=None)

    def _never_evicted(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        by_workload = {tenant.workload: tenant for tenant in tenants}
        for budget in self._objects.budgets:
            here = [by_workload[workload] for workload in self._budgets.workloads(budget) if workload in by_workload]
            if here and self._budgets.never_allows(budget):
                message = f"{self._head(budget)}. {_where(here, drain)}: {drain.outcome}"
                fix = f"{self._fix(budget)}, at least for the time of the upgrade"
                yield _of_budget(budget, _severity(here, drain), message, fix, _Basis.of(drain))
            elif here and self._budgets.is_uncounted(budget):
                message = f"{_uncounted(budget)}. {_where(here, drain)}: if it allows no eviction, {drain.outcome}"
                yield _of_budget(budget, Severity.WARNING, message, _UNCOUNTED, _Basis(_EVICTION))
            elif here and (least := self._budgets.blocked_at(budget)):
                head = f"PodDisruptionBudget `{budget.namespace}/{budget.name}` (`{budget}`) allows no eviction"
                message = f"{head} at the minimum of the autoscaler, {counted(least, 'pod')}. {_where(here, drain)}: {drain.outcome}"
                yield _of_budget(budget, Severity.WARNING, message, AT_MINIMUM, _Basis.of(drain))

    def _evicted_twice(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        for tenant in tenants:
            found = self._budgets.of(tenant.workload)
            if len(found) > 1:
                names = listed([f"`{budget.name}`" for budget in found], _SHOWN)
                message = (
                    f"PodDisruptionBudgets {names} select the same pods: the API server rejects every eviction. {_where([tenant], drain)}: "
                    f"{drain.outcome}"
                )
                fix = f"Keep one PodDisruptionBudget for these pods, such as `{found[0].name}`"
                yield _of_budget(found[0], _severity([tenant], drain), message, fix, _Basis(_EVICTION, drain.refusal))

    def _local_volumes(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        for tenant in tenants:
            for volume in tenant.workload.lifecycle.volumes:
                is_local = self._objects.driver(volume, tenant.workload.namespace) == NO_PROVISIONER
                if is_local or volume.is_host_path:
                    where = "is a local volume" if is_local else "is a `hostPath`"
                    then = "the pod stays Pending, because no other node has the volume" if is_local else "the new node does not have its data"
                    message = f"Volume `{volume.name}` of {_name(tenant.workload)} {where} on one node of `{drain.address}`: after the drain, {then}"
                    fix = "Copy the data first, or use a volume of the network"
                    yield _of(tenant.workload, (Kind.LOCAL_VOLUME, Severity.WARNING), message, fix, _Basis(_VOLUMES))

    def _zonal_volumes(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        """A pod with a disk needs a node in the zone of the disk, and fewer added nodes than zones do not have one in each."""
        if drain.zones <= 1 or not drain.adds_nodes or not drain.batch.maximum or drain.batch.maximum >= drain.zones:
            return
        for tenant in tenants:
            if disk := self._objects.zonal_disk(tenant.workload):
                added = f"{counted(drain.batch.maximum, 'extra node')} for {drain.zones} zones"
                then = "the pod waits if no other node in the zone of its disk has room"
                message = f"Volume `{disk}` of {_name(tenant.workload)} is a disk in one zone, and `{drain.address}` gets {added}: {then}"
                fix = f"Set `max_surge` to `{drain.zones}`, declare a pool for each zone, or keep room for the pod in each zone"
                yield _of(tenant.workload, (Kind.ZONAL_VOLUME, Severity.WARNING), message, fix, _Basis(_SURGE_ZONES))

    def _without_room(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        """Pods of a drained node need room elsewhere. If nodes are added first, it is certain that these exist, and no more."""
        if not drain.adds_nodes and tenants:
            yield from self._on_rest(tenants, drain)
        elif drain.rest is not None:
            yield from self._on_added_nodes([tenant for tenant in tenants if tenant.is_certain], drain, drain.rest)

    def _on_added_nodes(self, tenants: Sequence[Tenant], drain: Drain, rest: Amount) -> Iterator[Blocker]:
        for tenant in tenants:
            stay = self._room.during_batch(drain.address, rest)[tenant.workload]
            if self._room.before[tenant.workload].verdict is Outcome.FITS and stay.verdict is not Outcome.FITS:
                message = (
                    f"Only pool `{drain.address}` can run the pods of {_name(tenant.workload)}. Its extra nodes are ready before others drain: the "
                    f"nodes that stay have room for {stay} pods, and the zones and other pods of the extra nodes decide about the rest"
                )
                yield _of(tenant.workload, (Kind.NO_OTHER_POOL, Severity.NOTE), message, None, _Basis(drain.source))

    def _on_rest(self, tenants: Sequence[Tenant], drain: Drain) -> Iterator[Blocker]:
        one_less = self._room.during(drain.address)
        batch = one_less if drain.rest is None or drain.batch.maximum == 1 else self._room.during_batch(drain.address, drain.rest)
        for tenant in tenants:
            if self._loses(tenant, one_less[tenant.workload]):
                yield _pending(tenant, one_less[tenant.workload], drain, 1)
            elif self._loses(tenant, batch[tenant.workload]):
                yield _pending(tenant, batch[tenant.workload], drain, drain.batch.maximum)

    def _loses(self, tenant: Tenant, after: Count) -> bool:
        """Pods that have room as declared lose it, or can lose it."""
        misses = after.misses_some and not self._room.before[tenant.workload].misses_some
        return misses or (tenant.is_certain and after.verdict is not Outcome.FITS)

    def _single_replicas(self, tenants: Sequence[Tenant]) -> Iterator[Blocker]:
        for tenant in tenants:
            workload = tenant.workload
            scaled = (workload.namespace, workload.kind, workload.name) in self._objects.scaled
            is_of_others = workload.has_unknown_replicas or (workload.kind == "Pod" and bool(workload.controllers))  # there can be more
            if workload.replicas == 1 and not scaled and not is_of_others and workload.kind not in ("Job", "CronJob") and not self._never(workload):
                message, fix = _of_one(workload)
                yield _of(workload, (Kind.SINGLE_REPLICA, Severity.NOTE), message, fix, _Basis(_EVICTION))

    def _never(self, workload: Workload) -> bool:
        return any(self._budgets.never_allows(budget) for budget in self._budgets.of(workload))

    def _head(self, budget: DisruptionBudget) -> str:
        replicas = sum(pods.replicas for pods in self._budgets.pods(budget))
        count = "" if self._budgets.of_unknown_size(budget) else f" with {counted(replicas, 'replica')}"
        return f"PodDisruptionBudget `{budget.namespace}/{budget.name}` (`{budget}`) never allows an eviction{count}"

    def _fix(self, budget: DisruptionBudget) -> str:
        replicas = sum(pods.replicas for pods in self._budgets.pods(budget))
        if self._budgets.of_unknown_size(budget):
            return f"Replace `{budget}` with `minAvailable: {max(replicas - 1, 0)}`"
        more = ", and `replicas` to at least 2 to keep a pod available" if replicas == 1 else ""
        return f"Set only `maxUnavailable: 1`{more}; `unhealthyPodEvictionPolicy: AlwaysAllow` lets pods go that are not ready"


def _tenant(answer: Answer, address: str) -> Tenant | None:
    """The workload of an answer, if its pods can run on the pool. Drains leave the pods of DaemonSets in place."""
    if answer.workload.is_daemon or answer.workload.replicas == 0:
        return None
    possible = [evaluated for evaluated in answer.pools if evaluated.verdict is not Verdict.CANNOT]
    if all(evaluated.pool != address for evaluated in possible):
        return None
    return Tenant(answer.workload, len(possible) == 1 and possible[0].verdict is Verdict.FITS)


def _protected(tenants: Iterable[Tenant], drain: Drain) -> Iterator[Blocker]:
    if not drain.respects_do_not_disrupt:
        return
    for tenant in tenants:
        if tenant.workload.lifecycle.do_not_disrupt:
            message = f"{_where([tenant], drain)} with `{DO_NOT_DISRUPT}`: {drain.outcome}"
            fix = f"Remove `{DO_NOT_DISRUPT}` for the time of the upgrade, or let the pod end"
            yield _of(tenant.workload, (Kind.DO_NOT_DISRUPT, _severity([tenant], drain)), message, fix, _Basis.of(drain))


def _grace_periods(tenants: Iterable[Tenant], drain: Drain) -> Iterator[Blocker]:
    for tenant in tenants:
        grace = tenant.workload.lifecycle.grace_seconds
        if drain.timeout is not None and grace > drain.timeout:
            limit = f"the drain timeout of `{drain.address}` is {drain.timeout} seconds"
            message = f"`terminationGracePeriodSeconds` of {_name(tenant.workload)} is {grace}, and {limit}: {drain.outcome}"
            longer = f", or {drain.setting} of `{drain.address}` to at least {-(-grace // 60)} minutes" if drain.setting and grace <= _LONGEST else ""
            fix = f"Set `terminationGracePeriodSeconds` to at most {drain.timeout}{longer}"
            yield _of(tenant.workload, (Kind.GRACE_PERIOD, Severity.WARNING), message, fix, _Basis.of(drain))


def _pending(tenant: Tenant, count: Count, drain: Drain, at_once: int | None) -> Blocker:
    """The pods that wait while so many nodes are replaced. AKS can also replace less at once than it may."""
    meanwhile = "one of its nodes is replaced" if at_once == 1 else f"up to {at_once} of its nodes are replaced at once"
    stay = "others stay Pending" if count.misses_some and at_once == 1 else "others can stay Pending"
    why = f" ({count.decisive.message})" if count.decisive is not None else ""
    message = (
        f"Pool `{drain.address}` gets no extra node during the upgrade: while {meanwhile}, {count} pods of {_name(tenant.workload)} "
        f"have room, and {stay}{why}"
    )
    smaller = "" if at_once == 1 else ", lower `max_unavailable`"
    fix = f"Set `max_surge`{smaller}, keep free nodes in the pool, or let the pods run on another pool too"
    return _of(tenant.workload, (Kind.NO_OTHER_POOL, Severity.WARNING), message, fix, _Basis(drain.source))


def _uncounted(budget: DisruptionBudget) -> str:
    now = " and allowed no eviction when it was exported" if budget.allowed == 0 else ""
    return f"PodDisruptionBudget `{budget.namespace}/{budget.name}` (`{budget}`) counts replicas that are not known here{now}"


def _of_budget(budget: DisruptionBudget, severity: Severity, message: str, fix: str, basis: _Basis) -> Blocker:
    subject = f"{budget.namespace}/PodDisruptionBudget/{budget.name}"
    kind, source, refusal = Kind.DISRUPTION_BUDGET, basis.source, basis.refusal
    return Blocker(kind=kind, severity=severity, message=message, fix=fix, source=source, refusal=refusal, subject=subject)


def _of(workload: Workload, what: tuple[Kind, Severity], message: str, fix: str | None, basis: _Basis) -> Blocker:
    (kind, severity), subject = what, f"{workload.namespace}/{workload.kind}/{workload.name}"
    return Blocker(kind=kind, severity=severity, message=message, fix=fix, source=basis.source, refusal=basis.refusal, subject=subject)


def _severity(tenants: Iterable[Tenant], drain: Drain) -> Severity:
    """An error if the pods are certain to be on the pool, and their nodes then never drain."""
    stops = any(tenant.is_certain for tenant in tenants) and not drain.deletes_at_timeout
    return Severity.ERROR if stops else Severity.WARNING


def _where(tenants: Sequence[Tenant], drain: Drain) -> str:
    names = listed([_name(tenant.workload) for tenant in tenants], _SHOWN)
    run = "run" if any(tenant.is_certain for tenant in tenants) else "can run"
    return f"Pods of {names} {run} on `{drain.address}`"


def _of_one(workload: Workload) -> tuple[str, str]:
    """What a drain does to a workload with one pod, and how to avoid it."""
    if workload.kind == "Pod" and not workload.controllers:
        return f"{_name(workload)} has no controller: after the drain of its node, nothing creates it again", "Create it by a Deployment or a Job"
    fix = "Set `replicas` to at least 2, with a PodDisruptionBudget of `maxUnavailable: 1`"
    return f"{_name(workload)} has 1 replica: it is down while its pod moves to another node", fix


def _name(workload: Workload) -> str:
    return f"{workload.kind} `{workload.namespace}/{workload.name}`"
