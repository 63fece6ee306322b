"""The smallest change of a pod that may remove a reason."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from nodepools.model.kubernetes.label import POOL_LABEL, current_label
from nodepools.model.kubernetes.pod import Expression
from nodepools.model.listing import joined
from nodepools.placement.cloud_labels import AGENT_POOL, CAPACITY, OS, SKU, TYPE_KEYS, ZONE
from nodepools.placement.verdict import Kind, Reason
from nodepools.placement.workloads.pod_changes import Change, Remove, Select, SetZones

_NEVER_MISSPELLED = ("arch", "zone", "zone-id", "instance-type", "instance-family")
"""Labels whose values look alike and mean different things, as numbers do."""
_IMAGE_LABELS = ("kubernetes.io/arch",)
"""Labels that images are built for, often for several values."""
_OS_LABELS = ("kubernetes.io/os",)
"""An image of one operating system does not run on the other: what is missing is a pool."""
POOL_NAME_LABELS = ("agentpool", AGENT_POOL)
"""AKS labels that hold the name of an agent pool, which changes with each rotation."""
_OF_MACHINES = frozenset(
    {"kubernetes.io/arch", OS, CAPACITY, *TYPE_KEYS, f"{SKU}family", f"{SKU}gpu-name", "nvidia.com/gpu.product", "eks.amazonaws.com/capacityType"}
    | {f"{domain}/instance-{name}" for domain in ("eks.amazonaws.com", "karpenter.k8s.aws") for name in ("family", "gpu-name")}
)
"""Labels that machines decide: a pool that declares such a label does not get it."""
_ONE_OF = re.compile(r"label `([^`=\s]+)(?:=| In \[)([^`\]]+)\]?`")
NO_MATCH = "nodes didn't match node affinity/selector"
"""As kube-scheduler reports it."""


def label(required: Expression) -> str:
    """What nodes lack that do not match an expression."""
    return f"label `{required}`"


def pool_with(subjects: Sequence[str]) -> str:
    """The pool that is missing, if none has what the subjects of reasons say."""
    found = {subject: match for subject in subjects if (match := _ONE_OF.fullmatch(subject)) and current_label(match[1]) in _OF_MACHINES}
    machines = [f"`{match[2]}`".replace(", ", "` or `") for match in found.values()]
    others = [subject for subject in subjects if subject not in found]
    return f"a pool{f' of {joined(machines)} machines' if machines else ''}{f' that has {joined(others)}' if others else ''}"


def label_reason(required: Expression, variants: Iterable[Mapping[str, str]]) -> Reason:
    """Why nodes with these labels do not match, and what to select instead."""
    variants = list(variants)
    values = sorted({labels[required.key] for labels in variants if required.key in labels})
    if required.malformed:
        return invalid_reason(required)
    there = " or ".join(f"`{required.key}={value}`" for value in values) if values else f"no label `{required.key}`"
    return Reason(Kind.LABEL, f"{NO_MATCH} `{required}`: they have {there}", _fix(required, values, variants), subject=label(required))


def invalid_reason(required: Expression) -> Reason:
    """Why no node at all matches an expression that is not valid."""
    return Reason(Kind.LABEL, f"`{required}` is not valid in Kubernetes: it matches no node", Remove(required))


def _fix(required: Expression, values: list[str], variants: list[Mapping[str, str]]) -> Change | None:
    names = sorted({labels[POOL_LABEL] for labels in variants if POOL_LABEL in labels})
    if required.key in POOL_NAME_LABELS and names:
        return Select(required, POOL_LABEL, tuple(names))
    return suggest_value(required, values) if values else suggest_key(required, sorted({key for labels in variants for key in labels}))


def suggest_value(required: Expression, values: Iterable[str]) -> Change | None:
    """The value to select if the pool does not have the requested one: a similar value, or one of `values`; `None` if a pool is missing."""
    values = list(values)
    if current_label(required.key) in _OS_LABELS:
        return None
    if required.key == ZONE and required.operator == "In" and values and all(map(str.isdigit, values)):
        return SetZones(required)
    if required.operator != "In" or not values:
        return Remove(required)
    distinct = required.key.rpartition("/")[2] in _NEVER_MISSPELLED or any(map(str.isdigit, required.values))
    close = [] if distinct else [match for value in required.values for match in get_close_matches(value, values, n=1, cutoff=0.6)]
    condition = ", if the image runs on it" if current_label(required.key) in _IMAGE_LABELS else ""
    return Select(required, required.key, tuple(close[:1] if close else values), condition, similar=bool(close))


def suggest_key(required: Expression, keys: Iterable[str]) -> Change:
    """The label to select if the pool does not have the requested one."""
    close = _closest_key(required.key, tuple(keys))
    return Select(required, close[0], required.values[:1], similar=True) if close and required.operator == "In" else Remove(required)


@lru_cache
def _closest_key(key: str, keys: tuple[str, ...]) -> list[str]:
    """A cluster has thousands of nodes with the same keys. A domain that two keys share makes no other name similar."""
    close = get_close_matches(key, keys, n=5, cutoff=0.7)
    return [one for one in close if get_close_matches(key.rpartition("/")[2], [one.rpartition("/")[2]])]
