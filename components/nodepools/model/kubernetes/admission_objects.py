"""The objects that change or reject new pods: LimitRange, ResourceQuota, RuntimeClass, PriorityClass, and a node selector of a Namespace."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.model.kubernetes.pod import read_pod
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text, texts
from nodepools.model.kubernetes.requests import thousandths

NODE_SELECTOR: Final = "scheduler.alpha.kubernetes.io/node-selector"
"""The annotation of a Namespace whose labels the admission plugin PodNodeSelector adds to the node selector of its pods."""
DEFAULT_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/defaultTolerations"
ALLOWED_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
"""Annotations of a Namespace: the tolerations that the admission plugin PodTolerationRestriction adds to its pods, and those that it allows."""
ADMISSION_KINDS: Final = frozenset({"LimitRange", "ResourceQuota", "RuntimeClass", "PriorityClass", "Namespace"})


@dataclass(frozen=True, slots=True)
class Limits:
    """One entry of a LimitRange, with the defaults that the API server gives it."""

    type: str
    """`Container`, `Pod` or `PersistentVolumeClaim`."""
    default: Mapping[str, object] = field(default_factory=dict[str, object])
    default_request: Mapping[str, object] = field(default_factory=dict[str, object])
    minimum: Mapping[str, int] = field(default_factory=dict[str, int])
    maximum: Mapping[str, int] = field(default_factory=dict[str, int])
    ratio: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many times its request a limit can be, in thousandths."""


@dataclass(frozen=True, slots=True)
class LimitRange:
    """A LimitRange."""

    name: str
    namespace: str
    limits: tuple[Limits, ...] = ()


@dataclass(frozen=True, slots=True)
class Quota:
    """A ResourceQuota."""

    name: str
    namespace: str
    hard: Mapping[str, int] = field(default_factory=dict[str, int])
    """In thousandths."""
    used: Mapping[str, int] = field(default_factory=dict[str, int])
    """What its pods use now, in thousandths, if it is of a running cluster."""
    scoped: bool = False
    """It counts some of the pods only."""


@dataclass(frozen=True, slots=True)
class RuntimeClass:
    """A RuntimeClass."""

    name: str
    selector: Mapping[str, str] = field(default_factory=dict[str, str])
    tolerations: Sequence[Mapping[str, object]] = ()
    overhead: Mapping[str, object] = field(default_factory=dict[str, object])


def read_limit_range(raw: Mapping[str, object]) -> LimitRange:
    """Reads a raw LimitRange.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    name, namespace = _name(raw), _namespace(raw)
    return LimitRange(name, namespace, tuple(map(_limits, entries(mapping(raw, "spec"), "limits"))))


def _limits(raw: Mapping[str, object]) -> Limits:
    """An entry. A default limit is the maximum if it is not set; a default request is the default limit, otherwise the minimum."""
    kind, maximum, minimum = text(raw.get("type"), "type"), mapping(raw, "max"), mapping(raw, "min")
    ratio = _amounts(mapping(raw, "maxLimitRequestRatio"))
    if kind != "Container":
        return Limits(kind, minimum=_amounts(minimum), maximum=_amounts(maximum), ratio=ratio)
    default = {**maximum, **mapping(raw, "default")}
    return Limits(kind, default, {**minimum, **default, **mapping(raw, "defaultRequest")}, _amounts(minimum), _amounts(maximum), ratio)


def read_quota(raw: Mapping[str, object]) -> Quota:
    """Reads a raw ResourceQuota.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    spec, used = mapping(raw, "spec"), mapping(mapping(raw, "status"), "used")
    scoped = bool(texts(spec, "scopes") or mapping(spec, "scopeSelector"))
    return Quota(_name(raw), _namespace(raw), _amounts(mapping(spec, "hard")), _amounts(used), scoped)


def read_runtime_class(raw: Mapping[str, object]) -> RuntimeClass:
    """Reads a raw RuntimeClass.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    scheduling, overhead = mapping(raw, "scheduling"), mapping(mapping(raw, "overhead"), "podFixed")
    _amounts(overhead)
    return RuntimeClass(_name(raw), _texts(mapping(scheduling, "nodeSelector")), tuple(entries(scheduling, "tolerations")), overhead)


def read_node_selector(raw: Mapping[str, object]) -> Mapping[str, str]:
    """Reads the node selector of a raw Namespace; empty without the annotation.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    written = text(mapping(mapping(raw, "metadata"), "annotations").get(NODE_SELECTOR), NODE_SELECTOR)
    pairs = [pair.partition("=") for pair in written.split(",") if written]
    if any(not (separator and key.strip()) for key, separator, _ in pairs):
        raise PodError(f"`{NODE_SELECTOR}` must be labels such as `team=web,tier=a`, but is `{written:.60}`")
    return {key.strip(): value.strip() for key, _, value in pairs}


def read_tolerations(raw: Mapping[str, object]) -> Mapping[str, Sequence[Mapping[str, object]]]:
    """Reads the tolerations in the annotations of a raw Namespace, by annotation; an empty list restricts and adds nothing.

    Raises:
        PodError: they are not valid; the message says where and why.
    """
    annotations = mapping(mapping(raw, "metadata"), "annotations")
    found = {key: _listed(text(annotations[key], key), key) for key in (DEFAULT_TOLERATIONS, ALLOWED_TOLERATIONS) if key in annotations}
    return {key: tolerations for key, tolerations in found.items() if tolerations}


def _listed(written: str, key: str) -> Sequence[Mapping[str, object]]:
    try:
        found = entries({key: json.loads(written or "[]")}, key)
        read_pod({"tolerations": found})
    except (ValueError, RecursionError) as wrong:
        raise PodError(f"`{key}` must be a list of tolerations in JSON, but is `{written:.60}`") from wrong
    return found


def _amounts(raw: Mapping[str, object]) -> dict[str, int]:
    return {key: thousandths(value, key) for key, value in raw.items()}


def _texts(raw: Mapping[str, object]) -> dict[str, str]:
    return {key: text(value, key) for key, value in raw.items()}


def _name(raw: Mapping[str, object]) -> str:
    return text(mapping(raw, "metadata").get("name"), "name")


def _namespace(raw: Mapping[str, object]) -> str:
    return text(mapping(raw, "metadata").get("namespace"), "namespace") or "default"
