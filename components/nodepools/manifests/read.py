"""Objects of a cluster as models: the inverse of what is rendered. An object that no model can hold is told with all its findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, cast

from nodepools.manifests.metadata import read_metadata
from nodepools.manifests.node_pool import ClassKind
from nodepools.manifests.spelling import Always, Each, Filled, Part, Reading, Steps, Table, written_as
from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.partial import UNKNOWN
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.objects import object_finding
from nodepools.rules.path import spelled
from nodepools.rules.validated import always, validated

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=NodePool)
K_co = TypeVar("K_co", bound=Model, covariant=True)

_TAINT: Table = {"key": "key", "value": Filled("value"), "effect": "effect", "timeAdded": "time_added"}
_REQUIREMENT: Table = {"key": "key", "operator": "operator", "values": "values", "minValues": "min_values"}
_BUDGET: Table = {"nodes": "nodes", "schedule": "schedule", "duration": "duration", "reasons": "reasons"}
_DISRUPTION: Table = {"consolidationPolicy": "consolidation_policy", "consolidateAfter": "consolidate_after", "budgets": Each("budgets", _BUDGET)}
_SAID = ("key", "effect")
_DEFAULTED = "https://github.com/kubernetes-sigs/karpenter/pull/3220, 2026-08-07, in 1.15.0; CRDs of AKS (1.14.0) and of EKS Auto Mode (2024-12)"
_NODE_POOL = "NodePool (karpenter.sh/v1)"


class UnreadableObjectError(Exception):
    """An object that is no valid one of its kind; `findings` have paths as the object spells them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True)
class ClassForm(Generic[M]):
    """How the objects of a cloud spell its node classes."""

    model: type[M]
    kind: ClassKind
    spec: Table
    foreign: Mapping[str, str]
    """Fields that other kinds have, and where those are from."""

    @property
    def api_version(self) -> str:
        """As objects name it."""
        return f"{self.kind.group}/{self.kind.version}"

    @property
    def title(self) -> str:
        """As people name it."""
        return f"{self.kind.kind} ({self.api_version})"


def node_pool_spec(kind: ClassKind) -> Table:
    """The `spec` of a NodePool whose nodes are of `kind`."""
    reference: Table = {"group": Always(kind.group), "kind": Always(kind.kind), "name": "node_class"}
    nodes: Table = {
        "nodeClassRef": reference,
        "requirements": Each("requirements", _REQUIREMENT, must=True),
        "taints": Each("taints", _TAINT, _SAID),
        "startupTaints": Each("startup_taints", _TAINT, _SAID),
        "expireAfter": "expire_after",
        "terminationGracePeriod": "termination_grace_period",
    }
    template: Table = {"metadata": {"labels": "labels", "annotations": "annotations"}, "spec": nodes}
    return {"template": template, "disruption": Part("disruption", _DISRUPTION), "weight": "weight", "replicas": "replicas", "limits": "limits"}


@dataclass(frozen=True, slots=True)
class Known(Generic[K_co]):
    """As much of an object as is well formed, and all that is not."""

    name: str | None
    """`None` where it has none."""
    model: K_co | None
    """Without what is malformed, which no rule is asked of; `None` where that leaves nothing."""
    findings: tuple[Finding, ...]

    @property
    def is_whole(self) -> bool:
        """Nothing of it is malformed."""
        return self.model is not None and self.name is not None and not any(finding.severity is Severity.ERROR for finding in self.findings)

    def whole(self) -> tuple[str, K_co]:
        """Its name and content.

        Raises:
            UnreadableObjectError: something of it is malformed.
        """
        if self.model is None or self.name is None or not self.is_whole:
            raise UnreadableObjectError([finding for finding in self.findings if finding.severity is Severity.ERROR])
        return self.name, self.model


def node_class_in(manifest: Mapping[str, object], form: ClassForm[M], *, required: tuple[str, ...] = ()) -> Known[M]:
    """A node class; the fields of its `spec` that are `required` are asked for."""
    reading = Reading(form.title, form.foreign)
    name, written = _opened(reading, manifest, form.api_version, form.kind.kind)
    model, findings = _as_known(reading, form.model, form.spec, reading.declared(form.spec, written, ("spec",), required))
    return Known(name, model, tuple(findings))


