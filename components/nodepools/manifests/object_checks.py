"""Checks objects by the rules of declarations: reads them into the model, runs the rules, and words findings in the object's spelling.

NodePools and EC2NodeClasses are also checked for the version of Karpenter that runs: what a later one introduced, an older one does not accept.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import date
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, cast

from nodepools.clouds.eks.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.conversion.node_pools import class_group, is_node_pool
from nodepools.conversion.unconverted import NODE_CLASSES, ConversionOptions, Target
from nodepools.data.karpenter_releases import DEFAULT_CONSOLIDATION, FREE_LABELS, V1, Fact, KarpenterRelease
from nodepools.data.version_support import minor
from nodepools.manifests.cluster_checks import Cluster, Read, check_cluster_objects, read_object
from nodepools.manifests.karpenter_controller import (
    WITH_VALUES,
    Alpha,
    buffered,
    check_alpha,
    check_gated,
    check_settings,
    is_alpha,
    read_alpha,
    relaxes_min_values,
    release_of,
)
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import OBJECTS_OF, Cloud, Out, as_written, field_name, has_built_in_name, next_to_auto_mode, sorted_out
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.label import DEPRECATED_LABELS, Values, domain
from nodepools.model.listing import as_code, grouped, listed
from nodepools.model.path import path_text, value_at
from nodepools.model.steps import Step, Steps, mapping, sequence
from nodepools.model.unknowns import NotKnownError, partial, unread
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import KARPENTER_LABELS, ZONE, ZONE_ID
from nodepools.reading.yaml_documents import Doubt
from nodepools.rules.eks.networks import GUIDE, field_of, without_effect
from nodepools.rules.engine.api_findings import Source, object_finding, wired
from nodepools.rules.engine.finding import Finding, Fix, Severity, set_to
from nodepools.rules.engine.registry import Where, limit_of
from nodepools.rules.engine.runner import RuleFailedError, check
from nodepools.rules.engine.schema_findings import QUOTED, settled
from nodepools.rules.platform.labels import allowed_values
from nodepools.rules.self_managed.node_classes import KUBELET_FIELDS
from nodepools.wire.karpenter import AKS_NODE_CLASS
from nodepools.wire.paths import wire_of

if TYPE_CHECKING:
    from nodepools.manifests.existing.existing_pools import CloudCluster

_YAML: Final = "https://yaml.org/spec/1.2.2/: keys are unique, and octal numbers begin with 0o; sigs.k8s.io/yaml reads YAML 1.1, 2026-11"
_UNUSED_CLASS: Final = "KAR061"
_MIN_VALUES: Final = "SMK050"
_AL2: Final = ("SMK008", "alias")
_WITHOUT_AL2: Final = 33
"""The first minor version of Kubernetes that AWS publishes no images of Amazon Linux 2 for."""
_NOT_TEXT: Final = "CFG004"
_NAME: Final[tuple[Step, ...]] = ("metadata", "name")


@dataclass(frozen=True, slots=True)
class ObjectCheckResult:
    """The readable objects of files, and the findings."""

    read: tuple[Read, ...]
    findings: tuple[Finding, ...]
    """In the order of the objects, and within one in that of its lines."""
    notices: tuple[str, ...] = ()
    """What was not checked."""


def check_objects(
    found: Sequence[ManifestObject],
    today: date | None = None,
    failed: Callable[[RuleFailedError], None] | None = None,
    karpenter: KarpenterRelease | None = None,
    cloud: "CloudCluster | None" = None,
) -> ObjectCheckResult:
    """Checks each object alone, and all objects together if they are guaranteed to belong to the same cluster.

    Objects of self-managed Karpenter are also checked for the version `karpenter`. `cloud` has node groups and agent pools of the same cluster.
    """
    read: list[Read] = []
    findings: list[tuple[ManifestObject, Finding]] = []
    alpha: list[Alpha] = []
    deployments = [written for written in found if written.kind in ("Deployment", *WITH_VALUES)]
    installed = karpenter if karpenter is not None else release_of(deployments)
    for written in found:
        if is_alpha(written):
            added, reported = read_alpha(written)
            unserved = list(_unserved_kind(written, karpenter)) if karpenter is not None else []
            alpha.extend([added] if added is not None and not unserved else [])
            findings.extend((written, finding) for finding in (*reported, *unserved))
            continue
        one, reported = read_object(written)
        read.extend([one] if one is not None else [])
        is_own = one is not None and one.cloud is Cloud.SELF_MANAGED
        running = installed if is_own else karpenter
        findings.extend((written, finding) for finding in (reported if running is None else served(reported, running, is_own=is_own)))
    findings += check_alpha(found, alpha, {one.cloud for one in read})
    findings += check_settings(deployments)
    for obj in read:
        if obj.cloud is Cloud.SELF_MANAGED and isinstance(obj.model, NodePool):
            with suppress(NotKnownError):  # a part that could not be read has a finding
                findings += [(obj.written, finding) for finding in check_gated(obj.model, deployments, installed)]
    if karpenter is not None:
        findings += [(obj.written, finding) for obj in read if obj.cloud is Cloud.SELF_MANAGED for finding in of_release(obj.written, karpenter)]
    named, clusters = _Classes.of(found), list(_clusters(read))
    findings += [(obj.written, finding) for cluster in clusters for obj in cluster for finding in _outside_of_subnets(obj, cluster)]
    if any(obj.cloud is Cloud.EKS for obj in read):
        findings += [(obj.written, next_to_auto_mode(obj.written)) for obj in _incomplete([obj for obj in read if obj.cloud is Cloud.SELF_MANAGED])]
    findings += _twice(found)
    text = {(id(written), finding.steps) for written, finding in findings if finding.code == _NOT_TEXT}
    findings += [(written, _doubtful(written, doubt)) for written in found for doubt in written.doubts if (id(written), doubt.steps) not in text]
    findings += [(obj.written, finding) for obj in read if obj.cloud is not None for finding in has_built_in_name(obj.written, obj.cloud)]
    relaxed = {_MIN_VALUES} if relaxes_min_values(deployments) else set[str]()
    lacks_al2 = cloud is not None and cloud.version and minor(cloud.version) >= _WITHOUT_AL2
    for cluster in clusters:
        checked = _checked(cluster, named, today, failed)
        graded = ((written, _graded(finding, karpenter)) for written, finding in checked if finding.code not in relaxed)
        findings.extend(
            (written, replace(one, severity=Severity.ERROR) if lacks_al2 and (one.code, *one.steps[-1:]) == _AL2 else one) for written, one in graded
        )
    if not _repeats(read):
        kept = [(one.written, pods) for one in alpha if (pods := buffered(one, found)) is not None]
        findings.extend(check_cluster_objects(Cluster.of(found, read, cloud), kept))
        findings.extend(_without_controller(found, read))
    own = {id(obj.written) for obj in read if obj.is_of_the_cloud}
    shown = [(written, with_advice(written, finding)) for written, finding in findings if id(written) not in own]
    return ObjectCheckResult(tuple(read), tuple(settled(list(_in_order(found, shown)))), tuple(_not_together(read, clusters)))


@dataclass(frozen=True, slots=True)
class _Classes:
    """The node classes of files, including unreadable ones."""

    names: Mapping[str, AbstractSet[str]]
    """Their names by kind; an empty one for a node class without a name."""
    used: AbstractSet[str] | None
    """Names that NodePools use, also those of other folders; `None` if one of them can use any name."""

    @classmethod
    def of(cls, found: Sequence[ManifestObject]) -> "_Classes":
        used = [_class_of(written) for written in found if written.kind == "NodePool"]
        names = {kind.kind: {written.name for written in found if written.kind == kind.kind} for kind in NODE_CLASSES.values()}
        return cls(names, None if None in used else {name for name in used if name is not None})

    def is_uncertain(self, finding: Finding) -> bool:
        """Tells whether objects outside of the files, or an unreadable NodePool, can make the finding wrong."""
        if finding.code == _UNUSED_CLASS:
            return self.used is None or finding.value in self.used
        limit = limit_of(finding.code, Where.MISSING_CLASS)
        names = self.names[limit.kind] if limit is not None else None
        return names is not None and (not names or not names.isdisjoint({"", finding.value}))


def _doubtful(written: ManifestObject, doubt: Doubt) -> Finding:
    """A place of the file that readers of YAML understand in different ways."""
    if doubt.first is None:
        message = f"Kubernetes reads `{doubt.text}` as {int(doubt.text, 8)} (YAML 1.1), other tools as {int(doubt.text)} (YAML 1.2)"
        fix = f"Write `{int(doubt.text, 8)}` or `{int(doubt.text)}`"
        return object_finding("OBJ027", doubt.steps, message, fix=fix, source=_YAML, value=doubt.text)
    last = written.position(doubt.steps).line
    message = f"`{doubt.text}` is set twice, in lines {doubt.first} and {last}: the API server and Helm use the last value"
    top, fix = {other.steps: written.position(other.steps).line for other in written.doubts if len(other.steps) == 1}, "Remove one of them"
    if doubt.steps in top and ("kind",) in top:
        fix = f"Separate the two objects, of which the first is lost, such as by `---` above line {min(top.values())}, or remove one of them"
    return object_finding("OBJ026", doubt.steps, message, fix=fix, source=_YAML)


def _incomplete(own: Sequence[Read]) -> Iterator[Read]:
    """NodePools without their EC2NodeClass, and the reverse. Both together are a Karpenter that runs next to Auto Mode on purpose."""
    classes, used = {obj.name for obj in own if not obj.is_pool}, {_class_of(obj.written) for obj in own if obj.is_pool}
    yield from (obj for obj in own if (_class_of(obj.written) not in classes if obj.is_pool else obj.name not in used))


_ZONES: Final = {"zone": ZONE, "zoneID": ZONE_ID}


def _outside_of_subnets(pool: Read, read: Iterable[Read]) -> Iterator[Finding]:
    """A NodePool without a zone of the subnets that its node class has found, as the export of the class says."""
    used = _class_of(pool.written) if pool.is_pool else None
    classes = [one.written for one in read if not one.is_pool and (one.cloud, one.name) == (pool.cloud, used)]
    subnets = [mapping(one) for written in classes for one in sequence(mapping(written.raw.get("status")).get("subnets"))]
    for field, label in _ZONES.items():
        zones = {str(one.get(field)) for one in subnets}
        try:
            allowed = allowed_values(pool.model, label) if isinstance(pool.model, NodePool) else Values()
        except NotKnownError:  # requirements that are not a list
            return
        if zones and not any(zone == str(None) or zone in allowed for zone in zones):
            message = f"No node is launched: the subnets that node class `{used}` has found are in {as_code(sorted(zones))}, which are excluded"
            code, steps = "SMK051" if pool.cloud is Cloud.SELF_MANAGED else "EKS179", ("spec", "template", "spec", "requirements")
            yield Finding(code, Severity.WARNING, path_text(steps), None, message, Fix("Change the zones or the subnets"), _SOURCE, steps=steps)


def _class_of(written: ManifestObject) -> str | None:
    """Returns the name of the node class that a NodePool refers to."""
    name = value_at(written.raw, ("spec", "template", "spec", "nodeClassRef", "name"))
    return name if isinstance(name, str) else None


def _clusters(read: Iterable[Read]) -> Iterator[list[Read]]:
    """Yields the objects of each cloud together if no name occurs twice, otherwise as far as they are apart: overlays of a cluster, or several."""
    yield from ([obj] for obj in read if obj.cloud is None or not obj.is_named)
    for cloud in Cloud:
        yield from _apart([obj for obj in read if obj.cloud is cloud and obj.is_named])


def _apart(objects: list[Read], depth: int = 0) -> Iterator[list[Read]]:
    """The objects of each folder in which no name occurs twice, then of each file, then alone; as `diff` pairs them."""
    if not _repeats(objects):
        yield from [objects] if objects else ()
    elif (folders := grouped((PurePath(obj.written.file).parts[depth:-1][:1], obj) for obj in objects)).keys() != {()}:
        for inner in folders.values():
            yield from _apart(inner, depth + 1)
    else:
        for inner in grouped((obj.written.file, obj) for obj in objects).values():
            yield from ([obj] for obj in inner) if _repeats(inner) else [inner]


def _repeats(objects: Iterable[Read]) -> list[Read]:
    """The first objects of one cloud, kind and name."""
    return next((same for same in grouped(((obj.cloud, obj.is_pool, obj.name), obj) for obj in objects).values() if len(same) > 1), list[Read]())


def _not_together(read: Sequence[Read], clusters: Iterable[Sequence[Read]]) -> Iterator[str]:
    """What was not checked, because names occur twice."""
    if same := _repeats(read):
        files = listed(list(dict.fromkeys(obj.written.file for obj in same)), 3)
        how = "each folder, file or object with such a name is checked as a cluster of its own, and no workload is compared with them"
        yield f"{len(same)} of kind {same[0].written.kind} are named `{same[0].name}` ({files}): {how}"
        known, lacking = _names_of_classes(read), list[str]()
        for cluster in clusters:
            other = known - _names_of_classes(cluster)
            lacking += [pool.written.label for pool in cluster if pool.is_pool and (pool.cloud, _class_of(pool.written)) in other]
        if lacking:
            yield f"checked without their node classes, which are in other files or occur twice: {listed(lacking, 3)}"


def _names_of_classes(objects: Iterable[Read]) -> set[tuple[Cloud | None, str | None]]:
    return {(obj.cloud, obj.name) for obj in objects if not obj.is_pool}


def _checked(
    cluster: Sequence[Read], classes: _Classes, today: date | None, failed: Callable[[RuleFailedError], None] | None
) -> Iterator[tuple[ManifestObject, Finding]]:
    by_place: dict[tuple[Step, ...], Read] = {("node_pools" if obj.is_pool else "node_classes", obj.name): obj for obj in cluster}
    parent = _parent(cluster)
    for finding in check(parent, today=today, failed=failed):
        one = by_place.get(finding.steps[:2])
        if one is None or limit_of(finding.code, Where.FILES) is not None or classes.is_uncertain(finding):
            continue
        severity = Severity.WARNING if limit_of(finding.code, Where.MISSING_CLASS) is not None else finding.severity
        reported = replace(_translated(finding, parent, by_place), severity=severity)
        if one.is_named or reported.steps != _NAME:
            yield one.written, reported


def _parent(cluster: Sequence[Read]) -> Model:
    """Returns the model that contains the objects, without validating them again."""
    pools = FrozenDict({obj.name: obj.model for obj in cluster if obj.is_pool})
    classes = FrozenDict({obj.name: obj.model for obj in cluster if not obj.is_pool})
    of = OBJECTS_OF[cluster[0].cloud if cluster[0].cloud is not None else Cloud.EKS]
    return partial(of.parent.model_construct(node_pools=pools, node_classes=classes), of.not_in_files)


def _translated(finding: Finding, parent: Model, by_place: Mapping[tuple[Step, ...], Read]) -> Finding:
    """Returns the finding in the object's spelling: `minValues` for `min_values`, and operations on its `spec`."""

    def wire(steps: tuple[Step, ...]) -> tuple[Step, ...] | None:
        one = by_place.get(steps[:2])
        return wire_of(one.table, steps[2:]) if one is not None else None

    place, steps = finding.steps[:2], finding.steps[2:]
    table = by_place[place].table
    worded = wired(finding, parent, Source(place, ("spec",), table), wire)
    return as_written(replace(worded, steps=steps), table) if steps else replace(worded, path=".".join(map(str, _NAME)), steps=_NAME)


