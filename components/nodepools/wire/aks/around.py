"""What is sent for a cluster that the cluster does not say itself."""

from dataclasses import dataclass
from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.unknowns import NotKnownError
from nodepools.wire.aks.agent_pool import ALONE as POOL_ALONE
from nodepools.wire.aks.agent_pool import Around


@dataclass(frozen=True, slots=True)
class ClusterAround:
    """The same for the tables of a cluster and of its parts."""

    stem: str
    """Begins the names in Azure."""
    declared: AksClusterArgs | None
    """Itself: ranges of its parts depend on each other. `None` where it was read from a resource."""
    identity_id: object
    system: Around
    """What is sent for the first system pool."""

    @property
    def cluster(self) -> AksClusterArgs:
        """The cluster itself.

        Raises:
            NotKnownError: it was read from a resource.
        """
        if self.declared is None:
            raise NotKnownError
        return self.declared


ALONE: Final = ClusterAround("", None, None, POOL_ALONE)
"""Of a cluster that was read from a resource."""
