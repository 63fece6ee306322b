"""Amounts of money that can be unknown or unbounded, and the monthly cost of one pool."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from nodepools.model.listing import joined

NO_SPOT = "spot prices are unknown: pass yours with `--prices`"
HOURS = 730
"""Hours per month: a twelfth of a year."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure, or a message why there is none: a missing price, or no limits."""

    figure: float | None
    message: str = ""
    """Why there is no figure."""
    unbounded: bool = False
    """There is no figure because there is no maximum."""
    minimum: float = 0.0
    """The known part of an amount that has no figure."""

    def __add__(self, other: "Amount") -> "Amount":
        """Unbounded plus anything is unbounded; otherwise, unknown plus anything is unknown, and at least what is known of both."""
        known = self.known + other.known
        if self.figure is not None and other.figure is not None:
            return Amount(known)
        missing = next(amount for amount in sorted((self, other), key=lambda amount: not amount.unbounded) if amount.figure is None)
        return replace(missing, minimum=known)

    @property
    def known(self) -> float:
        """The figure, or the known part of an amount without one."""
        return self.minimum if self.figure is None else self.figure

    def times(self, number: float) -> "Amount":
        """A multiple. 0 times an unknown amount is 0."""
        if not number:
            return NOTHING
        return replace(self, minimum=self.minimum * number) if self.figure is None else Amount(self.figure * number)

    def to_json(self) -> dict[str, object]:
        """`{"amount": 12.5}`, or `{"amount": null, "minimum": …, "message": …, "unbounded": …}`."""
        if self.figure is not None:
            return {"amount": round(self.figure, 2)}
        return {"amount": None, "minimum": round(self.minimum, 2), "message": self.message, "unbounded": self.unbounded}

    def __str__(self) -> str:
        if self.unbounded:
            return "no maximum"
        if self.figure is None and not self.minimum:
            return "unknown"
        return f"{'at least ' if self.figure is None else ''}{self.known:,.2f}"


NOTHING = Amount(0.0)


def unknown(message: str) -> Amount:
    """An unknown amount."""
    return Amount(None, message)


def unbounded(message: str) -> Amount:
    """An amount without a maximum."""
    return Amount(None, message, unbounded=True)


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum."""
    return sum(amounts, NOTHING)


@dataclass(frozen=True, slots=True)
class PoolCost:
    """Minimum and maximum monthly cost of one pool."""

    pool: str
    """`cluster/pool`."""
    description: str
    """Number of nodes, machine types, and price per hour."""
    min: Amount
    """Cost of `scale.min` or of its static nodes. 0 for a pool that launches nodes for pods."""
    max: Amount
    """Cost of `scale.max`, or what its limits allow on the most expensive machine type."""
    details: tuple[str, ...] = ()
    is_built_in: bool = False
    """The cloud makes the NodePool, and no field sets its limits."""
    is_overridden: bool = False
    """Overrides, which are not read, decide its nodes or their price."""

    @property
    def cluster(self) -> str:
        """Key of its cluster."""
        return self.pool.partition("/")[0]

    def to_json(self) -> dict[str, object]:
        """The pool in `cost --format json`."""
        return {
            "pool": self.pool,
            "what": self.description,
            "minimum": self.min.to_json(),
            "maximum": self.max.to_json(),
            "details": list(self.details),
        }


def overridden(address: str, names: Iterable[str]) -> PoolCost:
    """The cost of a pool that overrides decide."""
    amount = unknown(f"{joined([f'`{name}`' for name in names])} of `overrides` decides the cost, and is not read: use the field")
    return PoolCost(address, "declared with overrides", amount, amount, is_overridden=True)
