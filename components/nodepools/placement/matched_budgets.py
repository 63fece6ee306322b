"""Which PodDisruptionBudgets select the pods of which workloads, and which of them never allow an eviction."""

from collections.abc import Iterable, Sequence
from typing import Final

from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, Matched
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.workload import Workload


class MatchedBudgets:
    """The PodDisruptionBudgets of one input with the workloads that they select. More pods can exist in the cluster."""

    def __init__(self, workloads: Iterable[Workload], objects: WorkloadObjects) -> None:
        self._scaled: Final = objects.scaled
        self._workloads: Final[dict[DisruptionBudget, list[Workload]]] = {budget: [] for budget in objects.budgets}
        self._budgets: Final[dict[Workload, list[DisruptionBudget]]] = {}
        for workload in dict.fromkeys(workloads) if objects.budgets else ():
            labels = dict(workload.topology.labels)
            found = self._budgets[workload] = [budget for budget in objects.budgets if budget.selects(workload.namespace, labels)]
            for budget in found:
                self._workloads[budget].append(workload)

    def of(self, workload: Workload) -> Sequence[DisruptionBudget]:
        """Those that select the pods of a workload."""
        return self._budgets.get(workload, ())

    def workloads(self, budget: DisruptionBudget) -> Sequence[Workload]:
        """The workloads whose pods it selects."""
        return self._workloads[budget]

    def pods(self, budget: DisruptionBudget) -> tuple[Matched, ...]:
        """The pods that it selects."""
        return tuple(Matched(workload.kind, workload.replicas if workload.replicas is not None else 0) for workload in self._workloads[budget])

    def of_unknown_size(self, budget: DisruptionBudget) -> bool:
        """How many of its pods are expected cannot be determined: the disruption controller then allows no eviction."""
        allowance = budget.allowance(self.pods(budget))
        return allowance is None or not allowance.expected

    def never_allows(self, budget: DisruptionBudget) -> bool:
        """It never allows an eviction, as far as the number of pods is known."""
        pods, matched = self.pods(budget), self._workloads[budget]
        if budget.allowance(pods) is None:
            return True
        if any(workload.is_daemon for workload in matched) or not sum(workload.replicas for workload in pods):
            return False
        is_scaled = any((workload.namespace, workload.kind, workload.name) in self._scaled for workload in matched)
        if is_scaled:
            return budget.blocks_any_number and not any(workload.kind == "Pod" for workload in matched)
        return not budget.evictions(pods)

    def blocked_at(self, budget: DisruptionBudget) -> int:
        """The pods at the minimum of their autoscalers, if it then allows no eviction; 0: it does, or it never allows one."""
        matched = self._workloads[budget]
        scalers = [self._scaled.get((workload.namespace, workload.kind, workload.name)) for workload in matched]
        if not any(scalers) or self.never_allows(budget) or any(workload.is_daemon for workload in matched):
            return 0
        least = [scaler.least if scaler is not None else workload.replicas or 0 for workload, scaler in zip(matched, scalers, strict=True)]
        pods = tuple(Matched(workload.kind, count) for workload, count in zip(matched, least, strict=True))
        return 0 if budget.evictions(pods) else sum(least)
