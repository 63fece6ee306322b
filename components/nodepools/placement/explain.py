"""Explains for pods and pools which pool is the first choice, and why a pod does not fit the others."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Final, TypeVar

from nodepools.model.kubernetes.label import POOL_LABEL, Taint
from nodepools.model.kubernetes.pod import Pod, Requests, pod_requests
from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.model.listing import as_code, counted, grouped, quoted
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.admission import admitted
from nodepools.placement.allocatable import DEVICES, spelled
from nodepools.placement.cloud_labels import NODE_GROUP, POOL, Cloud
from nodepools.placement.domains import needed_keys, without_keys
from nodepools.placement.existing_nodes import ExistingNeighbors
from nodepools.placement.fixes import Fix, find_fix
from nodepools.placement.karpenter import evaluate
from nodepools.placement.machine_index import NO_AMOUNT
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.result_notes import of_both_autoscalers, of_many, of_pod, of_pool
from nodepools.placement.static_pools import StaticPool, rejecting
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.verdict import Kind, PoolVerdict, Purpose, Reason, Verdict, best, worst
from nodepools.placement.workloads.objects import NO_OBJECTS, WorkloadObjects
from nodepools.placement.workloads.pod_changes import Change, LowerRequest
from nodepools.placement.workloads.pod_requirements import PodRequirements
from nodepools.placement.workloads.warnings import WorkloadWarning, WorkloadWarnings, architecture_warnings, may_have_arm64, system_warnings
from nodepools.placement.workloads.workload import Hold, Workload

_SYSTEM_TAINT: Final = "CriticalAddonsOnly"
_MODE: Final = "kubernetes.azure.com/mode"
_NOT_FOR_PODS: Final = {(_MODE, "system"), (_MODE, "gateway")}
"""Labels of nodes for the pods of the system, and for the traffic of pods."""
_NAMES: Final = frozenset({POOL_LABEL, *POOL_NAME_LABELS, POOL, NODE_GROUP, _MODE})
"""Labels by which pods ask for one pool, or for those of the system. The name that a pool has in the cloud can differ from its key."""
_SPECIAL: Final = re.compile(r"gpu|neuron|accelerator|habana|gaudi|spot|windows|arm64|graviton", re.IGNORECASE)
"""Words in taints that keep ordinary pods off."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The position of a pool among those that fit."""

    position: int
    """0 is the first choice; pools with equal positions are equally good."""
    why: str


@dataclass(frozen=True)
class Ranked:
    """A verdict and its pool."""

    evaluated: PoolVerdict
    static: StaticPool | None = None
    provisioned: KarpenterPool | None = None

    @property
    def taints(self) -> Sequence[Taint]:
        """The taints of its nodes."""
        return self.static.taints if self.static is not None else self.provisioned.taints if self.provisioned is not None else ()

    @property
    def names(self) -> Sequence[Mapping[str, str]]:
        """The labels that name the pool or its mode, of each kind of its nodes."""
        if self.provisioned is not None:
            every = [{**self.provisioned.labels, POOL: self.provisioned.name}]
        else:
            every = list(self.static.variants) if self.static is not None else []
        return [{key: value for key, value in labels.items() if key in _NAMES} for labels in every]

    @cached_property
    def launches(self) -> bool:
        """Karpenter launches nodes for the pod. All other nodes are running already, or the cluster autoscaler adds them."""
        return self.provisioned is not None and self.provisioned.pool.replicas is None

    @cached_property
    def launcher(self) -> str:
        """The Karpenter that launches nodes here, by the label of its node classes; empty if none does, or if it is not known which one.

        Each Karpenter has only its own NodePools.
        """
        return self.provisioned.cloud.class_label if self.launches and self.provisioned is not None else ""


def _is_special(taint: Taint) -> bool:
    return _SPECIAL.search(f"{taint.key}={taint.value}") is not None


def _asks(item: Ranked, pod: Pod) -> bool:
    """The pod asks for special hardware, and only taints of the pool, which has it, keep the pod off."""
    if any(reason.kind is not Kind.TAINT for reason in item.evaluated.decisive):
        return False
    labels = (f"{one.key}={value}" for one in pod.required_labels if one.operator == "In" for value in one.values)
    return pod.system == "windows" or any(resource in DEVICES for resource, _ in pod.requests) or any(map(_SPECIAL.search, labels))


