"""Inputs that come back as outputs."""

import pytest

from nodepools.engine.property_values import json_of, outputs_from_inputs, struct_of
from nodepools.engine.signatures import UNKNOWN

pytestmark = pytest.mark.program

CLUSTER = "azure-native:containerservice:ManagedCluster"


def identity(*ids):
    return {"identity": {"type": "UserAssigned", "userAssignedIdentities": list(ids)}}


@pytest.mark.parametrize(
    ("type_", "sent", "back"),
    [
        pytest.param("a:b:C", {"n": 1, "l": ["x"]}, {"n": 1, "l": ["x"]}, id="most as they were sent"),
        pytest.param(
            CLUSTER,
            {"name": "c", **identity("one", "two")},
            {"name": "c", "identity": {"type": "UserAssigned", "userAssignedIdentities": {"one": {}, "two": {}}}},
            id="a cluster's identities by their ids",
        ),
        pytest.param(CLUSTER, identity(UNKNOWN), {"identity": {"$unknown": True}}, id="not at all where an id is not known"),
        pytest.param(CLUSTER, {"identity": {"type": "SystemAssigned"}}, {"identity": {"type": "SystemAssigned"}}, id="an identity that AKS assigns"),
        pytest.param("a:b:C", identity("one"), identity("one"), id="a list of another type is left alone"),
    ],
)
def test_what_comes_back(type_, sent, back):
    assert json_of(outputs_from_inputs(type_, struct_of(sent))) == back
