"""Data collection rules: what is collected, and where it is sent, in the Python spelling of azure-native."""

from typing import Any

import pytest
from pulumi_azure_native import monitor

from nodepools.aks import ContainerLogs, Syslog
from nodepools.wire.aks.monitoring import MONITORING, log_rule, metrics_rule
from nodepools.wire.table import camel

WORKSPACE = "/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w"
LOGS = ContainerLogs(WORKSPACE)


def rule(logs: ContainerLogs, location: str = "West Europe") -> Any:
    return log_rule("dev-weu", logs, location, WORKSPACE)


def settings(logs: ContainerLogs) -> Any:
    return rule(logs)["data_sources"]["extensions"][0]["extension_settings"]["dataCollectionSettings"]


SETTINGS = {
    "the defaults": (LOGS, {"interval": "1m", "namespaceFilteringMode": "Off", "enableContainerLogV2": True}),
    "some namespaces": (
        ContainerLogs(WORKSPACE, only_namespaces=["shop"], interval="5m"),
        {"interval": "5m", "namespaceFilteringMode": "Include", "namespaces": ["shop"], "enableContainerLogV2": True},
    ),
    "all namespaces but one": (
        ContainerLogs(WORKSPACE, except_namespaces=["kube-system"]),
        {"interval": "1m", "namespaceFilteringMode": "Exclude", "namespaces": ["kube-system"], "enableContainerLogV2": True},
    ),
    "the older table": (
        ContainerLogs(WORKSPACE, streams=["ContainerLog"]),
        {"interval": "1m", "namespaceFilteringMode": "Off", "enableContainerLogV2": False},
    ),
}


@pytest.mark.parametrize(("logs", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_what_the_agent_collects(logs: ContainerLogs, expected: dict[str, object]) -> None:
    assert settings(logs) == expected


def test_logs_of_nodes_have_a_source_and_a_flow_of_their_own() -> None:
    plain, more = rule(LOGS), rule(ContainerLogs(WORKSPACE, syslog=Syslog("Error", facilities=["kern"])))
    assert "syslog" not in plain["data_sources"]
    [source] = more["data_sources"]["syslog"]
    assert (source["facility_names"], source["log_levels"]) == (["kern"], ["Error", "Critical", "Alert", "Emergency"])
    assert [flow["streams"] for flow in more["data_flows"]][len(plain["data_flows"]) :] == [["Microsoft-Syslog"]]


def test_names_have_the_region_without_spaces_and_fit() -> None:
    assert rule(LOGS)["data_collection_rule_name"] == "MSCI-westeurope-dev-weu"
    assert len(log_rule("x" * 90, LOGS, "westeurope", WORKSPACE)["data_collection_rule_name"]) == 64  # type: ignore[arg-type]


def test_metrics_go_through_the_endpoint_to_the_workspace() -> None:
    made: Any = metrics_rule("dev-weu", "westeurope", "/endpoint", "/workspace")
    assert made["data_collection_rule_name"] == "MSProm-westeurope-dev-weu"
    assert made["data_collection_endpoint_id"] == "/endpoint"
    [destination] = made["destinations"]["monitoring_accounts"]
    assert destination["account_resource_id"] == "/workspace"
    assert made["data_flows"] == [{"streams": ["Microsoft-PrometheusMetrics"], "destinations": [destination["name"]]}]


@pytest.mark.parametrize("kind", MONITORING)
def test_each_row_is_an_argument_of_the_resource(kind: str) -> None:
    known = {camel(name) for name in getattr(monitor, f"{kind}Args").__init__.__annotations__}
    assert {str(way.wire[0]) for way in MONITORING[kind].field_paths} <= known
