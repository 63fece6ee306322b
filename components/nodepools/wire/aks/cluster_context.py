"""Values of a cluster's request that are not fields of the cluster."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.unknowns import NotKnownError
from nodepools.wire.aks.agent_pool import ALONE as POOL_ALONE
from nodepools.wire.aks.agent_pool import AgentPoolContext


class KubeletIds(NamedTuple):
    """The ids of the identity that the component creates for nodes."""

    resource_id: object
    client_id: object = None
    object_id: object = None


@dataclass(frozen=True, slots=True)
class AksClusterContext:
    """Context of the tables of a cluster and its parts."""

    stem: str
    """Prefix of the names in Azure."""
    declared: AksClusterArgs | None
    """The cluster, because ranges of its parts depend on each other. `None` if it was read from a resource."""
    identity_id: object
    system: AgentPoolContext
    """Context of the first system pool."""
    kubelet: KubeletIds | None = None
    """`None` if no identity is created for nodes, or if it is not known."""
    egress: tuple[object, ...] = ()
    """Addresses of the NAT gateway that is created, as ranges."""

    @property
    def cluster(self) -> AksClusterArgs:
        """The cluster.

        Raises:
            NotKnownError: it was read from a resource.
        """
        if self.declared is None:
            raise NotKnownError
        return self.declared


STANDALONE: Final = AksClusterContext("", None, None, POOL_ALONE)
"""Context of a cluster that was read from a resource."""
