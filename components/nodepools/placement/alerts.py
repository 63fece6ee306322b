"""Alerts on the pools of one cluster, as Prometheus evaluates them: their limits, maxima and windows are those of the declaration.

Nodes and pods are counted by kube-state-metrics, budgets by Karpenter. Names, labels and units of the metrics, read 2026-11-29: Karpenter 1.15,
https://karpenter.sh/v1.15/reference/metrics/ and `pkg/controllers/metrics/nodepool`, `pkg/controllers/disruption` of sigs.k8s.io/karpenter v1.15.0;
kube-state-metrics 2.19, https://github.com/kubernetes/kube-state-metrics/tree/main/docs/metrics (`node`, `pod`, `job`, `replicaset`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from nodepools.model.disruption_calendar import disruption_calendar
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import grouped
from nodepools.model.values import dataclass, field
from nodepools.placement.cloud_labels import AGENT_POOL, POOL
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.workload import Workload

_CALENDAR: Final = (datetime(2024, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
"""Two years, one with a leap day: always the same ones, so that the same declaration has the same alerts on every day."""
_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
_OWN_PODS: Final = frozenset({"StatefulSet", "DaemonSet", "Job", "ReplicaSet", "ReplicationController"})
_CREATORS: Final = {"Deployment": ("ReplicaSet", "replicaset"), "CronJob": ("Job", "job_name")}
"""Kinds that create what creates pods: its kind, and the label that names it in `kube_replicaset_owner` and `kube_job_owner`."""
_NEEDED: Final = {
    "kube_node_labels": f"Set `--metric-labels-allowlist=nodes=[{AGENT_POOL},{POOL}]` of kube-state-metrics.",
    "kube_pod_owner": "Collect the metrics of kube-state-metrics.",
    "karpenter_nodepools_allowed_disruptions": "Collect the metrics of Karpenter.",
}


@dataclass(frozen=True, slots=True)
class Alert:
    """One alerting rule of Prometheus."""

    name: str
    subject: str
    """The pool or workload."""
    expression: str
    """In PromQL."""
    wait: timedelta
    """How long it must hold."""
    summary: str
    advice: str
    severity: str = "warning"

    def to_json(self, cluster: str) -> dict[str, object]:
        """As a rule file of Prometheus has it."""
        minutes = self.wait // timedelta(minutes=1)
        wait = f"{minutes}m" if minutes % 60 else f"{minutes // 60}h"
        labels = {"severity": self.severity, "cluster": cluster, "subject": self.subject}
        annotations = {"summary": self.summary, "description": self.advice}
        return {"alert": self.name, "expr": self.expression, "for": wait, "labels": labels, "annotations": annotations}


@dataclass(frozen=True, slots=True)
class ClusterAlerts:
    """The alerts on one cluster."""

    cluster: str
    """Its name in its cloud: series with another value of the label `cluster` are not read. Those without this label are."""
    pools: ClusterPools
    fitting: Sequence[Workload] = ()
    """Workloads of which it is certain that all replicas fit."""
    applied: Mapping[str, NodePool] = field(default_factory=dict[str, NodePool])
    """The declared NodePools as they are applied, with the budgets of maintenance windows, by name. Built-in ones have their own."""

    @property
    def not_watched(self) -> tuple[str, ...]:
        """What no alert is on, and why."""
        unnamed = [f"{one.namespace}/{one.kind}/{one.name}" for one in self.fitting if one.kind not in {"Pod", *_OWN_PODS, *_CREATORS}]
        unread = [pool.address for pool in self.pools.provisioned if not pool.pool.has_metrics]
        return (
            *(f"no alert on pods of {name}: kube-state-metrics does not tell which pods its kind creates" for name in unnamed),
            *([f"no alert on budgets of {', '.join(unread)}: metrics of Karpenter are not documented in EKS Auto Mode"] if unread else []),
        )

    def group(self) -> dict[str, object]:
        """A group of a rule file of Prometheus."""
        return {"name": f"nodepools/{self.cluster}", "rules": [alert.to_json(self.cluster) for alert in self.alerts()]}

    def alerts(self) -> Iterator[Alert]:
        """Pools first, then workloads, then each metric without which some of these cannot fire."""
        found = [alert for pool in self.pools.static for alert in self._at_maximum(pool)]
        found += [alert for pool in self.pools.provisioned for alert in (*self._near_limits(pool), *self._blocked(pool))]
        found += [alert for workload in self.fitting for alert in self._pending(workload)]
        yield from found
        for metric, advice in _NEEDED.items():
            if any(metric in alert.expression for alert in found):
                summary = f"Prometheus has no {metric} of {self.cluster}: alerts that need it cannot fire"
                yield Alert("NodePoolMetricsMissing", metric, f"absent({self._present(metric)})", _HOUR, summary, advice, "info")

    def _present(self, metric: str) -> str:
        """Its series. Without the allowlist, nodes have series without their labels; nodes of agent pools, which are always there, have this one."""
        series, is_labeled = self._series(metric), metric == "kube_node_labels" and any(AGENT_POOL in one.variants[0] for one in self.pools.static)
        return f'{series[:-1]},label_{_sanitized(AGENT_POOL)}!=""}}' if is_labeled else series

    def _series(self, metric: str, **labels: str) -> str:
        """The series of this cluster: where Prometheus collects one cluster, they often have no label `cluster`. `|` is between alternatives."""
        matchers = {"cluster": f"|{self.cluster}", **labels}
        each = ",".join(f'{label}={"~" * ("|" in value)}"{value}"' for label, value in matchers.items())
        return f"{metric}{{{each}}}"

    def _nodes(self, label: str, value: str) -> str:
        return self._series("kube_node_labels", **{f"label_{_sanitized(label)}": value})

    def _at_maximum(self, pool: StaticPool) -> Iterator[Alert]:
        name = pool.variants[0].get(AGENT_POOL)
        if name is not None and pool.is_scaled:
            expression = f"count(count by (node) ({self._nodes(AGENT_POOL, name)})) >= {pool.max_nodes}"
            summary = f"{pool.address} has its {pool.max_nodes:,} nodes: the cluster autoscaler adds no more"
            advice = "Pods that need another node of this pool stay Pending. Raise the maximum of `scale`, or declare another pool."
            yield Alert("AgentPoolAtMaximum", pool.address, expression, timedelta(minutes=30), summary, advice)

    def _near_limits(self, pool: KarpenterPool) -> Iterator[Alert]:
        """Not of a static NodePool: it has as many nodes as it declares, and may be at its limit on purpose."""
        nodes = self._nodes(POOL, pool.name)
        for resource, limit in pool.pool.limits.items() if pool.pool.replicas is None else ():
            capacity = self._series("kube_node_status_capacity", resource=_sanitized(resource))
            each = f"count by (node) ({nodes})" if resource == "nodes" else f"max by (node) ({capacity}) and on (node) {nodes}"
            if amount(str(limit)) > 0:
                expression = f"{'count' if resource == 'nodes' else 'sum'}({each}) >= 0.8 * {amount(str(limit)).normalize():f}"
                summary = f"{pool.address} has 80 % or more of its limit of {limit} {resource}"
                advice = "At the limit, Karpenter launches no node for pods that are Pending. Raise `limits`, or look for what grew."
                yield Alert("NodePoolNearLimit", pool.address, expression, timedelta(minutes=15), summary, advice)

    def _blocked(self, pool: KarpenterPool) -> Iterator[Alert]:
        """For each reason, a day more than its declared windows keep it closed; none for what is never open."""
        if not pool.pool.has_metrics:
            return
        disruption = self.applied.get(pool.name, pool.pool).disruption
        calendar = disruption_calendar(disruption, *_CALENDAR)
        waits = grouped(
            (calendar.longest_closed(reason) + _DAY, reason) for reason in disruption.active_reasons if not calendar.is_never_open(reason)
        )
        for wait, reasons in waits.items():
            names = ("allowed_disruptions", "nodes_consuming_budgets")
            allowed, taken = (self._series(f"karpenter_nodepools_{name}", nodepool=pool.name, reason="|".join(reasons).lower()) for name in names)
            some = self._series("karpenter_nodepools_usage", nodepool=pool.name, resource_type="nodes")
            expression = f"{allowed} - {taken} <= 0 and on (nodepool) {some} > 0"
            summary = f"No node of {pool.address} can be disrupted: its budgets are zero, or used by nodes that are not ready or do not drain"
            advice = (
                "It is closed for a day longer than its budgets declare (`nodepools calendar`). The events that "
                f"`kubectl describe nodepool {pool.name}` and `kubectl describe nodeclaim -l {POOL}={pool.name}` print say what blocks."
            )
            yield Alert("NodePoolBudgetBlocks", pool.address, expression, wait, summary, advice)

    def _pending(self, workload: Workload) -> Iterator[Alert]:
        kind, name, namespace = workload.kind, workload.name, workload.namespace
        of_pod = {"pod": name} if kind == "Pod" else {}
        pods = self._series("kube_pod_status_unschedulable", namespace=namespace, **of_pod)
        if kind in _OWN_PODS:
            pods = f"{pods} and on (namespace, pod) {self._owned('pod', namespace, kind, name)}"
        elif kind in _CREATORS:
            between, label = _CREATORS[kind]
            named = f'label_replace({self._owned("pod", namespace, between)}, "{label}", "$1", "owner_name", "(.*)")'
            pods = f"{pods} and on (namespace, pod) ({named} and on (namespace, {label}) {self._owned(between.lower(), namespace, kind, name)})"
        elif kind != "Pod":
            return
        subject = f"{namespace}/{kind}/{name}"
        summary = f"Pods of {subject} are Pending, although all its replicas fit the declared pools"
        advice = f"`nodepools explain {kind.lower()}/{name} -n {namespace} --context CONTEXT` compares with what exists."
        yield Alert("PodsPendingThatFit", subject, f"count({pods}) > 0", timedelta(minutes=30), summary, advice)

    def _owned(self, what: str, namespace: str, kind: str, name: str | None = None) -> str:
        owner = {"owner_kind": kind} if name is None else {"owner_kind": kind, "owner_name": name}
        return self._series(f"kube_{what}_owner", namespace=namespace, **owner)


def rule_file(clusters: Iterable[ClusterAlerts]) -> dict[str, object]:
    """A rule file of Prometheus, with a group for each cluster."""
    return {"groups": [cluster.group() for cluster in clusters]}


def _sanitized(name: str) -> str:
    """A resource or label as kube-state-metrics writes it."""
    return re.sub(r"[^a-zA-Z0-9_]", "_", name)
