"""Every Karpenter NodePool: names, size, budgets, taints and labels."""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import headroom_nodes
from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.aks.cluster import AksNodePool, NodeProvisioning
from nodepools.model.derive import derive
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.eks.node_class import AutoMode, EksNodePool
from nodepools.model.karpenter import NODE_RESOURCES, NodePool, Requirement
from nodepools.model.kubernetes.cron import is_admitted, unreadable
from nodepools.model.kubernetes.label import Taint, is_key, is_object_name, is_value
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import nearest
from nodepools.model.maintenance import REASONS, Budget, Disruption
from nodepools.model.steps import Steps
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, certain, literal, ref, remove, rename, set_to
from nodepools.rules.engine.registry import DECLARED_FIELDS, HEADROOMS, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import aks_pool, auto_mode, eks_pool, provisioning
from nodepools.rules.platform.labels import (
    A_KEY,
    A_VALUE,
    has_accelerators,
    in_domain,
    invalid_labels,
    invalid_taint,
    named_labels,
    renamed_label,
    without_label,
)

_CRD = "NodePool CRD (karpenter.sh/v1)"
_VALIDATION = "https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/apis/v1/nodepool_validation.go"
_DISRUPTION = "https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets"
_NAME_LENGTH = 63
_CAPACITY = "karpenter.sh/capacity-type"
_DEVICES = (
    *("nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "aws.amazon.com/neurondevice", "habana.ai/gaudi"),
    *("vpc.amazonaws.com/efa", "vpc.amazonaws.com/pod-eni", "vpc.amazonaws.com/PrivateIPv4Address"),
)
_RESOURCES = (*NODE_RESOURCES, *_DEVICES)
_MOST_COUNTED = 1_000_000
"""No pool has so many CPUs, nodes or devices."""


@error("KAR001", "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names; 63, since it is the value of a label")
@sample("auto_mode.node_pools.Web", lambda: auto_mode({"Web": eks_pool()}))
def invalid_object_name(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Objects in a cluster have names of lowercase letters, digits, hyphens and dots; these are label values too, so at most 63 characters."""
    for field, names in (("node_pools", parent.node_pools), ("node_classes", parent.node_classes)):
        for name in names:
            if message := _unfit(name):
                yield finding(parent, message, path=(field, name), value=name, fix=_renamed(parent, field, name))
    for at, name in enumerate(() if isinstance(parent, SelfManagedKarpenter) else parent.existing_node_classes):
        if unfit := _unfit(name):
            message, fix = f"{unfit}{': no cluster has this class' * (not is_object_name(name))}", "Write the name that the class has"
            yield finding(parent, message, path=("existing_node_classes", at), value=name, fix=fix)


@note("KAR002", "Karpenter, nodeclaimtemplate.go: claims are called by their pool and a random word")
@sample('auto_mode.node_pools["web.eu"]', lambda: auto_mode({"web.eu": eks_pool()}))
def dot_in_node_pool_name(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """NodeClaims are named after their NodePool, with its dots."""
    for name in parent.node_pools:
        if "." in name:
            message = f"Tools that expect names without dots can reject the NodeClaims of `{name}`, whose names contain this name"
            yield finding(parent, message, path=("node_pools", name), value=name)


@error("KAR010", f"{_CRD}: 'weight' is not supported on static NodePools")
@sample("weight", lambda: eks_pool(replicas=3, weight=10))
def weight_of_static_pool(pool: NodePool) -> Iterator[PartFinding]:
    """A static NodePool (one with `replicas`) cannot have a weight."""
    if pool.replicas is not None and pool.weight is not None:
        message = f"The API server rejects {ref('weight')} of a static NodePool (one with {ref('replicas')})"
        fix = Fix(f"Remove {ref('weight')}, or remove {ref('replicas')} (Karpenter then launches nodes for pending pods)", (remove("weight"),))
        yield finding(pool, message, path="weight", fix=fix)


@error("KAR011", f"{_CRD}: only 'limits.nodes' is supported on static NodePools")
@sample("limits.cpu", lambda: eks_pool(replicas=3, limits={"cpu": 100}))
def limits_of_static_pool(pool: NodePool) -> Iterator[PartFinding]:
    """A static NodePool can only limit `nodes`."""
    for resource in pool.limits:
        if pool.replicas is not None and resource != "nodes":
            message = f"A static NodePool (one with {ref('replicas')}) can only limit `nodes`, not `{resource}`"
            yield finding(pool, message, path=("limits", resource), fix=remove(("limits", resource)))


@warning("KAR012", "https://karpenter.sh/docs/concepts/nodepools: static NodePools, limits.nodes bounds replicas")
@sample("limits.nodes", lambda: eks_pool(replicas=3, limits={"nodes": 2}))
def replicas_above_node_limit(pool: NodePool) -> Iterator[PartFinding]:
    """A static NodePool never has more nodes than `limits.nodes`."""
    if pool.replicas is not None and "nodes" in pool.limits and amount(str(pool.limits["nodes"])) < pool.replicas:
        at = ("limits", "nodes")
        message = f"{ref(at)} ({pool.limits['nodes']}) is less than {ref('replicas')} ({pool.replicas}): the NodePool never has that many nodes"
        fix = Fix(
            f"Set {ref(at)} to {literal(str(pool.replicas + 1))} (one more, so that nodes can be replaced)", (set_to(at, str(pool.replicas + 1)),)
        )
        yield finding(pool, message, path=at, fix=fix)


@error(
    "KAR013",
    "Karpenter adds no node beyond limits; EKS Auto Mode and node auto provisioning have no sizes below 2 vCPU, AKS none below 3.5 GiB, no one 256Mi",
)
@sample("limits.cpu", lambda: eks_pool(limits={"cpu": "1500m"}))
def limit_below_one_node(pool: NodePool) -> Iterator[PartFinding]:
    """A limit must be 0, which turns the NodePool off, or leave room for a node; the smallest has 2 vCPUs (self-managed Karpenter: 1)."""
    for resource, quantity in pool.limits.items():
        limit = amount(str(quantity))
        at = ("limits", resource)
        message = f"No node is ever launched: {ref(at)} ({quantity}) is below the smallest node"
        if resource == "cpu" and 0 < limit < pool.fewest_cpus:
            least = str(pool.fewest_cpus)
            fix = Fix(f"Set {ref(at)} to at least {literal(least)}, or to {literal('0')} to turn the NodePool off", (set_to(at, least),))
            yield finding(pool, message, path=at, fix=fix)
        elif resource == "memory" and 0 < limit < pool.least_memory:
            yield finding(pool, message, path=at, fix=_with_unit(at, str(quantity)))
        elif resource == "nodes" and 0 < limit < 1:
            yield finding(pool, message, path=at, fix=Fix(f"Set {ref(at)} to a whole number of nodes, such as {literal('1')}", (set_to(at, "1"),)))
        elif limit < 0:
            fix = Fix(f"Raise {ref(at)}, or set it to {literal('0')} to turn the NodePool off", (set_to(at, "0"),))
            yield finding(pool, message, path=at, fix=fix)


_GPU = "nvidia.com/gpu"


@warning("KAR081", "Karpenter 1.15, pkg/apis/v1/nodepool.go: ExceededBy compares each limit with what nodes have of that resource")
@sample("limits.cpus", lambda: eks_pool(limits={"cpus": 100}))
def unknown_limit(pool: NodePool) -> Iterator[PartFinding]:
    """A limit on a resource that no node has limits nothing."""
    for resource in pool.limits:
        if resource in _RESOURCES or resource.startswith("hugepages-"):
            continue
        of_gpus = "gpu" in resource.lower()
        near = nearest(resource, [known for known in _RESOURCES if known not in pool.limits and ("gpu" in known) is of_gpus])
        if of_gpus and near is None and "/" not in resource and _GPU not in pool.limits:
            near = _GPU
        if "/" not in resource or near is not None:  # other devices have resources of their own
            fix = f"Use one of {', '.join(f'`{known}`' for known in NODE_RESOURCES)}, or the resource of a device, such as `nvidia.com/gpu`"
            message = f"The limit of `{resource}` has no effect: it is not a resource of nodes"
            at = ("limits", resource)
            yield finding(pool, message, path=at, value=resource, fix=rename(at, near) if near is not None else fix)


@warning("KAR082", "Kubernetes, resource.Quantity: Gi is 1024**3 of whatever is counted")
@sample("limits.cpu", lambda: eks_pool(limits={"cpu": "100Gi"}))
def limit_in_unit_of_memory(pool: NodePool) -> Iterator[PartFinding]:
    """CPUs, nodes and devices are counted without units of memory: `100Gi` CPUs are 107,374,182,400."""
    for resource, quantity in pool.limits.items():
        if resource in _RESOURCES and resource not in ("memory", "ephemeral-storage") and amount(str(quantity)) > _MOST_COUNTED:
            at = ("limits", resource)
            number = re.sub(r"[^0-9].*", "", str(quantity))
            message = f"{ref(at)} ({quantity}) limits nothing: as a number, it is {amount(str(quantity)):,.0f}"
            fix = f"Set {ref(at)} to a number without a unit{f', such as {literal(number)}' if number and int(number) <= _MOST_COUNTED else ''}"
            yield finding(pool, message, path=at, fix=fix)


@note("KAR083", "Karpenter adds no node beyond limits: a limit of 0 turns a NodePool off")
@sample("limits.cpu", lambda: eks_pool(limits={"cpu": 0}))
def node_pool_turned_off(pool: NodePool) -> Iterator[PartFinding]:
    """A limit of 0 turns a NodePool off: it launches no node."""
    yield from _zeros(pool, alone=True)


@warning("KAR084", "Karpenter adds no node beyond any of the limits")
@sample("limits.nodes", lambda: eks_pool(limits={"cpu": 100, "nodes": 0}))
def limit_of_zero_next_to_others(pool: NodePool) -> Iterator[PartFinding]:
    """A limit of 0 turns a NodePool off, whatever its other limits allow."""
    yield from _zeros(pool, alone=False)


@warning("KAR085", "https://karpenter.sh/docs/concepts/nodepools/#speclimits (2026-11): without limits, the quota of the account is the only maximum")
@sample("node_provisioning.node_pools.gpu.limits", lambda: derive(provisioning({"gpu": _gpu_pool()}), gpu_operator=True))
def accelerated_node_pool_without_limits(pool: NodePool, _: NodeProvisioning | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Without limits, the number of nodes with accelerators has no maximum."""
    if not pool.limits and pool.replicas is None and has_accelerators(pool):
        message = f"Without {ref('limits')}, the number of nodes with accelerators, and their cost, has no maximum"
        fix = f"Set {ref('limits')} to the largest number that you need, such as {literal({'nodes': '4'})}"
        yield finding(pool, message, path="limits", value=None, fix=fix)


@error("KAR020", f"{_CRD}: 'schedule' must be set with 'duration'")
@sample("budgets[0].schedule", lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9 * * mon-fri")]))
def budget_schedule_without_duration(budget: Budget) -> Iterator[PartFinding]:
    """A disruption budget must have both a schedule and a duration, or neither."""
    if (budget.schedule is None) is not (budget.duration is None):
        field, other = ("schedule", "duration") if budget.duration is None else ("duration", "schedule")
        message = f"A disruption budget with {ref(field)} requires {ref(other)}"
        yield finding(budget, message, path=field, fix=f"Add {ref(other)}, or remove {ref(field)}")


@error("KAR021", f"{_DISRUPTION}; Go's robfig/cron, ParseStandard: a schedule that it cannot read allows no disruption at all")
@sample("budgets[0].schedule", lambda: Disruption(budgets=[Budget(nodes="0", schedule="0 9 * * sat-sun", duration="8h")]))
def invalid_budget_schedule(budget: Budget) -> Iterator[PartFinding]:
    """A schedule has five cron fields, in UTC, with days 0-6 from Sunday; the API server accepts most others, and Karpenter then disrupts nothing."""
    if budget.schedule is None:
        return
    why, admitted = unreadable(budget.schedule), is_admitted(budget.schedule)
    if why is not None or not admitted:
        near = readable(budget.schedule)
        advice = f"Use five cron fields, in UTC, with days 0-6 from Sunday, such as {literal('0 9 * * sat,sun')}"
        message = f"Karpenter disrupts nothing in this NodePool: it cannot read the schedule `{budget.schedule}` ({why})"
        if not admitted:
            form = (
                "it ends with a line break" if budget.schedule.endswith("\n") else "it must have five fields, or begin with a name such as `@daily`"
            )
            message = f"The API server rejects the schedule `{budget.schedule.strip()}`: {form}"
        yield finding(budget, message, path="schedule", fix=certain(set_to("schedule", near)) if near is not None else advice)


@warning("KAR022", f"{_DISRUPTION}: the most restrictive budget wins")
@sample("budgets[0].nodes", lambda: Disruption(budgets=[Budget(nodes="0")]))
def budget_always_zero(budget: Budget) -> Iterator[PartFinding]:
    """A budget of 0 nodes without a schedule blocks consolidation and drift permanently: the most restrictive budget wins."""
    has_every_reason = budget.reasons is None or set(REASONS) <= {*budget.reasons}
    if budget.nodes.rstrip("%").strip("0") == "" and budget.schedule is None and has_every_reason:
        message = "Nodes are not upgraded until they expire: a budget of 0 nodes without a schedule blocks every voluntary disruption"
        fix = f"Add {ref('schedule')} and {ref('duration')}, or limit the budget to some {ref('reasons')}"
        yield finding(budget, message, path="nodes", fix=fix)


@error("KAR030", f"{_VALIDATION}: duplicate taint Key/Effect pair")
@sample("startup_taints[0]", lambda: eks_pool(taints=[Taint("team", "ml")], startup_taints=[Taint("team", "web")]))
def duplicate_node_pool_taint(pool: NodePool) -> Iterator[PartFinding]:
    """Two taints in `taints` and `startup_taints` cannot have the same key and effect; otherwise the NodePool never becomes ready."""
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for field, taints in (("taints", pool.taints), ("startup_taints", pool.startup_taints)):
        for index, taint in enumerate(taints):
            if (taint.key, taint.effect) in seen:
                message = f"Two taints have the key `{taint.key}` and the effect `{taint.effect}`: the NodePool never becomes ready"
                first, other = remove((field, index)), seen[taint.key, taint.effect]
                which = f"Keep it in {ref('startup_taints')} alone if an agent on the node removes it, or in {ref('taints')} alone"
                fix = certain(first) if other == (field, taint.value) else first if other[0] == field else which
                yield finding(pool, message, path=(field, index), fix=fix)
            seen.setdefault((taint.key, taint.effect), (field, taint.value))


@error("KAR031", f"{_VALIDATION}: labels")
@sample("labels.team", lambda: eks_pool(labels={"team": "web & mobile"}))
def invalid_node_pool_label(pool: NodePool) -> Iterator[PartFinding]:
    """Label values are up to 63 letters, digits, `-`, `_` and `.`; with any other label the NodePool never becomes ready."""
    yield from invalid_labels(pool)


@error("KAR032", f"{_VALIDATION}: taints")
@sample("taints[0].key", lambda: eks_pool(taints=[Taint("team!", "ml")]))
def invalid_node_pool_taint(taint: Taint, _: NodePool) -> Iterator[PartFinding]:
    """A taint must have a valid label key, and a valid label value or none; otherwise the NodePool never becomes ready."""
    yield from invalid_taint(taint)


@error("KAR033", f"{_VALIDATION}: requirements")
@sample("requirements[2].values[0]", lambda: eks_pool(Requirement("team", "In", ["web & mobile"])))
def invalid_requirement(requirement: Requirement) -> Iterator[PartFinding]:
    """A requirement must have a valid label key and valid label values; otherwise the NodePool never becomes ready."""
    if not is_key(requirement.key):
        message = f"`{requirement.key}` is not a valid label key: the NodePool never becomes ready"
        yield finding(requirement, message, path="key", fix=A_KEY)
    for index, value in enumerate(requirement.values):
        if not is_value(value):
            message = f"`{value}` is not a valid label value: the NodePool never becomes ready"
            yield finding(requirement, message, path=("values", index), fix=A_VALUE)


@error("KAR034", "https://github.com/kubernetes-sigs/karpenter/blob/main/pkg/apis/v1/labels.go: restricted labels")
@sample('labels["karpenter.sh/nodepool"]', lambda: eks_pool(labels={"karpenter.sh/nodepool": "web"}))
def reserved_karpenter_label(pool: NodePool) -> Iterator[PartFinding]:
    """NodePools cannot set or require Karpenter's own labels, except `karpenter.sh/capacity-type`, or the host name."""
    for key, at in named_labels(pool):
        if (in_domain(key, "karpenter.sh") and key != _CAPACITY) or key == "kubernetes.io/hostname":
            message = f"A NodePool cannot set or require the label `{key}`: it is reserved"
            near = nearest(key, [_CAPACITY])
            yield finding(pool, message, path=at, value=key, fix=renamed_label(at, key, near) if near is not None else without_label(at))


def _gpu_pool() -> AksNodePool:
    return aks_pool(Requirement("karpenter.azure.com/sku-gpu-name", "In", ["T4"]), limits={}, taints=[Taint("nvidia.com/gpu")])


def _zeros(pool: NodePool, *, alone: bool) -> Iterator[PartFinding]:
    """The limits of 0; `alone`: without any other limit that allows nodes."""
    zeros = [resource for resource, limit in pool.limits.items() if resource in NODE_RESOURCES and amount(str(limit)) == 0]
    if alone is (len(zeros) == len(pool.limits)):
        for resource in zeros:
            at = ("limits", resource)
            message = f"The NodePool is off: it launches no node, because {ref(at)} is 0"
            yield finding(pool, message, path=at, fix=None if alone else Fix(f"Remove {ref(at)}, or raise it", (remove(at),)))


def _with_unit(at: Steps, memory: str) -> FixLike:
    """The memory in Gi if it has no unit: `40` is 40 bytes."""
    if memory.isascii() and memory.isdecimal():
        return Fix(f"Add a unit, such as {literal(f'{memory}Gi')}: a number without a unit is in bytes", (set_to(at, f"{memory}Gi"),))
    return f"Set {ref(at)} to the memory of at least one node, such as {literal('8Gi')}"


def _unfit(name: str) -> str:
    """Why no object of Karpenter has a name; empty if it can. The API server admits longer ones, but not as a label of nodes."""
    if not is_object_name(name):
        return f"`{name}` is not a valid name for a Kubernetes object"
    return "" if len(name) <= _NAME_LENGTH else f"`{name}` has {len(name)} characters: it is the value of a label of its nodes, which has at most 63"


def _renamed(parent: AutoMode | NodeProvisioning | SelfManagedKarpenter, field: str, name: str) -> FixLike:
    """A name like `name` that an object can have, also for the NodePools that use it."""
    near = re.sub(r"[^a-z0-9.-]+", "-", name.lower())[:_NAME_LENGTH].strip("-.")
    if _unfit(near) or near in (*parent.node_pools, *parent.node_classes):
        return f"Use at most {_NAME_LENGTH} lowercase letters, digits, hyphens and dots, with a letter or digit at both ends"
    if field == "node_pools":
        return Fix(f"Rename the NodePool to `{near}`", (rename((field, name), near),), is_certain=near == name.lower())
    uses = [key for key, pool in parent.node_pools.items() if pool.node_class == name]
    edits = (rename((field, name), near), *(set_to(("node_pools", key, "node_class"), near) for key in uses))
    return Fix(f"Rename the node class to `{near}`, also where NodePools use it", edits, is_certain=near == name.lower())


_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_WEEK: Final = len(_DAYS)


def readable(schedule: str) -> str | None:
    """The same times in a schedule that Karpenter can read: days one by one, Sunday as 0; `None` if the schedule is invalid in another way."""
    fields = schedule.lower().split()
    days = ",".join(map(_one_by_one, fields[-1].split(","))) if fields else ""
    same = " ".join([*fields[:-1], days])
    return same if unreadable(same) is None and is_admitted(same) else None


def _one_by_one(part: str) -> str:
    """`sat-sun`, which wraps around the end of the week, as `sat,sun`; 7 as 0."""
    match = re.fullmatch(r"([a-z]{3}|[0-7])-([a-z]{3}|[0-7])", part)
    first, last = (_day(match[1]), _day(match[2])) if match else (None, None)
    if first is None or last is None or first <= last:
        return "0" if part == "7" else part
    return ",".join(_DAYS[day % _WEEK] for day in range(first, last + _WEEK + 1))


def _day(text: str) -> int | None:
    if text.isdecimal():
        return int(text) % _WEEK
    return _DAYS.index(text) if text in _DAYS else None


_ROOM: Final = {"pods": 2, "requests": {"cpu": "1", "memory": "2Gi"}}
_BUFFERS: Final = "https://github.com/Azure/AKS/issues/5873 (open, planned for October 2026); manual of EKS Auto Mode, 2026-11: no CapacityBuffers"


@warning("KAR090", _BUFFERS)
@limited(HEADROOMS, DECLARED_FIELDS)
@sample("headroom.by", lambda: eks_pool(headroom={**_ROOM, "by": "capacity-buffer"}))
def buffer_on_managed_karpenter(pool: AksNodePool | EksNodePool | UserPool) -> Iterator[PartFinding]:
    """It is not established that AKS and EKS Auto Mode serve CapacityBuffers, which need Karpenter 1.14 and its feature gate."""
    if pool.headroom is not None and pool.headroom.by == "capacity-buffer":
        message = "AKS and EKS Auto Mode do not document that they serve CapacityBuffers: `pulumi up` fails if the cluster does not have their CRD"
        yield finding(pool, message, path=("headroom", "by"), fix=set_to(("headroom", "by"), "placeholder-pods"))


@warning("KAR091", "Karpenter 1.15: static NodePools ignore pending pods; AKS: the cluster autoscaler scales pools within their range only")
@limited(HEADROOMS, DECLARED_FIELDS)
@sample("headroom", lambda: eks_pool(replicas=2, headroom=_ROOM))
def headroom_without_autoscaling(pool: NodePool | UserPool) -> Iterator[PartFinding]:
    """Headroom adds no nodes to a pool of a fixed size, or one that is off."""
    if isinstance(pool, UserPool):
        is_fixed, fix = not pool.is_autoscaled or pool.power_state == "Stopped", f"Set {ref('scale')}, or remove {ref('headroom')}"
    else:
        is_fixed, fix = pool.replicas is not None or pool.is_off, f"Remove {ref('headroom')}"
    if pool.headroom is not None and is_fixed:
        yield finding(pool, f"Nothing launches nodes for {ref('headroom')}: the pool has a fixed size, or is off", path="headroom", fix=fix)


@warning("KAR092", "Karpenter adds no node beyond limits, and the cluster autoscaler none beyond the range of a pool")
@limited(HEADROOMS, DECLARED_FIELDS)
@sample("headroom", lambda: eks_pool(limits={"cpu": 2}, headroom={**_ROOM, "pods": 3}))
def headroom_beyond_the_pool(pool: NodePool | UserPool) -> Iterator[PartFinding]:
    """Headroom that is larger than what the pool can have is never complete, and leaves no room for pods."""
    room, fix = pool.headroom, f"Lower {ref('headroom')}"
    if room is None:
        return
    if isinstance(pool, NodePool):
        over = next((name for name, most in pool.limits.items() if 0 < thousandths(most, name) < room.total(name)), None)
        if over is not None:
            message = f"The headroom ({room}) needs more {over} than {ref(('limits', over))} ({pool.limits[over]}) allows: part of it gets no node"
            yield finding(pool, message, path="headroom", fix=f"{fix}, or raise {ref(('limits', over))}")
        return
    needed = headroom_nodes(pool)
    if needed == 0:
        yield finding(pool, f"A node of `{pool.vm_size}` has no room for one pod of the headroom ({room})", path="headroom", fix=fix)
    elif needed is not None and pool.scale is not None and needed > pool.scale.max:
        message = f"The headroom of {room} needs at least {needed} nodes: {ref('scale.max')} is {pool.scale.max}"
        yield finding(pool, message, path="headroom", fix=f"{fix}, or raise {ref('scale.max')}")
