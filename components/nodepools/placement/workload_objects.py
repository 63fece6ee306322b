"""The objects next to workloads that decide how their pods end and what their volumes are: PodDisruptionBudgets, claims, volumes, classes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, read_disruption_budget
from nodepools.model.kubernetes.pod_lifecycle import VolumeUse
from nodepools.model.kubernetes.raw_fields import mapping, text

_IN_TREE: Final = {"kubernetes.io/aws-ebs": "ebs.csi.aws.com", "kubernetes.io/azure-disk": "disk.csi.azure.com"}
"""Volume plugins that were part of Kubernetes, with the CSI driver that replaced each."""
_DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"
_PROVISIONERS: Final = ("volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner")
"""Annotations that Kubernetes adds to a claim, with the provisioner of its class."""

_SCALERS: Final = ("HorizontalPodAutoscaler", "ScaledObject")
KINDS: Final = frozenset({"PodDisruptionBudget", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", *_SCALERS})
"""The kinds that are read."""


@dataclass(frozen=True)
class WorkloadObjects:
    """Objects in the same input as workloads. More can exist in the cluster."""

    budgets: tuple[DisruptionBudget, ...] = ()
    claims: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The CSI driver of each claim, by namespace and name; only those that are known."""
    classes: Mapping[str, str] = field(default_factory=dict[str, str])
    """The CSI driver of each storage class; that of the default class also under the empty name."""
    scaled: frozenset[tuple[str, str, str]] = frozenset()
    """Namespace, kind and name of workloads whose number of replicas an autoscaler sets."""

    def driver(self, volume: VolumeUse, namespace: str) -> str:
        """The CSI driver of a volume; empty if the input does not determine it."""
        if volume.driver:
            return _csi(volume.driver)
        if volume.storage_class is not None:
            return self.classes.get(volume.storage_class, "")
        return self.claims.get((namespace, volume.claim), "")


NO_OBJECTS: Final = WorkloadObjects()


def read_workload_objects(found: Iterable[Mapping[str, object]]) -> WorkloadObjects:
    """Reads what is needed of raw objects; other kinds are ignored.

    Raises:
        PodError: one of them is not valid; the message says where and why.
    """
    by_kind: dict[str, list[Mapping[str, object]]] = {}
    for raw in found:
        by_kind.setdefault(text(raw.get("kind"), "kind"), []).append(raw)
    classes = dict(pair for raw in by_kind.get("StorageClass", ()) for pair in _class(raw))
    volumes = {_name(raw): driver for raw in by_kind.get("PersistentVolume", ()) if (driver := _of_volume(mapping(raw, "spec")))}
    claims = {_place(raw): driver for raw in by_kind.get("PersistentVolumeClaim", ()) if (driver := _of_claim(raw, volumes, classes))}
    budgets = tuple(read_disruption_budget(raw) for raw in by_kind.get("PodDisruptionBudget", ()))
    scalers = [raw for kind in _SCALERS for raw in by_kind.get(kind, ())]
    return WorkloadObjects(budgets, claims, classes, frozenset(map(_scaled, scalers)))


def _scaled(raw: Mapping[str, object]) -> tuple[str, str, str]:
    target = mapping(mapping(raw, "spec"), "scaleTargetRef")
    kind = text(target.get("kind"), "kind")
    return _place(raw)[0], kind if kind else "Deployment", text(target.get("name"), "name")


def _class(raw: Mapping[str, object]) -> list[tuple[str, str]]:
    driver = _csi(text(raw.get("provisioner"), "provisioner"))
    is_default = mapping(mapping(raw, "metadata"), "annotations").get(_DEFAULT_CLASS) == "true"
    return [(_name(raw), driver), *([("", driver)] if is_default else [])]


def _of_volume(spec: Mapping[str, object]) -> str:
    return _csi("kubernetes.io/aws-ebs") if "awsElasticBlockStore" in spec else text(mapping(spec, "csi").get("driver"), "driver")


def _of_claim(raw: Mapping[str, object], volumes: Mapping[str, str], classes: Mapping[str, str]) -> str:
    """The driver of its volume, otherwise of its class, which Kubernetes also writes into an annotation."""
    spec, annotations = mapping(raw, "spec"), mapping(mapping(raw, "metadata"), "annotations")
    bound = volumes.get(text(spec.get("volumeName"), "volumeName"), "")
    if bound:
        return bound
    named = next((text(annotations[key], key) for key in _PROVISIONERS if key in annotations), "")
    return _csi(named) if named else classes.get(text(spec.get("storageClassName"), "storageClassName"), "")


def _csi(driver: str) -> str:
    return _IN_TREE.get(driver, driver)


def _name(raw: Mapping[str, object]) -> str:
    return text(mapping(raw, "metadata").get("name"), "name")


def _place(raw: Mapping[str, object]) -> tuple[str, str]:
    namespace = text(mapping(raw, "metadata").get("namespace"), "namespace")
    return namespace if namespace else "default", _name(raw)
