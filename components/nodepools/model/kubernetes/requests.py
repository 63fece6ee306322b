"""Resource requests of a pod: the larger of the sum of its containers and the largest init container."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING
from typing import Final, TypeAlias

from nodepools.model.kubernetes.label import is_key
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text

Requests: TypeAlias = tuple[tuple[str, int], ...]
"""Resource to amount in thousandths, sorted by name."""
_OF_THE_POD = ("cpu", "memory")
"""Resources that `spec.resources` of a pod can request, in addition to hugepages."""


_HUGEPAGES: Final = "hugepages-"
_NATIVE: Final = "kubernetes.io/"
_OF_QUOTAS: Final = "requests."


_STATUSES: Final = {"containers": "containerStatuses", "initContainers": "initContainerStatuses"}
UNBOUNDED: Final = 10**21
"""More than any node has, in thousandths."""


def pod_requests(spec: Mapping[str, object]) -> Requests:
    """The resources that the scheduler reserves for the pod.

    Requests of the pod as a whole replace those of its containers; its limits are requests only where no container has one, except for huge pages.
    Source: KEP-753, KEP-2837, `component-helpers/resource`, `defaultPodRequests` in `pkg/apis/core/v1/defaults.go`.
    """
    total = _as_a_whole(spec)
    _add(total, _amounts(mapping(spec, "overhead")))
    return tuple(sorted((key, value) for key, value in total.items() if value))


def _as_a_whole(spec: Mapping[str, object]) -> dict[str, int]:
    total = container_requests(spec)
    limits, requests = (of_the_pod(spec, name) for name in ("limits", "requests"))
    total.update({name: value for name, value in limits.items() if name not in total or name.startswith(_HUGEPAGES)})
    return total | requests


def whole_pod(spec: Mapping[str, object]) -> tuple[dict[str, int], dict[str, int]]:
    """Requests and limits as a LimitRange compares them: without overhead, and a limit of the pod instead of those of its containers."""
    return _as_a_whole(spec), {**container_limits(spec), **of_the_pod(spec, "limits")}


def with_pod_requests(spec: Mapping[str, object]) -> Mapping[str, object]:
    """The spec with the requests that the API server gives to a pod with limits of its own, before a LimitRange gives some to its containers."""
    limits = of_the_pod(spec, "limits")
    written = {name: f"{value}m" for name, value in _as_a_whole(spec).items() if name in _OF_THE_POD or name in limits}
    resources = mapping(spec, "resources")
    return {**spec, "resources": {**resources, "requests": {**written, **mapping(resources, "requests")}}} if limits else spec


def resized(spec: Mapping[str, object], status: Mapping[str, object]) -> Mapping[str, object]:
    """The spec of a pod that runs, with what its containers still have while they are resized. Source: `determineEffectiveRequests`, KEP-1287."""
    has = {text(one.get("name"), "name"): one for field in _STATUSES.values() for one in entries(status, field)}
    if not has:
        return spec
    stays = any((one.get("type"), one.get("reason")) == ("PodResizePending", "Infeasible") for one in entries(status, "conditions"))

    def actual(container: Mapping[str, object]) -> Mapping[str, object]:
        resources, own = mapping(container, "resources"), has.get(text(container.get("name"), "name"), {})
        requests = {**mapping(resources, "requests")}
        found = {"": requests, "resources": mapping(mapping(own, "resources"), "requests"), "allocated": mapping(own, "allocatedResources")}
        for name in dict.fromkeys(name for of, amounts in found.items() if of for name in amounts):
            every = [amounts[name] for of, amounts in found.items() if name in amounts and (of or not stays)]
            requests[name] = max(every, key=lambda written, name=name: thousandths(written, name))
        return {**container, "resources": {**resources, "requests": requests}} if requests else container

    return {**spec, **{group: [actual(one) for one in entries(spec, group)] for group in _STATUSES if group in spec}}


def of_the_pod(spec: Mapping[str, object], name: str) -> dict[str, int]:
    """The `requests` or `limits` of the pod as a whole."""
    amounts = mapping(mapping(spec, "resources"), name)
    return {key: value for key, value in _amounts(amounts).items() if key in _OF_THE_POD or key.startswith(_HUGEPAGES)}


def container_requests(spec: Mapping[str, object], *, of_template: bool = False) -> dict[str, int]:
    """The resources that the containers need together, at the time when they need most.

    Sidecars (init containers that restart) count together with the containers, and with the init containers after them. A missing request equals
    its limit; in a template, the API server does not set it.
    """
    return _together(spec, ("requests",) if of_template else ("limits", "requests"))


def container_limits(spec: Mapping[str, object]) -> dict[str, int]:
    """The limits of the containers together, as their requests are added."""
    return _together(spec, ("limits",))


def _together(spec: Mapping[str, object], fields: Sequence[str]) -> dict[str, int]:
    running: dict[str, int] = {}
    for container in entries(spec, "containers"):
        _add(running, _of_container(container, fields))
    sidecars: dict[str, int] = {}
    starting: dict[str, int] = {}
    for container in entries(spec, "initContainers"):
        requested = _of_container(container, fields)
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


def _of_container(part: Mapping[str, object], fields: Sequence[str]) -> dict[str, int]:
    """The amounts in the last of the fields that has them."""
    resources = mapping(part, "resources")
    return {name: amount for of in fields for name, amount in _amounts(mapping(resources, of)).items()}


def _amounts(raw: Mapping[str, object]) -> dict[str, int]:
    return {key: thousandths(value, key) for key, value in raw.items()}


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for key, value in more.items():
        total[key] = total.get(key, 0) + value


def _raise_to(total: dict[str, int], least: Mapping[str, int] | Iterable[tuple[str, int]]) -> None:
    for key, value in dict(least).items():
        total[key] = max(total.get(key, 0), value)
