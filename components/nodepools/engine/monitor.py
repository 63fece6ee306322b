"""The resource monitor: the gRPC service where a program registers its resources."""
# ruff: noqa: ARG002, N802 - gRPC calls these methods by these names, always with these two parameters

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn, TypeAlias
from urllib.request import url2pathname

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import resource_pb2 as proto
from pulumi.runtime.proto.callback_pb2 import Callback
from pulumi.runtime.proto.resource_pb2_grpc import ResourceMonitorServicer

from nodepools.engine.invokes import ASSUMED, DEFAULTS, Fixture
from nodepools.engine.property_values import JsonValue, default_type, hide, make_urn, outputs_from_inputs, plain_of, struct_of
from nodepools.engine.protocol import invoke_answer, stack_of, status_details
from nodepools.engine.resource_registry import DuplicateUrnError, Registered, Registry
from nodepools.engine.signatures import UNKNOWN
from nodepools.engine.transforms import Transforms
from nodepools.engine.yaml_groups import YAML_GROUPS, registrations
from nodepools.model.values import dataclass, field
from nodepools.reading.bounded_input import TextError

ORGANIZATION = "organization"
PARALLEL = 16

OutputFixture: TypeAlias = Callable[[str, Mapping[str, JsonValue]], Mapping[str, JsonValue]]
"""Makes the outputs of a resource from its name and inputs. The inputs are outputs, too, and need not be repeated."""

STACK_REFERENCE = "pulumi:pulumi:StackReference"
_NO_CLOUD = 'no cloud is queried here: run `pulumi preview`, or set the result in a test (`calls={{"{}": …}}` of `nodepools.testing.run`)'
_EXPORTS = f'outputs={{"{STACK_REFERENCE}": lambda name, inputs: {{"outputs": {{...}}}}}}'

FEATURES = (
    proto.RESOURCE_MONITOR_FEATURE_SECRETS,
    proto.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
    proto.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
    proto.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
    proto.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
    proto.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
    proto.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
    proto.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
    proto.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
    proto.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
    proto.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
    proto.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
    proto.RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS,
)


@dataclass(frozen=True, slots=True)
class Deployment:
    """Settings of a run. `source` is the URI of the program's directory; `outputs` are used in updates only, unless previews have `ids` too."""

    project: str
    stack: str
    preview: bool
    source: str = ""
    config: Mapping[str, str] = field(default_factory=dict[str, str])
    fixtures: Mapping[str, Fixture] = field(default_factory=dict[str, Fixture])
    outputs: Mapping[str, OutputFixture] = field(default_factory=dict[str, OutputFixture])
    ids: Callable[[str, str], str] | None = None
    """The id of a resource in a preview, by its type and name. `None`: it is not known."""


