"""AKS node auto provisioning (NAP): Karpenter, run by AKS. Facts: docs/facts/aks.md § 3."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.taint import Taint

BUILT_IN = ("default", "system-surge")
"""The NodePools that AKS makes, and the AKSNodeClasses beside them."""
CILIUM_LABEL = {"kubernetes.azure.com/ebpf-dataplane": "cilium"}
CILIUM_TAINT = Taint("node.cilium.io/agent-not-ready", "true", "NoExecute")
"""Taken away by Cilium once it runs on the node."""
CAS_BLOCK = Taint("autoscaling.azure.com/cas-block", "true", "NoSchedule")
"""On agent pools of the cluster autoscaler, while node auto provisioning is beside it."""
NAP_BLOCK = Taint("autoscaling.azure.com/nap-block", "true", "NoSchedule")
"""On nodes of node auto provisioning, while the cluster autoscaler is beside it."""


class AksNodePool(NodePool):
    """A NodePool of node auto provisioning."""

    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot")
    """Azure has no reserved capacity that Karpenter could ask for."""


class NodeProvisioning(Model):
    """Node auto provisioning, mode Auto: declared by being here."""

    default_node_pools: Literal["Auto", "None"] = "Auto"
    """Whether AKS makes the NodePools `default` and `system-surge`. From Auto to None they may be deleted, with their nodes."""
    node_classes: Mapping[str, AksNodeClass] = {}
    """AKSNodeClasses by name, beside the built-in `default` and `system-surge`."""
    node_pools: Mapping[str, AksNodePool] = {}
    """NodePools by name, beside the built-in ones."""
    with_cluster_autoscaler: bool = False
    """The subscription has registered the feature `AllowClusterAutoscalerAndNAP`: autoscaled agent pools may stay for the time of a move.
    They want the taint `autoscaling.azure.com/cas-block=true:NoSchedule`, and NodePools `autoscaling.azure.com/nap-block=true:NoSchedule`."""
    cilium_startup_taint: bool = True
    """Whether NodePools on the Cilium dataplane get its label and startup taint, by which Karpenter knows what Cilium takes of a node."""

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """The NodePools that AKS makes here."""
        return BUILT_IN if self.default_node_pools == "Auto" else ()

    def applied(self, pool: AksNodePool, *, cilium: bool) -> AksNodePool:
        """A NodePool with what comes by itself."""
        if not (cilium and self.cilium_startup_taint):
            return pool
        marked = {(taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints)}
        own = () if (CILIUM_TAINT.key, CILIUM_TAINT.effect) in marked else (CILIUM_TAINT,)
        return derive(pool, labels={**CILIUM_LABEL, **pool.labels}, startup_taints=(*pool.startup_taints, *own))
