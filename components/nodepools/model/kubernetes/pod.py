"""The fields of a pod that determine where it can be scheduled, read from raw Kubernetes objects."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING
from typing import Final, TypeAlias, cast

from nodepools.model.kubernetes.label import Operator, Taint, Values, integer, is_key, is_value
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.raw_fields import PodError, entries, field, mapping, number, text, texts
from nodepools.model.values import dataclass

Requests: TypeAlias = tuple[tuple[str, int], ...]
"""Resource to amount in thousandths, sorted by name."""
_OF_THE_POD = ("cpu", "memory")
"""Resources that `spec.resources` of a pod can request, in addition to hugepages."""


_HUGEPAGES: Final = "hugepages-"
_OF_QUOTAS: Final = "requests."


_STATUSES: Final = {"containers": "containerStatuses", "initContainers": "initContainerStatuses"}
UNBOUNDED: Final = 10**21
"""More than any node has, in thousandths."""


def pod_requests(spec: Mapping[str, object]) -> Requests:
    """The resources that the scheduler reserves for the pod.

    Requests of the pod as a whole replace those of its containers; its limits are requests only where no container has one, except for huge pages.
    Source: KEP-753, KEP-2837, `component-helpers/resource`, `defaultPodRequests` in `pkg/apis/core/v1/defaults.go`.
    """
    total = _as_a_whole(spec)
    _add(total, amounts_of(mapping(spec, "overhead")))
    return tuple(sorted((key, value) for key, value in total.items() if value))


def _as_a_whole(spec: Mapping[str, object]) -> dict[str, int]:
    total = container_requests(spec)
    limits, requests = (of_the_pod(spec, name) for name in ("limits", "requests"))
    total.update({name: value for name, value in limits.items() if name not in total or name.startswith(_HUGEPAGES)})
    return total | requests


def whole_pod(spec: Mapping[str, object]) -> tuple[dict[str, int], dict[str, int]]:
    """Requests and limits as a LimitRange compares them: without overhead, and a limit of the pod instead of those of its containers."""
    return _as_a_whole(spec), pod_limits(spec)


def pod_limits(spec: Mapping[str, object]) -> dict[str, int]:
    """The second of these."""
    return {**container_limits(spec), **of_the_pod(spec, "limits")}


def with_pod_requests(spec: Mapping[str, object]) -> Mapping[str, object]:
    """The spec with the requests that the API server gives to a pod with limits of its own, before a LimitRange gives some to its containers."""
    limits = of_the_pod(spec, "limits")
    if not limits:
        return spec
    written = {name: f"{value}m" for name, value in _as_a_whole(spec).items() if name in _OF_THE_POD or name in limits}
    resources = mapping(spec, "resources")
    return {**spec, "resources": {**resources, "requests": {**written, **mapping(resources, "requests")}}}


def resized(spec: Mapping[str, object], status: Mapping[str, object]) -> Mapping[str, object]:
    """The spec of a pod that runs, with what its containers still have while they are resized. Source: `determineEffectiveRequests`, KEP-1287."""
    has = {text(one.get("name"), "name"): one for field in _STATUSES.values() for one in entries(status, field)}
    if not has:
        return spec
    stays = any((one.get("type"), one.get("reason")) == ("PodResizePending", "Infeasible") for one in entries(status, "conditions"))

    def actual(container: Mapping[str, object]) -> Mapping[str, object]:
        resources, own = mapping(container, "resources"), has.get(text(container.get("name"), "name"), {})
        requests = {**mapping(resources, "requests")}
        found = {"": requests, "resources": mapping(mapping(own, "resources"), "requests"), "allocated": mapping(own, "allocatedResources")}
        for name in dict.fromkeys(name for of, amounts in found.items() if of for name in amounts):
            every = [amounts[name] for of, amounts in found.items() if name in amounts and (of or not stays)]
            requests[name] = max(every, key=lambda written, name=name: thousandths(written, name))
        return {**container, "resources": {**resources, "requests": requests}} if requests else container

    return {**spec, **{group: [actual(one) for one in entries(spec, group)] for group in _STATUSES if group in spec}}


def of_the_pod(spec: Mapping[str, object], name: str) -> dict[str, int]:
    """The `requests` or `limits` of the pod as a whole."""
    amounts = mapping(mapping(spec, "resources"), name)
    return {key: value for key, value in amounts_of(amounts).items() if key in _OF_THE_POD or key.startswith(_HUGEPAGES)}


def container_requests(spec: Mapping[str, object], *, of_template: bool = False) -> dict[str, int]:
    """The resources that the containers need together, at the time when they need most.

    Sidecars (init containers that restart) count together with the containers, and with the init containers after them. A missing request equals
    its limit; in a template, the API server does not set it.
    """
    return _together(spec, ("requests",) if of_template else ("limits", "requests"))


def container_limits(spec: Mapping[str, object]) -> dict[str, int]:
    """The limits of the containers together, as their requests are added."""
    return _together(spec, ("limits",))


def _together(spec: Mapping[str, object], fields: Sequence[str]) -> dict[str, int]:
    running: dict[str, int] = {}
    for container in entries(spec, "containers"):
        _add(running, _of_container(container, fields))
    sidecars: dict[str, int] = {}
    starting: dict[str, int] = {}
    for container in entries(spec, "initContainers"):
        requested = _of_container(container, fields)
        if container.get("restartPolicy") == "Always":
            _add(sidecars, requested)
            requested = {}
        _raise_to(starting, {key: requested.get(key, 0) + sidecars.get(key, 0) for key in requested | sidecars})
    _add(running, sidecars)
    _raise_to(running, starting)
    return running


def is_native(resource: str) -> bool:
    """A resource of Kubernetes, such as `cpu`."""
    return "/" not in resource or "kubernetes.io/" in resource


def is_extended(resource: str) -> bool:
    """A resource of a device plugin, such as `nvidia.com/gpu`: whole numbers, and a request that equals the limit."""
    return not is_native(resource) and not resource.startswith(_OF_QUOTAS) and is_key(f"{_OF_QUOTAS}{resource}")


def thousandths(quantity: object, name: str) -> int:
    """The quantity in thousandths, rounded up; one that is not set is 0.

    Raises:
        PodError: it is not a quantity.
    """
    if quantity is None:
        return 0
    try:
        return int((amount(str(quantity)) * 1000).to_integral_value(ROUND_CEILING))
    except (ValueError, ArithmeticError):
        raise PodError(f"`{name}` must be a quantity, such as `500m` or `2Gi`, but is `{quantity!r:.60}`") from None


def _of_container(part: Mapping[str, object], fields: Sequence[str]) -> dict[str, int]:
    """The amounts in the last of the fields that has them."""
    resources = mapping(part, "resources")
    return {name: amount for of in fields for name, amount in amounts_of(mapping(resources, of)).items()}


def amounts_of(raw: Mapping[str, object]) -> dict[str, int]:
    """The amounts of resources, in thousandths."""
    return {key: thousandths(value, key) for key, value in raw.items()}


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for key, value in more.items():
        total[key] = total.get(key, 0) + value


def _raise_to(total: dict[str, int], least: Mapping[str, int] | Iterable[tuple[str, int]]) -> None:
    for key, value in dict(least).items():
        total[key] = max(total.get(key, 0), value)


_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
SYSTEMS: Final = ("linux", "windows")
"""Operating systems of nodes, as `spec.os` names them."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A requirement of a pod on one label or field of a node."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    @property
    def malformed(self) -> bool:
        """It matches no node in Kubernetes: `In` without values, a bound that is not an integer, or a value that is not a valid label value."""
        if self.operator in ("Gt", "Lt"):
            return len(self.values) != 1 or integer(self.values[0]) is None
        if self.operator in ("In", "NotIn"):
            return not self.values or not all(is_value(value) for value in self.values) or not is_key(self.key)
        return bool(self.values) or not is_key(self.key)

    @property
    def allowed(self) -> Values:
        """The values that satisfy it; not for a malformed expression."""
        return Values.of(Operator(self.operator), self.values)

    def matches(self, value: str | None) -> bool:
        """A node with this value satisfies it; `None` is a node without the label."""
        if self.malformed:
            return False
        return self.operator in ("NotIn", "DoesNotExist") if value is None else value in self.allowed

    def __str__(self) -> str:
        match self.operator:
            case "In" if len(self.values) == 1:
                return f"{self.key}={self.values[0]}"
            case "Exists" | "DoesNotExist":
                return f"{self.key} {self.operator}"
            case _:
                return f"{self.key} {self.operator} [{', '.join(self.values)}]"


