"""What is registered for logs, metrics and audit logs of a cluster, beside what the cluster itself says."""

import pytest

from nodepools import Autoscale, SystemPool, testing
from nodepools.aks import AuditLogs, ContainerLogs, ManagedPrometheus, Syslog
from nodepools.aks.cluster import AksCluster

GROUP = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/monitoring/providers"
LOGS = f"{GROUP}/Microsoft.OperationalInsights/workspaces/main"
METRICS = f"{GROUP}/Microsoft.Monitor/accounts/main"
FILTERED = [
    pytest.param({}, {"namespaceFilteringMode": "Off"}, id="all namespaces"),
    pytest.param({"only_namespaces": ["web"]}, {"namespaceFilteringMode": "Include", "namespaces": ["web"]}, id="one of them"),
    pytest.param({"except_namespaces": ["batch"]}, {"namespaceFilteringMode": "Exclude", "namespaces": ["batch"]}, id="all but one"),
]


def kinds(graph, *words):
    return sorted(node.name for node in graph if node.kind in words)


@pytest.mark.parametrize(("fields", "settings"), FILTERED)
def test_namespaces_are_filtered_by_one_list(deploy, fields, settings):
    rule = deploy(logs=ContainerLogs(LOGS, interval="5m", **fields)).one("DataCollectionRule").inputs
    [extension] = rule["dataSources"]["extensions"]
    assert extension["extensionSettings"] == {"dataCollectionSettings": {"interval": "5m", **settings, "enableContainerLogV2": True}}


def test_the_short_form_registers_the_same(deploy):
    short, long = deploy(log_analytics_workspace_id=LOGS), deploy(logs=ContainerLogs(LOGS))
    assert [(node.display_name, node.inputs) for node in short] == [(node.display_name, node.inputs) for node in long]


def test_the_older_table_is_selected_by_its_stream(deploy):
    rule = deploy(logs=ContainerLogs(LOGS, streams=["ContainerLog", "KubeEvents"])).one("DataCollectionRule").inputs
    [extension] = rule["dataSources"]["extensions"]
    assert extension["streams"] == ["Microsoft-ContainerLog", "Microsoft-KubeEvents"]
    assert extension["extensionSettings"]["dataCollectionSettings"]["enableContainerLogV2"] is False


def test_system_logs_of_nodes_have_a_flow_of_their_own(deploy):
    rule = deploy(logs=ContainerLogs(LOGS, syslog=Syslog("Error", facilities=["kern"]))).one("DataCollectionRule").inputs
    assert rule["dataSources"]["syslog"] == [
        {
            "name": "sysLogsDataSource",
            "streams": ["Microsoft-Syslog"],
            "facilityNames": ["kern"],
            "logLevels": ["Error", "Critical", "Alert", "Emergency"],
        }
    ]
    assert rule["dataFlows"][1] == {"streams": ["Microsoft-Syslog"], "destinations": ["ciworkspace"]}


def test_metrics_go_to_a_workspace_that_is_made(deploy, preview):
    graph = deploy(metrics=ManagedPrometheus(), preview=preview)
    assert graph.one("ManagedCluster").inputs["azureMonitorProfile"] == {"metrics": {"enabled": True}}
    workspace, endpoint, rule = (graph.one(kind) for kind in ("AzureMonitorWorkspace", "DataCollectionEndpoint", "DataCollectionRule"))
    assert workspace.inputs["azureMonitorWorkspaceName"] == "dev-weu"
    assert (endpoint.inputs["dataCollectionEndpointName"], endpoint.inputs["location"]) == ("MSProm-westeurope-dev-weu", "westeurope")
    assert rule.depends_on(workspace)
    assert rule.depends_on(endpoint)
    [association] = [node for node in graph if node.kind == "DataCollectionRuleAssociation"]
    assert association.inputs["associationName"] == "MSProm-westeurope-dev-weu"
    assert association.depends_on(rule)
    for other in ("DataCollectionRule", "ManagedCluster"):
        assert graph.deletes("DataCollectionRuleAssociation").before(other)


