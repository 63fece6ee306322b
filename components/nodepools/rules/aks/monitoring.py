"""Logs and metrics of AKS clusters: what is collected, and how often. Facts: docs/facts/aks.md § 10."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import LEGACY_LOGS, LOGS, AuditLogs, ContainerLogs
from nodepools.model.derive import derive
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.steps import mapping
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, set_to
from nodepools.rules.engine.registry import SETTINGS, WORKSPACES, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import aks

_INSIGHTS: Final = "https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-monitoring-enable (2026-08)"
_MONITOR: Final = "https://learn.microsoft.com/azure/aks/monitor-aks (2026-08)"
_WORKSPACE: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
_SHORT: Final = ("log_analytics_workspace_id", "log_analytics_workspace_location")
_MINUTE: Final = 60
_LONGEST: Final = 30
_EVERY: Final = "kube-audit"
_WRITES: Final = "kube-audit-admin"


def _logs(**fields: object) -> AksClusterArgs:
    return aks(logs={"workspace": _WORKSPACE, "location": "westeurope", **fields})


@error("AKS280", "nodepools: log_analytics_workspace_id is a short form of logs")
@limited(SETTINGS)
@sample("log_analytics_workspace_id", lambda: derive(_logs(), log_analytics_workspace_id=_WORKSPACE))
def container_logs_declared_twice(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """`log_analytics_workspace_id` is a short form of `logs`: only one of them can be set."""
    for name in _SHORT:
        if cluster.logs is not None and getattr(cluster, name) is not None:
            message = f"{ref(name)} and {ref('logs')} cannot both be set: both configure Container Insights"
            yield finding(cluster, message, path=name, fix=remove(name))


@error("AKS281", f"{_INSIGHTS}: namespaceFilteringMode is Include or Exclude")
@limited(SETTINGS)
@sample("logs.except_namespaces", lambda: _logs(only_namespaces=["web"], except_namespaces=["batch"]))
def namespaces_included_and_excluded(logs: ContainerLogs) -> Iterator[PartFinding]:
    """Container Insights filters namespaces by one list, which includes or excludes them."""
    if logs.only_namespaces and logs.except_namespaces:
        message = f"{ref('only_namespaces')} and {ref('except_namespaces')} cannot both be set: Container Insights has one list of namespaces"
        yield finding(logs, message, path="except_namespaces", fix=remove("except_namespaces"))


@warning("AKS282", f"{_INSIGHTS}: enableContainerLogV2 selects the table; the stream must match it")
@limited(SETTINGS)
@sample("logs.streams[0]", lambda: _logs(streams=["ContainerLog", "ContainerLogV2"]))
def two_tables_of_container_logs(logs: ContainerLogs) -> Iterator[PartFinding]:
    """The agent writes container logs to one table, `ContainerLog` or `ContainerLogV2`: the stream of the other has no data."""
    if {LEGACY_LOGS, LOGS} <= set(logs.streams):
        at = ("streams", list(logs.streams).index(LEGACY_LOGS))
        message = f"Container logs go to the old table `{LEGACY_LOGS}`, and `{LOGS}` stays empty: the agent writes to one of them"
        yield finding(logs, message, path=at, fix=Fix(f"Remove `{LEGACY_LOGS}`", (remove(at),)))


@error("AKS283", f"{_INSIGHTS}: interval from 1m to 30m, in intervals of 1m")
@limited(SETTINGS)
@sample("logs.interval", lambda: _logs(interval="1h"))
def collection_interval_out_of_range(logs: ContainerLogs) -> Iterator[PartFinding]:
    """Container Insights collects inventory and metrics every 1 to 30 minutes, in whole minutes."""
    length = seconds(logs.interval)
    if length % _MINUTE or not 1 <= length // _MINUTE <= _LONGEST:
        nearest = f"{min(max(length // _MINUTE, 1), _LONGEST)}m"
        message = f"{ref('interval')} is `{logs.interval}`: Container Insights accepts whole minutes from 1m to {_LONGEST}m"
        yield finding(logs, message, path="interval", fix=set_to("interval", nearest))


@warning("AKS284", f"{_MONITOR}: kube-audit-admin excludes get and list events; collect one of the two")
@limited(SETTINGS)
@sample("audit.categories[1]", lambda: aks(audit={"workspace": _WORKSPACE, "categories": [_EVERY, _WRITES]}))
def requests_audited_twice(audit: AuditLogs) -> Iterator[PartFinding]:
    """`kube-audit` contains every entry of `kube-audit-admin`: with both, entries are stored and billed twice."""
    if {_EVERY, _WRITES} <= set(audit.categories):
        at = ("categories", list(audit.categories).index(_WRITES))
        message = f"Entries of `{_WRITES}` are stored and billed twice: `{_EVERY}` contains them all"
        yield finding(audit, message, path=at, value=_WRITES, fix=Fix(f"Remove {literal(_WRITES)}, or remove {literal(_EVERY)}", (remove(at),)))


_RULE: Final = "https://learn.microsoft.com/azure/azure-monitor/data-collection/data-collection-rule-create-edit"
_ADD_ON: Final = "addon_profiles"
_AGENT: Final = "omsagent"


@warning("AKS130", "nodepools: the region of the workspace is that of the data collection rule, which is created with log_analytics_workspace_id")
@limited(WORKSPACES)
@sample("log_analytics_workspace_location", lambda: aks(log_analytics_workspace_location="northeurope"))
def workspace_region_without_workspace(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The region of a Log Analytics workspace has no effect without its id: no logs are collected."""
    if cluster.log_analytics_workspace_location is not None and cluster.log_analytics_workspace_id is None and cluster.logs is None:
        location, workspace = ref("log_analytics_workspace_location"), ref("log_analytics_workspace_id")
        fix = f"Set {workspace}, or remove {location}"
        yield finding(cluster, f"{location} has no effect without {workspace}", path="log_analytics_workspace_location", fix=fix)


@warning(
    "AKS131",
    "https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-monitoring-enable: with managed identity the agent collects what "
    "a data collection rule that is associated with the cluster tells it (2026-08)",
)
@sample("overrides.addon_profiles.omsagent", lambda: aks(overrides={_ADD_ON: {_AGENT: {"enabled": True, "config": {"useAADAuth": "true"}}}}))
def oms_agent_without_data_collection_rule(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The add-on `omsagent` with managed identity collects nothing until a data collection rule is associated with the cluster."""
    if agent_alone(cluster):
        message = f"The add-on `{_AGENT}` collects nothing unless a data collection rule is associated with the cluster: none is declared"
        fix = Fix(
            f"Remove {ref(('overrides', _ADD_ON, _AGENT))} and set {ref('log_analytics_workspace_id')}, which creates the rule for this cluster",
            only_in_declarations=True,
        )
        yield finding(cluster, message, path=("overrides", _ADD_ON, _AGENT), value=_AGENT, fix=fix)


@note("AKS132", f"{_RULE}: a rule is in the region of its workspace")
@limited(WORKSPACES)
@sample("log_analytics_workspace_id", lambda: aks(log_analytics_workspace_id=_WORKSPACE))
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
