"""Converts NodePools of other Karpenters."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from nodepools.conversion.labels import Labels, convert_requirements
from nodepools.conversion.raw_parts import V1BETA1, Object, as_list, as_mapping, as_new_object, convert_to_v1, part, removed_if_empty, text
from nodepools.conversion.unconverted import NODE_CLASSES, Log, Target
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.listing import with_article
from nodepools.wire.karpenter import EC2_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL

_NODES: Final = ("spec", "template", "spec")
CLASS: Final = "nodeClassRef"
_CREATED: Final = "default"
"""The node class that each target creates in a cluster."""
_HOUR: Final = 3600
_UNHEALTHY: Final = "Unhealthy"
_NO_REASON: Final = "Only self-managed Karpenter has this reason, since 1.15"
_LIFE: Final = 504
"""Hours that a node of Auto Mode lives at most, with its grace period."""
_GRACE: Final = "24h"
_LIMIT: Final = "Auto Mode replaces nodes after 21 days at most, including terminationGracePeriod (24h by default), even if budgets or PDBs block it"
_GRACE_OF_AUTO: Final = "Auto Mode ends a drain after 24h by default: pods are then deleted in spite of PDBs and `karpenter.sh/do-not-disrupt`"
_NO_GRACE: Final = "Auto Mode ends a drain after 24h by default, and node auto provisioning never does: a PDB can block it permanently"
_STARTUP: Final[Mapping[str, Mapping[Target, str]]] = {
    "ebs.csi.aws.com/agent-not-ready": dict.fromkeys(
        Target, "only the EBS CSI add-on removes it, which does not run on these nodes: no pod would start"
    ),
    "node.cilium.io/agent-not-ready": {Target.AUTO_MODE: "only Cilium removes it, which does not run on nodes of Auto Mode: no pod would start"},
}
"""Startup taints that nothing removes on nodes of a target (EKS user guide, create-storage-class and auto-networking, read 2026-11-23)."""


def is_node_pool(raw: Mapping[str, object]) -> bool:
    """It is a NodePool in a version that is converted."""
    return raw.get("kind") == NODE_POOL.kind and raw.get("apiVersion") in (NODE_POOL.api_version, V1BETA1)


def class_group(raw: Mapping[str, object]) -> str | None:
    """The group of the node class of a NodePool; `None` if it names none."""
    reference = part(convert_to_v1(raw) if raw.get("apiVersion") == V1BETA1 else raw, *_NODES, CLASS)
    return text(reference.get("group")).partition("/")[0] or None


def convert_node_pool(raw: Mapping[str, object], labels: Labels, log: Log) -> Object:
    """Returns the NodePool for the target; the same values if it is one already."""
    target, group = labels.wanted.target, class_group(raw)
    if group is None and (name := text(part(raw, *_NODES, CLASS).get("name"))):
        why = f"not converted: the node class `{name}` is not among these files, and the reference does not say its kind"
        log.missing((*_NODES, CLASS, "kind"), why, "Convert the node class together with the NodePool, or add its `group` and `kind`")
        return dict(raw)
    is_old, to_auto_mode = raw.get("apiVersion") == V1BETA1, target is Target.AUTO_MODE
    made = convert_to_v1(raw, log, to_auto_mode=to_auto_mode) if is_old else deepcopy(dict(raw))
    if group == target.node_class.group:
        return made
    if group is not None:
        as_new_object(made, labels.pools)
        _reference(made, group, labels, log)
    nodes, spec = part(made, *_NODES), part(made, "spec")
    if isinstance(spec.get("disruption"), dict):
        part(spec, "disruption").setdefault("consolidateAfter", "0s")  # the default since Karpenter 1.15; older versions require it
        _budgets(part(spec, "disruption"), log)
    convert_requirements(as_list(nodes.get("requirements")), (*_NODES, "requirements"), labels, log)
    _startup_taints(nodes, target, log)
    if to_auto_mode and group is not None:
        _life(nodes, log)
    elif group == EKS_NODE_CLASS.group:
        if "terminationGracePeriod" not in nodes:
            log.changed((*_NODES, "terminationGracePeriod"), None, _NO_GRACE, f"Set `terminationGracePeriod`: `{_GRACE}` is what Auto Mode has")
        if "expireAfter" not in nodes:
            why = f"the default of Auto Mode is 336h, and of node auto provisioning {target.node_class.expire_after}"
            log.changed((*_NODES, "expireAfter"), None, why)
    return made


def _reference(made: Object, group: str, labels: Labels, log: Log) -> None:
    reference, kind = part(made, *_NODES, CLASS), labels.wanted.target.node_class
    name = text(reference.get("name"))
    if name and name not in labels.classes:
        old = f"{text(reference.get('kind'))} `{name}`"
        at, why, new_name = (*_NODES, CLASS, "name"), f"{old} is not among these files", f"{name}{labels.wanted.suffix}"
        if new_name == _CREATED:
            log.changed(at, name, why, f"Convert it together with the NodePool, or write {with_article(kind.kind)}")
        else:
            log.missing(at, why, f"Convert {old} together with the NodePool, or write the {kind.kind} `{new_name}`")
    new = {**reference, "group": kind.group, "kind": kind.kind}
    if name:
        new["name"] = labels.classes.get(name, f"{name}{labels.wanted.suffix}")
    reference.clear()
    reference.update(new)
    if group not in NODE_CLASSES:
        log.changed((*_NODES, "nodeClassRef", "group"), group, "node classes of this provider are not converted", f"Write {with_article(kind.kind)}")


def _startup_taints(nodes: Object, target: Target, log: Log) -> None:
    taints = as_list(nodes.get("startupTaints"))
    for index, taint in reversed(list(enumerate(taints))):
        reason = _STARTUP.get(text(as_mapping(taint).get("key")), {}).get(target)
        if reason is not None:
            log.removed((*_NODES, "startupTaints", index), taint, reason)
            del taints[index]
    removed_if_empty(nodes, "startupTaints")


def _budgets(disruption: Object, log: Log) -> None:
    """Without reasons that no target has. A budget that has no other would then limit all of them, so it goes."""
    budgets = as_list(disruption.get("budgets"))
    for index, budget in reversed(list(enumerate(budgets))):
        reasons = as_list(as_mapping(budget).get("reasons"))
        at = ("spec", "disruption", "budgets", index)
        if reasons == [_UNHEALTHY]:
            log.removed(at, budget, _NO_REASON)
            del budgets[index]
        elif _UNHEALTHY in reasons:
            log.removed((*at, "reasons", reasons.index(_UNHEALTHY)), _UNHEALTHY, _NO_REASON)
            reasons.remove(_UNHEALTHY)


def _life(nodes: Object, log: Log) -> None:
    """Keeps the life of nodes within the limit of Auto Mode."""
    age, grace = nodes.get("expireAfter"), nodes.get("terminationGracePeriod")
    hours = _hours(grace if grace is not None else _GRACE)
    if hours is None:
        return  # it is not a duration, which `check` reports
    if grace is None:
        log.changed(
            (*_NODES, "terminationGracePeriod"), None, _GRACE_OF_AUTO, f"Set `terminationGracePeriod`, with `expireAfter` at most {_LIFE}h together"
        )
    elif hours >= _LIFE:
        nodes["terminationGracePeriod"], hours = _GRACE, _hours(_GRACE) or 0
        log.changed((*_NODES, "terminationGracePeriod"), grace, _LIMIT, f"Keep drains shorter: it is now {_GRACE}")
    most = int(_LIFE - hours)
    if age is None:
        default = EKS_NODE_CLASS.expire_after
        log.changed(
            (*_NODES, "expireAfter"), None, f"the default of Auto Mode is {default}, and of self-managed Karpenter {EC2_NODE_CLASS.expire_after}"
        )
        if most < int(default.removesuffix("h")):
            nodes["expireAfter"] = f"{most}h"
        return
    wanted = None if age == "Never" else _hours(age)
    if age == "Never" or (wanted is not None and wanted > most):
        nodes["expireAfter"] = f"{most}h"
        log.changed((*_NODES, "expireAfter"), age, _LIMIT, f"Plan for nodes that are replaced at least that often: it is now {most}h")


def _hours(duration: object) -> float | None:
    """The hours of a duration; `None` for anything else."""
    try:
        return seconds(duration) / _HOUR if isinstance(duration, str) else None
    except ValueError:
        return None
