"""Reads objects of files into the model and checks them as one cluster: its pools, its nodes, and the workloads that are scheduled on them."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, TypeAlias

from nodepools.clouds.eks.pools import EKS_CLASS
from nodepools.clouds.eks.self_managed import EC2_CLASS
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import Cloud, Known, Out, classless_pool_in, form_of, is_of_the_cloud, sorted_out
from nodepools.model.aks.cluster import AksNodeClass, AksNodePool
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping
from nodepools.model.listing import as_code
from nodepools.model.path import value_at
from nodepools.model.steps import Steps
from nodepools.model.unknowns import NotKnownError
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import AGENT_POOL, POOL, OfClass
from nodepools.placement.verdict import Kind, PoolVerdict, Verdict
from nodepools.placement.workloads.reader import KINDS, pod_places, read_workloads
from nodepools.reading.bounded_input import TextError
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.wire.table import Table

if TYPE_CHECKING:
    from nodepools.manifests.existing.existing_pools import CloudCluster
    from nodepools.placement.explain import Answer
    from nodepools.placement.node_pools import ClusterPools, KarpenterPool
    from nodepools.placement.workloads.workload import Workload


Readable: TypeAlias = NodePool | EksNodePool | AksNodePool | EksNodeClass | AksNodeClass | Ec2NodeClass

_NAMELESS: Final = "object"
"""The placeholder name of an object without a name; no finding is about it."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object in the model, as far as it is valid."""

    written: ManifestObject
    cloud: Cloud | None
    """`None` for a NodePool whose node class has an unknown cloud."""
    name: str
    model: Readable
    is_named: bool
    """The object has a name."""
    is_whole: bool
    """No field of the object is invalid."""

    @property
    def is_pool(self) -> bool:
        """The object is a NodePool, not a node class."""
        return isinstance(self.model, NodePool)

    @property
    def table(self) -> Table:
        """The table of the object's spelling."""
        return form_of(self.cloud if self.cloud is not None else Cloud.EKS, is_pool=self.is_pool).table

    @property
    def is_of_the_cloud(self) -> bool:
        """The cloud created the object, which was printed from a cluster."""
        return self.cloud is not None and is_of_the_cloud(self.written, self.cloud)


def read_object(written: ManifestObject) -> tuple[Read | None, tuple[Finding, ...]]:
    """Reads an object into the model, and returns it with the findings about its invalid fields.

    The object is `None` if its kind is not checked, or nothing valid is left to check.
    """
    cloud = sorted_out(written)
    if not isinstance(cloud, Out):
        return _read(written, cloud, ())
    if cloud.is_classless:
        return _made(written, None, classless_pool_in(written.raw), cloud.findings)
    return _read(written, cloud.like, cloud.findings) if cloud.like is not None else (None, cloud.findings)


