"""PersistentVolumes, PersistentVolumeClaims and StorageClasses, as far as they decide where pods can run.

Sources: Kubernetes 1.35, `pkg/controller/volume/persistentvolume` and the scheduler plugin VolumeBinding.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from nodepools.model.kubernetes.pod import Expression, Term, read_terms
from nodepools.model.kubernetes.raw_fields import entries, mapping, name_of, text, texts
from nodepools.model.values import dataclass

Place: TypeAlias = tuple[str, str]
"""Namespace and name."""
FOR_ONE_POD, FOR_ONE_NODE = "ReadWriteOncePod", "ReadWriteOnce"
ACCESS_MODES: Final = (FOR_ONE_NODE, "ReadOnlyMany", "ReadWriteMany", FOR_ONE_POD)
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
"""The provisioner of classes whose volumes administrators create."""
IN_TREE_EBS: Final = "kubernetes.io/aws-ebs"
_IN_TREE: Final = {IN_TREE_EBS: "ebs.csi.aws.com", "kubernetes.io/azure-disk": "disk.csi.azure.com", "kubernetes.io/azure-file": "file.csi.azure.com"}
"""Volume plugins that were part of Kubernetes, with the CSI driver that replaced each."""
_PROVISIONERS: Final = ("volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner")
"""Annotations that Kubernetes adds to a claim, with the provisioner of its class."""
DISKS: Final = frozenset({"disk.csi.azure.com", "ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com"})
"""Drivers of disks that are in one zone each, but for those that Azure keeps in several (`skuName: Premium_ZRS`)."""
_ZONE: Final = "topology.kubernetes.io/zone"
_OLD_ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
_ZONES_OF_DRIVERS: Final = frozenset({"topology.ebs.csi.aws.com/zone", "topology.disk.csi.azure.com/zone", _OLD_ZONE})
"""Labels that the drivers of disks give to nodes. Their values are the zones of the nodes; Karpenter reads them as the zone."""
_REGIONAL: Final = ("0", "1", "2", "3", "4")
"""The zones that nodes without a zone report in Azure, whose disk driver writes them as empty."""


@dataclass(frozen=True, slots=True)
class VolumeClass:
    """A StorageClass."""

    name: str
    driver: str = ""
    immediate: bool = False
    """A volume is created before its pod is scheduled."""
    topologies: tuple[Term, ...] | None = None
    """Where volumes may be created: one of these; `None`: anywhere."""
    is_default: bool = False
    created: str = ""
    """When the API server stored it; empty: not known."""
    is_zonal: bool = False
    """Its volumes are disks, each in one zone, for certain."""


@dataclass(frozen=True, slots=True)
class Volume:
    """A PersistentVolume."""

    name: str
    driver: str = ""
    terms: tuple[Term, ...] | None = None
    """The nodes that can mount it: those that match one of these; `None`: every node."""
    claim: Place | None = None
    """The claim that it is bound to, or reserved for."""
    storage_class: str = ""
    released: bool = False
    """Its claim was deleted, or it could not be reclaimed: no claim can bind to it."""

    @property
    def is_zonal(self) -> bool:
        """Only nodes of one zone can mount it."""
        zones = {value for term in self.terms or () for part in term.expressions if part.key == _ZONE for value in part.values}
        return len(zones) == 1


@dataclass(frozen=True, slots=True)
class Claim:
    """A PersistentVolumeClaim."""

    place: Place
    volume: str = ""
    """Name of its volume."""
    storage_class: str | None = None
    """`None`: the default class; empty: no class."""
    driver: str = ""
    """The provisioner, which Kubernetes writes into an annotation."""
    modes: tuple[str, ...] = ()
    """Its access modes."""
    is_new: bool = False
    """The cluster has not given it a volume yet."""
    problem: str = ""
    """Why pods with it stay Pending, whatever its volume."""


def csi(driver: str) -> str:
    """The CSI driver of a provisioner."""
    return _IN_TREE.get(driver, driver)


def read_class(raw: Mapping[str, object]) -> VolumeClass:
    """Reads a StorageClass.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    topologies, driver = entries(raw, "allowedTopologies"), csi(text(raw.get("provisioner"), "provisioner"))
    mode = text(raw.get("volumeBindingMode"), "volumeBindingMode")
    return VolumeClass(
        name_of(raw),
        driver,
        immediate=mode != "WaitForFirstConsumer",
        topologies=tuple(map(_allowed, topologies)) if topologies else None,
        is_default=_annotations(raw).get("storageclass.kubernetes.io/is-default-class") == "true",
        created=text(mapping(raw, "metadata").get("creationTimestamp"), "creationTimestamp"),
        is_zonal=driver in DISKS and not any(str(value).upper().endswith("_ZRS") for value in mapping(raw, "parameters").values()),
    )