def node_pool_in(manifest: Mapping[str, object], model: type[P], kind: ClassKind) -> Known[P]:
    """A NodePool; the label with which we mark the nodes of every pool is not among its own."""
    reading, table = Reading(_NODE_POOL), node_pool_spec(kind)
    name, written = _opened(reading, manifest, "karpenter.sh/v1", "NodePool")
    made, findings = _as_known(reading, model, table, _declared_pool(reading, table, written, name))
    return Known(name, made, tuple(findings))


def known_of_node_class(manifest: Mapping[str, object], form: ClassForm[M], *, required: tuple[str, ...] = ()) -> tuple[M | None, list[Finding]]:
    """As `node_class_in`, of an object whose version, kind and name may come later, and are not asked for."""
    reading = Reading(form.title, form.foreign)
    return _as_known(reading, form.model, form.spec, reading.declared(form.spec, spec_of(manifest), ("spec",), required))


def known_of_node_pool(manifest: Mapping[str, object], model: type[P], kind: ClassKind) -> tuple[P | None, list[Finding]]:
    """As `node_pool_in`, of an object whose version, kind and name may come later, and are not asked for."""
    reading, table = Reading(_NODE_POOL), node_pool_spec(kind)
    declared = _declared_pool(reading, table, spec_of(manifest), _name_in(manifest))
    return _as_known(reading, model, table, declared)


def _opened(reading: Reading, manifest: Mapping[str, object], api_version: str, kind: str) -> tuple[str | None, Mapping[str, object]]:
    """Its name and `spec`; what the cluster adds beside them is no matter."""
    for field, right in (("apiVersion", api_version), ("kind", kind)):
        if manifest.get(field) != right:
            reading.finding("CFG003", (field,), manifest.get(field), f"should be {right}", f"write {right}")
    read_metadata(reading, manifest)
    spec, name = manifest.get("spec"), _name_in(manifest)
    if not isinstance(name, str):
        reading.finding("CFG001", ("metadata", "name"), name, "is required", "add a name")
    if spec is not None and not isinstance(spec, Mapping):
        reading.finding("CFG004", ("spec",), spec, "should be a mapping of names to values", "write names with their values")
    return name if isinstance(name, str) else None, spec_of(manifest)


def _declared_pool(reading: Reading, table: Table, written: Mapping[str, object], name: object) -> dict[str, object]:
    declared = reading.declared(table, written, ("spec",))
    if not declared.get("node_class"):
        reading.finding("CFG001", object_steps(table, ("node_class",)), None, "is required", "add the name of a node class")
        declared["node_class"] = UNKNOWN
    disruption = declared.get("disruption")
    if isinstance(disruption, Mapping) and "consolidate_after" not in disruption:
        reading.findings.append(_without_consolidate_after())
    labels = declared.get("labels")
    if isinstance(labels, Mapping):
        declared["labels"] = {key: value for key, value in cast("Mapping[str, object]", labels).items() if (key, value) != (POOL_LABEL, name)}
    return declared


def _without_consolidate_after() -> Finding:
    message = "Karpenter before 1.15 rejects `disruption` without `consolidateAfter`: AKS has been seen to run 1.14, EKS Auto Mode one as old"
    fix = "Add `consolidateAfter: 0s`, which it is by default since 1.15"
    return object_finding("OBJ014", ("spec", "disruption", "consolidateAfter"), message, fix=fix, source=_DEFAULTED)


def spec_of(manifest: Mapping[str, object]) -> Mapping[str, object]:
    """What an object asks for; nothing, where that is no mapping."""
    spec = manifest.get("spec")
    return cast("Mapping[str, object]", spec) if isinstance(spec, Mapping) else {}


def _name_in(manifest: Mapping[str, object]) -> object:
    metadata = manifest.get("metadata")
    return cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None


def _as_known(reading: Reading, model: type[M], table: Table, declared: Mapping[str, object]) -> tuple[M | None, list[Finding]]:
    told = {finding.path for finding in reading.findings}
    made, shapes = validated(model, declared, always, strict=True)  # the cluster takes no "10" for 10, and no 1 for true
    return made, [*reading.findings, *(spelled for finding in shapes if (spelled := as_written(finding, table)).path not in told)]


def as_written(finding: Finding, table: Table) -> Finding:
    """`finding` of a model, with the path as its object spells it."""
    steps = object_steps(table, finding.steps)
    return replace(finding, path=spelled(steps), steps=steps)


def object_steps(table: Table, steps: Steps) -> Steps:
    """Where the object has what the model has at `steps`; the words of the model where the object has nothing like it."""
    found = written_as(table, steps)
    return ("spec", *(found if found is not None else steps))