def _is_for_devices(item: Ranked, pod: Pod) -> bool:
    """Each of its nodes has an accelerator, and the pod neither requests one nor tolerates a taint that says so."""
    if item.provisioned is not None:
        has = item.provisioned.has_devices
    else:
        offers = item.static.offers if item.static is not None else None
        has = offers is not None and any(offers.get(resource, NO_AMOUNT).least for resource in DEVICES)
    asked = has and (any(resource in DEVICES for resource, _ in pod.requests) or any(taint.is_hard and _is_special(taint) for taint in item.taints))
    return has and not asked


def with_purpose(item: Ranked, pod: Pod) -> Ranked:
    """The verdict with what the pool is for, unless the pod tolerates the taint or selects the label that says so."""
    asked = {(expression.key, value) for expression in pod.selector for value in expression.values}
    by_name, names = {value for key, value in asked if key in _NAMES and key != _MODE}, item.names
    if item.evaluated.pool.rpartition("/")[2] in by_name or any((asked - _NOT_FOR_PODS) & labels.items() for labels in names):
        return replace(item, evaluated=replace(item.evaluated, purpose=Purpose.NAMED))
    if any(asked & labels.items() for labels in names):
        return item
    hard = [taint for taint in item.taints if taint.is_hard and not pod.tolerates(taint)]
    special = (any(map(_is_special, hard)) and not _asks(item, pod)) or _is_for_devices(item, pod)
    purpose = Purpose.SPECIAL if special else Purpose.ORDINARY
    if any(taint.key == _SYSTEM_TAINT for taint in hard) or any(_NOT_FOR_PODS & labels.items() for labels in names):
        purpose = Purpose.SYSTEM
    return replace(item, evaluated=replace(item.evaluated, purpose=purpose)) if purpose else item


ORDER: Final = {Verdict.FITS: 0, Verdict.CANNOT: 1, Verdict.UNKNOWN: 2}
"""In which verdicts are shown."""


def ranked(pod: Pod, found: Sequence[Ranked]) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
    """The verdicts in the order in which they are shown, and the ranks of the pools that fit."""
    fitting = sorted((item for item in found if item.evaluated.verdict is Verdict.FITS), key=lambda entry: _rank_key(entry, pod))
    others = [item for item in found if item.evaluated.verdict is not Verdict.FITS]
    others.sort(key=lambda entry: (ORDER[entry.evaluated.verdict], entry.evaluated.distance))
    ranks: dict[str, Rank] = {}
    for index, item in enumerate(fitting):
        same = index > 0 and _equals(fitting[index - 1], item, pod)
        position = ranks[fitting[index - 1].evaluated.pool].position if same else index
        if _leads(item, fitting[:index]):
            position = 0
        equal = same or (index + 1 < len(fitting) and _equals(item, fitting[index + 1], pod))
        ranks[item.evaluated.pool] = Rank(position, _rank_reason(item, position, equal=equal))
    leads = {item.launcher: item for index, item in enumerate(fitting) if _leads(item, fitting[:index])}
    after = {other.evaluated.pool: leads[other.launcher] for other in others if _comes_before(other, leads)}
    for launcher, first in leads.items():
        pool = first.evaluated.pool
        named = " or ".join(f"NodePool `{other}`" for other, lead in after.items() if lead is first)
        unless = f", unless the pod fits {named}" if named else ""
        ranks[pool] = Rank(0, f"{ranks[pool].why}{unless}{_launched_too(launcher, leads, others)}")
    shown = (_with_weight(other, after[other.evaluated.pool]) if other.evaluated.pool in after else other.evaluated for other in others)
    return (*(item.evaluated for item in fitting), *shown), ranks


def _leads(item: Ranked, earlier: Sequence[Ranked]) -> bool:
    """Its Karpenter launches a node of this pool: no pool that is running already comes before it, and none of the same Karpenter."""
    return item.launches and all(other.launches and other.launcher != item.launcher for other in earlier)


