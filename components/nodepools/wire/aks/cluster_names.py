"""Names of an AKS cluster and of its resource groups in Azure. They need no table."""

from typing import Final

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.name_limits import cut

_LONGEST_NAME: Final = 63
_LONGEST_GROUP: Final = 80


def cluster_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name in Azure."""
    return cluster.name if cluster.name is not None else cut(stem, _LONGEST_NAME)


def resource_group_name(cluster: AksClusterArgs, stem: str) -> str | None:
    """The name of its resource group; `None` if only the program knows it."""
    if cluster.resource_group is None:
        return stem
    return cluster.resource_group if isinstance(cluster.resource_group, str) else None


def node_group_name(cluster: AksClusterArgs, stem: str) -> str:
    """The name of the resource group of the nodes."""
    return cluster.node_resource_group if cluster.node_resource_group is not None else cut(f"{stem}-nodes", _LONGEST_GROUP)
