"""Parts of agent pools. Facts: docs/facts/aks.md § 2.3, § 2.7, § 2.8."""

from typing import Literal

from pydantic import Field

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration


class Autoscale(Model):
    """The range within which the cluster autoscaler keeps a pool.

    Written `Autoscale(2, 10)`.
    """

    min: int = Field(kw_only=False, ge=0, le=1000)
    """Fewest nodes, 0 to 1000; at least 1 for system pools."""
    max: int = Field(kw_only=False, ge=1, le=1000)
    """Most nodes, 1 to 1000."""


class Spot(Model):
    """Evictable capacity. The label and the taint `kubernetes.azure.com/scalesetpriority=spot:NoSchedule` come with it."""

    max_price: float = Field(default=-1, ge=-1)
    """US dollars an hour, up to five decimals; -1 is up to the on-demand price. Cannot be changed in place."""
    eviction: Literal["Delete", "Deallocate"] = "Delete"
    """What becomes of an evicted node; `Deallocate` keeps counting against the quota. Cannot be changed in place."""


class UpgradeSettings(Model):
    """How the nodes of a pool are replaced when their image or version changes. Left out again, Azure keeps what it was told last."""

    max_surge: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes beyond the pool's size meanwhile, `"5"` or `"33%"`, rounded up. Cloud default `10%`; 33% is recommended."""
    max_unavailable: str | None = Field(default=None, pattern=r"^[0-9]+%?$")
    """Nodes that may be missing meanwhile, `"1"` or `"10%"`. Cloud default 0. Neither on system pools nor on spot."""
    drain_timeout: Duration | None = None
    """How long a node may drain, whole minutes, `1m` to `24h`. Cloud default 30m."""
    soak: Duration | None = None
    """Rest between two nodes, whole minutes, up to `30m`. Cloud default none."""
    undrainable: Literal["Cordon", "Schedule"] | None = None
    """What becomes of a node that cannot be drained: put aside, or the upgrade fails. Cloud default `Schedule`."""


class HostPorts(Model):
    """Ports of the nodes that network security groups let through."""

    start: int = Field(kw_only=False, ge=1, le=65535)
    """First port."""
    end: int = Field(kw_only=False, ge=1, le=65535)
    """Last port."""
    protocol: Literal["TCP", "UDP"] = Field(default="TCP", kw_only=False)
    """Protocol."""
