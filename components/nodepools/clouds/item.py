"""One thing that a cluster needs a number of, how much of it there is and is in use, and the answer whether that is enough."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from nodepools.clouds.amounts import Amount, Sizes, Verdict, verdict
from nodepools.model.values import dataclass, field

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
    from nodepools.clouds.eks.node_groups import NodeGroup


What = Literal[
    "node_subnet",
    "pod_subnet",
    "pod_cidr",
    "api_server_subnet",
    "control_plane_subnet",
    "outbound_ports",
    "agent_pools",
    "nodes",
    "pods",
    "vcpus",
    "spot_vcpus",
    "elastic_ips",
    "nat_gateways",
    "vpcs",
]
CheckedBy = Literal["server", "true_use", "planning"]
"""`server`: the cloud computes this figure when it gets a request, and rejects it. `true_use`: what running nodes take, which nothing checks
beforehand. `planning`: what manuals and defaults of quotas suggest."""


NOUNS: Final[Mapping[What, str]] = {
    "node_subnet": "node addresses",
    "pod_subnet": "pod addresses",
    "pod_cidr": "pod addresses",
    "api_server_subnet": "API server addresses",
    "control_plane_subnet": "control plane addresses",
    "outbound_ports": "nodes with full outbound ports",
    "agent_pools": "agent pools",
    "nodes": "nodes",
    "pods": "pods",
    "vcpus": "vCPUs",
    "spot_vcpus": "spot vCPUs",
    "elastic_ips": "Elastic IPs",
    "nat_gateways": "NAT gateways",
    "vpcs": "VPCs",
}
"""What is counted, in a sentence."""


@dataclass(frozen=True, slots=True)
class Item:
    """A need and what is available. There is one for each `what`, `name` and `checked_by` of a cluster."""

    what: What
    name: str
    checked_by: CheckedBy
    needs: Amount = field(kw_only=True)
    """The figure that is compared."""
    room: Amount | None = field(default=None, kw_only=True)
    """What it is compared with; `None` if that cannot be determined offline."""
    sizes: Sizes = field(kw_only=True)
    message: str = field(kw_only=True)
    remedy: str | None = field(default=None, kw_only=True)
    limit: int | None = field(default=None, kw_only=True)
    """Of the account, used or not; `None`: not known, or the limit is not of an account."""

    @property
    def noun(self) -> str:
        """`node addresses`. With a declared number of ports for each node, ports are counted, otherwise the nodes that share them."""
        return "outbound ports" if self.what == "outbound_ports" and self.checked_by != "planning" else NOUNS[self.what]

    @property
    def needed(self) -> int | None:
        """The figure, if it is certain."""
        return self.needs.exact

    @property
    def available(self) -> int | None:
        """What is available, if it is certain."""
        return None if self.room is None else self.room.exact

    @property
    def verdict(self) -> Verdict:
        """Whether there is enough; `unknown` unless it is certain."""
        return verdict(self.needs, self.room)

    @property
    def severity(self) -> Literal["error", "warning", "note"] | None:
        """`error`: the cloud rejects it, or the smallest sizes have no room. `warning`: larger sizes have none. `None` unless it does not fit."""
        if self.verdict != "does_not_fit":
            return None
        if self.checked_by == "planning":
            return "note"
        return "error" if self.checked_by == "server" or verdict(self.sizes.minimum, self.room) == "does_not_fit" else "warning"

    @property
    def fix(self) -> str | None:
        """What to change; `None` unless it is certain that there is not enough."""
        return self.remedy if self.verdict == "does_not_fit" else None

    def to_json(self) -> dict[str, object]:
        """The item as plain data."""
        sizes = self.sizes
        return {
            "what": self.what,
            "name": self.name,
            "checked_by": self.checked_by,
            "needed": self.needed,
            "available": self.available,
            "verdict": self.verdict,
            "minimum": sizes.minimum.to_json(),
            "maximum": sizes.maximum.to_json(),
            "upgrade": sizes.upgrade.to_json(),
            "rotation": sizes.rotation.to_json(),
            "message": self.message,
            "fix": self.fix,
        }


@dataclass(frozen=True, slots=True)
class Counter:
    """What a cloud counts for an account in a region."""

    what: What
    name: str
    """The cloud's name of it, such as a family of VM sizes or a class of instance types."""
    region: str
    account: str | None = None
    """`None`: the account of the stack's provider."""

    @property
    def key(self) -> "Counter":
        """The same counter in one spelling: clouds ignore case."""
        account = None if self.account is None else self.account.lower()
        return Counter(self.what, self.name.lower(), self.region.lower(), account)

    def __str__(self) -> str:
        return f"{self.name} in {self.region}" if self.region else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What one cluster takes of a counter."""

    counter: Counter
    checked_by: CheckedBy
    needs: Amount
    sizes: Sizes
    default: int | None = None
    """What an account has unless its quota was raised."""
    remedy: str


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
class ExistingStock:
    """What exports of the clouds report."""

    quotas: Quotas = field(default_factory=dict[Counter, Stock])
    subnets: Subnets = field(default_factory=dict[str, SubnetStock])
    groups: "tuple[NodeGroup, ...]" = ()
    """Managed node groups, which no declaration contains."""
    agent_pools: "tuple[ExistingAgentPool, ...]" = ()
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


NOTHING_EXISTING: Final = ExistingStock()