def _twice(found: Sequence[ManifestObject]) -> Iterator[tuple[ManifestObject, Finding]]:
    for same in grouped(((one.file, one.group, one.kind, one.name), one) for one in found if one.name).values():
        for again in (one for one in same[1:] if not isinstance(sorted_out(one), Out)):
            message = f"{again.kind} `{again.name}` is in this file twice: `kubectl apply` keeps the last one"
            yield again, object_finding("OBJ005", _NAME, message, fix="Rename or remove one of them", value=again.name, source="kubectl")


def _in_order(found: Sequence[ManifestObject], findings: Iterable[tuple[ManifestObject, Finding]]) -> Iterator[Finding]:
    of = grouped((id(written), replace(finding, object=written.label, position=written.position(finding.steps))) for written, finding in findings)
    for written in found:
        yield from sorted(
            of.get(id(written), ()), key=lambda finding: (finding.position.line, finding.position.column) if finding.position else (0, 0)
        )


_CLEARED: Final = frozenset({"OBJ001", "OBJ002", "OBJ013"})


def with_advice(written: ManifestObject, finding: Finding) -> Finding:
    """The finding with a number as the file has it, or the command that clears it, if the conversion was tried and gives a valid object."""
    if finding.code == _NOT_TEXT and finding.fix is not None and finding.fix.text.startswith(QUOTED) and finding.value.__class__ in (int, float):
        text = written.spelled.get(finding.steps, str(finding.value))
        return replace(finding, fix=Fix(f'{QUOTED}: `"{text}"`', (set_to(finding.steps, text),), is_certain=True))
    if finding.code not in _CLEARED or finding.fix is None:
        return finding
    target = Target.NAP if AKS_NODE_CLASS.kind in str(written.raw) else Target.AUTO_MODE
    if not _clears(written, target):
        return finding
    file = "FILE" if written.file == "stdin" else shlex.quote(written.file)
    advice = f"`nodepools convert {file} --to {target.value}` converts it for {target.title}"
    first, colon, rest = finding.fix.text.partition(":\n")
    text = f"{first} ({advice}){colon}{rest}" if colon else f"{first}. {advice}"
    return replace(finding, fix=replace(finding.fix, text=text))


