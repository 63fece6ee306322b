"""Resources of a plan as messages of the Analyzer protocol."""

from collections.abc import Mapping, Sequence

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.plan import PlannedResource
from nodepools.engine.property_values import JsonValue
from nodepools.engine.urns import STACK_TYPE
from nodepools.model.kubernetes.duration import seconds


def request(resource: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzeRequest:
    """The request to check one resource with these inputs."""
    return proto.AnalyzeRequest(
        type=resource.type, urn=resource.urn, name=resource.name, properties=inputs, options=_options(resource), provider=_provider(resource, by_urn)
    )


def finished(resource: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzerResource:
    """A resource in the check of the whole stack: with its outputs, as far as a preview knows them."""
    properties = Struct()
    properties.CopyFrom(inputs if resource.type != STACK_TYPE else resource.wire[1])
    properties.MergeFrom(resource.wire[1])
    return proto.AnalyzerResource(
        type=resource.type,
        urn=resource.urn,
        name=resource.name,
        properties=properties,
        options=_options(resource),
        provider=_provider(resource, by_urn),
        parent=resource.parent if resource.parent is not None else "",
        dependencies=resource.dependencies,
        propertyDependencies={name: proto.AnalyzerPropertyDependencies(urns=urns) for name, urns in resource.property_dependencies.items()},
    )


def _options(resource: PlannedResource) -> proto.AnalyzerResourceOptions:
    options = resource.options
    timeouts = options.get("customTimeouts")
    before = options.get("deleteBeforeReplace")
    return proto.AnalyzerResourceOptions(
        protect=options.get("protect") is True,
        ignoreChanges=_texts(options.get("ignoreChanges")),
        deleteBeforeReplace=before is True,
        deleteBeforeReplaceDefined=before is not None,
        additionalSecretOutputs=_texts(options.get("additionalSecretOutputs")),
        aliases=_texts(options.get("aliases")),
        customTimeouts=proto.AnalyzerResourceOptions.CustomTimeouts(
            **{name: _seconds(time) for name, time in timeouts.items()} if isinstance(timeouts, Mapping) else {}
        ),
        parent=resource.parent if resource.parent is not None else "",
    )


def _provider(resource: PlannedResource, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzerProviderResource | None:
    urn = resource.options.get("provider")
    provider = by_urn.get(urn) if isinstance(urn, str) else None
    if provider is None:
        return None
    return proto.AnalyzerProviderResource(type=provider.type, properties=provider.wire[0], urn=provider.urn, name=provider.name)


def _texts(value: JsonValue) -> list[str]:
    return [part for part in value if isinstance(part, str)] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _seconds(time: JsonValue) -> float:
    """A timeout in seconds: `1h30m`; 0 for other formats."""
    try:
        return float(seconds(str(time)))
    except ValueError:
        return 0.0
