"""Reasons about labels of a NodePool, in its own words."""

from nodepools.model.kubernetes.pod import Expression
from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.cloud_labels import DEPRECATED_LABELS
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.suggestions import suggest_key, suggest_value
from nodepools.placement.verdict import Kind, Reason, Verdict

_SHOWN = 8


def against(place: KarpenterPool, wanted: Expression, offer: Values) -> Reason:
    """The pool says something else of the label."""
    kind = Kind.REQUIREMENT if DEPRECATED_LABELS.get(wanted.key, wanted.key) in place.cloud.well_known else Kind.LABEL
    values = sorted(offer.members) if not offer.complement else []
    return Reason(kind, f"{wanted}: its nodes have {wanted.key}{spelled(offer)}", suggest_value(wanted, values) if values else f"remove {wanted}")


def unset(place: KarpenterPool, wanted: Expression) -> Reason:
    """The pool says nothing of the label."""
    if place.cloud.may_set(wanted.key):
        return Reason(Kind.LABEL, f"{wanted}: what its nodes have there is not known offline", says=Verdict.UNKNOWN)
    keys = sorted({*place.offered, *place.cloud.well_known})
    return Reason(Kind.LABEL, f"{wanted}: its nodes have no label {wanted.key}", suggest_key(wanted, keys))


def from_types(place: KarpenterPool, wanted: Expression) -> Reason:
    """None of the types that the pool admits has such a label."""
    values = sorted(
        place.cloud.index.values(DEPRECATED_LABELS.get(wanted.key, wanted.key), place.affordable.possibly), key=lambda value: (len(value), value)
    )
    if not values:
        return Reason(Kind.INSTANCE, f"{wanted}: no instance type that it admits has {wanted.key}", f"remove {wanted}")
    shown = f"{', '.join(values[:_SHOWN])}{', …' if len(values) > _SHOWN else ''}"
    return Reason(Kind.INSTANCE, f"{wanted}: its instance types have {shown}", suggest_value(wanted, values))


def spelled(values: Values) -> str:
    """What follows the label: `=a`, ` In [a, b]`, ` NotIn [c]`, ` 5 or more`."""
    if values.absent:
        return " not at all"
    if not values.complement:
        members = sorted(values.members)
        return f"={members[0]}" if len(members) == 1 else f" In [{', '.join(members)}]"
    parts = [f"NotIn [{', '.join(sorted(values.members))}]"] if values.members else []
    parts += [f"{values.at_least} or more"] if values.at_least is not None else []
    parts += [f"{values.at_most} or less"] if values.at_most is not None else []
    return f" {', '.join(parts)}" if parts else " of any value"
