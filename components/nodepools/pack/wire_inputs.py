"""Inputs as Pulumi's protocol carries them, changed in place: what is secret or unknown stays marked as such."""

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine.signatures import SECRET, SIGNATURE


def mapping_at(properties: Struct, *steps: str) -> Struct | None:
    """The mapping at a path, made where there is none; `None` where something else stands on the way."""
    held = properties
    for step in steps:
        if step not in held.fields or held.fields[step].WhichOneof("kind") in (None, "null_value"):
            held.fields[step].struct_value.Clear()
        value = opened(held.fields[step])
        if value.WhichOneof("kind") != "struct_value" or SIGNATURE in value.struct_value.fields:
            return None
        held = value.struct_value
    return held


def mappings_in(properties: Struct, name: str) -> list[Struct]:
    """The mappings in a list; none where it is not known."""
    if name not in properties.fields:
        return []
    entries = opened(properties.fields[name]).list_value.values
    return [opened(entry).struct_value for entry in entries if opened(entry).WhichOneof("kind") == "struct_value"]


def opened(value: Value) -> Value:
    """The value inside a secret, to be read or changed where it stands; any other as it is."""
    while SIGNATURE in value.struct_value.fields and value.struct_value.fields[SIGNATURE].string_value == SECRET:
        value = value.struct_value.fields["value"]
    return value
