"""The cluster classes of all clouds, and functions with one implementation per cloud."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeGuard, TypeVar

from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import NodePool
from nodepools.model.steps import Steps

AnyCluster: TypeAlias = AksClusterArgs | EksClusterArgs
DeclaredPool: TypeAlias = AgentPool | NodePool
P = ParamSpec("P")
R = TypeVar("R")


class DeclaresPools(Protocol):
    """The properties that clusters of every cloud have for their pools."""

    @property
    def node_pools(self) -> Mapping[str, NodePool]:
        """The declared NodePools by name."""
        ...

    @property
    def node_classes(self) -> Mapping[str, object]:
        """The declared node classes by key."""
        ...

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that the cloud creates in this cluster."""
        ...

    @property
    def takes_ordinary_pods(self) -> bool:
        """A pod without tolerations can be scheduled on some pool, declared or built-in."""
        ...

    def declared_pools(self) -> Iterator[tuple[Steps, str, DeclaredPool]]:
        """Every declared pool with its path in the cluster and its key, in the order of the declaration."""
        ...


@dataclass(frozen=True, slots=True)
class PerCloud(Generic[P, R]):
    """A function of a cluster with one implementation per cloud, chosen by the type of the declaration.

    A module that is not about one cloud declares a function like this and calls it; it never asks which cloud a cluster is in.
    """

    aks: Callable[Concatenate[AksClusterArgs, P], R]
    eks: Callable[Concatenate[EksClusterArgs, P], R]

    def __call__(self, cluster: AnyCluster, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the implementation for the cloud of `cluster`."""
        if isinstance(cluster, AksClusterArgs):
            return self.aks(cluster, *args, **kwargs)
        return self.eks(cluster, *args, **kwargs)


def is_cluster(part: object) -> TypeGuard[AnyCluster]:
    """`part` of a declaration is a cluster, in either cloud."""
    return isinstance(part, AksClusterArgs | EksClusterArgs)
