"""The kinds and versions of objects that are checked, by cloud, and the findings of those that are not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum
from typing import Final, TypeAlias, cast

import yaml

from nodepools.conversion.raw_parts import convert_to_v1
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_reader import Form, Known, PoolForm, pool_form
from nodepools.model.aks.node_provisioning import AksNodeClass, AksNodePool
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Fix, Severity
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

_KARPENTER, _EKS, _AKS, _SELF_HOSTED = "karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "karpenter.k8s.aws"
_SERVED: Final = {_KARPENTER: ("NodePool", "v1"), _EKS: ("NodeClass", "v1"), _AKS: ("AKSNodeClass", "v1beta1"), _SELF_HOSTED: ("EC2NodeClass", "v1")}
_OTHERS: Final = {
    _KARPENTER: ("NodeClaim", "Provisioner", "Machine"),
    _EKS: ("IngressClassParams", "NodeDiagnostic", "CNINode", "TargetGroupBinding", "ClusterPolicyEndpoint"),
    _AKS: (),
    _SELF_HOSTED: (),
}
"""Kinds of these groups that are not checked."""
_GROUPS: Final = {kind: f"{group}/{version}" for group, (kind, version) in _SERVED.items()}
_OF_KARPENTER: Final = ("AKSNodeClass", "EC2NodeClass")
"""Kinds that no other project has."""
_REFERENCE = ("spec", "template", "spec", "nodeClassRef")
_NAME_OF_PROJECT = "nodepools"
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
        return Out((_former(written),))
    if written.raw["apiVersion"] == f"{_SELF_HOSTED}/v1beta1":
        return Out((_former_class(written),))
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
    return Out((object_finding("OBJ003", at, message, fix=None, value=group, source=_NAME_OF_PROJECT),), is_classless=True)


def _group(raw: Mapping[str, object]) -> object:
    """Returns the group that `nodeClassRef` names."""
    here = raw
    for step in _REFERENCE:
        inside = here.get(step)
        if not isinstance(inside, Mapping):
            return None
        here = cast("Mapping[str, object]", inside)
    return here.get("group")


def classless_pool_in(raw: Mapping[str, object]) -> Known[NodePool]:
    """Reads a NodePool without a cloud; a reference to an unknown kind of node class is not checked."""
    known = pool_form(NodePool, EKS_NODE_CLASS).read(raw)
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


def _former(written: ManifestObject) -> Finding:
    converted = yaml.safe_dump(convert_to_v1(written.raw), sort_keys=False, default_flow_style=False)
    kubelet = ", and move `kubelet` to its node class" if "kubelet" in str(written.raw.get("spec")) else ""
    fix = f"Convert it to `karpenter.sh/v1`{kubelet}:\n{converted}"
    version = written.raw["apiVersion"]
    return object_finding("OBJ001", ("apiVersion",), f"Clusters no longer serve `{version}`", fix=fix, value=version, source=_MIGRATION)


def _deprecated(written: ManifestObject) -> Finding:
    source = "https://github.com/Azure/karpenter-provider-azure/tree/main/pkg/apis/crds"
    version, fix = written.raw["apiVersion"], "Use `karpenter.azure.com/v1beta1`, and remove `imageVersion`"
    return object_finding(
        "OBJ002", ("apiVersion",), f"`{version}` is deprecated, although clusters still serve it", fix=fix, value=version, source=source
    )


def _former_class(written: ManifestObject) -> Finding:
    fix = "Use `karpenter.k8s.aws/v1` with `amiSelectorTerms` and `kubelet` of the NodePool"
    version = written.raw["apiVersion"]
    return object_finding("OBJ001", ("apiVersion",), f"Clusters no longer serve `{version}`", fix=fix, value=version, source=_MIGRATION)


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
