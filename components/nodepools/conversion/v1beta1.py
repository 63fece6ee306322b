"""Converts NodePools of karpenter.sh/v1beta1 to karpenter.sh/v1. Facts: docs/facts/aks.md § 3.8; https://karpenter.sh/docs/upgrading/v1-migration."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from nodepools.conversion.raw_parts import Object, as_mapping
from nodepools.conversion.unconverted import NODE_CLASSES, Log

V1BETA1: Final = "karpenter.sh/v1beta1"
_GROUPS: Final = {kind.kind: group for group, kind in NODE_CLASSES.items()}
_RENAMED: Final = {"WhenUnderutilized": "WhenEmptyOrUnderutilized"}


def convert_to_v1(raw: Mapping[str, object], log: Log | None = None) -> Object:
    """Returns the same NodePool for karpenter.sh/v1, without the kubelet settings, which belong to the node class and are added to `log`."""
    made = deepcopy(dict(raw))
    made["apiVersion"] = "karpenter.sh/v1"
    made.pop("status", None)
    spec = _inside(made, "spec")
    nodes = _inside(_inside(spec, "template"), "spec")
    if "kubelet" in nodes:
        kubelet = nodes.pop("kubelet")
        if log is not None:
            reason = "since karpenter.sh/v1, settings of the kubelet belong to the node class"
            log.removed(("spec", "template", "spec", "kubelet"), kubelet, reason, "Set them in the node class, as far as it has them")
    _reference(nodes)
    _requirements(nodes)
    _disruption(spec, nodes)
    return made


def _reference(nodes: Object) -> None:
    """Replaces `apiVersion` by `group`."""
    if not isinstance(nodes.get("nodeClassRef"), dict):
        return
    reference = as_mapping(nodes["nodeClassRef"])
    version, kind = reference.pop("apiVersion", None), str(reference.get("kind", ""))
    group = version.partition("/")[0] if isinstance(version, str) and "/" in version else _GROUPS.get(kind)
    if group is not None and "group" not in reference:
        nodes["nodeClassRef"] = {"group": group, **reference}


def _requirements(nodes: Object) -> None:
    """Adds the list, which v1 requires."""
    nodes.setdefault("requirements", [])


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
    return as_mapping(parent[name])
