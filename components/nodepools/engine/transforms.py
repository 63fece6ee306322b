"""Transforms: functions of the program that can change registrations and invokes, called over gRPC."""

import threading
from collections.abc import Iterable

import grpc
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import resource_pb2 as proto
from pulumi.runtime.proto.callback_pb2 import Callback

from nodepools.engine.property_values import as_output, from_output, output_dependencies
from nodepools.engine.protocol import add_alias, call_back, transforms_of

# The limits of the SDK: a resource can contain a whole manifest. Proxies of the environment are not for the loopback interface.
CHANNEL_OPTIONS = (("grpc.max_receive_message_length", 400 << 20), ("grpc.max_send_message_length", 400 << 20), ("grpc.enable_http_proxy", 0))

# Names of the same option in a registration and in requests and responses of a transform.
_OPTIONS = (
    ("additionalSecretOutputs", "additional_secret_outputs"),
    ("aliases", "aliases"),
    ("customTimeouts", "custom_timeouts"),
    ("deletedWith", "deleted_with"),
    ("dependencies", "depends_on"),
    ("hideDiffs", "hide_diff"),
    ("hooks", "hooks"),
    ("ignoreChanges", "ignore_changes"),
    ("importId", "import"),
    ("pluginChecksums", "plugin_checksums"),
    ("pluginDownloadURL", "plugin_download_url"),
    ("protect", "protect"),
    ("provider", "provider"),
    ("providers", "providers"),
    ("replaceOnChanges", "replace_on_changes"),
    ("replace_with", "replace_with"),
    ("replacement_trigger", "replacement_trigger"),
    ("retainOnDelete", "retain_on_delete"),
    ("version", "version"),
)


class Transforms:
    """The transforms of one run, and the channels to the program that runs them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channels: dict[str, grpc.Channel] = {}
        self._of_stack: list[Callback] = []
        self._of_invokes: list[Callback] = []

    def add_to_stack(self, callback: Callback) -> None:
        """Registers a transform for every later resource."""
        with self._lock:
            self._of_stack.append(callback)

    def add_to_invokes(self, callback: Callback) -> None:
        """Registers a transform for every later invoke."""
        with self._lock:
            self._of_invokes.append(callback)

    def apply(self, request: proto.RegisterResourceRequest, of_parents: Iterable[Callback]) -> None:
        """Applies to `request` its own transforms, then those of its parents, then those of the stack."""
        with self._lock:
            callbacks = [*transforms_of(request), *of_parents, *self._of_stack]
        if not callbacks:
            return
        dependencies = {name: set(listed.urns) for name, listed in request.propertyDependencies.items()}
        properties = Struct(fields={name: as_output(value, dependencies.get(name, ())) for name, value in request.object.fields.items()})
        options = _options(request)
        for callback in callbacks:
            message = proto.TransformRequest(
                type=request.type, name=request.name, custom=request.custom, parent=request.parent, properties=properties, options=options
            )
            answer = proto.TransformResponse.FromString(self._call(callback, message.SerializeToString()))
            properties = answer.properties if answer.HasField("properties") else properties
            options = answer.options if answer.HasField("options") else options
        _take_options(request, options)
        _take_properties(request, properties)

    def apply_to_invoke(self, request: proto.ResourceInvokeRequest) -> None:
        """Applies the transforms of invokes to `request`."""
        with self._lock:
            callbacks = list(self._of_invokes)
        for callback in callbacks:
            options = proto.TransformInvokeOptions(provider=request.provider, plugin_download_url=request.pluginDownloadURL, version=request.version)
            message = proto.TransformInvokeRequest(token=request.tok, args=request.args, options=options)
            answer = proto.TransformInvokeResponse.FromString(self._call(callback, message.SerializeToString()))
            if answer.HasField("args"):
                request.args.CopyFrom(answer.args)
            if answer.HasField("options"):
                request.provider = answer.options.provider
                request.pluginDownloadURL = answer.options.plugin_download_url
                request.version = answer.options.version

    def close(self) -> None:
        """Closes the channels; a call under way fails."""
        with self._lock:
            for channel in self._channels.values():
                channel.close()
            self._channels.clear()

    def _call(self, callback: Callback, request: bytes) -> bytes:
        with self._lock:
            channel = self._channels.get(callback.target)
            if channel is None:
                channel = self._channels[callback.target] = grpc.insecure_channel(callback.target, options=CHANNEL_OPTIONS)
        return call_back(channel, callback, request)


def _options(request: proto.RegisterResourceRequest) -> proto.TransformResourceOptions:
    options = proto.TransformResourceOptions()
    _copy(request, options, _OPTIONS)
    for urn in request.aliasURNs:
        add_alias(options, urn)
    if request.deleteBeforeReplaceDefined:
        options.delete_before_replace = request.deleteBeforeReplace
    return options


def _take_options(request: proto.RegisterResourceRequest, options: proto.TransformResourceOptions) -> None:
    _copy(options, request, [(theirs, ours) for ours, theirs in _OPTIONS])
    request.ClearField("aliasURNs")  # they are among the aliases now
    request.deleteBeforeReplaceDefined = options.HasField("delete_before_replace")
    request.deleteBeforeReplace = options.delete_before_replace


def _copy(source: Message, target: Message, names: Iterable[tuple[str, str]]) -> None:
    """Copies fields from `source` to `target`; fields that are not set in `source` are cleared."""
    values = {field.name: value for field, value in source.ListFields()}
    for name, new_name in names:
        target.ClearField(new_name)
        match values.get(name):
            case None:
                pass
            case bool() | str() as word:
                setattr(target, new_name, word)
            case Message() as message:
                getattr(target, new_name).CopyFrom(message)
            case several:  # a list or a map
                getattr(target, new_name).MergeFrom(several)


def _take_properties(request: proto.RegisterResourceRequest, properties: Struct) -> None:
    """Sets the properties that the last transform returned.

    The SDK loses the dependencies of a value that a transform returns, so the earlier dependencies are kept.
    """
    for name in list(request.propertyDependencies):
        if name not in properties.fields:
            del request.propertyDependencies[name]
    for name, value in properties.fields.items():
        found = set(output_dependencies(value))
        if found:
            known = request.propertyDependencies[name].urns
            known.extend(sorted(found - set(known)))
            request.dependencies.extend(sorted(found - set(request.dependencies)))
    request.object.CopyFrom(Struct(fields={name: from_output(value) for name, value in properties.fields.items()}))
