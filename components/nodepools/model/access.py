"""Access to a cluster: principals and networks."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class EntraPrincipal(Model):
    """A user, group or service principal of Microsoft Entra ID."""

    object_id: Ref = Field(kw_only=False)
    """Object id; not the application id."""
    principal_type: Literal["User", "Group", "ServicePrincipal"] = Field(default="Group", kw_only=False)
    """Type of the principal. Azure rejects a role assignment with the wrong type."""


class Entra(Model):
    """Authentication by Microsoft Entra ID; by default with authorization by Azure RBAC, and without local accounts."""

    tenant_id: Ref | None = None
    """Entra tenant. Default: the tenant of the subscription."""
    azure_rbac: bool = True
    """Whether Azure role assignments authorize users, in addition to Kubernetes RBAC. Without it, members of `admin_groups` are the admins, and
    `admins` get no role. Cloud default false. A change is in place."""
    admin_groups: Sequence[Ref] = ()
    """Object ids of Entra groups whose members are cluster admins. AKS keeps the groups when this list becomes empty. A change is in place."""
    local_accounts: bool = False
    """Whether the static admin credential of the cluster stays valid. Cloud default true. A change is in place."""
    deployer_is_admin: bool = True
    """Whether the principal that runs Pulumi gets the cluster-admin role, before the first in-cluster object is created. Turn it off if the principal
    already has that role, for example by a group: Azure rejects the same assignment twice."""


class ApiServer(Model):
    """Network access to the Kubernetes API."""

    private: bool = False
    """Whether the API server is reachable only from the cluster's network and connected networks."""
    authorized_ip_ranges: Sequence[str] = ()
    """Ranges that can reach the public endpoint, such as `203.0.113.0/24`. Default: all addresses."""
