"""The objects next to workloads that decide which pods are created, how these end, and where their volumes are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from nodepools.model.kubernetes.admission_objects import (
    ADMISSION_KINDS,
    LimitRange,
    PodGroup,
    PodSecurity,
    PriorityClass,
    Quota,
    RuntimeClass,
    VerticalScaler,
    read_limit_range,
    read_node_selector,
    read_pod_group,
    read_pod_security,
    read_priority_class,
    read_quota,
    read_runtime_class,
    read_tolerations,
    read_vertical_scaler,
)
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, read_disruption_budget
from nodepools.model.kubernetes.pod_lifecycle import VolumeUse
from nodepools.model.kubernetes.raw_fields import entries, mapping, name_of, number, text
from nodepools.model.kubernetes.topology import NamespaceLabels
from nodepools.model.kubernetes.volumes import Claim, Place, Volume, VolumeClass, csi, place_of, read_claim, read_class, read_volume
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.workloads.workload import Workload

if TYPE_CHECKING:
    from nodepools.placement.devices import DeviceObjects

_DEVICES: Final = frozenset({"ResourceSlice", "DeviceClass", "DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate"})
_ROLLOUT: Final = "Rollout"
_BOUNDS: Final = {"HorizontalPodAutoscaler": ("minReplicas", "maxReplicas"), "ScaledObject": ("minReplicaCount", "maxReplicaCount")}
_PAUSED: Final = "autoscaling.keda.sh/paused-replicas"
NETWORK_FILE_SYSTEMS: Final = frozenset({"blob.csi.azure.com", "efs.csi.aws.com", "file.csi.azure.com", "nfs.csi.k8s.io"})
"""Drivers of file systems in the network, which nodes of every zone can mount: these drivers report no topology, and attach nothing."""
_STORED: Final = ("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode")
KINDS: Final = ADMISSION_KINDS | _DEVICES | {"PodDisruptionBudget", "VerticalPodAutoscaler", *_STORED, *_BOUNDS, _ROLLOUT}
"""The kinds that are read."""
T = TypeVar("T")
Tolerations: TypeAlias = Mapping[str, Sequence[Mapping[str, object]]]


@dataclass(frozen=True, slots=True)
class Scaler:
    """A HorizontalPodAutoscaler, a ScaledObject of KEDA, which makes one; or a Rollout of Argo, which `adds` pods of the template of a Deployment."""

    name: str
    least: int
    most: int | None
    """`None`: not written, or not a number."""
    adds: bool = False
    now: int = 0  # what its status in a cluster asks for

    def replicas(self, declared: int) -> int:
        """Instead of those that are declared."""
        return max(self.least, min(bound for bound in (max(declared, self.now), self.most) if bound is not None))


@dataclass(frozen=True)
class WorkloadObjects:
    """Objects in the same input as workloads. More can exist in the cluster."""

    budgets: tuple[DisruptionBudget, ...] = ()
    claims: Mapping[Place, Claim] = field(default_factory=dict[Place, Claim])
    volumes: Mapping[str, Volume] = field(default_factory=dict[str, Volume])
    """By name."""
    classes: Mapping[str, VolumeClass] = field(default_factory=dict[str, VolumeClass])
    """By name."""
    scaled: Mapping[tuple[str, str, str], Scaler] = field(default_factory=dict[tuple[str, str, str], Scaler])
    """What sets the number of replicas of workloads, by their namespace, kind and name."""
    limit_ranges: tuple[LimitRange, ...] = ()
    quotas: tuple[Quota, ...] = ()
    runtime_classes: Mapping[str, RuntimeClass] = field(default_factory=dict[str, RuntimeClass])
    """By name."""
    priority_classes: Mapping[str, PriorityClass] = field(default_factory=dict[str, PriorityClass])
    """By name."""
    node_selectors: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Of annotated Namespaces, by name."""
    tolerations: Mapping[str, Tolerations] = field(default_factory=dict[str, Tolerations])
    """In the annotations of Namespaces, by name and annotation."""
    pod_security: Mapping[str, PodSecurity] = field(default_factory=dict[str, PodSecurity])
    """Of Namespaces that enforce a standard, by name."""
    namespaces: Mapping[str, NamespaceLabels] = field(default_factory=dict[str, NamespaceLabels])
    """The labels of Namespaces, by name."""
    ending: frozenset[str] = frozenset()
    """The names of Namespaces that are being deleted."""
    resized: Mapping[tuple[str, str, str], VerticalScaler] = field(default_factory=dict[tuple[str, str, str], VerticalScaler])
    """What changes the requests of workloads, by their namespace, kind and name."""
    pod_groups: Mapping[tuple[str, str], PodGroup] = field(default_factory=dict[tuple[str, str], PodGroup])
    """By namespace and name."""
    devices: "DeviceObjects | None" = None
    """Of devices that pods claim; `None`: the input has none."""
    attachable: Mapping[str, int] = field(default_factory=dict[str, int])
    """The volumes that kube-scheduler lets a node attach, by the CSINode of its name: of the driver that attaches fewest."""

    def with_classes(self, built_in: Iterable[VolumeClass]) -> "WorkloadObjects":
        """The same in a cluster with built-in storage classes. Those in the input replace classes of the same name, and are newer."""
        newer = any(one.is_default for one in self.classes.values())
        older = {one.name: replace(one, is_default=one.is_default and not newer) for one in built_in}
        return replace(self, classes={**older, **self.classes})

    def in_namespace(self, workload: Workload) -> Workload:
        """The workload with the labels of its namespace, if the input has them."""
        known = self.namespaces.get(workload.namespace)
        return workload if known is None else replace(workload, topology=replace(workload.topology, of_namespace=known))

    def driver(self, volume: VolumeUse, namespace: str) -> str:
        """The CSI driver of a volume; empty if the input does not determine it."""
        if volume.driver:
            return csi(volume.driver)
        if volume.created:
            return self._of_class(volume.storage_class)
        claim = self.claims.get((namespace, volume.claim))
        return "" if claim is None else self._of_claim(claim)

    def zonal_disk(self, workload: Workload) -> str:
        """The first volume of a pod that is in one zone, for certain; empty: none is."""
        return next((use.name for use in workload.lifecycle.volumes if self._is_zonal(use, workload)), "")

    def _is_zonal(self, use: VolumeUse, workload: Workload) -> bool:
        named = use.claim if use.claim else f"{use.name}-{workload.name}-{workload.first}" if use.per_replica else ""
        claim = self.claims.get((workload.namespace, named))
        if claim is not None and claim.volume in self.volumes:
            return self.volumes[claim.volume].is_zonal
        by_class = class_named(self.classes, use.storage_class if claim is None else claim.storage_class)
        return (use.created or claim is not None) and by_class is not None and by_class.is_zonal

    def lacking(self, workload: Workload, drivers: Iterable[str]) -> list[tuple[str, str]]:
        """The volumes of a pod that need one of these drivers, with the driver."""
        found = ((use.name, self.driver(use, workload.namespace)) for use in workload.lifecycle.volumes)
        return [(name, driver) for name, driver in found if driver in drivers]

    def scaled_replicas(self, workload: Workload) -> int | None:
        """The replicas that its autoscaler sets at least or at most instead of those it declares; one without replicas is not scaled."""
        scaler, declared = self.scaled.get((workload.namespace, workload.kind, workload.name)), workload.replicas
        unscaled = workload.exists or workload.has_unknown_replicas
        if scaler is None or declared is None or unscaled or not (declared or scaler.adds):
            return declared
        return declared + scaler.least if scaler.adds else scaler.replicas(declared)

    def attached(self, workload: Workload) -> int:
        """The volumes of one pod that are disks, or may be: its node attaches each."""
        volumes = [use for use in workload.lifecycle.volumes if not use.driver and not use.is_host_path]
        return sum(self.driver(use, workload.namespace) not in NETWORK_FILE_SYSTEMS for use in volumes)

    def _of_claim(self, claim: Claim) -> str:
        """The driver of its volume, otherwise of its class."""
        bound = self.volumes[claim.volume].driver if claim.volume in self.volumes else ""
        return bound or claim.driver or self._of_class(claim.storage_class)

    def _of_class(self, name: str | None) -> str:
        found = class_named(self.classes, name)
        return "" if found is None else found.driver


