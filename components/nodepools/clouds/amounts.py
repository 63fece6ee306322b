"""Amounts that are certain only within bounds, and what groups of nodes need at their sizes, during an upgrade and a rotation."""

from collections.abc import Iterable, Sequence
from typing import Literal

from nodepools.model.values import dataclass

Verdict = Literal["fits", "does_not_fit", "unknown"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number between two bounds."""

    minimum: int = 0
    maximum: int | None = None
    """`None`: there is no upper bound, or none is known."""

    @property
    def exact(self) -> int | None:
        """The number, if the bounds are equal."""
        return self.minimum if self.minimum == self.maximum else None

    def __add__(self, other: "Amount") -> "Amount":
        """The sum of both bounds."""
        most = None if self.maximum is None or other.maximum is None else self.maximum + other.maximum
        return Amount(self.minimum + other.minimum, most)

    def times(self, other: "Amount") -> "Amount":
        """The product of both bounds. 0 times an unbounded amount is 0."""
        if 0 in (self.maximum, other.maximum):
            return NOTHING
        most = None if self.maximum is None or other.maximum is None else self.maximum * other.maximum
        return Amount(self.minimum * other.minimum, most)

    def limited(self, other: "Amount") -> "Amount":
        """The amount, if it cannot be greater than another one."""
        most = min((bound for bound in (self.maximum, other.maximum) if bound is not None), default=None)
        return Amount(self.minimum if most is None else min(self.minimum, most), most)

    def counted(self, noun: str) -> str:
        """`1 node`, `2 to 5 nodes`, `3 or more nodes`."""
        number = f"{self.minimum:,} or more" if self.maximum is None else str(self)
        return f"{number} {noun}{'' if self.maximum == 1 else 's'}"

    def to_json(self) -> dict[str, int | None]:
        """`{"minimum": 2, "maximum": null}`."""
        return {"minimum": self.minimum, "maximum": self.maximum}

    def __str__(self) -> str:
        if self.maximum is None:
            return f"at least {self.minimum:,}" if self.minimum else "any number"
        return f"{self.minimum:,}" if self.exact is not None else f"{self.minimum:,} to {self.maximum:,}"


def exactly(number: int) -> Amount:
    """An amount that is certain."""
    return Amount(number, number)


NOTHING = exactly(0)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum; nothing if there are no amounts."""
    return sum(amounts, NOTHING)


def total_seen(amounts: Sequence[Amount], *, is_declared: bool) -> Amount:
    """The sum over the pools of the input: a declaration has all of them, and those of a manifest or a resource can be elsewhere."""
    return total(amounts) if amounts or is_declared else Amount()


def largest(amounts: Iterable[Amount]) -> Amount:
    """The maximum of each bound; nothing if there are no amounts."""
    known = [NOTHING, *amounts]
    most = [amount.maximum for amount in known if amount.maximum is not None]
    return Amount(max(amount.minimum for amount in known), max(most) if len(most) == len(known) else None)


def verdict(needed: Amount, available: Amount | None) -> Verdict:
    """Whether `needed` fits into what is `available`: `unknown` unless every number within the bounds gives the same answer."""
    if available is not None:
        if needed.maximum is not None and needed.maximum <= available.minimum:
            return "fits"
        if available.maximum is not None and needed.minimum > available.maximum:
            return "does_not_fit"
    return "unknown"


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes of one pool, with what each of them needs."""

    minimum: Amount
    """Number of nodes at the smallest size."""
    maximum: Amount
    """Number of nodes at the largest size."""
    each: Amount
    surge: Amount = NOTHING
    """Number of nodes that an upgrade adds."""
    rotates: bool = False
    """A change of an immutable field creates the pool again before the old one is deleted."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The need of several groups together."""

    minimum: Amount
    maximum: Amount
    upgrade: Amount
    """At the largest size, while the group with the largest surge is upgraded: pools are upgraded one after another."""
    rotation: Amount
    """At the largest size, while one group has both generations."""

    def __add__(self, other: "Sizes") -> "Sizes":
        """The need of two clusters, which can be upgraded and rotated at the same time."""
        return Sizes(self.minimum + other.minimum, self.maximum + other.maximum, self.upgrade + other.upgrade, self.rotation + other.rotation)


NO_SIZES = Sizes(NOTHING, NOTHING, NOTHING, NOTHING)


def constant(amount: Amount) -> Sizes:
    """A need that does not depend on nodes."""
    return Sizes(amount, amount, amount, amount)


def sizes(groups: Iterable[Group]) -> Sizes:
    """The need of all `groups` of one cluster."""
    groups = tuple(groups)
    ceiling = total(group.maximum.times(group.each) for group in groups)
    return Sizes(
        total(group.minimum.times(group.each) for group in groups),
        ceiling,
        ceiling + largest(group.surge.times(group.each) for group in groups),
        ceiling + largest(group.maximum.times(group.each) for group in groups if group.rotates),
    )


def with_every_surge(groups: Sequence[Group]) -> Amount:
    """The need at the largest size with the surge of every group at once."""
    return total((group.maximum + group.surge).times(group.each) for group in groups)
