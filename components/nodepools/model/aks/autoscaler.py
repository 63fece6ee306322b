"""The cluster autoscaler of AKS, one for all autoscaled pools of a cluster.

Facts: docs/facts/aks.md § 2.3; defaults as the API reference has them.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from nodepools.model.base import Model

_MINUTES = r"^[0-9]+m$"


class AutoscalerProfile(Model):
    """How the autoscaler behaves."""

    expander: Literal["least-waste", "most-pods", "priority", "random"] | None = None
    """Which of several pools grows. Cloud default `random`; `priority` needs `priorities`, or a ConfigMap of your own."""
    priorities: Mapping[Annotated[int, Field(ge=1)], Sequence[str]] = {}
    """Priority to the keys of its pools, the highest first: `{50: ["batch"], 10: ["batch-fallback"]}`. Becomes the ConfigMap
    `cluster-autoscaler-priority-expander`, by the names that the pools have in Azure."""
    balance_similar_node_groups: bool | None = None
    """Whether pools of one size and the same labels are kept equally large: one pool a zone. Cloud default false."""
    daemonset_eviction_for_empty_nodes: bool | None = None
    """Whether pods of DaemonSets are evicted from empty nodes. Cloud default false."""
    daemonset_eviction_for_occupied_nodes: bool | None = None
    """Whether pods of DaemonSets are evicted from nodes that have others. Cloud default true."""
    ignore_daemonsets_utilization: bool | None = None
    """Whether DaemonSets count for nothing when a node's use is measured. Cloud default false."""
    max_empty_bulk_delete: int | None = Field(default=None, ge=1)
    """Empty nodes that are deleted at once. Cloud default 10."""
    max_graceful_termination_sec: int | None = Field(default=None, ge=0)
    """Seconds that pods have to end. Cloud default 600."""
    max_node_provision_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node may take to come, whole minutes. Cloud default `15m`."""
    max_total_unready_percentage: int | None = Field(default=None, ge=0, le=100)
    """Per cent of nodes that may be unready before the autoscaler stops. Cloud default 45."""
    ok_total_unready_count: int | None = Field(default=None, ge=0)
    """Nodes that may be unready whatever the percentage. Cloud default 3."""
    new_pod_scale_up_delay: str | None = Field(default=None, pattern=r"^[0-9]+[smh]$")
    """How old a pending pod must be. Cloud default `0s`."""
    scale_down_delay_after_add: str | None = Field(default=None, pattern=_MINUTES)
    """Rest after a scale-up, whole minutes. Cloud default `10m`."""
    scale_down_delay_after_delete: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """Rest after a node is deleted. Cloud default: `scan_interval`."""
    scale_down_delay_after_failure: str | None = Field(default=None, pattern=_MINUTES)
    """Rest after a scale-down that failed, whole minutes. Cloud default `3m`."""
    scale_down_unneeded_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node must be unneeded, whole minutes. Cloud default `10m`."""
    scale_down_unready_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long an unready node must be unneeded, whole minutes. Cloud default `20m`."""
    scale_down_utilization_threshold: float | None = Field(default=None, ge=0, le=1)
    """Use below which a node can go, 0 to 1. Cloud default 0.5."""
    scan_interval: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """How often the cluster is looked at. Cloud default `10s`."""
    skip_nodes_with_local_storage: bool | None = None
    """Whether nodes with `emptyDir` or `hostPath` stay. Cloud default false since AKS 1.21 by its guide, true by its reference."""
    skip_nodes_with_system_pods: bool | None = None
    """Whether nodes with pods of `kube-system` stay. Cloud default true."""
