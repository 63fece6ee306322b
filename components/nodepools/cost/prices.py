"""Prices of machines by the hour: those that are shipped, or a list of your own."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final, Literal, Protocol, TypeAlias

from pydantic import Field, model_validator

from nodepools.data.azure_prices import azure_price, azure_price_origin
from nodepools.data.eks_instance_types import eks_instance_types, origin
from nodepools.model.base import Model

CloudName: TypeAlias = Literal["azure", "aws"]
_EC2_REGION = "us-east-1"


class Price(Model):
    """What one machine costs an hour. In a price list a number alone is the price on demand."""

    on_demand: float = Field(ge=0, allow_inf_nan=False)
    """On demand, with Linux; per hour."""
    spot: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """As spot capacity, an average of your own; not known when left out."""
    windows: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """On demand, with a Windows licence; not known when left out."""

    @model_validator(mode="before")
    @classmethod
    def _number_alone(cls, written: object) -> object:
        return {"on_demand": written} if isinstance(written, int | float | str) else written


class PriceList(Model):
    """Prices of your own: negotiated ones, reserved ones, other regions, another currency. Nothing is taken from the shipped ones then."""

    whole: ClassVar[bool] = True

    currency: str = Field(default="USD", min_length=1)
    """What all prices are in."""
    origin: str = Field(default="your price list", min_length=1)
    """Where they come from and of which day they are: printed under every answer."""
    azure: Mapping[str, Mapping[str, Price]] = {}
    """By location and VM size: `westeurope: {Standard_D4ds_v5: 0.27}`."""
    aws: Mapping[str, Mapping[str, Price]] = {}
    """By region and instance type: `us-east-1: {m5.large: {on_demand: 0.096, spot: 0.04}}`."""

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """`None` where the list has none."""
        return {"azure": self.azure, "aws": self.aws}[cloud].get(region, {}).get(machine)


class Prices(Protocol):
    """Where prices come from."""

    @property
    def currency(self) -> str:
        """What they are in."""
        ...

    @property
    def origin(self) -> str:
        """Where they come from."""
        ...

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """Of a machine by the hour; `None` where it is not known."""
        ...


class ShippedPrices:
    """On-demand list prices, Linux: eight Azure regions, and us-east-1. No spot prices, which change by the hour."""

    @property
    def currency(self) -> str:
        """US dollars."""
        return "USD"

    @property
    def origin(self) -> str:
        """Where they come from, and of which day they are."""
        return f"on-demand list prices. Azure: {azure_price_origin()}. AWS: {origin()['prices']}"

    def price(self, cloud: CloudName, region: str, machine: str) -> Price | None:
        """`None` where it is not shipped."""
        found = _SHIPPED[cloud](region, machine)
        return None if found is None else Price(on_demand=found)


def _ec2_price(region: str, machine: str) -> float | None:
    known = eks_instance_types().types.get(machine) if region == _EC2_REGION else None
    return known.usd_per_hour if known is not None else None


_SHIPPED: Final[Mapping[CloudName, Callable[[str, str], float | None]]] = {"azure": azure_price, "aws": _ec2_price}
"""The shipped price of a machine by region and name, for each cloud."""
