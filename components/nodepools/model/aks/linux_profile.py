"""The Linux profile of a cluster, which clusters that `az aks create` made have."""

from pydantic import Field

from nodepools.model.base import Model


class LinuxProfile(Model):
    """The administrator account of Linux nodes, for existing clusters that have one. A change replaces the cluster."""

    admin_username: str = Field(default="azureuser", pattern=r"^[A-Za-z][-A-Za-z0-9_]*$")
    """Letters, digits, hyphens and underscores, with a letter first. A change replaces the cluster."""
    ssh_key: str = Field(min_length=1)
    """Public SSH key of the account, as Azure returns it: a difference, also in spaces at its end, replaces the cluster. AKS accepts one key."""
