"""Data collection rules of AKS clusters in the Python spelling of azure-native. Facts: docs/facts/aks.md § 10.

Nothing is read back: the rules of clusters that exist are not declared.
"""

from collections.abc import Mapping
from typing import Final

from nodepools.model.aks.monitoring import LEGACY_LOGS, ContainerLogs
from nodepools.model.name_limits import azure_name, cut
from nodepools.wire.rows import Note
from nodepools.wire.table import Change, Effect, Table

LOG_ASSOCIATION: Final = "ContainerInsightsExtension"
"""The name under which the Azure CLI and the portal look for the association."""
_LONGEST_NAME: Final = 64
_DESTINATION: Final = "ciworkspace"
_SYSLOG: Final = "Microsoft-Syslog"
_METRICS: Final = "Microsoft-PrometheusMetrics"
_ACCOUNT: Final = "MonitoringAccount1"
_FACTS: Final = "docs/facts/aks.md § 10"
_REPLACED: Final = Change(Effect.REPLACES, f"{_FACTS}: replaces the resource")
_UPDATED: Final = Change(Effect.IN_PLACE, f"{_FACTS}: updated in place")
_GROUP: Final = Note("derived", "resourceGroupName", _REPLACED, "the resource group of the cluster")
MONITORING: Final[Mapping[str, Table]] = {
    "DataCollectionRule": Table(
        _GROUP, Note("derived", "location", _REPLACED, "the region of the workspace"), Note("derived", "dataFlows", _UPDATED)
    ),
    "DataCollectionRuleAssociation": Table(Note("derived", "dataCollectionRuleId", _UPDATED, "the rule")),
    "DataCollectionEndpoint": Table(_GROUP, Note("derived", "location", _REPLACED, "the region of the workspace")),
    "AzureMonitorWorkspace": Table(_GROUP, Note("derived", "location", _REPLACED, "the region of the workspace")),
    "DiagnosticSetting": Table(Note("derived", "workspaceId", _UPDATED, "the workspace"), Note("derived", "logs", _UPDATED, "the categories")),
}
"""The arguments that decide what becomes of a resource, by the class of azure-native. The component sends them all."""


def log_rule(stem: str, logs: ContainerLogs, location: str, workspace: object) -> dict[str, object]:
    """What the rule collects and where it sends it, in the Python spelling of azure-native."""
    streams = [f"Microsoft-{stream}" for stream in logs.streams]
    extension = {
        "name": LOG_ASSOCIATION,
        "extension_name": "ContainerInsights",
        "streams": streams,
        "extension_settings": {"dataCollectionSettings": _settings(logs)},
    }
    syslog = {"name": "sysLogsDataSource", "streams": [_SYSLOG]}
    sources: dict[str, object] = {"extensions": [extension]}
    flows = [{"streams": streams, "destinations": [_DESTINATION]}]
    if logs.syslog is not None:
        sources["syslog"] = [{**syslog, "facility_names": list(logs.syslog.facilities), "log_levels": list(logs.syslog.levels)}]
        flows.append({"streams": [_SYSLOG], "destinations": [_DESTINATION]})
    return {
        "data_collection_rule_name": cut(f"MSCI-{azure_name(location)}-{stem}", _LONGEST_NAME),
        "location": location,
        "kind": "Linux",
        "data_sources": sources,
        "destinations": {"log_analytics": [{"name": _DESTINATION, "workspace_resource_id": workspace}]},
        "data_flows": flows,
    }


def _settings(logs: ContainerLogs) -> dict[str, object]:
    mode, namespaces = ("Include", logs.only_namespaces) if logs.only_namespaces else ("Exclude", logs.except_namespaces)
    return {
        "interval": logs.interval,
        "namespaceFilteringMode": mode if namespaces else "Off",
        **({"namespaces": list(namespaces)} if namespaces else {}),
        "enableContainerLogV2": LEGACY_LOGS not in logs.streams,
    }


def metrics_rule(stem: str, location: str, endpoint: object, workspace: object) -> dict[str, object]:
    """The rule of managed Prometheus."""
    return {
        "data_collection_rule_name": cut(f"MSProm-{azure_name(location)}-{stem}", _LONGEST_NAME),
        "location": location,
        "kind": "Linux",
        "data_collection_endpoint_id": endpoint,
        "data_sources": {"prometheus_forwarder": [{"name": "PrometheusDataSource", "streams": [_METRICS]}]},
        "destinations": {"monitoring_accounts": [{"name": _ACCOUNT, "account_resource_id": workspace}]},
        "data_flows": [{"streams": [_METRICS], "destinations": [_ACCOUNT]}],
    }