def _clears(written: ManifestObject, target: Target) -> bool:
    if is_node_pool(written.raw) and class_group(written.raw) not in NODE_CLASSES:
        return False
    from nodepools.conversion.converted import convert  # only advice on unconverted objects needs it

    [converted] = convert([written.raw], ConversionOptions(target, target.suffix))
    read, findings = read_object(replace(written, raw=converted.new))
    return converted.is_changed and read is not None and read.cloud is not None and not any(one.severity is Severity.ERROR for one in findings)


_POLICIES_CODE: Final = "EKS096"
_POLICY_FIELDS: Final = {"network_policy": "networkPolicy", "network_policy_event_logs": "networkPolicyEventLogs"}
_POLICIES_ON: Final = "true"


def _without_controller(found: Sequence[ManifestObject], read: Iterable[Read]) -> Iterator[tuple[ManifestObject, Finding]]:
    """Yields findings for NodeClasses that need the controller if no file turns it on, or for the ConfigMap that turns it off.

    `DefaultAllow` is in every object that a cluster prints, and does not show an intention.
    """
    classes = [(obj.written, obj.model) for obj in read if isinstance(obj.model, EksNodeClass) and unread(obj.model).isdisjoint(_POLICY_FIELDS)]
    needing = [(written, model) for written, model in classes if model.needs_network_policies]
    switches = [written for written in found if _is_controller(written)]
    if not needing or any(_policy_value(switch) == _POLICIES_ON for switch in switches):
        return
    for switch in switches:
        message = f'`{SWITCH}` is not `"{_POLICIES_ON}"`: NodeClass `{needing[0][0].name}` has `networkPolicy`, and no network policy is enforced'
        yield switch, _policies_finding(("data", SWITCH), _policy_value(switch), message, f'Set `{SWITCH}: "{_POLICIES_ON}"`')
    for written, model in () if switches else needing:
        field = field_of(model)
        fix = f'Add ConfigMap `{CONTROLLER[1]}` in namespace `{CONTROLLER[0]}` with `{SWITCH}: "{_POLICIES_ON}"` to `data`'
        yield written, _policies_finding(("spec", _POLICY_FIELDS[field]), getattr(model, field), without_effect(model), fix)


