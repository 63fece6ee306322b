"""Pods x pools: which pool is taken first and why, and why not the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.requests import Requests
from nodepools.placement.cloud_labels import Cloud
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.karpenter import judge
from nodepools.placement.pod_requirements import PodRequirements
from nodepools.placement.ranking import Rank, Ranked, ranked
from nodepools.placement.result_notes import of_many, of_pod, of_pool
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict, best
from nodepools.placement.workload import Workload


@dataclass(frozen=True)
class Answer:
    """What is said of one workload in one cluster."""

    workload: Workload
    cluster: str | None
    pools: tuple[PoolVerdict, ...]
    """Those that fit in the order in which they are taken, then those that cannot, the nearest miss first, then the unknown."""
    ranks: Mapping[str, Rank] = field(default_factory=dict[str, Rank])
    remarks: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """That of the best pool."""
        return best(one.verdict for one in self.pools)

    @property
    def pool(self) -> str | None:
        """The one that is taken first; a DaemonSet takes all that fit."""
        return next((one.pool for one in self.pools if one.verdict is Verdict.FITS), None)

    def to_json(self) -> dict[str, object]:
        """As in the answer of `explain --format json`."""
        one = self.workload
        named: dict[str, object] = {"name": one.name, "namespace": one.namespace, "kind": one.kind, "cluster": self.cluster}
        said: dict[str, object] = {"verdict": self.verdict.value, "pool": self.pool}
        if one.is_daemon:
            said["unreached"] = [judged.pool for judged in self.pools if judged.verdict is not Verdict.FITS]
        return {**named, **said, "pools": [judged.to_json() for judged in self.pools], "remarks": list(self.remarks)}


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is said of pods of one shape, whatever they are called."""

    judged: tuple[PoolVerdict, ...]
    ranks: Mapping[str, Rank]
    remarks: dict[int | None, tuple[str, ...]] = field(default_factory=dict[int | None, tuple[str, ...]])
    """By the number of replicas."""


class Explainer:
    """Answers about one cluster's pools. Equal shapes of pods are judged once."""

    def __init__(self, pools: Pools, daemons: Iterable[Workload] = ()) -> None:
        self._pools: Final = pools
        self._asked: Final[dict[tuple[str, Pod], PodRequirements]] = {}
        self._clouds: Final = tuple({place.cloud.name: place.cloud for place in pools.provisioned}.values())
        self._known: Final[dict[tuple[Pod, bool], _Shape]] = {}
        self._overhead: Final = {address: self._of_daemons(address, list(daemons)) for address in self._addresses()}

    def answer(self, workload: Workload) -> Answer:
        """What is said of a workload."""
        key = workload.pod, workload.is_daemon
        shape = self._known.get(key)
        if shape is None:
            shape = self._known[key] = _Shape(*self._judged(workload))
        if workload.replicas not in shape.remarks:
            shape.remarks[workload.replicas] = tuple(self._remarks(workload, shape.judged))
        return Answer(workload, self._pools.cluster, shape.judged, shape.ranks, shape.remarks[workload.replicas])

    def _remarks(self, workload: Workload, judged: Sequence[PoolVerdict]) -> Iterator[str]:
        yield from of_pod(workload.pod)
        taken = next((one for one in judged if one.verdict is Verdict.FITS), None)
        if taken is not None and not workload.is_daemon:
            yield from of_pool(self._pools, taken.pool, workload.pod)
            yield from of_many(self._pools, taken.pool, workload, self._overhead.get(taken.pool, ()))

    def _judged(self, workload: Workload) -> tuple[tuple[PoolVerdict, ...], Mapping[str, Rank]]:
        pod, beside = workload.pod, {} if workload.is_daemon else self._overhead
        static = [Ranked(nodes.judge(pod, beside.get(nodes.address, ())), nodes=nodes) for nodes in self._pools.static]
        asked = {cloud.name: self._read(pod, cloud) for cloud in self._clouds}
        places = [Ranked(judge(place, asked[place.cloud.name], beside.get(place.address, ())), place=place) for place in self._pools.provisioned]
        found = [*static, *places]
        if self._pools.overridden:
            found = [replace(one, judged=self._read_with_overrides(one.judged)) for one in found]
        return ranked(pod, found)

    def _read_with_overrides(self, judged: PoolVerdict) -> PoolVerdict:
        fields = self._pools.overridden.get(judged.pool)
        if fields is None:
            return judged
        laid = Reason(Kind.UNSCHEDULABLE, f"overrides are laid over it, which are not read here: {', '.join(fields)}", says=Verdict.UNKNOWN)
        reasons = tuple(replace(reason, says=best([reason.says, Verdict.UNKNOWN])) for reason in judged.reasons)
        return replace(judged, verdict=Verdict.UNKNOWN, reasons=(*reasons, laid))

    def _read(self, pod: Pod, cloud: Cloud) -> PodRequirements:
        key = (cloud.name, pod)
        if key not in self._asked:
            self._asked[key] = PodRequirements(pod, cloud)
        return self._asked[key]

    def _addresses(self) -> list[str]:
        return [*(nodes.address for nodes in self._pools.static), *(place.address for place in self._pools.provisioned)]

    def _of_daemons(self, address: str, daemons: Sequence[Workload]) -> Requests:
        """What the daemons that reach a pool ask of each of its nodes."""
        total: dict[str, int] = {}
        for daemon in daemons:
            if self._reaches(daemon.pod, address):
                for name, amount in daemon.pod.requests:
                    total[name] = total.get(name, 0) + amount
        return tuple(sorted(total.items()))

    def _reaches(self, pod: Pod, address: str) -> bool:
        static = [nodes.judge(pod) for nodes in self._pools.static if nodes.address == address]
        places = [judge(place, self._read(pod, place.cloud)) for place in self._pools.provisioned if place.address == address]
        return any(one.verdict is not Verdict.CANNOT for one in (*static, *places))


def explain(workloads: Sequence[Workload], pools: Iterable[Pools]) -> list[Answer]:
    """An answer for each workload and cluster. DaemonSets among the workloads take their share of every node that they reach."""
    daemons = [workload for workload in workloads if workload.is_daemon]
    explainers = [Explainer(one, daemons) for one in pools]
    return [explainer.answer(workload) for workload in workloads for explainer in explainers]
