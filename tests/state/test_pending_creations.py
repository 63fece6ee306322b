"""Ids of resources that the cloud may have, and the import file that brings them into the state."""

from typing import Any

import pytest

from nodepools.state.deployment import state_of
from nodepools.state.pending_creations import interrupted, pending_imports
from nodepools.state.resource_ids import resource_id
from tests.state.states import AZURE, CLUSTER, COMPONENT, GROUP, KUBERNETES, pool, provider, resource, state

SHOP = resource("azure-native:resources:ResourceGroup", "shop", id=GROUP)
PLACE = {"resourceGroupName": "shop", "resourceName": "weu"}
ENTRY = {"clusterName": "eu", "principalArn": "arn:a", "policyArn": "arn:p", "addonName": "coredns", "name": "eu", "role": "eu-nodes"}
IDS: list[tuple[str, dict[str, Any], str | None]] = [
    ("azure-native:containerservice:ManagedCluster", PLACE, CLUSTER),
    ("azure-native:containerservice:AgentPool", {**PLACE, "agentPoolName": "web"}, f"{CLUSTER}/agentPools/web"),
    ("azure-native:containerservice:MaintenanceConfiguration", {**PLACE, "configName": "c"}, f"{CLUSTER}/maintenanceConfigurations/c"),
    ("azure-native:resources:ResourceGroup", PLACE, GROUP),
    ("azure-native:network:VirtualNetwork", {**PLACE, "virtualNetworkName": "n"}, f"{GROUP}/providers/Microsoft.Network/virtualNetworks/n"),
    (
        "azure-native:authorization:RoleAssignment",
        {"scope": CLUSTER, "roleAssignmentName": "r"},
        f"{CLUSTER}/providers/Microsoft.Authorization/roleAssignments/r",
    ),
    ("aws:eks/cluster:Cluster", ENTRY, "eu"),
    ("aws:eks/accessEntry:AccessEntry", ENTRY, "eu:arn:a"),
    ("aws:eks/accessPolicyAssociation:AccessPolicyAssociation", ENTRY, "eu#arn:a#arn:p"),
    ("aws:eks/addon:Addon", ENTRY, "eu:coredns"),
    ("aws:iam/rolePolicyAttachment:RolePolicyAttachment", ENTRY, "eu-nodes/arn:p"),
    ("kubernetes:karpenter.sh/v1:NodePool", {"metadata": {"name": "web"}}, "web"),
    ("kubernetes:apps/v1:DaemonSet", {"metadata": {"name": "web", "namespace": "jobs"}}, "jobs/web"),
    ("kubernetes:apps/v1:DaemonSet", {}, None),
    ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/16"}, None),
    ("azure-native:containerservice:ManagedCluster", {"resourceName": "weu"}, None),
]


@pytest.mark.parametrize(("of_type", "inputs", "expected"), IDS)
def test_an_id_follows_from_the_inputs(of_type: str, inputs: dict[str, Any], expected: str | None):
    assert resource_id(of_type, inputs, "s1") == expected


SUBSCRIPTIONS: dict[str, tuple[tuple[dict[str, Any], ...], str | None, str]] = {
    "of another resource of the provider": ((provider(AZURE), SHOP), None, "s1"),
    "of the provider itself": ((provider(AZURE, subscriptionId="s2"), SHOP), None, "s2"),
    "of the option, if the state has none": ((provider(AZURE),), "s3", "s3"),
    "of the state before that of the option": ((provider(AZURE), SHOP), "s3", "s1"),
}


@pytest.mark.parametrize("title", SUBSCRIPTIONS)
def test_a_subscription_is_that(title: str):
    resources, option, expected = SUBSCRIPTIONS[title]
    [one] = interrupted(state_of(state(*resources, pending={"creating": pool()})), option).creations
    assert one.id == f"/subscriptions/{expected}/resourceGroups/shop/providers/Microsoft.ContainerService/managedClusters/weu/agentPools/web"


def test_a_subscription_can_be_unknown():
    [one] = interrupted(state_of(state(provider(AZURE), pending={"creating": pool()}))).creations
    assert (one.id, one.lacks_subscription) == (None, True)


def test_a_creation_that_the_state_has_is_recovered():
    found = interrupted(state_of(state(pool(id="x"), pending={"creating": pool(), "updating": pool("jobs")})))
    assert found.creations == ()
    assert [one.name for one in found.recorded] == ["dev-weu-web"]
    assert [(one.operation, one.resource.name) for one in found.others] == [("updating", "dev-weu-jobs")]


def imports(*resources: dict[str, Any], pending: dict[str, Any]) -> Any:
    whole = state_of(state(*resources, pending={"creating": pending}))
    return pending_imports(interrupted(whole).creations, whole)


def test_a_file_names_the_parent_in_the_state():
    assert imports(provider(AZURE), SHOP, pending=pool()) == {
        "nameTable": {"dev-weu (AksCluster)": COMPONENT},
        "resources": [
            {
                "type": "azure-native:containerservice:AgentPool",
                "name": "dev-weu-web",
                "id": f"{CLUSTER}/agentPools/web",
                "parent": "dev-weu (AksCluster)",
                "version": "3.29.0",
            }
        ],
    }


def test_a_file_names_the_provider_of_a_cluster():
    made = resource("kubernetes:karpenter.sh/v1:NodePool", "dev-weu-web", KUBERNETES, inputs={"metadata": {"name": "web"}})
    found = imports(provider(KUBERNETES), pending=made)
    assert found["nameTable"] == {"dev-weu (AksCluster)": COMPONENT, "dev-weu-kubernetes (provider kubernetes)": KUBERNETES}
    [entry] = found["resources"]
    assert (entry["provider"], "version" in entry) == ("dev-weu-kubernetes (provider kubernetes)", False)


def test_two_resources_of_one_name_have_their_own_handles():
    both = [resource(f"aws:eks/cluster:{kind}", "dev-use1", inputs=ENTRY) for kind in ("Cluster",)] + [
        resource("aws:iam/role:Role", "dev-use1", inputs=ENTRY)
    ]
    whole = {"deployment": {"resources": [], "pending_operations": [{"type": "creating", "resource": one} for one in both]}}
    found = state_of(whole)
    entries: Any = pending_imports(interrupted(found).creations, found)["resources"]
    assert [(entry["name"], entry["logicalName"]) for entry in entries] == [("dev-use1-Cluster", "dev-use1"), ("dev-use1-Role", "dev-use1")]
    assert not any("parent" in entry for entry in entries)
    assert (found.stack, found.project) == ("dev", "shop")
