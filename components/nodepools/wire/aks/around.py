"""What is sent for a cluster that the cluster does not say itself."""

from dataclasses import dataclass

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.agent_pool import Around


@dataclass(frozen=True, slots=True)
class ClusterAround:
    """The same for the tables of a cluster and of its parts."""

    stem: str
    """Begins the names in Azure."""
    cluster: AksClusterArgs
    """Itself: ranges of its parts depend on each other."""
    identity_id: object
    system: Around
    """What is sent for the first system pool."""
