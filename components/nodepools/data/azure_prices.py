"""On-demand list prices of Azure VM sizes with Linux, in a few regions.

The table is one file, read when first used. Its first line has the source and the date.
"""

from collections.abc import Mapping
from functools import cache

from nodepools.data.table_files import lines_of, origin_of

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


def azure_price_regions() -> tuple[str, ...]:
    """The regions with known prices."""
    return _table()[0]


@cache
def azure_price_origin() -> str:
    """Source and date of the prices."""
    return origin_of(_FILE)


@cache
def _table() -> tuple[tuple[str, ...], Mapping[str, str]]:
    head, *lines = lines_of(_FILE)
    parted = (line.partition(" ") for line in lines)
    return tuple(head.split()[1:]), {size: row for size, _, row in parted}
