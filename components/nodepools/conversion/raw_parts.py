"""Parts of raw objects, in their current version. A part of another type than expected is left as it is, for `check` to report.

NodePools of karpenter.sh/v1beta1 become karpenter.sh/v1: docs/facts/aks.md § 3.8; https://karpenter.sh/docs/upgrading/v1-migration.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Final, TypeAlias, cast

from nodepools.conversion.unconverted import KUBELET_OF_AUTO, NODE_CLASSES, UNUSED, Log
from nodepools.model.values import dataclass

Object: TypeAlias = dict[str, object]


def as_mapping(value: object) -> Object:
    """The mapping; an empty one, which is not part of the object, for anything else."""
    return cast("Object", value) if isinstance(value, dict) else {}


def part(raw: object, *names: str | int) -> Object:
    """The mapping inside mappings and lists; an empty one, which is not part of the object, if there is none."""
    for name in names:
        raw = as_mapping(raw).get(name) if isinstance(name, str) else as_list(raw)[name]
    return as_mapping(raw)


def as_list(value: object) -> list[object]:
    """The list; an empty one, which is not part of the object, for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """The text; empty for anything else."""
    return value if isinstance(value, str) else ""


def removed_if_empty(raw: Object, name: str) -> None:
    """Removes a part with nothing in it."""
    if raw.get(name) in ({}, []):
        del raw[name]


def renamed(raw: Object, old: str, new: str) -> None:
    """Gives a field another name at its place; a field that has this name already is replaced."""
    entries = [(new if name == old else name, value) for name, value in raw.items() if name != new]
    raw.clear()
    raw.update(entries)


_OF_SERVER: Final = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "finalizers", "selfLink", "deletionTimestamp")
_OWN: Final = ("karpenter.k8s.aws/", "karpenter.azure.com/", "eks.amazonaws.com/")
_OF_OLD: Final = (
    "kubectl.kubernetes.io/last-applied-configuration",
    "karpenter.sh/nodepool-hash",
    "karpenter.sh/nodepool-hash-version",
    "karpenter.sh/stored-version-migrated",
    "compatibility.karpenter.sh/v1beta1-nodeclass-reference",
    "compatibility.karpenter.sh/v1beta1-kubelet-conversion",
)
"""Annotations about the old object."""


def as_new_object(made: Object, names: Mapping[str, str]) -> None:
    """Gives an object its new name, and removes what describes the old object in its cluster."""
    metadata = part(made, "metadata")
    if "name" in metadata:
        name = text(metadata["name"])
        metadata["name"] = names.get(name, metadata["name"])
    for field in _OF_SERVER:
        metadata.pop(field, None)
    made.pop("status", None)
    annotations = part(metadata, "annotations")
    old = [key for key in annotations if key in _OF_OLD or key.startswith(_OWN)]
    for key in old:
        del annotations[key]
    if old:
        removed_if_empty(metadata, "annotations")


Convert: TypeAlias = Callable[[Object, "Classes", Log], None]


@dataclass(frozen=True, slots=True)
class Classes:
    """The new names of objects that others refer to, by kind and name in the input."""

    names: Mapping[tuple[str, str], str]
    ingress: frozenset[str] = frozenset()
    """The IngressClasses in the files."""

    def of(self, kind: str) -> Mapping[str, str]:
        """The names, by the kind of the objects."""
        return {name: new for (of, name), new in self.names.items() if of == kind}


V1BETA1: Final = "karpenter.sh/v1beta1"
_GROUPS: Final = {kind.kind: group for group, kind in NODE_CLASSES.items()}
_RENAMED: Final = {"WhenUnderutilized": "WhenEmptyOrUnderutilized"}


def convert_to_v1(raw: Mapping[str, object], log: Log | None = None, *, to_auto_mode: bool = False, has_kubelet: bool = False) -> Object:
    """Returns the same NodePool for karpenter.sh/v1; settings of the kubelet belong to the node class: added to `log`, or left where they are."""
    made = deepcopy(dict(raw))
    made["apiVersion"] = "karpenter.sh/v1"
    made.pop("status", None)
    spec = _inside(made, "spec")
    nodes = _inside(_inside(spec, "template"), "spec")
    if "kubelet" in nodes and not has_kubelet:
        kubelet = nodes.pop("kubelet")
        if log is not None:
            own = "since karpenter.sh/v1, settings of the kubelet belong to the node class", "Set them in the node class, as far as it has them"
            log.removed(("spec", "template", "spec", "kubelet"), kubelet, *((KUBELET_OF_AUTO, UNUSED) if to_auto_mode else own))
    _reference(nodes)
    _requirements(nodes)
    _disruption(spec, nodes)
    return made


def _reference(nodes: Object) -> None:
    """Replaces `apiVersion` by `group`; a group has one kind."""
    if not isinstance(nodes.get("nodeClassRef"), dict):
        return
    reference = as_mapping(nodes["nodeClassRef"])
    version, kind = reference.pop("apiVersion", None), str(reference.get("kind", ""))
    group = version.partition("/")[0] if isinstance(version, str) and "/" in version else _GROUPS.get(kind)
    if group is not None and "group" not in reference:
        known = {"kind": NODE_CLASSES[group].kind} if group in NODE_CLASSES else {}
        nodes["nodeClassRef"] = {"group": group, **known, **reference}


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