NO_OBJECTS: Final = WorkloadObjects()


def class_named(classes: Mapping[str, VolumeClass], name: str | None) -> VolumeClass | None:
    """The class with a name, or the default class: the newest of several; `None` if it is not among these, or if which one it is is not known."""
    if name is not None:
        return classes.get(name)
    found = sorted((one for one in classes.values() if one.is_default), key=lambda one: one.name)
    return max(found, key=lambda one: one.created, default=None) if len(found) < 2 or all(one.created for one in found) else None  # noqa: PLR2004


def read_workload_objects(found: Iterable[Mapping[str, object]]) -> WorkloadObjects:
    """Reads what is needed of raw objects; other kinds are ignored.

    Raises:
        PodError: one of them is not valid; the message says where and why.
    """
    by_kind = grouped((text(raw.get("kind"), "kind"), raw) for raw in found)

    devices = None
    if by_kind.keys() & _DEVICES:
        from nodepools.placement.devices import read_devices  # few inputs have devices

        devices = read_devices(by_kind)

    def each(kind: str, read: Callable[[Mapping[str, object]], T]) -> list[T]:
        return [read(raw) for raw in by_kind.get(kind, ())]

    scaled: dict[tuple[str, str, str], Scaler] = {}
    for kind, raw in ((one, raw) for one in _BOUNDS for raw in by_kind.get(one, ())):  # KEDA makes a HorizontalPodAutoscaler, whose status counts
        scaled[_scaled(raw)] = _scaler(raw, kind, scaled.get(_scaled(raw)))
    nodes = ((name_of(raw), [mapping(one, "allocatable") for one in entries(mapping(raw, "spec"), "drivers")]) for raw in by_kind.get("CSINode", ()))
    counts = ((name, [number(most, "count") for one in drivers if (most := one.get("count")) is not None]) for name, drivers in nodes)
    return WorkloadObjects(
        tuple({(budget.namespace, budget.name): budget for budget in each("PodDisruptionBudget", read_disruption_budget)}.values()),
        {claim.place: claim for claim in each("PersistentVolumeClaim", read_claim)},
        {volume.name: volume for volume in each("PersistentVolume", read_volume)},
        {found.name: found for found in each("StorageClass", read_class)},
        {**scaled, **{_scaled(raw): _of_rollout(raw, scaled.get((place_of(raw)[0], _ROLLOUT, name_of(raw)))) for raw in by_kind.get(_ROLLOUT, ())}},
        tuple(each("LimitRange", read_limit_range)),
        tuple(each("ResourceQuota", read_quota)),
        {found.name: found for found in each("RuntimeClass", read_runtime_class)},
        {found.name: found for found in each("PriorityClass", read_priority_class)},
        {name_of(raw): selector for raw in by_kind.get("Namespace", ()) if (selector := read_node_selector(raw))},
        {name_of(raw): annotated for raw in by_kind.get("Namespace", ()) if (annotated := read_tolerations(raw))},
        {name_of(raw): enforced for raw in by_kind.get("Namespace", ()) if (enforced := read_pod_security(raw)) is not None},
        {name_of(raw): _labels(raw) for raw in by_kind.get("Namespace", ())},
        frozenset(name_of(raw) for raw in by_kind.get("Namespace", ()) if mapping(raw, "metadata").get("deletionTimestamp") is not None),
        {scaler.target: scaler for scaler in each("VerticalPodAutoscaler", read_vertical_scaler) if scaler is not None},
        {(group.namespace, group.name): group for group in each("PodGroup", read_pod_group) if group is not None},
        devices,
        {name: min(each) for name, each in counts if each},
    )


