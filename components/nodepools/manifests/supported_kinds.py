"""The kinds and versions of objects that are checked, by cloud, the objects that clouds create, and the findings of other kinds.

Objects of a cluster become models: the inverse of rendering. An object that does not fit its model is reported with all findings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import partial
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar, cast

import yaml

from nodepools.clouds.aks.cloud_objects import AKS_OBJECTS
from nodepools.clouds.cloud_objects import CloudObjects
from nodepools.clouds.eks.auto_mode_objects import EKS_OBJECTS
from nodepools.conversion.raw_parts import convert_to_v1
from nodepools.manifests.manifest_objects import REPLACED, ManifestObject
from nodepools.model.aks.cluster import AksNodeClass, AksNodePool
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import Ec2NodeClass, SelfManagedKarpenter
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes import raw_fields
from nodepools.model.kubernetes.label import POOL_LABEL, is_key, is_value
from nodepools.model.listing import respelled, with_article
from nodepools.model.path import Operation, path_text
from nodepools.model.steps import Step, Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field, replace
from nodepools.reading.yaml_scalars import TextDumper
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Fix, Severity, Wired, remove, rename
from nodepools.rules.engine.partial_validation import always, validate_partial
from nodepools.rules.engine.schema_findings import quoted
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL, ClassKind, ObjectKind, node_pool_table
from nodepools.wire.paths import wire_of
from nodepools.wire.reading import UnreadField, Why
from nodepools.wire.strict_reading import read_object, unknown_names
from nodepools.wire.table import Table

NOT_A_MAPPING: Final = ("{field} must be an object with named fields", "Write the fields with their values")
REQUIRED: Final = "{field} is required"
_DROPPED: Final = "the API server drops it, without an error unless the client validates strictly, as `kubectl apply` does"
_MESSAGES: Final[Mapping[Why, tuple[str, str, str]]] = {
    Why.MISSING: ("CFG001", REQUIRED, "Add {field}"),
    Why.NO_ENTRY: ("CFG008", "{field} must not be empty", "Add an entry to {field}"),
    Why.NO_SUCH_FIELD: ("CFG002", f"{{field}} is not a field of this object: {_DROPPED}", "Remove it"),
    Why.ELSEWHERE: ("CFG002", f"{{field}} is not a field here: {_DROPPED}", "Move it to `{known}`"),
    Why.FOREIGN: ("CFG002", "{field} is a field of {known}, and not accepted here", "Remove it"),
    Why.ANOTHER_WORD: ("CFG003", "{field} must be `{known}`", "Set {field} to `{known}`"),
    Why.NO_PART: ("CFG003", *NOT_A_MAPPING),
    Why.NO_MAPPING: ("CFG004", *NOT_A_MAPPING),
    Why.NO_LIST: ("CFG004", "{field} must be a list of objects", "Write a list of objects, also for one, with fields such as `{known}`"),
    Why.EMPTY: ("CFG006", "{field} must not be empty", "Remove it"),
    Why.UNREADABLE: ("CFG006", "{field} has a value that is not valid here", "Correct the value, or remove the field"),
    Why.UNMODELED: ("CFG006", "{field} is not supported here", "Remove it"),
}
"""Code, message and fix for each reason; `{field}` is the field in backticks, `{known}` the valid value or where the field belongs."""
_FORMER_PLACES: Final[Mapping[Steps, str]] = {
    ("template", "spec", "kubelet"): "Move it to `spec.kubelet` of the EC2NodeClass or AKSNodeClass; Auto Mode has no such settings",
    ("disruption", "expireAfter"): "Move it to `spec.template.spec.expireAfter`",
}
"""Where `v1` has fields of a NodePool of `v1beta1`."""


@dataclass(slots=True)
class Misread:
    """Findings about the fields and values of one object that do not fit its model."""

    source: str
    """The definition of the object."""
    foreign: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields of other objects that people expect in this one, and the objects."""
    findings: list[Finding] = field(default_factory=list[Finding])

    def finding(self, code: str, path: tuple[Step, ...], value: object, message: str, fix: str, *operations: Operation) -> None:
        """Adds a finding. In its texts `{field}` is the field at `path`."""
        name = field_name(path)
        message, fix = message.replace("{field}", name), fix.replace("{field}", name)
        certain = any(operation.op == "rename" and respelled(str(path[-1]), (str(operation.value),)) for operation in operations)
        advice = Fix(fix, operations, is_certain=certain)
        self.findings.append(Finding(code, Severity.ERROR, path_text(path), value, message, advice, self.source, steps=path))

    def only(self, written: Mapping[str, object], known: Sequence[str], path: tuple[Step, ...]) -> None:
        """Adds the fields that are not among those that are `known`."""
        self.left(unknown_names(written, known, path, self.foreign))

    def left(self, left: Iterable[UnreadField]) -> None:
        """Adds a finding for each entry."""
        for leftover in left:
            code, message, fix = _MESSAGES[leftover.why]
            operations = _operations(leftover)
            if leftover.why is Why.NO_SUCH_FIELD and operations:
                fix = "Rename it to `{known}`"
            elif leftover.why is Why.NO_SUCH_FIELD:
                fix = _FORMER_PLACES.get(leftover.steps[1:], fix)
            elif leftover.steps[-2:] == (*_REFERENCE[-1:], "kind") and str(leftover.value) in _GROUPS:
                fix += f" or `group` to `{_GROUPS[str(leftover.value)].partition('/')[0]}`"
            elif leftover.why is Why.MISSING and leftover.known is not None:
                message, fix = "{field} or `{known}` is required", "Add {field} or `{known}`"
            known = str(leftover.known)
            if leftover.is_required:
                message = "{field} is not a field of this object, and `{known}` is required: the API server rejects it"
            self.finding(code, leftover.steps, leftover.value, message.replace("{known}", known), fix.replace("{known}", known), *operations)


