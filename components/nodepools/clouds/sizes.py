"""What groups of nodes need at their smallest and largest size, during an upgrade and during a rotation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nodepools.clouds.amounts import NOTHING, Amount, largest, total


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
