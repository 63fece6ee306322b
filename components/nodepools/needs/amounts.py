"""Amounts that are certain only within bounds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["fits", "does_not_fit", "unknown"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number between two bounds."""

    at_least: int = 0
    at_most: int | None = None
    """`None`: there is no upper bound, or none is known."""

    @property
    def exact(self) -> int | None:
        """The number, if the bounds are equal."""
        return self.at_least if self.at_least == self.at_most else None

    def __add__(self, other: "Amount") -> "Amount":
        """The sum of both bounds."""
        most = None if self.at_most is None or other.at_most is None else self.at_most + other.at_most
        return Amount(self.at_least + other.at_least, most)

    def times(self, other: "Amount") -> "Amount":
        """The product of both bounds. 0 times an unbounded amount is 0."""
        if 0 in (self.at_most, other.at_most):
            return NOTHING
        most = None if self.at_most is None or other.at_most is None else self.at_most * other.at_most
        return Amount(self.at_least * other.at_least, most)

    def to_json(self) -> dict[str, int | None]:
        """`{"at_least": 2, "at_most": null}`."""
        return {"at_least": self.at_least, "at_most": self.at_most}

    def __str__(self) -> str:
        if self.at_most is None:
            return f"at least {self.at_least:,}" if self.at_least else "any number"
        return f"{self.at_least:,}" if self.exact is not None else f"{self.at_least:,} to {self.at_most:,}"


def exactly(number: int) -> Amount:
    """An amount that is certain."""
    return Amount(number, number)


NOTHING = exactly(0)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum; nothing if there are no amounts."""
    return sum(amounts, NOTHING)


def largest(amounts: Iterable[Amount]) -> Amount:
    """The maximum of each bound; nothing if there are no amounts."""
    known = [NOTHING, *amounts]
    most = [amount.at_most for amount in known if amount.at_most is not None]
    return Amount(max(amount.at_least for amount in known), max(most) if len(most) == len(known) else None)


def verdict(needed: Amount, available: Amount | None) -> Verdict:
    """Whether `needed` fits into what is `available`: `unknown` unless every number within the bounds gives the same answer."""
    if available is not None:
        if needed.at_most is not None and needed.at_most <= available.at_least:
            return "fits"
        if available.at_most is not None and needed.at_least > available.at_most:
            return "does_not_fit"
    return "unknown"
