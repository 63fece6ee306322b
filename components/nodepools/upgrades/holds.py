"""What holds the nodes of a running cluster now: pods that the API server does not evict, with the command that changes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.model.kubernetes.disruption_budget import Allowance
from nodepools.model.kubernetes.pod_lifecycle import DO_NOT_DISRUPT
from nodepools.model.listing import quoted
from nodepools.placement.cloud_labels import POOL
from nodepools.upgrades.fleet import BudgetNow, Fleet, RunningNode, RunningPod

_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Pods that are not evicted."""

    message: str
    command: str
    """What changes it."""
    pods: tuple[str, ...]
    nodes: tuple[str, ...]
    is_draining: bool
    """One of the nodes is draining: it holds the upgrade now. Otherwise it holds the upgrade when the drain of such a node begins."""

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "message": self.message,
            "command": self.command,
            "pods": list(self.pods),
            "nodes": list(self.nodes),
            "draining": self.is_draining,
        }


def holds(fleet: Fleet, nodes: Iterable[RunningNode]) -> Iterator[Hold]:
    """What holds these nodes, those that drain now first."""
    here = {node.name: node for node in nodes}
    by_budgets: dict[tuple[str, ...], tuple[list[BudgetNow], list[RunningPod]]] = {}
    protected: list[RunningPod] = []
    for pod in fleet.pods:
        if pod.node in here:
            found = [now for now in fleet.budgets if now.budget.selects(pod.namespace, pod.labels)]
            if _is_held(pod, found):
                by_budgets.setdefault(tuple(map(str, found)), (found, []))[1].append(pod)
            elif pod.do_not_disrupt and POOL in here[pod.node].labels:
                protected.append(pod)
    every = [_of_budgets(found, pods, fleet, here) for found, pods in by_budgets.values()]
    every += [_of_annotation(pod, here) for pod in protected]
    yield from sorted(every, key=lambda hold: not hold.is_draining)


def _is_held(pod: RunningPod, found: Sequence[BudgetNow]) -> bool:
    """The eviction subresource rejects it: docs/facts/scheduling.md § 7."""
    if pod.is_pending or not found:
        return False
    if len(found) > 1:
        return True
    [now] = found
    if pod.is_ready:
        return not now.allowed
    allowance = Allowance(now.expected, now.desired)
    return not (now.allowed or allowance.evicts_unready(now.healthy, always=now.budget.always_evicts_unready))


def _of_budgets(found: Sequence[BudgetNow], pods: Sequence[RunningPod], fleet: Fleet, here: Mapping[str, RunningNode]) -> Hold:
    nodes = tuple(dict.fromkeys(pod.node for pod in pods))
    names = quoted(list(map(str, pods)), _SHOWN)
    if len(found) > 1:
        both = " and ".join(f"`{now}`" for now in found)
        message = f"Pod {names} is selected by PodDisruptionBudgets {both}: the API server rejects every eviction"
        command = _delete(found[1])
    else:
        message = f"PodDisruptionBudget `{found[0]}` allows no eviction of {names}: {_why(found[0])}"
        command = _command(found[0], fleet)
    draining = any(here[node].leaving for node in nodes)
    return Hold(message=message, command=command, pods=tuple(map(str, pods)), nodes=nodes, is_draining=draining)


def _why(now: BudgetNow) -> str:
    if not now.expected:
        return "the disruption controller cannot count its pods"
    ready = f"{now.healthy} of {now.expected} pods are ready, and {now.desired} must stay"
    return f"{ready} (`{now.budget}`)"


def _command(now: BudgetNow, fleet: Fleet) -> str:
    """A budget that is too strict is changed. If pods are not ready, they are what to look at."""
    if not now.expected:
        return _delete(now)
    unready = next(
        (pod for pod in fleet.pods if not pod.is_ready and now.budget.selects(pod.namespace, pod.labels)),
        None,
    )
    if now.expected > now.desired and unready is not None:
        return f"kubectl describe pod {unready.name} --namespace {unready.namespace}"
    patch = '{"spec":{"minAvailable":null,"maxUnavailable":1}}'
    return f"kubectl patch poddisruptionbudget {now.budget.name} --namespace {now.budget.namespace} --type merge --patch '{patch}'"


def _delete(now: BudgetNow) -> str:
    return f"kubectl delete poddisruptionbudget {now.budget.name} --namespace {now.budget.namespace}"


def _of_annotation(pod: RunningPod, here: Mapping[str, RunningNode]) -> Hold:
    return Hold(
        message=f"Karpenter does not evict Pod `{pod}`, which has `{DO_NOT_DISRUPT}`",
        command=f"kubectl annotate pod {pod.name} --namespace {pod.namespace} {DO_NOT_DISRUPT}-",
        pods=(str(pod),),
        nodes=(pod.node,),
        is_draining=bool(here[pod.node].leaving),
    )