def _labels(raw: Mapping[str, object]) -> NamespaceLabels:
    metadata = mapping(raw, "metadata")
    labels = tuple((key, text(value, key)) for key, value in mapping(metadata, "labels").items())
    return NamespaceLabels(labels, is_complete=metadata.get("uid") is not None)


def _scaler(raw: Mapping[str, object], kind: str, older: Scaler | None) -> Scaler:
    """Sources: autoscaling/v2, `minReplicas` (1 by default); https://keda.sh/docs/latest/reference/scaledobject-spec, `minReplicaCount`, paused."""
    name, spec = f"{kind} `{name_of(raw)}`", mapping(raw, "spec")
    paused = text(mapping(mapping(raw, "metadata"), "annotations").get(_PAUSED), _PAUSED)
    if kind == "ScaledObject" and paused.isdecimal():
        return Scaler(name, int(paused), int(paused))
    least, most = (spec.get(bound) for bound in _BOUNDS[kind])
    now = desired if isinstance(desired := mapping(raw, "status").get("desiredReplicas"), int) else older.now if older is not None else 0
    return Scaler(name, max(least, 1) if isinstance(least, int) else 1, most if isinstance(most, int) else None, now=now)


def _of_rollout(raw: Mapping[str, object], own: Scaler | None) -> Scaler:
    """It runs next to the Deployment until that is at 0. Source: https://argo-rollouts.readthedocs.io/en/stable/migrating (2026-12)."""
    count = declared if isinstance(declared := mapping(raw, "spec").get("replicas"), int) else 1
    return Scaler(f"Rollout `{name_of(raw)}`", own.replicas(count) if own is not None and count else count, None, adds=True)


def _scaled(raw: Mapping[str, object]) -> tuple[str, str, str]:
    target = mapping(mapping(raw, "spec"), "workloadRef" if raw.get("kind") == _ROLLOUT else "scaleTargetRef")
    kind = text(target.get("kind"), "kind")
    return place_of(raw)[0], kind if kind else "Deployment", text(target.get("name"), "name")
