"""Reads the NodePools of a running cluster with their node classes: former versions too, as far as their meaning is certain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final, TypeAlias, cast

from nodepools.clouds.aks.pools import aks_cloud, existing_aks
from nodepools.clouds.eks.pools import eks_cloud, existing_eks
from nodepools.clouds.eks.self_managed import ARCH
from nodepools.clouds.eks.self_managed_classes import cloud_of_ec2_class, existing_ec2
from nodepools.conversion.raw_parts import V1BETA1, Object, as_mapping, convert_to_v1, part
from nodepools.conversion.raw_parts import text as text_or_empty
from nodepools.conversion.unconverted import NODE_CLASSES
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import AKS_POOL, EKS_POOL, SELF_MANAGED_POOL, Known, UnreadableObjectError
from nodepools.model.eks.ec2_node_class import AMI_FAMILIES
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import mapping, text
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.cloud_labels import OS, REGION, ZONE, ZONE_ID, Cloud, OfClass, RawObject, ReadClass, unknown_provider
from nodepools.placement.node_pools import KarpenterPool, provisioned
from nodepools.placement.static_pools import StaticPool
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS, ClassKind

UNNAMED: Final = "unnamed"
_OF_KIND: Final = {kind.kind: group for group, kind in NODE_CLASSES.items()}
_REJECTED: Final = "which the API server rejects"
_NOT_KNOWN: Final = "labels and instance types of its provider are not known"
_FORMER_CLASS: Final = f"{EC2_NODE_CLASS.group}/v1beta1"
_OF_FAMILY: Final = {family: f"{alias}@latest" for alias, family in AMI_FAMILIES.items()}
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
        group, kind = reference.get("group"), text_or_empty(reference.get("kind"))
        if not reference:
            self.assumed.append(f"`nodeClassRef` is missing, {_REJECTED}: {_NOT_KNOWN}")
        elif group in NODE_CLASSES:
            self.group = text_or_empty(group)
        elif group in (None, "") and kind in _OF_KIND:
            self.group = _OF_KIND[kind]
            self.assumed.append(f"`nodeClassRef.group` is missing, {_REJECTED}: it is read as `{self.group}`, the group of `{kind}`")
        elif (bare := text_or_empty(group).partition("/")[0]) in NODE_CLASSES:
            self.group = bare
            self.assumed.append(f"`nodeClassRef.group` is `{group}`, {_REJECTED}: it is read as `{bare}`")
        else:
            self.provider = text_or_empty(group)
            self.assumed.extend([] if self.provider else [f"`nodeClassRef` has no group, {_REJECTED}: {_NOT_KNOWN}"])
        reference["group"] = self.group


def with_current_images(raw: RawObject, kubelet: object) -> RawObject:
    """An EC2NodeClass as v1 has it, as far as it decides where pods can run: its images by alias, and the settings of the kubelet."""
    spec = dict(part(raw, "spec"))
    alias = _OF_FAMILY.get(text_or_empty(spec.get("amiFamily")))
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


def built_in_pool(kind: ClassKind, name: str) -> KarpenterPool | None:
    """The NodePool `name` that the cloud of these node classes creates; `None` if it creates no such pool."""
    cloud = _GROUPS[kind.group][2](None, frozenset())
    if (pool := cloud.built_in.get(name)) is None:
        return None
    of, choices = CLASSES[kind.kind](pool.node_class if pool.node_class is not None else "default", {}, frozenset())
    return provisioned(name, cloud, pool, {}, cluster=of, choices=choices)


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
        reported = {key: thousandths(value, key) for key, value in mapping(mapping(raw, "status"), "resources").items()}
        used = {} if self._has_nodes else {key: amount for key, amount in reported.items() if key in made.limits}
        unread = (*read.unread, *self._without_class(read))
        found = replace(_with_named_values(made), assumed=tuple(read.of.assumed), unread=unread, used=used, hides_nodes=any(used.values()))
        return replace(found, reported=reported if "nodes" in reported else {})

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
