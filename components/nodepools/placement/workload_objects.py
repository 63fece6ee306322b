"""The objects next to workloads that decide which pods are created, how these end, and where their volumes are."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from nodepools.model.kubernetes.admission_objects import (
    ADMISSION_KINDS,
    LimitRange,
    Quota,
    RuntimeClass,
    read_limit_range,
    read_node_selector,
    read_quota,
    read_runtime_class,
)
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, read_disruption_budget
from nodepools.model.kubernetes.pod_lifecycle import VolumeUse
from nodepools.model.kubernetes.raw_fields import mapping, text
from nodepools.model.kubernetes.volumes import Claim, Place, Volume, VolumeClass, csi, place_of, read_claim, read_class, read_volume

_SCALERS: Final = ("HorizontalPodAutoscaler", "ScaledObject")
KINDS: Final = frozenset({"PodDisruptionBudget", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", *_SCALERS}) | ADMISSION_KINDS
"""The kinds that are read."""
T = TypeVar("T")


@dataclass(frozen=True)
class WorkloadObjects:
    """Objects in the same input as workloads. More can exist in the cluster."""

    budgets: tuple[DisruptionBudget, ...] = ()
    claims: Mapping[Place, Claim] = field(default_factory=dict[Place, Claim])
    volumes: Mapping[str, Volume] = field(default_factory=dict[str, Volume])
    """By name."""
    classes: Mapping[str, VolumeClass] = field(default_factory=dict[str, VolumeClass])
    """By name."""
    scaled: frozenset[tuple[str, str, str]] = frozenset()
    """Namespace, kind and name of workloads whose number of replicas an autoscaler sets."""

    limit_ranges: tuple[LimitRange, ...] = ()
    quotas: tuple[Quota, ...] = ()
    runtime_classes: Mapping[str, RuntimeClass] = field(default_factory=dict[str, RuntimeClass])
    """By name."""
    priority_classes: frozenset[str] = frozenset()
    node_selectors: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Of annotated Namespaces, by name."""

    def with_classes(self, built_in: Iterable[VolumeClass]) -> "WorkloadObjects":
        """The same in a cluster with built-in storage classes; those in the input replace classes of the same name."""
        return replace(self, classes={**{one.name: one for one in built_in}, **self.classes})

    def driver(self, volume: VolumeUse, namespace: str) -> str:
        """The CSI driver of a volume; empty if the input does not determine it."""
        if volume.driver:
            return csi(volume.driver)
        if volume.created:
            return self._of_class(volume.storage_class)
        claim = self.claims.get((namespace, volume.claim))
        return "" if claim is None else self._of_claim(claim)

    def _of_claim(self, claim: Claim) -> str:
        """The driver of its volume, otherwise of its class."""
        bound = self.volumes[claim.volume].driver if claim.volume in self.volumes else ""
        if bound:
            return bound
        return claim.driver if claim.driver else self._of_class(claim.storage_class)

    def _of_class(self, name: str | None) -> str:
        found = class_named(self.classes, name)
        return "" if found is None else found.driver


NO_OBJECTS: Final = WorkloadObjects()


def class_named(classes: Mapping[str, VolumeClass], name: str | None) -> VolumeClass | None:
    """The class with a name, or the default class; `None` if there is no such class among these."""
    return classes.get(name) if name is not None else next((found for found in classes.values() if found.is_default), None)


def read_workload_objects(found: Iterable[Mapping[str, object]]) -> WorkloadObjects:
    """Reads what is needed of raw objects; other kinds are ignored.

    Raises:
        PodError: one of them is not valid; the message says where and why.
    """
    by_kind: dict[str, list[Mapping[str, object]]] = {}
    for raw in found:
        by_kind.setdefault(text(raw.get("kind"), "kind"), []).append(raw)

    def each(kind: str, read: Callable[[Mapping[str, object]], T]) -> list[T]:
        return [read(raw) for raw in by_kind.get(kind, ())]

    return WorkloadObjects(
        tuple({(budget.namespace, budget.name): budget for budget in each("PodDisruptionBudget", read_disruption_budget)}.values()),
        {claim.place: claim for claim in each("PersistentVolumeClaim", read_claim)},
        {volume.name: volume for volume in each("PersistentVolume", read_volume)},
        {found.name: found for found in each("StorageClass", read_class)},
        frozenset(_scaled(raw) for kind in _SCALERS for raw in by_kind.get(kind, ())),
        tuple(each("LimitRange", read_limit_range)),
        tuple(each("ResourceQuota", read_quota)),
        {found.name: found for found in each("RuntimeClass", read_runtime_class)},
        frozenset(each("PriorityClass", _name)),
        {_name(raw): selector for raw in by_kind.get("Namespace", ()) if (selector := read_node_selector(raw))},
    )


def _name(raw: Mapping[str, object]) -> str:
    return text(mapping(raw, "metadata").get("name"), "name")


def _scaled(raw: Mapping[str, object]) -> tuple[str, str, str]:
    target = mapping(mapping(raw, "spec"), "scaleTargetRef")
    kind = text(target.get("kind"), "kind")
    return place_of(raw)[0], kind if kind else "Deployment", text(target.get("name"), "name")
