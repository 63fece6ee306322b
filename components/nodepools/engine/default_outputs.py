"""What of a resource's inputs is among its outputs: all, but some in another shape than they were sent in."""

from collections.abc import Callable, Iterable, Mapping

from google.protobuf.struct_pb2 import Struct, Value

from nodepools.engine.property_values import secret, unknown
from nodepools.engine.signatures import UNKNOWN


def outputs_from_inputs(type_: str, inputs: Struct) -> Struct:
    """The inputs as they come back. One that came back in the wrong shape would have the SDK stumble."""
    reshaped = _RESHAPED.get(type_, {})
    return Struct(fields={name: reshaped[name](value) if name in reshaped else value for name, value in inputs.fields.items()})


def hide(state: Struct, names: Iterable[str], *, known: bool) -> None:
    """Makes these outputs secret, as `additional_secret_outputs` asks; one that is not there yet too, where not all are `known`."""
    for name in names:
        if name in state.fields or not known:
            value = secret(state.fields[name] if name in state.fields else unknown())  # before the field is there by being asked for
            state.fields[name].CopyFrom(value)


def _identities_by_id(identity: Value) -> Value:
    """A list of ids is sent, a mapping by id comes back."""
    fields = dict(identity.struct_value.fields)
    sent = fields.pop("userAssignedIdentities", Value())
    if not sent.HasField("list_value"):
        return identity  # none were sent, or all of it is unknown or secret
    ids = [value.string_value for value in sent.list_value.values]
    if UNKNOWN in ids:
        return unknown()
    by_id = Struct(fields={id_: Value(struct_value=Struct()) for id_ in ids})
    return Value(struct_value=Struct(fields={**fields, "userAssignedIdentities": Value(struct_value=by_id)}))


_RESHAPED: Mapping[str, Mapping[str, Callable[[Value], Value]]] = {
    "azure-native:containerservice:ManagedCluster": {"identity": _identities_by_id},
}
