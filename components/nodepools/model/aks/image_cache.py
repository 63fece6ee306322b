"""The source of system images of a network isolated AKS cluster."""

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class ImageCache(Model):
    """Nodes pull system images from a registry in your network instead of the internet, as network isolated clusters require.

    Source: https://learn.microsoft.com/azure/aks/network-isolated
    """

    registry_id: Ref | None = None
    """Id of an existing container registry with a private endpoint and a cache rule from `mcr.microsoft.com/*` to `aks-managed-repository/*`. A new
    identity of nodes gets the same roles on it as on `registries`; for an existing one, list it there. Default: a registry that AKS creates."""