def _operations(left: UnreadField) -> tuple[Operation, ...]:
    """Returns the operations that fix a field of another object, or one close to a known name. Any other unknown field can be new."""
    if left.why is Why.FOREIGN:
        return (remove(left.steps),)
    return (rename(left.steps, str(left.known)),) if left.why is Why.NO_SUCH_FIELD and left.known is not None else ()


def field_name(steps: tuple[Step, ...]) -> str:
    """The field at `steps` in backticks, without the fields around it: `taints[0]`."""
    first = next((index for index in reversed(range(len(steps))) if isinstance(steps[index], str)), 0)
    return f"`{path_text(steps[first:])}`" if steps else "The object"


M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=NodePool)
K_co = TypeVar("K_co", bound=Model, covariant=True)

_DEFAULTED: Final = (
    "https://github.com/kubernetes-sigs/karpenter/pull/3220, 2026-08-07, in 1.15.0; CRDs of AKS (1.14.0) and of EKS Auto Mode (2024-12)"
)


class UnreadableObjectError(Exception):
    """An object that does not fit its kind. Paths of `findings` are in the object's spelling."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True)
class Known(Generic[K_co]):
    """The valid part of an object, and the findings about the rest."""

    name: str | None
    model: K_co | None
    """The object without its invalid fields, which no rule checks; `None` if nothing valid is left."""
    findings: tuple[Finding, ...]

    @property
    def is_whole(self) -> bool:
        """No field of the object is invalid."""
        return self.model is not None and self.name is not None and not any(finding.severity is Severity.ERROR for finding in self.findings)

    def whole(self) -> tuple[str, K_co]:
        """Returns the name and the content.

        Raises:
            UnreadableObjectError: a field is invalid.
        """
        if self.model is None or self.name is None or not self.is_whole:
            raise UnreadableObjectError([finding for finding in self.findings if finding.severity is Severity.ERROR])
        return self.name, self.model


@dataclass(frozen=True)
class Form(Generic[M]):
    """A kind of object, and the model of its `spec`."""

    model: type[M]
    kind: ObjectKind
    table: Table

    def read(self, manifest: Mapping[str, object]) -> Known[M]:
        """Returns the object as far as it is valid."""
        misread = self._misread()
        name = _opened(misread, manifest, self.kind)
        model, findings = self._made(misread, manifest)
        return Known(name, model, tuple(findings))

    def known(self, manifest: Mapping[str, object]) -> tuple[M | None, list[Finding]]:
        """Does the same as `read` for an object whose version, kind and name can be unknown, and are not checked."""
        return self._made(self._misread(), manifest)

    def _misread(self) -> Misread:
        return Misread(str(self.kind), self.table.foreign)

    def _made(self, misread: Misread, manifest: Mapping[str, object]) -> tuple[M | None, list[Finding]]:
        declared = self._declared(misread, manifest)
        reported = {finding.path for finding in misread.findings}
        made, shapes = validate_partial(self.model, declared, always, strict=True)  # the API server does not accept "10" for 10, or 1 for true
        worded = [_in_place(as_written(finding.spelled(Wired(partial(wire_of, self.table))), self.table)) for finding in shapes]
        return made, [*misread.findings, *(finding for finding in worded if finding.path not in reported)]

    def _declared(self, misread: Misread, manifest: Mapping[str, object]) -> dict[str, object]:
        declared, left = read_object(self.table, spec_of(manifest), ("spec",))
        misread.left(left)
        return declared


@dataclass(frozen=True)
class PoolForm(Form[P]):
    """A NodePool, without the label that this library adds to the nodes of every pool."""

    def _declared(self, misread: Misread, manifest: Mapping[str, object]) -> dict[str, object]:
        declared = super()._declared(misread, manifest)
        if not declared.get("node_class"):
            misread.finding("CFG001", object_steps(self.table, ("node_class",)), None, REQUIRED, "Add the name of a node class")
            declared["node_class"] = UNKNOWN
        disruption = declared.get("disruption")
        if isinstance(disruption, Mapping) and "consolidate_after" not in disruption:
            misread.findings.append(_without_consolidate_after())
        labels, added = declared.get("labels"), (POOL_LABEL, _name_in(manifest))
        if isinstance(labels, Mapping):
            declared["labels"] = {key: value for key, value in cast("Mapping[str, object]", labels).items() if (key, value) != added}
        return declared


def pool_form(model: type[P], kind: ClassKind) -> PoolForm[P]:
    """Returns the form of NodePools with node classes of `kind`."""
    return PoolForm(model, NODE_POOL, node_pool_table(kind))


def _opened(misread: Misread, manifest: Mapping[str, object], kind: ObjectKind) -> str | None:
    """Returns the name, and adds findings about the fields outside of the `spec`, except those that the cluster adds."""
    for key, valid in (("apiVersion", kind.api_version), ("kind", kind.kind)):
        if manifest.get(key) != valid:
            misread.finding("CFG003", (key,), manifest.get(key), f"{{field}} must be `{valid}`", f"Set {{field}} to `{valid}`")
    read_metadata(misread, manifest)
    spec, name = manifest.get("spec"), _name_in(manifest)
    if name is not None and not isinstance(name, str):
        misread.finding("CFG004", ("metadata", "name"), name, _NO_TEXT, quoted(name))
    elif not isinstance(name, str):
        generated = mapping(manifest.get("metadata")).get("generateName")
        why = "{field} is required: only `kubectl create` makes one from `generateName`; `kubectl apply` and Pulumi do not"
        misread.finding("CFG001", ("metadata", "name"), name, REQUIRED if generated is None else why, "Add a name")
    if spec is not None and not isinstance(spec, Mapping):
        misread.finding("CFG004", ("spec",), spec, *NOT_A_MAPPING)
    return name if isinstance(name, str) else None


def _without_consolidate_after() -> Finding:
    message = "Karpenter before 1.15 rejects `disruption` without `consolidateAfter`: AKS, EKS Auto Mode or you can run an older version"
    fix = "Add `consolidateAfter: 0s`, the default since 1.15"
    return object_finding("OBJ014", ("spec", "disruption", "consolidateAfter"), message, fix=fix, source=_DEFAULTED)


def spec_of(manifest: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the `spec` of an object; an empty one if it is not a mapping."""
    return mapping(manifest.get("spec"))