def _policies_finding(steps: tuple[Step, ...], value: object, message: str, fix: str) -> Finding:
    return Finding(_POLICIES_CODE, Severity.WARNING, path_text(steps), value, message, Fix(fix), GUIDE, steps=steps)


def _is_controller(written: ManifestObject) -> bool:
    """Tells whether the object is the controller's ConfigMap. Without a namespace, it gets the one that the user applies it to."""
    namespace = mapping(written.raw.get("metadata")).get("namespace")
    return (written.kind, written.name) == ("ConfigMap", CONTROLLER[1]) and namespace in (None, CONTROLLER[0])


def _policy_value(switch: ManifestObject) -> object:
    return mapping(switch.raw.get("data")).get(SWITCH)


_SOURCE: Final = "https://github.com/aws/karpenter-provider-aws/tree/main/pkg/apis/crds"
_FREE: Final = ("kops.k8s.io", "node.kubernetes.io", "node-restriction.kubernetes.io")
"""Domains whose labels were never restricted (rule of the CRD)."""


def of_release(written: ManifestObject, release: KarpenterRelease) -> Iterator[Finding]:
    """What this version of Karpenter does not accept in an object."""
    spec = written.raw.get("spec")
    for fact in release.newer_facts(written.kind):
        for steps, value in _found(spec, fact.path, ("spec",)):
            yield from _of_fact(fact, steps, value, release)
    if written.kind == "NodePool":
        for steps, key in _labels(spec):
            yield from _of_label(steps, key, release)


