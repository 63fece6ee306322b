"""The cluster autoscaler of AKS: one profile for all autoscaled pools of a cluster. Facts: docs/facts/aks.md § 2.3."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from nodepools.model.base import Model

_MINUTES = r"^[0-9]+m$"


class AutoscalerProfile(Model):
    """Settings of the cluster autoscaler."""

    expander: Literal["least-waste", "most-pods", "priority", "random"] | None = None
    """How the autoscaler chooses among several pools that fit. Cloud default `random`. `priority` requires `priorities`, or a ConfigMap that you
    apply."""
    priorities: Mapping[Annotated[int, Field(ge=1)], Sequence[str]] = {}
    """Priority to pool keys, highest first: `{50: ["batch"], 10: ["batch-fallback"]}`. It creates the ConfigMap
    `cluster-autoscaler-priority-expander` with the pool names in Azure."""
    balance_similar_node_groups: bool | None = None
    """Whether the autoscaler balances the sizes of pools with the same VM size and labels: for one pool per zone. Cloud default false."""
    daemonset_eviction_for_empty_nodes: bool | None = None
    """Whether DaemonSet pods are evicted from empty nodes. Cloud default false."""
    daemonset_eviction_for_occupied_nodes: bool | None = None
    """Whether DaemonSet pods are evicted from nodes that also run other pods. Cloud default true."""
    ignore_daemonsets_utilization: bool | None = None
    """Whether the utilization of a node excludes DaemonSet pods. Cloud default false."""
    max_empty_bulk_delete: int | None = Field(default=None, ge=1)
    """Maximum number of empty nodes that are deleted at once. Cloud default 10."""
    max_graceful_termination_sec: int | None = Field(default=None, ge=0)
    """Seconds that pods have to terminate when a node is removed. Cloud default 600."""
    max_node_provision_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node can take to become ready, in whole minutes. Cloud default `15m`."""
    max_total_unready_percentage: int | None = Field(default=None, ge=0, le=100)
    """Percentage of unready nodes above which the autoscaler stops. Cloud default 45."""
    ok_total_unready_count: int | None = Field(default=None, ge=0)
    """Number of unready nodes that is allowed regardless of the percentage. Cloud default 3."""
    new_pod_scale_up_delay: str | None = Field(default=None, pattern=r"^[0-9]+[smh]$")
    """Minimum age of a Pending pod before the autoscaler considers it. Cloud default `0s`."""
    scale_down_delay_after_add: str | None = Field(default=None, pattern=_MINUTES)
    """How long scale-in pauses after a scale-out, in whole minutes. Cloud default `10m`."""
    scale_down_delay_after_delete: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """How long scale-in pauses after a node is deleted. Cloud default: `scan_interval`."""
    scale_down_delay_after_failure: str | None = Field(default=None, pattern=_MINUTES)
    """How long scale-in pauses after it failed, in whole minutes. Cloud default `3m`."""
    scale_down_unneeded_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long a node must be unneeded before it is removed, in whole minutes. Cloud default `10m`."""
    scale_down_unready_time: str | None = Field(default=None, pattern=_MINUTES)
    """How long an unready node must be unneeded before it is removed, in whole minutes. Cloud default `20m`."""
    scale_down_utilization_threshold: float | None = Field(default=None, ge=0, le=1)
    """Utilization below which a node can be removed, 0 to 1. Cloud default 0.5."""
    scan_interval: str | None = Field(default=None, pattern=r"^[0-9]+[sm]$")
    """How often the autoscaler evaluates the cluster. Cloud default `10s`."""
    skip_nodes_with_local_storage: bool | None = None
    """Whether nodes with pods that use `emptyDir` or `hostPath` are never removed. Cloud default: false since AKS 1.21 according to the AKS guide,
    true according to the API reference."""
    skip_nodes_with_system_pods: bool | None = None
    """Whether nodes with pods of `kube-system` are never removed. Cloud default true."""
