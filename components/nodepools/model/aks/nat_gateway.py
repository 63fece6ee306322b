"""NAT gateways of AKS clusters: one of your own in a new network, or the one that AKS manages in its own network."""

from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration


class NatGateway(Model):
    """A new NAT gateway on all subnets of a new network, with public IPv4 addresses of its own.

    Source: https://learn.microsoft.com/azure/aks/nat-gateway
    """

    addresses: int = Field(default=1, ge=1, le=16)
    """Number of public IP addresses, 1 to 16. Each has 64,512 outbound ports for all nodes together. A change is in place."""
    zone: Literal[1, 2, 3] | None = None
    """Availability zone of the gateway. Default: none, Azure selects one. A change replaces the gateway and its addresses."""
    idle_timeout: Duration | None = None
    """When an idle flow is dropped, in whole minutes, `4m` (cloud default) to `120m`. A change is in place."""


class ManagedNatGateway(Model):
    """Settings of the NAT gateway that AKS manages, with `outbound_type="managedNATGateway"`.

    Source: https://learn.microsoft.com/azure/aks/nat-gateway
    """

    managed_outbound_ips: int | None = Field(default=None, ge=1, le=16)
    """Number of public IP addresses that AKS creates, 1 to 16. Cloud default 1. A change is in place."""
    idle_timeout: Duration | None = None
    """When an idle flow is dropped, in whole minutes, `4m` (cloud default) to `120m`. A change is in place."""
