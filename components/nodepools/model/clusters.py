"""The cluster classes of all clouds."""

from typing import TypeAlias, TypeGuard

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import NodePool

AnyCluster: TypeAlias = AksClusterArgs | EksClusterArgs
"""Every one has the properties `node_pools`, `node_classes`, `built_in_node_pools`, `takes_ordinary_pods` and `declared_pools()`."""
DeclaredPool: TypeAlias = AgentPool | NodePool


def is_cluster(part: object) -> TypeGuard[AnyCluster]:
    """`part` of a declaration is a cluster, in any cloud."""
    return isinstance(part, AnyCluster)