def _name_in(manifest: Mapping[str, object]) -> object:
    metadata = manifest.get("metadata")
    return cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None


def as_written(finding: Finding, table: Table) -> Finding:
    """Returns `finding` of a model with its path in the object's spelling."""
    steps = object_steps(table, finding.steps)
    return replace(finding, path=path_text(steps), steps=steps)


def _in_place(finding: Finding) -> Finding:
    """A finding of the schema whose fix, if it is certain, changes its own place."""
    operations = tuple(replace(one, path=finding.steps) for one in finding.operations)
    return replace(finding, fix=replace(finding.fix, operations=operations)) if finding.fix is not None and operations else finding


def object_steps(table: Table, steps: Steps) -> Steps:
    """Returns the path in the object for `steps` of the model; the names of the model if the object has no such field."""
    found = wire_of(table, steps)
    return ("spec", *(found if found else steps))


_NO_TEXT: Final = "{field} must be text"
_TOP_FIELDS: Final = ("apiVersion", "kind", "metadata", "spec", "status")
_TEXTS: Final = ("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp")
_NUMBERS: Final = ("generation", "deletionGracePeriodSeconds")
_MAPPINGS: Final = ("labels", "annotations")
_LISTS: Final = ("ownerReferences", "finalizers", "managedFields")
_METADATA_FIELDS: Final = (*_TEXTS, *_NUMBERS, *_MAPPINGS, *_LISTS)
_MOST_ANNOTATED: Final = 256 * 1024
_LABEL_VALUE: Final = "Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"


