"""Reads pods, and the objects that create pods, from files: YAML or JSON, several documents, lists."""

from collections.abc import Iterable, Mapping
from typing import Final

from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, removal
from nodepools.manifests.manifest_objects import ManifestObject, can_run_pods, objects
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text
from nodepools.model.kubernetes.validated_part import InvalidWorkloadError
from nodepools.model.listing import nearest
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.workloads.objects import KINDS, read_workload_objects
from nodepools.placement.workloads.reader import KINDS as WORKLOADS
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.upgrades.karpenter_versions import InstalledKarpenter, UsedApi, karpenter_of


@dataclass(frozen=True, slots=True)
class WorkloadFile:
    """The workloads in a file, and the objects next to them that explain how their pods end."""

    workloads: tuple[Workload, ...] = ()
    objects: tuple[Mapping[str, object], ...] = ()
    removed_apis: tuple[UsedApi, ...] = ()
    """Objects of any kind in API versions that Kubernetes removes."""
    karpenter: tuple[InstalledKarpenter, ...] = ()
    rejected: tuple[str, ...] = ()
    """The objects that the API server rejects, each with its position and the reasons."""
    types: tuple[tuple[str, str], ...] = ()
    """API version and kind of each object of the file."""
    unread: tuple[tuple[str, str], ...] = ()
    """Those of objects that can run pods, of which none is read."""
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where objects are written: `shop/PodDisruptionBudget/web` in `k8s/web.yaml:12`."""


def workload_file(written: str, name: str) -> WorkloadFile:
    """Returns the workloads in a file with the objects that concern them. All other objects are ignored.

    Raises:
        TextError: the file cannot be read.
    """
    return workloads_in(objects(written, name))


OF_EXPORTS: Final = KINDS.union(WORKLOADS)
"""Kinds that are read from exports as from manifests."""


def workloads_in(manifests: Iterable[ManifestObject], *, existing: bool = False) -> WorkloadFile:
    """The same of objects, which can be `existing` in a cluster: nothing is at a place that can be edited then.

    Raises:
        TextError: the iterator raises it.
    """
    found, others = list[Workload](), list[Mapping[str, object]]()
    removed, karpenter, rejected = list[UsedApi](), list[InstalledKarpenter](), list[str]()
    types, unread = list[tuple[str, str]](), list[tuple[str, str]]()
    places = dict[str, str]()
    for manifest in manifests:
        types.append(manifest.type)
        removed += _removed_api(manifest)
        places.update({f"{api.kind}/{api.name}": api.where for api in _removed_api(manifest)})
        try:
            _check_kind(manifest)
            lost = [one for one in manifest.doubts if one.first is not None and not {"labels", "annotations"} & {*one.steps}]  # charts repeat labels
            where = (f"{manifest.position(one.steps)}: {manifest.kind}/{manifest.name}: `{one.text}` is set in line {one.first}, too" for one in lost)
            rejected += [f"{text}: the API server drops the first value" for text in where if manifest.kind in OF_EXPORTS][:1]
            at = manifest.position(())
            own = [replace(one, place=f"{at.file}:{at.line}") for one in workloads_of(manifest, existing=existing)]
            unread += [] if own or manifest.kind in KINDS or not can_run_pods(manifest) else [manifest.type]
            found += own
            places.update({f"{one.namespace}/{one.kind}/{one.name}": one.place for one in own})
            karpenter += _karpenter(manifest)
            if manifest.kind in KINDS:
                checked(manifest)
                others.append(manifest.raw)
                namespace = mapping(manifest.raw, "metadata").get("namespace", "default")
                places[f"{namespace}/{manifest.kind}/{manifest.name}"] = f"{at.file}:{at.line}"
        except TextError as error:
            rejected.append(str(error))
    every = (tuple(found), tuple(others), tuple(removed), tuple(karpenter), tuple(rejected), tuple(types), tuple(unread))
    return WorkloadFile(*every, {} if existing else places)


_KINDS_OF: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("apps", "v1"): frozenset({"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"}),
    ("batch", "v1"): frozenset({"CronJob", "Job"}),
}
"""All kinds of the API groups of workloads. Source: API reference of Kubernetes 1.36, 2026-11-28; lists are read as their items."""


def _check_kind(written: ManifestObject) -> None:
    """Rejects a kind that an API group of workloads does not have, and an API version that no cluster serves any more."""
    known = _KINDS_OF.get((written.group, written.version))
    if known is not None and written.kind not in known and not written.kind.endswith("List"):
        near = nearest(written.kind, known)
        advice = f": use `{near}`" if near is not None else ""
        raise TextError(f"{written.position(('kind',))}: `{written.group}/{written.version}` does not have a kind `{written.kind}`{advice}")
    api_version = f"{written.group}/{written.version}"
    gone = removal(api_version, written.kind) if written.kind in (*WORKLOADS, *KINDS) else None
    if gone is not None and gone.minor <= min(AKS_SUPPORT.oldest.minor, EKS_SUPPORT.oldest.minor):
        message = f"no version of Kubernetes from 1.{gone.minor} serves `{api_version}`: use `{gone.replacement}`"
        raise TextError(f"{written.position(('apiVersion',))}: {written.kind}/{written.name}: {message}")


def _removed_api(written: ManifestObject) -> list[UsedApi]:
    api_version = f"{written.group}/{written.version}"
    planned = removal(api_version, written.kind)
    return [] if planned is None else [UsedApi(api_version, written.kind, written.name, str(written.position(())), planned)]


def _karpenter(written: ManifestObject) -> list[InstalledKarpenter]:
    """The Karpenter that a valid Deployment runs."""
    if written.kind != "Deployment":
        return []
    containers = entries(mapping(mapping(mapping(written.raw, "spec"), "template"), "spec"), "containers")
    images = [image for container in containers if isinstance(image := container.get("image"), str)]
    namespace = text(mapping(written.raw, "metadata").get("namespace"), "namespace") or "default"
    name = f"{namespace}/Deployment/{written.name}"
    return [found for image in images if (found := karpenter_of(name, image)) is not None]


def checked(written: ManifestObject) -> None:
    """Reads an object next to workloads.

    Raises:
        TextError: it is invalid. The message has its position.
    """
    from nodepools.model.kubernetes.object_validation import check_object  # not every input has such objects

    try:
        check_object(written.kind, written.raw)
        read_workload_objects([written.raw])
    except InvalidWorkloadError as wrong:
        raise TextError(f"{written.position(wrong.path)}: {wrong}") from None
    except PodError as wrong:
        raise TextError(f"{written.position(())}: {written.kind}/{written.name}: {wrong}") from None


def workloads_of(written: ManifestObject, *, existing: bool = False) -> list[Workload]:
    """Returns the workload of an object, which can be `existing` in a cluster; nothing for an object that does not create pods.

    Raises:
        TextError: the API server rejects it. The message has the position of the first invalid field.
    """
    try:
        return list(read_workloads(written.raw, existing=existing))
    except InvalidWorkloadError as wrong:
        raise TextError(f"{written.position(wrong.path)}: {wrong}") from None
    except PodError as wrong:
        raise TextError(f"{written.position(())}: {wrong}") from None
