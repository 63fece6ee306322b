"""Policies about the nodes of pools: their machine types, their number, spot capacity, and how soon Karpenter consolidates them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Annotated, Final, cast

from google.protobuf.struct_pb2 import Struct
from pydantic import Field

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.kubernetes.duration import NEVER, Duration, seconds
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import as_code
from nodepools.pack.input_values import InputValue, admitted, agent_pools, inputs, kind_of, mapping_at, node_pools, requirements
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck, Stack
from nodepools.placement.explain import explain
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.reader import KINDS, read_workloads
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError
from nodepools.resources.resource import UNKNOWN, Resource, opened
from nodepools.resources.violation_text import ViolationText
from nodepools.rules.engine.finding import DeclarationError


class ConsolidateAfter(PolicyFunction):
    """Karpenter waits before it consolidates nodes, so that a rollout does not move its pods twice."""

    after: Duration | None = None
    """The shortest time, such as `30s` or `5m`; not set: any time is valid."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool that waits for a shorter time."""
        for pool in node_pools(requested.resource):
            after = pool.at("spec", "disruption", "consolidateAfter")
            if self.after is not None and _is_shorter(after, self.after):
                given = "is not set (default: `0s`)" if after.missing else "is too short"
                message = f"`consolidateAfter` {given}: the organization requires at least `{self.after}`"
                yield ViolationText(after.path, after.value, message, f"Set `consolidateAfter` to `{self.after}` or more")

    def remedy(self, resource: Resource, properties: Struct) -> bool:
        """Sets the shortest time that is valid."""
        after = inputs(resource).at("spec", "disruption", "consolidateAfter")
        if self.after is None or not any(node_pools(resource)) or not _is_shorter(after, self.after):
            return False
        disruption = mapping_at(properties, "spec", "disruption")
        if disruption is None:
            return False
        disruption.fields["consolidateAfter"].string_value = self.after
        return True


def _is_shorter(after: InputValue, requested: str) -> bool:
    if not after.known or after.text == NEVER:
        return False
    try:
        return seconds(after.text if after.text is not None else "0s") < seconds(requested)
    except ValueError:
        return False


class NodePoolLimits(PolicyFunction):
    """Every NodePool has limits: without them a mistake in a workload launches nodes until the quota of the account is used up."""

    resources: Sequence[str] = ("cpu",)
    """What must be limited: `cpu`, `memory`, `nodes`, `nvidia.com/gpu`."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool without them, unless it has a fixed size."""
        for pool in node_pools(requested.resource):
            limits, replicas = pool.at("spec", "limits"), pool.at("spec", "replicas")
            missing = [name for name in self.resources if limits.at(name).missing]
            if missing and replicas.missing:
                names = ", ".join(f"`{name}`" for name in missing)
                yield ViolationText(limits.path, limits.value, f"The NodePool has no limit for {names}", f"Add {names} to `spec.limits`")


class MaximumVcpus(PolicyFunction):
    """No pool can grow beyond a number of vCPUs."""

    vcpus: Annotated[int, Field(ge=0)] | None = None
    """The maximum for one pool; not set: no maximum."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool with higher limits or without limits, or an agent pool with a larger maximum size."""
        if self.vcpus is None:
            return
        for pool in node_pools(requested.resource):
            yield from self._of_node_pool(pool, self.vcpus)
        for pool in agent_pools(requested.resource):
            yield from self._of_agent_pool(pool, self.vcpus)

    def _of_node_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        cpu = pool.at("spec", "limits", "cpu")
        if cpu.missing and pool.at("spec", "replicas").missing:
            yield ViolationText(cpu.path, None, "The NodePool has no limit for `cpu`", f"Set `spec.limits.cpu` to {most} or less")
        written = cpu.text if cpu.text is not None else str(cpu.number)
        if cpu.known and not cpu.missing and (cores := _cores(written)) is not None and cores > most:
            yield ViolationText(
                cpu.path, cpu.value, f"`spec.limits.cpu` ({written}) is more than {most} vCPUs", f"Set `spec.limits.cpu` to {most} or less"
            )

    def _of_agent_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        name = "maxCount" if pool.at("enableAutoScaling").plain is True else "count"
        nodes = pool.at(name)
        size = azure_vm_sizes().get(pool.at("vmSize").text or "")
        if nodes.number is None or size is None or size.cpu is None or nodes.number * size.cpu <= most:
            return
        message = f"{nodes.number} nodes of `{size.name}` have {nodes.number * size.cpu} vCPUs: the organization allows {most} in one pool"
        yield ViolationText(nodes.path, nodes.value, message, f"Set `{name}` to {most // size.cpu} or less")


def _cores(written: str) -> Decimal | None:
    try:
        return amount(written)
    except ValueError:
        return None


