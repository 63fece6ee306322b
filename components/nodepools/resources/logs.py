"""Container Insights of a cluster of any program: whether something tells its agent what to collect."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.resources.ownership import UnknownCluster, named_owner
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import Kind
from nodepools.resources.resource_set import Members

_CLUSTER: Final = ("resourceUri", "targetResourceId")
"""What names the cluster in an association, in `azure-native` and in `azure`."""
_EXTENSION: Final = "Microsoft-ContainerInsights", "Microsoft-ContainerLog", "Microsoft-Kube", "Microsoft-InsightsMetrics", "Microsoft-Perf"
"""What the streams of a rule begin with that is for Container Insights."""


def agent_is_alone(members: Members, cluster: Resource) -> bool:
    """All of the program is known, and nothing in it can tell the agent of this cluster what to collect."""
    return members.is_stack and not _may_be_told(members, cluster)


def _may_be_told(members: Members, cluster: Resource) -> bool:
    """Some association may be this cluster's, with a rule that may be about its logs."""
    clusters = members.of(Kind.AKS_CLUSTER)
    for one in members.of(Kind.LOG_ASSOCIATION):
        naming = next((name for name in _CLUSTER if name in one.inputs), _CLUSTER[0])
        owner = named_owner(one, naming, clusters, "id")
        if (owner is cluster or isinstance(owner, UnknownCluster)) and _may_be_about_logs(members, one):
            return True
    return False


def _may_be_about_logs(members: Members, association: Resource) -> bool:
    """Not one of Managed Prometheus, nor one of an endpoint: those leave Container Insights without a rule."""
    if association.inputs.get("dataCollectionRuleId") is None:
        return False
    urns = {*association.property_dependencies.get("dataCollectionRuleId", ()), *association.dependencies}
    rules = [one for one in members.of(Kind.LOG_RULE) if one.urn in urns]
    return not rules or any(_collects(one) for one in rules)


def _collects(rule: Resource) -> bool:
    flows = rule.inputs.get("dataFlows")
    if not isinstance(flows, list | tuple):
        return True
    return any(_brings(flow) for flow in cast("Sequence[object]", flows))


def _brings(flow: object) -> bool:
    streams = cast("Mapping[str, object]", flow).get("streams") if isinstance(flow, Mapping) else None
    if not isinstance(streams, list | tuple):
        return True
    return any(not isinstance(stream, str) or stream.startswith(_EXTENSION) for stream in cast("Sequence[object]", streams))
