"""Reads a cluster that exists, as `kubectl get nodes,nodepools,nodeclasses,pods,pv,pvc,pdb,sc -A -o yaml`, `az` and `aws` print it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from nodepools.adoption.cluster_identity import ExistingIds
from nodepools.clouds.existing_objects import Objects, objects_of
from nodepools.conversion.raw_parts import as_list, as_mapping, part
from nodepools.manifests.existing.cloud_pools import CloudCluster, CloudPools, runs_autoscaler
from nodepools.manifests.existing.node_pools import CLASSES, NodePoolReader
from nodepools.manifests.manifest_objects import ALPHA, Foreign, ManifestObject, unknown_document
from nodepools.manifests.object_list import each_object
from nodepools.manifests.object_reader import UnreadableObjectError
from nodepools.manifests.workloads import checked, workloads_of
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text
from nodepools.model.kubernetes.requests import thousandths
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.cluster_labels import RawObject
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.existing_nodes import RunningPods, existing_pools, without_startup_taints
from nodepools.placement.machine_index import Bounds
from nodepools.placement.static_pools import CORDONED, StaticPool
from nodepools.placement.workloads.objects import KINDS
from nodepools.placement.workloads.own_pods import Owner, owners_of
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import TextError
from nodepools.reading.selection import Selection
from nodepools.reading.yaml_documents import Document, Readable
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

_NOT_READY: Final = (
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    *(f"node.kubernetes.io/{of}" for of in ("memory-pressure", "disk-pressure", "pid-pressure", "network-unavailable")),
    "node.cloudprovider.kubernetes.io/uninitialized",
    "karpenter.sh/unregistered",
    "readiness.k8s.io/",
)
"""Beginnings of the taints of nodes that take no pods at the moment. Sources: Karpenter 1.14, `taints.go`; Kubernetes, `TaintNodesByCondition`."""
_PASSING: Final = (*_NOT_READY, CORDONED.key)
"""Taints of temporary states. `spec.unschedulable` tells whether a node is cordoned."""
_REMOVED: Final = "karpenter.sh/disrupted"
"""The taint of nodes that Karpenter is about to remove: it does not count them against limits."""
_ONE_NODE: Final = {"nodes": 1000}
_KINDS: Final = frozenset({"NodePool", *CLASSES, *ALPHA})
_OF_NODE: Final = Selection.only(
    *("apiVersion", "kind"),
    metadata=Selection.only("name", "labels", "deletionTimestamp"),
    spec=Selection.only("taints", "unschedulable", "providerID"),
    status=Selection.only("allocatable", "capacity"),
)
_OF_OBJECT: Final = Selection.without(metadata=Selection.without("managedFields"), status=Selection.without("images"))
_NOTED: Final = frozenset({"Deployment", "NodePool", EC2_NODE_CLASS.kind, *ALPHA})
NO_POOL: Final = "--existing: there is no Node, no NodePool, no node group and no agent pool in it"
_OF_DEPLOYMENT: Final = Selection.only("apiVersion", "kind", "metadata", "spec")
_OF_AKS: Final = ("id", "type", "name", "location", "currentKubernetesVersion", "kubernetesVersion", "agentPoolProfiles", "properties")
"""What `az aks show` prints, which names a kind too."""
_OF_OTHERS: Final = Selection.only("apiVersion", "kind", *_OF_AKS)
_RUNNING: Final = frozenset({"Node", "Pod"})
_READ: Final = frozenset({"Pod", *KINDS})
_OF_CLUSTER: Final = frozenset({"Node", EKS_NODE_CLASS.kind, AKS_NODE_CLASS.kind})
"""The kinds that tell which cluster they are in."""
_FINISHED: Final = frozenset({"Succeeded", "Failed"})
_WHOLE: Final = Selection.without(metadata=Selection.without("managedFields"))
Failed: TypeAlias = Callable[[TextError], None]
Sources: TypeAlias = Iterable[tuple[str | Readable, str]]
T = TypeVar("T")


def _raised(error: TextError) -> None:
    raise error


def read_existing_pools(
    sources: Sources, failed: Failed = _raised, lacks: frozenset[str] = frozenset(), foreign: Foreign = unknown_document
) -> ClusterPools:
    """Returns the pools in the output of `kubectl get`, as if no pod ran on the nodes; the arguments are those of `read_existing`.

    Without `failed`, the first error is raised.

    Raises:
        TextError: there is no pool, and nothing failed.
    """
    errors: list[TextError] = []

    def keep(error: TextError) -> None:
        errors.append(error)
        failed(error)

    pools = read_existing(sources, keep, lacks=lacks, foreign=foreign).all_pools
    if not pools.static and not pools.provisioned and not errors:
        raise TextError(NO_POOL)
    return pools


@dataclass(frozen=True, slots=True)
class ExistingCluster:
    """What files contain about one cluster."""

    nodes: ClusterPools
    """Running nodes and NodePools."""
    pods: RunningPods | None
    """`None`: the files have no pods."""
    objects: tuple[RawObject, ...]
    """Others that decide where pods can run."""
    foreign: CloudCluster
    """Node groups and agent pools, as the clouds print them."""
    autoscaled: bool | None
    """The cluster autoscaler runs; `None`: not known."""
    classes: Mapping[str, tuple[str, RawObject]]
    """Name and `spec` of the EC2NodeClass of each NodePool that has one in the files."""
    files: tuple[Objects, ...]
    """What the objects of each file say about their cluster."""
    exported: ExistingIds
    """The clusters that outputs of the clouds name."""
    types: tuple[tuple[str, str], ...]
    """API version and kind of each object."""

    @property
    def all_pools(self) -> ClusterPools:
        """Everything that pods can run on."""
        return self.foreign.added_to(self.nodes, autoscaled=self.autoscaled)

    @property
    def pools_with_pods(self) -> ClusterPools:
        """The same, with the room that pods leave on the nodes. Without nodes, the files can also be manifests: nothing runs then."""
        pools = self.nodes
        if pools.static:
            pools = existing_pools(replace(pools, static=()), pools.static, self.pods)
        return self.foreign.added_to(pools, autoscaled=self.autoscaled)

    @property
    def without_nodes(self) -> ClusterPools:
        """The same, with the nodes of node groups and agent pools as the clouds show them, instead of those that run."""
        return self.foreign.added_to(replace(self.nodes, static=()), autoscaled=self.autoscaled)


def read_existing(
    sources: Sources,
    failed: Failed,
    explained: Collection[Owner] = frozenset(),
    *,
    lacks: frozenset[str] = frozenset(),
    foreign: Foreign = unknown_document,
) -> ExistingCluster:
    """Returns what files contain about one cluster.

    Of nodes, only the parts that decide what can be scheduled on them are read; pods are kept as they are written only for workloads that are
    `explained`. `failed` gets the error of each source that cannot be read to its end and of each invalid object. `lacks` are labels that the
    version of self-managed Karpenter does not know. `foreign` gets documents that are neither objects nor pools.

    Raises:
        TextError: the files are about several clusters.
    """
    others: list[RawObject] = []
    pods: list[tuple[Workload, bool]] = []
    seen: dict[tuple[str, str, str], str] = {}
    noted: list[ManifestObject] = []
    exported = CloudPools()
    by_file: dict[str, list[RawObject]] = {}
    types: list[tuple[str, str]] = []

    are_pods_listed = False

    def take(document: Document, file: str) -> bool:
        nonlocal are_pods_listed
        are_pods_listed |= as_mapping(document.value).get("kind") == "PodList"  # also without any pod
        return any([foreign(document, file), exported.take(document, file)])  # subnets are needed by both

    def of_pools() -> Iterator[ManifestObject]:
        for written in each_object(sources, _part, failed, take):
            by_file.setdefault(written.file, []).extend([written.raw] if written.kind in _OF_CLUSTER else [])
            types.append(written.type)
            key = (written.kind, str(part(written.raw, "metadata").get("namespace", "")), written.name)
            if written.kind in _RUNNING and seen.setdefault(key, written.file) != written.file:
                continue  # it is in another file, too
            noted.extend([written] if written.kind in _NOTED else [])
            if written.kind == "Pod":
                pods.extend((_kept(pod, explained), is_bound) for pod, is_bound in _pod(written, failed))
            elif written.kind in KINDS:
                others.extend(raw for raw in [written.raw] if _is_valid(written, failed))
            else:
                yield written

    nodes = _with_alpha(pools_of(of_pools(), failed, lacks), noted, failed)
    running = RunningPods(tuple(pod for pod, is_bound in pods if is_bound), tuple(pod for pod, is_bound in pods if not is_bound))
    return ExistingCluster(
        nodes,
        running if are_pods_listed or any(kind == "Pod" for kind, _, _ in seen) else None,
        tuple(others),
        exported.cluster(failed),
        runs_autoscaler(noted),
        dict(_own_classes(noted)),
        tuple(objects_of(raw, file) for file, raw in by_file.items()),
        exported.ids,
        tuple(types),
    )


_MANAGED: Final = frozenset(f"{kind.group}/{kind.kind.lower()}" for kind in (EKS_NODE_CLASS, AKS_NODE_CLASS))
"""The labels for node classes of Karpenters that the clouds run, which apply no NodeOverlay: see rule OBJ028."""
_NOT_OVERLAID: Final = "its Karpenter does not apply NodeOverlays: `nodepools check` says why"
_BUFFERED: Final = "CapacityBuffers are in the export: nodes for them count against its limits, and how many there are is not known"


def _with_alpha(pools: ClusterPools, noted: Sequence[ManifestObject], failed: Failed) -> ClusterPools:
    """The NodePools with NodeOverlays; with CapacityBuffers, it is not certain that limits leave room for more nodes."""
    alpha = [written for written in noted if written.kind in ALPHA]
    if not alpha:
        return pools
    from nodepools.manifests.karpenter_alpha import feature_gate, read_overlay  # few clusters have such objects
    from nodepools.placement.overlays import overlaid

    is_on = {kind: feature_gate(noted, kind) for kind in ALPHA}
    overlays = [overlay for written in alpha for overlay in _located(read_overlay, written, failed) if overlay is not None]
    without = [pool for pool in pools.provisioned if pool.cloud.class_label in _MANAGED or is_on["NodeOverlay"] is False]
    provisioned = {pool.address: pool for pool in pools.provisioned}
    if overlays:
        changed = overlaid([pool for pool in pools.provisioned if pool not in without], overlays, is_certain=is_on["NodeOverlay"] is True)
        unchanged = [replace(pool, assumed=(*pool.assumed, _NOT_OVERLAID)) for pool in without]
        provisioned |= {pool.address: pool for pool in (*changed, *unchanged)}
    has_buffers = is_on["CapacityBuffer"] is not False and any(written.kind == "CapacityBuffer" for written in alpha)
    unsure = {pool.address: _BUFFERED for pool in pools.provisioned if has_buffers and pool.pool.limits}
    return replace(pools, provisioned=tuple(provisioned.values()), unsure={**unsure, **pools.unsure})


def _own_classes(seen: Sequence[ManifestObject]) -> Iterator[tuple[str, tuple[str, RawObject]]]:
    classes = {written.name: written.raw for written in seen if written.kind == EC2_NODE_CLASS.kind}
    for written in seen:
        if written.kind == "NodePool":
            reference = part(written.raw, "spec", "template", "spec", "nodeClassRef")  # what is invalid in it is reported with the NodePool
            name = reference.get("name")
            if reference.get("kind") == EC2_NODE_CLASS.kind and isinstance(name, str) and name in classes:
                yield written.name, (name, part(classes[name], "spec"))


def pools_of(found: Iterable[ManifestObject], failed: Failed = _raised, lacks: frozenset[str] = frozenset()) -> ClusterPools:
    """Returns the pools among the objects of a cluster, possibly none; `lacks` as in `read_existing_pools`.

    Raises:
        TextError: an object is invalid, and there is no `failed`.
    """
    nodes: list[StaticPool] = []
    others: list[ManifestObject] = []
    unsure: dict[str, str] = {}
    for written in found:  # a node is kept as a pool only: there can be thousands
        if written.kind == "Node":
            nodes.extend(_located(_node, written, failed))
            unsure.update((written.name, why) for why in _not_ready(written.raw))
        else:
            others.append(written)
    reader = NodePoolReader(others, nodes, lacks)
    node_pools = tuple(pool for written in others if written.kind == "NodePool" for pool in _located(reader.pool, written, failed))
    nodes, starting = without_startup_taints(nodes, node_pools)
    unsure = {**starting, **unsure}
    unsure |= {written.name: why for written in others if written.kind == "NodePool" for why in _launches_nothing(written.raw)}
    unsure |= {pool.address: why for pool in node_pools if (why := pool.unread[0] if pool.unread else pool.flaw if pool.hides_nodes else "")}
    return ClusterPools(None, tuple(nodes), node_pools, unsure=unsure)


def _not_ready(node: RawObject) -> Iterator[str]:
    """Why a node takes no pods at the moment of the export."""
    for taint in map(as_mapping, as_list(part(node, "spec").get("taints"))):
        if str(taint.get("key")).startswith(_NOT_READY) and taint.get("effect") != "PreferNoSchedule":
            yield f"the node is not ready in the export: it has taint `{taint.get('key')}:{taint.get('effect')}`"


def _launches_nothing(pool: RawObject) -> Iterator[str]:
    """Why Karpenter launches no node for a NodePool at the moment of the export. Source: Karpenter 1.14, `pkg/utils/nodepool`."""
    if part(pool, "metadata").get("deletionTimestamp") is not None:
        yield "the NodePool is being deleted in the export: Karpenter launches no node for it, and removes those that it has"
    for condition in map(as_mapping, as_list(part(pool, "status").get("conditions"))):
        if condition.get("type") == "Ready" and condition.get("status") != "True":
            reason = f" ({condition['reason']})" if condition.get("reason") else ""
            yield f"the NodePool is not ready in the export{reason}: Karpenter launches no node for it"


def part_for_scheduling(kind: str) -> Selection:
    """The part of an object that decides where pods are scheduled, by the kind of the object."""
    if kind == "Node":
        return _OF_NODE
    if kind == "Deployment":
        return _OF_DEPLOYMENT
    return _OF_OBJECT if not kind or kind in _KINDS or kind.endswith("List") else _OF_OTHERS


def _part(kind: str) -> Selection:
    return _WHOLE if kind in _READ else part_for_scheduling(kind)


def _pod(written: ManifestObject, failed: Failed) -> Iterator[tuple[Workload, bool]]:
    """A pod that is not finished, and whether it is bound to a node."""
    try:
        if mapping(written.raw, "status").get("phase") not in _FINISHED:
            yield from ((pod, bool(pod.pod.node_name)) for pod in workloads_of(written, existing=True))
    except PodError as wrong:
        failed(TextError(f"{written.position(())}: Pod/{written.name}: {wrong}"))
    except TextError as error:
        failed(error)


def _kept(pod: Workload, explained: Collection[Owner]) -> Workload:
    return pod if any(owner in explained for owner in owners_of(pod)) else replace(pod, template=None)


def _is_valid(written: ManifestObject, failed: Failed) -> bool:
    try:
        checked(written)
    except TextError as error:
        failed(error)
        return False
    return True


def _located(read: Callable[[RawObject], T], written: ManifestObject, failed: Failed) -> Iterator[T]:
    """Yields what is read of an object; nothing for an invalid one, whose error has its position and name."""
    try:
        yield read(written.raw)
    except PodError as wrong:
        failed(TextError(f"{written.position(())}: {written.kind}/{written.name}: {wrong}"))
    except UnreadableObjectError as wrong:
        at = wrong.findings[0]
        failed(TextError(f"{written.position(at.steps)}: {written.kind}/{written.name}: {at.path}: {at.message}"))


def _node(raw: RawObject) -> StaticPool:
    metadata, spec, status = mapping(raw, "metadata"), mapping(raw, "spec"), mapping(raw, "status")
    name = text(metadata.get("name"), "name")
    has = {key: thousandths(value, key) for key, value in mapping(status, "allocatable").items()}
    taints = [_taint(entry) for entry in entries(spec, "taints")]
    leaves = "deletionTimestamp" in metadata or any(taint.key == _REMOVED for taint in taints)
    counts = {} if leaves else {key: thousandths(value, key) for key, value in mapping(status, "capacity").items()} | _ONE_NODE
    return StaticPool(
        name,
        ({key: text(value, key) for key, value in mapping(metadata, "labels").items()},),
        tuple(taint for taint in taints if not taint.key.startswith(_PASSING)),
        {key: Bounds(amount, amount) for key, amount in has.items()} if has else None,
        size=name,
        max_pods=has["pods"] // 1000 if "pods" in has else None,
        names=frozenset({name}),
        provider_id=text(spec.get("providerID"), "providerID"),
        cordoned=spec.get("unschedulable") is True,
        counts=counts,
        system=text(mapping(metadata, "labels").get("kubernetes.io/os"), "kubernetes.io/os"),
    )


def _taint(raw: RawObject) -> Taint:
    return Taint.model_validate({"key": raw.get("key"), "value": text(raw.get("value"), "value"), "effect": raw.get("effect")})
