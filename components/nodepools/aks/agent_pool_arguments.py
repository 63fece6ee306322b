"""Arguments of agent pools for azure-native, in their Python spelling."""

from collections.abc import Callable

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.ref import Ref
from nodepools.wire.aks.agent_pool import POOL, AgentPoolContext
from nodepools.wire.names import python_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.writing import write

Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""


def agent_pool_arguments(pool: AgentPool, around: AgentPoolContext, *, resolve: Resolve = lambda ref: ref) -> dict[str, object]:
    """The common arguments of the pool inside the cluster and of separate pools.

    Labels and taints are always sent: a later PUT replaces them as a whole, and one with labels but without the spot label removes that label
    (Azure/AKS#3152). So are the type, whose default changed from scale sets to VMs, and whether the pool is autoscaled: omitting it
    would not turn it off. `count` is required on creation even when the pool is autoscaled.

    The version is sent for separate pools, which follow their cluster. It is never sent for the pool inside the cluster: while other
    pools are resources of their own, AKS rejects a new version of the cluster in a request that has one of a pool
    (NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged, Azure/AKS#4765).

    Args:
        pool: the declared pool.
        around: values that come from the cluster.
        resolve: returns the value of a reference.
    """
    return merge_overrides(write(POOL, pool, around, spell=python_name, resolve=resolve), pool.overrides)