@dataclass(frozen=True, slots=True)
class Term:
    """Expressions that must all match. A term without expressions matches no node."""

    expressions: tuple[Expression, ...] = ()
    fields: tuple[Expression, ...] = ()

    @property
    def empty(self) -> bool:
        """It has no expressions, so it matches no node."""
        return not self.expressions and not self.fields

    @property
    def never(self) -> bool:
        """It cannot match any node."""
        return self.empty or any(part.malformed for part in (*self.expressions, *self.fields))


@dataclass(frozen=True, slots=True)
class Preference:
    """A preferred term and its weight."""

    weight: int
    term: Term


@dataclass(frozen=True, slots=True)
class Toleration:
    """A toleration. An empty key with `Exists` tolerates every taint; an empty effect matches every effect."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""
    seconds: int | None = None
    """How long it tolerates a `NoExecute` taint before the pod is evicted; `None`: for ever."""

    def tolerates(self, taint: Taint) -> bool:
        """Compares as Kubernetes does, including the operators `Lt` and `Gt` of 1.35."""
        if (self.effect and self.effect != taint.effect) or (self.key and self.key != taint.key):
            return False
        match self.operator:
            case "Exists":
                return True
            case "Equal" | "":
                return self.value == taint.value
            case "Lt" | "Gt":
                return self._compares(taint.value)
            case _:
                return False

    def _compares(self, value: str) -> bool:
        own, other = _canonical(self.value), _canonical(value)
        if own is None or other is None:
            return False
        return other < own if self.operator == "Lt" else other > own


@dataclass(frozen=True, slots=True)
class Pod:
    """The scheduling fields of a pod. Pods with equal fields get equal verdicts."""

    node_selector: tuple[tuple[str, str], ...] = ()
    required: tuple[Term, ...] | None = None
    """Terms of which at least one must match; `None` without required node affinity."""
    preferred: tuple[Preference, ...] = ()
    tolerations: tuple[Toleration, ...] = ()
    requests: Requests = ()
    """Resource to amount, in thousandths."""
    host_ports: tuple[tuple[int, str, str], ...] = ()
    """Port and protocol; the addresses of the node are not compared."""
    node_name: str = ""
    scheduler: str = "default-scheduler"
    gated: bool = False
    """It has scheduling gates."""
    devices: tuple[tuple[str, str], ...] = ()
    """Its claims of devices: `resourceClaimName` or `resourceClaimTemplateName`, and the name."""
    runtime_class: str = ""
    priority_class: str = ""
    priority: int | None = 0
    """`None`: that of its class, which is not known."""
    preempts: bool = True
    """It can evict pods of lower priority."""
    system: str = ""
    """The operating system in `spec.os`, `linux` or `windows`; empty if not set."""

    def tolerates(self, taint: Taint) -> bool:
        """A toleration of the pod tolerates the taint."""
        return any(toleration.tolerates(taint) for toleration in self.tolerations)

    def tolerates_for(self, taint: Taint) -> int | None:
        """How many seconds it tolerates the taint: the first toleration that matches decides; `None`: for ever, or not at all."""
        return next((toleration.seconds for toleration in self.tolerations if toleration.tolerates(taint)), None)

    def outranks(self, other: "Pod") -> bool:
        """It is certain to be scheduled before the other, or instead of it."""
        return self.preempts and self.priority is not None and other.priority is not None and self.priority > other.priority

    def may_evict(self, other: "Pod") -> bool:
        """kube-scheduler can evict the other for it; a priority that is not known is possibly lower, or higher."""
        return self.preempts and (self.priority is None or other.priority is None or self.priority > other.priority)

    @property
    def selector(self) -> tuple[Expression, ...]:
        """The node selector, as expressions."""
        return tuple(Expression(key, "In", (value,)) for key, value in self.node_selector)

    @property
    def required_labels(self) -> tuple[Expression, ...]:
        """All expressions on labels that it requires, of every term."""
        return (*self.selector, *(expression for term in self.required or () for expression in term.expressions))

    @property
    def ways(self) -> tuple[tuple[Expression, ...], ...]:
        """What it requires of the labels of a node, once for each required term."""
        return tuple((*self.selector, *term.expressions) for term in self.required) if self.required else (self.selector,)


_OF_DAEMONS = (
    Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute"),
    Toleration("node.kubernetes.io/unreachable", "Exists", "", "NoExecute"),
    Toleration("node.kubernetes.io/disk-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/pid-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"),
)
"""Tolerations that the DaemonSet controller adds (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset, 2026-11)."""
_OF_CLAIMS: Final = ("resourceClaimName", "resourceClaimTemplateName")
_OF_HOST_NETWORK = (Toleration("node.kubernetes.io/network-unavailable", "Exists", "", "NoSchedule"),)
_OF_ALL = _OF_DAEMONS[:2]
"""Tolerations that the API server adds to every pod (admission plugin DefaultTolerationSeconds)."""


def read_pod(spec: Mapping[str, object], *, of_daemon_set: bool = False) -> Pod:
    """Reads `spec`, a raw PodSpec.

    Raises:
        PodError: it is not a PodSpec; the message says where and why.
    """
    nodes = mapping(mapping(spec, "affinity"), "nodeAffinity")
    required = field(nodes, "requiredDuringSchedulingIgnoredDuringExecution")
    requests = pod_requests(spec)
    network = _OF_HOST_NETWORK if spec.get("hostNetwork") is True else ()
    added = (*((*_OF_DAEMONS, *network) if of_daemon_set else _OF_ALL), *_of_devices(requests))
    return Pod(
        node_selector=tuple(sorted((key, text(value, key)) for key, value in mapping(spec, "nodeSelector").items())),
        required=None if required is None else read_terms(_as_mapping(required)),
        preferred=tuple(_preference(entry) for entry in entries(nodes, "preferredDuringSchedulingIgnoredDuringExecution")),
        tolerations=tuple(dict.fromkeys([*(_toleration(entry) for entry in entries(spec, "tolerations")), *added])),
        requests=requests,
        host_ports=host_ports(spec),
        node_name=text(spec.get("nodeName"), "nodeName"),
        scheduler=text(spec.get("schedulerName"), "schedulerName") or "default-scheduler",
        gated=bool(entries(spec, "schedulingGates")),
        devices=tuple((of, text(claim[of], of)) for claim in entries(spec, "resourceClaims") for of in _OF_CLAIMS if of in claim),
        runtime_class=text(spec.get("runtimeClassName"), "runtimeClassName"),
        priority_class=text(spec.get("priorityClassName"), "priorityClassName"),
        priority=_priority(spec),
        preempts=spec.get("preemptionPolicy") != "Never",
        system=text(mapping(spec, "os").get("name"), "os.name"),
    )


def _priority(spec: Mapping[str, object]) -> int | None:
    """What the API server writes, or the default without a class."""
    found = spec.get("priority")
    return found if isinstance(found, int) else None if spec.get("priorityClassName") else 0


EVERY_ADDRESS: Final = "0.0.0.0"  # noqa: S104, a pod listens here
"""The address of a host port that does not name one: it is in use with that of every other."""


def host_ports(spec: Mapping[str, object]) -> tuple[tuple[int, str, str], ...]:
    """The ports of the node that the containers and sidecars use: port, protocol and address (`GetHostPorts` in `pkg/scheduler/util`)."""
    on_host = spec.get("hostNetwork") is True
    sidecars = (container for container in entries(spec, "initContainers") if container.get("restartPolicy") == "Always")
    ports = [port for container in (*entries(spec, "containers"), *sidecars) for port in entries(container, "ports")]
    asked = [(port.get("hostPort", port.get("containerPort") if on_host else None), port) for port in ports]
    wanted = ((number(port, "hostPort"), text(of.get("protocol"), "protocol"), text(of.get("hostIP"), "hostIP")) for port, of in asked if port)
    return tuple((port, protocol or "TCP", address or EVERY_ADDRESS) for port, protocol, address in wanted)


def _of_devices(requests: Requests) -> Sequence[Toleration]:
    """A toleration for each extended resource, which ExtendedResourceToleration adds in both clouds (docs/facts/eks.md § 19, aks.md § 3.9)."""
    return [Toleration(resource, "Exists", "", "NoSchedule") for resource, _ in requests if is_extended(resource)]


def _as_mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise PodError("`affinity` must be an object")
    return cast("Mapping[str, object]", value)


def read_terms(selector: Mapping[str, object]) -> tuple[Term, ...]:
    """Reads a raw NodeSelector: terms of which at least one must match.

    Raises:
        PodError: a term is invalid; the message says where and why.
    """
    return tuple(_term(term) for term in entries(selector, "nodeSelectorTerms"))


def _term(raw: Mapping[str, object]) -> Term:
    return Term(
        tuple(_expression(entry) for entry in entries(raw, "matchExpressions")), tuple(_expression(entry) for entry in entries(raw, "matchFields"))
    )


def _expression(raw: Mapping[str, object]) -> Expression:
    operator = text(raw.get("operator"), "operator")
    if operator not in _OPERATORS:
        raise PodError(f"`operator` must be one of {', '.join(f'`{name}`' for name in _OPERATORS)}, but is `{operator!r:.60}`")
    return Expression(text(raw.get("key"), "key"), operator, texts(raw, "values"))


def _preference(raw: Mapping[str, object]) -> Preference:
    return Preference(number(raw.get("weight"), "weight"), _term(mapping(raw, "preference")))


def _toleration(raw: Mapping[str, object]) -> Toleration:
    operator = text(raw.get("operator"), "operator") or "Equal"
    key, value, effect = (text(raw.get(name), name) for name in ("key", "value", "effect"))
    seconds = raw.get("tolerationSeconds")
    return Toleration(key, operator, value, effect, None if seconds is None else number(seconds, "tolerationSeconds"))


def _canonical(value: str) -> int | None:
    known = integer(value)
    return known if known is not None and str(known) == value else None
