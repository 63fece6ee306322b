"""Entra identities of the nodes and of the workloads of an AKS cluster."""

from collections.abc import Sequence

from pydantic import Field

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


class AzureRole(Model):
    """A role on a resource in Azure."""

    role: str = Field(kw_only=False, min_length=1)
    """Name of a built-in role, such as `Storage Blob Data Contributor`, or the id (UUID) of any role definition."""
    on: Ref = Field(kw_only=False)
    """Id of the resource, resource group or subscription."""


class WorkloadIdentity(Model):
    """Gives the pods of a service account an Entra identity, by a federated credential instead of a secret.

    Annotate the service account with `azure.workload.identity/client-id`, and label its pods `azure.workload.identity/use: "true"`.
    Source: https://learn.microsoft.com/azure/aks/workload-identity-overview
    """

    namespace: str = Field(kw_only=False, pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
    """Namespace of the service account."""
    service_account: str = Field(kw_only=False, max_length=253, pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
    """Name of the service account, which does not have to exist yet."""
    roles: Sequence[AzureRole] = ()
    """Roles of the new identity. A change is in place; Azure needs some minutes until a new role takes effect."""
    identity: Ref | None = None
    """Id of an existing user-assigned identity, which gets the credential and no roles. Default: a new identity."""
