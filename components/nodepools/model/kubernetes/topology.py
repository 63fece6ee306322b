"""The fields of a pod that relate it to other pods: labels, topology spread, required affinity and anti-affinity, host ports; and selectors."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from nodepools.model.kubernetes.pod import Expression, host_ports
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text, texts
from nodepools.model.values import dataclass

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_OF_ANY = {"Exists": True, "DoesNotExist": False}
"""Whether a label with an unknown value matches; for other operators that depends on the value."""


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """Expressions that must all match."""

    expressions: tuple[Expression, ...] | None
    """`None` matches nothing; no expressions match everything."""

    def matches(self, labels: Mapping[str, str]) -> bool:
        """It selects an object with these labels."""
        return self.expressions is not None and all(expression.matches(labels.get(expression.key)) for expression in self.expressions)

    def selects(self, labels: Mapping[str, str], unknown: AbstractSet[str] = frozenset()) -> bool | None:
        """As `matches`; `None` if that depends on the values of labels that it has, and whose values are unknown."""
        if self.expressions is None:
            return False
        found = [_OF_ANY.get(one.operator) if one.key in unknown else one.matches(labels.get(one.key)) for one in self.expressions]
        return False if False in found else None if None in found else True

    def also(self, more: Iterable[Expression]) -> "LabelSelector":
        """It, with more expressions that must match; one that matches nothing still does."""
        return self if self.expressions is None else LabelSelector((*self.expressions, *more))


def read_selector(raw: Mapping[str, object], name: str) -> LabelSelector:
    """Reads the selector in a field.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    if raw.get(name) is None:
        return LabelSelector(None)
    written = mapping(raw, name)
    exact = (Expression(key, "In", (text(value, key),)) for key, value in mapping(written, "matchLabels").items())
    return LabelSelector((*exact, *(_expression(entry, name) for entry in entries(written, "matchExpressions"))))


def _expression(raw: Mapping[str, object], name: str) -> Expression:
    operator = text(raw.get("operator"), "operator")
    if operator not in _OPERATORS:
        raise PodError(f"{name}: operator must be one of {', '.join(_OPERATORS)}, not {operator!r}")
    return Expression(text(raw.get("key"), "key"), operator, texts(raw, "values"))


_NAME = "kubernetes.io/metadata.name"
"""The label of each namespace with its name, which the API server adds."""
_JOB_NAMES = ("batch.kubernetes.io/job-name", "job-name")
_OF_JOBS = frozenset({"batch.kubernetes.io/controller-uid", "controller-uid"})
REVISIONS = {"Deployment": "pod-template-hash", "StatefulSet": "controller-revision-hash"}
"""Those that replace pods of another template, and the label with its revision."""
_SHARED: Mapping[str, frozenset[str]] = {
    **{kind: frozenset({label}) for kind, label in REVISIONS.items()},
    "DaemonSet": frozenset({"controller-revision-hash", "pod-template-generation"}),
    "Job": _OF_JOBS,
    "CronJob": _OF_JOBS.union(_JOB_NAMES),
}
"""Labels that controllers add to their pods: all pods of a workload that are created together have the same value, and those of others do not."""
_OF_EACH: Mapping[str, frozenset[str]] = {
    "StatefulSet": frozenset({"apps.kubernetes.io/pod-index", "statefulset.kubernetes.io/pod-name"}),
    "Job": frozenset({"batch.kubernetes.io/job-completion-index"}),
    "CronJob": frozenset({"batch.kubernetes.io/job-completion-index"}),
}
"""Labels with another value for each pod of a workload."""
ADDED = frozenset(_JOB_NAMES).union(*_SHARED.values(), *_OF_EACH.values())
"""All labels that controllers add."""
_NO_NAMESPACE = LabelSelector(None)
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@dataclass(frozen=True, slots=True)
class NamespaceLabels:
    """The labels of a namespace."""

    labels: tuple[tuple[str, str], ...] = ()
    is_complete: bool = False
    """It has no others: the namespace was read from a cluster."""


_NOT_READ = NamespaceLabels()


@dataclass(frozen=True, slots=True)
class PodSelector:
    """Selects pods by labels, in some namespaces."""

    labels: LabelSelector
    namespaces: frozenset[str] = frozenset()
    of_namespaces: LabelSelector = _NO_NAMESPACE
    """Selects further namespaces by their labels."""
    own: bool | None = None
    """It selects pods of its own workload only, or none of them, by labels that the controller adds."""
    of_each: bool = False
    """It compares labels that each pod of the workload has with another value."""

    def selects(self, other: "PodTopology", *, itself: bool) -> bool:
        """It selects the pods of a workload, or may select them; `itself`: these are the pods of its own workload."""
        return self.selection(other, itself=itself) is not False

    def selection(self, other: "PodTopology", *, itself: bool) -> bool | None:
        """Whether it selects the pods; `None` if labels decide that are not known."""
        if self.own is not None and self.own is not itself and (self.own or itself):
            return False
        found = (self._reaches(other), self.labels.selects(dict(other.labels), other.unknown), None if self.of_each else True)
        return False if False in found else None if None in found else True

    def doubt(self, other: "PodTopology") -> tuple[str, str]:
        """Why it is not certain whether it selects pods, and what to change."""
        if self._reaches(other) is not None:
            return "whether a selector of the pods selects them depends on labels that their controller adds", "Select other labels"
        selects = f"whether `namespaceSelector` selects the namespace `{other.namespace}` depends on"
        if self._of_labels(other) is None:
            return f"{selects} its labels", "Add the Namespace to the input, or select it by `kubernetes.io/metadata.name`"
        return f"{selects} the version of kube-scheduler: 1.36 ignores `NotIn` and `DoesNotExist` for pods that run", "Use `In` or `Exists`"

    def _reaches(self, other: "PodTopology") -> bool | None:
        """kube-scheduler 1.36 compares a selector that matches no labels at all with no labels (mergeAffinityTermNamespacesIfNotEmpty)."""
        if other.namespace in self.namespaces:
            return True
        found = self._of_labels(other)
        return None if found is False and self.of_namespaces.matches({}) else found

    def _of_labels(self, other: "PodTopology") -> bool | None:
        known = other.of_namespace
        labels = {**dict(known.labels), _NAME: other.namespace}
        expressions = self.of_namespaces.expressions
        unknown = () if known.is_complete or expressions is None else tuple(one for one in expressions if one.key not in labels)
        if not unknown:
            return self.of_namespaces.matches(labels)
        return None if all(one.matches(labels.get(one.key)) for one in expressions or () if one not in unknown) else False


