"""The fields of a pod that decide how it ends, and which volumes it uses."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.kubernetes.duration import seconds
from nodepools.model.kubernetes.raw_fields import entries, mapping, number, text
from nodepools.model.kubernetes.volumes import IN_TREE_EBS, class_of
from nodepools.model.values import dataclass

DO_NOT_DISRUPT: Final = "karpenter.sh/do-not-disrupt"
DEFAULT_GRACE: Final = 30
"""Seconds that a pod has to stop, if it does not declare them."""


@dataclass(frozen=True, slots=True)
class VolumeUse:
    """A volume of a pod: an existing claim, the storage class of a claim that is created for the pod, or a CSI driver."""

    name: str
    claim: str = ""
    """Name of a PersistentVolumeClaim."""
    created: bool = False
    """A claim is created for each pod."""
    per_replica: bool = False
    """That claim has the name of the volume, the StatefulSet and the ordinal of the pod, and is kept for the next pod with this ordinal."""
    storage_class: str | None = None
    """Class of a claim that is created; `None`: the default class; empty: no class."""
    driver: str = ""
    is_host_path: bool = False
    """A folder of the node: a pod on another node has another folder."""


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """How a pod ends, and its volumes."""

    grace_seconds: int = DEFAULT_GRACE
    """How long it can take to stop."""
    do_not_disrupt: str = ""
    """`true`, or the duration after its start, in which Karpenter does not disrupt it; empty: it can be disrupted."""
    volumes: tuple[VolumeUse, ...] = ()


NO_LIFECYCLE: Final = Lifecycle()


def read_lifecycle(template: Mapping[str, object], workload: Mapping[str, object]) -> Lifecycle:
    """Reads a pod, or a pod template; `workload` is the `spec` of its workload: that of a StatefulSet has claim templates.

    Raises:
        PodError: a field is invalid; the message says where and why.
    """
    metadata, spec = mapping(template, "metadata"), mapping(template, "spec")
    grace = spec.get("terminationGracePeriodSeconds")
    return Lifecycle(
        DEFAULT_GRACE if grace is None else number(grace, "terminationGracePeriodSeconds"),
        protection(mapping(metadata, "annotations").get(DO_NOT_DISRUPT)),
        (*_volumes(spec), *_templates(workload)),
    )


def protection(value: object) -> str:
    """The annotation, as Karpenter reads it: a value that is not valid has no effect."""
    if not isinstance(value, str):
        return ""
    try:
        return value if value == "true" or seconds(value) > 0 else ""
    except ValueError:
        return ""


def _volumes(spec: Mapping[str, object]) -> Iterator[VolumeUse]:
    for volume in entries(spec, "volumes"):
        name = text(volume.get("name"), "name")
        if "persistentVolumeClaim" in volume:
            yield VolumeUse(name, claim=text(mapping(volume, "persistentVolumeClaim").get("claimName"), "claimName"))
        elif "ephemeral" in volume:
            yield VolumeUse(name, created=True, storage_class=class_of(mapping(mapping(volume, "ephemeral"), "volumeClaimTemplate")))
        elif "csi" in volume:
            yield VolumeUse(name, driver=text(mapping(volume, "csi").get("driver"), "driver"))
        elif "hostPath" in volume:
            yield VolumeUse(name, is_host_path=True)
        elif "awsElasticBlockStore" in volume:
            yield VolumeUse(name, driver=IN_TREE_EBS)


def _templates(spec: Mapping[str, object]) -> Iterator[VolumeUse]:
    for template in entries(spec, "volumeClaimTemplates"):
        name = text(mapping(template, "metadata").get("name"), "name")
        yield VolumeUse(name, created=True, per_replica=True, storage_class=class_of(template))