_BEFORE_EXPRESSIONS: Final = {"SMK047": Severity.ERROR, "SMK048": Severity.WARNING}
"""What versions before 1.15 do with settings of the kubelet: their CRD rejects expressions, and they drop what a family of images does not get."""


def _graded(finding: Finding, release: KarpenterRelease | None) -> Finding:
    is_before = release is not None and release.number < DEFAULT_CONSOLIDATION
    return replace(finding, severity=_BEFORE_EXPRESSIONS.get(finding.code, finding.severity)) if is_before else finding


def _unserved_kind(written: ManifestObject, release: KarpenterRelease) -> Iterator[Finding]:
    since = release.before_kind(written.kind)
    if since is not None:
        is_own = written.group.startswith("karpenter.")  # the cluster autoscaler has CapacityBuffers, too
        what = "`kubectl apply` fails" if is_own else "it ignores them, and `kubectl apply` fails if no other program has their CRD"
        message = f"Karpenter {release.version} has no kind `{written.kind}`, which exists since {since}: {what}"
        found = object_finding("OBJ016", ("kind",), message, fix=f"Remove it, or upgrade Karpenter to {since} or newer", source=_SOURCE)
        yield found if is_own else replace(found, severity=Severity.WARNING)


def served(findings: Sequence[Finding], release: KarpenterRelease, *, is_own: bool = False) -> Iterator[Finding]:
    """The findings of an object; without what this version of Karpenter accepts after all; what it still serves is deprecated."""
    for finding in findings:
        if finding.code == "OBJ014" and release.number >= DEFAULT_CONSOLIDATION:
            continue
        if finding.code == "OBJ014" and is_own:
            message = f"The CRD of Karpenter {release.version} rejects `disruption` without `consolidateAfter`"
            yield replace(finding, severity=Severity.ERROR, message=message)
        elif finding.code == "OBJ001" and release.number == V1 and str(finding.value).endswith("/v1beta1"):
            message = f"`{finding.value}` is deprecated: Karpenter {release.version} is the last version that serves it"
            deprecated = object_finding("OBJ002", ("apiVersion",), message, fix=None, value=finding.value, source=finding.source)
            yield replace(deprecated, fix=finding.fix)
        else:
            yield finding


