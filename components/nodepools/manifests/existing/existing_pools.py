"""Reads a cluster that exists, with pools that others manage, as `kubectl get nodes,nodepools,pods,… -A -o yaml`, `az` and `aws` print it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar, cast

from nodepools.adoption.cluster_identity import ExistingIds
from nodepools.clouds.aks.existing import Export, Kind, exports
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool, ExistingNetwork, existing_network, read_agent_pools
from nodepools.clouds.eks.existing import NO_REGION, EksExport, EksKind, NotEksExportError, eks_exports
from nodepools.clouds.eks.node_groups import NodeGroup, Template, node_group, node_groups_in, templates_in, zones_in
from nodepools.clouds.existing_objects import FARGATE, NotExportError, Objects, OtherExportError, exported_twice, objects_of, other_export
from nodepools.conversion.raw_parts import as_list, as_mapping, part
from nodepools.data.version_support import LONG_TERM
from nodepools.manifests.existing.fleet_objects import NOT_READY, kubelet_version, not_ready, states_of
from nodepools.manifests.existing.node_pools import CLASSES, NodePoolReader
from nodepools.manifests.manifest_objects import ALPHA, Foreign, ManifestObject, unknown_document
from nodepools.manifests.object_list import each_object
from nodepools.manifests.supported_kinds import UnreadableObjectError
from nodepools.manifests.workloads import OF_EXPORTS, checked, workloads_of
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text, texts
from nodepools.model.kubernetes.volumes import place_of
from nodepools.model.listing import as_code, listed
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.cloud_labels import COMPUTE_TYPE, RawObject
from nodepools.placement.coverage import NOT_EXPORTED
from nodepools.placement.existing_nodes import (
    ExistingPods,
    existing_pools,
    further_nodes,
    only_namespaces,
    selecting_label,
    unsure_to_grow,
    without_startup_taints,
)
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools, FargateSelector
from nodepools.placement.static_pools import CORDONED, StaticPool
from nodepools.placement.workloads.objects import KINDS
from nodepools.placement.workloads.own_pods import Owner, owners_of
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.reading.selection import Selection
from nodepools.reading.yaml_documents import Document, Readable
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

_NAMES_ONLY: Final = "has only the names of node groups: export each of them with `aws eks describe-nodegroup`; missing: "
_MORE: Final = "more nodes than those that run are not certain to be added"
_HIDDEN: Final = f"its room is not known, {NOT_EXPORTED}"
Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CloudCluster:
    """The pools of one cluster that others manage."""

    name: str = ""
    """Empty: the files name no cluster."""
    resource_group: str = ""
    """Of an AKS cluster; empty: it is an EKS cluster."""
    location: str | None = None
    """Region of an AKS cluster; `None`: not known."""
    version: str = ""
    """Kubernetes version of the control plane; empty: not known."""
    extends: bool = False
    """It stays on a version after standard support."""
    channel: str = ""
    """The channel of automatic upgrades of an AKS cluster."""
    network: ExistingNetwork = field(default_factory=ExistingNetwork)
    """Of an AKS cluster."""
    groups: tuple[NodeGroup, ...] = ()
    agent_pools: tuple[ExistingAgentPool, ...] = ()
    zones: Mapping[str, str] = field(default_factory=dict[str, str])
    """Zones of subnets, by their ids."""
    is_automatic: bool = False
    """It is an AKS Automatic cluster, which has its channel permanently."""
    fargate: tuple[FargateSelector, ...] = ()
    """What its profiles of Fargate select, which run pods next to its nodes."""
    eks_region: str = ""
    """Region in the ARN of an EKS cluster; empty: not known."""
    states: tuple[str, ...] = ()

    @property
    def region(self) -> str:
        """That of the cluster, or of a node group; empty: not known."""
        return self.location if self.location is not None else next((group.region for group in self.groups), self.eks_region)

    def added_to(self, pools: ClusterPools, *, autoscaled: bool | None, running: bool = False) -> ClusterPools:
        """The pools of the cluster with these. Nodes in `pools` are among those of the node groups; with `running`, pods use those that are not."""
        own = [*(self._of_group(group, autoscaled=autoscaled) for group in self.groups), *(pool.nodes(self.location) for pool in self.agent_pools)]
        further = list(further_nodes(own, pools.static))
        left = [
            replace(pool, unknown_use=_HIDDEN) if running and pool.now and whole.max_nodes == pool.max_nodes else pool
            for pool, whole in zip(further, own, strict=True)
            if pool.max_nodes or whole.max_nodes == pool.max_nodes
        ]
        return replace(
            pools,
            static=(*pools.static, *left),
            emptied=tuple(pool for pool in own if pool.address not in {one.address for one in left}),
            unsure={**pools.unsure, **dict(self._unsure(left, own, autoscaled=autoscaled))},
        )

    def _of_group(self, group: NodeGroup, *, autoscaled: bool | None) -> StaticPool:
        zones = {self.zones[subnet] for subnet in group.subnets if subnet in self.zones}
        return group.nodes(sorted(zones) if set(group.subnets) <= self.zones.keys() else None, autoscaled=autoscaled)

    def _unsure(self, left: Iterable[StaticPool], own: Iterable[StaticPool], *, autoscaled: bool | None) -> Iterator[tuple[str, str]]:
        why = {group.name: group.why_unsure(autoscaled=autoscaled) for group in self.groups} | {
            pool.name: pool.why_unsure for pool in self.agent_pools
        }
        whole = {pool.address: pool for pool in own}
        for pool in left:
            reason = why.get(pool.address)
            if reason is not None:
                yield pool.address, reason
            elif pool.max_nodes < whole[pool.address].max_nodes and not autoscaled:
                yield pool.address, _MORE


@dataclass(slots=True)
class CloudPools:
    """What files of `aws` and `az` contain about pools."""

    groups: list[tuple[Raw, str]] = field(default_factory=list[tuple[Raw, str]])
    """With their files."""
    lists: list[tuple[tuple[str, ...], str]] = field(default_factory=list[tuple[tuple[str, ...], str]])
    """Names of groups, with the files that have no more of them."""
    azure: list[Export] = field(default_factory=list[Export])
    clusters: list[EksExport] = field(default_factory=list[EksExport])
    templates: list[Template] = field(default_factory=list[Template])
    zones: dict[str, str] = field(default_factory=dict[str, str])
    fargate: list[FargateSelector] = field(default_factory=list[FargateSelector])

    def take(self, document: Document, file: str) -> bool:
        """Reads a document; false if it is something else.

        Raises:
            TextError: it is an export that cannot be read.
        """
        value: object = document.value
        try:
            return self._of_aws(value, file) or self._of_azure(value, file)
        except (PodError, NotEksExportError) as error:
            raise TextError(f"{file}: {error}") from None

    def _of_aws(self, value: object, file: str) -> bool:
        groups, templates, zones = node_groups_in(value), templates_in(value), zones_in(value)
        if groups is None and templates is None and zones is None:
            return self._of_eks(cast("Raw", value), file) if isinstance(value, Mapping) else False
        self.groups.extend((group, file) for group in (groups if groups is not None else ()))
        self.templates.extend(templates if templates is not None else ())
        self.zones.update(zones if zones is not None else {})
        return True

    def _of_eks(self, value: Raw, file: str) -> bool:
        names = texts(value, "nodegroups") if isinstance(value.get("nodegroups"), list) else ()
        if names:
            self.lists.append((names, file))
            return True
        other = other_export(value)
        if other is not None and not isinstance(other, OtherExportError):
            raise TextError(f"{file}: {other}")
        if FARGATE.keys() & value:
            self.fargate.extend(FargateSelector.of_profile(mapping(value, "fargateProfile")))
            return True
        found = eks_exports(value, file)
        self.clusters.extend(one for one in (found if found is not None else ()) if one.kind is EksKind.CLUSTER)
        return found is not None

    def _of_azure(self, value: object, file: str) -> bool:
        try:
            self.azure.extend(exports(value, file))
        except NotExportError:
            return False
        return True

    @property
    def ids(self) -> ExistingIds:
        """The clusters that the files name, by folder."""
        return ExistingIds.of(self.azure, self.clusters)

    def cluster(self, failed: Callable[[TextError], None]) -> CloudCluster:
        """The cluster that the pools are of. `failed` gets the error of each pool that cannot be read.

        Raises:
            TextError: they are of several clusters, or what shows the cluster is invalid.
        """
        try:
            return self._cluster(failed)
        except PodError as wrong:
            raise TextError(str(wrong)) from None

    def _cluster(self, failed: Callable[[TextError], None]) -> CloudCluster:
        groups = list(self._groups(failed))
        pools = list(read_agent_pools(self.azure, lambda wrong, _: failed(TextError(wrong))))
        shown = [one for one in self.azure if one.kind is Kind.CLUSTER]
        names = dict.fromkeys([*(one.cluster for one in groups), *(one.cluster for one in pools), *(one.name for one in (*shown, *self.clusters))])
        if len(names) > 1:
            raise TextError(f"the files have pools of several clusters ({as_code(names)}): pass those of one")
        written = [text(one.written.get("version"), "version") for one in self.clusters]
        written += [text(one.written.get("currentKubernetesVersion", one.written.get("kubernetesVersion")), "kubernetesVersion") for one in shown]
        location = next((text(one.written.get("location"), "location") for one in shown), None)
        return CloudCluster(
            next(iter(names), ""),
            next((one.cluster.group for one in self.azure), ""),
            location,
            next(iter(written), ""),
            self._extends,
            next((text(mapping(one.written, "autoUpgradeProfile").get("upgradeChannel"), "upgradeChannel") for one in shown), ""),
            next((existing_network(mapping(one.written, "networkProfile")) for one in shown), ExistingNetwork()),
            tuple(groups),
            tuple(pools),
            self.zones,
            is_automatic=any(mapping(one.written, "sku").get("name") == "Automatic" for one in shown),
            fargate=tuple(self.fargate),
            eks_region=next((one.cluster.region for one in self.clusters if one.cluster is not None and one.cluster.region != NO_REGION), ""),
            states=(*states_of((*shown, *self.clusters)), *(pool.state for pool in pools), *(group.status for group in groups)),
        )

    @property
    def _extends(self) -> bool:
        """Extended support is the default of EKS."""
        plans = [one.written.get("supportPlan") for one in self.azure if one.kind is Kind.CLUSTER]
        policies = [mapping(one.written, "upgradePolicy").get("supportType") for one in self.clusters]
        return LONG_TERM in plans or any(policy != "STANDARD" for policy in policies)

    def _groups(self, failed: Callable[[TextError], None]) -> Iterator[NodeGroup]:
        for raw, file in self.groups:
            try:
                yield node_group(raw, self.templates)
            except PodError as wrong:
                failed(TextError(f"{file}: node group `{raw.get('nodegroupName')}`: {wrong}"))
        described = {raw.get("nodegroupName") for raw, _ in self.groups}
        for names, file in self.lists:
            missing = [f"`{name}`" for name in names if name not in described]
            if missing:
                failed(TextError(f"{file}: {_NAMES_ONLY}{listed(missing, 3)}"))


def runs_autoscaler(found: Iterable[ManifestObject]) -> bool | None:
    """A Deployment among the objects is the cluster autoscaler; `None`: not known, because it can be in another file."""
    return True if any(_is_autoscaler(written.raw) for written in found if written.kind == "Deployment") else None


def _is_autoscaler(raw: Raw) -> bool:
    try:
        pod = mapping(mapping(mapping(raw, "spec"), "template"), "spec")
        images = [text(container.get("image"), "image") for container in entries(pod, "containers")]
    except PodError:
        return False
    return any("cluster-autoscaler" in image.rpartition("/")[2] for image in images)


_PASSING: Final = (*NOT_READY, CORDONED.key)
"""Taints of temporary states. `spec.unschedulable` tells whether a node is cordoned."""
_REMOVED: Final = "karpenter.sh/disrupted"
"""The taint of nodes that Karpenter is about to remove: it does not count them against limits."""
_ONE_NODE: Final = {"nodes": 1000}
_KINDS: Final = frozenset({"NodePool", *CLASSES, *ALPHA})
_OF_NODE: Final = Selection.only(
    *("apiVersion", "kind"),
    metadata=Selection.only("name", "labels", "deletionTimestamp"),
    spec=Selection.only("taints", "unschedulable", "providerID"),
    status=Selection.only("allocatable", "capacity", "conditions", nodeInfo=Selection.only("kubeletVersion")),
)
_OF_OBJECT: Final = Selection.without(metadata=Selection.without("managedFields"), status=Selection.without("images"))
_NOTED: Final = frozenset({"Deployment", "NodePool", EC2_NODE_CLASS.kind, *ALPHA})
NO_POOL: Final = "there is no Node, no NodePool, no node group and no agent pool in it"
_OF_DEPLOYMENT: Final = Selection.only("apiVersion", "kind", "metadata", "spec")
_OF_AKS: Final = ("id", "type", "name", "location", "currentKubernetesVersion", "kubernetesVersion", "agentPoolProfiles", "properties")
"""What `az aks show` prints, which names a kind too."""
_OF_OTHERS: Final = Selection.only("apiVersion", "kind", *_OF_AKS)
_COUNTED: Final = frozenset({"Node", "Pod", "NodePool"})
_READ: Final = frozenset({"Pod", *KINDS})
_OF_CLUSTER: Final = frozenset({"Node", EKS_NODE_CLASS.kind, AKS_NODE_CLASS.kind})
"""The kinds that tell which cluster they are in."""
_FINISHED: Final = frozenset({"Succeeded", "Failed"})
_WHOLE: Final = Selection.without(metadata=Selection.without("managedFields"))
_ALL_PODS: Final[Raw] = {"apiVersion": "nodepools/v1", "kind": "PodList", "items": []}
"""`--context` read the pods of all namespaces: a list of an API server can be one of a namespace, or of pods with a label."""
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
        raise TextError(f"--existing: {NO_POOL}")
    return pools


@dataclass(frozen=True, slots=True)
class ExistingCluster:
    """What files contain about one cluster."""

    nodes: ClusterPools
    """Running nodes and NodePools."""
    pods: ExistingPods | None
    """`None`: the files have no pods."""
    objects: tuple[RawObject, ...]
    """Others that decide where pods can run."""
    cloud: CloudCluster
    """Node groups and agent pools, as the clouds print them."""
    autoscaled: bool | None
    """The cluster autoscaler runs; `None`: not known."""
    classes: Mapping[str, tuple[str, RawObject]]
    """Name and `spec` of the EC2NodeClass of each NodePool that has one in the files."""
    files: tuple[Objects, ...]
    """What the objects of each file say about their cluster."""
    ids: ExistingIds
    """The clusters that outputs of the clouds name."""
    types: tuple[tuple[str, str], ...]
    """API version and kind of each object."""
    unused: tuple[tuple[str, str], ...] = ()
    """The files of outputs of the clouds that no reader took, and what they are."""
    twice: tuple[str, ...] = ()
    """NodePools and node classes that files have with different contents."""
    is_planned: bool = False
    """The files are a plan: as for a declared cluster, pods that run on its pools do not count."""

    @property
    def all_pools(self) -> ClusterPools:
        """Everything that pods can run on."""
        return self.cloud.added_to(self.nodes, autoscaled=self.autoscaled)

    @property
    def pools_with_pods(self) -> ClusterPools:
        """The same, with the room that pods leave on the nodes. Without nodes, the files can also be manifests: nothing runs then.

        The status of a NodePool shows that it runs, and others can use what is left of its limits.
        """
        pools, nodes = self.nodes, self.nodes.static
        pools = existing_pools(replace(pools, static=()), nodes, self.pods) if nodes else pools
        found = self.cloud.added_to(pools, autoscaled=self.autoscaled, running=not self.is_planned)
        unsure = {**unsure_to_grow(pool for pool in pools.provisioned if pool.hides_nodes), **found.unsure}
        own = {pool.address for pool in pools.static if any(labels.get(COMPUTE_TYPE) == "fargate" for labels in pool.variants)}
        there = (pod for pod in (self.pods.bound if self.pods is not None else ()) if pod.pod.node_name in own)
        unselected = not all(any(one.may_run(pod) for one in self.cloud.fargate) for pod in there)  # by a profile that is not in the files
        fargate = (*self.cloud.fargate, *((FargateSelector(),) if own and (unselected or not self.cloud.fargate) else ()))
        return replace(found, unread=not found.static, fargate=fargate, unsure=unsure)

    @property
    def without_nodes(self) -> ClusterPools:
        """The same, with the nodes of node groups and agent pools as the clouds show them, instead of those that run."""
        return self.cloud.added_to(replace(self.nodes, static=()), autoscaled=self.autoscaled)


def read_existing(
    sources: Sources,
    failed: Failed,
    explained: Collection[Owner] = frozenset(),
    *,
    lacks: frozenset[str] = frozenset(),
    foreign: Foreign = unknown_document,
    running: list[ManifestObject] | None = None,
) -> ExistingCluster:
    """Returns what files contain about one cluster.

    Of nodes, only the parts that decide what can be scheduled on them are read; pods are kept as they are written only for workloads that are
    `explained`. `failed` gets the error of each source that cannot be read to its end and of each invalid object. `lacks` are labels that the
    version of self-managed Karpenter does not know. `foreign` gets documents that are neither objects nor pools, and
    `running` everything that drains depend on, as it is written: sources can be pipes, which are read once.

    Raises:
        TextError: the files are about several clusters.
    """
    others: list[RawObject] = []
    pods: list[tuple[Workload, bool]] = []
    seen: dict[tuple[str, str, str], str] = {}
    noted: list[ManifestObject] = []
    cloud = CloudPools()
    by_file: dict[str, list[RawObject]] = {}
    types: list[tuple[str, str]] = []
    unused: list[tuple[str, str]] = []
    specs: list[tuple[str, str, str, RawObject, str]] = []
    spaces: dict[str, set[str]] = {}
    labels: dict[str, set[str]] = {}
    are_pods_listed = False

    def take(document: Document, file: str) -> bool:
        nonlocal are_pods_listed
        are_pods_listed |= document.value == _ALL_PODS
        if any([foreign(document, file), cloud.take(document, file)]):  # subnets are needed by both
            return True
        other = other_export(document.value)
        unused.extend([(file, str(other))] if isinstance(other, OtherExportError) else [])
        return isinstance(other, OtherExportError)

    whole = _READ if running is None else _READ | OF_EXPORTS

    def of_pools() -> Iterator[ManifestObject]:
        for written in each_object(sources, lambda kind: _WHOLE if kind in whole else part_for_scheduling(kind), failed, take):
            if running is not None and written.kind in OF_EXPORTS:
                running.append(written)
            by_file.setdefault(written.file, []).extend([written.raw] if written.kind in _OF_CLUSTER else [])
            types.append(written.type)
            key = (written.kind, str(part(written.raw, "metadata").get("namespace", "")), written.name)
            if written.kind == "Pod":
                spaces.setdefault(written.file, set()).add(key[1])
                own = {*map(str, part(written.raw, "metadata", "labels"))}
                labels[written.file] = labels.get(written.file, own) & own
            specs.extend([(f"{written.group}/{key[0]}", *key[1:], part(written.raw, "spec"), written.file)] if key[0] in _KINDS else [])
            if written.kind in _COUNTED and seen.setdefault(key, written.file) != written.file:
                continue  # it is in another file, too
            noted.extend([written] if written.kind in _NOTED else [])
            if written.kind == "Pod":
                pods.extend(_pod(written, failed, explained))
            elif written.kind in KINDS:
                others.extend(raw for raw in [written.raw] if _is_valid(written, failed))
            else:
                yield written

    nodes = _with_alpha(pools_of(of_pools(), failed, lacks), noted, failed)
    expecting = (place_of(raw)[0] for raw in others if raw.get("kind") == "PodDisruptionBudget" and part(raw, "status").get("expectedPods"))
    existing_pods = ExistingPods(
        tuple(pod for pod, is_bound in pods if is_bound),
        tuple(pod for pod, is_bound in pods if not is_bound),
        () if are_pods_listed else only_namespaces(spaces.values(), nodes.static, expecting),
        "" if are_pods_listed else selecting_label(spaces.values(), labels.values()),
    )
    return ExistingCluster(
        nodes,
        existing_pods if are_pods_listed or any(kind == "Pod" for kind, _, _ in seen) else None,
        tuple(others),
        cloud.cluster(failed),
        runs_autoscaler(noted),
        dict(_own_classes(noted)),
        tuple(objects_of(raw, file) for file, raw in by_file.items()),
        cloud.ids,
        tuple(types),
        tuple(unused),
        tuple(exported_twice(specs, has_samples=True)),
    )


_MANAGED: Final = frozenset(f"{kind.group}/{kind.kind.lower()}" for kind in (EKS_NODE_CLASS, AKS_NODE_CLASS))
"""The labels for node classes of Karpenters that the clouds run, which apply no NodeOverlay: see rule OBJ028."""
_NOT_OVERLAID: Final = "its Karpenter does not apply NodeOverlays: `nodepools check` says why"
_SPREAD: Final = "`SCHEDULER_CONFIG` of its Karpenter spreads pods without constraints of their own: whether their domains have room is not known"
_BUFFERED: Final = "CapacityBuffers are in the export: nodes for them count against its limits, and how many there are is not known"


def _with_alpha(pools: ClusterPools, noted: Sequence[ManifestObject], failed: Failed) -> ClusterPools:
    """The NodePools with NodeOverlays; with CapacityBuffers, it is not certain that limits leave room for more nodes."""
    alpha = [written for written in noted if written.kind in ALPHA]
    if not alpha and not any(written.kind == "Deployment" for written in noted):
        return pools
    from nodepools.manifests.karpenter_controller import feature_gate, read_overlay, spreads_by_default  # few clusters have such objects
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
    if spreads_by_default(noted):
        unsure |= {pool.address: _SPREAD for pool in pools.provisioned if pool.cloud.class_label not in _MANAGED}
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
            unsure.update((written.name, why) for why in not_ready(written.raw))
        else:
            others.append(written)
    reader = NodePoolReader(others, nodes, lacks)
    node_pools = tuple(pool for written in others if written.kind == "NodePool" for pool in _located(reader.pool, written, failed))
    nodes, starting = without_startup_taints(nodes, node_pools)
    unsure = {**starting, **unsure}
    unsure |= {written.name: why for written in others if written.kind == "NodePool" for why in _launches_nothing(written.raw)}
    unsure |= {pool.address: why for pool in node_pools if (why := pool.unread[0] if pool.unread else pool.flaw if pool.hides_nodes else "")}
    return ClusterPools(None, tuple(nodes), node_pools, unsure=unsure)


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


def _pod(written: ManifestObject, failed: Failed, explained: Collection[Owner]) -> Iterator[tuple[Workload, bool]]:
    """A pod that is not finished, and whether it is bound to a node."""
    try:
        if mapping(written.raw, "status").get("phase") not in _FINISHED:
            for pod in workloads_of(written, existing=True):
                yield pod if any(owner in explained for owner in owners_of(pod)) else replace(pod, template=None), bool(pod.pod.node_name)
    except PodError as wrong:
        failed(TextError(f"{written.position(())}: Pod/{written.name}: {wrong}"))
    except TextError as error:
        failed(error)


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
        kubelet=kubelet_version(raw),
        cordoned=spec.get("unschedulable") is True,
        counts=counts,
        system=text(mapping(metadata, "labels").get("kubernetes.io/os"), "kubernetes.io/os"),
    )


def _taint(raw: RawObject) -> Taint:
    return Taint.model_validate({"key": raw.get("key"), "value": text(raw.get("value"), "value"), "effect": raw.get("effect")})
