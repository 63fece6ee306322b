"""Objects of a cluster as models: the inverse of what is rendered. An object that no model can hold is told with all its findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar, cast

from nodepools.manifests.metadata import read_metadata
from nodepools.manifests.reading_findings import NOT_A_MAPPING, REQUIRED, Misread
from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.steps import Steps
from nodepools.model.unknowns import UNKNOWN
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.object_findings import object_finding
from nodepools.rules.partial_validation import always, validate_partial
from nodepools.rules.path import spelled
from nodepools.wire.karpenter import NODE_POOL, ClassKind, ObjectKind, node_pool_table
from nodepools.wire.paths import wire_of
from nodepools.wire.strict_reading import read_object
from nodepools.wire.table import Table

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=NodePool)
K_co = TypeVar("K_co", bound=Model, covariant=True)

_DEFAULTED: Final = (
    "https://github.com/kubernetes-sigs/karpenter/pull/3220, 2026-08-07, in 1.15.0; CRDs of AKS (1.14.0) and of EKS Auto Mode (2024-12)"
)


class UnreadableObjectError(Exception):
    """An object that is no valid one of its kind; `findings` have paths as the object spells them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = tuple(findings)


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


@dataclass(frozen=True)
class Form(Generic[M]):
    """A kind of object, and the model that holds its `spec`."""

    model: type[M]
    kind: ObjectKind
    table: Table

    def read(self, manifest: Mapping[str, object]) -> Known[M]:
        """The object, as far as it is well formed."""
        misread = self._misread()
        name = _opened(misread, manifest, self.kind)
        model, findings = self._made(misread, manifest)
        return Known(name, model, tuple(findings))

    def known(self, manifest: Mapping[str, object]) -> tuple[M | None, list[Finding]]:
        """As `read`, of an object whose version, kind and name may come later, and are not asked for."""
        return self._made(self._misread(), manifest)

    def _misread(self) -> Misread:
        return Misread(str(self.kind), self.table.foreign)

    def _made(self, misread: Misread, manifest: Mapping[str, object]) -> tuple[M | None, list[Finding]]:
        declared = self._declared(misread, manifest)
        told = {finding.path for finding in misread.findings}
        made, shapes = validate_partial(self.model, declared, always, strict=True)  # the cluster takes no "10" for 10, and no 1 for true
        return made, [*misread.findings, *(spelled for finding in shapes if (spelled := as_written(finding, self.table)).path not in told)]

    def _declared(self, misread: Misread, manifest: Mapping[str, object]) -> dict[str, object]:
        declared, left = read_object(self.table, spec_of(manifest), ("spec",))
        misread.left(left)
        return declared


@dataclass(frozen=True)
class PoolForm(Form[P]):
    """A NodePool; the label with which we mark the nodes of every pool is not among its own."""

    def _declared(self, misread: Misread, manifest: Mapping[str, object]) -> dict[str, object]:
        declared = super()._declared(misread, manifest)
        if not declared.get("node_class"):
            misread.finding("CFG001", object_steps(self.table, ("node_class",)), None, REQUIRED, "Add the name of a node class")
            declared["node_class"] = UNKNOWN
        disruption = declared.get("disruption")
        if isinstance(disruption, Mapping) and "consolidate_after" not in disruption:
            misread.findings.append(_without_consolidate_after())
        labels, ours = declared.get("labels"), (POOL_LABEL, _name_in(manifest))
        if isinstance(labels, Mapping):
            declared["labels"] = {key: value for key, value in cast("Mapping[str, object]", labels).items() if (key, value) != ours}
        return declared


def pool_form(model: type[P], kind: ClassKind) -> PoolForm[P]:
    """NodePools whose nodes are of `kind`."""
    return PoolForm(model, NODE_POOL, node_pool_table(kind))


def _opened(misread: Misread, manifest: Mapping[str, object], kind: ObjectKind) -> str | None:
    """Its name; what the cluster adds beside the `spec` is no matter."""
    for field, right in (("apiVersion", kind.api_version), ("kind", kind.kind)):
        if manifest.get(field) != right:
            misread.finding("CFG003", (field,), manifest.get(field), f"{{field}} must be `{right}`", f"Set {{field}} to `{right}`")
    read_metadata(misread, manifest)
    spec, name = manifest.get("spec"), _name_in(manifest)
    if not isinstance(name, str):
        misread.finding("CFG001", ("metadata", "name"), name, REQUIRED, "Add a name")
    if spec is not None and not isinstance(spec, Mapping):
        misread.finding("CFG004", ("spec",), spec, *NOT_A_MAPPING)
    return name if isinstance(name, str) else None


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


def as_written(finding: Finding, table: Table) -> Finding:
    """`finding` of a model, with the path as its object spells it."""
    steps = object_steps(table, finding.steps)
    return replace(finding, path=spelled(steps), steps=steps)


def object_steps(table: Table, steps: Steps) -> Steps:
    """Where the object has what the model has at `steps`; the words of the model where the object has nothing like it."""
    found = wire_of(table, steps)
    return ("spec", *(found if found else steps))
