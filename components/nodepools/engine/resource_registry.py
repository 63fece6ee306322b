"""Everything registered so far in one run, by URN, with the options and aliases of each resource.

The SDK sends aliases to the engine and also computes the URN of each, which only engines before 2022 need. A resource of a provider has about
fifty aliases, one for each version of its API, so that these URNs take most of the time of a run.
"""

import re
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

import pulumi
import pulumi.resource
from google.protobuf.struct_pb2 import Struct, Value
from pulumi.runtime.proto.alias_pb2 import Alias
from pulumi.runtime.proto.callback_pb2 import Callback
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest, ResourceInvokeRequest

from nodepools.engine.plan import Diagnostic, Plan, PlannedResource
from nodepools.engine.property_values import STACK_TYPE, JsonValue, json_of, package_of, plain_of, provider_urn, secret_texts, to_json, type_of
from nodepools.engine.protocol import aliases_of, stack_of, transforms_of
from nodepools.engine.transforms import Transforms
from nodepools.model.values import dataclass

_COMPUTE = "collapse_alias_to_urn"


@contextmanager
def without_alias_urns() -> Generator[None]:
    """Turns off the computation of alias URNs. Aliases are still registered. A later SDK may not compute them at all."""
    if not hasattr(pulumi.resource, _COMPUTE):
        yield
        return
    with patch.object(pulumi.resource, _COMPUTE, _nothing):
        yield


def _nothing(*_: object) -> str:
    return ""


_API_VERSION = re.compile(r"[/_]v\d{8}")


def registration_options(request: RegisterResourceRequest) -> dict[str, JsonValue]:
    """The options of a registered resource."""
    # `False` differs from not set: an option that is set is not inherited.
    flags: dict[str, JsonValue] = {
        "protect": request.protect if request.HasField("protect") else None,
        "retainOnDelete": request.retainOnDelete if request.HasField("retainOnDelete") else None,
        "deleteBeforeReplace": request.deleteBeforeReplace if request.deleteBeforeReplaceDefined else None,
    }
    others: dict[str, JsonValue] = {
        "additionalSecretOutputs": list(request.additionalSecretOutputs),
        "aliases": list(_aliases(request)),
        "custom": request.custom,
        "customTimeouts": {
            name: time
            for name, time in (
                ("create", request.customTimeouts.create),
                ("update", request.customTimeouts.update),
                ("delete", request.customTimeouts.delete),
                ("read", request.customTimeouts.read),
            )
            if time
        },
        "deletedWith": request.deletedWith,
        "envVarMappings": dict(sorted(request.envVarMappings.items())),
        "hideDiffs": list(request.hideDiffs),
        "hooks": {hook.name: list(names) for hook, names in request.hooks.ListFields()},
        "ignoreChanges": list(request.ignoreChanges),
        "importId": request.importId,
        "packageRef": request.packageRef,
        "pluginDownloadURL": request.pluginDownloadURL,
        "provider": provider_urn(request.provider),
        "providers": {package: provider_urn(reference) for package, reference in sorted(request.providers.items())},
        "replaceOnChanges": list(request.replaceOnChanges),
        "replaceWith": list(request.replace_with),
        "replacementTrigger": to_json(request.replacement_trigger),
        "version": request.version,
    }
    options = {name: value for name, value in flags.items() if value is not None} | {name: value for name, value in others.items() if value}
    return dict(sorted(options.items()))


def read_options(request: ReadResourceRequest) -> dict[str, JsonValue]:
    """The options of a resource that is read instead of created; `read` is its id."""
    options: dict[str, JsonValue] = {
        "additionalSecretOutputs": list(request.additionalSecretOutputs),
        "custom": True,
        "packageRef": request.packageRef,
        "pluginDownloadURL": request.pluginDownloadURL,
        "provider": provider_urn(request.provider),
        "read": to_json(Value(string_value=request.id)),
        "version": request.version,
    }
    return {name: value for name, value in options.items() if value}


def _aliases(request: RegisterResourceRequest) -> Iterator[JsonValue]:
    """The aliases of the program, without those that a provider adds for its other API versions."""
    yield from request.aliasURNs
    for alias in aliases_of(request):
        if alias.HasField("urn"):
            yield alias.urn
        elif not _API_VERSION.search(alias.spec.type):
            yield _alias(alias.spec)


def _alias(spec: Alias.Spec) -> JsonValue:
    parts: dict[str, JsonValue] = {
        "name": spec.name,
        "noParent": spec.noParent,
        "parent": spec.parentUrn,
        "project": spec.project,
        "stack": spec.stack,
        "type": spec.type,
    }
    return {name: value for name, value in parts.items() if value}


def inherit(child: RegisterResourceRequest, parent: RegisterResourceRequest) -> None:
    """Sets the options of `child` that are not set. The SDK has already inherited providers and `protect`."""
    if not child.deletedWith:
        child.deletedWith = parent.deletedWith
    if not child.HasField("protect") and parent.HasField("protect"):
        child.protect = parent.protect
    if not child.HasField("retainOnDelete") and parent.HasField("retainOnDelete"):
        child.retainOnDelete = parent.retainOnDelete
    if not child.provider and parent.provider:
        serves = package_of(type_of(provider_urn(parent.provider)))
        if not child.custom or serves == package_of(child.type):
            child.provider = parent.provider


