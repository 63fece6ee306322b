"""What the API server changes in new pods, and which it rejects, by the other objects of the input.

Sources: Kubernetes 1.36, `plugin/pkg/admission/limitranger`, `resourcequota`, `runtimeclass`, `podnodeselector`, `priority`; which of them a cloud
enables: docs/facts/eks.md § 19, docs/facts/aks.md § 3.9. Pods that exist have been through it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nodepools.model.kubernetes.admission_objects import (
    ALLOWED_TOLERATIONS,
    DEFAULT_TOLERATIONS,
    SYSTEM_CLASSES,
    LimitRange,
    Limits,
    PodSecurity,
    Quota,
    VerticalScaler,
)
from nodepools.model.kubernetes.pod import (
    UNBOUNDED,
    Expression,
    Requests,
    of_the_pod,
    pod_limits,
    pod_requests,
    read_pod,
    thousandths,
    whole_pod,
    with_pod_requests,
)
from nodepools.model.kubernetes.pod_validation import pod_resources
from nodepools.model.kubernetes.raw_fields import entries, mapping, text
from nodepools.model.kubernetes.validated_part import Part
from nodepools.model.listing import listed, quoted, saved
from nodepools.placement.allocatable import spelled
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.workload import Hold, Resized, Workload

_CONTAINERS: Final = ("containers", "initContainers")
_PREEMPTS: Final = "PreemptLowerPriority"
_EACH: Final = 1000
_SHOWN: Final = 3
_CLAIM: Final = "PersistentVolumeClaim"
_OF_CLASS: Final = ".storageclass.storage.k8s.io/"
_GROUPS: Final = {"Deployment": ".apps", "StatefulSet": ".apps", "DaemonSet": ".apps", "ReplicaSet": ".apps", "Job": ".batch", "CronJob": ".batch"}
"""API groups of the kinds whose number a ResourceQuota can limit."""
_MAKES: Final = {"Deployment": ("ReplicaSet",), "CronJob": ("Job",)}
_MUST_SPECIFY: Final = ("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")
"""Resources of a ResourceQuota that each container must then specify."""

_RESTARTS: Final = "restart rules"
_GATES: Final = {
    "resources": (34, "`spec.resources` of a pod (gate PodLevelResources)"),
    _RESTARTS: (35, "`restartPolicy` or `restartPolicyRules` of a container (gate ContainerRestartRules)"),
    "schedulingGroup": (37, "`spec.schedulingGroup` of a pod (gate GenericWorkload)"),
}
"""By field, the first minor version in which its gate is beta. Source: feature gates of Kubernetes 1.37; KEP-2837, KEP-5307, KEP-4671; 2026-11."""

_CONTAINERS_FIRST: Final = 37
"""The minor version from which containers get requests before the pod as a whole. Source: gate PodLevelResourcesFixDefaulting, 2026-11."""


@dataclass
class _New:
    """A new pod on its way through the API server."""

    spec: dict[str, object]
    holds: list[Hold] = field(default_factory=list[Hold])
    imposed: frozenset[str] = frozenset()
    """The labels in its node selector that other objects add."""

    def reject(self, message: str, fix: str = "") -> None:
        """The API server rejects the pod."""
        self.holds.append(Hold(f"the API server rejects the pods: {message}", fix, maximum=0))

    def doubt(self, message: str, fix: str = "") -> None:
        """What decides is not in the input."""
        self.holds.append(Hold(message, fix))

    def select(self, labels: Mapping[str, str], of: str) -> None:
        """Adds labels to the node selector. The pod is read as it is once a conflict is solved: before that, the API server rejects it."""
        own = mapping(self.spec, "nodeSelector")
        conflicts = [key for key, value in labels.items() if own.get(key, value) != value]
        for key in conflicts:
            self.reject(f"{of} selects nodes with `{key}={labels[key]}`, the pod with `{key}={own[key]}`", f"Select `{key}={labels[key]}`")
        self.spec["nodeSelector"] = {**own, **labels}
        self.imposed = self.imposed.union(labels)


def _lacking(workload: Workload, minor: int | None) -> list[str]:
    """The fields of the pods that the cluster does not have yet."""
    if minor is None or workload.exists or workload.template is None:
        return []
    spec = mapping(workload.template, "spec")
    sidecars = [one for one in entries(spec, "initContainers") if one.get("restartPolicy") == "Always" and "restartPolicyRules" not in one]
    rules = (one for name in _CONTAINERS for one in entries(spec, name) if one not in sidecars)
    used = {**spec, _RESTARTS: any("restartPolicy" in one or "restartPolicyRules" in one for one in rules)}
    return [name for name, (since, _) in _GATES.items() if minor < since and used.get(name)]


def _with_gates(workload: Workload, lacking: Sequence[str], minor: int | None) -> Workload:
    """The workload without these fields: its API server drops them, or rejects the pods."""
    if not lacking:
        return workload
    holds = [hold for hold in workload.holds if hold.group is None or "schedulingGroup" not in lacking]
    for since, what in (_GATES[name] for name in lacking):
        message = f"{what} needs Kubernetes 1.{since}, and 1.{minor} is declared: its API server drops the field or rejects the pods"
        holds.append(Hold(message, f"Remove {what.partition(' of ')[0]}, or upgrade the cluster"))
    spec = _without(mapping(workload.template or {}, "spec"), lacking)
    return replace(workload, pod=read_pod(spec, of_daemon_set=workload.is_daemon), holds=tuple(holds))


def _without(spec: Mapping[str, object], names: Sequence[str]) -> dict[str, object]:
    return {key: value for key, value in spec.items() if key not in names}


def admitted(
    workloads: Sequence[Workload], objects: WorkloadObjects, *, adds_node_selectors: bool | None, minor: int | None = None
) -> list[Workload]:
    """The workloads with their pods as the API server creates them.

    `adds_node_selectors`: it reads the annotation of Namespaces; `None`: not known. `minor` is the version of Kubernetes.
    """
    found: list[tuple[Workload, Mapping[str, object] | None]] = []
    for workload in workloads:
        lacking = _lacking(workload, minor)
        grouped = _grouped(_with_gates(objects.in_namespace(workload), lacking, minor), objects)
        found.append(_admit(grouped, objects, lacking, adds_node_selectors=adds_node_selectors, minor=minor))
    if not objects.quotas:
        return [workload for workload, _ in found]
    counted = [(quota, _Using(list(_counted(found, quota, objects)))) for quota in objects.quotas]
    kinds = Counter((workload.namespace, kind) for workload, spec in found if spec is not None for kind in _kinds(workload))
    return [
        workload if spec is None else replace(workload, holds=(*workload.holds, *_quotas(workload, spec, objects, kinds, counted)))
        for workload, spec in found
    ]


def _admit(
    workload: Workload, objects: WorkloadObjects, lacking: Sequence[str], *, adds_node_selectors: bool | None, minor: int | None
) -> tuple[Workload, Mapping[str, object] | None]:
    """The workload, and the spec of its pods without the fields that the cluster lacks; `None` if these exist."""
    if workload.exists or workload.template is None:
        return workload, None
    spec = _without(mapping(workload.template, "spec"), lacking)
    pod = _New(dict(spec))
    ranges = [found for found in objects.limit_ranges if found.namespace == workload.namespace]
    workload = replace(workload, floor=_floor(spec, ranges)) if ranges else workload
    _limit(pod, ranges, minor)
    for wrong in pod_resources(Part(("spec",), pod.spec)):
        pod.reject(str(wrong), "Change the resources of the pod and its containers, or the LimitRange that sets them")
    if (enforced := objects.pod_security.get(workload.namespace)) is not None:
        _secure(pod, enforced)
    _limit_claims(pod, workload, objects)
    _prioritize(pod, workload.pod.priority_class, objects)
    _run(pod, workload.pod.runtime_class, objects)
    overhead = mapping(pod.spec, "overhead")
    workload = replace(workload, overhead=tuple((name, thousandths(amount, name)) for name, amount in overhead.items())) if overhead else workload
    selector = objects.node_selectors.get(workload.namespace)
    if selector and adds_node_selectors is None:
        pod.doubt(f"whether the node selector of Namespace `{workload.namespace}` applies depends on the cloud: AKS adds it, EKS does not")
    elif selector and adds_node_selectors:
        pod.select(selector, f"Namespace `{workload.namespace}`")
    _restrict(pod, workload, objects)
    scaler = objects.resized.get((workload.namespace, workload.kind, workload.name))
    if scaler is not None:
        if ranges:
            scaler = replace(scaler, targets={})  # it can lower or raise what is recommended
        workload = replace(workload, resized=_resized(pod.spec, scaler, of_daemon_set=workload.is_daemon))
        if workload.resized is None:
            pod.spec = dict(scaler.lowest(pod.spec))
    if pod.spec == spec:
        return (replace(workload, holds=(*workload.holds, *pod.holds)) if pod.holds else workload), spec
    read = read_pod(pod.spec, of_daemon_set=workload.is_daemon)
    return replace(workload, pod=read, imposed=pod.imposed, holds=(*workload.holds, *pod.holds)), pod.spec


def _grouped(workload: Workload, objects: WorkloadObjects) -> Workload:
    """The workload with the PodGroup of its pods, without it if this schedules them one by one."""
    old = next((hold for hold in workload.holds if hold.group is not None), None)
    if old is None or old.group is None or workload.exists:
        return workload
    name, holds = old.group[0], [hold for hold in workload.holds if hold is not old]
    group = objects.pod_groups.get((workload.namespace, name))
    if group is None:
        fix = _get("podgroup", f"{name} -n {workload.namespace}")
        holds.append(replace(old, message=f"{old.message}, and is not in the input: without it the pods wait", fix=fix))
    elif group.unclear:
        holds.append(replace(old, message=f"{old.message}: what its {quoted(group.unclear, _SHOWN)} decides is not determined here"))
    elif group.least > 1:
        holds.append(replace(old, group=(name, group)))
    return replace(workload, holds=tuple(holds))


def _resized(spec: Mapping[str, object], scaler: VerticalScaler, *, of_daemon_set: bool) -> Resized | None:
    lowest, highest = (read_pod(resized, of_daemon_set=of_daemon_set) for resized in (scaler.lowest(spec), scaler.highest(spec)))
    message = f"VerticalPodAutoscaler `{scaler.name}` sets the requests of new pods, which cannot be determined offline"
    return Resized(lowest, highest, message) if lowest != highest else None


def _restrict(pod: _New, workload: Workload, objects: WorkloadObjects) -> None:
    """What the Namespace allows. Tolerations that it adds are added: with more of them, fewer pools are certain not to fit."""
    if workload.namespace in objects.ending:
        pod.reject(f"Namespace `{workload.namespace}` is being deleted, and accepts no new objects", "Use another namespace, or create it again")
    found = objects.tolerations.get(workload.namespace, {})
    added = [toleration for toleration in found.get(DEFAULT_TOLERATIONS, ()) if toleration not in entries(pod.spec, "tolerations")]
    if added:
        pod.spec["tolerations"] = [*entries(pod.spec, "tolerations"), *added]
    if added or ALLOWED_TOLERATIONS in found:
        effect = "adds tolerations to" if added else "restricts the tolerations of"
        pod.doubt(f"Namespace `{workload.namespace}` {effect} the pods only if the API server runs PodTolerationRestriction: not known offline")


def _secure(pod: _New, enforced: PodSecurity) -> None:
    """The Pod Security Standard of the Namespace."""
    found = list(enforced.violations(pod.spec))
    if not found:
        return
    why = f"the Namespace enforces Pod Security Standard `{enforced.level}`: {listed(found, _SHOWN)}"
    if enforced.is_latest:
        pod.reject(why, "Change the pods, or the label of the Namespace")
    else:
        pod.doubt(f"{why}; whether version `{enforced.version}` checks it is not determined here")


def _limit_claims(pod: _New, workload: Workload, objects: WorkloadObjects) -> None:
    """Limits on the size of claims that are created for the pods."""
    if not any(use.created for use in workload.lifecycle.volumes):
        return
    within = [found for found in objects.limit_ranges if found.namespace == workload.namespace]
    ranges = [found.name for found in within if any(each.type == _CLAIM and (each.minimum or each.maximum) for each in found.limits)]
    hard = ((found.name, name) for found in objects.quotas if found.namespace == workload.namespace for name in found.hard)
    quotas = list(dict.fromkeys(quota for quota, name in hard if name == "requests.storage" or _OF_CLASS in name))
    for kind, names in (("LimitRange", ranges), ("ResourceQuota", quotas)):
        if names:
            message = f"{kind} {quoted(names, _SHOWN)} limits the storage of PersistentVolumeClaims"
            pod.doubt(f"{message}: whether it allows those of the pods is not determined here")


def _prioritize(pod: _New, name: str, objects: WorkloadObjects) -> None:
    """The priority of its class, or of the default class: of several, the lowest."""
    known = {**SYSTEM_CLASSES, **objects.priority_classes}
    defaults = [each for each in known.values() if each.is_default]
    found = known.get(name) if name else min(defaults, key=lambda each: each.value, default=None)
    of = f"PriorityClass `{found.name}`" if found is not None else ""
    written = pod.spec.get("priority")
    if found is not None and written not in (None, found.value):
        pod.reject(f"`spec.priority` is `{written}`, and that of {of} is `{found.value}`", "Remove `priority`: the API server sets it")
    elif found is None and not name and written not in (None, 0):
        pod.doubt(f"the API server rejects `spec.priority: {written}`, unless a default PriorityClass has this value", "Remove `priority`")
    preemption = pod.spec.get("preemptionPolicy")
    if found is not None and preemption not in (None, found.preemption or _PREEMPTS):
        message = f"`spec.preemptionPolicy` is `{preemption}`, and that of {of} is `{found.preemption or _PREEMPTS}`"
        pod.reject(message, "Remove `preemptionPolicy`: the API server sets it")
    if found is not None:
        pod.spec |= {"priority": found.value, "priorityClassName": found.name}
        pod.spec.setdefault("preemptionPolicy", found.preemption)
    elif name:
        pod.doubt(f"PriorityClass `{name}` is not in the input: if it does not exist, the API server rejects the pods", _get("priorityclass", name))


def _get(kind: str, name: str) -> str:
    return saved(f"`kubectl get {kind} {name} -o yaml`")


def _run(pod: _New, name: str, objects: WorkloadObjects) -> None:
    """The overhead, nodes and tolerations of a RuntimeClass."""
    overhead = mapping(pod.spec, "overhead")
    found = objects.runtime_classes.get(name)
    if found is None:
        if name:
            pod.doubt(f"RuntimeClass `{name}` is not in the input: it decides the overhead and the nodes of the pods", _get("runtimeclass", name))
        elif overhead:
            pod.reject("`spec.overhead` is set without `runtimeClassName`", "Remove `overhead`")
        return
    if overhead and len({frozenset((key, thousandths(value, key)) for key, value in one.items()) for one in (overhead, found.overhead)}) > 1:
        pod.reject(f"`spec.overhead` is not that of RuntimeClass `{name}`", "Remove `overhead`: the API server sets it")
    pod.spec["overhead"] = found.overhead
    pod.spec["tolerations"] = [*entries(pod.spec, "tolerations"), *found.tolerations]
    pod.select(found.selector, f"RuntimeClass `{name}`")


def _limit(pod: _New, ranges: Sequence[LimitRange], minor: int | None) -> None:
    """Sets defaults in containers, and rejects what is outside the limits."""
    every = [(found, limits) for found in ranges for limits in found.limits]
    defaults = [limits for _, limits in every if limits.type == "Container" and limits.default_request]
    if not every:
        return
    names = ", ".join(f"`{found.name}`" for found in ranges)
    if len(defaults) > 1 and any(limits != defaults[0] for limits in defaults):
        pod.doubt(f"which defaults of LimitRanges {names} the pods get is not defined", "Keep one LimitRange with defaults in the namespace")
    own = {name: [_with_defaults(container, defaults) for container in entries(pod.spec, name)] for name in _CONTAINERS if name in pod.spec}
    variants = [dict(with_pod_requests({**pod.spec, **own})), {**with_pod_requests(pod.spec), **own}]
    if minor is not None or variants[0] == variants[1]:
        variants = [variants[(minor or 0) < _CONTAINERS_FIRST]]
    else:
        pod.doubt(f"Kubernetes before 1.37 sets requests of the pod as a whole before LimitRanges {names} set those of containers, others later")
    pod.spec = variants[0]
    wrong, *others = (list(_forbidden(spec, every, names if defaults else "")) for spec in variants)
    for message, fix in wrong:
        if all((message, fix) in other for other in others):
            pod.reject(message, fix)


def _forbidden(spec: Mapping[str, object], every: Sequence[tuple[LimitRange, Limits]], with_defaults: str) -> Iterator[tuple[str, str]]:
    """What the limits reject; `with_defaults`: the LimitRanges, if one sets defaults."""
    outside = [f"LimitRange `{found.name}`: {message}" for found, limits in every for message in _outside(spec, limits)]
    fix = "Request less" if outside else "Set the limit in the container, or request less"  # a higher limit can be outside too
    yield from ((f"LimitRange {with_defaults}: {message}", fix) for message in (_above_their_limit(spec) if with_defaults else ()))
    yield from ((message, "Change the resources of the pods, or the LimitRange") for message in outside)


def _floor(spec: Mapping[str, object], ranges: Sequence[LimitRange]) -> Requests:
    """What the containers of a pod must request together. A ratio of limits to requests lets no request become smaller."""
    found: dict[str, int] = {}
    for limits in (limits for one in ranges for limits in one.limits if limits.type in ("Container", "Pod")):
        many = len(entries(spec, "containers")) if limits.type == "Container" else 1
        of_ratio = dict.fromkeys(limits.ratio, UNBOUNDED)
        for name, least in {**{name: least * many for name, least in limits.minimum.items()}, **of_ratio}.items():
            found[name] = max(found.get(name, 0), least)
    return tuple(sorted(found.items()))


def _with_defaults(container: Mapping[str, object], defaults: Sequence[Limits]) -> Mapping[str, object]:
    resources = mapping(container, "resources")
    limits = dict(mapping(resources, "limits"))
    requests = {**limits, **mapping(resources, "requests")}
    for found in defaults:
        limits = {**found.default, **limits}
        requests = {**found.default_request, **requests}
    return {**container, "resources": {**resources, "limits": limits, "requests": requests}}


def _above_their_limit(spec: Mapping[str, object]) -> Iterator[str]:
    """Containers that request more than their limit, once they have the defaults."""
    for container in (container for group in _CONTAINERS for container in entries(spec, group)):
        resources = mapping(container, "resources")
        most = mapping(resources, "limits")
        for name, requested in mapping(resources, "requests").items():
            if name in most and thousandths(requested, name) > thousandths(most[name], name):
                yield f"container `{container.get('name', '')}` requests {requested} {name}, and its limit is {most[name]}"


def _outside(spec: Mapping[str, object], limits: Limits) -> Iterator[str]:
    """Why a pod is outside an entry of a LimitRange."""
    if limits.type == "Container":
        for container in (container for name in _CONTAINERS for container in entries(spec, name)):
            resources = mapping(container, "resources")
            asked = {key: thousandths(value, key) for key, value in mapping(resources, "requests").items()}
            most = {key: thousandths(value, key) for key, value in mapping(resources, "limits").items()}
            yield from _beyond(f"container `{container.get('name', '')}`", asked, most, limits)
    elif limits.type == "Pod":
        yield from _beyond("the pod", *whole_pod(spec), limits)


def _beyond(of: str, requests: Mapping[str, int], most: Mapping[str, int], limits: Limits) -> Iterator[str]:
    for name, least in limits.minimum.items():
        if name not in requests or min(requests[name], most.get(name, requests[name])) < least:
            yield f"{of} must request at least {spelled(name, least)} {name}"
    for name, highest in limits.maximum.items():
        if name not in most or max(most[name], requests.get(name, 0)) > highest:
            yield f"{of} must have a limit of at most {spelled(name, highest)} {name}"
    for name, ratio in limits.ratio.items():
        if not requests.get(name) or not most.get(name) or most[name] * _EACH > ratio * requests[name]:
            yield f"the limit of {name} of {of} must be at most {spelled('', ratio)} times its request"


def _quotas(
    workload: Workload,
    spec: Mapping[str, object],
    objects: WorkloadObjects,
    kinds: Mapping[tuple[str, str], int],
    counted: Sequence[tuple[Quota, "_Using"]],
) -> Iterator[Hold]:
    for quota, using in counted:
        if quota.namespace != workload.namespace:
            continue
        counts = _is_counted(spec, quota, objects)
        if not quota.scopes:  # a quota with scopes counts no workloads
            yield from _objects(workload, quota, kinds)
        if counts is not False:
            found = _quota(workload, spec, quota, using)
            yield from found if counts else (_if_counted(hold) for hold in found)


def _if_counted(hold: Hold) -> Hold:
    message = f"{hold.message}, and whether it counts the pods depends on the default PriorityClass"
    return replace(hold, message=message, fix=saved("`kubectl get priorityclass -o yaml`"), maximum=None)


def _is_counted(spec: Mapping[str, object], quota: Quota, objects: WorkloadObjects) -> bool | None:
    """Whether a pod is in all scopes of a quota. Source: Kubernetes 1.36, `pkg/quota/v1/evaluator/core/pods.go`, podMatchesScopeFunc."""
    found = [_is_in(scope, spec, objects) for scope in quota.scopes]
    return False if False in found else None if None in found else True


_OF_EVERY_CLUSTER: Final = "system-node-critical"
"""An export with this PriorityClass has all: without it, one that the input lacks can be the default."""


def _is_in(scope: Expression, spec: Mapping[str, object], objects: WorkloadObjects) -> bool | None:
    match scope.key:
        case "Terminating" | "NotTerminating":
            return (spec.get("activeDeadlineSeconds") is not None) is (scope.key == "Terminating")
        case "BestEffort" | "NotBestEffort":
            return any(amounts.get(name) for amounts in whole_pod(spec) for name in ("cpu", "memory")) is (scope.key == "NotBestEffort")
        case "CrossNamespacePodAffinity":
            return any(term.get("namespaces") or term.get("namespaceSelector") is not None for term in _pod_terms(spec))
        case "PriorityClass":
            name = text(spec.get("priorityClassName"), "priorityClassName")
            return scope.matches(name if name else None) if name or _OF_EVERY_CLUSTER in objects.priority_classes else None
        case _:  # VolumeAttributesClass counts claims
            return False


def _pod_terms(spec: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The terms of affinity and anti-affinity to pods, preferred ones too."""
    for kind in ("podAffinity", "podAntiAffinity"):
        found = mapping(mapping(spec, "affinity"), kind)
        yield from entries(found, "requiredDuringSchedulingIgnoredDuringExecution")
        yield from (mapping(entry, "podAffinityTerm") for entry in entries(found, "preferredDuringSchedulingIgnoredDuringExecution"))