def _found(value: object, path: Sequence[str], steps: Steps) -> Iterator[tuple[Steps, object]]:
    """The values at a path, with the steps to each."""
    if not path:
        yield steps, value
    elif path[0] == "[]":
        for index, entry in enumerate(cast("Sequence[object]", value) if isinstance(value, list) else ()):
            yield from _found(entry, path[1:], (*steps, index))
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _found(cast("Mapping[str, object]", value)[path[0]], path[1:], (*steps, path[0]))


def _of_fact(fact: Fact, steps: Steps, value: object, release: KarpenterRelease) -> Iterator[Finding]:
    match fact.what:
        case "field":
            yield _unknown_field(steps, fact.since, release)
        case "value" | "family":
            is_family = fact.what == "family"
            if (word := str(value).partition("@")[0] if is_family else value) in fact.words:
                yield _rejected(steps, value, f"{'the family ' * is_family}`{word}`", fact.since, release)
        case "other":  # SMK032 reports misspelt names
            newer = (name for name in mapping(value) if name not in fact.words and name in KUBELET_FIELDS)
            yield from (_unknown_field((*steps, name), fact.since, release) for name in newer)


def _unknown_field(steps: Steps, since: str, release: KarpenterRelease) -> Finding:
    message = f"Karpenter {release.version} does not have {field_name(steps)} (new in {since}): `kubectl` rejects it, other tools drop it"
    return object_finding("OBJ016", steps, message, fix=f"Remove it, or upgrade Karpenter to {since} or newer", source=_SOURCE)


