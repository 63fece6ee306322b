"""Who may enter a cluster."""

import pulumi
import pytest

from nodepools import AksNodePool, NodeProvisioning, StackOutput
from nodepools.aks import Entra, EntraPrincipal
from nodepools.aks.role_assignments import CLUSTER_ADMIN

DEPLOYER = "00000000-0000-0000-0000-000000000000"  # of the built-in answer
GROUP = "99999999-9999-9999-9999-999999999999"
USER = "AAAAAAAA-9999-9999-9999-999999999999"
PROVISIONED = {"node_provisioning": NodeProvisioning(node_pools={"general": AksNodePool()})}


@pytest.fixture
def granted(deploy):
    """The grants of the cluster-admin role, by principal; the fields of the declaration are keywords."""

    def grants(**fields):
        return {grant.inputs["principalId"]: grant for grant in deploy(**fields).all("RoleAssignment/dev-weu-admin-*")}

    return grants


def test_the_deployer_may_enter(granted, preview):
    (grant,) = granted(preview=preview).values()
    assert grant.depends_on("ManagedCluster/dev-weu")
    assert grant.inputs["principalId"] == DEPLOYER


def test_the_grant_is_cluster_admin_of_this_cluster(granted):
    grant = granted()[DEPLOYER]
    assert grant.inputs["roleDefinitionId"].endswith(CLUSTER_ADMIN)
    assert grant.inputs["scope"].endswith("/managedClusters/dev-weu")


def test_what_the_deployer_is_is_not_said(granted, preview):
    assert "principalType" not in granted(preview=preview)[DEPLOYER].inputs


def test_admins_may_enter_as_what_they_are(granted):
    grants = granted(admins=[EntraPrincipal(GROUP), EntraPrincipal(USER, "User")])
    assert {who: grant.inputs.get("principalType") for who, grant in grants.items()} == {GROUP: "Group", USER: "User", DEPLOYER: None}


def test_a_deployer_who_is_an_admin_is_granted_it_once(granted):
    (grant,) = granted(admins=[EntraPrincipal(DEPLOYER, "User")]).values()
    assert grant.inputs["principalType"] == "User"


def test_object_ids_are_the_same_in_capitals(deploy):
    calls = {"azure-native:authorization:getClientConfig": lambda _: {"objectId": USER.lower(), "clientId": "", "subscriptionId": "", "tenantId": ""}}
    assert len(deploy(calls=calls, admins=[EntraPrincipal(USER, "User")]).all("RoleAssignment/dev-weu-admin-*")) == 1


def test_the_deployer_can_be_left_out(granted):
    assert list(granted(entra=Entra(deployer_is_admin=False), admins=[EntraPrincipal(GROUP)])) == [GROUP]


def test_without_azure_rbac_nothing_is_granted(granted):
    """A role on Azure gives no access then: groups do, which the request names."""
    assert not granted(entra=Entra(azure_rbac=False, admin_groups=[GROUP]), admins=[EntraPrincipal(GROUP)])


def test_without_entra_nothing_is_granted(granted):
    assert not granted(entra=None)


def test_a_grant_keeps_its_name_where_admins_change_places(granted):
    one, other = EntraPrincipal(GROUP), EntraPrincipal(USER, "User")
    names = [{grant.name for grant in granted(admins=admins).values()} for admins in ([one, other], [other, one])]
    assert names[0] == names[1]


def test_admins_may_be_told_by_another_stack_or_by_an_output(granted):
    admins = lambda: [EntraPrincipal(StackOutput("acme/people/dev", "admins")), EntraPrincipal(pulumi.Output.from_input("o"), "User")]  # noqa: E731
    assert granted(admins=admins, stacks={"acme/people/dev": {"admins": GROUP}}).keys() == {GROUP, "o", DEPLOYER}


def waits(grant):
    return "hooks" in grant.options


def test_a_grant_that_lets_the_deployer_in_is_awaited_where_objects_follow(granted):
    grants = granted(**PROVISIONED, admins=[EntraPrincipal(GROUP)])
    assert {who: waits(grant) for who, grant in grants.items()} == {DEPLOYER: True, GROUP: False}


def test_every_grant_may_be_the_one_where_the_deployer_has_none_of_its_own(granted):
    assert waits(granted(**PROVISIONED, entra=Entra(deployer_is_admin=False), admins=[EntraPrincipal(GROUP)])[GROUP])


def test_no_grant_is_awaited_where_nothing_follows(granted):
    assert not waits(granted()[DEPLOYER])
    assert not waits(granted(**PROVISIONED, apply="render")[DEPLOYER])