def test_a_workspace_that_exists_is_used_where_it_is(deploy):
    graph = deploy(metrics=ManagedPrometheus(METRICS, location="North Europe"))
    assert not kinds(graph, "AzureMonitorWorkspace")
    rule = graph.one("DataCollectionRule").inputs
    assert (rule["dataCollectionRuleName"], rule["location"]) == ("MSProm-northeurope-dev-weu", "North Europe")
    assert rule["destinations"] == {"monitoringAccounts": [{"name": "MonitoringAccount1", "accountResourceId": METRICS}]}
    assert rule["dataFlows"] == [{"streams": ["Microsoft-PrometheusMetrics"], "destinations": ["MonitoringAccount1"]}]


@pytest.mark.parametrize(
    ("fields", "endpoints"),
    [
        pytest.param({}, ["dev-weu-metrics-northeurope"], id="a public cluster needs none of its own"),
        pytest.param(
            {"api_server": {"private": True}, "private_dns_zone": "system"},
            ["dev-weu-metrics-northeurope", "dev-weu-metrics-westeurope"],
            id="a private one asks an endpoint in its region",
        ),
    ],
)
def test_agents_of_private_clusters_get_their_configuration_nearby(deploy, fields, endpoints):
    graph = deploy(metrics=ManagedPrometheus(METRICS, location="northeurope"), **fields)
    assert kinds(graph, "DataCollectionEndpoint") == endpoints
    reserved = [node for node in graph if node.inputs.get("associationName") == "configurationAccessEndpoint"]
    assert len(reserved) == len(endpoints) - 1
    assert all("dataCollectionRuleId" not in node.inputs for node in reserved)


def test_metrics_that_are_turned_off_need_nothing_else(deploy):
    graph = deploy(metrics=ManagedPrometheus(enabled=False))
    assert graph.one("ManagedCluster").inputs["azureMonitorProfile"] == {"metrics": {"enabled": False}}
    assert not kinds(graph, "AzureMonitorWorkspace", "DataCollectionEndpoint", "DataCollectionRule")


@pytest.mark.parametrize("length", [30, 60])
def test_names_are_not_longer_than_azure_takes(declare, length):
    graph = testing.run(lambda: AksCluster("p" * length, declare(metrics=ManagedPrometheus())))
    assert len(graph.one("AzureMonitorWorkspace").inputs["azureMonitorWorkspaceName"]) <= 44
    assert len(graph.one("DataCollectionEndpoint").inputs["dataCollectionEndpointName"]) <= 44
    assert len(graph.one("DataCollectionRule").inputs["dataCollectionRuleName"]) <= 64


CATEGORIES = [
    pytest.param({}, ["kube-audit-admin", "guard"], id="a cluster of a fixed size"),
    pytest.param(
        {"system_pool": SystemPool(vm_size="Standard_D4ds_v5", scale=Autoscale(1, 3))},
        ["kube-audit-admin", "guard", "cluster-autoscaler"],
        id="with the cluster autoscaler",
    ),
    pytest.param({"node_provisioning": {}}, ["kube-audit-admin", "guard", "karpenter-events"], id="with node auto provisioning"),
]


@pytest.mark.parametrize(("fields", "categories"), CATEGORIES)
def test_audit_logs_have_those_of_the_autoscalers_too(deploy, fields, categories):
    setting = deploy(audit=AuditLogs(LOGS), **fields).one("DiagnosticSetting").inputs
    assert setting["logs"] == [{"category": category, "enabled": True} for category in categories]
    assert (setting["workspaceId"], setting["logAnalyticsDestinationType"]) == (LOGS, "Dedicated")


def test_a_diagnostic_setting_is_deleted_before_its_cluster(deploy, preview):
    graph = deploy(audit=AuditLogs(LOGS), preview=preview)
    assert graph.one("DiagnosticSetting").inputs["name"] == "dev-weu-audit"
    assert graph.one("DiagnosticSetting").request.ignoreChanges == ["logAnalyticsDestinationType"]
    assert graph.deletes("DiagnosticSetting").before("ManagedCluster")
