"""Resources that Container Insights needs in addition to its add-on. Facts: docs/facts/aks.md § 10."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.plain_data import mapping
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.fix import Fix
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import aks

_WORKSPACE: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
_RULE: Final = "https://learn.microsoft.com/azure/azure-monitor/data-collection/data-collection-rule-create-edit"
_ADD_ON: Final = "addon_profiles"
_AGENT: Final = "omsagent"


@rule(
    "AKS130",
    Severity.WARNING,
    source="nodepools: the region of the workspace is that of the data collection rule, which is created with log_analytics_workspace_id",
    sample=lambda: aks(log_analytics_workspace_location="northeurope"),
)
def workspace_region_without_workspace(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The region of a Log Analytics workspace has no effect without its id: no logs are collected."""
    if cluster.log_analytics_workspace_location is not None and cluster.log_analytics_workspace_id is None and cluster.logs is None:
        location, workspace = ref("log_analytics_workspace_location"), ref("log_analytics_workspace_id")
        fix = f"Set {workspace}, or remove {location}"
        yield finding(cluster, f"{location} has no effect without {workspace}", path="log_analytics_workspace_location", fix=fix)


@rule(
    "AKS131",
    Severity.WARNING,
    source="https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-monitoring-enable: with managed identity the agent collects what "
    "a data collection rule that is associated with the cluster tells it (2026-08)",
    sample=lambda: aks(overrides={_ADD_ON: {_AGENT: {"enabled": True, "config": {"useAADAuth": "true"}}}}),
)
def oms_agent_without_data_collection_rule(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The add-on `omsagent` with managed identity collects nothing until a data collection rule is associated with the cluster."""
    if agent_alone(cluster):
        yield finding(
            cluster,
            f"The add-on `{_AGENT}` collects no logs: no `DataCollectionRuleAssociation` connects the cluster with a `DataCollectionRule`",
            path=("overrides", _ADD_ON, _AGENT),
            value=_AGENT,
            fix=Fix(
                f"Remove {ref(('overrides', _ADD_ON, _AGENT))} and set {ref('log_analytics_workspace_id')}, which creates both",
                only_in_declarations=True,
            ),
        )


@rule("AKS132", Severity.NOTE, source=f"{_RULE}: a rule is in the region of its workspace", sample=lambda: aks(log_analytics_workspace_id=_WORKSPACE))
def unknown_workspace_region(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Azure rejects a data collection rule outside the region of its Log Analytics workspace; the id of a workspace does not contain its region."""
    logs = cluster.container_logs
    if logs is not None and logs.location is None:
        short = cluster.logs is None
        at = ("log_analytics_workspace_id",) if short else ("logs", "workspace")
        location = ref("log_analytics_workspace_location" if short else ("logs", "location"))
        message = f"The data collection rule must be in the region of its workspace: without {location} it is created in `{cluster.location}`"
        yield finding(cluster, message, path=at)


def agent_alone(cluster: AksClusterArgs) -> bool:
    """`overrides` turn the add-on on, so the component does not create the resources that it needs."""
    if cluster.container_logs is not None:
        return False
    agent = mapping(mapping(cluster.overrides.get(_ADD_ON)).get(_AGENT))
    return agent.get("enabled") is True and str(mapping(agent.get("config")).get("useAADAuth")).lower() == "true"
