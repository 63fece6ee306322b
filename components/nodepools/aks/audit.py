"""Logs of the control plane of an AKS cluster, among them its audit log. Facts: docs/facts/aks.md § 10."""

from pulumi_azure_native import containerservice, monitor

from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs


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
