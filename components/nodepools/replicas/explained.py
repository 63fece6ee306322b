"""Explains workloads and counts their replicas."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from nodepools.model.values import dataclass, field, replace
from nodepools.placement.explain import Answer, changed_answer, explain
from nodepools.placement.fixes import Fix
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.objects import NO_OBJECTS, WorkloadObjects
from nodepools.placement.workloads.pod_changes import Change
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import Count
from nodepools.replicas.counting import counted
from nodepools.replicas.storage import Where
from nodepools.replicas.volumes import VolumeVerdicts

if TYPE_CHECKING:
    from nodepools.replicas.shortages import Shortage


@dataclass(frozen=True, slots=True)
class Explained:
    """One workload in one cluster: the verdict on each pool, and the number of replicas over all pools together."""

    answer: Answer
    count: Count
    only: str | None = None
    """The only pool that is shown. It changes neither the answer nor a number."""
    shortage: "Shortage | None" = None
    """Why this workload and others cannot all be scheduled; which of their pods are is not certain."""
    before: "Explained | None" = None
    """The same before a loss of capacity; `None`: nothing is lost."""
    outside: str = ""
    """Where a pool must be that helps after the loss, such as `outside of zone 1`."""
    requires: str = ""
    """What of the lost capacity the pods require, such as `zone 1`."""
    unplaced: Callable[[], Where] = field(default=Where, compare=False, repr=False)
    """`unknown` if its disks can be in a zone that the input does not determine."""
    after: Callable[[Change], Count] | None = field(default=None, compare=False, repr=False)
    """Counts the replicas after a change of the pods."""

    @property
    def shown(self) -> tuple[PoolVerdict, ...]:
        """The pools that are shown."""
        return tuple(evaluated for evaluated in self.answer.pools if self.only in (None, evaluated.pool))

    def to_json(self) -> dict[str, object]:
        """As printed by `explain --format json`. The verdict is that on all replicas."""
        return {**self.answer.to_json(self.shown), **self.count.to_json()}


def explain_replicas(workloads: Sequence[Workload], pools: Iterable[ClusterPools], objects: WorkloadObjects = NO_OBJECTS) -> list[Explained]:
    """A result for each workload and cluster. The workloads are placed together."""
    clusters = list(pools)
    return with_counts(explain(workloads, clusters, objects), clusters, objects)


def with_counts(answers: Sequence[Answer], pools: Sequence[ClusterPools], objects: WorkloadObjects = NO_OBJECTS) -> list[Explained]:
    """The answers with their counts, over the pools that the answers contain; `objects` are those next to the workloads."""
    verdicts = {
        cluster.cluster: VolumeVerdicts(cluster, [answer.workload for answer in answers if answer.cluster == cluster.cluster], objects)
        for cluster in pools
    }
    counts = counted(answers, pools, objects)
    own = {cluster.cluster: cluster for cluster in pools}

    def after(answer: Answer, change: Change) -> Count:
        same = [one for one in answers if one.cluster == answer.cluster and one is not answer]
        changed = changed_answer(answer, change, own[answer.cluster], [one.workload for one in same], objects)
        return counted([changed], [own[answer.cluster]], objects, beside=same)[0]

    def unplaced(answer: Answer) -> Where:
        return verdicts[answer.cluster].storage.unplaced(answer.workload)

    return [
        Explained(marked(verdicts[one.cluster].of(one), count), count, after=partial(after, one), unplaced=partial(unplaced, one))
        for one, count in zip(answers, counts, strict=True)
    ]


def marked(answer: Answer, count: Count) -> Answer:
    """The answer with verdicts that the count allows: no pool fits if no pod is certain to be scheduled, and all are `cannot` if none can be."""
    running = answer.workload.running
    if count.wanted <= running or count.scheduled.minimum > running:
        return answer
    verdict = Verdict.CANNOT if count.scheduled.maximum == running else Verdict.UNKNOWN
    decisive = count.decisive
    reason = Reason(Kind.LIMIT, decisive.message if decisive is not None else "no pod is certain to be scheduled", verdict=verdict)
    changed = {evaluated.pool for evaluated in answer.pools if evaluated.verdict not in (Verdict.CANNOT, verdict)}
    changed &= changed if count.doubtful is None else count.doubtful

    def fix(evaluated: PoolVerdict) -> Fix | None:
        return None if evaluated.pool in changed else answer.fix(evaluated)

    def of_pool(evaluated: PoolVerdict) -> PoolVerdict:
        return replace(evaluated, verdict=verdict, reasons=(*evaluated.reasons, reason)) if evaluated.pool in changed else evaluated

    return replace(answer, pools=tuple(map(of_pool, answer.pools)), fix=fix) if changed else answer
