"""Logs and metrics of an AKS cluster in Azure Monitor. Facts: docs/facts/aks.md § 10."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration
from nodepools.model.ref import Ref

Stream: TypeAlias = Literal[
    "ContainerInsights-Group-Default",
    "ContainerLog",
    "ContainerLogV2",
    "KubeEvents",
    "KubePodInventory",
    "KubeNodeInventory",
    "KubePVInventory",
    "KubeServices",
    "KubeMonAgentEvents",
    "InsightsMetrics",
    "ContainerInventory",
    "ContainerNodeInventory",
    "Perf",
]
SyslogLevel: TypeAlias = Literal["Debug", "Info", "Notice", "Warning", "Error", "Critical", "Alert", "Emergency"]
LEVELS: Final[tuple[SyslogLevel, ...]] = ("Debug", "Info", "Notice", "Warning", "Error", "Critical", "Alert", "Emergency")
"""From the least to the most severe."""
Facility: TypeAlias = Literal[
    "auth",
    "authpriv",
    "cron",
    "daemon",
    "kern",
    "lpr",
    "mail",
    "mark",
    "news",
    "syslog",
    "user",
    "uucp",
    "local0",
    "local1",
    "local2",
    "local3",
    "local4",
    "local5",
    "local6",
    "local7",
]
LEGACY_LOGS, LOGS = "ContainerLog", "ContainerLogV2"
"""The tables of container logs: the agent writes to one of them."""
Category: TypeAlias = Literal[
    "kube-audit",
    "kube-audit-admin",
    "guard",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "cluster-autoscaler",
    "karpenter-events",
    "cloud-controller-manager",
    "csi-azuredisk-controller",
    "csi-azurefile-controller",
    "csi-snapshot-controller",
]


class Syslog(Model):
    """System logs of the nodes, in the table `Syslog`."""

    level: SyslogLevel = Field(default="Warning", kw_only=False)
    """The least severe level that is collected, with all levels above it."""
    facilities: Sequence[Facility] = Field(default=("auth", "authpriv", "cron", "daemon", "kern", "syslog", "user"), min_length=1)
    """Sources of the messages, such as `kern` and `daemon`."""

    @property
    def levels(self) -> tuple[SyslogLevel, ...]:
        """The levels that are collected."""
        return LEVELS[LEVELS.index(self.level) :]


class ContainerLogs(Model):
    """Container Insights: container logs, events and inventory in a Log Analytics workspace.

    The add-on, its data collection rule and the association are created; no role is needed. A change updates the rule; nodes stay.
    """

    workspace: Ref = Field(kw_only=False)
    """Id of the Log Analytics workspace."""
    location: str | None = Field(default=None, min_length=1)
    """Azure region of the workspace. Its data collection rule must be in the same region. Default: the region of the cluster."""
    streams: Sequence[Stream] = Field(default=("ContainerLogV2", "KubeEvents", "KubePodInventory"), min_length=1)
    """What is collected, by table. Default: logs and events, as in the portal. `ContainerInsights-Group-Default` collects everything, with metrics
    that cost more here than in managed Prometheus. `ContainerLog` is the older table of container logs, instead of `ContainerLogV2`.
    Source: https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-monitoring-enable"""
    interval: Duration = "1m"
    """How often inventory and metrics are collected, whole minutes from `1m` to `30m`. It does not concern container logs."""
    only_namespaces: Sequence[str] = ()
    """Namespaces whose inventory and metrics are collected. Default: all. It does not concern container logs, which the ConfigMap
    `kube-system/container-azm-ms-agentconfig` filters."""
    except_namespaces: Sequence[str] = ()
    """Namespaces whose inventory and metrics are not collected. Cannot be combined with `only_namespaces`."""
    syslog: Syslog | None = None
    """System logs of the nodes. Default: none."""


class ManagedPrometheus(Model):
    """Metrics in an Azure Monitor workspace. The collection endpoint, rule and association are created. A change is in place; nodes stay."""

    workspace: Ref | None = Field(default=None, kw_only=False)
    """Id of an Azure Monitor workspace. Default: a new one, with the name of the cluster."""
    location: str | None = Field(default=None, min_length=1)
    """Azure region of the workspace. Its data collection endpoint and rule must be in the same region. Default: the region of the cluster."""
    label_keys: Mapping[str, Sequence[str]] = {}
    """Kubernetes labels that are added to metrics of kube-state-metrics, by resource: `{"pods": ["app"], "namespaces": ["*"]}`. Default: none."""
    annotation_keys: Mapping[str, Sequence[str]] = {}
    """Kubernetes annotations that are added to metrics of kube-state-metrics, by resource. Default: none."""
    enabled: bool = True
    """Whether metrics are collected. AKS keeps the agent when this part is removed from the declaration: set `False` to turn it off. Cloud default
    false."""
    control_plane: bool | None = None
    """Whether metrics of the control plane are collected, too. Cloud default false. From version 2026-04-01 of the API."""


class AuditLogs(Model):
    """Logs of the control plane in a Log Analytics workspace: a diagnostic setting of the cluster. A change is in place; nodes stay."""

    workspace: Ref = Field(kw_only=False)
    """Id of the Log Analytics workspace."""
    categories: Sequence[Category] = Field(default=("kube-audit-admin", "guard"), min_length=1)
    """The logs. `kube-audit-admin` has the requests that change something, `kube-audit` has every request and costs far more, `guard` has the
    decisions of Entra ID and Azure RBAC. Events of node auto provisioning and of the cluster autoscaler are added on clusters that have them.
    Source: https://learn.microsoft.com/azure/aks/monitor-aks"""
