"""NodeOverlays and CapacityBuffers: read like NodePools, and checked with the NodePools and the Karpenter that the same files have."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import Cloud, Form
from nodepools.model.karpenter_alpha import CapacityBuffer, NodeOverlay
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping
from nodepools.placement.overlays import Overlay
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.upgrades.karpenter_versions import karpenter_of
from nodepools.wire.codecs import TEXTS
from nodepools.wire.karpenter import ObjectKind
from nodepools.wire.rows import Each, Part, Row
from nodepools.wire.table import Table

NODE_OVERLAY: Final = ObjectKind("karpenter.sh", "v1alpha1", "NodeOverlay")
CAPACITY_BUFFER: Final = ObjectKind("autoscaling.x-k8s.io", "v1beta1", "CapacityBuffer")
_OVERLAY: Final = Table(
    Each("requirements", "requirements", Table(*(Row(name, name) for name in ("key", "operator", "values"))), always=True),
    Row("price", "price"),
    Row("price_adjustment", "priceAdjustment"),
    Row("capacity", "capacity", codec=TEXTS),
    Row("weight", "weight"),
    required=[("requirements",)],
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
_FORMER: Final = "autoscaling.x-k8s.io/v1alpha1"
_GATES: Final = "https://karpenter.sh/docs/reference/settings/#feature-gates; Karpenter 1.14, pkg/operator/options: off by default"
_CONFLICT: Final = "Karpenter 1.14, pkg/controllers/nodeoverlay/controller.go: the condition ValidationSucceeded is False"
_UNSUPPORTED: Final = {
    (NODE_OVERLAY.kind, Cloud.EKS): ("EKS Auto Mode does not support NodeOverlays", "https://github.com/aws/containers-roadmap/issues/2690"),
    (NODE_OVERLAY.kind, Cloud.AKS): ("Node auto provisioning does not support NodeOverlays", "https://github.com/Azure/AKS/issues/5359"),
    (CAPACITY_BUFFER.kind, Cloud.AKS): ("Node auto provisioning may not support CapacityBuffers yet", "https://github.com/Azure/AKS/issues/5873"),
    (CAPACITY_BUFFER.kind, Cloud.EKS): ("It is not established that EKS Auto Mode supports CapacityBuffers", "its manual, 2026-11"),
}
_GATE: Final = re.compile(r"(?:^|,)\s*(\w+)=(\w+)")


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
    made = Alpha(written, known.name, known.model) if known.is_whole and known.model is not None and known.name is not None else None
    return made, [*findings, *known.findings]


def check_alpha(
    found: Sequence[ManifestObject], read: Sequence[Alpha], clouds: AbstractSet[Cloud | None]
) -> Iterator[tuple[ManifestObject, Finding]]:
    """Yields what the objects next to them show. `clouds` are those of the NodePools and node classes in the same files."""
    for one in read:
        yield from ((one.written, finding) for finding in (*_applied(one, found, clouds), *_without_effect(one)))
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
        message = f"Karpenter ignores this object: its Deployment in these files does not turn on the feature gate `{kind}`"
        yield object_finding("OBJ028", ("kind",), message, fix=f"Add `{kind}=true` to `FEATURE_GATES`", source=_GATES, value=kind)
    elif is_on is None:
        message = f"Karpenter ignores this object unless `FEATURE_GATES` of its Deployment, which is not in these files, has `{kind}=true`"
        yield replace(object_finding("OBJ028", ("kind",), message, fix=None, source=_GATES, value=kind), severity=Severity.NOTE)


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


def feature_gate(found: Iterable[ManifestObject], gate: str) -> bool | None:
    """Whether the Deployment of Karpenter among the objects turns a feature gate on; `None`: there is none, or it does not say."""
    states = [state for written in found if written.kind == "Deployment" for state in _gates(written, gate)]
    return states[0] if states and len(set(states)) == 1 else None


def _gates(written: ManifestObject, gate: str) -> Iterator[bool | None]:
    try:
        for container in entries(mapping(mapping(mapping(written.raw, "spec"), "template"), "spec"), "containers"):
            if karpenter_of("", str(container.get("image"))) is not None:
                yield _state(container, gate)
    except PodError:
        return  # other checks report it


def _state(container: Mapping[str, object], gate: str) -> bool | None:
    """Arguments of the command can say it, too: they are not read."""
    named = [entry for entry in entries(container, "env") if entry.get("name") == "FEATURE_GATES"]
    if container.get("args") or container.get("command") or container.get("envFrom") or any("value" not in entry for entry in named):
        return None
    gates = dict(_GATE.findall(str(named[-1]["value"]))) if named else {}
    return gates.get(gate, "false").lower() in ("true", "1", "t")