_TYPES: Final = ("node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name")
_FAMILIES: Final = ("eks.amazonaws.com/instance-family", "eks.amazonaws.com/instance-category", "karpenter.azure.com/sku-family")

_CATEGORY: Final = re.compile(r"[a-z]+(?=[0-9-])")


class AllowedVmSizes(PolicyFunction):
    """Nodes have sizes that the organization allows: VM sizes of Azure, instance types of EC2."""

    sizes: Sequence[str] = ()
    """Names or patterns, such as `Standard_D*ds_v5` or `m7g.*`; empty: all sizes that are not denied."""
    deny: Sequence[str] = ()
    """Names or patterns that are denied, also where `sizes` allows them."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A size that is denied, or that no pattern admits."""
        for size in _sizes(requested) if self.sizes or self.deny else ():
            denied = next((pattern for pattern in self.deny if _matches(size.text, pattern)), None)
            if denied is not None:
                yield ViolationText(size.path, size.value, f"The organization denies `{size.text}` (`{denied}`)", "Use another size")
            elif size.text is not None and self.sizes and not any(_matches(size.text, pattern) for pattern in self.sizes):
                yield ViolationText(size.path, size.value, f"The organization does not allow `{size.text}`", f"Use one of {as_code(self.sizes)}")


class AllowedInstanceFamilies(PolicyFunction):
    """NodePools and node groups are limited to the instance families that the organization allows."""

    families: Sequence[str] = ()
    """Of EC2 `m` or `m7g`; of Azure `D`. Empty: all families."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A family that is not among them, or a NodePool without a limit."""
        if not self.families:
            return
        for pool in node_pools(requested.resource):
            yield from self._of_node_pool(pool)
        if kind_of(requested.resource) == "NodeGroup":
            for item in inputs(requested.resource).at("instanceTypes").items():
                if item.text is not None and not self._allows(item.text.partition(".")[0]):
                    yield self._refused(item)

    def _of_node_pool(self, pool: InputValue) -> Iterator[ViolationText]:
        pins = [values for requirement in requirements(pool, *_FAMILIES) if (values := admitted(requirement)) is not None]
        if any(all(self._allows(str(value.text)) for value in values) for values in pins):
            return  # requirements hold together: one that keeps to the families is enough
        yield from (self._refused(value) for values in pins for value in values if not self._allows(str(value.text)))
        requested = pool.at("spec", "template", "spec", "requirements")
        if not pins and not any(requirements(pool, *_TYPES)) and _all_known(requested):
            fix = f"Add a requirement on `{_FAMILIES[0]}`, `{_FAMILIES[1]}` or `{_FAMILIES[2]}` with values among {as_code(self.families)}"
            yield ViolationText(requested.path, None, "The requirements do not limit the instance family", fix)

    def _allows(self, family: str) -> bool:
        """`m` allows `m` and `m7g`; `m7g` allows `m7g` alone."""
        category = _CATEGORY.match(family)
        return family in self.families or (category is not None and category[0] in self.families)

    def _refused(self, family: InputValue) -> ViolationText:
        message = "The organization does not allow this instance family"
        return ViolationText(family.path, family.value, message, f"Use one of {as_code(self.families)}")


def _matches(size: str | None, pattern: str) -> bool:
    return size is not None and fnmatchcase(size.lower(), pattern.lower())


def _sizes(requested: ResourceUnderCheck) -> Iterator[InputValue]:
    for pool in agent_pools(requested.resource):
        yield pool.at("vmSize")
        yield from (profile.at("size") for profile in pool.at("virtualMachinesProfile", "scale", "manual").items())
    for pool in node_pools(requested.resource):
        for requirement in requirements(pool, *_TYPES):
            if requirement.at("operator").text == "In":
                yield from requirement.at("values").items()
    if kind_of(requested.resource) == "NodeGroup":
        yield from inputs(requested.resource).at("instanceTypes").items()


def _all_known(listed: InputValue) -> bool:
    return listed.known and all(item.at("key").known and item.at("operator").known and item.at("values").known for item in listed.items())


_CAPACITY: Final = "karpenter.sh/capacity-type"
_FIX: Final = "Add a pool of on-demand capacity that accepts these pods"
_CLOUDS_OWN: Final = ("kubernetes.io", "k8s.io", "azure.com", "amazonaws.com", "agentpool")
"""Labels of these names come from the cloud: that they are not declared says nothing."""


class NoSpotOnlyProduction(PolicyFunction):
    """Workloads in production namespaces fit a pool that is not spot."""

    namespaces: Sequence[str] = ()

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
            possible = frozenset[str]().union(*(answer.possible for answer in explain([workload], [known])))
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
