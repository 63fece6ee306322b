"""NodePools of a former version, and those that lack what the API server requires: how they are read, as far as their meaning is certain."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, cast

from nodepools.conversion.raw_parts import V1BETA1, Object, as_mapping, convert_to_v1, part, text
from nodepools.conversion.unconverted import NODE_CLASSES
from nodepools.placement.cluster_labels import RawObject
from nodepools.wire.karpenter import EC2_NODE_CLASS

UNNAMED: Final = "unnamed"
_OF_KIND: Final = {kind.kind: group for group, kind in NODE_CLASSES.items()}
_REJECTED: Final = "which the API server rejects"
_NOT_KNOWN: Final = "labels and instance types of its provider are not known"
_FORMER_CLASS: Final = f"{EC2_NODE_CLASS.group}/v1beta1"
_OF_FAMILY: Final = {
    "AL2": "al2@latest",
    "AL2023": "al2023@latest",
    "Bottlerocket": "bottlerocket@latest",
    "Windows2019": "windows2019@latest",
    "Windows2022": "windows2022@latest",
}
"""The alias of v1 for the images of an `amiFamily` of v1beta1 (https://karpenter.sh/docs/upgrading/v1-migration, 2026-11)."""


@dataclass(slots=True)
class AssumedPool:
    """A NodePool as it is read."""

    raw: Object
    """As an object of `karpenter.sh/v1`."""
    group: str = ""
    """The group of its node class; empty: not known."""
    provider: str = ""
    """The provider of its node class, if it is another one than those of AWS and Azure."""
    kubelet: object = None
    """Settings of the kubelet, which v1beta1 has in the NodePool."""
    assumed: list[str] = field(default_factory=list[str])
    """What is not as the API server requires it, and how it is read."""

    @classmethod
    def of(cls, raw: RawObject) -> "AssumedPool":
        """Reads a NodePool. Values of another type than expected stay, for the form to report."""
        if raw.get("apiVersion") == V1BETA1:
            pool = cls(convert_to_v1(raw), kubelet=part(raw, "spec", "template", "spec").get("kubelet"))
            pool.assumed.append(f"`{V1BETA1}` is read as `karpenter.sh/v1`, to which OBJ001 of `nodepools check` converts it")
        else:
            pool = cls(deepcopy(dict(raw)))
        pool._name()
        nodes = _inside(_inside(_inside(pool.raw, "spec"), "template"), "spec")
        if nodes is not None:
            pool._require(nodes)
            pool._refer(nodes)
        return pool

    def _name(self) -> None:
        metadata = _inside(self.raw, "metadata")
        if metadata is not None and metadata.get("name") is None:
            metadata["name"] = UNNAMED
            self.assumed.append(f"`metadata.name` is missing, {_REJECTED}: it is called `{UNNAMED}` here")

    def _require(self, nodes: Object) -> None:
        if nodes.get("requirements") is None:
            nodes["requirements"] = []
            self.assumed.append(f"`requirements` is missing, {_REJECTED}: it is read as an empty list")

    def _refer(self, nodes: Object) -> None:
        """Completes the reference to the node class."""
        reference = _inside(nodes, "nodeClassRef")
        if reference is None:
            return
        group, kind = reference.get("group"), text(reference.get("kind"))
        if not reference:
            self.assumed.append(f"`nodeClassRef` is missing, {_REJECTED}: {_NOT_KNOWN}")
        elif group in NODE_CLASSES:
            self.group = text(group)
        elif group in (None, "") and kind in _OF_KIND:
            self.group = _OF_KIND[kind]
            self.assumed.append(f"`nodeClassRef.group` is missing, {_REJECTED}: it is read as `{self.group}`, the group of `{kind}`")
        elif (bare := text(group).partition("/")[0]) in NODE_CLASSES:
            self.group = bare
            self.assumed.append(f"`nodeClassRef.group` is `{group}`, {_REJECTED}: it is read as `{bare}`")
        else:
            self.provider = text(group)
            self.assumed.extend([] if self.provider else [f"`nodeClassRef` has no group, {_REJECTED}: {_NOT_KNOWN}"])
        reference["group"] = self.group


def with_current_images(raw: RawObject, kubelet: object) -> RawObject:
    """An EC2NodeClass as v1 has it, as far as it decides where pods can run: its images by alias, and the settings of the kubelet."""
    spec = dict(part(raw, "spec"))
    alias = _OF_FAMILY.get(text(spec.get("amiFamily")))
    if raw.get("apiVersion") == _FORMER_CLASS and alias is not None and not spec.get("amiSelectorTerms"):
        spec["amiSelectorTerms"] = [{"alias": alias}]
    if isinstance(kubelet, Mapping) and "kubelet" not in spec:
        spec["kubelet"] = cast("Mapping[str, object]", kubelet)
    return {**raw, "spec": spec}


def _inside(parent: Object | None, name: str) -> Object | None:
    """The mapping inside; an empty one is added if there is none. `None`: it is something else."""
    if parent is None:
        return None
    if parent.get(name) is None:
        parent[name] = {}
    return as_mapping(parent[name]) if isinstance(parent[name], dict) else None
