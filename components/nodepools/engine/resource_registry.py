"""Everything registered so far in one run, by URN."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from google.protobuf.struct_pb2 import Struct, Value
from pulumi.runtime.proto.callback_pb2 import Callback
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest, ResourceInvokeRequest

from nodepools.engine.plan import Diagnostic, Plan, PlannedResource
from nodepools.engine.property_values import JsonValue, json_of, plain_of, secret_texts
from nodepools.engine.protocol import stack_of, transforms_of
from nodepools.engine.resource_options import read_options, registration_options
from nodepools.engine.transforms import Transforms
from nodepools.engine.urns import STACK_TYPE, package_of, provider_urn, type_of


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
