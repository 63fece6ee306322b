"""Settings of agent pools: autoscaling, spot capacity, upgrades and host ports. Facts: docs/facts/aks.md § 2.3, § 2.7, § 2.8."""

from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration


class Autoscale(Model):
    """The range within which the cluster autoscaler scales a pool.

    Example: `Autoscale(2, 10)`.
    """

    min: int = Field(kw_only=False, ge=0, le=1000)
    """Minimum number of nodes, 0 to 1000; at least 1 for system pools."""
    max: int = Field(kw_only=False, ge=1, le=1000)
    """Maximum number of nodes, 1 to 1000."""


class Spot(Model):
    """Spot capacity, which Azure can evict. AKS adds the label and the taint `kubernetes.azure.com/scalesetpriority=spot:NoSchedule`."""

    max_price: float = -1
    """Maximum price in US dollars per hour, with up to five decimals; -1 means up to the on-demand price. Immutable."""
    eviction: Literal["Delete", "Deallocate"] = "Delete"
    """What happens to an evicted node. A deallocated node still counts against the quota. Immutable."""


class UpgradeSettings(Model):
    """How AKS replaces the nodes of a pool when their image or version changes. When a field is removed, AKS keeps its last value."""

    max_surge: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes that AKS adds during an upgrade, as a count `"5"` or a percentage of the pool `"33%"`, rounded up. Cloud default `10%`,
    before Kubernetes 1.32 `1`; AKS recommends 33%."""
    max_unavailable: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes that can be unavailable during an upgrade, `"1"` or `"10%"`. Cloud default 0. Not for system pools or spot pools."""
    drain_timeout: Duration | None = None
    """How long AKS waits for a node to drain, in whole minutes, `1m` to `24h`. Cloud default 30m."""
    soak: Duration | None = None
    """How long AKS waits between two nodes, in whole minutes, up to `30m`. Cloud default: no wait."""
    undrainable: Literal["Cordon", "Schedule"] | None = None
    """What happens when a node cannot be drained: `Cordon` leaves it cordoned and continues, `Schedule` fails the upgrade. Cloud default
    `Schedule`."""


class HostPorts(Model):
    """A range of host ports that network security groups allow."""

    start: int = Field(kw_only=False, ge=1, le=65535)
    """First port."""
    end: int = Field(kw_only=False, ge=1, le=65535)
    """Last port."""
    protocol: Literal["TCP", "UDP"] = Field(default="TCP", kw_only=False)
    """Protocol of the ports."""
