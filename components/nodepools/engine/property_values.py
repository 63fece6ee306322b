"""Converts property values between protobuf, where a marked value is a map with a signature, and JSON, where marks have names.

Outputs of a resource follow from its inputs. URNs have the format of Pulumi's engine.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from google.protobuf.struct_pb2 import ListValue, Struct, Value

from nodepools.engine.signatures import ASSETS, OUTPUT, RESOURCE, SECRET, SIGNATURE, UNKNOWN

_OF_VERSION = re.compile(r"^(azure-native)_(\w+?)_v\d+(?=:\2:)")
STACK_TYPE = "pulumi:pulumi:Stack"
PROVIDER_PREFIX = "pulumi:providers:"
T = TypeVar("T")


def make_urn(stack: str, project: str, parent: str, type_: str, name: str) -> str:
    """The URN of a new resource. It contains the types of all parents except the stack, but not their names."""
    parents = qualified_type(parent)
    qualified = type_ if parents in ("", STACK_TYPE) else f"{parents}${type_}"
    return f"urn:pulumi:{stack}::{project}::{qualified}::{name}"


def qualified_type(urn: str) -> str:
    """The types of the parents and of the resource, joined by `$`; empty for an empty URN."""
    return urn.split("::", 3)[2] if urn else ""


def type_of(urn: str) -> str:
    """The type of the resource, without those of its parents."""
    return qualified_type(urn).rpartition("$")[2]


def default_type(type_: str) -> str:
    """The type in the package of the default version of the API: azure-native has a package for each other version."""
    return _OF_VERSION.sub(r"\1", type_)


def package_of(token: str) -> str:
    """The provider package that serves a type or a function: `aws` of `aws:eks/cluster:Cluster`, and of its provider."""
    return token.removeprefix(PROVIDER_PREFIX) if token.startswith(PROVIDER_PREFIX) else token.partition(":")[0]


def provider_urn(reference: str) -> str:
    """The URN in a provider reference (`<urn>::<id>`); the id has no meaning in a plan."""
    return reference.rpartition("::")[0]


JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"


def unknown() -> Value:
    """A value that is known only after an update."""
    return Value(string_value=UNKNOWN)


def secret(value: Value) -> Value:
    """The value marked as secret; a secret value is returned unchanged."""
    return value if _signature(value) == SECRET else _marked(SECRET, value=value)


def is_secret(value: Value) -> bool:
    """Whether the value is marked as secret."""
    return _signature(value) == SECRET


def struct_of(values: Mapping[str, JsonValue]) -> Struct:
    """Plain values as a protobuf struct."""
    struct = Struct()
    struct.update(values)
    return struct


def json_of(struct: Struct) -> dict[str, JsonValue]:
    """Properties to print: secrets are hidden, unknown values are marked."""
    return {name: to_json(value) for name, value in sorted(struct.fields.items())}


def plain_of(struct: Struct) -> dict[str, JsonValue]:
    """Properties for a fixture: secrets are decrypted, unknown values are omitted."""
    return {name: _to_plain(value) for name, value in sorted(struct.fields.items()) if value.string_value != UNKNOWN}


def to_json(value: Value) -> JsonValue:
    """One value to print; see `json_of`."""
    if value.string_value == UNKNOWN:
        return {"$unknown": True}
    sign = _signature(value)
    fields = value.struct_value.fields
    if sign == SECRET or (sign == OUTPUT and "secret" in fields and fields["secret"].bool_value):
        return {"$secret": True}
    if sign == OUTPUT:
        return to_json(fields["value"]) if "value" in fields else {"$unknown": True}
    if sign == RESOURCE:
        return {"$resource": fields["urn"].string_value}
    if sign in ASSETS:
        return {ASSETS[sign]: {name: to_json(part) for name, part in sorted(fields.items()) if name != SIGNATURE}}
    return converted(value, to_json)


def secret_texts(value: Value) -> Iterator[str]:
    """The texts inside values that are marked as secret."""
    if is_secret(value):
        yield from _texts(value.struct_value.fields["value"])
        return
    for part in (*value.struct_value.fields.values(), *value.list_value.values):
        yield from secret_texts(part)


def _texts(value: Value) -> Iterator[str]:
    if value.string_value and value.string_value != UNKNOWN:
        yield value.string_value
    for name, part in value.struct_value.fields.items():
        yield from _texts(part) if name != SIGNATURE else ()
    for part in value.list_value.values:
        yield from _texts(part)


def _to_plain(value: Value) -> JsonValue:
    if value.string_value == UNKNOWN:
        return None
    if _signature(value) == SECRET:
        return _to_plain(value.struct_value.fields["value"])
    return converted(value, _to_plain)


def converted(value: Value, convert: Callable[[Value], T]) -> dict[str, T] | list[T] | str | bool | float | None:
    """A value that has no mark, with its parts as `convert` returns them."""
    match value.WhichOneof("kind"):
        case "struct_value":
            return {name: convert(part) for name, part in sorted(value.struct_value.fields.items())}
        case "list_value":
            return [convert(part) for part in value.list_value.values]
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "number_value":
            # Protobuf has floats only.
            return int(value.number_value) if value.number_value.is_integer() else value.number_value
        case _:
            return None


def as_output(value: Value, dependencies: Iterable[str] = ()) -> Value:
    """The value as a transform receives it: unknown, secret and dependent values become outputs."""
    sign = _signature(value)
    if value.string_value == UNKNOWN:
        lifted = _marked(OUTPUT)
    elif sign == SECRET:
        inner = as_output(value.struct_value.fields["value"])
        lifted = inner if _signature(inner) == OUTPUT else _marked(OUTPUT, value=inner)
        lifted.struct_value.fields["secret"].bool_value = True
    else:
        lifted = value if sign else _rebuilt(value, as_output)
    urns = [Value(string_value=urn) for urn in sorted(dependencies)]
    if urns:
        lifted = lifted if _signature(lifted) == OUTPUT else _marked(OUTPUT, value=lifted)
        lifted.struct_value.fields["dependencies"].list_value.values.extend(urns)
    return lifted


def from_output(value: Value) -> Value:
    """The value that a transform returned, with outputs converted back to plain, unknown and secret values."""
    sign = _signature(value)
    if sign != OUTPUT:
        return value if sign in (RESOURCE, *ASSETS) else _rebuilt(value, from_output)
    fields = value.struct_value.fields
    inner = from_output(fields["value"]) if "value" in fields else unknown()
    return secret(inner) if "secret" in fields and fields["secret"].bool_value else inner


def output_dependencies(value: Value) -> Iterator[str]:
    """The URNs that the outputs inside a value depend on."""
    fields = value.struct_value.fields
    if _signature(value) == OUTPUT and "dependencies" in fields:
        yield from (urn.string_value for urn in fields["dependencies"].list_value.values)
    for part in (*fields.values(), *value.list_value.values):
        yield from output_dependencies(part)


def _rebuilt(value: Value, convert: Callable[[Value], Value]) -> Value:
    match value.WhichOneof("kind"):
        case "struct_value":
            return Value(struct_value=Struct(fields={name: convert(part) for name, part in value.struct_value.fields.items()}))
        case "list_value":
            return Value(list_value=ListValue(values=[convert(part) for part in value.list_value.values]))
        case _:
            return value


def _signature(value: Value) -> str:
    fields = value.struct_value.fields
    return fields[SIGNATURE].string_value if SIGNATURE in fields else ""


def _marked(signature: str, **fields: Value) -> Value:
    return Value(struct_value=Struct(fields={SIGNATURE: Value(string_value=signature), **fields}))


def outputs_from_inputs(type_: str, inputs: Struct) -> Struct:
    """The inputs as the provider returns them: the SDK fails on an output in the wrong form."""
    reshaped = _RESHAPED.get(default_type(type_), {})
    return Struct(fields={name: reshaped[name](value) if name in reshaped else value for name, value in inputs.fields.items()})


def hide(state: Struct, names: Iterable[str], *, known: bool) -> None:
    """Makes the outputs of `additional_secret_outputs` secret; also missing ones, unless all outputs are `known`."""
    for name in names:
        if name in state.fields or not known:
            value = secret(state.fields[name] if name in state.fields else unknown())  # computed first: reading a missing field creates it
            state.fields[name].CopyFrom(value)


def _identities_by_id(identity: Value) -> Value:
    """The request has a list of ids, the response a mapping by id."""
    fields = dict(identity.struct_value.fields)
    sent = fields.pop("userAssignedIdentities", Value())
    if not sent.HasField("list_value"):
        return identity  # no ids, or the identity is unknown or secret as a whole
    ids = [value.string_value for value in sent.list_value.values]
    if UNKNOWN in ids:
        return unknown()
    by_id = Struct(fields={id_: Value(struct_value=Struct()) for id_ in ids})
    return Value(struct_value=Struct(fields={**fields, "userAssignedIdentities": Value(struct_value=by_id)}))


_RESHAPED: Mapping[str, Mapping[str, Callable[[Value], Value]]] = {"azure-native:containerservice:ManagedCluster": {"identity": _identities_by_id}}
