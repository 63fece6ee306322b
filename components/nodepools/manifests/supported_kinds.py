"""Which objects are judged, and what is said of those that are not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from typing import Final, cast

import yaml

from nodepools.manifests.conversion import convert_to_v1
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_reader import Known, pool_form
from nodepools.model.karpenter import NodePool
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.object_findings import object_finding
from nodepools.wire.karpenter import EKS_NODE_CLASS

_KARPENTER, _EKS, _AKS, _SELF_HOSTED = "karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "karpenter.k8s.aws"
_SERVED: Final = {_KARPENTER: ("NodePool", "v1"), _EKS: ("NodeClass", "v1"), _AKS: ("AKSNodeClass", "v1beta1")}
_OTHERS: Final = {
    _KARPENTER: ("NodeClaim", "NodeOverlay", "Provisioner", "Machine"),
    _EKS: ("IngressClassParams", "NodeDiagnostic", "CNINode", "TargetGroupBinding", "ClusterPolicyEndpoint"),
    _AKS: (),
}
"""Kinds of these groups that are no matter of ours."""
_GROUPS: Final = {kind: f"{group}/{version}" for group, (kind, version) in _SERVED.items()}
_REFERENCE = ("spec", "template", "spec", "nodeClassRef")
_SELF_MANAGED = "self-managed Karpenter on AWS"
_HERE, _NAME_OF_PROJECT = "EKS Auto Mode or AKS node auto provisioning", "nodepools"
_MIGRATION_TO_AUTO_MODE = "https://docs.aws.amazon.com/eks/latest/userguide/auto-migrate-karpenter.html; aws/containers-roadmap#2524"
_MIGRATION = "https://karpenter.sh/docs/upgrading/v1-migration"


class Cloud(Enum):
    """Whose Karpenter it is for."""

    EKS = "EKS Auto Mode"
    AKS = "AKS node auto provisioning"


_CLOUDS: Final = {_EKS: Cloud.EKS, _AKS: Cloud.AKS}


@dataclass(frozen=True, slots=True)
class Out:
    """No object of a cloud as it stands, with what there is to say of it."""

    findings: tuple[Finding, ...] = ()
    like: Cloud | None = None
    """Whose rules judge the rest of it all the same."""
    is_classless: bool = False
    """A NodePool of no cloud: it does not say which kind of class it has."""


def sorted_out(written: ManifestObject) -> Cloud | Out:
    """The cloud whose rules judge the object, or why none do."""
    group, kind, version = written.group, written.kind, written.version
    if group == _SELF_HOSTED:
        return Out((_out_of_scope(("apiVersion",), written.raw.get("apiVersion"), _SELF_MANAGED),))
    if group not in _SERVED or kind in _OTHERS[group] or (kind.endswith("List") and not written.name):
        return Out(tuple(_without_version(written)))
    own, served = _SERVED[group]
    if kind != own:
        return _foreign_kind(kind, own)
    if version != served:
        return _other_version(written, f"{group}/{served}")
    if group == _KARPENTER:
        return _cloud_of_pool(written)
    return _CLOUDS[group]


def _other_version(written: ManifestObject, served: str) -> Out:
    if written.raw["apiVersion"] == f"{_KARPENTER}/v1beta1":
        return Out((_former(written),))
    if written.raw["apiVersion"] == f"{_AKS}/v1alpha2":
        return Out((_deprecated(written),), Cloud.AKS)
    message = f"is no version of {written.kind} that clusters serve"
    return Out((object_finding("OBJ004", ("apiVersion",), message, fix=f"write {served}", value=written.raw["apiVersion"], source="kubectl"),))


def _without_version(written: ManifestObject) -> Iterator[Finding]:
    """A kind of ours of which nobody knows whether it is."""
    if written.raw.get("apiVersion") is None and written.kind in _GROUPS:
        fix = f"add apiVersion: {_GROUPS[written.kind]}"
        yield Finding("CFG001", Severity.ERROR, "apiVersion", None, "is required", Fix(fix), "kubectl", steps=("apiVersion",))


def _foreign_kind(kind: str, own: str) -> Out:
    """A kind that is nearly ours is misspelt; another may be newer than we are."""
    if not get_close_matches(kind.lower(), [own.lower()], 1, 0.8):
        return Out()
    return Out((object_finding("OBJ004", ("kind",), "is no kind of this group", fix=f"did you mean {own}?", value=kind, source="kubectl"),))


def _cloud_of_pool(written: ManifestObject) -> Cloud | Out:
    group = _group(written.raw)
    if isinstance(group, str) and group in _CLOUDS:
        return _CLOUDS[group]
    if group is None:
        return Out(is_classless=True)
    at = (*_REFERENCE, "group")
    if group == "":
        return Out(
            (Finding("CFG006", Severity.ERROR, ".".join(at), group, "should not be empty", Fix(f"write {_EKS} or {_AKS}"), _KARPENTER, steps=at),),
            is_classless=True,
        )
    if not isinstance(group, str) or "/" in group:
        meant = group.partition("/")[0] if isinstance(group, str) else None
        fix = f"write {meant}" if meant is not None else "write the group in quotes"
        finding = Finding("CFG006", Severity.ERROR, ".".join(at), group, "should be a group, without a version", Fix(fix), _KARPENTER, steps=at)
        return Out((finding,), _CLOUDS.get(meant) if meant is not None else None, is_classless=meant is None)
    whose = _SELF_MANAGED if group == _SELF_HOSTED else f"another provider, `{group}`"
    return Out((_out_of_scope(at, group, whose),))


def _group(raw: Mapping[str, object]) -> object:
    """The group that `nodeClassRef` names."""
    here = raw
    for step in _REFERENCE:
        inside = here.get(step)
        if not isinstance(inside, Mapping):
            return None
        here = cast("Mapping[str, object]", inside)
    return here.get("group")


def classless_pool_in(raw: Mapping[str, object]) -> Known[NodePool]:
    """A NodePool of no cloud; what it says of its class cannot be right or wrong."""
    known = pool_form(NodePool, EKS_NODE_CLASS).read(raw)
    return replace(
        known,
        findings=tuple(finding for finding in known.findings if "nodeClassRef" not in finding.steps or finding.steps[-1] not in ("kind", "name")),
    )


def _out_of_scope(at: tuple[str, ...], value: object, whose: str) -> Finding:
    message = f"belongs to {whose}: none of its rules are run"
    return object_finding("OBJ003", at, message, fix=f"For {_HERE}, use a node class of `{_EKS}` or `{_AKS}`", value=value, source=_NAME_OF_PROJECT)


def beside_auto_mode(finding: Finding) -> Finding:
    """`finding` where objects of EKS Auto Mode are beside: that passes over what is of self-managed Karpenter."""
    if finding.code != "OBJ003" or _SELF_HOSTED not in str(finding.value):
        return finding
    message = f"belongs to {_SELF_MANAGED}: EKS Auto Mode, whose objects are beside it, ignores it and launches no node for it"
    fix = f"Use a `NodeClass` of `{_EKS}`, or keep it for as long as self-managed Karpenter runs in the same cluster"
    return object_finding("OBJ013", cast("tuple[str, ...]", finding.steps), message, fix=fix, value=finding.value, source=_MIGRATION_TO_AUTO_MODE)


def _former(written: ManifestObject) -> Finding:
    made = yaml.safe_dump(convert_to_v1(written.raw), sort_keys=False, default_flow_style=False)
    kubelet = ", and move kubelet to its node class" if "kubelet" in str(written.raw.get("spec")) else ""
    fix = f"rewrite it for karpenter.sh/v1{kubelet}:\n{made}"
    return object_finding("OBJ001", ("apiVersion",), "is served by no cluster any more", fix=fix, value=written.raw["apiVersion"], source=_MIGRATION)


def _deprecated(written: ManifestObject) -> Finding:
    source = "https://github.com/Azure/karpenter-provider-azure/tree/main/pkg/apis/crds"
    fix = "write karpenter.azure.com/v1beta1, without imageVersion"
    return object_finding("OBJ002", ("apiVersion",), "is deprecated, though served still", fix=fix, value=written.raw["apiVersion"], source=source)
