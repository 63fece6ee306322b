"""The component as a whole."""

import re

import pulumi
import pytest

from nodepools import AksClusterArgs, AksNodePool, ApiServer, GpuPool, NodeProvisioning, StackOutput, SystemPool, Taint, Timeouts, UserPool, testing
from nodepools.aks.cluster import AksCluster
from nodepools.component.errors import InvalidDeclarationError
from nodepools.wire.aks.generation import pool_name

SIZE = "Standard_D2ds_v5"
SUBSCRIPTION = "11111111-1111-1111-1111-111111111111"
EVERYTHING = {
    "pools": {"gpu": GpuPool(vm_size="Standard_NC24ads_A100_v4")},
    "node_provisioning": NodeProvisioning(node_pools={"general": AksNodePool()}),
}


def children(graph):
    return [node for node in graph if node.display_name != "AksCluster/dev-weu"]


def test_everything_is_below_the_component_and_named_with_the_stem(deploy, preview):
    graph = deploy(**EVERYTHING, preview=preview)
    for child in children(graph):
        assert child.parent is not None, child
        assert re.fullmatch(r"dev-weu(-.+)?", child.name), child


def test_everything_in_azure_is_named_with_the_stem_and_tagged(deploy):
    graph = deploy(**EVERYTHING)
    assert graph.one("ResourceGroup").inputs["resourceGroupName"] == "dev-weu"
    assert graph.one("ManagedCluster").inputs["resourceName"] == "dev-weu"
    for tagged in ("ResourceGroup", "VirtualNetwork", "UserAssignedIdentity", "ManagedCluster", "AgentPool"):
        assert all(node.inputs["tags"] == {"platform": "dev"} for node in graph.all(tagged)), tagged


def test_two_clusters_live_side_by_side(declare):
    def program():
        AksCluster("dev-weu", declare(**EVERYTHING))
        AksCluster("dev-neu", declare(**EVERYTHING))

    graph = testing.run(program)
    assert not graph.reached_from(graph.one("ManagedCluster/dev-weu")) & {node.urn for node in graph.all("*/dev-neu*")}


def test_what_it_tells(deploy, declare):
    outputs = deploy(**EVERYTHING).one("AksCluster/dev-weu").outputs
    args = declare(pools=EVERYTHING["pools"])
    assert outputs["name"] == "dev-weu"
    assert outputs["resource_group"] == "dev-weu"
    assert outputs["endpoint"] == "https://dev-weu-00000000.hcp.example.azmk8s.io"
    assert outputs["oidc_issuer"] == "https://oidc.example/dev-weu/"
    assert outputs["pools"] == {"system": "system", "general": "general", "gpu": pool_name(args, "gpu")}


def test_a_first_preview_tells_the_names_of_pools_and_nothing_that_azure_decides(deploy, declare):
    outputs = deploy(preview=True, pools={"web": UserPool(vm_size=SIZE)}).one("AksCluster/dev-weu").outputs
    assert outputs["pools"] == {"system": "system", "web": pool_name(declare(pools={"web": UserPool(vm_size=SIZE)}), "web")}
    assert {outputs[name] for name in ("endpoint", "oidc_issuer", "kubeconfig")} == {testing.UNKNOWN}


def test_a_private_cluster_is_reached_by_its_private_name(deploy):
    graph = deploy(api_server=ApiServer(private=True))
    assert graph.one("ManagedCluster").inputs["apiServerAccessProfile"] == {"enablePrivateCluster": True}
    assert graph.one("AksCluster").outputs["endpoint"] == "https://dev-weu-00000000.example.privatelink.azmk8s.io"


@pytest.mark.parametrize(
    "group",
    [
        pytest.param("shared", id="text"),
        pytest.param(StackOutput("acme/groups/dev", "group"), id="an output of another stack"),
        pytest.param(lambda: pulumi.Output.from_input("shared"), id="a Pulumi output"),
    ],
)
def test_a_brought_resource_group_is_used_and_none_is_made(deploy, group):
    graph = deploy(resource_group=group, stacks={"acme/groups/dev": {"group": "shared"}})
    assert not graph.all("ResourceGroup")
    for held in ("VirtualNetwork", "Subnet", "UserAssignedIdentity", "ManagedCluster"):
        assert graph.one(held).inputs["resourceGroupName"] == "shared"


def test_a_subscription_of_its_own_reaches_every_child(deploy, preview):
    asked = []

    def deployer(args):
        asked.append(args["subscriptionId"])
        return {"objectId": "o", "clientId": "c", "tenantId": "t", "subscriptionId": SUBSCRIPTION}

    calls = {"azure-native:authorization:getClientConfig": deployer}
    graph = deploy(**EVERYTHING, subscription_id=SUBSCRIPTION, preview=preview, calls=calls)
    provider = graph.one("azure-native/dev-weu-azure")
    assert provider.inputs["subscriptionId"] == SUBSCRIPTION
    assert provider.parent.display_name == "AksCluster/dev-weu"
    made = [node for node in graph if node.type.startswith("azure-native:")]
    assert len(made) == 8
    assert all(node.provider is provider for node in made)
    assert asked == [SUBSCRIPTION]


def test_without_a_subscription_there_is_no_provider_of_its_own(deploy):
    assert not deploy().all("azure-native")


def test_the_callers_options_do_not_leak_into_children(deploy):
    def options():
        other = pulumi.ComponentResource("x:y:Other", "other")
        return pulumi.ResourceOptions(aliases=[pulumi.Alias(name="old")], depends_on=[other], ignore_changes=["tags"])

    graph = deploy(opts=options, **EVERYTHING)
    assert graph.one("AksCluster").options["aliases"] == [{"name": "old"}]
    for child in children(graph):
        assert "tags" not in child.ignore_changes
        assert child.name == "other" or not child.depends_on("Other/other")
        assert not any(alias.get("name") == "old" for alias in child.options.get("aliases", ()))


# Row 11 of the traps: a protected pool could not be rotated.
@pytest.mark.parametrize(
    ("declared", "protected"), [({}, True), ({"protect": True}, True), ({"protect": False}, False)], ids=["by default", "declared", "declared off"]
)
def test_the_cluster_and_what_holds_it_are_protected_and_nothing_that_must_be_able_to_go(deploy, declared, protected):
    graph = deploy(**declared, **EVERYTHING)
    holding = ["ManagedCluster/dev-weu", "ResourceGroup/dev-weu", "VirtualNetwork/dev-weu"]
    assert sorted(node.display_name for node in graph if node.protect) == (holding if protected else [])


def test_how_long_pulumi_waits_can_be_said(deploy):
    made = deploy(timeouts=Timeouts(create="30m", update="45m", delete="20m")).one("ManagedCluster")
    assert made.timeouts == {"create": "30m", "update": "45m", "delete": "20m"}


def test_the_list_of_pools_is_not_ignored(deploy):
    """Decision 1: after a refresh an ignored list would be repeated for ever."""
    assert not deploy(pools={"web": UserPool(vm_size=SIZE)}).one("ManagedCluster").ignore_changes


def test_a_faulty_declaration_is_refused_with_all_its_findings_before_anything_is_registered():
    bad = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, taints=[Taint("a", "b", "NoSchedule")]),
        pools={"second": SystemPool(vm_size="Standard_D4ds_v5", count=3, taints=[Taint("c", "d", "NoExecute")])},
    )

    def program():
        with pytest.raises(InvalidDeclarationError) as refused:
            AksCluster("dev-weu", bad)
        assert {finding.path for finding in refused.value.findings} >= {"system_pool.taints[0]", "pools.second.taints[0]"}

    assert len(testing.run(program)) == 0
