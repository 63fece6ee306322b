"""Ids of resources that the cloud may have, and the import file that brings them into the state."""

import json
from pathlib import Path
from typing import Any

import pytest

from nodepools.state import pending_creations
from nodepools.state.deployment import Recorded, state_of
from nodepools.state.pending_creations import (
    CHOSEN,
    NotPreviewError,
    interrupted,
    look,
    pending_imports,
    refused_creations,
    resource_id,
)
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
    ("aws:cloudwatch/logGroup:LogGroup", ENTRY, "eu"),
    ("aws:iam/rolePolicy:RolePolicy", {"role": "eu-nodes", "name": "keys"}, "eu-nodes:keys"),
    ("aws:ec2/route:Route", {"routeTableId": "rtb-1", "destinationCidrBlock": "0.0.0.0/0"}, "rtb-1_0.0.0.0/0"),
    ("aws:ec2/route:Route", {"routeTableId": "rtb-1", "destinationIpv6CidrBlock": "::/0"}, "rtb-1_::/0"),
    ("aws:ec2/route:Route", {"routeTableId": "rtb-1"}, None),
    ("aws:ec2/routeTableAssociation:RouteTableAssociation", {"routeTableId": "rtb-1", "subnetId": "subnet-1"}, "subnet-1/rtb-1"),
    ("azure-native:monitor:DiagnosticSetting", {"resourceUri": CLUSTER, "name": "s"}, f"{CLUSTER}/providers/Microsoft.Insights/diagnosticSettings/s"),
    (
        "azure-native:monitor:DataCollectionRuleAssociation",
        {"resourceUri": CLUSTER, "associationName": "a"},
        f"{CLUSTER}/providers/Microsoft.Insights/dataCollectionRuleAssociations/a",
    ),
    (
        "azure-native:monitor:DataCollectionRule",
        {**PLACE, "dataCollectionRuleName": "r"},
        f"{GROUP}/providers/Microsoft.Insights/dataCollectionRules/r",
    ),
    ("azure-native:containerservice:ManagedCluster", {"resourceName": "weu"}, None),
]


@pytest.mark.parametrize(("of_type", "inputs", "expected"), IDS)
def test_an_id_follows_from_the_inputs(of_type: str, inputs: dict[str, Any], expected: str | None):
    assert resource_id(of_type, inputs, "s1") == expected


def test_each_type_of_our_components_has_an_id_that_follows_or_is_chosen_by_the_cloud(project: Path):
    """The stored plans have every type that a component registers."""
    plans = [json.loads(file.read_text(encoding="utf-8")) for file in (project / "tests/golden/plans").glob("*.json")]
    resources = [one for plan in plans for one in plan["resources"]]
    types = {one["type"] for one in resources if one["type"].startswith(("azure-native:", "aws:"))}
    types |= {"aws:kms/key:Key", "aws:eks/identityProviderConfig:IdentityProviderConfig"}
    unknown = {one for one in types if one not in CHOSEN | pending_creations._TEMPLATES.keys() and one != pending_creations._ROUTE}
    assert unknown == set()


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


@pytest.mark.parametrize("existing", ["web1", "WEB2"])
def test_the_resource_that_an_interrupted_creation_replaces_is_not_the_new_one(existing: str):
    """Pulumi creates the new one first, under the URN of the old one. Azure ignores case."""
    old, new = ({**pool(id="x"), "inputs": {**pool()["inputs"], "agentPoolName": name}} for name in (existing, "web2"))
    found = interrupted(state_of(state(SHOP, provider(AZURE), old, pending={"creating": new})))
    assert [one.id for one in found.replaced] == [f"{CLUSTER}/agentPools/web2"] * (existing == "web1")
    assert len(found.recorded) == (existing == "WEB2")
    assert found.creations == ()


@pytest.mark.parametrize(
    ("existing", "is_recovered"), [({}, True), ({"dependencies": ["x"]}, False), ({"inputs": {"cidrBlock": "10.1.0.0/16"}}, False)]
)
def test_what_has_an_id_of_the_cloud_is_recovered_only_if_it_was_imported_and_is_the_same(existing: dict[str, Any], *, is_recovered: bool):
    """A replacement has the URN of the old one, and no id that the declaration shows."""
    new = resource("aws:ec2/vpc:Vpc", "net", inputs={"cidrBlock": "10.0.0.0/16", "tags": {"a": "b"}})
    found = interrupted(state_of(state({**new, "id": "vpc-1", **existing}, pending={"creating": new})))
    assert (len(found.recorded), len(found.replaced), found.creations) == (is_recovered, not is_recovered, ())


def test_a_creation_is_recovered_whose_subscription_is_not_known():
    found = interrupted(state_of(state(pool(id="x"), pending={"creating": pool()})))
    assert len(found.recorded) == 1


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


def test_an_id_that_the_cloud_chooses_is_a_placeholder_beside_the_parent():
    [entry] = imports(provider(AZURE), pending=resource("aws:ec2/vpc:Vpc", "dev-use1", inputs={}))["resources"]
    assert (entry["id"], entry["parent"]) == ("<PLACEHOLDER>", "dev-weu (AksCluster)")


FAILED = """Diagnostics:
  azure-native:containerservice:AgentPool (dev-weu-web):
    error: cannot create already existing resource "/x"
  azure-native:containerservice:AgentPool (dev-weu-jobs):
    error: Code="ErrCode_InsufficientVCPUQuota"
"""


def test_only_what_exists_is_a_lost_creation():
    preview = {"steps": [{"op": "create", "newState": pool()}, {"op": "create", "newState": pool("jobs")}, {"op": "same", "newState": pool("web")}]}
    [one] = refused_creations(preview, FAILED)
    whole = state_of(state(provider(AZURE), SHOP))
    found = interrupted(whole, rejected=[one])
    assert [(made.resource.name, made.id) for made in found.creations] == [("dev-weu-web", f"{CLUSTER}/agentPools/web")]
    assert pending_imports(found.creations, whole)["nameTable"] == {"dev-weu (AksCluster)": COMPONENT}


def test_a_preview_has_steps():
    with pytest.raises(NotPreviewError, match="pulumi preview --json"):
        refused_creations([], FAILED)


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


LOOKS = {
    "aws:eks/cluster:Cluster": "aws eks describe-cluster --name eu --region us-east-1",
    "aws:eks/addon:Addon": None,
    "azure-native:containerservice:AgentPool": "az aks nodepool show -g shop --cluster-name weu -n web --subscription ",
    "azure-native:resources:ResourceGroup": "az group show -n shop --subscription ",
    "azure-native:network:VirtualNetwork": "az resource show --ids /subscriptions/",
    "azure-native:authorization:RoleAssignment": None,
}


@pytest.mark.parametrize(("of_type", "inputs", "id_"), [one for one in IDS if one[0] in LOOKS])
def test_a_command_shows_whether_a_resource_with_a_known_id_exists(of_type: str, inputs: dict[str, Any], id_: str):
    found = look(Recorded({"type": of_type, "inputs": {**inputs, "region": "us-east-1"}}), id_)
    expected = LOOKS[of_type]
    assert (found is None) if expected is None else (found is not None and found.startswith(expected))
