"""Evaluates a pod for a NodePool as Karpenter does: would it launch a node for this pod, and would the pod be scheduled on it.

A pod for which Karpenter launches no node may still fit a node that is already running: that is `unknown`. Only a pod that no node of the pool
can run gets `cannot`. Facts: docs/facts/eks.md § 4.3 to § 4.7; checked against Karpenter's own library by tests/oracle/placement.
"""

from collections.abc import Iterator
from typing import Final

from nodepools.model.kubernetes.label import Values, region_of_zone
from nodepools.model.kubernetes.pod import Expression, Pod, Requests
from nodepools.placement.cloud_labels import REGION, ZONE, LabelValues
from nodepools.placement.machine_filter import INCOMPATIBLE, MachineFilter, incompatible, unknown_value, unset
from nodepools.placement.node_pools import KarpenterPool, OfLabels
from nodepools.placement.static_pools import nearest, other_os, soft_taints, unmet_preference, untolerated
from nodepools.placement.suggestions import label, suggest_value
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, best, worst
from nodepools.placement.workloads.pod_changes import NO_PREFERENCES
from nodepools.placement.workloads.pod_requirements import PodRequirements, RequirementSet, SchedulingAttempt

_LAST_TERM_ONLY = Reason(
    Kind.PREFERENCE,
    "Karpenter launches no node for the pod here: before it drops a preference, it drops all required terms but the last",
    NO_PREFERENCES,
    Verdict.UNKNOWN,
)


def evaluate(pool: KarpenterPool, requirements: PodRequirements, overhead: Requests = ()) -> PoolVerdict:
    """Returns the verdict on a pod; `overhead` is what the DaemonSets on each node request."""
    found = _evaluate(pool, requirements, overhead)
    if found.verdict is not Verdict.CANNOT or not pool.hides_nodes:
        return found
    most = _evaluate(pool.emptied, requirements, overhead)
    if most.verdict is Verdict.CANNOT:
        return most
    message = f"its nodes use its limits ({pool.limits_text}), and whether they have room is not known: they were not read"
    return PoolVerdict(pool.address, Verdict.UNKNOWN, (Reason(Kind.LIMIT, message, verdict=Verdict.UNKNOWN), *most.reasons), ())


def _evaluate(pool: KarpenterPool, requirements: PodRequirements, overhead: Requests) -> PoolVerdict:
    pod = requirements.pod
    of_pool = [
        *untolerated(pool.taints, pod),
        *_limits(pool),
        *other_os(pod, pool.system),
        *([Reason(Kind.RESOURCES, f"the pod has resource claims: {pool.cloud.claims}")] if pod.devices and pool.cloud.claims else ()),
    ]
    outcomes = _RequirementCache(pool, pod, overhead)
    strict = [*of_pool, *nearest([outcomes.of(required)[0] for required in requirements.alternatives])]
    launches = pool.pool.replicas is None and not requirements.ignored
    if worst(strict) is Verdict.CANNOT:
        relaxed = _first_accepted_attempt(pool, requirements, outcomes) if requirements.relaxed and launches and not of_pool else None
        also = requirements.ignored if pool.pool.replicas is None else ()
        return relaxed if relaxed is not None else PoolVerdict(pool.address, Verdict.CANNOT, (*strict, *also), ())
    if pool.pool.replicas is not None:
        return _static(pool, requirements, strict, outcomes)
    if requirements.ignored:
        return PoolVerdict(pool.address, Verdict.UNKNOWN, (*requirements.ignored, *strict), ())
    attempted = _first_accepted_attempt(pool, requirements, outcomes)
    return attempted if attempted is not None else PoolVerdict(pool.address, Verdict.UNKNOWN, (*strict, _LAST_TERM_ONLY), ())


