"""Whom a cluster acts as, and what is granted to it."""

import pytest

from nodepools import StackOutput
from nodepools.aks.role_assignments import CLUSTER_ADMIN, NETWORK_CONTRIBUTOR, role_definition_id

IDENTITY = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/brought"


def test_the_cluster_acts_as_an_identity_of_its_own(deploy):
    graph = deploy()
    assert graph.one("ManagedCluster").inputs["identity"] == {"type": "UserAssigned", "userAssignedIdentities": ["dev-weu-id"]}
    assert graph.one("ManagedCluster").depends_on("UserAssignedIdentity/dev-weu")


def test_it_may_use_the_whole_network_before_there_is_a_cluster(deploy, preview):
    graph = deploy(preview=preview)
    grant = graph.one("RoleAssignment/dev-weu-network")
    assert grant.inputs["principalType"] == "ServicePrincipal"
    assert grant.depends_on("VirtualNetwork/dev-weu")
    assert graph.one("ManagedCluster").depends_on(grant)


def test_its_role_is_network_contributor(deploy):
    grant = deploy().one("RoleAssignment/dev-weu-network")
    assert grant.inputs["roleDefinitionId"].endswith(NETWORK_CONTRIBUTOR)
    assert grant.inputs["scope"].endswith("/virtualNetworks/dev-weu")


@pytest.mark.parametrize("ref", [IDENTITY, StackOutput("acme/rights/dev", "identity")])
def test_nothing_is_granted_to_a_brought_identity(deploy, ref):
    graph = deploy(identity=ref, stacks={"acme/rights/dev": {"identity": IDENTITY}})
    assert not graph.all("UserAssignedIdentity")
    assert not graph.all("RoleAssignment/dev-weu-network")
    assert graph.one("ManagedCluster").inputs["identity"]["userAssignedIdentities"] == [IDENTITY]


def test_nothing_is_granted_to_the_identity_that_aks_assigns(deploy, preview):
    graph = deploy(identity="system", preview=preview)
    assert not graph.all("UserAssignedIdentity")
    assert not graph.all("RoleAssignment/dev-weu-network")
    assert graph.one("ManagedCluster").inputs["identity"] == {"type": "SystemAssigned"}


@pytest.mark.parametrize(
    ("resource", "subscription"),
    [
        pytest.param("/subscriptions/s/resourceGroups/g/providers/p/t/n", "/subscriptions/s", id="in the subscription of the resource"),
        pytest.param("made-up", "", id="anywhere, where an id tells none"),
    ],
)
def test_a_role_is_spelled_as_azure_tells_it_back(resource, subscription):
    assert role_definition_id(CLUSTER_ADMIN, resource) == f"{subscription}/providers/Microsoft.Authorization/roleDefinitions/{CLUSTER_ADMIN}"


def test_the_identity_may_read_the_disk_encryption_set_and_write_the_zone_before_the_cluster(deploy):
    group = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/net/providers"
    graph = deploy(
        disk_encryption_set_id=f"{group}/Microsoft.Compute/diskEncryptionSets/d",
        private_dns_zone=f"{group}/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io",
        api_server={"private": True},
    )
    for word, scope in {"disks": "diskEncryptionSets/d", "zone": "privateDnsZones/privatelink.westeurope.azmk8s.io"}.items():
        grant = graph.one(f"RoleAssignment/dev-weu-{word}")
        assert grant.inputs["scope"].endswith(scope)
        assert graph.one("ManagedCluster").depends_on(grant)


def test_a_zone_that_azure_keeps_needs_no_right(deploy):
    graph = deploy(private_dns_zone="system", api_server={"private": True})
    assert not graph.all("RoleAssignment/dev-weu-zone")
