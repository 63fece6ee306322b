"""What AKS asks of agent pools."""

from collections.abc import Iterator

from nodepools.model.aks.pools import Autoscale, SystemPool
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.fault import Finding, Severity
from nodepools.rules.registry import fault, rule

SIZE = "Standard_D4ds_v5"


@rule(
    "AKS014",
    Severity.ERROR,
    source="AKS API error SystemPoolHasRestrictedTaint (Azure/AKS#2578)",
    sample=lambda: SystemPool(vm_size=SIZE, count=3, taints=[Taint("dedicated", "system")]),
)
def hard_taint_on_system_pool(pool: SystemPool) -> Iterator[Finding]:
    """AKS refuses NoSchedule and NoExecute taints on system pools, `CriticalAddonsOnly` aside."""
    for taint in pool.taints:
        if taint.is_hard and taint.key != "CriticalAddonsOnly":
            yield fault(taint, "is refused on a system pool", fix="remove it, or use PreferNoSchedule")


@rule(
    "AKS010",
    Severity.ERROR,
    source="Azure API reference, agentPools: minCount and maxCount",
    sample=lambda: Autoscale(3, 2),
)
def least_above_most(scale: Autoscale) -> Iterator[Finding]:
    """The fewest nodes cannot be more than the most."""
    if scale.min > scale.max:
        yield fault(scale, f"is more than the most nodes, {scale.max}", at="min", fix=f"write Autoscale({scale.max}, {scale.min})")
