"""Spot nodes can be evicted at any time: production workloads need another pool too."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.taint import Taint
from nodepools.pack.input_values import InputValue, admitted, agent_pools, inputs, kind_of, node_pools, requirements
from nodepools.pack.policy import PolicyFunction, Stack
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.explain import Answer, explain
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import KINDS, read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import TextError
from nodepools.resources.resource import UNKNOWN, Resource, opened
from nodepools.resources.violation_text import ViolationText
from nodepools.rules.engine.finding import DeclarationError

_CAPACITY: Final = "karpenter.sh/capacity-type"
_FIX: Final = "Add a pool of on-demand capacity that accepts these pods"
_CLOUDS_OWN: Final = ("kubernetes.io", "k8s.io", "azure.com", "amazonaws.com", "agentpool")
"""Labels of these names come from the cloud: that they are not declared says nothing."""


class NoSpotOnlyProduction(PolicyFunction):
    """Workloads in production namespaces fit a pool that is not spot."""

    namespaces: Sequence[str] = ()
    """The production namespaces."""

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """A workload of such a namespace that fits only spot pools among the pools of the stack."""
        workloads = {
            resource.urn: read for resource in stack.resources if (read := _workload(resource)) is not None and read.namespace in self.namespaces
        }
        pools = _pools(stack) if workloads else None
        if pools is None:
            return
        known, spot = pools
        for urn, workload in workloads.items():
            possible = _possible(explain([workload], [known]))
            if possible and possible <= spot:
                yield urn, ViolationText("metadata.namespace", workload.namespace, _message(possible), _FIX)


def _workload(resource: Resource) -> Workload | None:
    """The pods that a resource makes, of which alone matters where they may go; `None` where it makes none, or that is not known."""
    package, _, kind = resource.type.rpartition(":")
    if not package.startswith("kubernetes:") or kind not in KINDS or kind == "DaemonSet":
        return None
    given = inputs(opened(resource))
    spec = given.at("spec", "jobTemplate", "spec") if kind == "CronJob" else given.at("spec")
    pod = spec if kind == "Pod" else spec.at("template", "spec")
    namespace = given.at("metadata", "namespace")
    ways = {name: way for name in ("nodeSelector", "affinity", "tolerations") if (way := pod.at(name).value) is not None}
    if not namespace.known or any(_holds_unknown(way) for way in ways.values()):
        return None
    metadata: dict[str, object] = {"name": resource.name, "namespace": namespace.text if namespace.text is not None else "default"}
    try:
        return next(read_workloads({"kind": "Pod", "metadata": metadata, "spec": {**ways, "containers": [{"name": "it"}]}}), None)
    except PodError:
        return None


def _pools(stack: Stack) -> tuple[ClusterPools, frozenset[str]] | None:
    """The pools of a stack, and which of them are spot alone; `None` where one is not known."""
    static = [node_pool for resource in stack.resources for node_pool in _static(resource)]
    objects = {resource.name: pool for resource in stack.resources for pool in node_pools(opened(resource))}
    known = [nodes for nodes, _ in static if nodes is not None]
    written = [_named(pool.value, name) for name, pool in objects.items()]
    if len(known) < len(static) or any(map(_holds_unknown, written)):
        return None
    try:
        provisioned = read_existing_pools([(json.dumps({"kind": "List", "items": written}), "NodePools")]).provisioned if written else ()
    except TextError:
        return None
    spot = {nodes.address for nodes, is_spot in static if nodes is not None and is_spot} | {name for name, pool in objects.items() if _is_spot(pool)}
    return ClusterPools(None, tuple(known), provisioned), frozenset(spot)


def _static(resource: Resource) -> Iterator[tuple[StaticPool | None, bool]]:
    """The agent pools and the node group in a resource, `None` where one is not known; and whether it is spot."""
    for pool in agent_pools(resource):
        yield _agent_nodes(f"{resource.name} {pool.path}".strip(), pool), pool.at("scaleSetPriority").text == "Spot"
    if kind_of(resource) == "NodeGroup":
        group = inputs(resource)
        labels = _texts(group.at("labels"))
        nodes = StaticPool(resource.name, (labels,), may_set=_from_the_cloud) if labels is not None else None
        yield nodes, group.at("capacityType").text == "SPOT"


def _is_spot(node_pool: InputValue) -> bool:
    values = [values for requirement in requirements(node_pool, _CAPACITY) if (values := admitted(requirement)) is not None]
    return any({value.text for value in of_one} == {"spot"} for of_one in values)


def _agent_nodes(address: str, pool: InputValue) -> StaticPool | None:
    labels, taints = _texts(pool.at("nodeLabels")), pool.at("nodeTaints")
    if labels is None or not taints.known or any(taint.text is None for taint in taints.items()):
        return None
    try:
        read = tuple(Taint.parse(str(taint.text)) for taint in taints.items())
    except DeclarationError:
        return None
    return StaticPool(address, (labels,), read, may_set=_from_the_cloud)


def _texts(place: InputValue) -> dict[str, str] | None:
    """A mapping of strings; `None` where one is not known."""
    values = {key: value.text for key, value in place.entries().items()}
    texts = {key: text for key, text in values.items() if text is not None}
    return texts if place.known and len(texts) == len(values) else None


def _from_the_cloud(label: str) -> bool:
    return any(own in label for own in _CLOUDS_OWN)


def _possible(answers: Sequence[Answer]) -> frozenset[str]:
    return frozenset(evaluated.pool for answer in answers for evaluated in answer.pools if evaluated.verdict is not Verdict.CANNOT)


def _message(possible: frozenset[str]) -> str:
    pools = ", ".join(f"`{pool}`" for pool in sorted(possible))
    return f"The namespace is production, and these pods fit only spot pools: {pools}"


def _named(node_pool: object, name: str) -> dict[str, object]:
    """A NodePool under the name of its resource, by which people find it."""
    written = dict(cast("Mapping[str, object]", node_pool))
    return {**written, "kind": "NodePool", "metadata": {"name": name}}


def _holds_unknown(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_unknown(part) for part in cast("Mapping[str, object]", value).values())
    return any(_holds_unknown(part) for part in cast("Sequence[object]", value)) if isinstance(value, list | tuple) else value is UNKNOWN
