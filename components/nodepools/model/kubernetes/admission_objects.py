"""Objects that change or reject new pods: limits, quotas, classes, what a Namespace asks for, and VerticalPodAutoscalers.

Source of the standards: https://kubernetes.io/docs/concepts/security/pod-security-standards, 2026-11, with the checks of Kubernetes 1.36. AKS and
EKS exempt no Namespace, user or RuntimeClass. Until a VerticalPodAutoscaler has a recommendation, pods are created as they are written; new pods then
request its target, within the bounds of the policy. Source: github.com/kubernetes/autoscaler, vertical-pod-autoscaler/docs/api.md and quickstart.md
(2026-11-27).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.kubernetes.label import is_namespace
from nodepools.model.kubernetes.pod import Expression, amounts_of, read_pod, thousandths
from nodepools.model.kubernetes.raw_fields import PodError, entries, flag, mapping, name_of, number, text, texts
from nodepools.model.values import dataclass, field

_EVERY: Final = "*"
_RESOURCES: Final = ("cpu", "memory")
_MOST: Final = "1E"
"""`UNBOUNDED` as it is written: it has no `maxAllowed`."""


@dataclass(frozen=True, slots=True)
class VerticalScaler:
    """A VerticalPodAutoscaler that changes requests."""

    name: str
    target: tuple[str, str, str]
    """Namespace, kind and name of the workload."""
    policies: Mapping[str, Mapping[str, object]]
    """By the name of a container."""
    targets: Mapping[str, Mapping[str, object]]
    """What it recommends, by the name of a container."""

    def lowest(self, spec: Mapping[str, object]) -> Mapping[str, object]:
        """The spec of a pod with the least requests."""
        return {**spec, "containers": [self._resized(container, "minAllowed", "0", -1) for container in entries(spec, "containers")]}

    def highest(self, spec: Mapping[str, object]) -> Mapping[str, object]:
        """The spec of a pod with the most requests."""
        return {**spec, "containers": [self._resized(container, "maxAllowed", _MOST, 1) for container in entries(spec, "containers")]}

    def _resized(self, container: Mapping[str, object], bound: str, without: str, sign: int) -> Mapping[str, object]:
        policy = self.policies.get(text(container.get("name"), "name"), self.policies.get(_EVERY, {}))
        if policy.get("mode") == "Off":
            return container
        target = self.targets.get(text(container.get("name"), "name"))
        if target is not None:
            return _requesting(container, {name: _within(policy, name, target[name]) for name in _controlled(policy) if name in target})
        resources, allowed = mapping(container, "resources"), mapping(policy, bound)
        before = {**mapping(resources, "limits"), **mapping(resources, "requests")}
        pairs = {name: (before.get(name, "0"), allowed.get(name, without)) for name in _controlled(policy)}
        after = {
            name: written if sign * (thousandths(written, name) - thousandths(limit, name)) > 0 else limit for name, (written, limit) in pairs.items()
        }
        return _requesting(container, after)


def _requesting(container: Mapping[str, object], amounts: Mapping[str, object]) -> Mapping[str, object]:
    resources = mapping(container, "resources")
    return {**container, "resources": {**resources, "requests": {**mapping(resources, "requests"), **amounts}}}


def _within(policy: Mapping[str, object], name: str, amount: object) -> object:
    """The amount within the bounds of a policy."""
    for bound, sign in (("minAllowed", 1), ("maxAllowed", -1)):
        limit = mapping(policy, bound).get(name, amount)
        amount = limit if sign * (thousandths(limit, name) - thousandths(amount, name)) > 0 else amount
    return amount


def _controlled(policy: Mapping[str, object]) -> Iterator[str]:
    named = texts(policy, "controlledResources") if policy.get("controlledResources") is not None else _RESOURCES
    return (name for name in _RESOURCES if name in named)


def read_vertical_scaler(raw: Mapping[str, object]) -> VerticalScaler | None:
    """Reads a raw VerticalPodAutoscaler; `None` if it only recommends.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    metadata, spec = mapping(raw, "metadata"), mapping(raw, "spec")
    policies = {text(each.get("containerName"), "containerName"): each for each in entries(mapping(spec, "resourcePolicy"), "containerPolicies")}
    for each in policies.values():
        for bound in ("minAllowed", "maxAllowed"):
            for name, amount in mapping(each, bound).items():
                thousandths(amount, name)
    recommended = entries(mapping(mapping(raw, "status"), "recommendation"), "containerRecommendations")
    targets = {text(each.get("containerName"), "containerName"): mapping(each, "target") for each in recommended}
    for target in targets.values():
        for name, amount in target.items():
            thousandths(amount, name)
    if mapping(spec, "updatePolicy").get("updateMode") == "Off":
        return None
    of = mapping(spec, "targetRef")
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    workload = namespace, text(of.get("kind"), "kind"), text(of.get("name"), "name")
    return VerticalScaler(text(metadata.get("name"), "name"), workload, policies, targets)


