"""What the nodes of an AKS cluster that exists share, as `az aks show` prints it. Facts: docs/facts/capacity.md § 1, § 2."""

from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Final

from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class ExistingNetwork:
    """Its network profile, as far as nodes and pods take something of it."""

    pods_have_own_addresses: bool = False
    """Pods take no addresses of the subnet of the nodes."""
    pod_cidr: str = ""
    """The range of overlay networking; empty: there is none."""
    ports: int = 0
    """Outbound ports of the load balancer for each node; 0: nodes share them, or have none."""
    outbound_addresses: int | None = None
    """`None`: not known."""


NO_NETWORK: Final = ExistingNetwork()
"""None was exported."""


def existing_network(raw: Mapping[str, object]) -> ExistingNetwork:
    """The network profile of an export.

    Raises:
        PodError: a field is invalid.
    """
    overlay = text(raw.get("networkPluginMode"), "networkPluginMode").lower() == "overlay"
    balancer: Mapping[str, object] = mapping(raw, "loadBalancerProfile") if raw.get("outboundType") == "loadBalancer" else {}
    managed, own = mapping(balancer, "managedOutboundIPs").get("count"), entries(mapping(balancer, "outboundIPs"), "publicIPs")
    addresses = number(managed or 0, "count") + len(own)
    return ExistingNetwork(
        overlay or raw.get("networkPlugin") == "kubenet",
        _range(text(raw.get("podCidr"), "podCidr")) if overlay else "",
        number(balancer.get("allocatedOutboundPorts") or 0, "allocatedOutboundPorts"),
        addresses if addresses and not mapping(balancer, "outboundIPPrefixes") else None,
    )


def _range(cidr: str) -> str:
    try:
        return str(IPv4Network(cidr)) if cidr else ""
    except ValueError:
        raise PodError(f"`podCidr` must be a range of IPv4 addresses, but is `{cidr:.60}`") from None
