"""Reads pods and workloads from raw Kubernetes objects."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias, cast

from nodepools.data.table_files import origin_of, rows_of
from nodepools.model import steps
from nodepools.model.kubernetes.pod import Pod, read_pod, resized
from nodepools.model.kubernetes.pod_lifecycle import read_lifecycle
from nodepools.model.kubernetes.raw_fields import LISTS, OBJECTS, PodError, entries, mapping, text
from nodepools.model.kubernetes.topology import read_topology
from nodepools.model.kubernetes.validated_part import InvalidField, InvalidWorkloadError, Path
from nodepools.model.kubernetes.workload_validation import invalid_fields
from nodepools.model.listing import nearest
from nodepools.placement.workloads.workload import Controller, Hold, Workload

_TEMPLATED = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
_DEEPEST: Final = 12
_GANG = "scheduling.x-k8s.io/pod-group"
_QUEUE = "kueue.x-k8s.io/queue-name"
_CREATES = {"JobSet": "jobs jobset.sigs.k8s.io/jobset-name", "LeaderWorkerSet": "statefulsets leaderworkerset.sigs.k8s.io/name"}
"""What the controllers of other API groups create, and its label with the name of their object."""
_NAMED = {kind: created.split()[1] for kind, created in _CREATES.items()}
_OF_ROLLOUT = "rollouts-pod-template-hash"
_BUILT_IN = ("apps/v1", "batch/v1", "v1")
_GROUPS = ("apps", "batch", "extensions")
"""API groups of workloads; pods have none."""
KINDS = ("Pod", *_TEMPLATED, "CronJob")
"""Kinds of pods, and of objects that create pods."""


def read_workloads(raw: object, *, existing: bool = False) -> Iterator[Workload]:
    """The workloads in an object, in a list of objects, or in a Kubernetes List; objects that create no pods are ignored.

    The API server has accepted those that are `existing`.

    Raises:
        PodError: it is not a Kubernetes object, or the API server rejects one of its pods.
    """
    if raw is None:
        return
    if isinstance(raw, list | tuple):
        for item in cast("list[object]", raw):
            yield from read_workloads(item, existing=existing)
        return
    if not isinstance(raw, Mapping):
        raise PodError(f"a Kubernetes object is required, not `{raw!r:.60}`")
    yield from _of_object(cast("Mapping[str, object]", raw), existing=existing)


def _of_object(raw: Mapping[str, object], *, existing: bool) -> Iterator[Workload]:
    kind = text(raw.get("kind"), "kind")
    if not kind:
        raise PodError("`kind` is missing")
    if kind.endswith("List") and "items" in raw:
        for item in entries(raw, "items"):
            yield from read_workloads(item if "kind" in item else {"kind": kind.removesuffix("List"), **item}, existing=existing)
        return
    group, slash, _ = text(raw.get("apiVersion"), "apiVersion").rpartition("/")
    if slash and group not in _GROUPS:
        yield from _of_controller(kind, raw)
        return
    template = _template(kind, raw)
    if template is None:
        return
    metadata = mapping(raw, "metadata")
    prefix = text(metadata.get("generateName"), "generateName")
    name = text(metadata.get("name"), "name") or (prefix and f"{prefix.removesuffix('-')}-")  # no name ends so
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    strict = [] if existing or "uid" in metadata or raw.get("apiVersion", "v1") not in _BUILT_IN else list(_misfits_in(kind, raw, (), ()))
    unread = [misfit.field for misfit in strict if not misfit.certain]
    try:
        invalid = tuple(misfit.field for misfit in strict if misfit.certain) or (() if existing else tuple(invalid_fields(kind, raw)))
    except PodError as wrong:
        raise PodError(f"{kind}/{name}: {wrong}") from None
    if invalid:
        raise InvalidWorkloadError(f"{kind}/{name}", invalid)
    try:
        pod = read_pod(resized(mapping(template, "spec"), mapping(raw, "status") if kind == "Pod" else {}), of_daemon_set=kind == "DaemonSet")
        lifecycle = read_lifecycle(template, mapping(raw, "spec"))
        topology, (ordered, first) = read_topology(template, namespace, kind, text(metadata.get("name"), "name")), _order(kind, mapping(raw, "spec"))
        controllers = _controllers(metadata)
        replicas, report = _replicas(kind, raw), _unschedulable(kind, raw)
        exists = existing or (kind == "Pod" and metadata.get("uid") is not None)
        jobs = mapping(mapping(mapping(raw, "spec"), "jobTemplate"), "metadata")
        owner = {**metadata, "labels": {**mapping(metadata, "labels"), **mapping(jobs, "labels")}}
        holds = (*_not_known(unread), *_pauses(kind, raw), *_holds(pod, template, owner, exists=exists))
        specs = (mapping(raw, "spec"), _job_spec(kind, raw)) if kind in ("Job", "CronJob") else ()  # one that creates no Jobs, or that has no pods
        suspended = replicas if replicas is not None and any(spec.get("suspend") is True for spec in specs) else 0
        of_pods = (pod, 0 if suspended else replicas, lifecycle, topology, ordered, report, first, controllers, template)
        unnumbered, ends = mapping(raw, "spec").get("replicas") is None, kind == "Pod" and metadata.get("deletionTimestamp") is not None
        yield Workload(name, namespace, kind, *of_pods, suspended=suspended, unnumbered=unnumbered, holds=holds, exists=exists, ends=ends)
    except PodError as wrong:
        raise PodError(f"{kind}/{name}: {wrong}") from None


def _of_controller(kind: str, raw: Mapping[str, object]) -> Iterator[Workload]:
    """An object of another API group with a template of pods, such as a JobSet: only its own controller knows how many pods there are."""
    template, *others = [found for _, found in _templates(raw.get("spec"), ("spec",))] or [None]
    if template is None:
        return
    metadata = mapping(raw, "metadata")
    name, namespace = text(metadata.get("name"), "name"), text(metadata.get("namespace"), "namespace") or "default"
    resource, _, label = _CREATES.get(kind, f"{kind.lower()} {name}").partition(" ")
    get = f"`kubectl get {resource} -n {namespace} {f'-l {label}={name}' if kind in _CREATES else label} -o yaml`"
    first = f"; the pools are those of the first of its {len(others) + 1} templates of pods" if others else ""
    message = f"the controller of {kind} creates the pods: how many, and whether some or only all of them at once, is not determined here{first}"
    hold = Hold(message, f"Explain {'what it created' if kind in _CREATES else 'the pods that its status shows'}: {get}")
    try:
        pod = read_pod(mapping(template, "spec"), of_daemon_set=False)
        lifecycle, topology = read_lifecycle(template, {}), read_topology(template, namespace, kind, name)
    except PodError as wrong:
        raise PodError(f"{kind}/{name}: {wrong}") from None
    replicas = max(_number(mapping(raw, "spec").get("replicas")), 1) if kind == "Rollout" else 1
    yield Workload(name, namespace, kind, pod, replicas, lifecycle, topology, template=template, holds=(hold, *_group(template)), uncounted=True)


def pod_places(raw: Mapping[str, object]) -> Iterator[steps.Steps]:
    """The places of the pod, or of each template of pods, in an object of any API group."""
    kind, (group, slash, _) = raw.get("kind"), str(raw.get("apiVersion")).rpartition("/")
    if slash and group not in _GROUPS:
        yield from (place for place, _ in _templates(raw.get("spec"), ("spec",)))
    elif kind in KINDS:
        yield () if kind == "Pod" else ("spec", "jobTemplate", "spec", "template") if kind == "CronJob" else ("spec", "template")


def _templates(part: object, at: steps.Steps) -> Iterator[tuple[steps.Steps, Mapping[str, object]]]:
    """The templates of pods in a part of an object, to a depth, each with its place."""
    for key, value in (*steps.mapping(part).items(), *enumerate(steps.sequence(part))) if len(at) <= _DEEPEST else ():
        found = steps.mapping(value)
        if str(key).lower().endswith("template") and isinstance(steps.mapping(found.get("spec")).get("containers"), list):
            yield (*at, key), found
        else:
            yield from _templates(value, (*at, key))


_FIELDS: Final = "kubernetes_fields.txt"
_OF_ANY: Final = ("apiVersion", "kind", "status")
_SPINE: Final = ("metadata", "spec", "template", "jobTemplate", "containers")
"""Objects that every workload has: a field of another branch is not looked for elsewhere than on the way to these."""
_DEEP: Final = 4
"""So many levels below an object a field is looked for that is at the wrong level."""
_Fields: TypeAlias = Mapping[str, str]


class _Misfit(NamedTuple):
    """A field that the API server does not know, or of another type: `kubectl` has it validate strictly."""

    field: InvalidField
    certain: bool = True
    """Whether every API server rejects it. An API server that is newer than the table can know it otherwise."""


class _Level(NamedTuple):
    """An object within a workload, and its type."""

    path: Path
    fields: _Fields


@cache
def _types() -> Mapping[str, _Fields]:
    """The fields of each type with their types."""
    return {name: dict(field.split("=", 1) for field in fields) for name, *fields in map(tuple, rows_of(_FIELDS))}


def _misfits_in(of: str, value: object, path: Path, within: tuple[_Level, ...]) -> Iterator[_Misfit]:
    if value is None or of == "any":
        return
    fields = _types().get(of)
    expected, is_right = _FORMS.get(of[0] if of[0] in "[{" else of, _FORMS["{"])
    if not is_right(value):
        yield _Misfit(InvalidField(path, f"is `{json.dumps(value, default=str):.40}`, and must be {expected}"))
    elif isinstance(value, LISTS):
        for index, each in enumerate(cast("Iterable[object]", value)):
            yield from _misfits_in(of[1:-1], each, (*path, index), within)
    elif isinstance(value, OBJECTS):
        levels = within if fields is None else (*within, _Level(path, fields))
        for key, each in cast("Mapping[str, object]", value).items():
            inner = of[1:-1] if fields is None else fields.get(key)
            if inner is None:
                yield _unknown(key, levels)
            elif not (inner in _PLAIN and _FORMS[inner][1](each)):
                yield from _misfits_in(inner, each, (*path, key), levels)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) or not isinstance(value, bool | int | float | list | tuple | Mapping)


_FORMS: Final[Mapping[str, tuple[str, Callable[[object], bool]]]] = {
    "[": ("a list", lambda value: isinstance(value, LISTS)),
    "{": ("an object", lambda value: isinstance(value, OBJECTS)),
    "text": ("text: put it in quotes", _is_text),
    "time": ("a time", _is_text),
    "quantity": ("an amount", lambda value: _is_text(value) or _is_number(value)),
    "flag": ("`true` or `false`", lambda value: isinstance(value, bool)),
    "number": ("a number without quotes", _is_number),
}
"""What each type is, and whether a value has it."""
_PLAIN: Final = frozenset({"text", "time", "quantity", "flag", "number"})


def _unknown(key: str, levels: tuple[_Level, ...]) -> _Misfit:
    """A field that the type does not have: a name that is nearly right, a field of another level, or a later one."""
    at = (*levels[-1].path, key)
    near = nearest(str(key), levels[-1].fields)
    for level in reversed(levels) if key not in _OF_ANY else ():
        if place := _below(key, level.fields, whole=not near and level is levels[-1]):
            where = "".join("[]" if isinstance(step, int) else f".{step}" for step in (*level.path, *place)).removeprefix(".")
            return _Misfit(InvalidField(at, f"is not a field here: move it to `{where}`"))
    if near:
        return _Misfit(InvalidField(at, f"is not a field: use `{near}`"))
    others = any(key in fields for name, fields in _types().items() if name.removesuffix("Spec") in KINDS)
    return _Misfit(InvalidField(at, "is not a field here: remove it" if others else "is not a known field"), certain=others)


def _below(key: str, fields: _Fields, *, whole: bool) -> tuple[str, ...] | None:
    """The path of a field in the objects below one of a type: in all, or in those that every workload has."""
    level: list[tuple[tuple[str, ...], _Fields]] = [((), fields)]
    for _ in range(_DEEP):
        for path, found in level:
            if key in found:
                return (*path, key)
        level = [
            ((*path, f"{name}[]" if of[0] == "[" else name), inner)
            for path, found in level
            for name, of in found.items()
            if (whole or name in _SPINE) and (inner := _types().get(of.strip("[]{}")))
        ]
    return None


def _not_known(fields: Iterable[InvalidField]) -> Iterator[Hold]:
    for field in fields:
        minor = origin_of(_FIELDS).split()[4].partition(".")[0]
        message = f"{field} of Kubernetes 1.{minor}: API servers that lack it reject the object"
        yield Hold(message, f"Remove `{field.path[-1]}`, or try `kubectl apply --dry-run=server`")


def _template(kind: str, raw: Mapping[str, object]) -> Mapping[str, object] | None:
    """The pod, or its template, in an object with this `kind`; `None` if it creates no pods."""
    if kind not in KINDS:
        return None
    if kind == "Pod":
        return raw
    return mapping(_job_spec(kind, raw), "template")


def _job_spec(kind: str, raw: Mapping[str, object]) -> Mapping[str, object]:
    spec = mapping(raw, "spec")
    return mapping(mapping(spec, "jobTemplate"), "spec") if kind == "CronJob" else spec


def _replicas(kind: str, raw: Mapping[str, object]) -> int | None:
    if kind == "DaemonSet":
        return None
    if _is_finished(kind, mapping(raw, "status")):
        return 0
    spec = _job_spec(kind, raw)
    if kind not in ("Job", "CronJob"):
        return _number(spec.get("replicas"))
    return min(_number(spec.get("parallelism")), _number(spec.get("completions"), unset=sys.maxsize))


def _is_finished(kind: str, status: Mapping[str, object]) -> bool:
    """A pod or Job that has run, whose pods no node runs any more."""
    if kind == "Pod":
        return status.get("phase") in ("Succeeded", "Failed")
    ended = [one.get("type") for one in entries(status, "conditions") if one.get("status") == "True"] if kind == "Job" else []
    return "Complete" in ended or "Failed" in ended


def _order(kind: str, spec: Mapping[str, object]) -> tuple[bool, int]:
    """Whether pods are created one after another, and the ordinal of the first."""
    if kind != "StatefulSet":
        return False, 0
    return spec.get("podManagementPolicy") != "Parallel", _number(mapping(spec, "ordinals").get("start"), unset=0)


def _pauses(kind: str, raw: Mapping[str, object]) -> Iterator[Hold]:
    if kind == "Deployment" and mapping(raw, "spec").get("paused") is True:
        yield Hold("the Deployment is paused: it creates no ReplicaSet for this template before `paused` is `false`", "Remove `paused`")
    manager = text(_job_spec(kind, raw).get("managedBy"), "managedBy") if kind in ("Job", "CronJob") else ""
    if manager not in ("", "kubernetes.io/job-controller"):
        message = f"`managedBy` is `{manager}`: its controller creates the pods, in this cluster or in another one"
        yield Hold(message, "Remove `managedBy`, or explain the pods that it creates")


def _holds(pod: Pod, template: Mapping[str, object], owner: Mapping[str, object], *, exists: bool) -> Iterator[Hold]:
    """What decides whether pods are scheduled, and is not modeled."""
    labels = {**mapping(mapping(template, "metadata"), "labels"), **mapping(owner, "labels")}
    if pod.gated:
        yield Hold("the pods have scheduling gates: they stay Pending until these are removed", "Remove `schedulingGates`")
    if pod.scheduler != "default-scheduler":
        yield Hold(f"`spec.schedulerName` is `{pod.scheduler}`: its decisions cannot be determined offline")
    if pod.node_name and not exists:
        yield Hold(f"`spec.nodeName` is `{pod.node_name}`: the pods run there if that node exists and has room, and no scheduler is involved")
    yield from _group(template)
    if _GANG in labels:
        yield Hold("the pods belong to a group that another scheduler starts as a whole or not at all: whether it does cannot be determined offline")
    if _QUEUE in labels:
        get = f"`kubectl get workloads.kueue.x-k8s.io,localqueues,clusterqueues -n {text(owner.get('namespace'), 'namespace') or 'default'} -o yaml`"
        message = f"Kueue admits the pods in queue `{labels[_QUEUE]}`: its quota cannot be determined offline"
        yield Hold(message, f"See whether their Workload is `Admitted`: {get}")
    if any(toleration.operator in ("Gt", "Lt") for toleration in pod.tolerations):
        gate = "gate TaintTolerationComparisonOperators, off by default in Kubernetes 1.37"
        yield Hold(f"tolerations with `Gt` or `Lt` ({gate}): without the gate the API server rejects the pods", "Use `Equal` or `Exists`")


def _group(template: Mapping[str, object]) -> Iterator[Hold]:
    name = text(mapping(mapping(template, "spec"), "schedulingGroup").get("podGroupName"), "podGroupName")
    if name:
        yield Hold(f"the pods belong to PodGroup `{name}`, which is scheduled as a whole or not at all", group=(name, None))


def _unschedulable(kind: str, raw: Mapping[str, object]) -> str:
    """The condition that kube-scheduler writes into a pod."""
    for condition in entries(mapping(raw, "status"), "conditions") if kind == "Pod" else ():
        if (condition.get("type"), condition.get("reason"), condition.get("status")) == ("PodScheduled", "Unschedulable", "False"):
            return text(condition.get("message"), "message")
    return ""


def _controllers(metadata: Mapping[str, object]) -> tuple[Controller, ...]:
    """What created an object: its controller, and what created the controller of a pod, which its name tells."""
    for owner in entries(metadata, "ownerReferences"):
        if owner.get("controller") is True:
            kind, name = text(owner.get("kind"), "kind"), text(owner.get("name"), "name")
            built_in = owner.get("apiVersion") in _BUILT_IN
            (above, _, suffix), labels = name.rpartition("-"), mapping(metadata, "labels")
            creators = {"ReplicaSet": "Rollout" if _OF_ROLLOUT in labels else "Deployment", "Job": "CronJob"}
            certain = built_in and suffix == labels.get(_OF_ROLLOUT, labels.get("pod-template-hash"))
            of_above = (Controller(creators[kind], above, certain),) if kind in creators and above else ()
            others = (Controller(of, str(labels[label]), certain=False) for of, label in _NAMED.items() if label in labels)
            return (Controller(kind, name, built_in), *of_above, *others)
    return ()


def _number(written: object, unset: int = 1) -> int:
    return written if isinstance(written, int) else unset
