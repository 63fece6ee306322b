"""Reads what an upgrade has done so far, in nodes, pods, PodDisruptionBudgets and NodeClaims of a running cluster, as kubectl prints them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodepools.clouds.aks.existing import Export
from nodepools.clouds.eks.existing import EksExport
from nodepools.clouds.fleet import QUARANTINE, BudgetNow, Fleet, FleetNode, FleetPod
from nodepools.conversion.raw_parts import as_list, as_mapping, part
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.kubernetes.disruption_budget import read_disruption_budget
from nodepools.model.kubernetes.pod_lifecycle import DO_NOT_DISRUPT
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text
from nodepools.placement.static_pools import LEAVING
from nodepools.reading.bounded_input import TextError

KINDS: Final = frozenset({"Node", "Pod", "PodDisruptionBudget", "NodeClaim"})
_VERSION: Final = re.compile(r"v(1\.[0-9]{1,3}(\.[0-9]{1,4})?)([-+].*)?")
_FINISHED: Final = frozenset({"Succeeded", "Failed"})
_IMAGE: Final = "kubernetes.azure.com/node-image-version"
NOT_READY: Final = (
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    *(f"node.kubernetes.io/{of}" for of in ("memory-pressure", "disk-pressure", "pid-pressure", "network-unavailable")),
    "node.cloudprovider.kubernetes.io/uninitialized",
    "karpenter.sh/unregistered",
    "readiness.k8s.io/",
)
"""Beginnings of the taints of nodes that take no pods at the moment. Sources: Karpenter 1.14, `taints.go`; Kubernetes, `TaintNodesByCondition`."""
_MIRROR: Final = "kubernetes.io/config.mirror"
Raw = Mapping[str, object]


def fleet_of(found: Iterable[ManifestObject]) -> Fleet:
    """The cluster that the objects describe. Objects of other kinds are ignored.

    Raises:
        TextError: one of them is invalid. The message has its position.
    """
    nodes: dict[str, FleetNode] = {}
    pods: list[FleetPod] = []
    budgets: list[BudgetNow] = []
    ending: set[str] = set()
    for written in found:
        try:
            match written.kind:
                case "Node":
                    nodes[written.name] = _node(written.raw)
                case "Pod":
                    pods.extend(_pod(written.raw))
                case "PodDisruptionBudget":
                    budgets.append(_budget(written.raw))
                case "NodeClaim":
                    ending.update(_ending(written.raw))
                case _:
                    pass
        except PodError as wrong:
            raise TextError(f"{written.position(())}: {written.kind}/{written.name}: {wrong}") from None
    for name in ending & nodes.keys():
        nodes[name] = replace(nodes[name], leaving="Karpenter drains it")
    return Fleet(nodes=tuple(nodes.values()), pods=tuple(pods), budgets=tuple(budgets))


def _node(raw: Raw) -> FleetNode:
    metadata, spec = mapping(raw, "metadata"), mapping(raw, "spec")
    info = mapping(mapping(raw, "status"), "nodeInfo")
    labels = _labels(metadata)
    image = labels.get(_IMAGE, text(info.get("osImage"), "osImage"))
    taints = [text(taint.get("key"), "key") for taint in entries(spec, "taints")]
    emptied = next((LEAVING[key] for key in taints if key in LEAVING), "")
    deleted = "being deleted" if metadata.get("deletionTimestamp") is not None else ""
    return FleetNode(
        name=text(metadata.get("name"), "name"),
        labels=labels,
        version=kubelet_version(raw),
        image=image,
        leaving=emptied or deleted or ("cordoned" if spec.get("unschedulable") is True else ""),
        is_quarantined=QUARANTINE in labels.items(),
    )


def states_of(clusters: Iterable[Export | EksExport]) -> Iterator[str]:
    """The states of clusters, as AKS and EKS show them: `Stopped` and health issues among them."""
    for one in (cluster.written for cluster in clusters):
        issues = (f"unhealthy ({issue.get('code')})" for issue in entries(mapping(one, "health"), "issues"))
        shown = (one.get("provisioningState"), one.get("status"), mapping(one, "powerState").get("code"), *issues)
        yield from (text(state, "state") for state in shown)


def kubelet_version(node: Raw) -> str:
    """The Kubernetes version of the kubelet of a node; empty if it is not known."""
    match = _VERSION.fullmatch(text(mapping(mapping(node, "status"), "nodeInfo").get("kubeletVersion"), "kubeletVersion"))
    return match[1] if match is not None else ""


def _labels(metadata: Raw) -> dict[str, str]:
    return {key: text(value, key) for key, value in mapping(metadata, "labels").items()}


def _pod(raw: Raw) -> Iterator[FleetPod]:
    """A pod that a drain evicts."""
    metadata, spec, status = mapping(raw, "metadata"), mapping(raw, "spec"), mapping(raw, "status")
    owners = [owner.get("kind") for owner in entries(metadata, "ownerReferences")]
    annotations = mapping(metadata, "annotations")
    ends = status.get("phase") in _FINISHED or metadata.get("deletionTimestamp") is not None
    if ends or not spec.get("nodeName") or {"DaemonSet", "Node"} & set(map(str, owners)) or _MIRROR in annotations:
        return
    conditions = {condition.get("type"): condition.get("status") for condition in entries(status, "conditions")}
    namespace = text(metadata.get("namespace"), "namespace")
    yield FleetPod(
        name=text(metadata.get("name"), "name"),
        namespace=namespace if namespace else "default",
        node=text(spec.get("nodeName"), "nodeName"),
        labels=_labels(metadata),
        is_ready=conditions.get("Ready") == "True",
        is_pending=status.get("phase") == "Pending",
        do_not_disrupt=annotations.get(DO_NOT_DISRUPT) == "true",
    )


def _budget(raw: Raw) -> BudgetNow:
    status = mapping(raw, "status")
    if "disruptionsAllowed" not in status:
        raise PodError("it has no `status.disruptionsAllowed`: export it from the cluster, with `kubectl get poddisruptionbudgets -A -o yaml`")
    counts = {name: number(status.get(name, 0), name) for name in ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")}
    return BudgetNow(
        budget=read_disruption_budget(raw),
        allowed=counts["disruptionsAllowed"],
        healthy=counts["currentHealthy"],
        desired=counts["desiredHealthy"],
        expected=counts["expectedPods"],
    )


def _ending(raw: Raw) -> Iterator[str]:
    """The node of a NodeClaim that is being deleted."""
    if mapping(raw, "metadata").get("deletionTimestamp") is not None:
        yield text(mapping(raw, "status").get("nodeName"), "nodeName")


def not_ready(node: Raw) -> Iterator[str]:
    """Why a node takes no pods at the moment of the export."""
    for taint in map(as_mapping, as_list(part(node, "spec").get("taints"))):
        if str(taint.get("key")).startswith(NOT_READY) and taint.get("effect") != "PreferNoSchedule":
            yield f"the node is not ready in the export: it has taint `{taint.get('key')}:{taint.get('effect')}`"
    ready = [one.get("status") for one in map(as_mapping, as_list(part(node, "status").get("conditions"))) if one.get("type") == "Ready"]
    if ready and ready != ["True"]:
        yield f"the node is not ready in the export: its condition `Ready` is `{ready[0]}`"
    if part(node, "metadata").get("deletionTimestamp") is not None:
        yield "the node is being deleted in the export"
