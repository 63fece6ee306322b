"""The fields of a pod that relate it to other pods: labels, topology spread, required affinity and anti-affinity, host ports."""

from collections.abc import Mapping
from dataclasses import dataclass

from nodepools.model.kubernetes.label_selector import LabelSelector, read_selector
from nodepools.model.kubernetes.pod import Expression, host_ports
from nodepools.model.kubernetes.raw_fields import entries, mapping, number, text, texts

_REVISIONS = frozenset({"pod-template-hash", "controller-revision-hash"})
"""Labels that controllers add to pods: they differ between workloads, and between revisions of one."""
_NAME = "kubernetes.io/metadata.name"
"""The label of each namespace with its name, which the API server adds."""
_NO_NAMESPACE = LabelSelector(None)
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@dataclass(frozen=True, slots=True)
class PodSelector:
    """Selects pods by labels, in some namespaces."""

    labels: LabelSelector
    namespaces: frozenset[str] = frozenset()
    of_namespaces: LabelSelector = _NO_NAMESPACE
    """Selects further namespaces by their labels, of which only the name is known."""
    own_revision: bool = False
    """It selects pods of its own workload only."""

    def selects(self, other: "PodTopology", *, itself: bool) -> bool:
        """It selects the pods of a workload, or may select them; `itself`: these are the pods of its own workload."""
        if self.own_revision and not itself:
            return False
        return self._reaches(other.namespace) is not False and self.labels.matches(dict(other.labels))

    def may_miss(self, namespace: str) -> bool:
        """Whether it selects pods in a namespace depends on labels of the namespace."""
        return self._reaches(namespace) is None

    def _reaches(self, namespace: str) -> bool | None:
        expressions = self.of_namespaces.expressions
        if namespace in self.namespaces or expressions is None:
            return namespace in self.namespaces
        if not all(expression.matches(namespace) for expression in expressions if expression.key == _NAME):
            return False
        return True if all(expression.key == _NAME for expression in expressions) else None


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
    host_ports: tuple[tuple[int, str], ...] = ()
    """Port and protocol; the addresses of the node are not compared."""

    @property
    def is_free(self) -> bool:
        """It depends on no other pod."""
        return not (self.spreads or self.affinities or self.anti_affinities or self.host_ports)


def read_topology(template: Mapping[str, object], namespace: str) -> PodTopology:
    """Reads a pod, or a pod template: its labels and its spec.

    Raises:
        PodError: a field is invalid; the message says where and why.
    """
    labels = {key: text(value, key) for key, value in mapping(mapping(template, "metadata"), "labels").items()}
    spec = mapping(template, "spec")
    affinity = mapping(spec, "affinity")
    return PodTopology(
        namespace=namespace,
        labels=tuple(sorted(labels.items())),
        spreads=tuple(
            _spread(entry, labels, namespace)
            for entry in entries(spec, "topologySpreadConstraints")
            if entry.get("whenUnsatisfiable") != "ScheduleAnyway"
        ),
        affinities=_terms(mapping(affinity, "podAffinity"), labels, namespace),
        anti_affinities=_terms(mapping(affinity, "podAntiAffinity"), labels, namespace),
        host_ports=host_ports(spec),
    )


def _spread(raw: Mapping[str, object], labels: Mapping[str, str], namespace: str) -> HardSpread:
    return HardSpread(
        key=text(raw.get("topologyKey"), "topologyKey"),
        selector=_selector(raw, labels, frozenset({namespace})),
        max_skew=_number(raw, "maxSkew"),
        min_domains=_number(raw, "minDomains"),
        honors_affinity=raw.get("nodeAffinityPolicy") != "Ignore",
        honors_taints=raw.get("nodeTaintsPolicy") == "Honor",
    )


def _terms(raw: Mapping[str, object], labels: Mapping[str, str], namespace: str) -> tuple[PodTerm, ...]:
    return tuple(
        PodTerm(
            text(entry.get("topologyKey"), "topologyKey"),
            _selector(entry, labels, _namespaces(entry, namespace), read_selector(entry, "namespaceSelector")),
        )
        for entry in entries(raw, _REQUIRED)
    )


def _namespaces(raw: Mapping[str, object], own: str) -> frozenset[str]:
    named = texts(raw, "namespaces")
    return frozenset(named) if named or raw.get("namespaceSelector") is not None else frozenset({own})


def _selector(
    raw: Mapping[str, object], labels: Mapping[str, str], namespaces: frozenset[str], of_namespaces: LabelSelector = _NO_NAMESPACE
) -> PodSelector:
    matched, unmatched = texts(raw, "matchLabelKeys"), texts(raw, "mismatchLabelKeys")
    equal = (Expression(key, "In", (labels[key],)) for key in matched if key in labels)
    different = (Expression(key, "NotIn", (labels[key],)) for key in unmatched if key in labels)
    return PodSelector(
        read_selector(raw, "labelSelector").also((*equal, *different)),
        namespaces,
        of_namespaces,
        own_revision=any(key in _REVISIONS and key not in labels for key in matched),
    )


def _number(raw: Mapping[str, object], name: str) -> int:
    written = raw.get(name)
    return 1 if written is None else number(written, name)