class Monitor(ResourceMonitorServicer):
    """Resource monitor that records every registration in `registry` and responds like an engine with an empty state."""

    def __init__(self, deployment: Deployment, registry: Registry, transforms: Transforms) -> None:
        self._deployment = deployment
        self._registry = registry
        self._transforms = transforms

    def GetDeploymentInfo(self, request: Empty, context: grpc.ServicerContext) -> proto.DeploymentInfo:
        """Returns project, stack and the supported features."""
        deployment = self._deployment
        return proto.DeploymentInfo(
            project=deployment.project,
            stack=deployment.stack,
            organization=ORGANIZATION,
            dryRun=deployment.preview,
            parallel=PARALLEL,
            supportedFeatures=FEATURES,
        )

    def RegisterResource(self, request: proto.RegisterResourceRequest, context: grpc.ServicerContext) -> proto.RegisterResourceResponse:
        """Registers a custom resource or a component."""
        if request.remote and request.type not in YAML_GROUPS:
            message = (
                f"remote component '{request.name}' ({request.type}): it runs inside a provider plugin, which the embedded engine does not support"
            )
            _refuse(context, message + self._place(request))
        try:
            self._registry.complete(request, self._transforms)
        except grpc.RpcError as error:
            _refuse(context, f"a transform of '{request.name}' ({request.type}) failed: {_reason(error)}")
        urn = self._urn(request)
        id_ = self._id(request.type, request.name) if request.custom else ""
        # A component has only the outputs that it registers itself later.
        state = self._state(request, request.object, context) if request.custom else Struct()
        self._add(urn, Registered(request, id_, state), context)
        if request.remote:
            try:
                children = list(registrations(request, urn, Path(url2pathname(self._deployment.source.removeprefix("file://")))))
            except TextError as error:
                _refuse(context, f"objects of '{request.name}' ({request.type}): {error}{self._place(request)}")
            for child in children:
                self.RegisterResource(child, context)
        return proto.RegisterResourceResponse(urn=urn, id=id_, object=state)

    def ReadResource(self, request: proto.ReadResourceRequest, context: grpc.ServicerContext) -> proto.ReadResourceResponse:
        """Records a resource that exists already: only its id is known."""
        if request.type == STACK_REFERENCE and not self._deployment.preview and request.type not in self._deployment.outputs:
            _refuse(context, f"the stack '{request.id}' cannot be read here. Provide its outputs: {_EXPORTS}")
        urn = self._urn(request)
        id_ = "" if request.id == UNKNOWN else request.id
        state = self._state(request, request.properties, context)
        self._add(urn, Registered(request, id_, state), context)
        return proto.ReadResourceResponse(urn=urn, id=id_, properties=state)

    def ExistsResource(self, request: proto.ExistsResourceRequest, context: grpc.ServicerContext) -> proto.ExistsResourceResponse:
        """Responds that it is unknown: there is no cloud."""
        return proto.ExistsResourceResponse(unknown=True)

    def RegisterResourceOutputs(self, request: proto.RegisterResourceOutputsRequest, context: grpc.ServicerContext) -> Empty:
        """Records the outputs of a component or of the stack."""
        self._registry.set_outputs(request.urn, request.outputs)
        return Empty()

    def Invoke(self, request: proto.ResourceInvokeRequest, context: grpc.ServicerContext) -> proto.ResourceInvokeResponse:
        """Answers a function of a provider from a fixture."""
        if request.tok == "pulumi:pulumi:getResource":
            return self._get_resource(request, context)
        try:
            self._transforms.apply_to_invoke(request)
        except grpc.RpcError as error:
            _refuse(context, f"a transform of invoke {request.tok} failed: {_reason(error)}")
        fixture = self._deployment.fixtures.get(request.tok)
        if fixture is None:
            _refuse(context, _NO_CLOUD.format(request.tok))
        if request.tok in ASSUMED and fixture is DEFAULTS[request.tok]:
            self._registry.assume(request.tok)
        settings = self._registry.provider_settings(request, self._deployment.config)
        return invoke_answer(_answer(context, "", lambda: fixture(settings | plain_of(request.args))))

    def Call(self, request: proto.ResourceCallRequest, context: grpc.ServicerContext) -> NoReturn:
        """Rejects a method of a remote component."""
        _refuse(context, f"call of {request.tok}: it runs inside a provider plugin, which the embedded engine does not support")

    def RegisterPackage(self, request: proto.RegisterPackageRequest, context: grpc.ServicerContext) -> proto.RegisterPackageResponse:
        """Names a parameterized package. The real engine uses a random name; this one is the same in every run."""
        parameter = request.parameterization if request.HasField("parameterization") else request.extension
        names = (f"{request.name}@{request.version}", f"{parameter.name}@{parameter.version}" if parameter.name else "")
        return proto.RegisterPackageResponse(ref="/".join(filter(None, names)))

    def RegisterStackTransform(self, request: Callback, context: grpc.ServicerContext) -> Empty:
        """Adds a transform of all resources."""
        self._transforms.add_to_stack(request)
        return Empty()

    def RegisterStackInvokeTransform(self, request: Callback, context: grpc.ServicerContext) -> Empty:
        """Adds a transform of all invokes."""
        self._transforms.add_to_invokes(request)
        return Empty()

    def RegisterResourceHook(self, request: proto.RegisterResourceHookRequest, context: grpc.ServicerContext) -> Empty:
        """Accepts a hook, which never runs: nothing is created."""
        return Empty()

    def RegisterErrorHook(self, request: proto.RegisterErrorHookRequest, context: grpc.ServicerContext) -> Empty:
        """Accepts a hook, which never runs: nothing can fail."""
        return Empty()

    def SignalAndWaitForShutdown(self, request: Empty, context: grpc.ServicerContext) -> Empty:
        """Returns at once: there are no deletions to wait for."""
        return Empty()

    def _get_resource(self, request: proto.ResourceInvokeRequest, context: grpc.ServicerContext) -> proto.ResourceInvokeResponse:
        urn = request.args.fields["urn"].string_value
        resource = self._registry.get(urn)
        if resource is None:
            _refuse(context, f"no resource '{urn}' is registered")
        answer = struct_of({"urn": urn, "id": resource.id})
        answer.fields["state"].struct_value.CopyFrom(resource.state)
        return invoke_answer(answer)

    def _state(self, request: proto.RegisterResourceRequest | proto.ReadResourceRequest, inputs: Struct, context: grpc.ServicerContext) -> Struct:
        """Outputs of a resource: its inputs and, in an update, the outputs of a fixture. The SDK treats all others as unknown."""
        state = outputs_from_inputs(request.type, inputs)
        fixtures = self._deployment.outputs
        fixture = fixtures.get(request.type, fixtures.get(default_type(request.type)))
        if fixture is not None and (not self._deployment.preview or self._deployment.ids is not None):
            outputs = _answer(context, f"outputs of '{request.name}' ({request.type}): ", lambda: fixture(request.name, plain_of(inputs)))
            for name, value in outputs.fields.items():
                state.fields[name].CopyFrom(value)
        hide(state, request.additionalSecretOutputs, known=not self._deployment.preview)
        return state

    def _id(self, type_: str, name: str) -> str:
        if not self._deployment.preview:
            return f"{name}-id"
        return self._deployment.ids(type_, name) if self._deployment.ids is not None else ""

    def _urn(self, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> str:
        return make_urn(self._deployment.stack, self._deployment.project, request.parent, request.type, request.name)

    def _add(self, urn: str, resource: Registered, context: grpc.ServicerContext) -> None:
        try:
            self._registry.add(urn, resource)
        except DuplicateUrnError as error:
            _refuse(context, str(error) + self._place(resource.request))

    def _place(self, request: proto.RegisterResourceRequest | proto.ReadResourceRequest) -> str:
        """The place of a resource in the program's own files: the registration runs later and has no traceback of its own."""
        for uri, line in stack_of(request):
            if uri.startswith(self._deployment.source) and "/site-packages/" not in uri:
                return f'\n  File "{url2pathname(uri.removeprefix("file://"))}", line {line}'
        return ""


def _answer(context: grpc.ServicerContext, what: str, fixture: Callable[[], Mapping[str, JsonValue]]) -> Struct:
    try:
        return struct_of(fixture())
    except Exception as error:  # noqa: BLE001 - a fixture is code of the user
        _refuse(context, f"{what}the fixture failed: {type(error).__name__}: {error}")


def _refuse(context: grpc.ServicerContext, message: str) -> NoReturn:
    context.abort(grpc.StatusCode.FAILED_PRECONDITION, message)
    raise AssertionError  # not reached: `abort` raises, but is not declared so


def _reason(error: grpc.RpcError) -> str:
    """The error of the program's callback, without the random name of the callback and without lines of installed packages."""
    message = re.sub(r"^Invoke callback \S+ error: ", "", status_details(error))
    return re.sub(r'^  File "[^"]*/site-packages/.*\n(?:    .*\n?)*', "", message, flags=re.MULTILINE).rstrip(":\n")