def _launched_too(launcher: str, leads: Mapping[str, Ranked], others: Sequence[Ranked]) -> str:
    """What every other Karpenter does for the same Pending pod: none knows of the nodes that another launches."""
    sure = [f"`{item.evaluated.pool}`" for name, item in leads.items() if name != launcher]
    possible = [other for other in others if other.launcher and other.evaluated.verdict is Verdict.UNKNOWN and other.launcher not in leads]
    possible.sort(key=_rank_order, reverse=True)
    unsure = {other.launcher: f"`{other.evaluated.pool}`" for other in possible}
    return "".join(
        [
            *(f"; the Karpenter of {pool} can launch a node for it too" for pool in sure),
            *(f"; the Karpenter of {pool} can launch a node for it too, if the pod fits" for pool in unsure.values()),
        ]
    )


def _rank_key(item: Ranked, pod: Pod) -> tuple[object, ...]:
    """Running nodes come before nodes that Karpenter would launch."""
    if item.launches and item.provisioned is not None:
        return (1, item.evaluated.attempt, *item.provisioned.order)
    if item.static is None:
        return (0, 0, 0, 0)
    taints, preferences = item.static.score(pod)
    return (0, -taints, -preferences, 0 if item.static.min_nodes else 1)


def _rank_order(item: Ranked) -> tuple[object, ...]:
    return (item.evaluated.attempt, item.provisioned.order if item.provisioned is not None else ())


def _equals(item: Ranked, other: Ranked, pod: Pod) -> bool:
    return not item.launches and not other.launches and _rank_key(item, pod) == _rank_key(other, pod)


def _rank_reason(item: Ranked, position: int, *, equal: bool) -> str:
    choice = "first choice" if position == 0 else "fallback"
    if item.launches and item.provisioned is not None:
        preferred = any(reason.kind is Kind.PREFERENCE for reason in item.evaluated.reasons)
        return f"{choice} by weight ({item.provisioned.weight}){', after Karpenter drops preferences' if preferred else ''}"
    if equal:
        return f"{choice} with other pools: the scheduler picks the least used node"
    if item.static is None or item.static.names is not None:
        return f"{choice}: its nodes are running"
    least = item.static.min_nodes
    if not least:
        return f"{choice}: if it has no node, the cluster autoscaler adds one"
    return f"{choice}: has at least {counted(least, 'node')}"


def _comes_before(item: Ranked, leads: Mapping[str, Ranked]) -> bool:
    """The pod may fit, and its Karpenter would then launch a node of this pool before one of the first pool that fits."""
    first = leads.get(item.launcher)
    return item.evaluated.verdict is Verdict.UNKNOWN and first is not None and _rank_order(item) < _rank_order(first)


def _with_weight(item: Ranked, first: Ranked) -> PoolVerdict:
    weight = item.provisioned.weight if item.provisioned is not None else 0
    earlier = Reason(Kind.PREFERENCE, f"first choice by weight ({weight}) before `{first.evaluated.pool}`, if the pod fits", verdict=Verdict.FITS)
    return replace(item.evaluated, reasons=(*item.evaluated.reasons, earlier))


_SHOWN: Final = 5
"""Pools that are listed in a message."""
_PoolT = TypeVar("_PoolT", StaticPool, KarpenterPool)


