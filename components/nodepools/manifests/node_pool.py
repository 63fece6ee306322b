"""A karpenter.sh/v1 NodePool, as the cluster takes it: every quantity, budget and requirement value as text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nodepools.manifests.overlay import overlaid
from nodepools.model.disruption import Budget, Disruption
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint

READY = {"pulumi.com/waitFor": "condition=Ready"}
"""Pulumi waits until the object works, not only until it is stored."""


@dataclass(frozen=True, slots=True)
class ClassKind:
    """The kind of node class that the pools of a cloud refer to."""

    group: str
    version: str
    kind: str


AKS_NODE_CLASS = ClassKind("karpenter.azure.com", "v1beta1", "AKSNodeClass")
EKS_NODE_CLASS = ClassKind("eks.amazonaws.com", "v1", "NodeClass")


def node_pool(name: str, pool: NodePool, kind: ClassKind, node_class: object = None) -> dict[str, object]:
    """The object. `node_class` is the class's name where the caller has a better one than the declared key, such as an output of the class."""
    named = node_class if node_class is not None else pool.node_class or "default"
    template = {
        "metadata": given(labels={POOL_LABEL: name, **pool.labels}, annotations=dict(pool.annotations)),
        "spec": {
            "nodeClassRef": {"group": kind.group, "kind": kind.kind, "name": named},
            "requirements": [_requirement(requirement) for requirement in pool.requirements],
            **given(
                taints=_taints(pool.taints),
                startupTaints=_taints(pool.startup_taints),
                expireAfter=pool.expire_after,
                terminationGracePeriod=pool.termination_grace_period,
            ),
        },
    }
    scale = given(weight=pool.weight, replicas=pool.replicas, limits={key: str(value) for key, value in pool.limits.items()})
    spec = {"template": template, "disruption": _disruption(pool.disruption), **scale}
    return cluster_object("karpenter.sh/v1", "NodePool", name, overlaid(spec, pool.overrides))


def cluster_object(api_version: str, kind: str, name: object, spec: Mapping[str, object]) -> dict[str, object]:
    """An object without a namespace that is awaited."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "annotations": dict(READY)}, "spec": dict(spec)}


def given(**fields: object) -> dict[str, object]:
    """The fields that say something: neither `None` nor empty. Zero says something."""
    return {name: value for name, value in fields.items() if value is not None and value not in ({}, [], ())}


def _requirement(requirement: Requirement) -> dict[str, object]:
    return {
        "key": requirement.key,
        "operator": requirement.operator,
        **given(values=list(requirement.values), minValues=requirement.min_values),
    }


def _taints(taints: Sequence[Taint]) -> list[dict[str, object]]:
    return [{"key": taint.key, **given(value=taint.value or None), "effect": taint.effect, **given(timeAdded=taint.time_added)} for taint in taints]


def _disruption(disruption: Disruption) -> dict[str, object]:
    return {
        "consolidationPolicy": disruption.consolidation_policy,
        "consolidateAfter": disruption.consolidate_after,
        **given(budgets=_budgets(disruption.budgets)),
    }


def _budgets(budgets: Iterable[Budget]) -> list[dict[str, object]]:
    return [given(nodes=budget.nodes, schedule=budget.schedule, duration=budget.duration, reasons=list(budget.reasons)) for budget in budgets]
