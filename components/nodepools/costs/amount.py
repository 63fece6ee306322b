"""Amounts of money that can be unknown or unbounded."""

from collections.abc import Iterable
from dataclasses import dataclass

HOURS = 730
"""Hours per month: a twelfth of a year."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure, or the reason why there is none: a missing price, or no limits."""

    figure: float | None
    reason: str = ""
    """Why there is no figure."""
    unbounded: bool = False
    """There is no figure because there is no maximum."""

    def __add__(self, other: "Amount") -> "Amount":
        """Unbounded plus anything is unbounded; otherwise, unknown plus anything is unknown."""
        if self.figure is not None and other.figure is not None:
            return Amount(self.figure + other.figure)
        return next(amount for amount in sorted((self, other), key=lambda amount: not amount.unbounded) if amount.figure is None)

    def times(self, number: float) -> "Amount":
        """A multiple. 0 times an unknown amount is 0."""
        if not number:
            return NOTHING
        return self if self.figure is None else Amount(self.figure * number)

    def to_json(self) -> dict[str, object]:
        """`{"amount": 12.5}`, or `{"amount": null, "why": …, "unbounded": …}`."""
        if self.figure is not None:
            return {"amount": round(self.figure, 2)}
        return {"amount": None, "why": self.reason, "unbounded": self.unbounded}

    def __str__(self) -> str:
        if self.figure is not None:
            return f"{self.figure:,.2f}"
        return "no maximum" if self.unbounded else "unknown"


NOTHING = Amount(0.0)


def unknown(reason: str) -> Amount:
    """An unknown amount."""
    return Amount(None, reason)


def unbounded(reason: str) -> Amount:
    """An amount without a maximum."""
    return Amount(None, reason, unbounded=True)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    return sum(amounts, NOTHING)


def sum_text(amounts: Iterable[Amount]) -> str:
    """The sum as text. If some amounts are unknown, the sum of the others, plus "unknown"."""
    amounts = list(amounts)
    everything = total(amounts)
    if everything.figure is not None or everything.unbounded:
        return str(everything)
    return f"{total(amount for amount in amounts if amount.figure is not None)} + unknown"
