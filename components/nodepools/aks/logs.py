"""Container Insights: the data collection rule that says which logs a cluster sends where. Facts: docs/facts/aks.md § 10."""

from typing import Final

import pulumi
from pulumi_azure_native import containerservice, monitor  # a module loads at its first use: annotations of monitor, which few use, are text

from nodepools.component.scope import ChildScope, with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import ManagedPrometheus
from nodepools.model.name_limits import azure_name, cut
from nodepools.wire.aks.monitoring import LOG_ASSOCIATION, log_rule, metrics_rule


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
        scope.name("logs", azure_name(args.logs_location)),
        **with_secrets(log_rule(scope.stem, logs, args.logs_location, scope.value(logs.workspace))),
        tags=dict(scope.tags),
        resource_group_name=resource_group,
        opts=scope.options(),
    )
    monitor.DataCollectionRuleAssociation(
        scope.name("logs"),
        association_name=LOG_ASSOCIATION,
        resource_uri=cluster.id,
        data_collection_rule_id=rule.id,
        opts=scope.options(depends_on=[cluster, rule]),
    )


def audit_logs(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster) -> None:
    """Registers the diagnostic setting of the cluster. Pulumi deletes it: Azure can keep it after its cluster, and reject it for the next one.

    Tables of their own can have cheaper plans. Azure does not return that choice, so a refresh would report it as a difference.
    """
    if args.audit is None:
        return
    monitor.DiagnosticSetting(
        scope.name("audit"),
        name=scope.name("audit"),
        resource_uri=cluster.id,
        workspace_id=scope.value(args.audit.workspace),
        log_analytics_destination_type="Dedicated",
        logs=[{"category": category, "enabled": True} for category in args.audit_categories],
        opts=scope.options(depends_on=[cluster], ignore_changes=["logAnalyticsDestinationType"]),
    )


_LONGEST_ENDPOINT = _LONGEST_WORKSPACE = 44
_PRIVATE_ACCESS: Final = "configurationAccessEndpoint"
"""The name of the association through which agents of a private cluster get their configuration. Azure reserves it."""


def managed_prometheus(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]) -> None:
    """Registers the endpoint and the rule of the cluster's metrics, and associates them. Without them the agent sends nothing.

    Endpoint and rule are in the region of the workspace, which is part of their names because it cannot change. Agents of a private cluster get
    their configuration from an endpoint in the region of the cluster. An association depends on what it connects and is deleted first.
    """
    metrics = args.metrics
    if metrics is None or not metrics.enabled:
        return
    location = metrics.location if metrics.location is not None else args.location
    workspace = _workspace(scope, metrics, location, resource_group)
    endpoint = _metrics_endpoint(scope, location, resource_group)
    rule = monitor.DataCollectionRule(
        scope.name("metrics", azure_name(location)),
        **with_secrets(metrics_rule(scope.stem, location, endpoint.id, workspace)),
        resource_group_name=resource_group,
        tags=dict(scope.tags),
        opts=scope.options(),
    )
    monitor.DataCollectionRuleAssociation(
        scope.name("metrics"),
        association_name=f"MSProm-{azure_name(args.location)}-{scope.stem}",
        resource_uri=cluster.id,
        data_collection_rule_id=rule.id,
        opts=scope.options(depends_on=[cluster, rule]),
    )
    if args.api_server.private and azure_name(location) != azure_name(args.location):
        nearby = _metrics_endpoint(scope, args.location, resource_group)
        monitor.DataCollectionRuleAssociation(
            scope.name("metrics", "access"),
            association_name=_PRIVATE_ACCESS,
            resource_uri=cluster.id,
            data_collection_endpoint_id=nearby.id,
            opts=scope.options(depends_on=[cluster, nearby]),
        )


def _workspace(scope: ChildScope, metrics: ManagedPrometheus, location: str, resource_group: pulumi.Input[str]) -> pulumi.Input[str]:
    if metrics.workspace is not None:
        return scope.value(metrics.workspace)
    return monitor.AzureMonitorWorkspace(
        scope.name("metrics"),
        azure_monitor_workspace_name=cut(scope.stem, _LONGEST_WORKSPACE),
        resource_group_name=resource_group,
        location=location,
        tags=dict(scope.tags),
        opts=scope.options(),
    ).id


def _metrics_endpoint(scope: ChildScope, location: str, resource_group: pulumi.Input[str]) -> "monitor.DataCollectionEndpoint":
    return monitor.DataCollectionEndpoint(
        scope.name("metrics", azure_name(location)),
        data_collection_endpoint_name=cut(f"MSProm-{azure_name(location)}-{scope.stem}", _LONGEST_ENDPOINT),
        resource_group_name=resource_group,
        location=location,
        kind="Linux",
        network_acls={"public_network_access": "Enabled"},
        tags=dict(scope.tags),
        opts=scope.options(),
    )