@dataclass(frozen=True, slots=True)
class HardSpread:
    """A topology spread constraint with `DoNotSchedule`."""

    key: str
    selector: PodSelector
    max_skew: int = 1
    min_domains: int = 1
    honors_affinity: bool = True
    honors_taints: bool = False


@dataclass(frozen=True, slots=True)
class PodTerm:
    """A required term of pod affinity or anti-affinity."""

    key: str
    selector: PodSelector


@dataclass(frozen=True, slots=True)
class PodTopology:
    """How a pod depends on other pods."""

    namespace: str = "default"
    labels: tuple[tuple[str, str], ...] = ()
    spreads: tuple[HardSpread, ...] = ()
    affinities: tuple[PodTerm, ...] = ()
    anti_affinities: tuple[PodTerm, ...] = ()
    host_ports: tuple[tuple[int, str, str], ...] = ()
    """Port, protocol and address."""
    unknown: frozenset[str] = frozenset()
    """Labels that its controller adds, with values that are not known."""
    of_namespace: NamespaceLabels = _NOT_READ

    @property
    def is_free(self) -> bool:
        """It depends on no other pod."""
        return not (self.spreads or self.affinities or self.anti_affinities or self.host_ports)


@dataclass(frozen=True, slots=True)
class _Own:
    """The pod that selectors are read for."""

    labels: Mapping[str, str]
    shared: frozenset[str] = frozenset()
    of_each: frozenset[str] = frozenset()


def read_topology(template: Mapping[str, object], namespace: str, kind: str = "Pod", name: str = "") -> PodTopology:
    """Reads a pod, or the template of the pods that a controller with this kind and name creates: its labels and its spec.

    Raises:
        PodError: a field is invalid; the message says where and why.
    """
    labels = {key: text(value, key) for key, value in mapping(mapping(template, "metadata"), "labels").items()}
    if kind == "Job" and name:
        labels |= dict.fromkeys(_JOB_NAMES, name)
    own = _Own(labels, *(added.get(kind, frozenset()).difference(labels) for added in (_SHARED, _OF_EACH)))
    spec = mapping(template, "spec")
    affinity = mapping(spec, "affinity")
    return PodTopology(
        namespace=namespace,
        labels=tuple(sorted(labels.items())),
        spreads=tuple(
            _spread(entry, own, namespace)
            for entry in entries(spec, "topologySpreadConstraints")
            if entry.get("whenUnsatisfiable") != "ScheduleAnyway"
        ),
        affinities=_terms(mapping(affinity, "podAffinity"), own, namespace),
        anti_affinities=_terms(mapping(affinity, "podAntiAffinity"), own, namespace),
        host_ports=host_ports(spec),
        unknown=own.shared | own.of_each,
    )


def _spread(raw: Mapping[str, object], own: _Own, namespace: str) -> HardSpread:
    return HardSpread(
        key=text(raw.get("topologyKey"), "topologyKey"),
        selector=_selector(raw, own, frozenset({namespace})),
        max_skew=_number(raw, "maxSkew"),
        min_domains=_number(raw, "minDomains"),
        honors_affinity=raw.get("nodeAffinityPolicy") != "Ignore",
        honors_taints=raw.get("nodeTaintsPolicy") == "Honor",
    )


def _terms(raw: Mapping[str, object], own: _Own, namespace: str) -> tuple[PodTerm, ...]:
    return tuple(
        PodTerm(
            text(entry.get("topologyKey"), "topologyKey"),
            _selector(entry, own, _namespaces(entry, namespace), read_selector(entry, "namespaceSelector")),
        )
        for entry in entries(raw, _REQUIRED)
    )


def _namespaces(raw: Mapping[str, object], own: str) -> frozenset[str]:
    named = texts(raw, "namespaces")
    return frozenset(named) if named or raw.get("namespaceSelector") is not None else frozenset({own})


def _selector(raw: Mapping[str, object], own: _Own, namespaces: frozenset[str], of_namespaces: LabelSelector = _NO_NAMESPACE) -> PodSelector:
    """The API server adds the pod's own values of `matchLabelKeys` and `mismatchLabelKeys` to the selector, and ignores keys that it lacks."""
    matched, unmatched = texts(raw, "matchLabelKeys"), texts(raw, "mismatchLabelKeys")
    equal = (Expression(key, "In", (own.labels[key],)) for key in matched if key in own.labels)
    different = (Expression(key, "NotIn", (own.labels[key],)) for key in unmatched if key in own.labels)
    return PodSelector(
        read_selector(raw, "labelSelector").also((*equal, *different)),
        namespaces,
        of_namespaces,
        own=True if not own.shared.isdisjoint(matched) else None if own.shared.isdisjoint(unmatched) else False,
        of_each=not own.of_each.isdisjoint((*matched, *unmatched)),
    )


def _number(raw: Mapping[str, object], name: str) -> int:
    written = raw.get(name)
    return 1 if written is None else number(written, name)
