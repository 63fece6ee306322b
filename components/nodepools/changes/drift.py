"""What Karpenter compares to decide that nodes drift, without its hash.

Two objects have the same hash if, and only if, their canonical forms are equal: with the defaults of the CRD, durations as numbers, lists in any
order, and empty maps, lists and blocks kept apart from absent ones. An element that a list has twice does not count: the hash of a list is the XOR of
those of its elements (hashstructure with SlicesAsSets). Sources: `NodePool.Hash` of Karpenter 1.14, `AKSNodeClass.Hash` of
karpenter-provider-azure 1.14, and the CRDs of both. EKS does not publish how a NodeClass is compared.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, cast

from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.steps import mapping, sequence

_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(h|ms|m|s|us|µs|ns)")
_DURATIONS: Final = frozenset({"expireAfter", "terminationGracePeriod", "cacheDuration", "serveStaleDuration", "cpuCFSQuotaPeriod"})
_TOP_LEVEL: Final[Mapping[str, object]] = {"imageFamily": "Ubuntu", "osDiskSizeGB": 128}
_IN_BLOCKS: Final[Mapping[str, Mapping[str, object]]] = {
    "gpu": {"mode": "Driver"},
    "kubelet": {
        "containerLogMaxFiles": 5,
        "containerLogMaxSize": "50Mi",
        "cpuCFSQuota": True,
        "cpuCFSQuotaPeriod": "100ms",
        "cpuManagerPolicy": "none",
        "topologyManagerPolicy": "none",
    },
}
"""Defaults of the AKSNodeClass CRD. Those of a block apply only where the block is set."""


def of_node_pool(spec: Mapping[str, object], expire_after: str | None) -> object:
    """The canonical form of the `spec` of a NodePool; `expire_after` is the default of its CRD, `None` if it is not certain."""
    template = dict(mapping(spec.get("template")))
    nodes = {name: value for name, value in mapping(template.get("spec")).items() if name != "requirements"}
    if expire_after is not None:
        nodes.setdefault("expireAfter", expire_after)
    if nodes.get("expireAfter") == NEVER:
        del nodes["expireAfter"]
    if template.get("metadata") == {}:
        del template["metadata"]
    return canonical({**template, "spec": nodes})


def of_aks_node_class(spec: Mapping[str, object]) -> object:
    """The canonical form of the `spec` of an AKSNodeClass."""
    return canonical({name: value for name, value in with_aks_defaults(spec).items() if name != "tags"})


def with_aks_defaults(spec: Mapping[str, object]) -> Mapping[str, object]:
    """The `spec` of an AKSNodeClass with the defaults of its CRD, as the API server stores it."""
    made = {**_TOP_LEVEL, **spec}
    for block, defaults in _IN_BLOCKS.items():
        if isinstance(made.get(block), Mapping):
            made[block] = {**defaults, **mapping(made[block])}
    return made


def canonical(value: object, name: str = "") -> object:
    """A hashable value that is equal for equal meanings: a duration by its length, a list by the elements that it has an odd number of times."""
    if isinstance(value, Mapping):
        return frozenset((key, canonical(part, key)) for key, part in mapping(cast("object", value)).items() if part is not None)
    if isinstance(value, list | tuple):
        times = Counter(canonical(part) for part in sequence(cast("object", value)))
        return ("list", frozenset(part for part, number in times.items() if number % 2))
    if isinstance(value, str) and name in _DURATIONS:
        length = duration(value)
        return ("seconds", length) if length is not None else value
    return (type(value).__name__, value)


def duration(text: str) -> float | None:
    """Seconds of a duration of Go, such as `1h30m` or `100ms`; `None` for other texts."""
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return round(sum(float(number) * _UNITS[unit] for number, unit in parts), 9)


Canonical = Callable[[Mapping[str, object]], object]
