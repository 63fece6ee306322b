"""Entra identities for workloads of an AKS cluster."""

from collections.abc import Sequence

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


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
    service_account: str = Field(kw_only=False, pattern=r"^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$")
    """Name of the service account, which does not have to exist yet."""
    roles: Sequence[AzureRole] = ()
    """Roles of the new identity. A change is in place; Azure needs some minutes until a new role takes effect."""
    identity: Ref | None = None
    """Id of an existing user-assigned identity, which gets the credential and no roles. Default: a new identity."""
