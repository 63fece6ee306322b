"""The metadata of objects that are created next to old ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.conversion.raw_parts import Object, part, removed_if_empty, text
from nodepools.conversion.unconverted import Log

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