def _first_accepted_attempt(pool: KarpenterPool, requirements: PodRequirements, outcomes: "_RequirementCache") -> PoolVerdict | None:
    """The first attempt at which Karpenter launches a node, otherwise the first at which it may; `None` if it never does."""
    found: tuple[Verdict, int, list[Reason], int] = (Verdict.CANNOT, 0, [], 0)
    for number, attempt in enumerate(requirements.attempts):
        reasons, types = _simulate_attempt(pool, requirements, attempt, outcomes)
        verdict = worst(reasons)
        if verdict is not found[0] and best([verdict, found[0]]) is verdict:
            found = verdict, number, reasons, types
        if verdict is Verdict.FITS:
            break
    verdict, number, reasons, types = found
    if verdict is Verdict.CANNOT:
        return None
    reported = (*reasons, *_unmet(pool, requirements, requirements.attempts[number]))
    return PoolVerdict(pool.address, verdict, reported, pool.cloud.index.names(types), number)


def _simulate_attempt(
    pool: KarpenterPool, requirements: PodRequirements, attempt: SchedulingAttempt, outcomes: "_RequirementCache"
) -> tuple[list[Reason], int]:
    """Why an attempt fails, or may fail, and the instance types that are left."""
    if not attempt.soft:
        for taint in pool.taints:
            if not taint.is_hard and not requirements.pod.tolerates(taint):
                return [Reason(Kind.TAINT, f"pod did not tolerate taint `{taint}`")], 0
    return outcomes.of(attempt.combined)


class _RequirementCache:
    """The outcome of each requirement set for one pod in one pool, computed once."""

    def __init__(self, pool: KarpenterPool, pod: Pod, overhead: Requests) -> None:
        self._pool: Final = pool
        self._pod: Final = pod
        self._overhead: Final = overhead
        self._known: Final[dict[RequirementSet, tuple[list[Reason], int]]] = {}

    def of(self, required: RequirementSet) -> tuple[list[Reason], int]:
        """Why the requirements are not satisfied, or may not be, and the instance types that satisfy them."""
        found = self._known.get(required)
        if found is None:
            found = self._known[required] = _outcome(self._pool, self._pod, required, self._overhead)
        return found

    def every_node_fits(self, required: RequirementSet) -> bool:
        """The pod fits every node that a static NodePool can have."""
        if MachineFilter(self._pool, self._pod, required, self._overhead).left.certain != self._pool.types.possible:
            return False
        return all(_covered(self._pool, required, key) for key in required.values if not self._pool.cloud.index.decides(key))


def _outcome(pool: KarpenterPool, pod: Pod, required: RequirementSet, overhead: Requests) -> tuple[list[Reason], int]:
    """All reasons, also those of instance types where labels exclude the pod already: people change a pod once."""
    known = pool.known.get(required)
    if known is None:
        known = pool.known[required] = _by_labels(pool, required)
    machines = MachineFilter(pool, pod, known.rest, overhead)
    possible = 0 if worst(known.reasons) is Verdict.CANNOT else machines.left.possible
    return [*known.reasons, *machines.reasons()], possible


def _by_labels(pool: KarpenterPool, required: RequirementSet) -> OfLabels:
    """Why the requirements are not satisfied, whatever the instance type."""
    conflicts = {key: reason for key, reason in _conflicts(pool, required) if key not in required.contradictory}
    excluded = {key for key, reason in conflicts.items() if reason.verdict is Verdict.CANNOT} | required.contradictory
    rest = required.without(excluded)
    return OfLabels((*required.flaws, *conflicts.values(), *_of_cluster(pool, rest)), rest)


def _conflicts(pool: KarpenterPool, required: RequirementSet) -> Iterator[tuple[str, Reason]]:
    for key, values in required.values.items():
        offered = pool.offered.get(key)
        if offered is not None:
            exists = key in required.present and values.permits_absence  # Karpenter forgets `Exists` next to `NotIn`, kube-scheduler does not
            if not offered.overlaps(values) and (exists or not (offered.permits_absence and values.permits_absence)):
                yield key, incompatible(pool, Expression(key, "Exists") if exists else required.expression(key), offered)
        elif key not in pool.cloud.well_known and not values.permits_absence:
            yield key, unset(pool, required.expression(key))


