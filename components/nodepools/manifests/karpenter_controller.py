"""NodeOverlays and CapacityBuffers, read like NodePools, and the settings of Karpenter's Deployment, as its controller reads them when it starts.

A variable of another type leaves the default without a word; an argument of another type, and a value that is validated, stop the controller.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple, cast

from nodepools.cel.conversions import duration
from nodepools.cel.meter import EvaluationError
from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import Cloud, Form
from nodepools.model.invalid_parts import NotKnownError
from nodepools.model.karpenter import NodePool
from nodepools.model.karpenter_alpha import CapacityBuffer, NodeOverlay
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import as_code, nearest
from nodepools.model.path import path_text
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.placement.overlays import Overlay
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity, fix_of
from nodepools.rules.platform.labels import allowed_values
from nodepools.upgrades.karpenter_versions import installed_before, karpenter_of
from nodepools.wire.karpenter import ObjectKind
from nodepools.wire.paths import value_at
from nodepools.wire.rows import TEXTS, Each, Part, Row
from nodepools.wire.table import Table

NODE_OVERLAY: Final = ObjectKind("karpenter.sh", "v1alpha1", "NodeOverlay")
CAPACITY_BUFFER: Final = ObjectKind("autoscaling.x-k8s.io", "v1beta1", "CapacityBuffer")
_OVERLAY: Final = Table(
    Each("requirements", "requirements", Table(*(Row(name, name) for name in ("key", "operator", "values"))), always=True),
    Row("price", "price"),
    Row("price_adjustment", "priceAdjustment"),
    Row("capacity", "capacity", codec=TEXTS),
    Row("weight", "weight"),
)
"""The `spec` of a NodeOverlay."""
_BUFFER: Final = Table(
    Row("provisioning_strategy", "provisioningStrategy"),
    Row("replicas", "replicas"),
    Row("percentage", "percentage"),
    Row("limits", "limits", codec=TEXTS),
    Part("scalable", "scalableRef", Table(*(Row(name, wire) for name, wire in (("group", "apiGroup"), ("kind", "kind"), ("name", "name"))))),
    Row("pod_template", "podTemplateRef.name"),
    required=[("podTemplateRef", "scalableRef")],
)
"""The `spec` of a CapacityBuffer."""
_OVERLAYS: Final = Form(NodeOverlay, NODE_OVERLAY, _OVERLAY)
_BUFFERS: Final = Form(CapacityBuffer, CAPACITY_BUFFER, _BUFFER)
_FORMS: Final[Mapping[tuple[str, str], Form[NodeOverlay] | Form[CapacityBuffer]]] = {
    (NODE_OVERLAY.group, NODE_OVERLAY.kind): _OVERLAYS,
    (CAPACITY_BUFFER.group, CAPACITY_BUFFER.kind): _BUFFERS,
}
WITH_VALUES: Final[Mapping[str, Steps]] = {"HelmRelease": ("spec", "values"), "Application": ("spec", "source", "helm", "valuesObject")}
"""Where objects of Flux and Argo CD have the values of a chart."""
_FORMER: Final = "autoscaling.x-k8s.io/v1alpha1"
_TEMPLATE: Final = "PodTemplate"
_SCALABLE: Final = ("Deployment", "StatefulSet", "ReplicaSet")
_KEPT: Final = "Karpenter 1.15, pkg/controllers/capacitybuffer and pkg/utils/apps"
_GATES: Final = "https://karpenter.sh/docs/reference/settings/#feature-gates; Karpenter 1.14, pkg/operator/options: off by default"
_CONFLICT: Final = "Karpenter 1.14, pkg/controllers/nodeoverlay/controller.go: the condition ValidationSucceeded is False"
_UNSUPPORTED: Final = {
    (NODE_OVERLAY.kind, Cloud.EKS): ("EKS Auto Mode does not support NodeOverlays", "https://github.com/aws/containers-roadmap/issues/2690"),
    (NODE_OVERLAY.kind, Cloud.AKS): ("Node auto provisioning does not support NodeOverlays", "https://github.com/Azure/AKS/issues/5359"),
    (CAPACITY_BUFFER.kind, Cloud.AKS): ("Node auto provisioning may not support CapacityBuffers yet", "https://github.com/Azure/AKS/issues/5873"),
    (CAPACITY_BUFFER.kind, Cloud.EKS): ("It is not established that EKS Auto Mode supports CapacityBuffers", "its manual, 2026-11"),
}


@dataclass(frozen=True, slots=True)
class Alpha:
    """A readable NodeOverlay or CapacityBuffer."""

    written: ManifestObject
    name: str
    model: NodeOverlay | CapacityBuffer


def read_overlay(raw: Mapping[str, object]) -> Overlay | None:
    """The NodeOverlay of an object; `None` if it is something else.

    Raises:
        UnreadableObjectError: a field is invalid.
    """
    return Overlay(*_OVERLAYS.read(raw).whole()) if raw.get("kind") == NODE_OVERLAY.kind else None


def is_alpha(written: ManifestObject) -> bool:
    """The object is a NodeOverlay or a CapacityBuffer, of any version."""
    return (written.group, written.kind) in _FORMS


def read_alpha(written: ManifestObject) -> tuple[Alpha | None, list[Finding]]:
    """The object, if it is valid, and the findings about it."""
    form, findings, raw = _FORMS[written.group, written.kind], list[Finding](), written.raw
    if raw.get("apiVersion") == _FORMER:
        message = f"Karpenter serves only `{CAPACITY_BUFFER.api_version}`; `{_FORMER}` is the first version of the cluster autoscaler"
        fix = f"Use `{CAPACITY_BUFFER.api_version}`"
        findings.append(object_finding("OBJ002", ("apiVersion",), message, fix=fix, value=_FORMER, source="Karpenter 1.14, pkg/apis/crds"))
        raw = {**raw, "apiVersion": CAPACITY_BUFFER.api_version}
    known = form.read(raw)
    findings += [*known.findings, *_unsized(known.model)]
    is_valid = all(one.severity is not Severity.ERROR for one in findings)
    return Alpha(written, known.name, known.model) if is_valid and known.model is not None and known.name is not None else None, findings


def _unsized(model: NodeOverlay | CapacityBuffer | None) -> Iterator[Finding]:
    with suppress(NotKnownError):  # an invalid number is written, and has its own finding
        if isinstance(model, CapacityBuffer) and model.pod_template is not None and model.replicas is None and not model.limits:
            at, message = ("spec", "podTemplateRef", "name"), "`podTemplateRef` requires `replicas` or `limits`"
            yield Finding("CFG009", Severity.ERROR, path_text(at), None, message, fix_of("Add `replicas`"), str(CAPACITY_BUFFER), steps=at)


def check_alpha(
    found: Sequence[ManifestObject], read: Sequence[Alpha], clouds: AbstractSet[Cloud | None]
) -> Iterator[tuple[ManifestObject, Finding]]:
    """Yields what the objects next to them show. `clouds` are those of the NodePools and node classes in the same files."""
    for one in read:
        yield from ((one.written, finding) for finding in (*_applied(one, found, clouds), *_without_effect(one)))
        yield from ((one.written, finding) for finding in _without_room(one, found))
    overlays = {Overlay(one.name, one.model): one.written for one in read if isinstance(one.model, NodeOverlay)}
    for one, other in combinations(overlays, 2):
        if one.competes(other) and one.may_meet(other):
            first, second = sorted((one, other), key=lambda overlay: overlay.order)
            message = f"NodeOverlay `{first.name}` has the same weight and sets the same field: if both match an instance type, this one is ignored"
            fix = "Set different weights, or requirements that exclude each other"
            yield (overlays[second], object_finding("OBJ029", ("spec", "weight"), message, fix=fix, source=_CONFLICT, value=second.declared.weight))


def _applied(one: Alpha, found: Sequence[ManifestObject], clouds: AbstractSet[Cloud | None]) -> Iterator[Finding]:
    kind = one.written.kind
    unsupported = [_UNSUPPORTED[kind, cloud] for cloud in sorted(clouds - {None, Cloud.SELF_MANAGED}, key=str) if cloud is not None]
    is_on = feature_gate(found, kind)
    if unsupported and not clouds & {None, Cloud.SELF_MANAGED} and is_on is None:
        message, source = "; ".join(text for text, _ in unsupported), unsupported[0][1]
        is_certain = kind == NODE_OVERLAY.kind
        finding = object_finding("OBJ028", ("kind",), message, fix="Remove it" if is_certain else None, source=source, value=kind)
        yield finding if is_certain else replace(finding, severity=Severity.NOTE)
    elif is_on is False:
        message = f"Karpenter ignores this object: its installation in these files does not turn on the feature gate `{kind}`"
        yield object_finding("OBJ028", ("kind",), message, fix=f"Add `{kind}=true` to `FEATURE_GATES`", source=_GATES, value=kind)
    elif is_on is None:
        message = f"Karpenter ignores this object {_unless(kind)}"
        yield replace(object_finding("OBJ028", ("kind",), message, fix=None, source=_GATES, value=kind), severity=Severity.NOTE)


def _unless(gate: str) -> str:
    return f"unless `FEATURE_GATES` of its Deployment has `{gate}=true`, which these files do not show"


def _without_effect(one: Alpha) -> Iterator[Finding]:
    if isinstance(one.model, NodeOverlay):
        if one.model.price is None and one.model.price_adjustment is None and not one.model.capacity:
            message = "The NodeOverlay changes nothing: it has neither a price nor a capacity"
            yield object_finding("OBJ030", ("spec",), message, fix="Add `priceAdjustment` or `capacity`, or remove it", source=_CONFLICT)
    elif one.model.replicas in (0, None) and not one.model.percentage and (one.model.replicas == 0 or not one.model.limits):
        message = "The CapacityBuffer has room for no pod: `replicas` or `percentage` decide how many there are"
        yield object_finding("OBJ030", ("spec", "replicas"), message, fix="Set `replicas`", source="Karpenter 1.14, pkg/controllers/capacitybuffer")
    elif one.model.percentage and one.model.scalable is None and one.model.replicas is not None:
        message = "`percentage` has no effect without `scalableRef`: only `replicas` decide"
        yield object_finding("OBJ030", ("spec", "percentage"), message, fix="Remove it", source="the CRD", value=one.model.percentage)


def buffered(one: Alpha, found: Iterable[ManifestObject]) -> Workload | None:
    """The pods that a CapacityBuffer keeps room for; `None` if they are not in the files, or not valid."""
    wanted = _reference(one.model)
    for written in found:
        if wanted is not None and (written.kind, written.name) == wanted[:2] and _namespace(written) in (None, _namespace(one.written)):
            pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": one.name}, **mapping(written.raw.get("template"))}
            try:
                return next(iter(read_workloads(pod if written.kind == _TEMPLATE else written.raw)), None)
            except PodError:
                return None
    return None


def _reference(model: NodeOverlay | CapacityBuffer) -> tuple[str, str, Steps] | None:
    """Kind, name and place of what has the pods of a CapacityBuffer."""
    if isinstance(model, NodeOverlay):
        return None
    if model.scalable is not None:
        return model.scalable.kind, model.scalable.name, ("spec", "scalableRef")
    return _TEMPLATE, str(model.pod_template), ("spec", "podTemplateRef")


def _namespace(written: ManifestObject) -> str | None:
    """The namespace; `None`: that of the command that applies it."""
    name = mapping(written.raw.get("metadata")).get("namespace")
    return name if isinstance(name, str) else None


def _without_room(one: Alpha, found: Sequence[ManifestObject]) -> Iterator[Finding]:
    """What leaves a CapacityBuffer without room for a single pod."""
    wanted = _reference(one.model)
    if wanted is None or not isinstance(one.model, CapacityBuffer):
        return
    kind, name, at = wanted
    if one.model.scalable is not None and (kind not in _SCALABLE or one.model.scalable.group not in ("", "apps")):
        message = f"Karpenter keeps no room: it reads only Deployments, StatefulSets and ReplicaSets of `apps`, not the {kind} `{name}`"
        yield object_finding("OBJ030", (*at, "kind"), message, fix="Use `podTemplateRef` with `replicas`", source=_KEPT, value=kind)
    named = {_namespace(written) for written in found if (written.kind, written.name) == (kind, name)}
    if named and not named & {None, _namespace(one.written)} and _namespace(one.written) is not None:
        spaces = as_code(sorted(map(str, named)))
        message = f"Karpenter keeps no room: the {kind} `{name}` is in the namespace {spaces}, not in that of the CapacityBuffer"
        yield object_finding("OBJ030", at, message, fix="Create both in the same namespace", source=_KEPT, value=name)
    workload = buffered(one, found) if one.model.limits else None
    requests = dict(workload.pod.requests) if workload is not None else {}
    for resource, limit in one.model.limits.items():
        if 0 <= thousandths(limit, resource) < requests.get(resource, 0):
            message = f"The CapacityBuffer has room for no pod: each requests more {resource} than `limits.{resource}` ({limit})"
            yield object_finding("OBJ030", ("spec", "limits", resource), message, fix=f"Raise `limits.{resource}`", source=_KEPT, value=str(limit))


_SETTINGS: Final = "https://karpenter.sh/docs/reference/settings/; Karpenter 1.15, pkg/operator/options and pkg/utils/env"
_CONTAINERS: Final[Steps] = ("spec", "template", "spec", "containers")
_TRUE: Final = ("true", "1", "t", "T", "TRUE", "True")
_FALSE: Final = ("false", "0", "f", "F", "FALSE", "False")
_TABLE: Final = cast("Mapping[str, Mapping[str, str]]", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
"""Settings with their types and defaults, choices, least values, feature gates, and the minor version of Karpenter with them, or with the gate on."""
_NEVER: Final = 99
_TYPED: Final = {one.partition("=")[0]: (what, one.partition("=")[2]) for what, all_of in _TABLE["types"].items() for one in all_of.split()}
_SWITCH: Final = "`true` or `false`"
_SWITCHES: Final = frozenset(name.lower().replace("_", "-") for name, (what, _) in _TYPED.items() if what == _SWITCH)
_STOPPING: Final = frozenset({*_TABLE["choices"], "CLUSTER_NAME"})
"""Settings that the controller validates as text: others leave the default if a variable cannot be read."""
_SPREAD: Final = frozenset({"maxSkew", "topologyKey", "whenUnsatisfiable", "minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy"})


class Said(NamedTuple):
    """What a Deployment says of a setting."""

    text: str | None
    """`None`: it comes from elsewhere."""
    at: Steps
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class Controller:
    """A container that runs Karpenter."""

    written: ManifestObject
    at: Steps
    raw: Mapping[str, object]

    def said(self, name: str) -> Said | None:
        """The value of a setting, by the name of its variable; `None`: the Deployment leaves the default. Arguments go before variables."""
        given = self._arguments()
        if given is None:
            return Said(None, self.at)
        if (argument := given.get(name.lower().replace("_", "-"))) is not None:
            return argument
        variables = [(index, mapping(one)) for index, one in enumerate(sequence(self.raw.get("env"))) if mapping(one).get("name") == name]
        if not variables:
            return Said(None, self.at) if self.raw.get("envFrom") else None
        index, entry = variables[-1]
        return Said(None if "valueFrom" in entry else _fixed(str(entry.get("value", ""))), (*self.at, "env", index, "value"))

    def gate(self, gate: str) -> bool | None:
        """Whether a feature gate is on; `None`: the Deployment does not tell."""
        said = self.said("FEATURE_GATES")
        if said is not None and said.text is None:
            return None
        values = [pair.partition("=")[2] for pair in _pairs(said.text if said is not None else None) if pair.partition("=")[0] == gate]
        return values[-1] in _TRUE if values else gate in _TABLE["on"] and not installed_before(str(self.raw.get("image")), int(_TABLE["on"][gate]))

    def _arguments(self) -> Mapping[str, Said] | None:
        """The arguments by name; `None` if they are not all known."""
        words = [(field, index, str(word)) for field in ("command", "args") for index, word in enumerate(sequence(self.raw.get(field)))]
        given: dict[str, Said] = {}
        rest = iter(words[1:] if self.raw.get("command") else words)
        for field, index, word in rest:
            name, equals, value = word.lstrip("-").partition("=")
            if not equals:
                value = "true" if name in _SWITCHES else next(rest, ("", 0, "$("))[2]
            if not word.startswith("-") or len(name) < len("-c"):
                return None
            given[name] = Said(_fixed(value), (*self.at, field, index), is_argument=True)
        return given


def _fixed(text: str) -> str | None:
    """The text; `None` if it has references to variables."""
    return None if "$(" in text else text


def _pairs(text: str | None) -> list[str]:
    """The feature gates of a list, without blanks."""
    return ["=".join(part.strip() for part in pair.split("=", 1)) for pair in (text.split(",") if text is not None else ()) if pair]


def controllers(found: Iterable[ManifestObject]) -> Iterator[Controller]:
    """The containers that run Karpenter."""
    for written in found:
        inside = value_at(written.raw, _CONTAINERS) if written.kind == "Deployment" else None
        for index, container in enumerate(map(mapping, sequence(inside))):
            if karpenter_of("", str(container.get("image"))) is not None:
                yield Controller(written, (*_CONTAINERS, index), container)


def feature_gate(found: Iterable[ManifestObject], gate: str) -> bool | None:
    """Whether the Deployment of Karpenter among the objects, or the values of its chart, turn a feature gate on; `None`: neither says so."""
    objects = list(found)
    states = {one.gate(gate) for one in controllers(objects)}
    value = gate[0].lower() + gate[1:]
    found_in = [value_at(one.raw, (*WITH_VALUES[one.kind], "settings", "featureGates", value)) for one in objects if one.kind in WITH_VALUES]
    states = states or {one for one in found_in if isinstance(one, bool)}
    return states.pop() if len(states) == 1 else None


def release_of(found: Iterable[ManifestObject]) -> KarpenterRelease | None:
    """The version of the Karpenter that the objects run; `None`: there is none, or it is not known."""
    releases = {karpenter_release(str(one.raw.get("image")).partition("@")[0].rpartition(":")[2]) for one in controllers(found)}
    return releases.pop() if len(releases) == 1 else None


def relaxes_min_values(found: Iterable[ManifestObject]) -> bool:
    """Karpenter launches nodes although fewer values than `minValues` are left."""
    said = [one.said("MIN_VALUES_POLICY") for one in controllers(found)]
    return bool(said) and all(one is not None and one.text == "BestEffort" for one in said)


def spreads_by_default(found: Iterable[ManifestObject]) -> bool:
    """Whether the Deployment of Karpenter among the objects can have hard spread constraints for pods without any.

    Source: Karpenter 1.15, `SCHEDULER_CONFIG` and `--scheduler-config`; designs/default-topology-spread-awareness.md (2026-08).
    """
    said = [one.said("SCHEDULER_CONFIG") for one in controllers(found)]
    return any(one is not None and (one.text is None or "DoNotSchedule" in one.text) for one in said)


def check_settings(found: Iterable[ManifestObject]) -> Iterator[tuple[ManifestObject, Finding]]:
    """Yields settings that stop the controller, or that it does not read."""
    for one in controllers(found):
        for name in (*_TYPED, *_TABLE["gates"], "SCHEDULER_CONFIG"):
            said = one.said(name)
            if said is not None and said.text is not None and not installed_before(str(one.raw.get("image")), int(_TABLE["since"].get(name, 0))):
                for code, message, fix in _wrong(name, said.text, is_argument=said.is_argument):
                    yield one.written, object_finding(code, said.at, message, fix=fix, source=_SETTINGS, value=said.text)
        elects, replicas = one.said("DISABLE_LEADER_ELECTION"), mapping(one.written.raw.get("spec")).get("replicas", 1)
        if elects is not None and elects.text in _TRUE and isinstance(replicas, int) and replicas > 1:
            message = f"All {replicas} replicas act at the same time: without leader election, each of them launches and removes nodes"
            fix = "Remove `DISABLE_LEADER_ELECTION`, or run one replica"
            yield one.written, object_finding("OBJ055", elects.at, message, fix=fix, source=_SETTINGS, value=elects.text)


def check_gated(pool: NodePool, found: Sequence[ManifestObject], release: KarpenterRelease | None) -> Iterator[Finding]:
    """Yields what a NodePool of self-managed Karpenter, of the version `release` if known, needs of the settings of its Deployment."""
    capacity, at = allowed_values(pool, "karpenter.sh/capacity-type"), ("spec", "template", "spec", "requirements")
    members = frozenset[str]() if capacity.complement else capacity.members
    needed: dict[str, Steps] = {"StaticCapacity": ("spec", "replicas")} if pool.replicas is not None else {}
    for gate, field in (needed | ({"ReservedCapacity": at} if "reserved" in members else {})).items():
        is_on, since = feature_gate(found, gate), int(_TABLE["on"].get(gate, _NEVER))
        if not (is_on if is_on is not None else (1, since) <= (release.number if release is not None else (1, _NEVER - 1))):
            stops = since == _NEVER or len(members) == 1
            why = f": its installation in these files does not turn on the feature gate `{gate}`" if is_on is False else f" {_unless(gate)}"
            message = f"Karpenter {'launches no node' if stops else 'uses no capacity reservation'} for this NodePool{why}"
            fix, source = (f"Set `{gate}=true` in `FEATURE_GATES`", _SETTINGS) if is_on is False else (None, _GATES)
            one = object_finding("OBJ028", field, message, fix=fix, source=source)
            yield one if stops and is_on is False else replace(one, severity=Severity.NOTE)
    if "spot" in members and any(one.said("CLUSTER_NAME") is not None and one.said("INTERRUPTION_QUEUE") is None for one in controllers(found)):
        message = "Karpenter does not drain spot nodes before AWS takes them: its Deployment in these files has no `INTERRUPTION_QUEUE`"
        found_one = object_finding("OBJ055", at, message, fix="Set `INTERRUPTION_QUEUE` to the queue of interruptions", source=_SETTINGS)
        yield replace(found_one, severity=Severity.NOTE)


def _wrong(name: str, text: str, *, is_argument: bool) -> Iterator[tuple[str, str, str]]:
    """Code, message and fix of what stops the controller, or of what it does not read, or not as it is meant."""
    what, default = _TYPED.get(name, ("", ""))
    value = _value(name, text, is_argument=is_argument) if what else None
    if what and value is None:
        near = next((one for one in _TABLE["choices"].get(name, "").split() if one.lower() == text.lower()), None)
        stops, fix = is_argument or name in _STOPPING, f"Write {what}" if near is None else f"Use `{near}`"
        yield (
            ("OBJ054", f"Karpenter does not start: `{name}` must be {what}", fix)
            if stops
            else ("OBJ055", f"Karpenter uses the default, `{default}`, and does not say so: `{text}` is not {what}", fix)
        )
    least = _TABLE["least"].get(name)
    if value is not None and least is not None and value < cast("float", _value(name, least)):
        yield "OBJ054", f"Karpenter does not start: `{name}` must be at least `{least}`", f"Use `{default}`, the default, or more"
    elif value is not None and value >= 1 and name == "VM_MEMORY_OVERHEAD_PERCENT":
        yield "OBJ055", f"No memory of an instance type is left for pods: `{text}` is {value * 100:g} %", f"Write a share, such as `{value / 100:g}`"
    for pair in _pairs(text) if name in _TABLE["gates"] else ():
        gate, _, state = pair.partition("=")
        near = nearest(gate, _TABLE["gates"][name].split()) if gate not in _TABLE["gates"][name].split() else None
        if state not in (*_TRUE, *_FALSE):
            yield "OBJ054", f"Karpenter does not start: `{pair}` in `{name}` is not a feature gate with `=true` or `=false`", f"Write `{gate}=true`"
        elif near is not None:
            yield "OBJ055", f"Karpenter ignores the feature gate `{gate}`, which it does not have", f"Use `{near}`"
    for what in _wrong_config(text) if name == "SCHEDULER_CONFIG" and text else ():
        yield "OBJ054", f"Karpenter does not start: {what}", "Correct it as in the configuration of kube-scheduler"


def _value(name: str, text: str, *, is_argument: bool = False) -> float | None:
    """The number that the controller reads, and 0 for text; `None` if it cannot read it as the type of the setting."""
    what = _TYPED[name][0]
    if name in _STOPPING:
        is_valid = text in _TABLE["choices"].get(name, text).split() or (name, text) == ("LOG_LEVEL", "")
        return 0 if is_valid else None
    if what == "a whole number":
        return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else None
    if what == _SWITCH:
        return 0 if text in ((_TRUE[0], _FALSE[0]) if is_argument else (*_TRUE, *_FALSE)) else None
    try:
        return float(text) if what == "a number" else duration(text).nanoseconds
    except (EvaluationError, ValueError):
        return None


def _wrong_config(text: str) -> Iterator[str]:
    """What is wrong with default constraints for the spread of pods."""
    try:
        raw = mapping(next(iter(documents(text, "SCHEDULER_CONFIG"))).value)
    except (TextError, StopIteration):
        yield "`SCHEDULER_CONFIG` is not YAML"
        return
    spread = mapping(raw.get("podTopologySpread"))
    unknown = [*(raw.keys() - {"podTopologySpread"}), *(spread.keys() - {"defaultConstraints"})]
    seen = list[tuple[object, object]]()  # YAML has keys of any type
    for one in map(mapping, sequence(spread.get("defaultConstraints"))):
        key, when, skew = one.get("topologyKey"), one.get("whenUnsatisfiable"), one.get("maxSkew")
        unknown += sorted(one.keys() - _SPREAD)
        if (
            not isinstance(skew, int)
            or skew < 1
            or not isinstance(key, str)
            or not key
            or when not in ("DoNotSchedule", "ScheduleAnyway")
            or (key, when) in seen
        ):
            yield f"the default constraint on `{key}` lacks `maxSkew`, `topologyKey` or `whenUnsatisfiable`, or is there twice"
        seen.append((key, when))
    yield from (f"`{field}` cannot be in `SCHEDULER_CONFIG`" for field in unknown)
