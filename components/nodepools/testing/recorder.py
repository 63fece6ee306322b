"""The resource monitor of a program under test: records every request, and responds like an engine with an empty cloud."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlparse
from urllib.request import url2pathname

from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime import mocks
from pulumi.runtime.proto import resource_pb2 as proto
from pulumi.runtime.proto.callback_pb2 import Callback

from nodepools.engine.invokes import Fixture
from nodepools.engine.monitor import STACK_REFERENCE
from nodepools.engine.program_errors import is_own
from nodepools.engine.property_values import JsonValue, hide, json_of, outputs_from_inputs, plain_of, struct_of, unknown
from nodepools.engine.protocol import stack_of
from nodepools.engine.resource_registry import DuplicateUrnError, Registered, Registry
from nodepools.engine.transforms import Transforms
from nodepools.engine.urns import STACK_TYPE, default_type, make_urn, package_of
from nodepools.testing.outputs import OutputFixture

_KNOWN_TO_AZURE = ("name", "location")
"""The outputs that azure-native knows in the preview of an update. It treats all others as unknown."""


class UnknownCallError(LookupError):
    """The program called a provider function without a configured result."""


@dataclass(frozen=True)
class Scene:
    """The surroundings of a program."""

    project: str
    stack: str
    preview: bool
    config: Mapping[str, str]
    outputs: Mapping[str, OutputFixture]
    calls: Mapping[str, Fixture]
    stack_outputs: Mapping[str, Mapping[str, JsonValue]]
    existing: Mapping[str, Struct] = field(default_factory=dict[str, Struct])
    """Inputs of existing resources, by URN."""


class NoMocks(mocks.Mocks):
    """Placeholder for the mocks that Pulumi requires: the recorder answers itself."""

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[str, object], None]:
        """Never called."""
        raise NotImplementedError(args.token)

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[str, object]]:
        """Never called."""
        raise NotImplementedError(args.typ)


@dataclass
class Recorder(mocks.MockMonitor):
    """Records requests. Pulumi's own mocks show no parents or options, create wrong URNs, accept duplicate URNs, and run no transforms."""

    scene: Scene
    transforms: Transforms = field(default_factory=Transforms)

    def __post_init__(self) -> None:
        super().__init__(NoMocks())
        self._registry = Registry()

    @property
    def requests(self) -> Mapping[str, proto.RegisterResourceRequest]:
        """The registrations by URN; those of resources that are only read have the same form."""
        return {urn: _as_registration(found.request) for urn, found in self._registry.resources().items()}

    @property
    def reads(self) -> Mapping[str, proto.ReadResourceRequest]:
        """The resources that are only read."""
        return {urn: found.request for urn, found in self._registry.resources().items() if isinstance(found.request, proto.ReadResourceRequest)}

    @property
    def registered(self) -> Mapping[str, Struct]:
        """The outputs of components and of the stack."""
        return self._registry.outputs()

    def RegisterResource(self, request: proto.RegisterResourceRequest) -> proto.RegisterResourceResponse:  # noqa: N802  # as gRPC names it
        """Records the request after inheritance and transforms. In a preview, only the inputs are known."""
        self._registry.complete(request, self.transforms)
        urn = make_urn(self.scene.stack, self.scene.project, request.parent, request.type, request.name)
        self._keep(urn, request)
        if not request.custom:
            return proto.RegisterResourceResponse(urn=urn)
        state = outputs_from_inputs(request.type, request.object)
        if self.scene.preview and urn not in self.scene.existing:
            hide(state, request.additionalSecretOutputs, known=False)
            return proto.RegisterResourceResponse(urn=urn, object=state)
        fixture = self.scene.outputs.get(request.type, self.scene.outputs.get(default_type(request.type)))
        made = dict(fixture(request.name, plain_of(request.object))) if fixture else {}
        id_ = str(made.pop("id", f"{request.name}-id"))
        state.update(made)
        is_updated = self.scene.preview and self.scene.existing[urn] != request.object
        if is_updated and package_of(default_type(request.type)) == "azure-native":
            state = Struct(fields={name: value if name in _KNOWN_TO_AZURE else unknown() for name, value in state.fields.items()})
        hide(state, request.additionalSecretOutputs, known=not is_updated)
        return proto.RegisterResourceResponse(urn=urn, id=id_, object=state)

    def RegisterResourceOutputs(self, request: proto.RegisterResourceOutputsRequest) -> Empty:  # noqa: N802
        """Records the outputs of a component or of the stack.

        The mocks of the SDK make a stack with the URN of the program's and without outputs, and nothing orders the two calls.
        """
        if request.outputs.fields or request.urn not in self.registered:
            self._registry.set_outputs(request.urn, request.outputs)
        return Empty()

    def ReadResource(self, request: proto.ReadResourceRequest) -> proto.ReadResourceResponse:  # noqa: N802
        """Reads a resource as if it existed. A stack reference has the outputs of the scene."""
        urn = make_urn(self.scene.stack, self.scene.project, request.parent, request.type, request.name)
        state = Struct(fields=request.properties.fields)
        if request.type == STACK_REFERENCE:
            state.update(self._exports(request.id))
        self._keep(urn, request)
        return proto.ReadResourceResponse(urn=urn, properties=state)

    def Invoke(self, request: proto.ResourceInvokeRequest) -> proto.ResourceInvokeResponse:  # noqa: N802
        """Returns the configured result of a provider function."""
        self.transforms.apply_to_invoke(request)
        answer = self.scene.calls.get(request.tok)
        if answer is None:
            raise UnknownCallError(
                f'no result for `{request.tok}`: pass `calls={{"{request.tok}": lambda args: {{...}}}}`; its arguments are {json_of(request.args)}'
            )
        result = answer(self._registry.provider_settings(request, self.scene.config) | plain_of(request.args))
        return proto.ResourceInvokeResponse(**{"return": struct_of(result)})  # type: ignore[arg-type]  # `return` cannot be a keyword argument

    def RegisterStackTransform(self, request: Callback) -> Empty:  # noqa: N802
        """Adds a transform of all resources."""
        self.transforms.add_to_stack(request)
        return Empty()

    def RegisterStackInvokeTransform(self, request: Callback) -> Empty:  # noqa: N802
        """Adds a transform of all invokes."""
        self.transforms.add_to_invokes(request)
        return Empty()

    def _exports(self, stack: str) -> Mapping[str, JsonValue]:
        """The outputs of another stack; unknown in a preview, unless the test sets them."""
        if stack in self.scene.stack_outputs:
            return {"outputs": self.scene.stack_outputs[stack], "secretOutputNames": []}
        if not self.scene.preview:
            raise UnknownCallError(f'no outputs for the stack `{stack}`: pass `stacks={{"{stack}": {{...}}}}`')
        return {}

    def _keep(self, urn: str, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> None:
        """The mocks of the SDK register the stack a second time."""
        if request.type == STACK_TYPE and self._registry.get(urn) is not None:
            return
        try:
            self._registry.add(urn, Registered(request, "", Struct()))
        except DuplicateUrnError:
            raise _twice(urn, request) from None


def _as_registration(request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> proto.RegisterResourceRequest:
    if isinstance(request, proto.RegisterResourceRequest):
        return request
    return proto.RegisterResourceRequest(
        type=request.type, name=request.name, parent=request.parent, custom=True, object=request.properties, dependencies=request.dependencies
    )


def _twice(urn: str, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> DuplicateUrnError:
    """Adds where the program registers the second: the registration runs later, without a traceback to it."""
    error = DuplicateUrnError(urn)
    lines = [(url2pathname(urlparse(uri).path), line) for uri, line in stack_of(request)][::-1]
    error.add_note("\n".join(f'  File "{file}", line {line}' for file, line in lines if file and is_own(file)))
    return error