def _of_cluster(pool: KarpenterPool, required: RequirementSet) -> Iterator[Reason]:
    """Zone, region and capacity type: the pod's requirements and the pool's together."""
    for key, choices in pool.choices.items():
        offered, values = pool.offered.get(key), required.values.get(key)
        if offered is None and values is None:
            continue
        verdict = choices.verdict((offered if offered is not None else Values()) & (values if values is not None else Values()))
        if values is None and verdict is Verdict.CANNOT:
            yield Reason(Kind.REQUIREMENT, f"NodePool requires a value of `{key}` that does not exist in the cluster: it launches no node")
        elif values is None and verdict is Verdict.UNKNOWN and choices.unknown_reason:
            yield Reason(Kind.REQUIREMENT, choices.unknown_reason, verdict=Verdict.UNKNOWN)
        elif values is not None and verdict is Verdict.UNKNOWN:
            yield unknown_value(required.expression(key), Kind.REQUIREMENT)
        elif values is not None and verdict is Verdict.CANNOT:
            expression = required.expression(key)
            message = f"{INCOMPATIBLE}: pod requires `{expression}`, {_available(choices, key)}"
            fix = suggest_value(expression, sorted(choices.certain)) if choices.certain else None
            yield Reason(Kind.REQUIREMENT, message, fix, subject=label(expression))
    zones, regions = (pool.offered.get(key, Values()) & required.values.get(key, Values()) for key in (ZONE, REGION))
    if zones.members and not zones.complement and not pool.cloud.unknown and not regions.absent:
        named = [region_of_zone(zone) for zone in zones.members]
        if all(region and region not in regions for region in named):
            yield Reason(Kind.REQUIREMENT, f"no required zone is in a required region ({', '.join(sorted(zones.members))}): no such node is launched")


def _available(choices: LabelValues, key: str) -> str:
    if choices.certain:
        return f"the cluster has {', '.join(f'`{value}`' for value in sorted(choices.certain))}"
    return f"the cluster has no such value of `{key}`"


def _limits(pool: KarpenterPool) -> Iterator[Reason]:
    if pool.limits.get("nodes") == 0:
        whole = "as many nodes run as `limits.nodes` allows" if pool.used.get("nodes") else "`limits.nodes` is 0"
        yield Reason(Kind.LIMIT, f"{whole}: the NodePool launches no node")
    elif pool.pool.replicas == 0:
        yield Reason(Kind.LIMIT, "`replicas` is 0: the static NodePool has no nodes")
    for key in pool.excluded_labels:
        yield Reason(Kind.REQUIREMENT, f"NodePool excludes the value of `{key}` that its node class and its cluster decide: it launches no node")
    if pool.flaw and not pool.hides_nodes:
        yield Reason(Kind.REQUIREMENT, pool.flaw)
    roomiest, pods = pool.cloud.index.most("pods", pool.types.possible)
    if roomiest and not pods:  # a machine is known, and has no room
        yield Reason(Kind.LIMIT, "its nodes have no room for a pod (`maxPods` of their node class is 0)")


def _unmet(pool: KarpenterPool, requirements: PodRequirements, attempt: SchedulingAttempt) -> Iterator[Reason]:
    """The preferences that are not met at this attempt."""
    if attempt.soft:
        yield from soft_taints(pool.taints, requirements.pod)
    yield from map(unmet_preference, requirements.preferences[: attempt.dropped])


def _static(pool: KarpenterPool, requirements: PodRequirements, strict: list[Reason], outcomes: _RequirementCache) -> PoolVerdict:
    """The nodes of a static NodePool do not depend on pods; Karpenter chose their types and labels. The pod must fit each of them."""
    fits = any(not outcomes.of(required)[0] and outcomes.every_node_fits(required) for required in requirements.alternatives)
    types = pool.cloud.index.names(pool.types.possible)
    if fits and not strict:
        return PoolVerdict(pool.address, Verdict.FITS, (), types)
    message = "the NodePool is static: the instance types and labels of its nodes cannot be determined offline"
    return PoolVerdict(pool.address, Verdict.UNKNOWN, (*strict, Reason(Kind.INSTANCE, message, verdict=Verdict.UNKNOWN)), types)


def _covered(pool: KarpenterPool, required: RequirementSet, key: str) -> bool:
    offered, values = pool.offered.get(key), required.values[key]
    if key in pool.choices:
        choices = pool.choices[key]
        if choices.may_include is not None:
            return False
        return all(value in values for value in choices.certain | choices.possible if offered is None or value in offered)
    if offered is None or offered.absent:
        return key not in required.present
    return not offered.complement and all(value in values for value in offered.members)
