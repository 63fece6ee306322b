"""Container Insights: the data collection rule that says which logs a cluster sends where. Facts: docs/facts/aks.md § 10."""

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_azure_native import containerservice, monitor

from nodepools.component.scope import ChildScope
from nodepools.component.secrets import with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import cut

ASSOCIATION: Final = "ContainerInsightsExtension"
"""The name under which the Azure CLI and the portal look for the association."""
_LONGEST_NAME = 64
_DESTINATION = "ciworkspace"
_STREAMS = ("Microsoft-ContainerLogV2", "Microsoft-KubeEvents", "Microsoft-KubePodInventory")
"""Logs and events, as the portal turns on. Metrics cost more here than in Managed Prometheus."""
_SETTINGS: Mapping[str, object] = {"interval": "1m", "namespaceFilteringMode": "Off", "enableContainerLogV2": True}


def container_insights(scope: ChildScope, args: AksClusterArgs, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]) -> None:
    """Registers the data collection rule of the cluster and associates it. Without it the add-on sends nothing and reports no error.

    The association depends on both and is deleted first: Azure does not delete a rule that has an association. No role is needed: the agent
    logs in as the cluster. The rule is in the resource group of the cluster and in the region of the workspace, which is part of its name
    because it cannot change.
    """
    if args.log_analytics_workspace_id is None:
        return
    rule = monitor.DataCollectionRule(
        scope.name("logs", _word(args.logs_location)),
        **with_secrets(rule_arguments(scope.stem, args, scope.value(args.log_analytics_workspace_id))),
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


def rule_arguments(stem: str, args: AksClusterArgs, workspace: object) -> dict[str, object]:
    """All arguments of the rule except the name of the resource group, in the Python spelling of azure-native."""
    streams = list(_STREAMS)
    return {
        "data_collection_rule_name": cut(f"MSCI-{_word(args.logs_location)}-{stem}", _LONGEST_NAME),
        "location": args.logs_location,
        "kind": "Linux",
        "data_sources": {
            "extensions": [
                {
                    "name": ASSOCIATION,
                    "extension_name": "ContainerInsights",
                    "streams": streams,
                    "extension_settings": {"dataCollectionSettings": dict(_SETTINGS)},
                }
            ]
        },
        "destinations": {"log_analytics": [{"name": _DESTINATION, "workspace_resource_id": workspace}]},
        "data_flows": [{"streams": streams, "destinations": [_DESTINATION]}],
        "tags": dict(args.tags),
    }


def _word(location: str) -> str:
    """`westeurope` for `West Europe`, which Azure accepts as a region but not in a name."""
    return location.replace(" ", "").lower()