def _read(written: ManifestObject, cloud: Cloud, reported: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    return _made(written, cloud, form_of(cloud, is_pool=written.kind == "NodePool").read(written.raw), reported)


def _made(
    written: ManifestObject, cloud: Cloud | None, known: Known[Readable], reported: tuple[Finding, ...]
) -> tuple[Read | None, tuple[Finding, ...]]:
    """Returns the object with its findings. The schema does not repeat those about the kind, which are `reported` already."""
    paths = {finding.path for finding in reported}
    findings = (*reported, *(finding for finding in known.findings if finding.path not in paths))
    if known.model is None:
        return None, findings
    name = known.name if known.name is not None else _NAMELESS
    return Read(written, cloud, name, known.model, known.name is not None, known.is_whole), findings


_LABELS: Final = frozenset({Kind.LABEL, Kind.REQUIREMENT})
_SCHEDULER: Final = "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node"
_TAINTS: Final = "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration"

ObjectFinding: TypeAlias = tuple[ManifestObject, Finding]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The objects of a cluster that files contain."""

    nodes: tuple[ManifestObject, ...]
    pools: tuple[ManifestObject, ...]
    """The readable NodePools."""
    classes: tuple[ManifestObject, ...]
    workloads: tuple[ManifestObject, ...]
    cloud: "CloudCluster | None"
    """Node groups and agent pools in exports of the clouds; `None`: there are no exports."""
    is_open: bool
    """At least one pool accepts pods without tolerations, or can do so."""
    is_complete: bool
    """Every NodePool in the files can be read completely."""

    @classmethod
    def of(cls, found: Sequence[ManifestObject], read: Sequence[Read], cloud: "CloudCluster | None") -> "Cluster":
        """Returns the cluster of all objects in `found`; `read` are the readable Karpenter objects among them."""
        known = {id(obj.written) for obj in read}
        others = [written for written in found if written.kind == "NodePool" and id(written) not in known]
        workloads = tuple(written for written in found if written.kind in KINDS)
        nodes = tuple(written for written in found if written.kind == "Node")
        return cls(
            nodes,
            tuple(obj.written for obj in read if obj.is_pool and obj.is_whole),
            tuple(obj.written for obj in read if not obj.is_pool and obj.is_whole),
            workloads,
            cloud,
            is_open=bool(others)
            or any(map(_can_take_ordinary_pods, read))
            or any(_is_open(node.raw) for node in nodes)
            or (cloud is not None and any(not any(taint.is_hard for taint in pool.taints) for pool in (*cloud.groups, *cloud.agent_pools))),
            is_complete=not others and all(obj.is_whole for obj in read if obj.is_pool),
        )

    @property
    def known(self) -> "ClusterPools | None":
        """Returns the pools, or `None` if a node or a node class is not a valid object, which other checks report."""
        from nodepools.manifests.existing.existing_pools import pools_of  # only workloads need pools

        try:
            found = pools_of([*self.nodes, *self.pools, *self.classes])
        except TextError:
            return None
        if self.cloud is None:
            return found
        from nodepools.manifests.existing.existing_pools import runs_autoscaler

        return self.cloud.added_to(found, autoscaled=runs_autoscaler(self.workloads))

    @property
    def has_nodes(self) -> bool:
        """The files contain nodes that run, or groups of them: they show what the cluster has."""
        return bool(self.nodes or (self.cloud is not None and (self.cloud.groups or self.cloud.agent_pools)))


def check_cluster_objects(cluster: Cluster, kept: Sequence[tuple[ManifestObject, "Workload"]] = ()) -> Iterator[ObjectFinding]:
    """Checks the cluster as far as the files contain it: other objects can exist outside of them. `kept` are CapacityBuffers with their pods."""
    if cluster.pools and not cluster.is_open:
        yield cluster.pools[0], _nothing_for_ordinary_pods(cluster)
    known = cluster.known if (cluster.workloads or kept) and (cluster.pools or cluster.has_nodes) else None
    if known is None:
        return
    from nodepools.placement.explain import explain
    from nodepools.placement.node_pools import selects_fargate

    named: list[tuple[ManifestObject, Workload]] = []
    for written in cluster.workloads:
        try:
            named.extend((written, workload) for workload in read_workloads(written.raw))
        except PodError as wrong:
            yield (
                written,
                object_finding(
                    "OBJ008",
                    (),
                    f"The pods of this object are not checked, because they are not valid ({wrong})",
                    fix="Correct the field",
                    source="Kubernetes, PodSpec",
                ),
            )
    everything = replace(known, provisioned=(*known.provisioned, *_built_in(cluster, known)))
    answers = explain([workload for _, workload in (*named, *kept)], [everything])
    for (written, _), answer in zip(kept, answers[len(named) :], strict=True):
        if cluster.is_complete and answer.verdict is Verdict.CANNOT:
            nearest = min(answer.pools, key=lambda item: item.distance)
            message = f"Karpenter keeps no room: the pods fit no NodePool in these files; closest is `{nearest.pool}` ({_why(nearest)})"
            fix = "Change what the pods select, tolerate or request, or the NodePool"
            yield written, object_finding("OBJ030", (), message, fix=fix, source=_SCHEDULER)
    for (written, _), answer in zip(named, answers, strict=False):
        if cluster.is_complete and not selects_fargate(answer.workload):
            yield from _selects_nothing(written, answer)
        yield from ((written, finding) for finding in of_two_autoscalers(answer, known, cluster.nodes))


def _why(verdict: PoolVerdict) -> str:
    return ", ".join(reason.message for reason in verdict.reasons)


def _nothing_for_ordinary_pods(cluster: Cluster) -> Finding:
    what = "No NodePool or node" if cluster.has_nodes else "No NodePool"
    elsewhere = "" if cluster.has_nodes else ", unless the cluster has another pool, such as a built-in one"
    spec = mapping(cluster.pools[0].raw, "spec")
    off = ("replicas",) if "replicas" in spec else ("limits",)
    at = ("template", "spec", "taints") if entries(mapping(mapping(spec, "template"), "spec"), "taints") else off
    finding = object_finding(
        "OBJ009",
        ("spec", *at),
        f"{what} in these files can take pods without tolerations: ordinary pods stay Pending{elsewhere}",
        fix="Add a NodePool without taints, or remove the taints of one" if cluster.has_nodes else None,
        source=_TAINTS,
    )
    return finding if cluster.has_nodes else replace(finding, severity=Severity.NOTE)


def _can_take_ordinary_pods(read: Read) -> bool:
    """Tells whether the object is a NodePool that accepts pods without tolerations, or can do so."""
    try:
        return isinstance(read.model, NodePool) and read.model.takes_ordinary_pods
    except NotKnownError:
        return True


def _is_open(node: Mapping[str, object]) -> bool:
    """Tells whether the node accepts pods without tolerations. An unreadable node can be such a node."""
    try:
        spec = mapping(node, "spec")
        return spec.get("unschedulable") is not True and all(taint.get("effect") == "PreferNoSchedule" for taint in entries(spec, "taints"))
    except PodError:
        return True


def _selects_nothing(written: ManifestObject, answer: "Answer") -> Iterator[ObjectFinding]:
    """Yields a finding if no pool has the labels that the workload selects."""
    pools = [pool for pool in answer.pools if not _is_excluded(pool)]
    if answer.verdict is not Verdict.CANNOT or not pools or not all(any(reason.kind in _LABELS for reason in pool.reasons) for pool in pools):
        return
    nearest = min(pools, key=lambda item: (not _has_similar_name(item), item.distance))
    why = ", ".join(reason.message for reason in nearest.reasons if reason.kind in _LABELS)
    change = answer.fix(nearest)
    yield (
        written,
        object_finding(
            "OBJ010",
            _selector(written.raw),
            f"No pool in these files has the labels that the pods select; closest is `{nearest.pool}` ({why})",
            fix=f"{str(change)[0].upper()}{str(change)[1:]}{'' if _has_similar_name(nearest) else ', or give a pool the selected labels'}"
            if change is not None
            else "Change the labels that the pods select, or add a pool that has them",
            source=_SCHEDULER,
        ),
    )


def _is_excluded(verdict: PoolVerdict) -> bool:
    """The pods keep themselves off it, since its nodes are of Auto Mode: others can exist outside of the files."""
    from nodepools.placement.node_pools import excludes_auto_mode
    from nodepools.placement.workloads.pod_changes import Remove

    return any(isinstance(reason.fix, Remove) and excludes_auto_mode(reason.fix.expression) for reason in verdict.reasons)


def _has_similar_name(verdict: PoolVerdict) -> bool:
    from nodepools.placement.workloads.pod_changes import Select

    return any(isinstance(reason.fix, Select) and reason.fix.similar for reason in verdict.reasons)


def _built_in(cluster: Cluster, known: "ClusterPools") -> "Iterator[KarpenterPool]":
    """Yields the built-in NodePools if the files contain no nodes: a pod can be intended for them."""
    from nodepools.placement.node_pools import provisioned

    if cluster.has_nodes:
        return
    clouds = {place.cloud.name: place.cloud for place in known.provisioned}
    names = {place.address for place in known.provisioned}
    for cloud in clouds.values():
        for name, pool in cloud.built_in.items():
            if name not in names:
                of, choices = OfClass({cloud.class_label: "default"}), cloud.choices_of(frozenset())
                yield provisioned(name, cloud, pool, dict(pool.labels), cluster=of, choices=choices)


def _selector(raw: Mapping[str, object]) -> Steps:
    """Returns the path of the field that selects the nodes of a workload."""
    pod = (*next(pod_places(raw), ("spec", "template")), "spec")
    return (*pod, "nodeSelector" if value_at(raw, (*pod, "nodeSelector")) else "affinity")


_TO_AUTO_MODE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-migrate-karpenter.html"
_MIGRATION: Final = "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"
_BEST_PRACTICES: Final = "https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html"
_AWS: Final = (EKS_CLASS, EC2_CLASS)
"""The labels of the node classes of both Karpenters that one EKS cluster can have."""


def of_two_autoscalers(answer: "Answer", known: "ClusterPools", nodes: Sequence[ManifestObject]) -> Iterator[Finding]:
    """Yields findings about the pods of a workload that fit pools of two autoscalers. DaemonSets launch no nodes."""
    if not answer.workload.is_daemon:
        fits = {pool.pool for pool in answer.pools if pool.verdict is Verdict.FITS}
        yield from _with_groups(fits, known, nodes)
        yield from _of_two_karpenters(fits, known)


def _with_groups(fits: AbstractSet[str], known: "ClusterPools", nodes: Sequence[ManifestObject]) -> Iterator[Finding]:
    """Agent pools or node groups, in exports or with a running node, next to NodePools of the same cloud."""
    launched = [place for place in known.provisioned if place.address in fits and place.pool.replicas is None]
    labels = {place.address: label for place in launched if (label := place.cloud.agent_pool_label)}
    running = {name for node in nodes if node.name in fits for name in _autoscaling_group(node.raw, frozenset(labels.values()))}
    exported = {pool.address for pool in known.static if pool.address in fits and pool.names is None and pool.may_grow}
    if labels and (running or exported):
        is_aks = AGENT_POOL in labels.values()
        noun = "agent pool" if is_aks else "node group"
        both = f"{noun} {as_code(sorted(running | exported))} and NodePool {as_code(labels)}"
        message = f"The pods fit {both}: if the {noun} is autoscaled, both autoscalers add nodes for the same pending pod"
        yield object_finding("OBJ011", (), message, fix=None, source=_MIGRATION if is_aks else _BEST_PRACTICES)


def _of_two_karpenters(fits: AbstractSet[str], known: "ClusterPools") -> Iterator[Finding]:
    """NodePools of EKS Auto Mode and of self-managed Karpenter: each launches nodes without regard to the other."""
    by_class = {label: [place.address for place in known.provisioned if place.address in fits and place.cloud.class_label == label] for label in _AWS}
    if all(by_class.values()):
        auto, own = map(as_code, by_class.values())
        both = f"NodePool {auto} of EKS Auto Mode and {own} of self-managed Karpenter"
        message = f"The pods fit {both}: both can launch a node for the same pending pod"
        fix = "Taint the NodePools of one of them, or select one with a label"
        yield object_finding("OBJ011", (), message, fix=fix, source=_TO_AUTO_MODE)


def _autoscaling_group(raw: Mapping[str, object], by: AbstractSet[str]) -> Iterator[str]:
    """Yields the agent pool or node group of a node, from any of the labels `by`; nothing for a node that Karpenter launched."""
    labels = mapping(mapping(raw, "metadata"), "labels")
    if POOL not in labels:
        yield from (str(labels[label]) for label in by if labels.get(label))
