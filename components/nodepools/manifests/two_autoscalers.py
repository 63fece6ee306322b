"""Workloads for which two autoscalers add nodes: the cluster autoscaler and Karpenter, or the Karpenter of EKS Auto Mode and a self-managed one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.placement.cloud_labels import AGENT_POOL, POOL
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.eks_node_classes import EKS_CLASS
from nodepools.placement.eks_self_managed import EC2_CLASS
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import Verdict
from nodepools.rules.finding import Finding
from nodepools.rules.object_findings import object_finding

_TO_AUTO_MODE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-migrate-karpenter.html"
_MOVE: Final = "https://learn.microsoft.com/azure/aks/migrate-from-autoscaler-to-node-auto-provisioning"
_BEST_PRACTICES: Final = "https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html"
_AWS: Final = (EKS_CLASS, EC2_CLASS)
"""The labels of the node classes of both Karpenters that one EKS cluster can have."""


def of_two_autoscalers(answer: Answer, known: Pools, nodes: Sequence[ManifestObject]) -> Iterator[Finding]:
    """Yields findings about the pods of a workload that fit pools of two autoscalers. DaemonSets launch no nodes."""
    if not answer.workload.is_daemon:
        fits = {pool.pool for pool in answer.pools if pool.verdict is Verdict.FITS}
        yield from _with_groups(fits, known, nodes)
        yield from _of_two_karpenters(fits, known)


def _with_groups(fits: AbstractSet[str], known: Pools, nodes: Sequence[ManifestObject]) -> Iterator[Finding]:
    """Agent pools or node groups, in exports or with a running node, next to NodePools of the same cloud."""
    launched = [place for place in known.provisioned if place.address in fits and place.pool.replicas is None]
    labels = {place.address: label for place in launched if (label := place.cloud.agent_pool_label)}
    running = {name for node in nodes if node.name in fits for name in _group(node.raw, frozenset(labels.values()))}
    exported = {pool.address for pool in known.static if pool.address in fits and pool.names is None and pool.may_grow}
    if labels and (running or exported):
        is_aks = AGENT_POOL in labels.values()
        noun = "agent pool" if is_aks else "node group"
        both = f"{noun} {_listed(sorted(running | exported))} and NodePool {_listed(labels)}"
        message = f"The pods fit {both}: if the {noun} is autoscaled, both autoscalers add nodes for the same pending pod"
        yield object_finding("OBJ011", (), message, fix=None, source=_MOVE if is_aks else _BEST_PRACTICES)


def _of_two_karpenters(fits: AbstractSet[str], known: Pools) -> Iterator[Finding]:
    """NodePools of EKS Auto Mode and of self-managed Karpenter: each launches nodes without regard to the other."""
    by_class = {label: [place.address for place in known.provisioned if place.address in fits and place.cloud.class_label == label] for label in _AWS}
    if all(by_class.values()):
        auto, own = map(_listed, by_class.values())
        message = (
            f"The pods fit NodePool {auto} of EKS Auto Mode and {own} of self-managed Karpenter: both can launch a node for the same pending pod"
        )
        fix = "Taint the NodePools of one of them, or select one with a label"
        yield object_finding("OBJ011", (), message, fix=fix, source=_TO_AUTO_MODE)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _group(raw: Mapping[str, object], by: AbstractSet[str]) -> Iterator[str]:
    """Yields the agent pool or node group of a node, from any of the labels `by`; nothing for a node that Karpenter launched."""
    labels = mapping(mapping(raw, "metadata"), "labels")
    if POOL not in labels:
        yield from (str(labels[label]) for label in by if labels.get(label))