def _objects(workload: Workload, quota: Quota, kinds: Mapping[tuple[str, str], int]) -> Iterator[Hold]:
    """A quota on the number of Deployments, Jobs and other workloads, or of what they create to create pods."""
    for kind in () if workload.kind == "Pod" else _kinds(workload):
        yield from _number(workload, quota, kinds[workload.namespace, kind], kind)


def _kinds(workload: Workload) -> tuple[str, ...]:
    return workload.kind, *_MAKES.get(workload.kind, ())


def _number(workload: Workload, quota: Quota, same: int, kind: str) -> Iterator[Hold]:
    name = f"count/{kind.lower()}s{_GROUPS.get(kind, '')}"
    if name not in quota.hard:
        return
    left = (quota.hard[name] - quota.used.get(name, 0)) // _EACH
    message = f"ResourceQuota `{quota.name}` allows `{name}: {spelled('', quota.hard[name])}` in namespace `{quota.namespace}`"
    if left <= 0 or same > left:
        counts_some = quota.used.get(name, 0) > 0  # those of the input can be among them
        most = None if counts_some else 0 if left <= 0 else workload.replicas
        yield Hold(message, "Raise the quota", maximum=most, share=None if counts_some or left <= 0 else (message, left, 0))


def _quota(workload: Workload, spec: Mapping[str, object], quota: Quota, using: "_Using") -> Iterator[Hold]:
    missing = _unspecified(spec, quota)
    if missing:
        named = ", ".join(f"`{name}`" for name in missing)
        message = f"the API server rejects the pods: ResourceQuota `{quota.name}` limits {named}, so each container must specify it"
        yield Hold(message, "Set requests and limits, or defaults in a LimitRange", maximum=0)
        return
    own = using.of_each(workload, spec)
    for name, hard in quota.hard.items():
        if each := own.get(name, 0):
            taken, by_daemons = using.of_others(workload, name)
            many = workload.is_daemon or by_daemons  # one pod for each node, however many there are
            amount = spelled(name.removeprefix("requests.").removeprefix("limits."), hard)
            message = f"ResourceQuota `{quota.name}` allows `{name}: {amount}` in namespace `{quota.namespace}`"
            left = hard - max(workload.running * each, quota.used.get(name, 0))
            least = 0 if many else max((left - taken) // each, 0)
            share = None if many else (message, left, each)
            yield Hold(message, "Raise the quota, or request less", maximum=max(left // each, 0), minimum=least, share=share)


def _unspecified(spec: Mapping[str, object], quota: Quota) -> Sequence[str]:
    """The resources that a ResourceQuota limits and that not every container specifies: the API server then rejects a pod without its own."""
    if any(of_the_pod(spec, name) for name in ("requests", "limits")):
        return []
    return [name for name in _MUST_SPECIFY if name in quota.hard and not _specifies(spec, name)]


class _Using:
    """What new pods use of a quota, summed once for all of them."""

    def __init__(self, found: Sequence[tuple[Workload, Mapping[str, int]]]) -> None:
        self._own: Final = {id(workload): use for workload, use in found}
        self._taken: Final[Counter[str]] = Counter()
        self._daemons: Final[Counter[str]] = Counter()
        for workload, use in found:
            self._taken.update({name: amount * (workload.unplaced or 0) for name, amount in use.items()})
            self._daemons.update(name for name, amount in use.items() if amount and workload.is_daemon)

    def of_each(self, workload: Workload, spec: Mapping[str, object]) -> Mapping[str, int]:
        """What one pod of a workload uses, counted or not."""
        return self._own.get(id(workload)) or _use_of(workload, spec)

    def of_others(self, workload: Workload, name: str) -> tuple[int, bool]:
        """What others use of a resource, and whether DaemonSets are among them."""
        own = self._own.get(id(workload), {}).get(name, 0)
        return self._taken[name] - own * (workload.unplaced or 0), self._daemons[name] > bool(own and workload.is_daemon)


def _counted(
    every: Sequence[tuple[Workload, Mapping[str, object] | None]], quota: Quota, objects: WorkloadObjects
) -> Iterator[tuple[Workload, Mapping[str, int]]]:
    """The new pods that the quota may count, and that the API server does not reject anyway, with what one of them uses."""
    for workload, spec in every:
        if workload.namespace != quota.namespace or spec is None or _unspecified(spec, quota) or any(hold.maximum == 0 for hold in workload.holds):
            continue
        if _is_counted(spec, quota, objects) is not False:
            yield workload, _use_of(workload, spec)


def _specifies(spec: Mapping[str, object], name: str) -> bool:
    """Each container has a request or limit of the resource."""
    of, _, resource = name.partition(".")
    each = [mapping(container, "resources") for group in _CONTAINERS for container in entries(spec, group)]
    asked = [{**mapping(resources, "limits"), **(mapping(resources, "requests") if of != "limits" else {})} for resources in each]
    return all((resource or of) in found for found in asked)


def _use_of(workload: Workload, spec: Mapping[str, object]) -> Mapping[str, int]:
    """The same with the claims that are created for the pod."""
    claims = sum(use.created for use in workload.lifecycle.volumes) * _EACH
    return {**_use(spec), "persistentvolumeclaims": claims, "count/persistentvolumeclaims": claims}


def _use(spec: Mapping[str, object]) -> Mapping[str, int]:
    """What one pod uses of a ResourceQuota."""
    requests, overhead = dict(pod_requests(spec)), mapping(spec, "overhead")
    limits = {name: amount + thousandths(overhead.get(name), name) for name, amount in pod_limits(spec).items()}
    return {
        "pods": _EACH,
        "count/pods": _EACH,
        **requests,
        **{f"requests.{name}": amount for name, amount in requests.items()},
        **{f"limits.{name}": amount for name, amount in limits.items()},
    }
