"""Changes inputs of Pulumi's protocol in place: secrets and unknown values keep their marks."""

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine.signatures import SECRET, SIGNATURE


def mapping_at(properties: Struct, *steps: str) -> Struct | None:
    """Returns the mapping at a path, and creates it if it is missing; `None` if the path leads through another type of value."""
    here = properties
    for step in steps:
        if step not in here.fields or here.fields[step].WhichOneof("kind") in (None, "null_value"):
            here.fields[step].struct_value.Clear()
        value = opened(here.fields[step])
        if value.WhichOneof("kind") != "struct_value" or SIGNATURE in value.struct_value.fields:
            return None
        here = value.struct_value
    return here


def mappings_in(properties: Struct, name: str) -> list[Struct]:
    """Returns the mappings in a list; none if the list is unknown."""
    if name not in properties.fields:
        return []
    entries = opened(properties.fields[name]).list_value.values
    return [opened(entry).struct_value for entry in entries if opened(entry).WhichOneof("kind") == "struct_value"]


def opened(value: Value) -> Value:
    """Returns the value inside a secret, to read or change it in place; any other value unchanged."""
    while SIGNATURE in value.struct_value.fields and value.struct_value.fields[SIGNATURE].string_value == SECRET:
        value = value.struct_value.fields["value"]
    return value
