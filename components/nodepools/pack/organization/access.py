"""Who can reach a cluster, and with what."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from nodepools.pack.input_values import InputValue, inputs, kind_of
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck, Stack
from nodepools.resources.resource import Secret
from nodepools.resources.violation_text import ViolationText


@dataclass(frozen=True, slots=True)
class _Switch:
    """The input of a cluster that decides whether its API server can be reached from the internet."""

    at: tuple[str, ...]
    when_private: bool
    fix: str


_SWITCHES: Final = {
    "ManagedCluster": _Switch(("apiServerAccessProfile", "enablePrivateCluster"), when_private=True, fix="Set `enablePrivateCluster` to `true`"),
    "EksCluster": _Switch(
        ("vpcConfig", "endpointPublicAccess"), when_private=False, fix="Set `endpointPublicAccess` to `false`, and `endpointPrivateAccess` to `true`"
    ),
}


class PrivateApiServer(PolicyFunction):
    """The API server of a cluster cannot be reached from the internet."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A cluster with a public endpoint, the default of both clouds."""
        switch = _SWITCHES.get(kind_of(requested.resource))
        if switch is not None:
            given = inputs(requested.resource).at(*switch.at)
            if given.known and given.plain is not switch.when_private:
                yield ViolationText(given.path, given.value, "The API server is reachable from the internet", switch.fix)


class NoPlainKubeconfig(PolicyFunction):
    """No stack output is a kubeconfig in plain text: everyone with read access to the stack sees outputs that are not secret."""

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """An output, at any depth, that holds one and is not secret."""
        for resource in stack.resources:
            if kind_of(resource) == "Stack":
                for place in _plain(InputValue(stack.outputs.get(resource.urn, {}))):
                    if _is_kubeconfig(place.value):
                        yield (
                            resource.urn,
                            ViolationText(
                                place.path, Secret(None), f"The output `{place.path}` is a kubeconfig in plain text", "Export it as a secret output"
                            ),
                        )


def _plain(place: InputValue) -> Iterator[InputValue]:
    """The value, and all values inside that are not secret. A kubeconfig is not searched."""
    if isinstance(place.value, Secret) or not place.known:
        return
    yield place
    if not _is_kubeconfig(place.value):
        for inside in (*place.entries().values(), *place.items()):
            yield from _plain(inside)


def _is_kubeconfig(value: object) -> bool:
    if isinstance(value, str):
        return _looks_like_one(value) or _looks_like_one(_decoded(value))
    if not isinstance(value, Mapping):
        return False
    return {"clusters", "contexts", "users"} <= cast("Mapping[str, object]", value).keys()


def _looks_like_one(text: str) -> bool:
    return all(word in text for word in ("apiVersion", "clusters", "contexts", "users", "server"))


def _decoded(text: str) -> str:
    """The text inside base64, as Azure returns kubeconfigs; empty where it is not base64."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
