"""The fields of a pod that determine where it can be scheduled, read from raw Kubernetes objects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.model.kubernetes.label import Taint, is_key, is_value
from nodepools.model.kubernetes.raw_fields import PodError, entries, field, mapping, number, text, texts
from nodepools.model.kubernetes.requests import Requests, is_extended, pod_requests
from nodepools.model.kubernetes.requirement import Operator, Values, integer

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
_BOUNDS = ("Gt", "Lt")
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
        if self.operator in _BOUNDS:
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
    devices: bool = False
    """It claims devices by dynamic resource allocation."""
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


_OF_DAEMONS = (
    Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute"),
    Toleration("node.kubernetes.io/unreachable", "Exists", "", "NoExecute"),
    Toleration("node.kubernetes.io/disk-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/pid-pressure", "Exists", "", "NoSchedule"),
    Toleration("node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"),
)
"""Tolerations that the DaemonSet controller adds (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset, 2026-11)."""
_OF_ALL = _OF_DAEMONS[:2]
"""Tolerations that the API server adds to every pod (admission plugin DefaultTolerationSeconds)."""


def read_pod(spec: Mapping[str, object], *, of_daemon_set: bool = False) -> Pod:
    """Reads `spec`, a raw PodSpec.

    Raises:
        PodError: it is not a PodSpec; the message says where and why.
    """
    affinity = mapping(spec, "affinity")
    nodes = mapping(affinity, "nodeAffinity")
    required = field(nodes, "requiredDuringSchedulingIgnoredDuringExecution")
    requests = pod_requests(spec)
    added = (*((*_OF_DAEMONS, *_network(spec)) if of_daemon_set else _OF_ALL), *_of_devices(requests))
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
        devices=bool(entries(spec, "resourceClaims")),
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


def _network(spec: Mapping[str, object]) -> Sequence[Toleration]:
    return (Toleration("node.kubernetes.io/network-unavailable", "Exists", "", "NoSchedule"),) if spec.get("hostNetwork") is True else ()


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
        tuple(_expression(entry) for entry in entries(raw, "matchExpressions")),
        tuple(_expression(entry) for entry in entries(raw, "matchFields")),
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
