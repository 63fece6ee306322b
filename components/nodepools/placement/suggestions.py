"""The smallest change that would make a pod fit."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.pod import Expression
from nodepools.model.kubernetes.taint import Taint
from nodepools.placement.verdict import Kind, Reason

_NEVER_MISSPELT = ("arch", "zone", "zone-id", "instance-type", "instance-family", "instance-cpu", "instance-generation")
"""Labels whose values are alike and still mean other things."""
_MACHINES = ("kubernetes.io/arch", "kubernetes.io/os", "beta.kubernetes.io/arch", "beta.kubernetes.io/os")
"""Labels that images are built for."""
POOL_NAME_LABELS = ("agentpool", "kubernetes.azure.com/agentpool")
"""Labels of AKS that hold the name of an agent pool, which turns with each rotation."""


def for_taint(taint: Taint) -> str:
    """`add toleration sku=gpu:NoSchedule`."""
    return f"add toleration {taint}"


def for_label(wanted: Expression, variants: Iterable[Mapping[str, str]]) -> Reason:
    """Why nodes with these labels do not do, and what may have been suggest_value."""
    variants = list(variants)
    values = sorted({labels[wanted.key] for labels in variants if wanted.key in labels})
    if wanted.malformed:
        return Reason(Kind.LABEL, f"{wanted} matches no node: Kubernetes cannot read it", f"correct {wanted}")
    if values:
        return Reason(Kind.LABEL, f"{wanted}: its nodes have {wanted.key}={' or '.join(values)}", suggest_value(wanted, values))
    if wanted.key in POOL_NAME_LABELS:
        return Reason(Kind.LABEL, f"{wanted}: its nodes have no label {wanted.key}", f"select {POOL_LABEL} instead")
    keys = sorted({key for labels in variants for key in labels})
    return Reason(Kind.LABEL, f"{wanted}: its nodes have no label {wanted.key}", suggest_key(wanted, keys))


def suggest_value(wanted: Expression, values: Iterable[str]) -> str:
    """What to write in place of a value that the pool has not: the likely one, or what there is."""
    values = list(values)
    asked = ", ".join(wanted.values)
    if wanted.key in POOL_NAME_LABELS:
        return f"select {POOL_LABEL} instead: {wanted.key} changes whenever the pool is made anew"
    if wanted.operator != "In":
        return f"remove {wanted}"
    typed = wanted.key.rpartition("/")[2] in _NEVER_MISSPELT
    near = [] if typed else [match for value in wanted.values for match in get_close_matches(value, values, n=1, cutoff=0.6)]
    if near:
        return f"selector {wanted.key}={asked}: did you mean {near[0]}"
    runs = ", if its image runs there" if wanted.key in _MACHINES else ""
    if len(values) == 1:
        return f"selector {wanted.key}={values[0]}{runs}"
    return f"selector {wanted.key} with one of {', '.join(values[:_SHOWN])}{runs}"


def suggest_key(wanted: Expression, keys: Iterable[str]) -> str:
    """What to write in place of a label that the pool has not."""
    near = get_close_matches(wanted.key, list(keys), n=1, cutoff=0.7)
    return f"selector {wanted}: did you mean {near[0]}" if near else f"remove {wanted}"


_SHOWN = 8
