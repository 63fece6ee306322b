"""Who may enter a cluster, and from where."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class EntraPrincipal(Model):
    """Someone or something known to Microsoft Entra ID."""

    object_id: Ref = Field(kw_only=False)
    """Its object id; not the application id."""
    principal_type: Literal["User", "Group", "ServicePrincipal"] = Field(default="Group", kw_only=False)
    """What it is: Azure refuses an assignment of the wrong type."""


class Entra(Model):
    """Microsoft Entra ID logs people and CI in, Azure RBAC says what they may do, and there are no local accounts."""

    tenant_id: Ref | None = None
    """The tenant; that of the subscription when left out."""
    deployer_is_admin: bool = True
    """Whether the principal that runs Pulumi gets the cluster-admin role, before the first in-cluster object.
    Turn it off where it holds that role already, by a group say: Azure refuses the same assignment twice."""


class ApiServer(Model):
    """From where the Kubernetes API can be reached."""

    private: bool = False
    """Only from the cluster's network and what is joined to it."""
    authorized_ip_ranges: Sequence[str] = ()
    """Ranges that may reach the public endpoint, `203.0.113.0/24`; everyone when left out."""
