"""Container Insights: the data collection rule that says which logs a cluster sends where. Facts: docs/facts/aks.md § 10."""

from typing import Final

import pulumi
from pulumi_azure_native import containerservice, monitor

from nodepools.aks.regions import region_word
from nodepools.component.scope import ChildScope
from nodepools.component.secrets import with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import LEGACY_LOGS, ContainerLogs
from nodepools.model.name_limits import cut

ASSOCIATION: Final = "ContainerInsightsExtension"
"""The name under which the Azure CLI and the portal look for the association."""
_LONGEST_NAME = 64
_DESTINATION = "ciworkspace"
_SYSLOG = "Microsoft-Syslog"


def container_insights(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]) -> None:
    """Registers the data collection rule of the cluster and associates it. Without it the add-on sends nothing and reports no error.

    The association depends on both and is deleted first: Azure does not delete a rule that has an association. No role is needed: the agent
    logs in as the cluster. The rule is in the resource group of the cluster and in the region of the workspace, which is part of its name
    because it cannot change.
    """
    logs = args.container_logs
    if logs is None:
        return
    rule = monitor.DataCollectionRule(
        scope.name("logs", region_word(args.logs_location)),
        **with_secrets(rule_arguments(scope.stem, logs, args.logs_location, scope.value(logs.workspace))),
        tags=dict(scope.tags),
        resource_group_name=resource_group,
        opts=scope.options(),
    )
    monitor.DataCollectionRuleAssociation(
        scope.name("logs"),
        association_name=ASSOCIATION,
        resource_uri=cluster.id,
        data_collection_rule_id=rule.id,
        opts=scope.options(depends_on=[cluster, rule]),
    )


def rule_arguments(stem: str, logs: ContainerLogs, location: str, workspace: object) -> dict[str, object]:
    """What the rule collects and where it sends it, in the Python spelling of azure-native."""
    streams = [f"Microsoft-{stream}" for stream in logs.streams]
    extension = {
        "name": ASSOCIATION,
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
        "data_collection_rule_name": cut(f"MSCI-{region_word(location)}-{stem}", _LONGEST_NAME),
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
