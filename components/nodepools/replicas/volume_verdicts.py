"""The verdicts on pools with the places of the pods' volumes: a pod does not fit a pool whose nodes cannot mount them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from nodepools.model.kubernetes.pod import Pod, Toleration
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.explain import Answer, Explainer, reported
from nodepools.placement.fixes import Fix
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.demand import wanted
from nodepools.replicas.storage import Storage, Where
from nodepools.replicas.volumes import anywhere

UNDEMANDING: Final = Pod(tolerations=(Toleration(operator="Exists"),))
"""A pod that fits every node."""
_OF_KARPENTER: Final = "incompatible volume requirements"


@dataclass(frozen=True)
class VolumeVerdicts:
    """What the volumes of all workloads of the input exclude in one cluster."""

    pools: ClusterPools
    workloads: Sequence[Workload]
    objects: WorkloadObjects

    def of(self, answer: Answer) -> Answer:
        """The answer, where pools that none of the pods can use because of its volumes are `cannot`."""
        workload = answer.workload
        where = Where() if workload.is_daemon else anywhere(workload, wanted(workload), self._storage)
        if where.terms is None:
            return answer
        before = {evaluated.pool: evaluated for evaluated in answer.pools}
        pinned = self._explainer.answer(replace(workload, pod=where.pinned(workload.pod)))
        excluded = before.keys() & {pool for pod in (workload.pod, UNDEMANDING) for pool in self._excluded_from(workload, pod, where)}
        if not excluded:
            return answer
        kept = [before[one.pool] for one in pinned.pools if one.pool in before]
        pools = tuple(self._with_volume(one, where) if one.pool in excluded else one for one in kept)

        def fix(evaluated: PoolVerdict) -> Fix | None:
            return None if evaluated.pool in excluded else answer.fix(evaluated)

        return reported(replace(answer, pools=pools, ranks={**answer.ranks, **pinned.ranks}, notices=pinned.notices, fix=fix), self.pools)

    def _excluded_from(self, workload: Workload, pod: Pod, where: Where) -> set[str]:
        """The pools that such a pod can only use without the volumes."""
        without, with_them = (self._explainer.answer(replace(workload, pod=one)).pools for one in (pod, where.pinned(pod)))
        possible = {one.pool for one in without if one.verdict is not Verdict.CANNOT}
        return {one.pool for one in with_them if one.pool in possible and one.verdict is Verdict.CANNOT}

    def _with_volume(self, evaluated: PoolVerdict, where: Where) -> PoolVerdict:
        launched = any(pool.address == evaluated.pool for pool in self.pools.provisioned)
        reason = Reason(Kind.VOLUME, f"{_OF_KARPENTER if launched else where.conflict}: {where.why}")
        others = evaluated.reasons if evaluated.verdict is Verdict.CANNOT else ()
        return PoolVerdict(evaluated.pool, Verdict.CANNOT, (*others, reason))

    @cached_property
    def _storage(self) -> Storage:
        return Storage(self.objects, self.pools.classes, self.workloads)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.pools, [workload for workload in self.workloads if workload.is_daemon])
