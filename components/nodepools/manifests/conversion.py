"""Converts NodePools of karpenter.sh/v1beta1 to karpenter.sh/v1. Facts: docs/facts/aks.md § 3.8."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final, cast

_GROUPS: Final = {"AKSNodeClass": "karpenter.azure.com", "NodeClass": "eks.amazonaws.com", "EC2NodeClass": "karpenter.k8s.aws"}
_RENAMED: Final = {"WhenUnderutilized": "WhenEmptyOrUnderutilized"}

Object = dict[str, object]


def convert_to_v1(raw: Mapping[str, object]) -> Object:
    """Returns the same NodePool for karpenter.sh/v1, without the kubelet settings, which belong to the node class."""
    made = deepcopy(dict(raw))
    made["apiVersion"] = "karpenter.sh/v1"
    made.pop("status", None)
    spec = _inside(made, "spec")
    nodes = _inside(_inside(spec, "template"), "spec")
    nodes.pop("kubelet", None)
    _reference(nodes)
    nodes.setdefault("requirements", [])
    _disruption(spec, nodes)
    return made


def _reference(nodes: Object) -> None:
    """Replaces `apiVersion` by `group`."""
    reference = _inside(nodes, "nodeClassRef")
    version, kind = reference.pop("apiVersion", None), str(reference.get("kind", ""))
    group = version.partition("/")[0] if isinstance(version, str) and "/" in version else _GROUPS.get(kind)
    if group is not None and "group" not in reference:
        nodes["nodeClassRef"] = {"group": group, **reference}


def _disruption(spec: Object, nodes: Object) -> None:
    """Moves `expireAfter` to the nodes, and adds `consolidateAfter`, which v1 requires."""
    if not isinstance(spec.get("disruption"), dict):
        return
    disruption = _inside(spec, "disruption")
    if "expireAfter" in disruption:
        nodes.setdefault("expireAfter", disruption.pop("expireAfter"))
    policy = disruption.get("consolidationPolicy")
    if isinstance(policy, str):
        disruption["consolidationPolicy"] = _RENAMED.get(policy, policy)
    disruption.setdefault("consolidateAfter", "0s")


def _inside(parent: Object, name: str) -> Object:
    if not isinstance(parent.get(name), dict):
        parent[name] = {}
    return cast("Object", parent[name])
