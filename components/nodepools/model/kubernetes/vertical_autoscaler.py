"""A VerticalPodAutoscaler: between which bounds it sets the requests of new pods.

Until it has a recommendation, pods are created as they are written. Its status has the recommendation, whose target, within the bounds of the policy,
new pods then request.

Source: github.com/kubernetes/autoscaler, vertical-pod-autoscaler/docs/api.md and quickstart.md (2026-11-27).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.model.kubernetes.raw_fields import entries, mapping, text, texts
from nodepools.model.kubernetes.requests import thousandths

_EVERY: Final = "*"
_RESOURCES: Final = ("cpu", "memory")
_MOST: Final = "1E"
"""`UNBOUNDED` as it is written: it has no `maxAllowed`."""


@dataclass(frozen=True, slots=True)
class VerticalScaler:
    """A VerticalPodAutoscaler that changes requests."""

    name: str
    target: tuple[str, str, str]
    """Namespace, kind and name of the workload."""
    policies: Mapping[str, Mapping[str, object]]
    """By the name of a container."""
    targets: Mapping[str, Mapping[str, object]]
    """What it recommends, by the name of a container."""

    def lowest(self, spec: Mapping[str, object]) -> Mapping[str, object]:
        """The spec of a pod with the least requests."""
        return {**spec, "containers": [self._resized(container, "minAllowed", "0", -1) for container in entries(spec, "containers")]}

    def highest(self, spec: Mapping[str, object]) -> Mapping[str, object]:
        """The spec of a pod with the most requests."""
        return {**spec, "containers": [self._resized(container, "maxAllowed", _MOST, 1) for container in entries(spec, "containers")]}

    def _resized(self, container: Mapping[str, object], bound: str, without: str, sign: int) -> Mapping[str, object]:
        policy = self.policies.get(text(container.get("name"), "name"), self.policies.get(_EVERY, {}))
        if policy.get("mode") == "Off":
            return container
        target = self.targets.get(text(container.get("name"), "name"))
        if target is not None:
            return _requesting(container, {name: _within(policy, name, target[name]) for name in _controlled(policy) if name in target})
        resources, allowed = mapping(container, "resources"), mapping(policy, bound)
        before = {**mapping(resources, "limits"), **mapping(resources, "requests")}
        pairs = {name: (before.get(name, "0"), allowed.get(name, without)) for name in _controlled(policy)}
        after = {
            name: written if sign * (thousandths(written, name) - thousandths(limit, name)) > 0 else limit for name, (written, limit) in pairs.items()
        }
        return _requesting(container, after)


def _requesting(container: Mapping[str, object], amounts: Mapping[str, object]) -> Mapping[str, object]:
    resources = mapping(container, "resources")
    return {**container, "resources": {**resources, "requests": {**mapping(resources, "requests"), **amounts}}}


def _within(policy: Mapping[str, object], name: str, amount: object) -> object:
    """The amount within the bounds of a policy."""
    for bound, sign in (("minAllowed", 1), ("maxAllowed", -1)):
        limit = mapping(policy, bound).get(name, amount)
        amount = limit if sign * (thousandths(limit, name) - thousandths(amount, name)) > 0 else amount
    return amount


def _controlled(policy: Mapping[str, object]) -> Iterator[str]:
    named = texts(policy, "controlledResources") if policy.get("controlledResources") is not None else _RESOURCES
    return (name for name in _RESOURCES if name in named)


def read_vertical_scaler(raw: Mapping[str, object]) -> VerticalScaler | None:
    """Reads a raw VerticalPodAutoscaler; `None` if it only recommends.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    metadata, spec = mapping(raw, "metadata"), mapping(raw, "spec")
    policies = {text(each.get("containerName"), "containerName"): each for each in entries(mapping(spec, "resourcePolicy"), "containerPolicies")}
    for each in policies.values():
        for bound in ("minAllowed", "maxAllowed"):
            for name, amount in mapping(each, bound).items():
                thousandths(amount, name)
    recommended = entries(mapping(mapping(raw, "status"), "recommendation"), "containerRecommendations")
    targets = {text(each.get("containerName"), "containerName"): mapping(each, "target") for each in recommended}
    for target in targets.values():
        for name, amount in target.items():
            thousandths(amount, name)
    if mapping(spec, "updatePolicy").get("updateMode") == "Off":
        return None
    of = mapping(spec, "targetRef")
    namespace = text(metadata.get("namespace"), "namespace") or "default"
    workload = namespace, text(of.get("kind"), "kind"), text(of.get("name"), "name")
    return VerticalScaler(text(metadata.get("name"), "name"), workload, policies, targets)
