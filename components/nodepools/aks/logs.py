"""Container Insights: the data collection rule that says which logs a cluster sends where. Facts: docs/facts/aks.md § 10."""

import pulumi
from pulumi_azure_native import containerservice, monitor

from nodepools.component.scope import ChildScope
from nodepools.component.secrets import with_secrets
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.monitoring import LOG_ASSOCIATION, log_rule
from nodepools.wire.aks.regions import region_word


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
