"""Container Insights of a cluster of any program: tells whether a data collection rule configures its agent."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.resources.ownership import UnknownCluster, named_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members

_CLUSTER: Final = ("resourceUri", "targetResourceId")
"""The input of an association that names the cluster, in `azure-native` and in `azure`."""
_EXTENSION: Final = "Microsoft-ContainerInsights", "Microsoft-ContainerLog", "Microsoft-Kube", "Microsoft-InsightsMetrics", "Microsoft-Perf"
"""Prefixes of the streams of a data collection rule for Container Insights."""


def agent_is_alone(members: Members, cluster: Resource) -> bool:
    """Tells whether the whole program is known, and nothing in it can configure the agent of this cluster."""
    return members.is_stack and not _can_be_configured(members, cluster)


def _can_be_configured(members: Members, cluster: Resource) -> bool:
    """Tells whether an association can belong to this cluster, and its rule can collect logs."""
    clusters = members.of(Kind.AKS_CLUSTER)
    for member in members.of(Kind.LOG_ASSOCIATION):
        naming = next((name for name in _CLUSTER if name in member.inputs), _CLUSTER[0])
        owner = named_owner(member, naming, clusters, "id")
        if (owner is cluster or isinstance(owner, UnknownCluster)) and _can_collect_logs(members, member):
            return True
    return False


def _can_collect_logs(members: Members, association: Resource) -> bool:
    """Tells whether the rule can be for Container Insights: not for Managed Prometheus only, and not only an endpoint."""
    if association.inputs.get("dataCollectionRuleId") is None:
        return False
    urns = {*association.property_dependencies.get("dataCollectionRuleId", ()), *association.dependencies}
    rules = [member for member in members.of(Kind.LOG_RULE) if member.urn in urns]
    return not rules or any(_collects(rule) for rule in rules)


def _collects(rule: Resource) -> bool:
    flows = rule.inputs.get("dataFlows")
    if not isinstance(flows, list | tuple):
        return True
    return any(_collects_logs(flow) for flow in cast("Sequence[object]", flows))


def _collects_logs(flow: object) -> bool:
    streams = cast("Mapping[str, object]", flow).get("streams") if isinstance(flow, Mapping) else None
    if not isinstance(streams, list | tuple):
        return True
    return any(not isinstance(stream, str) or stream.startswith(_EXTENSION) for stream in cast("Sequence[object]", streams))