def _allowed(raw: Mapping[str, object]) -> Term:
    each = ((text(entry.get("key"), "key"), texts(entry, "values")) for entry in entries(raw, "matchLabelExpressions"))
    return Term(tuple(_of_zone(Expression(key, "In", values)) for key, values in each))


def read_volume(raw: Mapping[str, object]) -> Volume:
    """Reads a PersistentVolume.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    spec = mapping(raw, "spec")
    claim = mapping(spec, "claimRef")
    return Volume(
        name_of(raw),
        _driver(spec),
        _mounting(spec, mapping(mapping(raw, "metadata"), "labels")),
        (text(claim.get("namespace"), "namespace"), text(claim.get("name"), "name")) if claim else None,
        text(spec.get("storageClassName"), "storageClassName"),
        released=mapping(raw, "status").get("phase") in ("Released", "Failed"),
    )


def _driver(spec: Mapping[str, object]) -> str:
    """The driver of a volume. Folders and disks of one node have none."""
    if "local" in spec or "hostPath" in spec:
        return NO_PROVISIONER
    return csi(IN_TREE_EBS) if "awsElasticBlockStore" in spec else text(mapping(spec, "csi").get("driver"), "driver")


def _mounting(spec: Mapping[str, object], labels: Mapping[str, object]) -> tuple[Term, ...] | None:
    """The nodes that can mount a volume: by its node affinity, otherwise by the zones in its labels, which old plugins wrote."""
    affinity = mapping(spec, "nodeAffinity")
    if affinity.get("required") is not None:
        found = tuple(Term(tuple(map(_of_zone, term.expressions)), term.fields) for term in read_terms(mapping(affinity, "required")))
        return found if found else (Term(),)
    zones = next((text(labels[key], key) for key in (_ZONE, _OLD_ZONE) if key in labels), "")
    return (Term((Expression(_ZONE, "In", tuple(zones.split("__"))),)),) if zones else None


def _of_zone(expression: Expression) -> Expression:
    """The zone of a driver of disks as the zone of nodes."""
    if expression.key not in _ZONES_OF_DRIVERS:
        return expression
    values = tuple(dict.fromkeys(zone for value in expression.values for zone in ([value] if value else _REGIONAL)))
    return Expression(_ZONE, expression.operator, values)


def read_claim(raw: Mapping[str, object]) -> Claim:
    """Reads a PersistentVolumeClaim.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    spec, annotations = mapping(raw, "spec"), _annotations(raw)
    modes = texts(spec, "accessModes")
    return Claim(
        place_of(raw),
        text(spec.get("volumeName"), "volumeName"),
        class_of(raw),
        next((csi(text(annotations[key], key)) for key in _PROVISIONERS if key in annotations), ""),
        modes=modes,
        is_new=mapping(raw, "status").get("phase") == "Pending",
        problem=_problem(raw),
    )


def _problem(raw: Mapping[str, object]) -> str:
    if mapping(raw, "metadata").get("deletionTimestamp") is not None:
        return "is being deleted"
    return "lost its PersistentVolume" if mapping(raw, "status").get("phase") == "Lost" else ""


def class_of(claim: Mapping[str, object]) -> str | None:
    """The storage class in a claim or a template of claims; `None`: the default class; empty: no class."""
    written = mapping(claim, "spec").get("storageClassName")
    return None if written is None else text(written, "storageClassName")


def place_of(raw: Mapping[str, object]) -> Place:
    """Namespace and name of an object."""
    namespace = text(mapping(raw, "metadata").get("namespace"), "namespace")
    return namespace if namespace else "default", name_of(raw)


def _annotations(raw: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(mapping(raw, "metadata"), "annotations")
