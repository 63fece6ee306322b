"""Resource options that are set, with the names that Pulumi's engine uses.

Aliases of resources.

The SDK sends aliases to the engine and also computes the URN of each, which only engines before 2022 need. A resource of a provider has about
fifty aliases, one for each version of its API, so that these URNs take most of the time of a run.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pulumi
import pulumi.resource
from google.protobuf.struct_pb2 import Value
from pulumi.runtime.proto.alias_pb2 import Alias
from pulumi.runtime.proto.resource_pb2 import ReadResourceRequest, RegisterResourceRequest

from nodepools.engine.property_values import JsonValue, to_json
from nodepools.engine.protocol import aliases_of
from nodepools.engine.urns import provider_urn

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
