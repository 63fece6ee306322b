"""What makes Windows pools possible. Facts: docs/facts/aks.md § 2.6."""

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.ref import Ref


class Gmsa(Model):
    """Group managed service accounts of Active Directory for Windows containers."""

    dns_server: str | None = None
    """Address of the DNS server; that of the network when left out."""
    root_domain_name: str | None = None
    """Root domain; with `dns_server`."""


class WindowsProfile(Model):
    """The administrator of Windows nodes. Set when the cluster is made or never; azure-native makes another cluster when it changes."""

    admin_username: str = Field(default="azureuser", pattern=r"^[A-Za-z0-9_-]{1,20}$")
    """Up to 20 letters, digits, hyphens and underscores. Cannot be changed."""
    admin_password: Ref
    """14 to 123 characters of three kinds. A secret: give a StackOutput, or an Output of your configuration."""
    hybrid_benefit: bool = False
    """Whether licences that you own are used."""
    csi_proxy: bool | None = None
    """Whether the CSI proxy runs. Cloud default true."""
    gmsa: Gmsa | None = None
    """Group managed service accounts; off when left out."""
