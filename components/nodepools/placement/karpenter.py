"""A NodePool, judged as Karpenter does: would it start a node for this pod, and would the pod land on it.

What Karpenter never starts a node for may still land on one that runs already: that is `unknown`, and only what no node of the pool can host is
`cannot`. Facts: docs/facts/eks.md § 4.3 to § 4.7; checked against Karpenter's own library by tests/oracle/placement.
"""

from collections.abc import Iterator
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.requests import Requests
from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.cluster_labels import LabelValues
from nodepools.placement.label_reasons import against, unset
from nodepools.placement.machine_filter import MachineFilter
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.pod_requirements import PodRequirements, RequirementSet, SchedulingAttempt
from nodepools.placement.static_pools import nearest, of_system, spell, untolerated
from nodepools.placement.suggestions import suggest_value
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, best, worst

_NEVER = Reason(
    Kind.PREFERENCE,
    "Karpenter starts no node for it here: of several required terms it drops all but the last before it drops a preference",
    "put the term that this pool meets last, or drop the preference",
    Verdict.UNKNOWN,
)


def judge(place: KarpenterPool, asked: PodRequirements, overhead: Requests = ()) -> PoolVerdict:
    """Whether a node of the pool can host the pod, beside daemons that ask for `overhead`."""
    whole = [*untolerated(place.taints, asked.pod), *_limits(place), *of_system(asked.pod, "linux")]
    outcomes = _Outcomes(place, asked.pod, overhead)
    strict = [*whole, *nearest([outcomes.of(way)[0] for way in asked.ways])]
    starts = place.pool.replicas is None and not asked.passed_over
    if worst(strict) is Verdict.CANNOT:
        loosened = _attempted(place, asked, outcomes) if asked.loosened and starts and not whole else None
        return loosened if loosened is not None else PoolVerdict(place.address, Verdict.CANNOT, tuple(strict), ())
    if place.pool.replicas is not None:
        return _static(place, asked, strict, outcomes)
    if asked.passed_over:
        return PoolVerdict(place.address, Verdict.UNKNOWN, (*asked.passed_over, *strict), ())
    attempted = _attempted(place, asked, outcomes)
    return attempted if attempted is not None else PoolVerdict(place.address, Verdict.UNKNOWN, (*strict, _NEVER), ())


def _attempted(place: KarpenterPool, asked: PodRequirements, outcomes: "_Outcomes") -> PoolVerdict | None:
    """The first attempt at which Karpenter starts a node for the pod, or the first of those at which it may; `None`: it never does."""
    found: tuple[Verdict, int, list[Reason], int] = (Verdict.CANNOT, 0, [], 0)
    for number, attempt in enumerate(asked.attempts):
        reasons, types = _try(place, asked, attempt, outcomes)
        verdict = worst(reasons)
        if verdict is not found[0] and best([verdict, found[0]]) is verdict:
            found = verdict, number, reasons, types
        if verdict is Verdict.FITS:
            break
    verdict, number, reasons, types = found
    if verdict is Verdict.CANNOT:
        return None
    told = (*reasons, *_unmet(place, asked, asked.attempts[number]))
    return PoolVerdict(place.address, verdict, told, place.cloud.index.names(types), number)


def _try(place: KarpenterPool, asked: PodRequirements, attempt: SchedulingAttempt, outcomes: "_Outcomes") -> tuple[list[Reason], int]:
    """Why one attempt fails, or not for certain, and the types that are left."""
    if not attempt.soft:
        for taint in place.taints:
            if not taint.is_hard and not asked.pod.tolerates(taint):
                return [Reason(Kind.TAINT, f"not tolerated: {taint}")], 0
    return outcomes.of(attempt.way)


class _Outcomes:
    """How ways end for one pod in one pool, each worked out once."""

    def __init__(self, place: KarpenterPool, pod: Pod, overhead: Requests) -> None:
        self._place: Final = place
        self._pod: Final = pod
        self._overhead: Final = overhead
        self._known: Final[dict[RequirementSet, tuple[list[Reason], int]]] = {}

    def of(self, way: RequirementSet) -> tuple[list[Reason], int]:
        """Why a way cannot be met, or not for certain, and the types that can meet it."""
        found = self._known.get(way)
        if found is None:
            found = self._known[way] = _outcome(self._place, self._pod, way, self._overhead)
        return found

    def all_do(self, way: RequirementSet) -> bool:
        """Whatever nodes a static pool was given, the pod can run on them."""
        if MachineFilter(self._place, self._pod, way, self._overhead).left.surely != self._place.types.possibly:
            return False
        return all(_covered(self._place, way, key) for key in way.wanted if not self._place.cloud.index.decides(key))