def read_metadata(misread: Misread, manifest: Mapping[str, object]) -> None:
    """Adds what the API server rejects outside the `spec`: unknown fields, invalid labels and annotations."""
    misread.only(manifest, _TOP_FIELDS, ())
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping):
        if metadata is not None:
            misread.finding("CFG004", ("metadata",), metadata, *NOT_A_MAPPING)
        return
    written = cast("Mapping[str, object]", metadata)
    misread.only(written, _METADATA_FIELDS, ("metadata",))
    for name in _MAPPINGS:
        held = written.get(name)
        if isinstance(held, Mapping):
            _check_entries(misread, name, cast("Mapping[str, object]", held))
    _check_owners_and_finalizers(misread, written)
    for name, valid in _of_another_type(written):
        advice = quoted(written[name]) if valid == "text" and not isinstance(written[name], Mapping | list) else f"Write {valid}"
        misread.finding("CFG004", ("metadata", name), written[name], f"{{field}} must be {valid}", advice)


def _check_owners_and_finalizers(misread: Misread, written: Mapping[str, object]) -> None:
    for index, owner in enumerate(map(mapping, sequence(written.get("ownerReferences")))):
        for name in (one for one in ("apiVersion", "kind", "name", "uid") if owner and not owner.get(one)):
            misread.finding("CFG001", ("metadata", "ownerReferences", index, name), None, "{field} is required", "Add it, or remove the owner")
    for index, name in enumerate(sequence(written.get("finalizers"))):
        if isinstance(name, str) and not is_key(name):
            misread.finding("CFG006", ("metadata", "finalizers", index), name, f"`{name}` is not a valid finalizer", "Use `example.com/clean-up`")


