"""Money, where there is a figure for it."""

from collections.abc import Iterable
from dataclasses import dataclass

HOURS = 730
"""Of a month: a twelfth of a year."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure, or why there is none: a price is missing, or nothing bounds it."""

    figure: float | None
    why: str = ""
    """Why there is no figure."""
    unbounded: bool = False
    """There is no figure because nothing holds it back."""

    def __add__(self, other: "Amount") -> "Amount":
        """What has no bound stays so, and then what is not known."""
        if self.figure is not None and other.figure is not None:
            return Amount(self.figure + other.figure)
        return next(one for one in sorted((self, other), key=lambda one: not one.unbounded) if one.figure is None)

    def times(self, number: float) -> "Amount":
        """So many of it; none of what is not known is nothing."""
        if not number:
            return NOTHING
        return self if self.figure is None else Amount(self.figure * number)

    def to_json(self) -> dict[str, object]:
        """`{"amount": 12.5}`, or `{"amount": null, "why": …, "unbounded": …}`."""
        if self.figure is not None:
            return {"amount": round(self.figure, 2)}
        return {"amount": None, "why": self.why, "unbounded": self.unbounded}

    def __str__(self) -> str:
        if self.figure is not None:
            return f"{self.figure:,.2f}"
        return "no maximum" if self.unbounded else "unknown"


NOTHING = Amount(0.0)


def unknown(why: str) -> Amount:
    """There is no telling."""
    return Amount(None, why)


def unbounded(why: str) -> Amount:
    """Nothing holds it back."""
    return Amount(None, why, unbounded=True)


def total(amounts: Iterable[Amount]) -> Amount:
    """All of them together."""
    return sum(amounts, NOTHING)
