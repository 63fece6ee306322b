"""`ConfigFile` and `ConfigGroup` of `kubernetes.yaml.v2`, and the function of `kubernetes.yaml`: YAML texts that the provider's plugin reads.

Source: pulumi-kubernetes 4.24, `provider/pkg/provider/yaml/v2`.
"""

from collections.abc import Iterable, Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Final, cast

from google.protobuf.struct_pb2 import Value
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.engine.property_values import JsonValue, from_output, is_secret, secret, struct_of
from nodepools.engine.signatures import UNKNOWNS
from nodepools.reading.bounded_input import TextError, file_text
from nodepools.reading.yaml_documents import documents

YAML_GROUPS: Final = frozenset({"kubernetes:yaml/v2:ConfigFile", "kubernetes:yaml/v2:ConfigGroup"})


def decoded(args: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The objects of a text, as `kubernetes:yaml:decode` returns them."""
    return {"result": [cast("JsonValue", one.value) for one in documents(str(args.get("text", "")), "kubernetes:yaml:decode")]}


def registrations(group: RegisterResourceRequest, urn: str, directory: Path) -> Iterator[RegisterResourceRequest]:
    """The registrations of the objects of a group with this URN.

    Raises:
        TextError: they are not known, or cannot be read.
    """
    inputs = {name: from_output(value) for name, value in group.object.fields.items()}
    texts = [text for name, value in inputs.items() for text in (value, *(value.list_value.values if name == "files" else ()))]
    if any(is_secret(text) or text.string_value in UNKNOWNS for text in texts):
        raise TextError("its objects are secret, or known after `pulumi up`")
    prefix = inputs["resourcePrefix"].string_value if "resourcePrefix" in inputs else group.name
    for written in _each(_objects(inputs, directory)):
        held = written.struct_value.fields
        version, kind, metadata = held["apiVersion"].string_value, held["kind"].string_value, held["metadata"].struct_value.fields
        names = [metadata[name].string_value for name in ("namespace", "name") if name in metadata]
        if not (version and kind and "name" in metadata):
            raise TextError("a document is not an object: it has no `apiVersion`, `kind` or `metadata.name`")
        made = RegisterResourceRequest(type=f"kubernetes:{version if '/' in version else f'core/{version}'}:{kind}", parent=urn, custom=True)
        made.name = f"{prefix}:{'/'.join(names)}" if prefix else "/".join(names)
        made.object.CopyFrom(written.struct_value)
        for name in ("data", "stringData") if (version, kind) == ("v1", "Secret") else ():
            if name in held:
                made.object.fields[name].CopyFrom(secret(held[name]))
        made.stackTrace.CopyFrom(group.stackTrace)  # pyright: ignore[reportUnknownMemberType]  # the stub of protobuf has no type for it
        yield made


def _each(objects: Iterable[Value]) -> Iterator[Value]:
    """The objects, with those of lists."""
    for one in objects:
        held = one.struct_value.fields
        is_list = "items" in held and held["kind"].string_value.endswith("List")
        yield from _each(held["items"].list_value.values) if is_list else (one,)


def _objects(inputs: Mapping[str, Value], directory: Path) -> Iterator[Value]:
    names = [inputs[name].string_value for name in ("file",) if name in inputs]
    names += [one.string_value for one in inputs["files"].list_value.values] if "files" in inputs else []
    texts = {"yaml": inputs["yaml"].string_value} if "yaml" in inputs else {}
    for name in names:
        if "://" in name:
            raise TextError(f"{name}: nothing is downloaded here")
        is_pattern = any(letter in name for letter in "*?[")
        matching = glob(name, root_dir=directory, recursive=True, include_hidden=True) if is_pattern else [name]  # noqa: PTH207  # also absolute ones
        found = [directory / each for each in sorted(matching)]
        texts |= {str(file): file_text(file) for file in found}
    for name, text in texts.items():
        yield from struct_of({"all": [cast("JsonValue", one.value) for one in documents(text, name)]}).fields["all"].list_value.values
    yield from inputs["objs"].list_value.values if "objs" in inputs else ()
