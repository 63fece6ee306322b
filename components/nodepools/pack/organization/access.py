"""Who can reach a cluster, and with what."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from nodepools.pack.input_values import InputValue, inputs, kind_of
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck, Stack
from nodepools.pack.violation_text import ViolationText
from nodepools.resources.resource import Secret


@dataclass(frozen=True, slots=True)
class _Switch:
    """The input of a cluster that decides whether its API server can be reached from the internet."""

    at: tuple[str, ...]
    when_private: bool
    fix: str


_SWITCHES: Final = {
    "ManagedCluster": _Switch(("apiServerAccessProfile", "enablePrivateCluster"), when_private=True, fix="set it to true"),
    "EksCluster": _Switch(("vpcConfig", "endpointPublicAccess"), when_private=False, fix="set it to false, and endpointPrivateAccess to true"),
}


class PrivateApiServer(PolicyFunction):
    """The API server of a cluster cannot be reached from the internet."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A cluster with a public endpoint; both clouds make one unless told otherwise."""
        switch = _SWITCHES.get(kind_of(asked.resource))
        if switch is not None:
            said = inputs(asked.resource).at(*switch.at)
            if said.known and said.plain is not switch.when_private:
                yield ViolationText(said.path, said.value, "leaves the API server public", switch.fix)


class NoPlainKubeconfig(PolicyFunction):
    """No kubeconfig is a plain output of a stack: outputs that are not secret are shown to everyone who may read the stack."""

    def of_stack(self, stack: Stack) -> Iterator[tuple[str, ViolationText]]:
        """An output, at any depth, that holds one and is not secret."""
        for resource in stack.resources:
            if kind_of(resource) == "Stack":
                for place in _plain(InputValue(stack.outputs.get(resource.urn, {}))):
                    if _is_kubeconfig(place.value):
                        yield (
                            resource.urn,
                            ViolationText(place.path, Secret(None), "is a kubeconfig in plain text", "export it as pulumi.Output.secret(…)"),
                        )


def _plain(place: InputValue) -> Iterator[InputValue]:
    """The place and all in it that is not secret; inside a kubeconfig nobody looks further."""
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
    """The text inside base64, as Azure gives kubeconfigs; nothing where it is none."""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
