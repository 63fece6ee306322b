"""The Windows profile of a cluster, which Windows pools require. Facts: docs/facts/aks.md § 2.6."""

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.secret import Secret


class Gmsa(Model):
    """Group managed service accounts (gMSA) of Active Directory for Windows containers."""

    dns_server: str | None = None
    """IP address of the DNS server. Default: the DNS server of the virtual network."""
    root_domain_name: str | None = None
    """Root domain name of the gMSA. Requires `dns_server`."""


class WindowsProfile(Model):
    """The administrator account of Windows nodes. It can be set only when the cluster is created: a change replaces the cluster."""

    admin_username: str = Field(default="azureuser", pattern=r"^[A-Za-z0-9_-]{1,20}$")
    """At most 20 letters, digits, hyphens and underscores. A change replaces the cluster."""
    admin_password: Secret | None = None
    """14 to 123 characters of at least three kinds (lowercase, uppercase, digits, symbols). Use a StackOutput, or a secret of
    your Pulumi configuration: it is sent as a secret, and never printed. Default: AKS creates a password, and an existing cluster keeps the one that
    it has. A change replaces the cluster."""
    hybrid_benefit: bool = False
    """Whether Azure Hybrid Benefit applies: Windows Server licenses that you already own."""
    csi_proxy: bool | None = None
    """Whether the CSI proxy runs on Windows nodes. Cloud default true."""
    gmsa: Gmsa | None = None
    """Group managed service accounts. Default: off."""