def inherit_providers(child: RegisterResourceRequest, from_parent: Mapping[str, str]) -> None:
    """Inherits providers from a parent component: all for a component, the one of its package for a custom resource."""
    if child.custom:
        package = package_of(child.type)
        child.provider = child.provider or child.providers.get(package, "") or from_parent.get(package, "")
        return
    for package, reference in from_parent.items():
        if package not in child.providers:
            child.providers[package] = reference


class DuplicateUrnError(Exception):
    """Two resources have the same types and the same name."""

    def __init__(self, urn: str) -> None:
        super().__init__(f"Duplicate resource URN '{urn}'; try giving it a unique name")


@dataclass(frozen=True, slots=True)
class Registered:
    """The registration of a resource, and the response to it."""

    request: RegisterResourceRequest | ReadResourceRequest
    id: str
    state: Struct

    @property
    def properties(self) -> Struct:
        """The inputs, or what is known of a resource that is only read."""
        return self.request.properties if isinstance(self.request, ReadResourceRequest) else self.request.object


class Registry:
    """The resources of one run, for every monitor. Requests come from many threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._resources: dict[str, Registered] = {}
        self._outputs: dict[str, Struct] = {}
        self._assumed: set[str] = set()

    def complete(self, request: RegisterResourceRequest, transforms: Transforms) -> None:
        """Adds to a request what the resource inherits, and applies the transforms of the stack and of its parents."""
        if parent := self.component(request.parent):
            inherit(request, parent)
            inherit_providers(request, {} if parent.custom else parent.providers)
        transforms.apply(request, self._transforms_of_parents(request.parent))

    def add(self, urn: str, resource: Registered) -> None:
        """Adds a resource.

        Raises:
            DuplicateUrnError: there is one with its URN.
        """
        with self._lock:
            if urn in self._resources:
                raise DuplicateUrnError(urn)
            self._resources[urn] = resource

    def set_outputs(self, urn: str, outputs: Struct) -> None:
        """Records the outputs of a component or of the stack."""
        with self._lock:
            self._outputs[urn] = outputs

    def assume(self, token: str) -> None:
        """Records that the result of a function is invented."""
        with self._lock:
            self._assumed.add(token)

    def get(self, urn: str) -> Registered | None:
        """The resource of this URN, if it is registered."""
        with self._lock:
            return self._resources.get(urn)

    def component(self, urn: str) -> RegisterResourceRequest | None:
        """The registration of this URN; `None` for a resource that is only read."""
        resource = self.get(urn)
        return resource.request if resource is not None and isinstance(resource.request, RegisterResourceRequest) else None

    def provider_settings(self, request: ResourceInvokeRequest, config: Mapping[str, str]) -> dict[str, JsonValue]:
        """Settings of the provider of a function: those of an explicit provider, which inherits nothing, or the configuration of the stack."""
        provider = self.get(provider_urn(request.provider))
        if provider is not None:
            return plain_of(provider.properties)
        start = f"{package_of(request.tok)}:"
        return {key.removeprefix(start): value for key, value in config.items() if key.startswith(start)}

    def resources(self) -> Mapping[str, Registered]:
        """All resources, by URN."""
        with self._lock:
            return dict(self._resources)

    def outputs(self) -> Mapping[str, Struct]:
        """The outputs of components and of the stack, by URN."""
        with self._lock:
            return dict(self._outputs)

    def _transforms_of_parents(self, urn: str) -> Iterator[Callback]:
        """The transforms of this resource, then of its parent, and so on up."""
        while parent := self.component(urn):
            yield from transforms_of(parent)
            urn = parent.parent

    def plan(self, stack: str, diagnostics: tuple[Diagnostic, ...]) -> Plan:
        """The plan of all registrations."""
        resources, outputs, assumed = self.resources(), self.outputs(), sorted(self._assumed)
        root = next((urn for urn, resource in resources.items() if resource.request.type == STACK_TYPE), "")
        return Plan(
            stack=stack,
            resources=tuple(_planned(urn, resource, outputs.get(urn, Struct())) for urn, resource in sorted(resources.items())),
            outputs=json_of(outputs.get(root, Struct())),
            diagnostics=diagnostics,
            assumed=tuple(assumed),
            secrets=tuple(sorted({text for held in _structs(resources.values(), outputs.values()) for text in secret_texts(held)})),
        )


def _structs(resources: Iterable[Registered], outputs: Iterable[Struct]) -> Iterator[Value]:
    yield from (Value(struct_value=resource.properties) for resource in resources)
    yield from (Value(struct_value=one) for one in outputs)


def _planned(urn: str, resource: Registered, outputs: Struct) -> PlannedResource:
    request = resource.request
    read = isinstance(request, ReadResourceRequest)
    depends: Mapping[str, tuple[str, ...]] = (
        {} if read else {name: tuple(sorted(set(listed.urns))) for name, listed in sorted(request.propertyDependencies.items()) if listed.urns}
    )
    return PlannedResource(
        urn=urn,
        type=request.type,
        name=request.name,
        parent=request.parent or None,
        inputs=json_of(resource.properties),
        dependencies=tuple(sorted(set(request.dependencies))),
        property_dependencies=depends,
        options=read_options(request) if read else registration_options(request),
        outputs=json_of(outputs),
        wire=(resource.properties, outputs),
        calls=tuple(stack_of(request)),
    )
