"""What collects the logs and metrics of an AKS cluster.

It changes only with `logs`, `metrics` and `audit`, whose changes are reported; the order has it. The name of a resource stands for its id.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import Site, resolved
from nodepools.changes.request import Key, Request
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import ManagedPrometheus
from nodepools.model.plain_data import sequence
from nodepools.wire.aks.group import group_name
from nodepools.wire.aks.monitoring import MONITORING, log_rule, metrics_rule
from nodepools.wire.aks.regions import region_word
from nodepools.wire.names import camel

_SUBJECT: Final = "monitoring"


@dataclass(frozen=True, slots=True)
class _Around:
    """Makes the requests of one cluster."""

    cluster: AksClusterArgs
    site: Site

    def made(self, kind: str, field: str, word: str, sent: Mapping[str, object], *needs: Key) -> Request:
        name = ResourceName(f"azure-native:monitor:{kind}", f"{self.site.stem}-{word}")
        key, steps = (self.site.key, _SUBJECT, f"{kind} {word}"), (*self.site.steps, field)
        return Request(key, self.site.key, steps, name, MONITORING[kind], sent, needs=frozenset(needs), follows=True)

    def tagged(self, arguments: Mapping[str, object]) -> dict[str, object]:
        group = resolved(group_name(self.cluster, self.site.stem))
        return {**cast("Mapping[str, object]", _spelled(arguments)), "resourceGroupName": group, "tags": dict(self.cluster.tags)}

    def associated(self, field: str, word: str, argument: str, to: Request) -> Request:
        """An association of the cluster; Azure does not delete what it connects before it."""
        sent = {argument: to.resource.name}
        return self.made("DataCollectionRuleAssociation", field, word, sent, self.site.cluster, to.key)


def monitoring_requests(cluster: AksClusterArgs, site: Site) -> Iterator[Request]:
    """The resources of `logs`, `metrics` and `audit`, in the order of registration."""
    around = _Around(cluster, site)
    yield from _logs(around)
    if cluster.metrics is not None and cluster.metrics.enabled:
        yield from _metrics(around, cluster.metrics)
    if cluster.audit is not None:
        sent = {"workspaceId": resolved(cluster.audit.workspace), "logs": list(cluster.audit_categories)}
        yield around.made("DiagnosticSetting", "audit", "audit", sent, site.cluster)


def _logs(around: _Around) -> Iterator[Request]:
    cluster, logs = around.cluster, around.cluster.container_logs
    if logs is None:
        return
    arguments = log_rule(around.site.stem, logs, cluster.logs_location, resolved(logs.workspace))
    rule = around.made("DataCollectionRule", "logs", f"logs-{region_word(cluster.logs_location)}", around.tagged(arguments))
    yield from (rule, around.associated("logs", "logs", "dataCollectionRuleId", rule))


def _metrics(around: _Around, metrics: ManagedPrometheus) -> Iterator[Request]:
    cluster, location = around.cluster, metrics.location if metrics.location is not None else around.cluster.location
    own = around.made("AzureMonitorWorkspace", "metrics", "metrics", around.tagged({"location": location}))
    if metrics.workspace is None:
        yield own
    endpoint = _endpoint(around, location)
    workspace = resolved(metrics.workspace) if metrics.workspace is not None else f"{own.resource} in {location}"
    arguments = around.tagged(metrics_rule(around.site.stem, location, endpoint.resource.name, workspace))
    needs = (endpoint.key, *([own.key] if metrics.workspace is None else []))
    rule = around.made("DataCollectionRule", "metrics", f"metrics-{region_word(location)}", arguments, *needs)
    yield from (endpoint, rule, around.associated("metrics", "metrics", "dataCollectionRuleId", rule))
    if cluster.api_server.private and region_word(location) != region_word(cluster.location):
        nearby = _endpoint(around, cluster.location)
        yield from (nearby, around.associated("metrics", "metrics-access", "dataCollectionEndpointId", nearby))


def _endpoint(around: _Around, location: str) -> Request:
    return around.made("DataCollectionEndpoint", "metrics", f"metrics-{region_word(location)}", around.tagged({"location": location}))


def _spelled(value: object) -> object:
    """The arguments in the API's spelling."""
    if isinstance(value, Mapping):
        return {camel(name): _spelled(part) for name, part in cast("Mapping[str, object]", value).items()}
    return [_spelled(part) for part in sequence(cast("object", value))] if isinstance(value, list) else value
