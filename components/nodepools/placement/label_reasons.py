"""Reasons about the labels of a NodePool, in Karpenter's terms."""

from nodepools.model.kubernetes.label import POOL_LABEL, Values, current_label
from nodepools.model.kubernetes.pod import Expression
from nodepools.placement.cloud_labels import CAPACITY, POOL
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.suggestions import POOL_NAME_LABELS, label, suggest_key, suggest_value
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.pod_changes import Change, Remove, Select

INCOMPATIBLE = "incompatible requirements"
"""As Karpenter reports it."""
_SHOWN = 8


def incompatible(pool: KarpenterPool, required: Expression, offered: Values) -> Reason:
    """The NodePool has other values of the label."""
    kind = Kind.REQUIREMENT if current_label(required.key) in pool.cloud.well_known else Kind.LABEL
    values = sorted(offered.members) if not offered.complement else []
    message = f"{INCOMPATIBLE}: pod requires `{required}`, nodes have `{required.key}{spelled(offered)}`"
    return Reason(kind, message, suggest_value(required, values), subject=label(required))


def unset(pool: KarpenterPool, required: Expression) -> Reason:
    """The NodePool does not set the label."""
    if pool.cloud.may_set(required.key):
        return unknown_value(required)
    message = f"{INCOMPATIBLE}: pod requires `{required}`, nodes have no label `{required.key}`"
    if required.key in pool.cloud.foreign:
        return Reason(Kind.LABEL, message, _translated(required, pool.cloud.foreign[required.key]), subject=label(required))
    if required.key in (POOL_LABEL, *POOL_NAME_LABELS):  # pools of another cluster: these have names, too
        return Reason(Kind.LABEL, message, Select(required, POOL, (pool.name,)), subject=label(required))
    keys = sorted({*pool.offered, *pool.cloud.well_known})
    return Reason(Kind.LABEL, message, suggest_key(required, keys), subject=label(required))


def _translated(required: Expression, key: str) -> Change:
    """Selects the label that has the same meaning here. Managed node groups spell capacity types `ON_DEMAND` and `SPOT`."""
    if not key or required.operator != "In":
        return Remove(required)
    return Select(required, key, tuple(value.lower().replace("_", "-") if key == CAPACITY else value for value in required.values))


def unknown_value(required: Expression, kind: Kind = Kind.LABEL) -> Reason:
    """The nodes may have the label, with a value that declarations do not determine."""
    message = f"pod requires `{required}`: which value nodes have cannot be determined offline"
    return Reason(kind, message, verdict=Verdict.UNKNOWN, subject=label(required))


def no_type_with_label(pool: KarpenterPool, required: Expression) -> Reason:
    """None of the instance types that the NodePool allows has such a label."""
    key = current_label(required.key)
    values = sorted(pool.cloud.index.values(key, pool.affordable.possible), key=lambda value: (len(value), value))
    shown = ", ".join(f"`{value}`" for value in values[:_SHOWN])
    allowed = f"allowed types have {shown}{', …' if len(values) > _SHOWN else ''}" if values else f"no allowed type has the label `{required.key}`"
    message = f"no instance type satisfied requirement `{required}`: {allowed}"
    return Reason(Kind.INSTANCE, message, suggest_value(required, values), subject=label(required))


def spelled(values: Values) -> str:
    """The text after a label key: `=a`, ` In [a, b]`, ` NotIn [c]`, ` >= 5`."""
    if values.absent:
        return " DoesNotExist"
    if not values.complement:
        members = sorted(values.members)
        return f"={members[0]}" if len(members) == 1 else f" In [{', '.join(members)}]"
    parts = [f"NotIn [{', '.join(sorted(values.members))}]"] if values.members else []
    parts += [f">= {values.minimum}"] if values.minimum is not None else []
    parts += [f"<= {values.maximum}"] if values.maximum is not None else []
    return f" {', '.join(parts)}" if parts else " Exists"
