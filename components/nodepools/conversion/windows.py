"""NodePools that launch only Windows nodes, node classes that only they use, and pods of Windows: targets launch Linux nodes, so these stay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.conversion.node_classes import is_node_class
from nodepools.conversion.node_pools import class_group, is_node_pool
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, text
from nodepools.conversion.targets import Target
from nodepools.conversion.unconverted import Log
from nodepools.model.steps import Steps

_REQUIREMENTS: Final = ("spec", "template", "spec", "requirements")
_OS, _BUILD, _WINDOWS, _LINUX = "kubernetes.io/os", "node.kubernetes.io/windows-build", "windows", "linux"
_INSTEAD: Final[Mapping[Target, str]] = {
    Target.AUTO_MODE: "Keep Karpenter or a node group for its pods",
    Target.NAP: "Use an agent pool with Windows nodes for its pods",
}


@dataclass(frozen=True, slots=True)
class WindowsObjects:
    """The names of these NodePools and node classes."""

    pools: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()

    @classmethod
    def among(cls, objects: Sequence[Mapping[str, object]], target: Target) -> "WindowsObjects":
        """Those among the objects of a cluster; the target's own objects are not converted anyway."""
        every = [raw for raw in objects if is_node_pool(raw)]
        pools = [raw for raw in every if only_windows(raw) and class_group(raw) != target.node_class.group]
        others = {_class_of(raw) for raw in every if raw not in pools}
        return cls(frozenset(map(_name, pools)), frozenset(_class_of(raw) for raw in pools) - others)

    def has(self, raw: Mapping[str, object]) -> bool:
        """The object is one of them."""
        return (is_node_pool(raw) and _name(raw) in self.pools and only_windows(raw)) or (is_node_class(raw) and _name(raw) in self.classes)


def only_windows(raw: Mapping[str, object]) -> bool:
    """A requirement of the NodePool allows no other system."""
    return any(map(_is_of_windows, as_list(part(raw, *_REQUIREMENTS[:-1]).get(_REQUIREMENTS[-1]))))


def keeps_pods(spec: Object, at: Steps, target: Target, log: Log) -> bool:
    """The pods require Windows; notes why they stay."""
    selector = part(spec, "nodeSelector")
    terms = as_list(part(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution").get("nodeSelectorTerms"))
    selected = selector.get(_OS) == _WINDOWS or _BUILD in selector or part(spec, "os").get("name") == _WINDOWS
    if not selected and not (terms and all(any(map(_is_of_windows, as_list(as_mapping(term).get("matchExpressions")))) for term in terms)):
        return False
    log.kept(at, _WINDOWS, f"{target.title} launches no Windows nodes: the pods stay as they are", _INSTEAD[target])
    return True


def _is_of_windows(requirement: object) -> bool:
    """A requirement of a NodePool, or an expression of node affinity, allows no other system."""
    written = as_mapping(requirement)
    key, values = written.get("key"), as_list(written.get("values"))
    if key == _OS:
        return bool(values) and {"In": _LINUX not in values, "NotIn": _LINUX in values}.get(text(written.get("operator")), False)
    return key == _BUILD and (bool(values) if written.get("operator") == "In" else written.get("operator") == "Exists")


def keep_windows(raw: Mapping[str, object], target: Target, log: Log) -> None:
    """Notes why the object stays."""
    reason = f"{target.title} launches no Windows nodes: the object stays as it is"
    place = _REQUIREMENTS if is_node_pool(raw) else ("metadata", "name")
    log.kept(place, _WINDOWS if is_node_pool(raw) else _name(raw), reason, _INSTEAD[target])


def _name(raw: Mapping[str, object]) -> str:
    return text(part(raw, "metadata").get("name"))


def _class_of(raw: Mapping[str, object]) -> str:
    return text(part(raw, *_REQUIREMENTS[:-1], "nodeClassRef").get("name"))
