"""What a cluster is in and acts as, in Azure's API: its resource group, and the identities that are created for it and its nodes.

Nothing is read back: a resource group that exists is a field of the cluster, and so is an identity.
"""

from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.sources import IN_PLACE, PATH, REPLACED
from nodepools.wire.table import Table
from nodepools.wire.unmodeled import Note


def group_name(cluster: AksClusterArgs, stem: str) -> object:
    """The declared resource group, otherwise the new one, which has the name of the component."""
    return cluster.resource_group if cluster.resource_group is not None else stem


GROUP: Final = Table(
    Note("derived", "resourceGroupName", PATH, "the name of the component"),
    Note("derived", "location", REPLACED, "the region of the cluster"),
    Note("derived", "tags", IN_PLACE, "the tags of the cluster"),
)
"""A new ResourceGroup for a cluster."""
IDENTITY: Final = Table(
    Note("derived", "resourceName", PATH, "the name of the component"),
    Note("derived", "resourceGroupName", PATH, "the resource group of the cluster"),
    Note("derived", "location", REPLACED, "the region of the cluster"),
    Note("derived", "tags", IN_PLACE, "the tags of the cluster"),
)
"""A new UserAssignedIdentity, of a cluster or of its nodes."""