@dataclass(frozen=True)
class Answer:
    """The result for one workload in one cluster."""

    workload: Workload
    cluster: str | None
    pools: tuple[PoolVerdict, ...]
    """The pools that fit, in the order in which they are tried; those that cannot fit, the closest first; the unknown ones."""
    ranks: Mapping[str, Rank] = field(default_factory=dict[str, Rank])
    notices: tuple[str, ...] = ()
    warnings: tuple[WorkloadWarning, ...] = ()
    nodes: frozenset[str] = frozenset()
    """Those among the pools that are one running node each."""
    fix: Callable[[PoolVerdict], Fix | None] = lambda _: None
    """Returns the changes after which the pod fits a pool of `pools`. They are tried when they are first read."""

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict of the best pool."""
        return best(evaluated.verdict for evaluated in self.pools)

    @property
    def pool(self) -> str | None:
        """The first choice; a DaemonSet runs on all pools that fit."""
        return next((evaluated.pool for evaluated in self.pools if evaluated.verdict is Verdict.FITS), None)

    @property
    def first_pools(self) -> list[str]:
        """The first choice with the pools that are as good; of nodes that run, only one is named."""
        first = self.pool
        if first is None or first in self.nodes:
            return [first] if first is not None else []
        fitting = [one.pool for one in self.pools if one.verdict is Verdict.FITS and one.pool not in self.nodes]
        return [name for name in fitting if self.ranks[name].position == self.ranks[first].position]

    @cached_property
    def possible(self) -> frozenset[str]:
        """The pools that the pods may be scheduled on."""
        return frozenset(evaluated.pool for evaluated in self.pools if evaluated.verdict is not Verdict.CANNOT)

    def to_json(self, shown: Iterable[PoolVerdict] | None = None) -> dict[str, object]:
        """As printed by `explain --format json`, with all pools or with those that are `shown`."""
        workload = self.workload
        head: dict[str, object] = {"name": workload.name, "namespace": workload.namespace, "kind": workload.kind, "cluster": self.cluster}
        result: dict[str, object] = {"verdict": self.verdict.value, "pool": self.pool}
        if workload.is_daemon:
            result["unreached"] = [evaluated.pool for evaluated in self.pools if evaluated.verdict is not Verdict.FITS]
        told = {"notices": list(self.notices), "warnings": [warning.to_json() for warning in self.warnings]}
        return {**head, **result, "pools": list(map(self._pool_json, self.pools if shown is None else shown)), **told}

    def _pool_json(self, evaluated: PoolVerdict) -> dict[str, object]:
        fix = self.fix(evaluated)
        if fix is None:
            return evaluated.to_json({})
        return {**evaluated.to_json(fix.steps), "fix": {"steps": [str(step) for step in fix.steps.values()], "verdict": fix.verdict.value}}


class _PodShapeResult:
    """The result for pods of one shape, whatever their name."""

    def __init__(self, evaluated: tuple[PoolVerdict, ...], ranks: Mapping[str, Rank], find: Callable[[PoolVerdict], Fix | None]) -> None:
        self.evaluated: Final = evaluated
        self.ranks: Final = ranks
        self.notices: Final[dict[int | None, tuple[str, ...]]] = {}
        """By the number of pods to place."""
        self._find: Final = find
        self._fixes: Final[dict[str, Fix | None]] = {}

    def fix(self, evaluated: PoolVerdict) -> Fix | None:
        """The changes after which the pod fits the pool, found once."""
        if evaluated.pool not in self._fixes:
            self._fixes[evaluated.pool] = self._find(evaluated)
        return self._fixes[evaluated.pool]


class Explainer:
    """Explains workloads for the pools of one cluster. Equal shapes of pods are evaluated once."""

    def __init__(self, pools: ClusterPools, workloads: Sequence[Workload] = (), objects: WorkloadObjects = NO_OBJECTS) -> None:
        """`workloads` are those that are placed together."""
        self._pools: Final = with_devices(pools, workloads, objects)
        bound = [*map(objects.in_namespace, pools.bound)]
        self._neighbors: Final = ExistingNeighbors(pools, bound, workloads) if bound else None
        self._static: Final = _by_address(pools.static)
        self._provisioned: Final = _by_address(pools.provisioned)
        self._without: Final = cache(partial(without_keys, self._pools.static))
        self._nodes: Final = frozenset(pool.address for pool in pools.static if pool.names is not None)
        self._requirements: Final[dict[tuple[str, Pod], PodRequirements]] = {}
        self._clouds: Final = tuple({pool.cloud.name: pool.cloud for pool in pools.provisioned}.values())
        self._known: Final[dict[Hashable, _PodShapeResult]] = {}
        daemons = [workload for workload in workloads if workload.is_daemon]
        self.overhead: Final = {address: self._of_daemons(address, daemons) for address in (*self._static, *self._provisioned)}

    def answer(self, workload: Workload) -> Answer:
        """The result for a workload."""
        closed = dict(self._neighbors.closed(workload)) if self._neighbors is not None else dict[str, Reason]()
        if workload.devices:
            from nodepools.placement.devices import unavailable  # few pods claim devices

            closed = {**dict(unavailable(workload.devices, self._pools)), **closed}
        unlabeled = dict[str, Reason]() if workload.is_daemon else self._without(needed_keys(workload.topology))
        key = workload.pod, workload.is_daemon, frozenset({**closed, **unlabeled}.items()), workload.overhead, workload.floor, workload.imposed
        shape = self._known.get(key)
        if shape is None:
            shape = self._known[key] = _PodShapeResult(*self._judged(workload, closed, unlabeled), partial(self._fix, workload, closed))
        if workload.unplaced not in shape.notices:
            shape.notices[workload.unplaced] = tuple(self._notices(workload, shape.evaluated))
        notices = shape.notices[workload.unplaced]
        if workload.pod.system and not workload.is_daemon:
            workload = replace(workload, holds=tuple(dict.fromkeys((*workload.holds, *_on_other_systems(workload.pod, shape.evaluated)))))
        return Answer(workload, self._pools.cluster, shape.evaluated, shape.ranks, notices, nodes=self._nodes, fix=shape.fix)

    def _notices(self, workload: Workload, evaluated: Sequence[PoolVerdict]) -> Iterator[str]:
        yield from of_pod(workload.pod)
        chosen = next((pool_verdict for pool_verdict in evaluated if pool_verdict.verdict is Verdict.FITS), None)
        if chosen is not None and not workload.is_daemon:
            yield from of_pool(self._pools, chosen.pool, workload.pod)
            yield from of_both_autoscalers(self._pools, evaluated)
            yield from of_many(self._pools, chosen.pool, workload, self.overhead.get(chosen.pool, ()))

    def _judged(
        self, workload: Workload, closed: Mapping[str, Reason], unlabeled: Mapping[str, Reason]
    ) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
        pod, overhead = workload.pod, {} if workload.is_daemon else self.overhead
        static = [Ranked(pool.evaluate(pod, overhead.get(pool.address, ())), static=pool) for pool in self._pools.static]
        requirements = {cloud.name: self._read(pod, cloud) for cloud in self._clouds}
        found = [
            *static,
            *(
                Ranked(evaluate(pool, requirements[pool.cloud.name], overhead.get(pool.address, ())), provisioned=pool)
                for pool in self._pools.provisioned
            ),
        ]
        if self._pools.overridden or self._pools.unsure:
            found = [replace(pool_verdict, evaluated=self._if_sure(self._read_with_overrides(pool_verdict.evaluated))) for pool_verdict in found]
        if closed:
            found = [replace(one, evaluated=_also(one.evaluated, closed.get(one.evaluated.pool))) for one in found]
        if unlabeled and any(one.evaluated.verdict is not Verdict.CANNOT and one.evaluated.pool not in unlabeled for one in found):
            # otherwise all need the label
            found = [replace(one, evaluated=_also(one.evaluated, unlabeled.get(one.evaluated.pool))) for one in found]
        if not workload.is_daemon:  # one that collects logs or metrics belongs on every node
            found = [one if one.evaluated.verdict is Verdict.FITS else with_purpose(one, pod) for one in found]
        return ranked(pod, found)

    def _fix(self, workload: Workload, closed: Mapping[str, Reason], evaluated: PoolVerdict) -> Fix | None:
        """The changes after which the workload fits a pool; none where overrides or other pods decide, and none for a pool of the system."""
        if (
            evaluated.verdict is Verdict.FITS
            or evaluated.pool in closed
            or evaluated.purpose is Purpose.SYSTEM
            or evaluated.pool in self._pools.overridden
        ):
            return None
        overhead = () if workload.is_daemon else self.overhead.get(evaluated.pool, ())
        fix = find_fix(workload.pod, evaluated, lambda pod: next(self._of_pool(pod, evaluated.pool, overhead)))
        if fix is None or any(step.label in workload.imposed for step in fix.steps.values()):
            return None
        return _admissible(fix, dict(workload.overhead), dict(workload.floor))

    def _read_with_overrides(self, evaluated: PoolVerdict) -> PoolVerdict:
        fields = self._pools.overridden.get(evaluated.pool)
        if fields is None:
            return evaluated
        names = ", ".join(f"`{name}`" for name in fields)
        message = f"the pool has overrides that decide where pods run ({names}): they cannot be checked offline"
        overrides = Reason(Kind.UNSCHEDULABLE, message, verdict=Verdict.UNKNOWN)
        reasons = tuple(replace(reason, verdict=best([reason.verdict, Verdict.UNKNOWN])) for reason in evaluated.reasons)
        return replace(evaluated, verdict=Verdict.UNKNOWN, reasons=(*reasons, overrides))

    def _if_sure(self, evaluated: PoolVerdict) -> PoolVerdict:
        why = self._pools.unsure.get(evaluated.pool)
        if why is None or evaluated.verdict is Verdict.CANNOT:
            return evaluated
        return replace(evaluated, verdict=Verdict.UNKNOWN, reasons=(*evaluated.reasons, Reason(Kind.LIMIT, why, verdict=Verdict.UNKNOWN)))

    def _read(self, pod: Pod, cloud: Cloud) -> PodRequirements:
        key = (cloud.name, pod)
        if key not in self._requirements:
            self._requirements[key] = PodRequirements(pod, cloud)
        return self._requirements[key]

    def _of_daemons(self, address: str, daemons: Sequence[Workload]) -> Requests:
        """The requests on each node of a pool by the DaemonSets that run there."""
        total: dict[str, int] = {}
        for daemon in daemons:
            if any(evaluated.verdict is not Verdict.CANNOT for evaluated in self._of_pool(daemon.pod, address)):
                pod = daemon.pod if daemon.resized is None else daemon.resized.highest
                for name, amount in pod.requests:
                    total[name] = total.get(name, 0) + amount
        return tuple(sorted(total.items()))

    def _of_pool(self, pod: Pod, address: str, overhead: Requests = ()) -> Iterator[PoolVerdict]:
        """The verdict on a pod and the pool of an address."""
        yield from (pool.evaluate(pod, overhead) for pool in self._static.get(address, ()))
        yield from (evaluate(pool, self._read(pod, pool.cloud), overhead) for pool in self._provisioned.get(address, ()))


def with_devices(pools: ClusterPools, workloads: Sequence[Workload], objects: WorkloadObjects) -> ClusterPools:
    """The pools, with the devices that pods of these workloads get on each node that runs."""
    if objects.devices is None or not any(workload.devices for workload in workloads):
        return pools
    from nodepools.placement.devices import offering  # few pods claim devices

    return offering(pools, workloads, objects.devices)


def _admissible(fix: Fix, overhead: Mapping[str, int], floor: Mapping[str, int]) -> Fix | None:
    """The fix with requests as people write them; `None` if the API server rejects such a request, or nothing would be left of it."""
    steps = dict(fix.steps)
    for reason, step in fix.steps.items():
        if isinstance(step, LowerRequest):
            lowered = replace(step, overhead=overhead.get(step.resource, 0))
            if lowered.amount - lowered.overhead < max(floor.get(step.resource, 0), 1):
                return None
            steps[reason] = lowered
    return Fix(steps, fix.verdict)


def _also(evaluated: PoolVerdict, reason: Reason | None) -> PoolVerdict:
    if reason is None:
        return evaluated
    verdict = worst([*evaluated.reasons, reason])
    return replace(evaluated, verdict=verdict, reasons=(*evaluated.reasons, reason))


def _on_other_systems(pod: Pod, evaluated: Iterable[PoolVerdict]) -> Iterator[Hold]:
    """Pools to which a scheduler can bind the pods, and whose kubelets reject them: `spec.os` selects no nodes."""
    if others := rejecting(pod, evaluated):
        message = f"a scheduler can bind the pods to {quoted(others, _SHOWN)}, whose kubelets reject them: `spec.os` selects no nodes"
        yield Hold(message, f"Add `nodeSelector: {{kubernetes.io/os: {pod.system}}}`")


def _by_address(pools: Iterable[_PoolT]) -> dict[str, list[_PoolT]]:
    return grouped((pool.address, pool) for pool in pools)


def explain(workloads: Sequence[Workload], pools: Iterable[ClusterPools], objects: WorkloadObjects = NO_OBJECTS) -> list[Answer]:
    """Returns an answer for each workload and cluster. DaemonSets among the workloads use their share of every node that they run on."""
    names = Counter(name for name, _ in {(one.name, one.namespace) for one in workloads})
    workloads = [replace(one, has_namesake=True) if names[one.name] > 1 else one for one in workloads]
    each = [_explain_in(cluster, workloads, objects) for cluster in pools]
    return [answer for of_workload in zip(*each, strict=True) for answer in of_workload]


def _explain_in(cluster: ClusterPools, workloads: Sequence[Workload], objects: WorkloadObjects) -> list[Answer]:
    """The answers in one cluster, whose API server admits the pods."""
    stored = objects.with_classes(cluster.classes)
    workloads = [cluster.beside_fargate(_scaled(workload, objects)) for workload in workloads]
    workloads = admitted(workloads, objects, adds_node_selectors=cluster.adds_node_selectors, minor=cluster.minor)
    if any(workload.pod.devices for workload in workloads):
        from nodepools.placement.devices import claiming  # few pods claim devices

        workloads = claiming(workloads, cluster, objects)
    explainer = Explainer(cluster, workloads, objects)
    warnings = WorkloadWarnings(workloads, stored)
    answers = (_with_drivers(_resized(workload, explainer), cluster, objects) for workload in workloads)
    arm64 = [pool for pool in (*cluster.static, *cluster.provisioned) if may_have_arm64(pool)]
    windows = list(dict.fromkeys(pool.address for pool in cluster.static if pool.system == "windows"))
    told = (_with_warnings(_with_defaults(_with_scaler(answer, objects), objects), cluster, warnings, explainer.overhead) for answer in answers)
    return [_with_machines(answer, arm64, windows) if arm64 or windows else answer for answer in told]


def _with_machines(answer: Answer, arm64: Sequence[StaticPool | KarpenterPool], windows: Sequence[str]) -> Answer:
    fitting = {one.pool for one in answer.pools if one.verdict is Verdict.FITS}
    pod = answer.workload.pod
    of_system = system_warnings(pod, tuple(one for one in windows if one in fitting))
    of_images = () if answer.workload.is_daemon else architecture_warnings(pod, arm64, fitting)  # people know of nodes that run one of each
    return replace(answer, warnings=(*answer.warnings, *of_images, *of_system))


def changed_answer(answer: Answer, change: Change, cluster: ClusterPools, others: Sequence[Workload], objects: WorkloadObjects) -> Answer:
    """The answer after a change of the pods, next to those of `others`."""
    before = {*_on_other_systems(answer.workload.pod, answer.pools)}
    holds = tuple(hold for hold in answer.workload.holds if hold not in before)
    workload = replace(answer.workload, pod=change.apply(answer.workload.pod), holds=holds)
    return _with_drivers(_resized(workload, Explainer(cluster, [workload, *others], objects)), cluster, objects)


def _resized(workload: Workload, explainer: Explainer) -> Answer:
    """The answer; a verdict is certain only if it is the same for all requests that the pods can have."""
    answer, between = explainer.answer(workload), workload.resized
    if between is None:
        return answer
    each = [explainer.answer(replace(workload, pod=pod)).pools for pod in (workload.pod, between.lowest, between.highest)]
    same = set[tuple[str, Verdict]].intersection(*({(one.pool, one.verdict) for one in pools} for pools in each))
    reason = Reason(Kind.RESOURCES, between.message, verdict=Verdict.UNKNOWN)

    def doubted(one: PoolVerdict) -> PoolVerdict:
        if (one.pool, one.verdict) in same:
            return one
        return replace(one, verdict=Verdict.UNKNOWN, reasons=(*one.reasons, reason))

    return replace(answer, pools=tuple(sorted(map(doubted, answer.pools), key=lambda one: ORDER[one.verdict])))


def _with_drivers(answer: Answer, pools: ClusterPools, objects: WorkloadObjects) -> Answer:
    """Pools whose nodes have another driver for a volume of the pods do not fit for certain: it is not mounted, or not even created."""
    if not answer.workload.lifecycle.volumes:
        return answer
    lacking = {pool.address: objects.lacking(answer.workload, pool.cloud.volume_drivers) for pool in pools.provisioned}

    def doubted(one: PoolVerdict) -> PoolVerdict:
        if one.verdict is not Verdict.FITS or not lacking.get(one.pool):
            return one
        volume, driver = lacking[one.pool][-1]
        why = f"its nodes have no driver `{driver}`, which volume `{volume}` needs"
        return replace(one, verdict=Verdict.UNKNOWN, reasons=(*one.reasons, Reason(Kind.VOLUME, why, verdict=Verdict.UNKNOWN)))

    return replace(answer, pools=tuple(sorted(map(doubted, answer.pools), key=lambda one: ORDER[one.verdict])))


def _scaled(workload: Workload, objects: WorkloadObjects) -> Workload:
    """The workload with as many replicas as its autoscaler leaves it."""
    replicas = objects.scaled_replicas(workload)
    return workload if replicas == workload.replicas else replace(workload, replicas=replicas, declared=workload.replicas)


def _with_scaler(answer: Answer, objects: WorkloadObjects) -> Answer:
    workload = answer.workload
    if workload.declared is None:
        return answer
    by = objects.scaled.get((workload.namespace, workload.kind, workload.name))
    more, sets = f"has {by.least if by else 0:,} more of these pods", f"sets `replicas` to {workload.replicas:,} instead of {workload.declared:,}"
    kept = f"the cluster has {workload.replicas:,} of these pods: a workload without `replicas` keeps their number when it is applied"
    return replace(answer, notices=(*answer.notices, kept if by is None else f"{by.name} {more if by.adds else sets}"))


def _with_defaults(answer: Answer, objects: WorkloadObjects) -> Answer:
    """The answer with the requests that the pods have only because of LimitRanges."""
    workload = answer.workload
    ranges = [found.name for found in objects.limit_ranges if found.namespace == workload.namespace]
    is_resized = (workload.namespace, workload.kind, workload.name) in objects.resized
    if not ranges or workload.template is None or workload.exists or is_resized:
        return answer
    spec: Mapping[str, object] = {**mapping(workload.template, "spec"), "overhead": None}
    declared, overhead = dict(pod_requests(spec)), dict(workload.overhead)
    own = ((name, amount - overhead.get(name, 0)) for name, amount in workload.pod.requests)
    more = [f"{spelled(name, amount)} {name}" for name, amount in own if declared.get(name, 0) != amount]
    told = f"{'LimitRanges' if len(ranges) > 1 else 'LimitRange'} {as_code(ranges)}: the pods request {', '.join(more)}, which they do not declare"
    return replace(answer, notices=(*answer.notices, told)) if more else answer


def reported(answer: Answer, pools: ClusterPools) -> Answer:
    """The answer with what kube-scheduler reported of the pod."""
    return replace(answer, notices=(*answer.notices, _report(answer, pools))) if answer.workload.unschedulable else answer


def _report(answer: Answer, pools: ClusterPools) -> str:
    """What kube-scheduler reported of a pod. It knows only the nodes that exist."""
    text = f"kube-scheduler reported in the pod's status: {answer.workload.unschedulable}"
    launching = next((pool.address for pool in pools.provisioned if pool.address == answer.pool), "")
    return f"{text} (this is about the nodes that exist: Karpenter can launch one of `{launching}`)" if launching else text


def _with_warnings(answer: Answer, pools: ClusterPools, warnings: WorkloadWarnings, daemons: Mapping[str, Requests]) -> Answer:
    answer = reported(answer, pools)
    if not (answer.workload.is_daemon or warnings.concern(answer.workload) or any(pool.expires_anyway for pool in pools.provisioned)):
        return answer
    provisioned = [pool for pool in pools.provisioned if pool.address in answer.possible]
    static = [pool for pool in pools.static if pool.address in answer.possible]
    shares = warnings.of_daemons([*static, *provisioned], daemons) if answer.workload.is_daemon else ()
    return replace(answer, warnings=(*warnings.of(answer.workload, provisioned, static), *shares))
