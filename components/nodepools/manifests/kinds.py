"""Which objects are judged, and what is said of those that are not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Final, cast

import yaml

from nodepools.manifests.former import rewritten
from nodepools.manifests.node_pool import EKS_NODE_CLASS
from nodepools.manifests.objects import Written
from nodepools.manifests.read import UnreadableObjectError, read_node_pool
from nodepools.model.karpenter import NodePool
from nodepools.rules.fault import Fault, Severity
from nodepools.rules.objects import object_fault

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
_MIGRATION = "https://karpenter.sh/docs/upgrading/v1-migration"


class Cloud(Enum):
    """Whose Karpenter it is for."""

    EKS = "EKS Auto Mode"
    AKS = "AKS node auto provisioning"


@dataclass(frozen=True, slots=True)
class Out:
    """No object that can be judged, with what there is to say of it."""

    faults: tuple[Fault, ...] = ()


def sorted_out(written: Written) -> Cloud | Out:
    """The cloud whose rules judge the object, or why none do."""
    group, kind, version = written.group, written.kind, written.version
    if group == _SELF_HOSTED:
        return Out((_out_of_scope(("apiVersion",), written.raw.get("apiVersion"), "Karpenter hosted by oneself on AWS"),))
    if group not in _SERVED or kind in _OTHERS[group] or (kind.endswith("List") and not written.name):
        return Out(tuple(_without_version(written)))
    own, served = _SERVED[group]
    if kind != own:
        return _foreign_kind(kind, own)
    if version != served:
        return Out((_other_version(written, f"{group}/{served}"),))
    if group == _KARPENTER:
        return _cloud_of_pool(written)
    return Cloud.EKS if group == _EKS else Cloud.AKS


def _other_version(written: Written, served: str) -> Fault:
    if written.raw["apiVersion"] == f"{_KARPENTER}/v1beta1":
        return _former(written)
    if written.raw["apiVersion"] == f"{_AKS}/v1alpha2":
        return _deprecated(written)
    message = f"is no version of {written.kind} that clusters serve"
    return object_fault("OBJ004", ("apiVersion",), message, fix=f"write {served}", value=written.raw["apiVersion"], source="kubectl")


def _without_version(written: Written) -> Iterator[Fault]:
    """A kind of ours of which nobody knows whether it is."""
    if written.raw.get("apiVersion") is None and written.kind in _GROUPS:
        fix = f"add apiVersion: {_GROUPS[written.kind]}"
        yield Fault("CFG001", Severity.ERROR, "apiVersion", None, "is required", fix, "kubectl", steps=("apiVersion",))


def _foreign_kind(kind: str, own: str) -> Out:
    """A kind that is nearly ours is misspelt; another may be newer than we are."""
    if not get_close_matches(kind.lower(), [own.lower()], 1, 0.8):
        return Out()
    return Out((object_fault("OBJ004", ("kind",), "is no kind of this group", fix=f"did you mean {own}?", value=kind, source="kubectl"),))


def _cloud_of_pool(written: Written) -> Cloud | Out:
    group = _group(written.raw)
    if group in (_EKS, _AKS):
        return Cloud.EKS if group == _EKS else Cloud.AKS
    if group is None:
        return Out(_without_class(written))
    at = (*_REFERENCE, "group")
    if group == "":
        return Out((Fault("CFG006", Severity.ERROR, ".".join(at), group, "should not be empty", f"write {_EKS} or {_AKS}", _KARPENTER, steps=at),))
    if not isinstance(group, str) or "/" in group:
        fix = f"write {group.partition('/')[0]}" if isinstance(group, str) else "write the group in quotes"
        return Out((Fault("CFG006", Severity.ERROR, ".".join(at), group, "should be a group, without a version", fix, _KARPENTER, steps=at),))
    whose = "Karpenter hosted by oneself on AWS" if group == _SELF_HOSTED else f"another provider, {group}"
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


def _without_class(written: Written) -> tuple[Fault, ...]:
    """A pool of no cloud; what it says of its class cannot be right or wrong."""
    try:
        read_node_pool(written.raw, NodePool, EKS_NODE_CLASS)
    except UnreadableObjectError as refused:
        return tuple(fault for fault in refused.faults if fault.steps[-1:] not in (("kind",), ("name",)) or "nodeClassRef" not in fault.steps)
    return ()


def _out_of_scope(at: tuple[str, ...], value: object, whose: str) -> Fault:
    return object_fault("OBJ003", at, f"is of {whose}: out of scope, not judged", fix="none is needed", value=value, source="nodepools")


def _former(written: Written) -> Fault:
    made = yaml.safe_dump(rewritten(written.raw), sort_keys=False, default_flow_style=False)
    kubelet = ", and move kubelet to its node class" if "kubelet" in str(written.raw.get("spec")) else ""
    fix = f"rewrite it for karpenter.sh/v1{kubelet}:\n{made}"
    return object_fault("OBJ001", ("apiVersion",), "is served by no cluster any more", fix=fix, value=written.raw["apiVersion"], source=_MIGRATION)


def _deprecated(written: Written) -> Fault:
    source = "https://github.com/Azure/karpenter-provider-azure/tree/main/pkg/apis/crds"
    fix = "write karpenter.azure.com/v1beta1, without imageVersion"
    return object_fault("OBJ002", ("apiVersion",), "is deprecated, though served still", fix=fix, value=written.raw["apiVersion"], source=source)
