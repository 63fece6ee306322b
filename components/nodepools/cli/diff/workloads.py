"""What changes do to workloads: the pools that their pods can use, their replicas, and PodDisruptionBudgets that hold up nodes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from nodepools.cli.diff.answer import Subject
from nodepools.cli.diff.demands import Stranded
from nodepools.cli.diff.folds import NAMED
from nodepools.cli.diff.pairs import Pair
from nodepools.cli.inputs.workload_side import Side, listed_pools
from nodepools.cli.output.report import lines_of
from nodepools.clouds.change import NODE_POOL, Change
from nodepools.clouds.registry import catalog
from nodepools.manifests.workloads import WorkloadFile
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget
from nodepools.model.listing import listed
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.placement.workloads.objects import WorkloadObjects, read_workload_objects
from nodepools.placement.workloads.warnings import MatchedBudgets
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.explained import Explained, explain_replicas
from nodepools.wire.table import DRAINING, Effect

_Answers: TypeAlias = Mapping[tuple[str, int], Explained]
"""By cluster and number of the workload."""


@dataclass(frozen=True, slots=True)
class _Moved:
    """A workload in a cluster on both sides."""

    stack: str
    cluster: str
    workload: Workload
    old: Side
    new: Side

    @property
    def keeps_pools(self) -> bool:
        """The pods fit, and may fit, the same pools."""
        return set(self.old.pools) == set(self.new.pools) and set(self.old.possible) == set(self.new.possible)

    @property
    def is_moved(self) -> bool:
        return not self.keeps_pools or self.old.replicas != self.new.replicas

    @property
    def lost(self) -> list[str]:
        return [pool for pool in self.old.possible if pool not in self.new.possible]

    def to_json(self) -> dict[str, object]:
        workload = self.workload
        head = {"stack": self.stack, "cluster": self.cluster, "kind": workload.kind, "name": workload.name, "namespace": workload.namespace}
        return {**head, "lost": self.lost, "old": self.old.to_json(), "new": self.new.to_json()}

    def __str__(self) -> str:
        name = f"{self.workload.kind}/{self.workload.name} in {self.cluster}"
        replicas = f"; replicas {self.old.replicas} → {self.new.replicas}" if self.old.replicas != self.new.replicas else ""
        pools = "the same pools" if self.keeps_pools else f"{listed_pools(self.old)} → {listed_pools(self.new)}"
        return f"{name}: {pools}{replicas}"


def workload_sections(pairs: Sequence[Pair], read: WorkloadFile) -> Iterator[Subject]:
    """The workloads whose pools or replicas change, and the PodDisruptionBudgets that block the changes."""
    objects = read_workload_objects(read.objects)
    before = [_explained(pair.old, pair.changed, read, objects) for pair in pairs]
    yield _workload_section(read, [one for pair, old in zip(pairs, before, strict=True) for one in _moved(pair, old, read, objects) if one.is_moved])
    yield _budget_section(pairs, before, read, objects)


def _budget_section(pairs: Sequence[Pair], before: Sequence[_Answers], read: WorkloadFile, objects: WorkloadObjects) -> Subject:
    """The PodDisruptionBudgets that never allow an eviction from pools whose nodes the changes drain."""
    budgets = MatchedBudgets(read.workloads, objects)
    found: dict[DisruptionBudget, set[str]] = {}
    for pair, answers in zip(pairs, before, strict=True):
        drained = {pool for change in pair.changes.all if _drains(change) for pool in (change.at, *change.pools)}
        for (_, number), answer in answers.items():
            held = drained.intersection(Side(answer).possible)
            for budget in budgets.of(read.workloads[number]) if held else ():
                if budgets.never_allows(budget):
                    found.setdefault(budget, set()).update(held)
    data = [{"name": budget.name, "namespace": budget.namespace, "pools": sorted(pools)} for budget, pools in found.items()]
    lines = [
        f"`{budget.name}` (`{budget}`) never allows an eviction: nodes of {', '.join(sorted(pools))} are not drained while its pods run there"
        for budget, pools in found.items()
    ]
    verdict = f"{len(found)} PodDisruptionBudget{'s block' if len(found) > 1 else ' blocks'} it" if found else ""
    return Subject("disruption_budgets", data, lines_of("PodDisruptionBudgets that block the changes", *lines), verdict)


def _drains(change: Change) -> bool:
    """Nodes are drained by eviction: Karpenter does so also when its NodePool is deleted.

    Whether AKS drains a pool that it deletes, Azure's documentation contradicts itself.
    """
    return change.effect in DRAINING or (change.effect is Effect.REMOVES_NODES and change.resource.type == NODE_POOL)


def _workload_section(read: WorkloadFile, moved: Sequence[_Moved]) -> Subject:
    """The workloads whose pools or replicas change."""
    lines = [str(one) for one in sorted(moved, key=lambda one: (bool(one.new.possible), one.cluster, one.workload.name))]
    title = "Pools that the pods of workloads can use"
    stranded = [one for one in moved if one.old.possible and one.new.found is not None and not one.new.possible]
    pending, clusters = [f"{one.workload.kind}/{one.workload.name}" for one in stranded], list(dict.fromkeys(one.cluster for one in stranded))
    verdict = f"{listed(list(dict.fromkeys(pending)), NAMED)} can use no pool of {listed(clusters, NAMED)} any more" if stranded else ""
    if read.workloads and not lines:
        lines = ["the same as before for every workload"]
    left = tuple(Stranded(f"{one.workload.namespace}/{one.workload.kind}/{one.workload.name}", one.cluster) for one in stranded)
    return Subject("workloads", [one.to_json() for one in moved], lines_of(title, *lines), verdict, left)


def _moved(pair: Pair, old: _Answers, read: WorkloadFile, objects: WorkloadObjects) -> Iterator[_Moved]:
    new = _explained(pair.new, pair.changed, read, objects)
    for key in pair.changed:
        for number, workload in enumerate(read.workloads):
            yield _Moved(pair.name, key, workload, Side(old.get((key, number))), Side(new.get((key, number))))


def _explained(side: Platform | None, clusters: Sequence[str], read: WorkloadFile, objects: WorkloadObjects) -> _Answers:
    """The answers for each cluster and workload."""
    pools = [one for one in catalog(side) if one.cluster in clusters] if side is not None else []
    answers = explain_replicas(read.workloads, pools, objects)
    numbers = [number for number in range(len(read.workloads)) for _ in pools]
    return {(str(one.answer.cluster), number): one for number, one in zip(numbers, answers, strict=True)}
