"""What others need of a cluster: known once Azure has answered, never `None`, and unknown in every preview before."""

import pytest

from nodepools import ApiServer, testing
from nodepools.aks import KubeletIdentity

GIVEN = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/net/providers"
ZERO = "00000000-0000-0000-0000-000000000000"
REGISTRY = f"{GIVEN}/Microsoft.ContainerRegistry/registries/shop"
IDENTITIES = f"{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities"
BROUGHT = KubeletIdentity(id=f"{IDENTITIES}/nodes", client_id="c", object_id="o")
SECRETS = {"overrides": {"addon_profiles": {"azureKeyvaultSecretsProvider": {"enabled": True}}}}
TOLD = ("identity_object_id", "kubelet_client_id", "kubelet_object_id", "add_on_client_ids", "add_on_object_ids", "outbound_ip_ids", "oidc_issuer")
"""Outputs that only Azure knows."""
SYSTEM_ASSIGNED = {
    "azure-native:containerservice:ManagedCluster": lambda *_: {
        "identity": {"type": "SystemAssigned", "principalId": "p"},
        "resourceUID": "u",
    }
}


def outputs(graph):
    return graph.one("AksCluster/dev-weu").outputs


def test_what_azure_tells(deploy):
    found = outputs(deploy(**SECRETS, api_server=ApiServer(private=True)))
    assert {name: found[name] for name in ("identity_object_id", "kubelet_client_id", "kubelet_object_id")} == dict.fromkeys(
        ("identity_object_id", "kubelet_client_id", "kubelet_object_id"), ZERO
    )
    assert found["add_on_client_ids"] == found["add_on_object_ids"] == {"azureKeyvaultSecretsProvider": ZERO}
    assert [address.rpartition("/")[2] for address in found["outbound_ip_ids"]] == ["outbound"]
    assert found["private_fqdn"] == "dev-weu-00000000.example.privatelink.azmk8s.io"
    assert found["node_resource_group"] == "dev-weu-nodes"


def test_a_public_api_server_has_no_private_name(deploy, preview):
    assert outputs(deploy(preview=preview))["private_fqdn"] == ""


@pytest.mark.parametrize(
    "fields",
    [{}, {"registries": [REGISTRY]}, SECRETS, {"identity": "system"}, {"identity": f"{IDENTITIES}/i"}],
    ids=["the least", "nodes of their own", "an add-on", "of AKS", "brought"],
)
def test_a_preview_knows_none_of_it(deploy, fields):
    found = outputs(deploy(**fields, preview=True))
    assert {found[name] for name in TOLD} == {testing.UNKNOWN}


def test_an_identity_that_is_brought_is_known_in_a_preview(deploy):
    found = outputs(deploy(kubelet_identity=BROUGHT, preview=True))
    assert (found["kubelet_client_id"], found["kubelet_object_id"]) == ("c", "o")


def test_the_preview_of_a_change_knows_none_of_it_either(deploy):
    before = deploy(registries=[REGISTRY])
    found = outputs(deploy(registries=[REGISTRY], tier="Free", preview=True, since=before))
    assert {name for name in TOLD if found[name] != testing.UNKNOWN} <= {"identity_object_id", "kubelet_client_id", "kubelet_object_id"}
    assert None not in found.values()


def test_the_identity_that_aks_assigns_is_told(deploy):
    found = outputs(deploy(identity="system", outputs=SYSTEM_ASSIGNED))
    assert found["identity_object_id"] == "p"
