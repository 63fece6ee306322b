"""Container Insights: the rule and the association without which the agent sends nothing."""

import pulumi
import pytest

from nodepools import StackOutput, testing
from nodepools.aks.cluster import AksCluster

WORKSPACE = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/monitoring/providers/Microsoft.OperationalInsights/workspaces/main"
LOGS = {"log_analytics_workspace_id": WORKSPACE}
STREAMS = ["Microsoft-ContainerLogV2", "Microsoft-KubeEvents", "Microsoft-KubePodInventory"]


def test_without_a_workspace_there_is_neither(deploy):
    assert not [node.display_name for node in deploy() if node.kind.startswith("DataCollectionRule")]


def test_the_rule_says_what_goes_where(deploy, preview):
    rule = deploy(**LOGS, preview=preview).one("DataCollectionRule").inputs
    assert (rule["location"], rule["kind"]) == ("westeurope", "Linux")
    assert rule["destinations"] == {"logAnalytics": [{"name": "ciworkspace", "workspaceResourceId": WORKSPACE}]}
    assert rule["dataFlows"] == [{"streams": STREAMS, "destinations": ["ciworkspace"]}]
    [extension] = rule["dataSources"]["extensions"]
    assert extension == {
        "name": "ContainerInsightsExtension",
        "extensionName": "ContainerInsights",
        "streams": STREAMS,
        "extensionSettings": {"dataCollectionSettings": {"interval": "1m", "namespaceFilteringMode": "Off", "enableContainerLogV2": True}},
    }
    assert rule["tags"] == {"platform": "dev"}


def test_it_is_associated_with_the_cluster_under_the_name_that_azure_looks_for(deploy):
    graph = deploy(**LOGS)
    association, cluster, rule = graph.one("DataCollectionRuleAssociation"), graph.one("ManagedCluster"), graph.one("DataCollectionRule")
    assert association.inputs["associationName"] == "ContainerInsightsExtension"
    assert association.inputs["resourceUri"].endswith("/Microsoft.ContainerService/managedClusters/dev-weu")
    assert rule.inputs["resourceGroupName"] == cluster.inputs["resourceGroupName"] == "dev-weu"
    assert association.depends_on(cluster)
    assert association.depends_on(rule)


def test_the_association_goes_before_the_rule_and_the_cluster(deploy, preview):
    graph = deploy(**LOGS, preview=preview)
    for other in ("DataCollectionRule", "ManagedCluster"):
        assert graph.deletes("DataCollectionRuleAssociation").before(other)


def test_the_rule_does_not_wait_for_the_cluster(deploy):
    graph = deploy(**LOGS)
    assert not graph.one("DataCollectionRule").depends_on("ManagedCluster")


def test_no_role_is_assigned_for_it(deploy):
    roles = [{node.name for node in deploy(**fields).all("RoleAssignment")} for fields in ({}, LOGS)]
    assert roles[0] == roles[1]


def test_the_rule_is_in_the_region_of_the_workspace(deploy):
    graph = deploy(**LOGS, log_analytics_workspace_location="northeurope")
    rule = graph.one("DataCollectionRule")
    assert (rule.name, rule.inputs["location"]) == ("dev-weu-logs-northeurope", "northeurope")
    assert rule.inputs["dataCollectionRuleName"] == "MSCI-northeurope-dev-weu"
    assert graph.one("ManagedCluster").inputs["location"] == "westeurope"


def test_a_workspace_of_another_region_gets_another_rule_before_the_old_one_goes(deploy):
    old, new = deploy(**LOGS), deploy(**LOGS, log_analytics_workspace_location="northeurope")
    waves = new.waves(since=old)
    assert [len(waves.creates), len(waves.deletes)] == [1, 1]


@pytest.mark.parametrize("length", [40, 60, 200])
def test_its_name_is_not_longer_than_azure_takes(declare, length):
    names = set()
    for end in ("one", "other"):
        graph = testing.run(lambda end=end: AksCluster(f"{'p' * length}-{end}"[-63:], declare(**LOGS)))
        names.add(graph.one("DataCollectionRule").inputs["dataCollectionRuleName"])
    assert len(names) == 2
    assert all(len(name) <= 64 for name in names)


REFS = [
    pytest.param(StackOutput("acme/monitoring/dev", "workspace"), id="an output of another stack"),
    pytest.param(lambda: pulumi.Output.from_input(WORKSPACE), id="a Pulumi output"),
]


@pytest.mark.parametrize("ref", REFS)
def test_the_workspace_may_be_known_to_others(deploy, ref):
    graph = deploy(log_analytics_workspace_id=ref, stacks={"acme/monitoring/dev": {"workspace": WORKSPACE}})
    [destination] = graph.one("DataCollectionRule").inputs["destinations"]["logAnalytics"]
    assert destination["workspaceResourceId"] == WORKSPACE
    profile = graph.one("ManagedCluster").inputs["addonProfiles"]["omsagent"]
    assert profile["config"] == {"logAnalyticsWorkspaceResourceID": WORKSPACE, "useAADAuth": "true"}


def test_both_are_made_in_the_subscription_of_the_cluster(deploy):
    graph = deploy(**LOGS, subscription_id="11111111-1111-1111-1111-111111111111")
    made = [graph.one("DataCollectionRule"), graph.one("DataCollectionRuleAssociation")]
    assert {node.provider.display_name for node in made} == {"azure-native/dev-weu-azure"}
