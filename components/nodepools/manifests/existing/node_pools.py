"""Reads the NodePools of a running cluster with their node classes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from nodepools.clouds.aks.pools import aks_cloud, existing_aks
from nodepools.clouds.eks.pools import eks_cloud, existing_eks
from nodepools.clouds.eks.self_managed import ARCH
from nodepools.clouds.eks.self_managed_classes import cloud_of_ec2_class, existing_ec2
from nodepools.manifests.existing.assumed_pools import AssumedPool, with_current_images
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_forms import AKS_POOL, EKS_POOL, SELF_MANAGED_POOL
from nodepools.manifests.object_reader import Known, UnreadableObjectError
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.raw_fields import mapping, text
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.severity import Severity
from nodepools.placement.cloud_labels import OS, REGION, ZONE, ZONE_ID, Cloud, unknown_provider
from nodepools.placement.cluster_labels import OfClass, RawObject, ReadClass
from nodepools.placement.cluster_pools import provisioned
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

CloudOf: TypeAlias = Callable[[RawObject | None, frozenset[str]], Cloud]
"""The cloud of a node class, without labels that the version of Karpenter lacks."""


def _always(cloud: Callable[[], Cloud]) -> CloudOf:
    return lambda _, __: cloud()


_GROUPS: Final = {
    EKS_NODE_CLASS.group: (EKS_NODE_CLASS, EKS_POOL, _always(eks_cloud)),
    AKS_NODE_CLASS.group: (AKS_NODE_CLASS, AKS_POOL, _always(aks_cloud)),
    EC2_NODE_CLASS.group: (EC2_NODE_CLASS, SELF_MANAGED_POOL, cloud_of_ec2_class),
}
"""By the group of the node class: its kind, the form of NodePools, and the cloud, which for self-managed Karpenter depends on the class."""
CLASSES: Final[Mapping[str, ReadClass]] = {EKS_NODE_CLASS.kind: existing_eks, AKS_NODE_CLASS.kind: existing_aks, EC2_NODE_CLASS.kind: existing_ec2}
"""The reader of each kind of node class."""
_DROPPED: Final = "CFG002"
_UNREAD: Final = "is not a known field: the API server drops it, unless its Karpenter is newer than the versions known here"
_PLACEHOLDER: Final = {"group": EC2_NODE_CLASS.group, "kind": EC2_NODE_CLASS.kind, "name": "unknown"}
"""The reference to a node class of an unknown provider, which a form needs and nothing else reads."""


@dataclass(frozen=True, slots=True)
class ReadPool:
    """A NodePool without what its node class gives to its nodes."""

    name: str
    pool: NodePool
    of: AssumedPool
    unread: tuple[str, ...]
    """Why fields of it are not read."""

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was read."""
        return (*self.of.assumed, *self.unread)


def read_node_pool(raw: RawObject) -> ReadPool:
    """Reads a NodePool of any provider.

    Raises:
        PodError: a field has another type than it must have.
        UnreadableObjectError: a field is invalid.
    """
    assumed = AssumedPool.of(raw)
    spec = mapping(assumed.raw, "spec")
    template = mapping(spec, "template")
    if assumed.group:
        return _whole(_GROUPS[assumed.group][1].read(assumed.raw), assumed)
    nodes = {**mapping(template, "spec"), "nodeClassRef": _PLACEHOLDER}
    return _whole(SELF_MANAGED_POOL.read({**assumed.raw, "spec": {**spec, "template": {**template, "spec": nodes}}}), assumed)


def _whole(known: Known[NodePool], assumed: AssumedPool) -> ReadPool:
    errors = [finding for finding in known.findings if finding.severity is Severity.ERROR]
    invalid = [finding for finding in errors if finding.code != _DROPPED]
    if invalid or known.model is None or known.name is None:
        raise UnreadableObjectError(invalid)
    return ReadPool(known.name, known.model, assumed, tuple(f"`{finding.path}` {_UNREAD}" for finding in errors))


class NodePoolReader:
    """Reads NodePools with the objects around them: their node classes, and the nodes, which have the region."""

    def __init__(self, found: Iterable[ManifestObject], nodes: Sequence[StaticPool], lacks: frozenset[str]) -> None:
        self._lacks = lacks
        self._classes = {(written.kind, written.name): written.raw for written in found if written.kind in CLASSES}
        self._regions = frozenset(labels[REGION] for node in nodes for labels in node.variants if REGION in labels)
        self._has_nodes = bool(nodes)

    def pool(self, raw: RawObject) -> KarpenterPool:
        """Returns a NodePool with the properties that its node class gives to its nodes.

        Raises:
            PodError: a field has another type than it must have.
            UnreadableObjectError: a field is invalid.
        """
        read = read_node_pool(raw)
        template = mapping(mapping(read.of.raw, "spec"), "template")
        labels = {key: text(value, key) for key, value in mapping(mapping(template, "metadata"), "labels").items()}
        reference = mapping(mapping(template, "spec"), "nodeClassRef")
        made = self._known(read, labels) if read.of.group else self._of_another_provider(read, reference, labels)
        reported: Mapping[str, object] = mapping(mapping(raw, "status"), "resources") if not self._has_nodes else {}
        used = {key: thousandths(value, key) for key, value in reported.items() if key in made.limits}
        unread = (*read.unread, *self._without_class(read))
        return replace(_with_named_values(made), assumed=tuple(read.of.assumed), unread=unread, used=used, hides_nodes=any(used.values()))

    def _without_class(self, read: ReadPool) -> Iterator[str]:
        """Node classes were exported, and not that of the NodePool."""
        kind, name = _GROUPS[read.of.group][0].kind if read.of.group else "", read.pool.node_class
        if name is not None and (kind, name) not in self._classes and any(other == kind for other, _ in self._classes):
            yield f"its {kind} `{name}` is not in the export: without it Karpenter launches no node"

    def _known(self, read: ReadPool, labels: Mapping[str, str]) -> KarpenterPool:
        kind, _, cloud = _GROUPS[read.of.group]
        class_name = read.pool.node_class if read.pool.node_class is not None else "default"
        declared = self._classes.get((kind.kind, class_name))
        if declared is not None and kind is EC2_NODE_CLASS:
            declared = with_current_images(declared, read.of.kubelet)
        of, choices = CLASSES[kind.kind](class_name, declared, self._regions)
        pool = provisioned(read.name, cloud(declared, self._lacks), read.pool, labels, cluster=of, choices=choices)
        if declared is not None or kind is not EC2_NODE_CLASS:
            return pool
        return replace(pool, unsized=f"{kind.kind} `{class_name}` is not in the input, and decides how much of a node is left for pods")

    def _of_another_provider(self, read: ReadPool, reference: RawObject, labels: Mapping[str, str]) -> KarpenterPool:
        kind, provider = text(reference.get("kind"), "kind"), read.of.provider
        whose = f"its node class is of `{provider}`, whose labels and instance types are not known" if provider else read.of.assumed[-1]
        cloud = unknown_provider(f"{provider}/{kind.lower()}" if provider else "", whose)
        own = {cloud.class_label: text(reference.get("name"), "name")} if provider else {}
        return provisioned(read.name, cloud, read.pool, labels, cluster=OfClass(own), choices=cloud.choices_of(self._regions))


def _with_named_values(pool: KarpenterPool) -> KarpenterPool:
    """A NodePool of a running cluster that names zones, architectures or systems has such nodes, even if no file contains its node class."""
    named = {key: pool.choices[key].named_by(pool.offered.get(key)) for key in (ZONE, ZONE_ID, OS, ARCH) if key in pool.choices}
    return replace(pool, choices={**pool.choices, **named})
