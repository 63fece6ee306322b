"""Access to parts of raw objects that never fails: a part of another type than expected is left as it is, for `check` to report.

The metadata of objects that are created next to old ones is made here too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from nodepools.conversion.unconverted import Log

Object: TypeAlias = dict[str, object]


def as_mapping(value: object) -> Object:
    """The mapping; an empty one, which is not part of the object, for anything else."""
    return cast("Object", value) if isinstance(value, dict) else {}


def part(raw: object, *names: str) -> Object:
    """The mapping inside mappings; an empty one, which is not part of the object, if a step is not a mapping."""
    for name in names:
        raw = as_mapping(raw).get(name)
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
