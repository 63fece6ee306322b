"""AKS node auto provisioning (NAP): Karpenter managed by AKS. Facts: docs/facts/aks.md § 3."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.taint import Taint

BUILT_IN = ("default", "system-surge")
"""The NodePools that AKS creates; AKS creates AKSNodeClasses with the same names."""
CILIUM_LABEL = {"kubernetes.azure.com/ebpf-dataplane": "cilium"}
CILIUM_TAINT = Taint("node.cilium.io/agent-not-ready", "true", "NoExecute")
"""Cilium removes this taint when it runs on the node."""
CAS_BLOCK = Taint("autoscaling.azure.com/cas-block", "true", "NoSchedule")
"""On agent pools of the cluster autoscaler while node auto provisioning is on too."""
NAP_BLOCK = Taint("autoscaling.azure.com/nap-block", "true", "NoSchedule")
"""On nodes of node auto provisioning while the cluster autoscaler is on too."""


class AksNodePool(NodePool):
    """A NodePool of node auto provisioning."""

    further_reasons: ClassVar[tuple[str, ...]] = ()
    capacity_types: ClassVar[tuple[str, ...]] = ("on-demand", "spot")
    """Karpenter cannot use reserved capacity in Azure."""
    operating_systems: ClassVar[tuple[str, ...]] = ("linux",)
    fewest_cpus: ClassVar[int] = 2
    label_domains: ClassVar[tuple[str, ...]] = ("karpenter.azure.com", "kubernetes.azure.com")


class NodeProvisioning(Model):
    """Node auto provisioning in mode `Auto`. Declaring it turns it on."""

    default_node_pools: Literal["Auto", "None"] = "Auto"
    """Whether AKS creates the NodePools `default` and `system-surge`. A change from `Auto` to `None` can delete them and their nodes."""
    node_classes: Mapping[str, AksNodeClass] = {}
    """AKSNodeClasses by name, in addition to the built-in `default` and `system-surge`."""
    existing_node_classes: Sequence[str] = ()
    """Names of AKSNodeClasses that another tool creates in the cluster. NodePools can use them; nothing is known about them offline."""
    node_pools: Mapping[str, AksNodePool] = {}
    """NodePools by name, in addition to the built-in ones."""
    with_cluster_autoscaler: bool = False
    """The subscription has registered the feature `AllowClusterAutoscalerAndNAP`, so autoscaled agent pools are allowed during a migration. They need
    the taint `autoscaling.azure.com/cas-block=true:NoSchedule`, and NodePools need `autoscaling.azure.com/nap-block=true:NoSchedule`."""
    cilium_startup_taint: bool = True
    """Whether NodePools on the Cilium dataplane get Cilium's label and startup taint. Karpenter then accounts for Cilium's overhead on each node."""

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that AKS creates."""
        return BUILT_IN if self.default_node_pools == "Auto" else ()

    def applied(self, pool: AksNodePool, *, cilium: bool) -> AksNodePool:
        """`pool` with the label and startup taint of Cilium, if the cluster uses its dataplane."""
        if not (cilium and self.cilium_startup_taint):
            return pool
        marked = {(taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints)}
        own = () if (CILIUM_TAINT.key, CILIUM_TAINT.effect) in marked else (CILIUM_TAINT,)
        return derive(pool, labels={**CILIUM_LABEL, **pool.labels}, startup_taints=(*pool.startup_taints, *own))

    @property
    def built_in_for_ordinary_pods(self) -> Sequence[str]:
        """Built-in NodePools for pods without tolerations. They have no weight, and launch on-demand amd64 nodes."""
        return ["default"] if self.default_node_pools == "Auto" else []
