"""Whether there is room for the extra nodes of an upgrade: addresses, ports, nodes and vCPUs."""

from collections.abc import Iterable, Iterator, Mapping

from nodepools.needs.amounts import verdict
from nodepools.needs.item import Item
from nodepools.rules.finding import Severity
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


def unknown_room(items: Iterable[Item], refusals: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What an upgrade needs and whose room cannot be determined offline: `what`, and the need with surge nodes."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        if _counts(item, refusals) and item.room is None and (item.what, item.name) not in seen:
            seen.add((item.what, item.name))
            yield f"{item.what} {item.name}", str(item.sizes.upgrade)


def _counts(item: Item, refusals: Mapping[str, str]) -> bool:
    """The cloud or its nodes need it; the figures of manuals stop no upgrade."""
    return item.what in refusals and item.checked_by != "planning"
