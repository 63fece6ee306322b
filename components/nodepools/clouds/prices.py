"""Prices of machine types per hour, from the list of a user or the built-in one, and the monthly cost of one pool.

The built-in table has on-demand list prices. It is a file, read when first used; its first line has the source and the date.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import ClassVar, Final, Literal, Protocol, TypeAlias

from pydantic import Field, model_validator

from nodepools.data.eks_instance_types import eks_instance_types, origin
from nodepools.data.table_files import lines_of, origin_of
from nodepools.model.base import Model
from nodepools.model.listing import joined
from nodepools.model.values import dataclass, replace

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


_FILE = "azure_prices.txt"
_UNSOLD = "-"


def azure_price(region: str, size: str) -> float | None:
    """Price in USD per hour; `None` if it is unknown."""
    regions, rows = _table()
    row = rows.get(size.removeprefix("Standard_"))
    if row is None or region not in regions:
        return None
    cell = row.split()[regions.index(region)]
    return None if cell == _UNSOLD else float(cell)


@cache
def azure_price_origin() -> str:
    """Source and date of the prices."""
    return origin_of(_FILE)


@cache
def _table() -> tuple[tuple[str, ...], Mapping[str, str]]:
    head, *lines = lines_of(_FILE)
    parted = (line.partition(" ") for line in lines)
    return tuple(head.split()[1:]), {size: row for size, _, row in parted}


CloudName: TypeAlias = Literal["azure", "aws"]
_EC2_REGION = "us-east-1"


class Price(Model):
    """Price of one machine type per hour. In a price list, a plain number is the on-demand price."""

    on_demand: float = Field(ge=0, allow_inf_nan=False)
    """On demand, with Linux."""
    spot: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Spot, such as your average price; `None` is unknown."""
    windows: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """On demand, with a Windows license; `None` is unknown."""

    @model_validator(mode="before")
    @classmethod
    def _number_alone(cls, written: object) -> object:
        return {"on_demand": written} if isinstance(written, int | float | str) else written


class PriceList(Model):
    """Your prices: negotiated or reserved, for other regions, in another currency. They replace the built-in list."""

    whole: ClassVar[bool] = True

    currency: str = Field(default="USD", min_length=1)
    """Currency of all prices."""
    origin: str = Field(default="your price list", min_length=1)
    """Source and date of the prices, printed below the table."""
    azure: Mapping[str, Mapping[str, Price]] = {}
    """By location and VM size: `westeurope: {Standard_D4ds_v5: 0.27}`."""
    aws: Mapping[str, Mapping[str, Price]] = {}
    """By region and instance type: `us-east-1: {m5.large: {on_demand: 0.096, spot: 0.04}}`."""

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """The price of a machine type; `None` if the list has none."""
        return {"azure": self.azure, "aws": self.aws}[cloud].get(region, {}).get(machine)


class Prices(Protocol):
    """A source of prices."""

    @property
    def currency(self) -> str:
        """Currency of the prices."""
        ...

    @property
    def origin(self) -> str:
        """Source of the prices."""
        ...

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """The price of a machine type per hour; `None` if unknown."""
        ...


class ShippedPrices:
    """On-demand list prices for Linux: eight Azure regions, and us-east-1. No spot prices: they change every hour."""

    currency = "USD"

    @property
    def origin(self) -> str:
        """Source and date of the prices."""
        return f"on-demand list prices. Azure: {azure_price_origin()}. AWS: {origin()['prices']}"

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """The price of a machine type; `None` if the built-in list has none."""
        found = _SHIPPED[cloud](region, machine)
        return None if found is None else _on_demand(found)


@cache
def _on_demand(hourly: float) -> Price:
    """The price of all types that cost the same: a list has the same few prices for every pool."""
    return Price(on_demand=hourly)


def _ec2_price(region: str, machine: str) -> float | None:
    known = eks_instance_types().types.get(machine) if region == _EC2_REGION else None
    return known.usd_per_hour if known is not None else None


_SHIPPED: Final[Mapping[CloudName, Callable[[str, str], float | None]]] = {"azure": azure_price, "aws": _ec2_price}
"""The shipped price of a machine by region and name, for each cloud."""
