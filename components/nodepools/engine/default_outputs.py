"""Outputs of a resource from its inputs: all inputs, some of them in another form."""

from collections.abc import Callable, Iterable, Mapping

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine.property_values import secret, unknown
from nodepools.engine.signatures import UNKNOWN


def outputs_from_inputs(type_: str, inputs: Struct) -> Struct:
    """The inputs as the provider returns them: the SDK fails on an output in the wrong form."""
    reshaped = _RESHAPED.get(type_, {})
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


_RESHAPED: Mapping[str, Mapping[str, Callable[[Value], Value]]] = {
    "azure-native:containerservice:ManagedCluster": {"identity": _identities_by_id},
}
