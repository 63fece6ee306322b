"""The identity of the nodes of an AKS cluster, with which they pull images."""

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class KubeletIdentity(Model):
    """A user-assigned identity for the nodes. Without ids a new one is created, before the first node. AKS requires all three ids of an existing one.

    Source: https://learn.microsoft.com/azure/aks/use-managed-identity
    """

    id: Ref | None = None
    """Resource id of an existing identity, on which the identity of the cluster already has the role Managed Identity Operator. Default: a new
    identity with that assignment."""
    client_id: Ref | None = None
    """Client id of the existing identity."""
    object_id: Ref | None = None
    """Object id of the existing identity, to which the roles on registries are assigned."""
