"""Reads a running cluster as `kubectl get nodes,nodepools,pods,pv,pvc,pdb,sc -A -o yaml` prints it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from nodepools.adoption.cluster_identity import ExportedIds
from nodepools.adoption.object_exports import Objects, objects_of
from nodepools.manifests.existing.exported_pools import ExportedPools, ForeignCluster, runs_autoscaler
from nodepools.manifests.existing.live_pools import part_for_scheduling, pools_of
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_list import each_object
from nodepools.manifests.workloads import checked, workloads_of
from nodepools.model.kubernetes.raw_fields import PodError, mapping
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.running_cluster import RunningPods
from nodepools.placement.workloads.objects import KINDS
from nodepools.placement.workloads.own_pods import Owner, owners_of
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import TextError
from nodepools.reading.selection import Selection
from nodepools.reading.yaml_documents import Readable
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS

_READ: Final = frozenset({"Pod", *KINDS})
_OF_CLUSTER: Final = frozenset({"Node", EKS_NODE_CLASS.kind, AKS_NODE_CLASS.kind})
"""The kinds that tell which cluster they are in."""
_FINISHED: Final = frozenset({"Succeeded", "Failed"})
_WHOLE: Final = Selection.without(metadata=Selection.without("managedFields"))
Failed: TypeAlias = Callable[[TextError], None]


@dataclass(frozen=True, slots=True)
class RunningCluster:
    """The objects of a running cluster."""

    pools: ClusterPools
    pods: RunningPods | None
    """`None`: the input has no pods."""
    objects: tuple[Mapping[str, object], ...]
    foreign: ForeignCluster
    """Node groups and agent pools in exports of `aws` and `az`."""
    autoscaled: bool | None
    """The cluster autoscaler is among the objects; `None`: not known."""
    files: tuple[Objects, ...]
    """What the objects of each file say about their cluster."""
    exported: ExportedIds
    """The clusters that outputs of the clouds name."""


def read_running_cluster(
    sources: Iterable[tuple[str | Readable, str]], failed: Failed, explained: Collection[Owner] = frozenset(), lacks: frozenset[str] = frozenset()
) -> RunningCluster:
    """Returns what decides where pods can run; `failed` gets the error of each source and object that cannot be read.

    Node groups and agent pools in the sources are of one cluster. `lacks` are labels that the version of self-managed Karpenter does not know.

    Only the pods of workloads that are `explained` are kept as they are written: an export can have many thousands.
    """
    others: list[Mapping[str, object]] = []
    pods: list[tuple[Workload, bool]] = []
    seen: list[str] = []
    deployments: list[ManifestObject] = []
    exported = ExportedPools()
    by_file: dict[str, list[Mapping[str, object]]] = {}

    def of_pools() -> Iterator[ManifestObject]:
        for written in each_object(sources, _part, failed, exported.take):
            deployments.extend([written] if written.kind == "Deployment" else [])
            by_file.setdefault(written.file, []).extend([written.raw] if written.kind in _OF_CLUSTER else [])
            if written.kind == "Pod":
                seen.append(written.name)
                pods.extend((_kept(pod, explained), is_bound) for pod, is_bound in _pod(written, failed))
            elif written.kind in KINDS:
                others.extend(raw for raw in [written.raw] if _is_valid(written, failed))
            else:
                yield written

    pools = pools_of(of_pools(), failed, lacks)
    running = RunningPods(tuple(pod for pod, is_bound in pods if is_bound), tuple(pod for pod, is_bound in pods if not is_bound))
    of_cluster = tuple(objects_of(raw, file) for file, raw in by_file.items())
    pods_found = running if seen else None
    return RunningCluster(pools, pods_found, tuple(others), exported.cluster(failed), runs_autoscaler(deployments), of_cluster, exported.ids)


def _part(kind: str) -> Selection:
    return _WHOLE if kind in _READ else part_for_scheduling(kind)


def _pod(written: ManifestObject, failed: Failed) -> Iterator[tuple[Workload, bool]]:
    """A pod that is not finished, and whether it is bound to a node."""
    try:
        if mapping(written.raw, "status").get("phase") not in _FINISHED:
            yield from ((pod, bool(pod.pod.node_name)) for pod in workloads_of(written, existing=True))
    except PodError as wrong:
        failed(TextError(f"{written.position(())}: Pod/{written.name}: {wrong}"))
    except TextError as error:
        failed(error)


def _kept(pod: Workload, explained: Collection[Owner]) -> Workload:
    return pod if any(owner in explained for owner in owners_of(pod)) else replace(pod, template=None)


def _is_valid(written: ManifestObject, failed: Failed) -> bool:
    try:
        checked(written)
    except TextError as error:
        failed(error)
        return False
    return True
