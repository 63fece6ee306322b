"""PodDisruptionBudgets, and how many evictions they allow.

The arithmetic is that of the disruption controller and of the eviction subresource (Kubernetes 1.35, `pkg/controller/disruption/disruption.go`,
`pkg/registry/core/pod/storage/eviction.go`), where percentages are rounded up on both sides.
"""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from nodepools.model.kubernetes.raw_fields import PodError, mapping, text
from nodepools.model.kubernetes.topology import LabelSelector, read_selector
from nodepools.model.values import dataclass

Amount: TypeAlias = int | str
"""A number of pods, or a percentage such as `50%`."""
_SCALABLE: Final = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "Rollout"})
"""Kinds whose number of replicas the controller finds; pods of a Rollout of Argo are of ReplicaSets. Of others, it finds a scale subresource."""
_WITHOUT_CONTROLLER: Final = "Pod"
_PERCENT: Final = re.compile(r"(100|[0-9]{1,2})%")


@dataclass(frozen=True, slots=True)
class Matched:
    """Pods of one workload that a PodDisruptionBudget selects."""

    kind: str
    replicas: int
    """The declared number of pods, and the number that exists if all are healthy."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a PodDisruptionBudget allows for a set of pods, of which `expected` should exist."""

    expected: int
    desired: int
    """The number of pods that must stay healthy."""

    def evictions(self, healthy: int) -> int:
        """How many more pods can be evicted while `healthy` pods are ready: `status.disruptionsAllowed`."""
        return max(0, healthy - self.desired) if self.expected > 0 else 0

    def evicts_unready(self, healthy: int, *, always: bool) -> bool:
        """A pod that is not ready can be evicted; `always`: `unhealthyPodEvictionPolicy` is `AlwaysAllow`."""
        return always or self.evictions(healthy) > 0 or healthy >= self.desired > 0


@dataclass(frozen=True, slots=True)
class DisruptionBudget:
    """A PodDisruptionBudget."""

    name: str
    namespace: str
    selector: LabelSelector
    min_available: Amount | None = None
    max_unavailable: Amount | None = None
    always_evicts_unready: bool = False
    """`unhealthyPodEvictionPolicy` is `AlwaysAllow`."""
    allowed: int | None = None
    """The evictions that the disruption controller allowed when it was exported; `None`: not exported, or of an earlier version of it."""

    def selects(self, namespace: str, labels: Mapping[str, str]) -> bool:
        """It applies to pods with these labels."""
        return namespace == self.namespace and self.selector.matches(labels)

    def allowance(self, matched: tuple[Matched, ...]) -> Allowance | None:
        """What it allows for the pods that it selects; `None` if the controller cannot count them, and then allows no eviction."""
        if self.max_unavailable is None and self.min_available is None:
            return Allowance(0, 0)
        if self.max_unavailable is None and isinstance(self.min_available, int):
            return Allowance(sum(workload.replicas for workload in matched), self.min_available)
        if any(workload.kind not in _SCALABLE and workload.kind != _WITHOUT_CONTROLLER for workload in matched):
            return None
        expected = sum(workload.replicas for workload in matched if workload.kind in _SCALABLE)
        if self.max_unavailable is not None:
            return Allowance(expected, max(0, expected - _scaled(self.max_unavailable, expected)))
        return Allowance(expected, _scaled(str(self.min_available), expected))

    @property
    def blocks_any_number(self) -> bool:
        """It allows no eviction, whatever the number of replicas. Karpenter recognizes such a PodDisruptionBudget as fully blocking."""
        return self.max_unavailable in (0, "0%") or self.min_available == "100%"

    def evictions(self, matched: tuple[Matched, ...]) -> int:
        """How many evictions it allows at once if all pods that it selects are healthy."""
        allowance = self.allowance(matched)
        return 0 if allowance is None else allowance.evictions(sum(workload.replicas for workload in matched))

    def __str__(self) -> str:
        if self.max_unavailable is not None:
            return f"maxUnavailable: {self.max_unavailable}"
        return f"minAvailable: {self.min_available}" if self.min_available is not None else "neither minAvailable nor maxUnavailable"


def read_disruption_budget(raw: Mapping[str, object]) -> DisruptionBudget:
    """Reads a raw PodDisruptionBudget.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    metadata, spec = mapping(raw, "metadata"), mapping(raw, "spec")
    minimum, maximum = _amount(spec, "minAvailable"), _amount(spec, "maxUnavailable")
    if minimum is not None and maximum is not None:
        raise PodError("minAvailable and maxUnavailable are mutually exclusive")
    return DisruptionBudget(
        text(metadata.get("name"), "name"),
        text(metadata.get("namespace"), "namespace") or "default",
        read_selector(spec, "selector"),
        minimum,
        maximum,
        always_evicts_unready=spec.get("unhealthyPodEvictionPolicy") == "AlwaysAllow",
        allowed=_allowed(mapping(raw, "status"), metadata.get("generation")),
    )


def _allowed(status: Mapping[str, object], generation: object) -> int | None:
    allowed = status.get("disruptionsAllowed")
    return allowed if isinstance(allowed, int) and status.get("observedGeneration") == generation else None


def _amount(spec: Mapping[str, object], name: str) -> Amount | None:
    value = spec.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    if isinstance(value, str) and _PERCENT.fullmatch(value):
        return value
    raise PodError(f"{name}: must be a number of pods or a percentage such as 50%, not {value!r:.60}")


def _scaled(amount: Amount, of: int) -> int:
    """The number of pods; a percentage is rounded up."""
    return amount if isinstance(amount, int) else -(-int(amount[:-1]) * of // 100)
