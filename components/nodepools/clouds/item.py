"""One thing that a cluster needs a number of, with the answer whether there is enough of it; quotas, which the clusters of an account share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from nodepools.clouds.amounts import Amount, Verdict, verdict
from nodepools.clouds.sizes import Sizes

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A need and what is available. There is one for each `what`, `name` and `checked_by` of a cluster."""

    what: What
    name: str
    checked_by: CheckedBy
    needs: Amount
    """The figure that is compared."""
    room: Amount | None = None
    """What it is compared with; `None` if that cannot be determined offline."""
    sizes: Sizes
    message: str
    remedy: str | None = None

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
