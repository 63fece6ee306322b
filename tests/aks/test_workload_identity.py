"""Entra identities of workloads: who is trusted, what is granted, and in which order."""

import pulumi
import pytest

from nodepools import DeclarationError, testing
from nodepools.aks import AksWorkloadIdentity, AzureRole, WorkloadIdentity
from nodepools.model.aks.azure_roles import ROLES

GIVEN = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/Net"
EXISTING = f"{GIVEN}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/jobs"
ZONE = f"{GIVEN}/providers/Microsoft.Network/dnszones/example.com"
DNS = WorkloadIdentity("dns", "external-dns", roles=[AzureRole("DNS Zone Contributor", ZONE), AzureRole(ROLES["Reader"], GIVEN)])


def test_a_service_account_is_trusted_by_an_identity_of_its_own(deploy, preview):
    graph = deploy(workload_identities={"dns": DNS}, preview=preview)
    credential, identity = graph.one("FederatedIdentityCredential"), graph.one("UserAssignedIdentity/dev-weu-workload-dns")
    assert credential.inputs["subject"] == "system:serviceaccount:dns:external-dns"
    assert credential.inputs["audiences"] == ["api://AzureADTokenExchange"]
    assert credential.inputs["issuer"] == (testing.UNKNOWN if preview else "https://oidc.example/dev-weu/")
    assert credential.depends_on(identity)
    assert credential.depends_on("ManagedCluster")
    assert not graph.one("ManagedCluster").depends_on(identity)


def test_its_roles_are_granted_by_name_or_by_id(deploy):
    grants = [node for node in deploy(workload_identities={"dns": DNS}).all("RoleAssignment") if "workload" in node.name]
    assert {(node.inputs["roleDefinitionId"].rpartition("/")[2], node.inputs["scope"]) for node in grants} == {
        (ROLES["DNS Zone Contributor"], ZONE),
        (ROLES["Reader"], GIVEN),
    }


def test_the_order_of_roles_is_of_no_importance(deploy):
    other = WorkloadIdentity("dns", "external-dns", roles=[*reversed(DNS.roles), AzureRole("Reader", GIVEN.lower())])
    names = [{node.name for node in deploy(workload_identities={"dns": one}).all("RoleAssignment")} for one in (DNS, other)]
    assert names[0] == names[1]


def test_client_ids_are_told_for_the_annotation(deploy):
    fields = {"workload_identities": {"dns": DNS, "jobs": WorkloadIdentity("jobs", "run", identity=EXISTING)}}
    assert deploy(**fields).one("AksCluster/dev-weu").outputs["workload_client_ids"] == {"dns": "00000000-0000-0000-0000-000000000000"}
    assert deploy(**fields, preview=True).one("AksCluster/dev-weu").outputs["workload_client_ids"] == testing.UNKNOWN


def test_credentials_of_one_identity_are_made_one_after_another(deploy):
    jobs = {f"job{number}": WorkloadIdentity("jobs", f"job{number}", identity=EXISTING) for number in range(3)}
    graph = deploy(workload_identities={**jobs, "dns": DNS})
    one, two, three = (graph.one(f"FederatedIdentityCredential/dev-weu-workload-job{number}") for number in range(3))
    assert two.depends_on(one)
    assert three.depends_on(two)
    assert {(node.inputs["resourceGroupName"], node.inputs["resourceName"]) for node in (one, two, three)} == {("Net", "jobs")}
    assert not graph.one("FederatedIdentityCredential/dev-weu-workload-dns").depends_on(three)
    assert not [node for node in graph.all("UserAssignedIdentity") if "job" in node.name]


def test_it_works_without_a_cluster_of_ours():
    def program():
        made = AksWorkloadIdentity("dns", DNS, issuer="https://issuer", resource_group_name="rg", location="westeurope", tags={"a": "b"})
        pulumi.export("client", made.client_id)

    graph = testing.run(program)
    assert graph.one("FederatedIdentityCredential").inputs["issuer"] == "https://issuer"
    assert graph.one("UserAssignedIdentity").inputs["tags"] == {"a": "b"}


def test_what_is_wrong_is_said_before_anything_is_made():
    wrong = WorkloadIdentity("dns", "external-dns", roles=[AzureRole("DNS Zone Contributer", ZONE)])
    with pytest.raises(DeclarationError, match="AKS273"):
        testing.run(lambda: AksWorkloadIdentity("dns", wrong, issuer="i", resource_group_name="rg", location="westeurope"))
