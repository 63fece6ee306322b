"""Kubernetes quantities: `200`, `500m`, `16Gi`. Grammar: the pattern of limits in the NodePool CRD, docs/facts/eks.md P3."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

_QUANTITY = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?")
_LIKE_A_QUANTITY = re.compile(r"(?P<number>[0-9]+(\.[0-9]+)?) ?(?P<unit>[kKmMgGtTpP])(?P<binary>[iI])?[bB]?")
_FACTORS = {
    **{unit: Decimal(1024) ** power for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), start=1)},
    **{unit: Decimal(1000) ** power for power, unit in enumerate(("n", "u", "m", "", "k", "M", "G", "T", "P", "E"), start=-3)},
}


@lru_cache(maxsize=4096)  # workloads repeat theirs
def amount(quantity: str) -> Decimal:
    """The value of a quantity: `1.5Gi` is 1610612736.

    Raises:
        ValueError: it is not a quantity.
    """
    match = _QUANTITY.fullmatch(quantity)
    if not match:
        raise ValueError(f"{quantity!r} is not a quantity")
    number, unit = match[1], match[2] or ""
    return Decimal(number + unit) if unit[:1] in ("e", "E") and len(unit) > 1 and unit != "Ei" else Decimal(number) * _FACTORS[unit]


def is_same_amount(one: object, other: object) -> bool:
    """Both are quantities of the same amount, such as `1Gi` and `1024Mi`."""
    texts = (str(one), str(other))
    return all(map(_QUANTITY.fullmatch, texts)) and amount(texts[0]) == amount(texts[1])


def _quantity(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        raise PydanticCustomError("quantity", "must be in quotes: the API server rejects a fraction as a bare number", {"example": f'`"{value}"`'})
    if isinstance(value, str) and not _QUANTITY.fullmatch(value):
        near = _spelt(value)
        example = " or ".join(f'`"{one}"`' for one in near) if near else 'a quantity such as `"500m"` for CPU or `"16Gi"` for memory'
        message = "must be a Kubernetes quantity: a number with an optional unit, such as `500m` for CPU or `16Gi` for memory"
        raise PydanticCustomError("quantity", message, {"example": example})
    return value


def _spelt(text: str) -> list[str]:
    """What a text that is almost a quantity can mean, such as `100gi`, `100GB` and `100 GiB`."""
    match = _LIKE_A_QUANTITY.fullmatch(text)
    if match is None or match["unit"] == "m":
        return []
    unit = match["unit"].upper()
    found = [f"{match['number']}{unit}i", *([] if match["binary"] else [f"{match['number']}{'k' if unit == 'K' else unit}"])]
    return found if all(map(_QUANTITY.fullmatch, found)) else []


if TYPE_CHECKING:
    Quantity: TypeAlias = str | int
else:
    Quantity = Annotated[str, BeforeValidator(_quantity)]