def _rejected(steps: Steps, value: object, what: str, since: str, release: KarpenterRelease) -> Finding:
    message = f"The CRD of Karpenter {release.version} rejects {what}, which exists since {since}"
    return object_finding("OBJ016", steps, message, fix=f"Use another value, or upgrade Karpenter to {since} or newer", value=value, source=_SOURCE)


def _labels(spec: object) -> Iterator[tuple[Steps, str]]:
    """The label keys that a NodePool requires or sets."""
    template = ("template",)
    for steps, key in _found(spec, (*template, "spec", "requirements", "[]", "key"), ("spec",)):
        yield steps, str(key)
    for steps, labels in _found(spec, (*template, "metadata", "labels"), ("spec",)):
        yield from (((*steps, key), key) for key in mapping(labels))


def _of_label(steps: Steps, key: str, release: KarpenterRelease) -> Iterator[Finding]:
    if key in release.newer_labels:
        yield _rejected(steps, key, f"the label `{key}`", release.since(key), release)
    elif release.number < FREE_LABELS and _is_restricted(key):
        message = f"The CRD of Karpenter {release.version} rejects labels of `{domain(key)}`, which are free since 1.9"
        yield object_finding("OBJ016", steps, message, fix="Use a label of a domain of your own", value=key, source=_SOURCE)


def _is_restricted(key: str) -> bool:
    own = domain(key)
    if key in KARPENTER_LABELS or key in DEPRECATED_LABELS or own.endswith(_FREE):
        return False
    return own.endswith(("kubernetes.io", "k8s.io"))