def _of_another_type(written: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Fields of the wrong type, and the right one. The name is checked elsewhere."""
    kinds = (
        (_TEXTS[1:], str, "text"),
        (_NUMBERS, int, "a whole number"),
        (_MAPPINGS, Mapping, "a mapping of names to values"),
        (_LISTS, list, "a list"),
    )
    for names, kind, valid in kinds:
        for name in names:
            value = written.get(name)
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                yield name, valid


def _check_entries(misread: Misread, name: str, held: Mapping[str, object]) -> None:
    at: Steps = ("metadata", name)
    thing = name.removesuffix("s")
    for key, value in held.items():
        if not is_key(key.lower() if name == "annotations" else key):
            misread.finding("CFG006", (*at, key), key, f"`{key}` is not a valid {thing} key", "Use a key such as `team` or `example.com/team`")
        elif value is not None and not isinstance(value, str):
            misread.finding("CFG004", (*at, key), value, _NO_TEXT, quoted(value))
        elif name == "labels" and isinstance(value, str) and not is_value(value):
            misread.finding("CFG006", (*at, key), value, f"`{value}` is not a valid label value", _LABEL_VALUE)
    size = sum(len(key.encode()) + len(value.encode()) for key, value in held.items() if isinstance(value, str))
    if name == "annotations" and size > _MOST_ANNOTATED:
        message = f"The annotations have {size:,} bytes in total: the API server accepts {_MOST_ANNOTATED:,}"
        misread.finding("CFG008", at, None, message, "Shorten them")


_KARPENTER, _EKS, _AKS, _SELF_HOSTED = "karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "karpenter.k8s.aws"
_SERVED: Final = {_KARPENTER: ("NodePool", "v1"), _EKS: ("NodeClass", "v1"), _AKS: ("AKSNodeClass", "v1beta1"), _SELF_HOSTED: ("EC2NodeClass", "v1")}
_OTHERS: Final = {
    _KARPENTER: ("NodeClaim", "Machine"),
    _EKS: ("IngressClassParams", "NodeDiagnostic", "CNINode", "TargetGroupBinding", "ClusterPolicyEndpoint"),
    _AKS: (),
    _SELF_HOSTED: (),
}
"""Kinds of these groups that are not checked."""
_GROUPS: Final = {kind: f"{group}/{version}" for group, (kind, version) in _SERVED.items()}
_OF_KARPENTER: Final = ("AKSNodeClass", "EC2NodeClass")
"""Kinds that no other project has."""
_REFERENCE = ("spec", "template", "spec", "nodeClassRef")
_MIGRATION_TO_AUTO_MODE = "https://docs.aws.amazon.com/eks/latest/userguide/auto-migrate-karpenter.html; aws/containers-roadmap#2524"
_MIGRATION = "https://karpenter.sh/docs/upgrading/v1-migration"


class Cloud(Enum):
    """The Karpenter that an object is for."""

    EKS = "EKS Auto Mode"
    AKS = "AKS node auto provisioning"
    SELF_MANAGED = "self-managed Karpenter on AWS"


_CLOUDS: Final = {_EKS: Cloud.EKS, _AKS: Cloud.AKS, _SELF_HOSTED: Cloud.SELF_MANAGED}


@dataclass(frozen=True, slots=True)
class Out:
    """An object that is not checked as one of a cloud, and the findings that say why."""

    findings: tuple[Finding, ...] = ()
    like: Cloud | None = None
    """The cloud whose rules check the rest of it."""
    is_classless: bool = False
    """A NodePool that only the rules of Karpenter itself check: its node class is not of one of the clouds."""


def sorted_out(written: ManifestObject) -> Cloud | Out:
    """Returns the cloud whose rules check the object, or the findings that say why none do."""
    group, kind, version = written.group, written.kind, written.version
    if _is_of_another_group(written):
        message = f"`{written.raw['apiVersion']}` has no kind `{kind}`"
        fix = f"Use `{_GROUPS[kind]}`"
        return Out((object_finding("OBJ004", ("apiVersion",), message, fix=fix, value=written.raw["apiVersion"], source="kubectl"),))
    if group not in _SERVED or kind in _OTHERS[group] or (kind.endswith("List") and not written.name):
        return Out(tuple(_without_version(written)))
    own, served = _SERVED[group]
    if kind != own:
        return _foreign_kind(written, own)
    if version != served:
        return _other_version(written, f"{group}/{served}")
    if group == _KARPENTER:
        return _cloud_of_pool(written)
    return _CLOUDS[group]


def _is_of_another_group(written: ManifestObject) -> bool:
    """A kind that is checked, under a group that does not have it. Other projects have a `NodePool` and a `NodeClass` in groups of their own."""
    own = _GROUPS.get(written.kind, "").partition("/")[0]
    is_ours = written.group in _SERVED or "karpenter" in written.group or written.kind in _OF_KARPENTER
    return bool(own) and written.raw.get("apiVersion") is not None and written.group != own and is_ours


def _other_version(written: ManifestObject, served: str) -> Out:
    if written.raw["apiVersion"] == f"{_KARPENTER}/v1beta1":
        return _former(written)
    if written.raw["apiVersion"] == f"{_SELF_HOSTED}/v1beta1":
        return _unserved(written, "Use `karpenter.k8s.aws/v1` with `amiSelectorTerms` and `kubelet` of the NodePool")
    if written.raw["apiVersion"] == f"{_AKS}/v1alpha2":
        return Out((_deprecated(written),), Cloud.AKS)
    version = written.raw["apiVersion"]
    message = f"`{version}` is not a version of `{written.kind}` that clusters serve"
    return Out((object_finding("OBJ004", ("apiVersion",), message, fix=f"Use `{served}`", value=version, source="kubectl"),))


_OF_KUSTOMIZE: Final = frozenset({"Component", "Kustomization"})
"""Kinds that kustomize reads without `apiVersion`. The API server rejects any object without one."""


def _without_version(written: ManifestObject) -> Iterator[Finding]:
    """Reports an object without a version whose kind is checked."""
    if written.raw.get("apiVersion") is None and written.kind not in _OF_KUSTOMIZE:
        fix = Fix(f"Add `apiVersion: {_GROUPS[written.kind]}`" if written.kind in _GROUPS else "Add the `apiVersion` of the kind")
        yield Finding("CFG001", Severity.ERROR, "apiVersion", None, "`apiVersion` is required", fix, "kubectl", steps=("apiVersion",))


def _foreign_kind(written: ManifestObject, own: str) -> Out:
    """Reports a kind whose name is close to one of the group; any other kind can be new."""
    if (now := REPLACED.get(written.kind)) is not None:
        return _unserved(written, f"Write its settings as {with_article(now)} of `{_GROUPS[now]}`")
    if not get_close_matches(written.kind.lower(), [own.lower()], 1, 0.8):
        return Out()
    message = f"`{written.kind}` is not a kind of the group `{written.group}`"
    return Out((object_finding("OBJ004", ("kind",), message, fix=f"Use `{own}`", value=written.kind, source="kubectl"),))


def _cloud_of_pool(written: ManifestObject) -> Cloud | Out:
    group = _group(written.raw)
    if isinstance(group, str) and group in _CLOUDS:
        return _CLOUDS[group]
    if group is None:
        return Out(is_classless=True)
    at = (*_REFERENCE, "group")
    if group == "":
        message, fix = "`nodeClassRef.group` must not be empty", Fix(f"Use `{_EKS}` or `{_AKS}`")
        return Out((Finding("CFG006", Severity.ERROR, ".".join(at), group, message, fix, _KARPENTER, steps=at),), is_classless=True)
    if not isinstance(group, str) or "/" in group:
        bare = group.partition("/")[0] if isinstance(group, str) else None
        message, fix = "`nodeClassRef.group` must be a group without a version", Fix(f"Use `{bare}`" if bare is not None else "Write it in quotes")
        finding = Finding("CFG006", Severity.ERROR, ".".join(at), group, message, fix, _KARPENTER, steps=at)
        like = _CLOUDS.get(bare) if bare is not None else None
        return Out((finding,), like, is_classless=like is None)
    message = f"Only the rules of Karpenter itself are checked here: the node class belongs to `{group}`, whose rules `nodepools` does not have"
    return Out((object_finding("OBJ003", at, message, fix=None, value=group, source="nodepools"),), is_classless=True)


def _group(raw: Mapping[str, object]) -> object:
    """Returns the group that `nodeClassRef` names."""
    here = raw
    for step in _REFERENCE:
        inside = here.get(step)
        if not isinstance(inside, Mapping):
            return None
        here = cast("Mapping[str, object]", inside)
    return here.get("group")


class _ProviderlessNodePool(NodePool):
    """A NodePool of an unknown cloud: labels of any cloud can be well-known on its nodes."""

    label_domains: ClassVar[tuple[str, ...]] = ()


def classless_pool_in(raw: Mapping[str, object]) -> Known[_ProviderlessNodePool]:
    """Reads a NodePool without a cloud; a reference to an unknown kind of node class is not checked."""
    known = pool_form(_ProviderlessNodePool, EKS_NODE_CLASS).read(raw)
    return replace(
        known,
        findings=tuple(finding for finding in known.findings if "nodeClassRef" not in finding.steps or finding.steps[-1] not in ("kind", "name")),
    )


def next_to_auto_mode(written: ManifestObject) -> Finding:
    """Returns the finding about an object of self-managed Karpenter in a file with objects of EKS Auto Mode, which ignores it."""
    at = (*_REFERENCE, "group") if written.group == _KARPENTER else ("apiVersion",)
    message = f"This object is for {Cloud.SELF_MANAGED.value}, and others in these files are for EKS Auto Mode, which launches no node for it"
    fix = "Use a `NodeClass`, unless self-managed Karpenter runs in the same cluster"
    return object_finding("OBJ013", at, message, fix=fix, value=_SELF_HOSTED, source=_MIGRATION_TO_AUTO_MODE)


def _former(written: ManifestObject) -> Out:
    converted = yaml.dump(convert_to_v1(written.raw), Dumper=TextDumper, sort_keys=False, default_flow_style=False)
    kubelet = ", and move `kubelet` to its node class" if "kubelet" in str(written.raw.get("spec")) else ""
    return _unserved(written, f"Convert it to `karpenter.sh/v1`{kubelet}:\n{converted}")


def _unserved(written: ManifestObject, fix: str) -> Out:
    version = written.raw["apiVersion"]
    return Out((object_finding("OBJ001", ("apiVersion",), f"Clusters no longer serve `{version}`", fix=fix, value=version, source=_MIGRATION),))


def _deprecated(written: ManifestObject) -> Finding:
    source, version = "https://github.com/Azure/karpenter-provider-azure/tree/main/pkg/apis/crds", written.raw["apiVersion"]
    message, fix = f"`{version}` is deprecated, although clusters still serve it", "Use `karpenter.azure.com/v1beta1`, and remove `imageVersion`"
    return object_finding("OBJ002", ("apiVersion",), message, fix=fix, value=version, source=source)


EKS_POOL: Final = pool_form(EksNodePool, EKS_NODE_CLASS)
AKS_POOL: Final = pool_form(AksNodePool, AKS_NODE_CLASS)
SELF_MANAGED_POOL: Final = pool_form(NodePool, EC2_NODE_CLASS)
EKS_CLASS: Final = Form(EksNodeClass, EKS_NODE_CLASS, eks.NODE_CLASS)
EC2_CLASS: Final = Form(Ec2NodeClass, EC2_NODE_CLASS, ec2.NODE_CLASS)
AKS_CLASS: Final = Form(AksNodeClass, AKS_NODE_CLASS, aks.NODE_CLASS)

AnyForm: TypeAlias = PoolForm[EksNodePool] | PoolForm[AksNodePool] | PoolForm[NodePool] | Form[EksNodeClass] | Form[Ec2NodeClass] | Form[AksNodeClass]
_POOLS: Final[Mapping[Cloud, AnyForm]] = {Cloud.EKS: EKS_POOL, Cloud.AKS: AKS_POOL, Cloud.SELF_MANAGED: SELF_MANAGED_POOL}
_CLASSES: Final[Mapping[Cloud, AnyForm]] = {Cloud.EKS: EKS_CLASS, Cloud.AKS: AKS_CLASS, Cloud.SELF_MANAGED: EC2_CLASS}


def form_of(cloud: Cloud, *, is_pool: bool) -> AnyForm:
    """Returns the form of the NodePools, or of the node classes, of a cloud."""
    return (_POOLS if is_pool else _CLASSES)[cloud]


_SELF_MANAGED: Final = CloudObjects(
    parent=SelfManagedKarpenter,
    not_in_files=(),
    node_pools=(),
    node_classes=(),
    is_created_by_cloud=lambda _, __: False,
    built_in="",
    built_in_fix="",
    built_in_source="",
)
"""The cloud creates no objects of self-managed Karpenter."""
OBJECTS_OF: Final[Mapping[Cloud, CloudObjects]] = {Cloud.EKS: EKS_OBJECTS, Cloud.AKS: AKS_OBJECTS, Cloud.SELF_MANAGED: _SELF_MANAGED}
"""The properties of the objects of each cloud."""


def holds(part: Model, cloud: Cloud) -> bool:
    """Tells whether `part` of a cluster contains the objects of `cloud`."""
    return isinstance(part, OBJECTS_OF[cloud].parent)


def is_of_the_cloud(written: ManifestObject, cloud: Cloud) -> bool:
    """Tells whether the cloud created the object, which was printed from a cluster: its users cannot change it."""
    try:
        metadata = raw_fields.mapping(written.raw, "metadata")
        labels, annotations = raw_fields.mapping(metadata, "labels"), raw_fields.mapping(metadata, "annotations")
    except raw_fields.PodError:
        return False
    return OBJECTS_OF[cloud].is_created_by_cloud(labels, annotations) and _has_built_in_name(written, cloud)


def has_built_in_name(written: ManifestObject, cloud: Cloud) -> Iterator[Finding]:
    """Yields a finding if the object has the name of a built-in one."""
    if _has_built_in_name(written, cloud):
        of = OBJECTS_OF[cloud]
        message = f"`{written.name}` is the name of {with_article(written.kind)} {of.built_in}"
        fix = of.built_in_fix.format(name=written.name)
        yield object_finding("OBJ012", ("metadata", "name"), message, fix=fix, value=written.name, source=of.built_in_source)


def _has_built_in_name(written: ManifestObject, cloud: Cloud) -> bool:
    return written.name in OBJECTS_OF[cloud].names(pools=written.kind == "NodePool")
