"""What changes of clusters do to the monthly cost, and whether their subnets and quotas have room for them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.cli.diff.answer import Subject
from nodepools.cli.diff.folds import NAMED
from nodepools.cli.diff.pairs import Pair
from nodepools.cli.output.report import Row, Section, lines_of
from nodepools.clouds.amounts import Amount, verdict
from nodepools.clouds.change import Change, summary
from nodepools.clouds.item import ExistingStock, Item
from nodepools.clouds.prices import Amount as Money
from nodepools.clouds.prices import PoolCost, Prices, total
from nodepools.clouds.registry import cluster_costs
from nodepools.model.listing import grouped, listed
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.needs.platform_capacity import capacity
from nodepools.wire.table import DRAINING, Effect

_MOMENTS: Final = {"after": "", "rotation": " while a pool rotates", "upgrade": " with surge nodes"}


def cost_section(pairs: Sequence[Pair], prices: Prices) -> Subject:
    """The minimum and maximum monthly cost of each cluster whose cost changes."""
    every = [(pair.name, key, _costs(pair.old, key, prices), _costs(pair.new, key, prices)) for pair in pairs for key in pair.changed]
    found = [one for one in every if _range(one[2]) != _range(one[3])]
    data = [{"stack": stack, "cluster": key, "old": _json(old), "new": _json(new)} for stack, key, old, new in found]
    same = grouped(((_range(old), _range(new)), key) for _, key, old, new in found)
    rows = tuple(Row((listed(keys, NAMED), *amounts)) for amounts, keys in same.items())
    return Subject("cost", data, Section(f"Monthly cost of nodes at list prices in {prices.currency}", rows, ("cluster", "before", "after")))


def _costs(platform: Platform | None, key: str, prices: Prices) -> list[PoolCost] | None:
    return cluster_costs(platform, key, prices) if platform is not None and key in platform.clusters else None


def _range(costs: Sequence[PoolCost] | None) -> str:
    if costs is None:
        return "not declared"
    least, most = total(cost.min for cost in costs), total(cost.max for cost in costs)
    if most.unbounded:
        return f"{least} or more" if least.figure is not None else str(least)
    return f"{least} to {most}" if least != most else str(least)


def _json(costs: Sequence[PoolCost] | None) -> Mapping[str, object] | None:
    if costs is None:
        return None
    amounts: Mapping[str, Money] = {"minimum": total(cost.min for cost in costs), "maximum": total(cost.max for cost in costs)}
    return {name: amount.to_json() for name, amount in amounts.items()}


@dataclass(frozen=True, slots=True)
class _Need:
    """A need of a cluster at one moment of the changes."""

    cluster: str
    moment: str
    """`after` the changes, or during a `rotation` or an `upgrade`."""
    item: Item

    @property
    def amount(self) -> Amount:
        return {"after": self.item.needs, "rotation": self.item.sizes.rotation, "upgrade": self.item.sizes.upgrade}[self.moment]

    @property
    def verdict(self) -> str:
        return verdict(self.amount, self.item.room)

    @property
    def thing(self) -> tuple[str, str, str, str]:
        return (self.cluster, self.item.what, self.item.name, self.item.checked_by)

    @property
    def is_advice(self) -> bool:
        """A quota of which nothing but the limit is known: every edit would have it."""
        return self.item.checked_by == "planning" and self.item.limit is not None

    def to_json(self, stack: str) -> dict[str, object]:
        head = {"stack": stack, "cluster": self.cluster, "when": self.moment, "what": self.item.what, "name": self.item.name}
        room = None if self.item.room is None else self.item.room.to_json()
        return {**head, "checked_by": self.item.checked_by, "needed": self.amount.to_json(), "available": room, "verdict": self.verdict}

    def __str__(self) -> str:
        answer = "not enough" if self.verdict == "does_not_fit" else "may not be enough"
        name, needs = self.item.name.rpartition("/")[2], "an unlimited number" if self.amount == Amount() else self.amount
        return f"{self.item.noun} ({name}): {answer}{_MOMENTS[self.moment]}: needs {needs}, {self.item.room} available"


def capacity_section(pairs: Sequence[Pair], existing: ExistingStock) -> Subject:
    """What does not fit, or may not fit, after the changes or while they are applied, and did fit before."""
    found = [(pair.name, need) for pair in pairs if pair.new is not None and pair.changed for need in _new_needs(pair, pair.new, existing)]
    worst: dict[tuple[str, str, str, str], _Need] = {}
    for stack, need in sorted(found, key=lambda one: one[1].verdict):  # what does not fit comes before what may not fit
        worst.setdefault((stack, *need.thing[:3]), need)
    same = grouped((str(need), need.cluster) for need in worst.values())
    data = [need.to_json(stack) for stack, need in found]
    lines = [f"{listed(keys, NAMED)}: {text}" for text, keys in same.items()]
    return Subject("capacity", data, lines_of("Capacity that may not be enough after the changes", *lines))


def _new_needs(pair: Pair, new: Platform, existing: ExistingStock) -> Iterator[_Need]:
    every = {cluster.cluster: cluster.items for cluster in capacity(new, existing=existing)}
    needs = [
        _Need(key, moment, item)
        for key in pair.changed
        if key in new.clusters
        for moment in _moments(key, pair.changes.all)
        for item in every[key]
        if item.room is not None
    ]
    scarce = [need for need in needs if need.verdict != "fits" and not (need.verdict == "unknown" and need.is_advice)]
    before = _before(pair.old, existing) if scarce else {}
    yield from (need for need in scarce if need.verdict != before.get(need.thing, "fits"))


def _before(old: Platform | None, existing: ExistingStock) -> dict[tuple[str, str, str, str], str]:
    found = [] if old is None else capacity(old, existing=existing)
    needs = [_Need(cluster.cluster, "after", item) for cluster in found for item in cluster.items]
    return {need.thing: need.verdict for need in needs}


def _moments(cluster: str, changes: Sequence[Change]) -> tuple[str, ...]:
    """What happens in the cluster: nothing is rotated or upgraded after the changes."""
    effects = {change.effect for change in changes if change.at.partition("/")[0] == cluster}
    rotation = ("rotation",) if Effect.ROTATES in effects else ()
    upgrade = ("upgrade",) if effects.intersection(DRAINING) else ()
    return ("after", *rotation, *upgrade)


@dataclass(frozen=True, slots=True)
class _Owned:
    """What changes for one owner."""

    stack: str
    owner: str | None
    changes: Sequence[Change]
    reassigned: Sequence[str]
    """Where an edit changes who owns something, or what the owner can have and who approves for it."""
    approvers: Sequence[str]
    """Whose approval is needed: no one's if nodes and pods are not touched, or without an owner."""

    @property
    def worst(self) -> Effect:
        return max((change.effect for change in self.changes), key=lambda effect: effect.severity, default=Effect.NONE)

    @property
    def places(self) -> list[str]:
        return list(dict.fromkeys([*(change.at for change in self.changes), *self.reassigned]))

    def to_json(self) -> dict[str, object]:
        told = {"places": self.places, "effects": summary(self.changes), "reassigned": list(self.reassigned), "approvers": list(self.approvers)}
        return {"stack": self.stack, "owner": self.owner, "needs_approval": bool(self.approvers), **told}