_LABEL: Final = "pod-security.kubernetes.io/enforce"
_CONTAINERS: Final = ("initContainers", "containers", "ephemeralContainers")
_HOST: Final = ("hostNetwork", "hostPID", "hostIPC")
_CAPABILITIES: Final = frozenset(
    {
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD"),
        *("NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    }
)
_SELINUX: Final = frozenset({"", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"})
_SYSCTLS: Final = frozenset(
    {
        *("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.ip_unprivileged_port_start"),
        *("net.ipv4.ping_group_range", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes"),
        *("net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_rmem", "net.ipv4.tcp_syncookies", "net.ipv4.tcp_wmem"),
    }
)
_VOLUMES: Final = frozenset(
    {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret", "name"}
)
Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PodSecurity:
    """The standard that a Namespace enforces."""

    level: str
    version: str = "latest"
    """Checks of other versions can be fewer."""

    @property
    def is_latest(self) -> bool:
        """All checks are those of today."""
        return self.version == "latest"

    def violations(self, spec: Raw) -> Iterator[str]:
        """Fields of a pod that the standard forbids, or requires."""
        yield from _baseline(spec)
        if self.level == "restricted":
            yield from _restricted(spec)


def read_pod_security(namespace: Raw) -> PodSecurity | None:
    """What the labels of a raw Namespace enforce; `None`: nothing that rejects pods.

    Raises:
        PodError: a label is not a text.
    """
    labels = mapping(mapping(namespace, "metadata"), "labels")
    level = text(labels.get(_LABEL), _LABEL)
    version = text(labels.get(f"{_LABEL}-version"), f"{_LABEL}-version")
    return PodSecurity(level, version or "latest") if level in ("baseline", "restricted") else None


def _baseline(spec: Raw) -> Iterator[str]:
    yield from (f"`{name}` is `true`" for name in _HOST if spec.get(name) is True)
    yield from (f"volume `{volume.get('name')}` is a `hostPath`" for volume in entries(spec, "volumes") if "hostPath" in volume)
    own = mapping(spec, "securityContext")
    yield from _context("the pod", own)
    sysctls = (text(entry.get("name"), "name") for entry in entries(own, "sysctls"))
    yield from (f"`sysctls` sets `{name}`" for name in sysctls if name not in _SYSCTLS)
    for container, context in _contexts(spec):
        yield from _container(container, context)


def _container(container: Raw, context: Raw) -> Iterator[str]:
    of = f"container `{container.get('name')}`"
    yield from _context(of, context)
    if context.get("privileged") is True:
        yield f"{of} is `privileged`"
    added = texts(mapping(context, "capabilities"), "add")
    yield from (f"{of} adds capability `{name}`" for name in added if name not in _CAPABILITIES)
    if context.get("procMount", "Default") != "Default":
        yield f"{of} sets `procMount`"
    if any(port.get("hostPort") for port in entries(container, "ports")):
        yield f"{of} uses a `hostPort`"
    handlers = ((name, mapping(handler, action)) for name, handler in _handlers(container) for action in ("httpGet", "tcpSocket"))
    yield from dict.fromkeys(f"{of} sets a `host` in `{name}`" for name, action in handlers if action.get("host"))


def _context(of: str, context: Raw) -> Iterator[str]:
    """What both a pod and a container can set."""
    if mapping(context, "windowsOptions").get("hostProcess") is True:
        yield f"{of} runs as a `hostProcess`"
    selinux = mapping(context, "seLinuxOptions")
    if selinux.get("type", "") not in _SELINUX or selinux.get("user") or selinux.get("role"):
        yield f"{of} sets `seLinuxOptions`"
    for name in ("seccompProfile", "appArmorProfile"):
        if mapping(context, name).get("type") == "Unconfined":
            yield f"the `{name}` of {of} is `Unconfined`"


def _handlers(container: Raw) -> Iterator[tuple[str, Raw]]:
    yield from ((name, mapping(container, name)) for name in ("livenessProbe", "readinessProbe", "startupProbe"))
    yield from ((name, mapping(mapping(container, "lifecycle"), name)) for name in ("postStart", "preStop"))


def _restricted(spec: Raw) -> Iterator[str]:
    for volume in entries(spec, "volumes"):
        yield from (f"volume `{volume.get('name')}` is a `{kind}`" for kind in volume if kind not in _VOLUMES and kind != "hostPath")
    own, on_linux = mapping(spec, "securityContext"), mapping(spec, "os").get("name") != "windows"
    for container, context in _contexts(spec):
        yield from _hardened(f"container `{container.get('name')}`", context, own, on_linux=on_linux)
    if own.get("runAsUser") == 0:
        yield "the pod runs as user 0"


def _hardened(of: str, context: Raw, pod: Raw, *, on_linux: bool) -> Iterator[str]:
    effective = {**pod, **{name: value for name, value in context.items() if value is not None}}
    if effective.get("runAsNonRoot") is not True:
        yield f"{of} or the pod must set `runAsNonRoot: true`"
    if context.get("runAsUser") == 0:
        yield f"{of} runs as user 0"
    if not on_linux:
        return
    capabilities = mapping(context, "capabilities")
    if context.get("allowPrivilegeEscalation") is not False:
        yield f"{of} must set `allowPrivilegeEscalation: false`"
    if mapping(effective, "seccompProfile").get("type") not in ("RuntimeDefault", "Localhost"):
        yield f"{of} or the pod must set a `seccompProfile`"
    if "ALL" not in texts(capabilities, "drop"):
        yield f"{of} must drop all capabilities"
    if not {*texts(capabilities, "add")} <= {"NET_BIND_SERVICE"}:
        yield f"{of} adds a capability other than `NET_BIND_SERVICE`"


def _contexts(spec: Raw) -> Iterator[tuple[Raw, Raw]]:
    """Each container, with its `securityContext`."""
    for container in (container for group in _CONTAINERS for container in entries(spec, group)):
        yield container, mapping(container, "securityContext")


_SYSTEM: Final = "system-"
_MAX_PRIORITY: Final = 1_000_000_000
"""Of a class that is not of Kubernetes."""
NODE_SELECTOR: Final = "scheduler.alpha.kubernetes.io/node-selector"
"""The annotation of a Namespace whose labels the admission plugin PodNodeSelector adds to the node selector of its pods."""
DEFAULT_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/defaultTolerations"
ALLOWED_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
"""Annotations of a Namespace: the tolerations that the admission plugin PodTolerationRestriction adds to its pods, and those that it allows."""
ADMISSION_KINDS: Final = frozenset({"LimitRange", "ResourceQuota", "RuntimeClass", "PriorityClass", "Namespace", "PodGroup"})


@dataclass(frozen=True, slots=True)
class PriorityClass:
    """The priority of pods, which decides whom kube-scheduler evicts for whom."""

    name: str
    value: int
    preemption: str = ""
    """`Never`: its pods evict none."""
    is_default: bool = False
    """It is that of pods that name no class."""


_COMPUTE: Final = ("pods", *(f"{of}{name}" for of in ("", "requests.", "limits.") for name in ("cpu", "memory")))
_SCOPES: Final = {
    **dict.fromkeys(("Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"), _COMPUTE),
    "BestEffort": ("pods",),
    "VolumeAttributesClass": ("persistentvolumeclaims", "requests.storage"),
}
"""The scopes of a ResourceQuota, with the resources of Kubernetes that it can limit there."""
COUNTED: Final = ("configmaps", "persistentvolumeclaims", "pods", "replicationcontrollers", "resourcequotas", "secrets", "services")
_OF_QUOTAS: Final = frozenset((*COUNTED, *_COMPUTE, "requests.storage", "services.nodeports", "services.loadbalancers")) | {
    f"{of}ephemeral-storage" for of in ("", "requests.", "limits.")
}


def is_of_quotas(name: str) -> bool:
    """A resource of Kubernetes that a ResourceQuota can limit."""
    return name in _OF_QUOTAS or name.removeprefix("requests.").startswith("hugepages-")


SYSTEM_CLASSES: Final = {
    name: PriorityClass(name, value) for name, value in (("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000))
}
"""Those that every cluster has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """One entry of a LimitRange, with the defaults that the API server gives it."""

    type: str
    """`Container`, `Pod` or `PersistentVolumeClaim`."""
    default: Mapping[str, object] = field(default_factory=dict[str, object])
    default_request: Mapping[str, object] = field(default_factory=dict[str, object])
    minimum: Mapping[str, int] = field(default_factory=dict[str, int])
    maximum: Mapping[str, int] = field(default_factory=dict[str, int])
    ratio: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many times its request a limit can be, in thousandths."""


@dataclass(frozen=True, slots=True)
class LimitRange:
    """A LimitRange."""

    name: str
    namespace: str
    limits: tuple[Limits, ...] = ()


@dataclass(frozen=True, slots=True)
class Quota:
    """A ResourceQuota."""

    name: str
    namespace: str
    hard: Mapping[str, int] = field(default_factory=dict[str, int])
    """In thousandths."""
    used: Mapping[str, int] = field(default_factory=dict[str, int])
    """What its pods use now, in thousandths, if it is of a running cluster."""
    scopes: tuple[Expression, ...] = ()
    """It counts only the objects that are in all of these; the key is the name of the scope."""


@dataclass(frozen=True, slots=True)
class RuntimeClass:
    """A RuntimeClass."""

    name: str
    selector: Mapping[str, str] = field(default_factory=dict[str, str])
    tolerations: Sequence[Mapping[str, object]] = ()
    overhead: Mapping[str, object] = field(default_factory=dict[str, object])


def read_limit_range(raw: Mapping[str, object]) -> LimitRange:
    """Reads a raw LimitRange.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    name, namespace = name_of(raw), _namespace(raw)
    kinds = [str(entry.get("type")) for entry in entries(mapping(raw, "spec"), "limits")]
    if twice := [kind for kind in kinds if kinds.count(kind) > 1]:
        raise PodError(f"`limits` must have one entry of each `type`, but has several of `{twice[0]}`")
    return LimitRange(name, namespace, tuple(map(_limits, entries(mapping(raw, "spec"), "limits"))))


def _in_order(*fields: tuple[str, Mapping[str, object]]) -> None:
    """None of the amounts is less than that of the same resource in the fields before."""
    for index, (name, held) in enumerate(fields):
        for lower, least in fields[:index]:
            for resource, amount in held.items():
                if resource in least and thousandths(least[resource], resource) > thousandths(amount, resource):
                    raise PodError(f"`{name}.{resource}` must be at least `{lower}` (`{least[resource]}`), but is `{amount}`")


def _limits(raw: Mapping[str, object]) -> Limits:
    """An entry. A default limit is the maximum if it is not set; a default request is the default limit, otherwise the minimum."""
    kind, maximum, minimum = text(raw.get("type"), "type"), mapping(raw, "max"), mapping(raw, "min")
    default, requested, ratio = mapping(raw, "default"), mapping(raw, "defaultRequest"), amounts_of(mapping(raw, "maxLimitRequestRatio"))
    if kind == "Pod" and (default or requested):
        raise PodError("`default` and `defaultRequest` cannot be set with `type: Pod`")
    if kind == "Container":
        default = {**maximum, **default}
        requested = {**minimum, **default, **requested}
    _in_order(("min", minimum), ("defaultRequest", requested), ("default", default), ("max", maximum))
    least, most = amounts_of(minimum), amounts_of(maximum)
    for name, times in ratio.items():
        if name in least and name in most and times * least[name] > 1000 * most[name]:
            raise PodError(
                f"`maxLimitRequestRatio.{name}` must be at most `max` / `min` ({maximum[name]} / {minimum[name]}), but is {times / 1000:g}"
            )
    return Limits(kind, default if kind == "Container" else {}, requested if kind == "Container" else {}, least, most, ratio)


def read_quota(raw: Mapping[str, object]) -> Quota:
    """Reads a raw ResourceQuota.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    spec, used = mapping(raw, "spec"), mapping(mapping(raw, "status"), "used")
    hard = amounts_of(mapping(spec, "hard"))
    listed = [Expression(scope, "Exists") for scope in texts(spec, "scopes")]
    selected = [
        Expression(text(entry.get("scopeName"), "scopeName"), text(entry.get("operator"), "operator"), texts(entry, "values"))
        for entry in entries(mapping(spec, "scopeSelector"), "matchExpressions")
    ]
    _in_scopes(hard, listed)
    _in_scopes(hard, selected)
    if wrong := [name for name, amount in hard.items() if amount < 0]:
        raise PodError(f"`hard.{wrong[0]}` must be 0 or more, but is `{mapping(spec, 'hard')[wrong[0]]}`")
    return Quota(name_of(raw), _namespace(raw), hard, amounts_of(used), (*listed, *selected))


def _in_scopes(hard: Iterable[str], scopes: Sequence[Expression]) -> None:
    """Source: Kubernetes 1.36, `pkg/apis/core/validation`, validateResourceQuotaScopes and validateScopedResourceSelectorRequirement."""
    names = {scope.key for scope in scopes}
    for scope in scopes:
        allowed = ("In", "NotIn", "Exists", "DoesNotExist") if scope.key.endswith("Class") else ("Exists",)
        wrong = [name for name in hard if is_of_quotas(name) and name not in _SCOPES.get(scope.key, ())]
        is_odd = bool(scope.values) is not scope.operator.endswith("In")
        if wrong or is_odd or scope.key not in _SCOPES or scope.operator not in allowed or names >= {scope.key, f"Not{scope.key}"}:
            raise PodError(f"`{scope}` is not a scope that the API server accepts for {', '.join(f'`{name}`' for name in hard)}")


def read_runtime_class(raw: Mapping[str, object]) -> RuntimeClass:
    """Reads a raw RuntimeClass.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    from nodepools.model.kubernetes.pod_validation import container_resources, scheduling_fields  # few inputs have a RuntimeClass
    from nodepools.model.kubernetes.validated_part import Part

    scheduling, overhead = mapping(raw, "scheduling"), mapping(mapping(raw, "overhead"), "podFixed")
    handler = text(raw.get("handler"), "handler")
    if not is_namespace(handler):  # both are labels of DNS
        raise PodError(f"`handler` must be lower-case letters, digits and `-`, but is {f'`{handler}`' if handler else 'not set'}")
    wrong = [str(one).replace("overhead.limits", "overhead.podFixed") for one in container_resources(Part(("overhead",), {"limits": overhead}))]
    wrong += map(str, scheduling_fields(Part(("scheduling",), scheduling)))
    if wrong:
        raise PodError("; ".join(wrong))
    selector = {key: text(value, key) for key, value in mapping(scheduling, "nodeSelector").items()}
    return RuntimeClass(name_of(raw), selector, tuple(entries(scheduling, "tolerations")), overhead)


def read_priority_class(raw: Raw) -> PriorityClass:
    """Reads a raw PriorityClass.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    name, policy, is_default = name_of(raw), text(raw.get("preemptionPolicy"), "preemptionPolicy"), flag(raw, "globalDefault")
    value = 0 if raw.get("value") is None else number(raw["value"], "value")
    if policy not in ("", "Never", "PreemptLowerPriority"):
        raise PodError(f"`preemptionPolicy` must be `Never` or `PreemptLowerPriority`, but is `{policy}`")
    if name.startswith(_SYSTEM) and (is_default or name not in SYSTEM_CLASSES or value != SYSTEM_CLASSES[name].value):
        raise PodError(f"`metadata.name` cannot begin with `{_SYSTEM}`: it is for classes of Kubernetes, with their values")
    if value > _MAX_PRIORITY and name not in SYSTEM_CLASSES:
        raise PodError(f"`value` must be at most {_MAX_PRIORITY}, but is `{value}`")
    return PriorityClass(name, value, policy, is_default)


def read_node_selector(raw: Mapping[str, object]) -> Mapping[str, str]:
    """Reads the node selector of a raw Namespace; empty without the annotation.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    written = text(mapping(mapping(raw, "metadata"), "annotations").get(NODE_SELECTOR), NODE_SELECTOR)
    pairs = [pair.partition("=") for pair in written.split(",") if written]
    if any(not (separator and key.strip()) for key, separator, _ in pairs):
        raise PodError(f"`{NODE_SELECTOR}` must be labels such as `team=web,tier=a`, but is `{written:.60}`")
    return {key.strip(): value.strip() for key, _, value in pairs}


def read_tolerations(raw: Mapping[str, object]) -> Mapping[str, Sequence[Mapping[str, object]]]:
    """Reads the tolerations in the annotations of a raw Namespace, by annotation; an empty list restricts and adds nothing.

    Raises:
        PodError: they are not valid; the message says where and why.
    """
    annotations = mapping(mapping(raw, "metadata"), "annotations")
    found = {key: _listed(text(annotations[key], key), key) for key in (DEFAULT_TOLERATIONS, ALLOWED_TOLERATIONS) if key in annotations}
    return {key: tolerations for key, tolerations in found.items() if tolerations}


def _listed(written: str, key: str) -> Sequence[Mapping[str, object]]:
    try:
        found = entries({key: json.loads(written or "[]")}, key)
        read_pod({"tolerations": found})
    except (ValueError, RecursionError) as wrong:
        raise PodError(f"`{key}` must be a list of tolerations in JSON, but is `{written:.60}`") from wrong
    return found


def _namespace(raw: Mapping[str, object]) -> str:
    return text(mapping(raw, "metadata").get("namespace"), "namespace") or "default"


_SCHEDULING: Final = "scheduling.k8s.io/"
"""The API group of Kubernetes. Volcano and the coscheduling plugin have a PodGroup of their own."""
_NOT_MODELED: Final = ("schedulingConstraints", "resourceClaims", "parentCompositePodGroupName", "priorityClassName", "priority")
"""Fields of a PodGroup that can keep it Pending, or have it evict other pods."""


@dataclass(frozen=True, slots=True)
class PodGroup:
    """Pods that kube-scheduler schedules together: Kubernetes 1.37, scheduling.k8s.io/v1beta1 (k8s.io/api v0.37.1, 2026-11)."""

    namespace: str
    name: str
    least: int = 1
    """`minCount`: so many of its pods are scheduled at once, or none is. Pods of the basic policy are scheduled one by one."""
    unclear: tuple[str, ...] = ()
    """Its fields that also decide, and are not modeled."""
    exists: bool = False
    """It is from a cluster, whose API server has PodGroups: by default, Kubernetes 1.37 has not (gate GenericWorkload, off in its beta)."""


def read_pod_group(raw: Mapping[str, object]) -> PodGroup | None:
    """Reads a raw PodGroup; `None` if it is one of another scheduler.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    if not text(raw.get("apiVersion"), "apiVersion").startswith(_SCHEDULING):
        return None
    spec = mapping(raw, "spec")
    policy = mapping(spec, "schedulingPolicy")
    if (policy.get("basic") is None) is (policy.get("gang") is None):
        raise PodError("`schedulingPolicy` must have either `basic` or `gang`")
    least = 1 if policy.get("gang") is None else number(mapping(policy, "gang").get("minCount"), "minCount")
    if least < 1:
        raise PodError(f"`minCount` must be at least 1, but is `{least}`")
    exists = mapping(raw, "metadata").get("uid") is not None
    return PodGroup(_namespace(raw), name_of(raw), least, tuple(name for name in _NOT_MODELED if spec.get(name)), exists)
