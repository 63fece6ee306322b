"""The pods that a workload already has in a running cluster, found by the controllers that created them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, cast

from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import PodError, mapping
from nodepools.model.kubernetes.topology import REVISIONS, PodTopology, read_topology
from nodepools.model.listing import as_code, grouped
from nodepools.placement.existing_nodes import ExistingPods
from nodepools.placement.workloads.workload import Hold, Workload

Owner: TypeAlias = tuple[str, str, str]
"""Kind, namespace and name of a workload."""
_COUNTED: Final = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
"""They keep as many pods as they declare. A Job needs fewer near its end, and the pods of a CronJob belong to an earlier run."""


def owner_of(workload: Workload) -> Owner:
    """The workload, as the pods that it creates name it."""
    return workload.kind, workload.namespace, workload.name


def owners_of(pod: Workload) -> Sequence[Owner]:
    """The workloads that may have created a pod."""
    return [(controller.kind, pod.namespace, controller.name) for controller in pod.controllers]


def without_owned(workloads: Sequence[Workload]) -> tuple[Workload, ...]:
    """The workloads without those that another one of the input creates: the pods and ReplicaSets of a Deployment, the Jobs of a CronJob."""
    given = {owner_of(workload) for workload in workloads}

    def is_owned(one: Workload) -> bool:
        return any(by.certain and (by.kind, one.namespace, by.name) in given for by in one.controllers)

    return tuple(one for one in workloads if not is_owned(one))


def once_each(workloads: Iterable[Workload]) -> tuple[Workload, ...]:
    """Each object once, as a cluster has it; where files differ, it has one of theirs. A generated name is another one each time."""
    named: dict[Owner, list[Workload]] = {}
    kept: list[tuple[Workload, list[Workload]]] = []
    for one in workloads:
        alike = [] if one.name[-1:] in ("", "-") else named.setdefault(owner_of(one), [])
        if all((one, one.template) != (other, other.template) for other in alike):
            alike.append(one)
            kept.append((one, alike))
    return tuple(replace(one, holds=(*one.holds, _one_of(alike))) if len(alike) > 1 else one for one, alike in kept)


def _one_of(alike: Sequence[Workload]) -> Hold:
    name = f"{(one := alike[0]).namespace}/{one.kind}/{one.name}"
    where = f", in {as_code(places)}" if (places := [each.place for each in alike if each.place]) else ""
    return Hold(f"a cluster has one `{name}`, and the input has {len(alike):,} that differ{where}", "Explain the files of one cluster")


def with_numbers(workloads: Iterable[Workload], pods: ExistingPods | None) -> tuple[Workload, ...]:
    """The workloads; those without `replicas` with as many as run: applying them keeps the number of the cluster."""
    has = Counter(owner for pod in ((*pods.bound, *pods.waiting) if pods else ()) if not pod.ends for owner in owners_of(pod))
    numbers = ((one, has[owner_of(one)] if one.unnumbered and one.kind in _COUNTED else 0) for one in workloads)
    return tuple(replace(one, replicas=number, declared=one.replicas) if number > (one.replicas or 0) else one for one, number in numbers)


def with_own_pods(workloads: Iterable[Workload], pods: ExistingPods) -> tuple[list[Workload], ExistingPods]:
    """The workloads with what runs of them, and the pods without those that the workloads still have to place.

    Bound pods keep their room and their labels, until a rollout replaces them. Those of a DaemonSet are excluded: it is placed on each node again.
    """
    bound, waiting = (grouped((owner, pod) for pod in some for owner in owners_of(pod)) for some in (pods.bound, pods.waiting))
    reports = {owner_of(pod): pod.unschedulable for pod in pods.waiting}
    found: list[Workload] = []
    excluded: set[int] = set()
    replaced: set[int] = set()
    for workload in workloads:
        owner = owner_of(workload)
        own, pending = bound.get(owner, ()), waiting.get(owner, ())
        report = workload.unschedulable or reports.get(owner, "") or next((pod.unschedulable for pod in pending if pod.unschedulable), "")
        excluded |= {id(pod) for pod in pending if _is_current(workload, pod)}
        excluded |= {id(pod) for pod in (*own, *pending) if workload.is_daemon}
        mixed = len(_revisions(workload, own)) > 1
        replaced |= {id(pod) for pod in own if workload.kind in REVISIONS and (mixed or not _is_current(workload, pod))}
        found.append(replace(_running(workload, own), unschedulable=report))
    kept = tuple(replace(pod, ends=True) if id(pod) in replaced else pod for pod in pods.bound if id(pod) not in excluded)
    return found, replace(pods, bound=kept, waiting=tuple(pod for pod in pods.waiting if id(pod) not in excluded))


def _running(workload: Workload, own: Sequence[Workload]) -> Workload:
    if not own or workload.replicas is None:
        return workload
    running, first = min(len(own), max(workload.replicas, 0)), workload.first
    revisions = _revisions(workload, own)
    if workload.kind not in _COUNTED or len(revisions) > 1 or not all(_is_current(workload, pod) for pod in own):
        return replace(workload, unsure=True)
    if workload.kind == "StatefulSet":
        names = {pod.name for pod in own}
        if not all(f"{workload.name}-{ordinal}" in names for ordinal in range(first, first + running)):
            return replace(workload, unsure=True)  # which pods, with which volumes, are still to be placed depends on the order of the controller
        first += running
    return replace(workload, running=running, first=first, topology=_of_revision(workload, revisions.pop()))


def _revisions(workload: Workload, own: Iterable[Workload]) -> set[str | None]:
    return {dict(pod.topology.labels).get(REVISIONS.get(workload.kind, "")) for pod in own}


def _of_revision(workload: Workload, revision: str | None) -> PodTopology:
    """How further pods depend on others: they get the revision of those that run, so that `matchLabelKeys` selects those too."""
    if revision is None or workload.template is None:
        return workload.topology
    metadata = mapping(workload.template, "metadata")
    labels = {**mapping(metadata, "labels"), REVISIONS[workload.kind]: revision}
    return read_topology({**workload.template, "metadata": {**metadata, "labels": labels}}, workload.namespace, workload.kind)


def _is_current(workload: Workload, pod: Workload) -> bool:
    """A pod is certain to be one of this workload, with the template as it is written."""
    certain = any((controller.kind, controller.name, controller.certain) == (workload.kind, workload.name, True) for controller in pod.controllers)
    if not certain or workload.template is None or pod.template is None:
        return False
    written, found = mapping(workload.template, "metadata"), mapping(pod.template, "metadata")
    return (
        found.get("deletionTimestamp") is None
        and all(_is_in(mapping(written, key), mapping(found, key)) for key in ("labels", "annotations"))
        and (workload.pod.requests, workload.pod.node_selector, workload.pod.required) == (pod.pod.requests, pod.pod.node_selector, pod.pod.required)
        and _is_in(mapping(workload.template, "spec"), mapping(pod.template, "spec"))
    )


def _is_in(written: object, found: object) -> bool:
    """All that is written is in what the API server returns, which also has defaults and what admission adds."""
    if not written:
        return not found or str(written) == str(found)
    if isinstance(written, Mapping) and isinstance(found, Mapping):
        parts = cast("Mapping[str, object]", found)
        return all(_is_in(value, parts.get(key)) for key, value in cast("Mapping[str, object]", written).items())
    if isinstance(written, list | tuple) and isinstance(found, list | tuple):
        items, others = cast("Sequence[object]", written), cast("Sequence[object]", found)
        if all(isinstance(item, str) for item in items):
            return list(items) == list(others)  # arguments have an order
        return all(any(_is_in(item, other) for other in others) for item in items)
    return _is_same(str(cast("object", written)), str(found))


def _is_same(written: str, found: str) -> bool:
    """The same text or quantity: `1000m` is `1`."""
    try:
        return written == found or thousandths(written, "") == thousandths(found, "")
    except PodError:
        return False