def owner_section(pairs: Sequence[Pair]) -> Subject:
    """Whose clusters and pools change, the worst first, and whose approval that needs: of edits that do more than update in place."""
    found = [one for pair in pairs for one in _owned(pair)]
    found.sort(key=lambda one: (-one.worst.severity, one.owner is None, one.owner))
    rows = tuple(
        Row(
            (
                one.owner if one.owner is not None else "without owner",
                listed(one.places, NAMED),
                one.worst.value,
                listed(list(one.approvers), NAMED) if one.approvers else "not needed",
            )
        )
        for one in found
    )
    section = Section("Owners of what changes", rows, ("owner", "cluster or pool", "worst effect", "approval of"))
    approvers = list(dict.fromkeys(name for one in found if one.reassigned for name in one.approvers))
    verdict = f"owners or their limits change: needs the approval of {listed(approvers, NAMED)}" if approvers else ""
    return Subject("owners", [one.to_json() for one in found], section if rows else None, verdict)


_Side: TypeAlias = tuple[Platform, Mapping[str, str | None]]
"""A platform, and the owners of its clusters and pools."""


def _owned(pair: Pair) -> Iterator[_Owned]:
    """The owners on both sides: an edit that gives a pool to another owner is also about the one that had it."""
    sides = [(side, side.owners_by_place()) for side in (pair.old, pair.new) if side is not None]
    owned: dict[str | None, tuple[list[Change], list[str]]] = {}
    for change in pair.changes.all:
        for owner in _owners(sides, change) if change.effect is not Effect.NONE else ():
            owned.setdefault(owner, ([], []))[0].append(change)
    for owner, place in _reassigned(*sides) if pair.old is not None and pair.new is not None else ():
        owned.setdefault(owner, ([], []))[1].append(place)
    for owner, (changes, places) in owned.items():
        is_more = bool(places) or any(change.effect > Effect.IN_PLACE for change in changes)
        yield _Owned(pair.name, owner, changes, places, _approvers(sides, owner) if is_more and owner is not None else ())


def _owners(sides: Sequence[_Side], change: Change) -> set[str | None]:
    """Of the pool, on the sides that declare it; of what belongs to a cluster, also those of its pools if nodes or pods are touched."""
    pool = change.at.partition(" ")[0]
    key = pool.partition("/")[0]
    known = [owners for _, owners in sides if key in owners]
    if change.pool is not None:
        declared = {owners[pool] for owners in known if pool in owners}
        return declared if declared else {owners[key] for owners in known}
    found = {owners[key] for owners in known}
    if change.effect > Effect.IN_PLACE:
        found |= {owner for owners in known for place, owner in owners.items() if place.startswith(f"{key}/") and owner is not None}
    return found


def _reassigned(old: _Side, new: _Side) -> Iterator[tuple[str, str]]:
    """Each owner that loses or gets something that both sides declare, or whose limits or approvers change, with the place."""
    for place, before in old[1].items():
        after = new[1].get(place, before)
        yield from ((owner, place) for owner in (before, after) if owner is not None and before != after)
    before, after = (side.owners.teams for side, _ in (old, new))
    yield from ((owner, f"owners.teams.{owner}") for owner in {**before, **after} if _knows(old, owner) and before.get(owner) != after.get(owner))


def _knows(side: _Side, owner: str) -> bool:
    """It is a team, or owns something."""
    return owner in side[0].owners.teams or owner in side[1].values()


def _approvers(sides: Sequence[_Side], owner: str) -> Sequence[str]:
    """Those of the first side that knows the owner: no edit chooses its own approvers. Without any, the owner."""
    team = next((side[0].owners.teams.get(owner) for side in sides if _knows(side, owner)), None)
    return team.approvers if team is not None and team.approvers else (owner,)