def _outcome(place: KarpenterPool, pod: Pod, way: RequirementSet, overhead: Requests) -> tuple[list[Reason], int]:
    """Why a way cannot be met, or not for certain, and the types that can meet it."""
    known = place.known.get(way)
    if known is None:
        known = place.known[way] = _by_labels(place, way)
    if worst(known) is Verdict.CANNOT:
        return [reason for reason in known if reason.says is Verdict.CANNOT], 0
    machines = MachineFilter(place, pod, way, overhead)
    return [*known, *machines.reasons()], machines.left.possibly


def _by_labels(place: KarpenterPool, way: RequirementSet) -> tuple[Reason, ...]:
    """What keeps a way from being met, whatever the types."""
    return way.flaws if way.flaws else (*_conflicts(place, way), *_places(place, way))


def _conflicts(place: KarpenterPool, way: RequirementSet) -> Iterator[Reason]:
    for key, want in way.wanted.items():
        offer = place.offered.get(key)
        if offer is not None:
            if not offer.overlaps(want) and not (offer.permits_absence and want.permits_absence):
                yield against(place, way.said(key), offer)
        elif key not in place.cloud.well_known and not want.permits_absence:
            yield unset(place, way.said(key))


def _places(place: KarpenterPool, way: RequirementSet) -> Iterator[Reason]:
    """Zone, region and capacity type: what the pod asks of them, and the pool."""
    for key, choices in place.choices.items():
        offer, want = place.offered.get(key), way.wanted.get(key)
        if offer is None and want is None:
            continue
        verdict = choices.verdict((offer if offer is not None else Values()) & (want if want is not None else Values()))
        if want is None and verdict is Verdict.CANNOT:
            yield Reason(Kind.REQUIREMENT, f"its own requirement of {key} is met nowhere in the cluster")
        elif want is None and verdict is Verdict.UNKNOWN and choices.doubt:
            yield Reason(Kind.REQUIREMENT, choices.doubt, says=Verdict.UNKNOWN)
        elif want is not None and verdict is not Verdict.FITS:
            wanted = way.said(key)
            change = suggest_value(wanted, sorted(choices.surely)) if choices.surely and verdict is Verdict.CANNOT else ""
            yield Reason(Kind.REQUIREMENT, f"{wanted}: {_there(choices, verdict)}", change, verdict)


def _there(choices: LabelValues, verdict: Verdict) -> str:
    if choices.surely:
        return f"there is {', '.join(sorted(choices.surely))}"
    return "none of its nodes is ever there" if verdict is Verdict.CANNOT else "what its nodes have there is not known offline"


def _limits(place: KarpenterPool) -> Iterator[Reason]:
    if place.limits.get("nodes") == 0:
        yield Reason(Kind.LIMIT, "may have no nodes: limits.nodes is 0")
    elif place.pool.replicas == 0:
        yield Reason(Kind.LIMIT, "is static, with no nodes: replicas is 0")


def _unmet(place: KarpenterPool, asked: PodRequirements, attempt: SchedulingAttempt) -> Iterator[Reason]:
    """What is preferred and not given at this attempt."""
    if attempt.soft:
        for taint in place.taints:
            if not taint.is_hard and not asked.pod.tolerates(taint):
                yield Reason(Kind.PREFERENCE, f"would rather not: {taint}", f"add toleration {taint}", Verdict.FITS)
    for term in asked.preferences[: attempt.dropped]:
        yield Reason(Kind.PREFERENCE, f"not what it prefers: {spell(term)}", says=Verdict.FITS)


def _static(place: KarpenterPool, asked: PodRequirements, strict: list[Reason], outcomes: _Outcomes) -> PoolVerdict:
    """A static pool has its nodes whatever pods ask for, each of a type and with labels that Karpenter chose: all must do."""
    sure = any(not outcomes.of(way)[0] and outcomes.all_do(way) for way in asked.ways)
    if sure and not strict:
        return PoolVerdict(place.address, Verdict.FITS, (), place.cloud.index.names(place.types.possibly))
    chosen = Reason(Kind.INSTANCE, "is static: which types and labels its nodes were given is not known offline", says=Verdict.UNKNOWN)
    return PoolVerdict(place.address, Verdict.UNKNOWN, (*strict, chosen), place.cloud.index.names(place.types.possibly))


def _covered(place: KarpenterPool, way: RequirementSet, key: str) -> bool:
    offer, want = place.offered.get(key), way.wanted[key]
    if key in place.choices:
        choices = place.choices[key]
        if choices.possibly is not None:
            return False
        return all(value in want for value in choices.surely | choices.perhaps if offer is None or value in offer)
    if offer is None or offer.absent:
        return key not in way.present
    return not offer.complement and all(value in want for value in offer.members)
