"""Whether there is room for the extra nodes of an upgrade: addresses, ports, nodes and vCPUs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nodepools.needs.amounts import Amount, verdict
from nodepools.needs.item import Item
from nodepools.rules.engine.finding import Severity
from nodepools.upgrades.blocker import Blocker, Kind

_SOURCE = "https://learn.microsoft.com/azure/aks/upgrade-options"


def room_blockers(items: Iterable[Item], refusals: Mapping[str, str]) -> Iterator[Blocker]:
    """What an upgrade at the largest size of the pools has no room for. `refusals` are the error codes of the cloud by `what`."""
    found: dict[tuple[str, str], Item] = {}
    for item in items:
        if _counts(item, refusals) and verdict(item.sizes.upgrade, item.room) == "does_not_fit":
            found.setdefault((item.what, item.name), item)
    for item in found.values():
        is_certain = verdict(item.sizes.floor, item.room) == "does_not_fit"
        size = "at their smallest size" if is_certain else "at their largest size"
        yield Blocker(
            kind=Kind.CAPACITY,
            severity=Severity.ERROR if is_certain else Severity.WARNING,
            message=f"`{item.what}` {item.name}: the pools {size} need {item.sizes.upgrade} with surge nodes, and {item.room} are available",
            fix=f"{item.remedy}, or lower `max_surge`" if item.remedy is not None else "Lower `max_surge`",
            source=_SOURCE,
            refusal=refusals[item.what],
        )


@dataclass(frozen=True, slots=True)
class Room:
    """What an upgrade needs with surge nodes at the largest size of the pools, next to what is available."""

    what: str
    name: str
    needed: Amount
    available: Amount | None
    """`None` if it cannot be determined offline."""

    def __str__(self) -> str:
        return f"`{self.what}` {self.name}: {self.needed}{f' of {self.available}' if self.available is not None else ''}"

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        available = self.available.to_json() if self.available is not None else None
        return {"what": self.what, "name": self.name, "needed": self.needed.to_json(), "available": available}


def rooms(items: Iterable[Item], refusals: Mapping[str, str]) -> list[Room]:
    """Addresses, ports, nodes and vCPUs, each counted once."""
    found: dict[tuple[str, str], Room] = {}
    for item in items:
        if _counts(item, refusals):
            found.setdefault((item.what, item.name), Room(item.what, item.name, item.sizes.upgrade, item.room))
    return list(found.values())


def _counts(item: Item, refusals: Mapping[str, str]) -> bool:
    """The cloud or its nodes need it; the figures of manuals stop no upgrade."""
    return item.what in refusals and item.checked_by != "planning"
