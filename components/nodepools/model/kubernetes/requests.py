"""Resource requests of a pod: the larger of the sum of its containers and the largest init container."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING
from typing import Final, TypeAlias

from nodepools.model.kubernetes.label import is_key
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping

Requests: TypeAlias = tuple[tuple[str, int], ...]
"""Resource to amount in thousandths, sorted by name."""
_OF_THE_POD = ("cpu", "memory")
"""Resources that `spec.resources` of a pod can request, in addition to hugepages."""


_HUGEPAGES: Final = "hugepages-"
_NATIVE: Final = "kubernetes.io/"
_OF_QUOTAS: Final = "requests."


UNBOUNDED: Final = 10**21
"""More than any node has, in thousandths."""


def pod_requests(spec: Mapping[str, object]) -> Requests:
    """The resources that the scheduler reserves for the pod.

    Requests of the pod as a whole replace those of its containers; its limits are requests only where no container has one, except for huge pages.
    Source: KEP-753, KEP-2837, `component-helpers/resource`, `defaultPodRequests` in `pkg/apis/core/v1/defaults.go`.
    """
    total = container_requests(spec)
    resources = mapping(spec, "resources")
    limits, requests = (_of_pod(mapping(resources, name)) for name in ("limits", "requests"))
    total.update({name: value for name, value in limits.items() if name not in total or name.startswith(_HUGEPAGES)})
    total.update(requests)
    _add(total, _amounts(mapping(spec, "overhead")))
    return tuple(sorted((key, value) for key, value in total.items() if value))


def _of_pod(amounts: Mapping[str, object]) -> dict[str, int]:
    return {key: value for key, value in _amounts(amounts).items() if key in _OF_THE_POD or key.startswith(_HUGEPAGES)}


def container_requests(spec: Mapping[str, object]) -> dict[str, int]:
    """The resources that the containers need together, at the time when they need most.

    Sidecars (init containers that restart) count together with the containers, and with the init containers after them. A missing request equals
    its limit.
    """
    running: dict[str, int] = {}
    for container in entries(spec, "containers"):
        _add(running, _requested(container))
    sidecars: dict[str, int] = {}
    starting: dict[str, int] = {}
    for container in entries(spec, "initContainers"):
        requested = _requested(container)
        if container.get("restartPolicy") == "Always":
            _add(sidecars, requested)
            requested = {}
        _raise_to(starting, {key: requested.get(key, 0) + sidecars.get(key, 0) for key in requested | sidecars})
    _add(running, sidecars)
    _raise_to(running, starting)
    return running


def is_native(resource: str) -> bool:
    """A resource of Kubernetes, such as `cpu`."""
    return "/" not in resource or _NATIVE in resource


def is_extended(resource: str) -> bool:
    """A resource of a device plugin, such as `nvidia.com/gpu`: whole numbers, and a request that equals the limit."""
    return not is_native(resource) and not resource.startswith(_OF_QUOTAS) and is_key(f"{_OF_QUOTAS}{resource}")


def thousandths(quantity: object, name: str) -> int:
    """The quantity in thousandths, rounded up; one that is not set is 0.

    Raises:
        PodError: it is not a quantity.
    """
    if quantity is None:
        return 0
    try:
        return int((amount(str(quantity)) * 1000).to_integral_value(ROUND_CEILING))
    except (ValueError, ArithmeticError):
        raise PodError(f"`{name}` must be a quantity, such as `500m` or `2Gi`, but is `{quantity!r:.60}`") from None


def _requested(part: Mapping[str, object]) -> dict[str, int]:
    resources = mapping(part, "resources")
    return _amounts(mapping(resources, "limits")) | _amounts(mapping(resources, "requests"))


def _amounts(raw: Mapping[str, object]) -> dict[str, int]:
    return {key: thousandths(value, key) for key, value in raw.items()}


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for key, value in more.items():
        total[key] = total.get(key, 0) + value


def _raise_to(total: dict[str, int], least: Mapping[str, int] | Iterable[tuple[str, int]]) -> None:
    for key, value in dict(least).items():
        total[key] = max(total.get(key, 0), value)
