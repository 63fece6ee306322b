"""Inputs that come back in another shape."""

import pytest

from nodepools.engine.echo import echoed
from nodepools.engine.values import SECRET, SIGNATURE, UNKNOWN, JsonValue, struct_of

CLUSTER = "azure-native:containerservice:ManagedCluster"


@pytest.mark.parametrize(
    ("sent", "back"),
    [
        pytest.param(
            {"type": "UserAssigned", "userAssignedIdentities": ["a", "b"]},
            {"type": "UserAssigned", "userAssignedIdentities": {"a": {}, "b": {}}},
            id="a list of ids comes back as a mapping",
        ),
        pytest.param({"type": "UserAssigned", "userAssignedIdentities": ["a", UNKNOWN]}, UNKNOWN, id="an unknown id cannot be a key"),
        pytest.param(
            {"type": "UserAssigned", "userAssignedIdentities": UNKNOWN},
            {"type": "UserAssigned", "userAssignedIdentities": UNKNOWN},
            id="nor can an unknown list",
        ),
        pytest.param({"type": "SystemAssigned"}, {"type": "SystemAssigned"}, id="without ids it stays as it is"),
        pytest.param(UNKNOWN, UNKNOWN, id="so does an unknown identity"),
        pytest.param({SIGNATURE: SECRET, "value": "x"}, {SIGNATURE: SECRET, "value": "x"}, id="and a secret one"),
    ],
)
def test_the_identity_of_a_cluster(sent: JsonValue, back: JsonValue) -> None:
    assert echoed(CLUSTER, struct_of({"identity": sent, "location": "here"})) == struct_of({"identity": back, "location": "here"})
    assert echoed("any:other:Type", struct_of({"identity": sent})) == struct_of({"identity": sent})
