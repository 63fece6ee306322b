"""How much of something there is, and how much of it is in use, as the cloud reports it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from nodepools.clouds.amounts import Amount
from nodepools.clouds.item import Counter

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing_agent_pools import ExportedAgentPool
    from nodepools.clouds.eks.node_groups import NodeGroup


@dataclass(frozen=True, slots=True)
class Stock:
    """A limit, and its use. Nodes of the clusters that run already are part of the use: their part remains available to them."""

    limit: int
    used: int | None = None
    """`None`: not reported."""
    own: Amount = field(default_factory=Amount)
    """How much of the use belongs to the declared clusters."""

    @property
    def room(self) -> Amount:
        """What the clusters can have, including what their running nodes use."""
        if self.used is None:
            return Amount(0, self.limit)
        most = self.used if self.own.maximum is None else min(self.own.maximum, self.used)
        free = self.limit - self.used
        return Amount(max(free + min(self.own.minimum, most), 0), max(free + most, 0))

    def __str__(self) -> str:
        """`is 100, of which 40 are in use`."""
        if self.used is None:
            return f"is {self.limit:,}; how much of it is in use is not known"
        own = f", {self.own.minimum:,} or more of them by nodes of the clusters" if self.own.minimum else ""
        return f"is {self.limit:,}, of which {self.used:,} are in use{own}"


@dataclass(frozen=True, slots=True)
class SubnetStock:
    """The addresses of an existing subnet."""

    cidr: str
    addresses: Stock
    zone: str = ""
    """Its availability zone in AWS."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])


Quotas: TypeAlias = Mapping[Counter, Stock]
"""Quotas, by `Counter.key`."""
Subnets: TypeAlias = Mapping[str, SubnetStock]
"""Existing subnets, by their ids in lower case."""
_EACH: Final = ""
"""The name of a quota that applies to each counter of its kind, such as each zone."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What exports of the clouds report."""

    quotas: Quotas = field(default_factory=dict[Counter, Stock])
    subnets: Subnets = field(default_factory=dict[str, SubnetStock])
    groups: "tuple[NodeGroup, ...]" = ()
    """Managed node groups, which no declaration contains."""
    agent_pools: "tuple[ExportedAgentPool, ...]" = ()
    """Agent pools of AKS clusters: those of declarations and of others."""

    def quota(self, counter: Counter) -> Stock | None:
        """The quota of a counter. Without an account on one side, the only one of the region applies."""
        same = {
            known.account: stock
            for known, stock in self.quotas.items()
            if (known.what, known.region) == (counter.key.what, counter.key.region) and known.name in (counter.key.name, _EACH)
        }
        if counter.key.account in same:
            return same[counter.key.account]
        fitting = [stock for account, stock in same.items() if account is None or counter.account is None]
        return fitting[0] if len(fitting) == 1 else None


NOTHING_OBSERVED: Final = Observed()
